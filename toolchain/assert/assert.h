// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assertions that stay on under NDEBUG. The layout of some LLVM classes depends on NDEBUG, so
// that the target has to be compiled with it, as the stock archives were; this header, which
// comes before the system's, keeps the checks.

#undef assert

extern "C" [[noreturn]] void __assert_fail(const char *, const char *, unsigned,
                                           const char *) noexcept(true);

#define assert(condition)                                                                \
  (static_cast<bool>(condition)                                                          \
       ? void(0)                                                                         \
       : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
