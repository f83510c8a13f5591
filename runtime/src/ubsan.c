// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What -fsanitize=undefined -fsanitize-minimal-runtime calls: a line on standard error for each
// place in the program, at most PLACES of them; with -fno-sanitize-recover the first one ends it.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 32, STANDARD_ERROR = 2 };

static uint32_t places[PLACES];
static unsigned count;

static void report(const char *kind, uint32_t place) {
  for (unsigned i = 0; i < count; ++i)
    if (places[i] == place)
      return;
  if (count == PLACES)
    return;
  places[count++] = place;

  char line[64] = "ubsan: ";
  size_t length = 7;
  const size_t kind_length = strlen(kind);
  memcpy(line + length, kind, kind_length);
  length += kind_length;
  memcpy(line + length, " at 0x", 6);
  length += 6;
  for (int shift = 28; shift >= 0; shift -= 4)
    line[length++] = "0123456789abcdef"[place >> shift & 15];
  line[length++] = '\n';
  write(STANDARD_ERROR, line, length);
}

#define RECOVERING(name, kind)                                                                     \
  void __ubsan_handle_##name##_minimal(void);                                                      \
  void __ubsan_handle_##name##_minimal(void) {                                                     \
    report(kind, (uint32_t)__builtin_return_address(0));                                           \
  }
#define ENDING(name, kind)                                                                         \
  _Noreturn void __ubsan_handle_##name##_minimal_abort(void);                                      \
  _Noreturn void __ubsan_handle_##name##_minimal_abort(void) {                                     \
    report(kind, (uint32_t)__builtin_return_address(0));                                           \
    abort();                                                                                       \
  }
#define HANDLER(name, kind) RECOVERING(name, kind) ENDING(name, kind)

HANDLER(type_mismatch, "type-mismatch")
HANDLER(alignment_assumption, "alignment-assumption")
HANDLER(add_overflow, "add-overflow")
HANDLER(sub_overflow, "sub-overflow")
HANDLER(mul_overflow, "mul-overflow")
HANDLER(negate_overflow, "negate-overflow")
HANDLER(divrem_overflow, "divrem-overflow")
HANDLER(shift_out_of_bounds, "shift-out-of-bounds")
HANDLER(out_of_bounds, "out-of-bounds")
HANDLER(local_out_of_bounds, "local-out-of-bounds")
RECOVERING(builtin_unreachable, "builtin-unreachable")
RECOVERING(missing_return, "missing-return")
HANDLER(vla_bound_not_positive, "vla-bound-not-positive")
HANDLER(float_cast_overflow, "float-cast-overflow")
HANDLER(load_invalid_value, "load-invalid-value")
HANDLER(invalid_builtin, "invalid-builtin")
HANDLER(function_type_mismatch, "function-type-mismatch")
HANDLER(implicit_conversion, "implicit-conversion")
HANDLER(nonnull_arg, "nonnull-arg")
HANDLER(nonnull_return, "nonnull-return")
HANDLER(nullability_arg, "nullability-arg")
HANDLER(nullability_return, "nullability-return")
HANDLER(pointer_overflow, "pointer-overflow")
HANDLER(cfi_check_fail, "cfi-check-fail")
