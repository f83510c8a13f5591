// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions, timer interrupts in the middle of anything, and a handler that the compiler makes.

#include <npu/trap.h>
#include <npu_platform.h>
#include <stdint.h>

#define NOINLINE __attribute__((noinline))
#define REGISTER(offset) (*(volatile uint32_t *)(NPU_MMIO_CLINT_BASE + (offset)))

static volatile int exceptions, ticks, software;
enum { PERIOD = 173 };

NOINLINE int leaf(int n) { return n * 3 + exceptions; }

NOINLINE void on_exception(npu_trap_frame *frame) {
  exceptions += leaf((int)frame->cause) != 0;
  frame->pc += 4;
}

void npu_exception_handler(npu_trap_frame *frame) { on_exception(frame); }

static void restart_timer(void) {
  const uint32_t next = REGISTER(NPU_MMIO_CLINT_MTIME) + PERIOD;
  REGISTER(NPU_MMIO_CLINT_MTIMECMP + 4) = 0;
  REGISTER(NPU_MMIO_CLINT_MTIMECMP) = next;
}

void npu_timer_interrupt_handler(void) {
  ticks += leaf(1) > 0;
  restart_timer();
}

__attribute__((interrupt)) void compiled_handler(void) {
  software += leaf(2) > 0;
  REGISTER(NPU_MMIO_CLINT_MSIP) = 0;
}

NOINLINE int work(int n) {
  int values[12];
  for (int i = 0; i < 12; ++i)
    values[i] = leaf(n + i);
  if (n % 4 == 0)
    __asm__ volatile("ecall");
  if (n % 4 == 1)
    *(volatile int *)(uintptr_t)(n * 4 + 2) = n;
  return n == 0 ? values[3] : work(n - 1) + values[n % 12];
}

int main(void) {
  restart_timer();
  __asm__ volatile("csrs mie, %0" ::"r"(1 << 7 | 1 << 3));
  __asm__ volatile("csrsi mstatus, 8");
  int sum = work(17);
  __asm__ volatile("csrci mstatus, 8");

  uint32_t vector;
  __asm__ volatile("csrrw %0, mtvec, %1" : "=r"(vector) : "r"(compiled_handler));
  __asm__ volatile("csrw mie, %0" ::"r"(1 << 3));
  __asm__ volatile("csrsi mstatus, 8");
  REGISTER(NPU_MMIO_CLINT_MSIP) = 1;
  for (int i = 0; i < 4; ++i)
    sum += leaf(i);
  __asm__ volatile("csrci mstatus, 8");
  __asm__ volatile("csrw mtvec, %0" ::"r"(vector));
  return exceptions == 10 && ticks > 5 && software == 1 && sum != 0 ? 0 : 1;
}
