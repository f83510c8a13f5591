// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generated kernels that a program links. npu-kgen writes a record beside each kernel; the linker
// script collects them between two symbols. npu_conv_s8, npu_conv_s4 and what is made of them
// (npu_matmul_s8_dram) call the kernel whose record is that of the problem in hand and otherwise
// their own. Both take the same packed constants and give the same bytes.

#ifndef NPU_GENERATED_H
#define NPU_GENERATED_H

#include "conv_plan.h"

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_generated_conv {
  npu_conv_problem problem; // scratch_bytes: what the kernel needs
  npu_status (*run)(const npu_context *context, const int8_t *input, const void *packed,
                    int8_t *output);
} npu_generated_conv;

// Puts a record into the table: NPU_GENERATED_CONV static const npu_generated_conv ... = {...};
#define NPU_GENERATED_CONV __attribute__((section("npu_generated_conv"), used, retain))

// The table. With a linker script that does not collect it and no record both are null.
extern const npu_generated_conv __start_npu_generated_conv[] __attribute__((weak));
extern const npu_generated_conv __stop_npu_generated_conv[] __attribute__((weak));

// The kernel for the problem, of one group or more and with the scratch_bytes at hand; null if
// there is none.
static inline const npu_generated_conv *npu_find_generated_conv(const npu_conv_problem *problem) {
  const size_t fields =
      offsetof(npu_conv_problem, scratch_bytes); // int32 all, the last one behind them
  for (const npu_generated_conv *k = __start_npu_generated_conv; k != __stop_npu_generated_conv;
       ++k)
    if (k->problem.scratch_bytes <= problem->scratch_bytes &&
        memcmp(&k->problem, problem, fields) == 0)
      return k;
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif // NPU_GENERATED_H
