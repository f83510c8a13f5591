// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Default handlers of exceptions and interrupts: say what happened and end the program. Uses
// nothing of the C library, whose state may be what is broken.

#include "npu/trap.h"

#include "semihost_calls.h"

#include <npu_intrinsics.h>
#include <npu_platform.h>

static char text[1024];
static uint32_t length;

static void put_text(const char *s) {
  while (*s != '\0' && length < sizeof text)
    text[length++] = *s++;
}

static void put_hex(uint32_t value) {
  char digits[9];
  for (int i = 0; i < 8; ++i)
    digits[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
  digits[8] = '\0';
  put_text("0x");
  put_text(digits);
}

static void put_field(const char *name, uint32_t value) {
  put_text(name);
  put_hex(value);
}

static _Noreturn void print_and_exit(void) {
  npu_semihost_fail(text, length, NPU_TRAP_EXIT_STATUS);
}

static const char *exception_name(uint32_t cause) {
  switch (cause) {
  case 0:
    return "misaligned jump target";
  case 1:
    return "instruction access fault";
  case 2:
    return "illegal instruction";
  case 3:
    return "breakpoint";
  case 4:
    return "misaligned load";
  case 5:
    return "load access fault";
  case 6:
    return "misaligned store";
  case 7:
    return "store access fault";
  case 11:
    return "environment call";
  default:
    return "unknown cause";
  }
}

// The stack starts at the bottom of the scratchpad, so that running over it leaves memory. A frame
// of up to this size may lie below.
enum { LARGEST_FRAME = 1 << 20 };

static int is_stack_overflow(const npu_trap_frame *frame) {
  return (frame->cause == 5 || frame->cause == 7) &&
         frame->value - (NPU_TCM_BASE - LARGEST_FRAME) < LARGEST_FRAME;
}

// An exception while the handler runs: nothing can be relied upon any more.
_Noreturn void __npu_nested_exception(void) {
  npu_semihost_exit(NPU_TRAP_EXIT_STATUS);
}

__attribute__((weak)) void npu_exception_handler(npu_trap_frame *frame) {
  static const char names[31][4] = {"ra", "sp",  "gp",  "tp", "t0", "t1", "t2", "s0",
                                    "s1", "a0",  "a1",  "a2", "a3", "a4", "a5", "a6",
                                    "a7", "s2",  "s3",  "s4", "s5", "s6", "s7", "s8",
                                    "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  put_text("trap: ");
  put_text(exception_name(frame->cause));
  if (is_stack_overflow(frame))
    put_text(" (stack overflow)");
  put_field("\n  mcause ", frame->cause);
  put_field("  mepc ", frame->pc);
  put_field("  mtval ", frame->value);
  for (int i = 0; i < 31; ++i) {
    put_text(i % 4 == 0 ? "\n  " : "  ");
    put_text(names[i]);
    for (int pad = names[i][2] == '\0' ? 2 : 1; pad > 0; --pad)
      put_text(" ");
    put_hex(frame->x[i]);
  }
  put_text("\n");
  print_and_exit();
}

static _Noreturn void unexpected_interrupt(const char *name) {
  put_text("unexpected interrupt: ");
  put_text(name);
  put_field("\n  mepc ", (uint32_t)npu_csr_read(0x341));
  put_field("  nstatus ", npu_csr_read(NPU_CSR_NSTATUS));
  put_field("\n  nfault0 ", npu_csr_read(NPU_CSR_NFAULT0));
  put_field("  nfault1 ", npu_csr_read(NPU_CSR_NFAULT1));
  put_field("  nfault2 ", npu_csr_read(NPU_CSR_NFAULT2));
  put_field("  nfault3 ", npu_csr_read(NPU_CSR_NFAULT3));
  put_text("\n");
  print_and_exit();
}

__attribute__((weak)) void npu_software_interrupt_handler(void) {
  unexpected_interrupt("software");
}
__attribute__((weak)) void npu_timer_interrupt_handler(void) {
  unexpected_interrupt("timer");
}
__attribute__((weak)) void npu_external_interrupt_handler(void) {
  unexpected_interrupt("external");
}
__attribute__((weak)) void npu_dma_interrupt_handler(void) {
  unexpected_interrupt("DMA completion");
}
__attribute__((weak)) void npu_error_interrupt_handler(void) {
  unexpected_interrupt("unit error");
}

void __npu_dispatch_interrupt(uint32_t number) {
  switch (number) {
  case 3:
    npu_software_interrupt_handler();
    break;
  case 7:
    npu_timer_interrupt_handler();
    break;
  case 11:
    npu_external_interrupt_handler();
    break;
  case 16:
    npu_dma_interrupt_handler();
    break;
  case 17:
    npu_error_interrupt_handler();
    break;
  default:
    unexpected_interrupt("unknown number");
  }
}
