// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated kernels that a program links. npu-kgen writes a record beside each kernel; the linker
// script collects those of each kind of layer between two symbols. The library's operators
// (npu_conv_s8, npu_conv_s4 and what is made of them, npu_depthwise_conv_s8, npu_fully_connected_*)
// call the kernel whose record is that of the problem in hand and otherwise their own. Both take the
// same packed constants and give the same bytes.

#ifndef NPU_GENERATED_H
#define NPU_GENERATED_H

#include "conv_plan.h"
#include "depthwise_plan.h"
#include "fully_connected_plan.h"

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

// For a kind of layer:
//   npu_generated_KIND            a record: a problem, whose scratch_bytes are what the kernel needs,
//                                 and the kernel
//   NPU_GENERATED(KIND)           puts a record into the table:
//                                 NPU_GENERATED(conv) static const npu_generated_conv ... = {...};
//   __start_npu_generated_KIND    the table; without the linker script that collects it, and without
//   __stop_npu_generated_KIND     a record, both are null
//   npu_find_generated_KIND       the kernel for the problem, with the scratch_bytes at hand; null if
//                                 there is none. The members of a problem are 32 bits each, the last
//                                 one scratch_bytes.
#define NPU_GENERATED(kind) __attribute__((section("npu_generated_" #kind), used, retain))
#define NPU_GENERATED_KIND(kind, element)                                                          \
  typedef struct npu_generated_##kind {                                                            \
    npu_##kind##_problem problem;                                                                  \
    npu_status (*run)(const npu_context *context, const element *input, const void *packed,        \
                      element *output);                                                            \
  } npu_generated_##kind;                                                                          \
  extern const npu_generated_##kind __start_npu_generated_##kind[] __attribute__((weak));          \
  extern const npu_generated_##kind __stop_npu_generated_##kind[] __attribute__((weak));           \
  static inline const npu_generated_##kind *npu_find_generated_##kind(                             \
      const npu_##kind##_problem *problem) {                                                       \
    for (const npu_generated_##kind *k = __start_npu_generated_##kind;                             \
         k != __stop_npu_generated_##kind; ++k)                                                    \
      if (k->problem.scratch_bytes <= problem->scratch_bytes &&                                    \
          memcmp(&k->problem, problem, offsetof(npu_##kind##_problem, scratch_bytes)) == 0)        \
        return k;                                                                                  \
    return 0;                                                                                      \
  }

NPU_GENERATED_KIND(conv, int8_t)
NPU_GENERATED_KIND(dw, int8_t)
NPU_GENERATED_KIND(fc, void)

#ifdef __cplusplus
}
#endif

#endif // NPU_GENERATED_H
