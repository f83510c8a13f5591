// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What C++ code calls without a C++ library: new and delete over malloc, guards of local statics (one
// hart: no lock), ends of thread-local objects, calls of pure virtual functions. No exceptions: memory that
// runs out ends the program.

#include <stdint.h>
#include <stdlib.h>

using size = decltype(sizeof 0);

static void *allocate(size bytes) { return malloc(bytes == 0 ? 1 : bytes); }

static void *allocate_aligned(size bytes, size alignment) {
  const size rounded = (bytes + alignment - 1) / alignment * alignment;
  return aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
}

static void *check(void *memory) {
  if (memory == nullptr)
    abort();
  return memory;
}

namespace std {
enum class align_val_t : size {};
struct nothrow_t {
  explicit nothrow_t() = default;
};
extern const nothrow_t nothrow;
[[gnu::weak]] const nothrow_t nothrow{}; // libc++ has one, too
}

void *operator new(size bytes) { return check(allocate(bytes)); }
void *operator new[](size bytes) { return check(allocate(bytes)); }
void *operator new(size bytes, std::align_val_t to) { return check(allocate_aligned(bytes, size(to))); }
void *operator new[](size bytes, std::align_val_t to) { return check(allocate_aligned(bytes, size(to))); }
// These tell the program.
void *operator new(size bytes, const std::nothrow_t &) noexcept { return allocate(bytes); }
void *operator new[](size bytes, const std::nothrow_t &) noexcept { return allocate(bytes); }
void *operator new(size bytes, std::align_val_t to, const std::nothrow_t &) noexcept {
  return allocate_aligned(bytes, size(to));
}
void *operator new[](size bytes, std::align_val_t to, const std::nothrow_t &) noexcept {
  return allocate_aligned(bytes, size(to));
}
void operator delete(void *memory) noexcept { free(memory); }
void operator delete[](void *memory) noexcept { free(memory); }
void operator delete(void *memory, size) noexcept { free(memory); }
void operator delete[](void *memory, size) noexcept { free(memory); }
void operator delete(void *memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void *memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void *memory, size, std::align_val_t) noexcept { free(memory); }
void operator delete[](void *memory, size, std::align_val_t) noexcept { free(memory); }

extern "C" {

// The first byte of a guard says whether its object is constructed.
int __cxa_guard_acquire(uint64_t *guard) { return *reinterpret_cast<uint8_t *>(guard) == 0; }
void __cxa_guard_release(uint64_t *guard) { *reinterpret_cast<uint8_t *>(guard) = 1; }
void __cxa_guard_abort(uint64_t *) {}

// Thread-local objects are destroyed with the program: its one thread ends then.
int __cxa_atexit(void (*destroy)(void *), void *object, void *library);
int __cxa_thread_atexit(void (*destroy)(void *), void *object, void *library) {
  return __cxa_atexit(destroy, object, library);
}

[[noreturn]] void __cxa_pure_virtual() { abort(); }
[[noreturn]] void __cxa_deleted_virtual() { abort(); }
}
