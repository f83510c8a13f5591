// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations that the compiler does not expand in place: eight bytes, and objects of
// any size; and up to four bytes for objects of compilers that call these, too. The NPU has one
// hart, so an operation is atomic when no interrupt is taken inside; the memory order is always
// sequentially consistent.

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

// The operations of the sizes that the compiler knows, on objects that are aligned as it assumes.
bool atomic_is_lock_free(size_t size, const volatile void *object) {
  return size == 1 || ((size == 2 || size == 4 || size == 8) && (uintptr_t)object % size == 0);
}

// Read, modify, write; the result is the old value.
#define NPU_ATOMIC_UPDATE(name, type, updated)                                                    \
  type name(volatile void *object, type value, int order) {                                       \
    (void)order;                                                                                  \
    const uint32_t enabled = mask_interrupts();                                                   \
    const type old = *(volatile type *)object;                                                    \
    *(volatile type *)object = (type)(updated);                                                   \
    restore_interrupts(enabled);                                                                  \
    return old;                                                                                   \
  }

#define NPU_ATOMICS(bytes, type)                                                                  \
  type __atomic_load_##bytes(const volatile void *object, int order) {                            \
    (void)order;                                                                                  \
    const uint32_t enabled = mask_interrupts();                                                   \
    const type value = *(const volatile type *)object;                                            \
    restore_interrupts(enabled);                                                                  \
    return value;                                                                                 \
  }                                                                                               \
  void __atomic_store_##bytes(volatile void *object, type value, int order) {                     \
    (void)order;                                                                                  \
    const uint32_t enabled = mask_interrupts();                                                   \
    *(volatile type *)object = value;                                                             \
    restore_interrupts(enabled);                                                                  \
  }                                                                                               \
  bool __atomic_compare_exchange_##bytes(volatile void *object, void *expected, type desired,     \
                                         int success, int failure) {                              \
    (void)success;                                                                                \
    (void)failure;                                                                                \
    const uint32_t enabled = mask_interrupts();                                                   \
    const type old = *(volatile type *)object;                                                    \
    const bool equal = old == *(type *)expected;                                                  \
    if (equal)                                                                                    \
      *(volatile type *)object = desired;                                                         \
    else                                                                                          \
      *(type *)expected = old;                                                                    \
    restore_interrupts(enabled);                                                                  \
    return equal;                                                                                 \
  }                                                                                               \
  NPU_ATOMIC_UPDATE(__atomic_exchange_##bytes, type, value)                                       \
  NPU_ATOMIC_UPDATE(__atomic_fetch_add_##bytes, type, old + value)                                \
  NPU_ATOMIC_UPDATE(__atomic_fetch_sub_##bytes, type, old - value)                                \
  NPU_ATOMIC_UPDATE(__atomic_fetch_and_##bytes, type, old & value)                                \
  NPU_ATOMIC_UPDATE(__atomic_fetch_or_##bytes, type, old | value)                                 \
  NPU_ATOMIC_UPDATE(__atomic_fetch_xor_##bytes, type, old ^ value)                                \
  NPU_ATOMIC_UPDATE(__atomic_fetch_nand_##bytes, type, ~(old & value))

NPU_ATOMICS(1, uint8_t)
NPU_ATOMICS(2, uint16_t)
NPU_ATOMICS(4, uint32_t)
NPU_ATOMICS(8, uint64_t)
