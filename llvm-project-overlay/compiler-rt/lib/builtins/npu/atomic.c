// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations that the compiler does not expand in place: eight bytes, and objects of
// any size. The NPU has one hart, so an operation is atomic when no interrupt is taken inside;
// the memory order is always sequentially consistent.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MSTATUS_MIE = 8 };

static inline uint32_t mask_interrupts(void) {
  uint32_t status;
  __asm__ volatile("csrrci %0, mstatus, %1" : "=r"(status) : "K"(MSTATUS_MIE) : "memory");
  return status & MSTATUS_MIE;
}

static inline void restore_interrupts(uint32_t enabled) {
  __asm__ volatile("csrs mstatus, %0" : : "r"(enabled) : "memory");
}

// The generic names are builtins of the compiler, so they are given to functions of other names.
void atomic_load(size_t size, const void *object, void *result, int order) __asm__("__atomic_load");
void atomic_store(size_t size, void *object, const void *value, int order) __asm__("__atomic_store");
void atomic_exchange(size_t size, void *object, const void *value, void *result,
                     int order) __asm__("__atomic_exchange");
bool atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired,
                             int success, int failure) __asm__("__atomic_compare_exchange");
bool atomic_is_lock_free(size_t size, const volatile void *object) __asm__("__atomic_is_lock_free");

void atomic_load(size_t size, const void *object, void *result, int order) {
  (void)order;
  const uint32_t enabled = mask_interrupts();
  __builtin_memcpy(result, object, size);
  restore_interrupts(enabled);
}

void atomic_store(size_t size, void *object, const void *value, int order) {
  (void)order;
  const uint32_t enabled = mask_interrupts();
  __builtin_memcpy(object, value, size);
  restore_interrupts(enabled);
}

void atomic_exchange(size_t size, void *object, const void *value, void *result, int order) {
  (void)order;
  const uint32_t enabled = mask_interrupts();
  // The value and the result may be one object.
  for (size_t i = 0; i < size; ++i) {
    const char old = ((char *)object)[i];
    ((char *)object)[i] = ((const char *)value)[i];
    ((char *)result)[i] = old;
  }
  restore_interrupts(enabled);
}

bool atomic_compare_exchange(size_t size, void *object, void *expected, const void *desired,
                             int success, int failure) {
  (void)success;
  (void)failure;
  const uint32_t enabled = mask_interrupts();
  const bool equal = __builtin_memcmp(object, expected, size) == 0;
  if (equal)
    __builtin_memcpy(object, desired, size);
  else
    __builtin_memcpy(expected, object, size);
  restore_interrupts(enabled);
  return equal;
}

// Every operation ends in bounded time and works between main program and trap handlers.
bool atomic_is_lock_free(size_t size, const volatile void *object) {
  (void)object;
  return size <= 8;
}

uint64_t __atomic_load_8(const volatile void *object, int order) {
  (void)order;
  const uint32_t enabled = mask_interrupts();
  const uint64_t value = *(const volatile uint64_t *)object;
  restore_interrupts(enabled);
  return value;
}

void __atomic_store_8(volatile void *object, uint64_t value, int order) {
  (void)order;
  const uint32_t enabled = mask_interrupts();
  *(volatile uint64_t *)object = value;
  restore_interrupts(enabled);
}

bool __atomic_compare_exchange_8(volatile void *object, void *expected, uint64_t desired,
                                 int success, int failure) {
  (void)success;
  (void)failure;
  const uint32_t enabled = mask_interrupts();
  const uint64_t old = *(volatile uint64_t *)object;
  const bool equal = old == *(uint64_t *)expected;
  if (equal)
    *(volatile uint64_t *)object = desired;
  else
    *(uint64_t *)expected = old;
  restore_interrupts(enabled);
  return equal;
}

// Read, modify, write; the result is the old value.
#define NPU_ATOMIC_UPDATE_8(name, updated)                                                        \
  uint64_t name(volatile void *object, uint64_t value, int order) {                               \
    (void)order;                                                                                  \
    const uint32_t enabled = mask_interrupts();                                                   \
    const uint64_t old = *(volatile uint64_t *)object;                                            \
    *(volatile uint64_t *)object = (updated);                                                     \
    restore_interrupts(enabled);                                                                  \
    return old;                                                                                   \
  }

NPU_ATOMIC_UPDATE_8(__atomic_exchange_8, value)
NPU_ATOMIC_UPDATE_8(__atomic_fetch_add_8, old + value)
NPU_ATOMIC_UPDATE_8(__atomic_fetch_sub_8, old - value)
NPU_ATOMIC_UPDATE_8(__atomic_fetch_and_8, old & value)
NPU_ATOMIC_UPDATE_8(__atomic_fetch_or_8, old | value)
NPU_ATOMIC_UPDATE_8(__atomic_fetch_xor_8, old ^ value)
NPU_ATOMIC_UPDATE_8(__atomic_fetch_nand_8, ~(old & value))
