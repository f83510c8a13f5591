// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the units report in nstatus (manual, chapter 2), as an operator's status. The bits stay set
// until they are cleared, so an operator clears those of the units that it uses when it begins,
// looks at them now and then, since a failed layer need not go on, and returns npu_unit_status when
// it has waited for what it started. `units` are NPU_STATUS_* bits.

#ifndef NPU_UNIT_ERRORS_H
#define NPU_UNIT_ERRORS_H

#include "nn_types.h"

#include <npu_intrinsics.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPU_TRANSFER_ERRORS (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)
#define NPU_MATRIX_ERRORS (NPU_STATUS_ARRAY_ERROR | NPU_STATUS_DRAIN_ERROR)

static inline void npu_unit_errors_clear(uint32_t units) {
  npu_csr_write(NPU_CSR_NSTATUS, units);
}

// The bits of the errors since then; 0 if there was none.
static inline uint32_t npu_unit_errors(uint32_t units) {
  return npu_csr_read(NPU_CSR_NSTATUS) & units;
}

// After an error, returns when nothing is under way any more: what was started for later may still
// use the operator's memory.
static inline npu_status npu_unit_status(uint32_t units) {
  const uint32_t errors = npu_unit_errors(units);
  if (errors == 0)
    return NPU_OK;
  npu_fence(NPU_UNIT_DMA0 | NPU_UNIT_DMA1 | NPU_UNIT_MATRIX);
  return (errors & NPU_TRANSFER_ERRORS) != 0 ? NPU_ERROR_TRANSFER : NPU_ERROR_MATRIX_UNIT;
}

#ifdef __cplusplus
}
#endif

#endif // NPU_UNIT_ERRORS_H
