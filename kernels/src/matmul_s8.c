// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 matrix multiplication from the scratchpad (npu/matmul.h): rows of lhs are the pixels, 16 values
// along k a step, 16 columns of rhs a block. Two halves of the accumulators take turns.

#include "npu/matmul.h"

#include "conv_steps.h"

#include <npu_intrinsics.h>

static int in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

npu_status npu_matmul_s8_start(const npu_matmul_params *params, const npu_matmul_dims *dims,
                               const int8_t *lhs, const void *packed, int8_t *out,
                               uint32_t *ticket) {
  const int ok = in_range(dims->m, 1, 65535) && in_range(dims->k, 1, 65535) &&
                 in_range(dims->n, 1, 65535) && ((uintptr_t)packed & 3) == 0 &&
                 (params->lhs_stride == 0 || params->lhs_stride >= dims->k) &&
                 (params->out_stride == 0 || params->out_stride >= dims->n) &&
                 in_range(params->output_offset, -128, 127) &&
                 in_range(params->activation_min, -128, 127) &&
                 in_range(params->activation_max, params->activation_min, 127);
  if (!ok)
    return NPU_ERROR_ARGUMENT;

  const uint32_t k = (uint32_t)dims->k, n = (uint32_t)dims->n, m = (uint32_t)dims->m;
  const uint32_t lhs_stride = params->lhs_stride != 0 ? (uint32_t)params->lhs_stride : k;
  const uint32_t out_stride = params->out_stride != 0 ? (uint32_t)params->out_stride : n;
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NXSTRIDE, lhs_stride);
  npu_csr_write(NPU_CSR_NOXSTRIDE, out_stride);
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(params->output_offset, params->activation_min,
                                                      params->activation_max));
  npu_ticket_t last = 0;
  uint32_t half = 0;
  for (uint32_t row = 0; row < m; row += NPU_RUN_PIXELS) {
    const uint32_t rows = m - row < NPU_RUN_PIXELS ? m - row : NPU_RUN_PIXELS;
    const uint8_t *at = packed;
    for (uint32_t column = 0; column < n; column += NPU_BLOCK_CHANNELS) {
      const uint8_t *const table = at;
      at += NPU_TABLE_BYTES;
      const int8_t *from = lhs + row * lhs_stride;
      uint32_t ctl = npu_mac_run_ctl(half, rows, NPU_STEP_ROWS, 0, NPU_MAC_SWAP);
      uint32_t left = k;
      for (; left > NPU_STEP_ROWS; left -= NPU_STEP_ROWS) {
        npu_mac_ldw(at, NPU_STEP_ROWS);
        npu_mac_run(from, ctl);
        ctl |= NPU_MAC_ACC;
        at += NPU_STEP_BYTES;
        from += NPU_STEP_ROWS;
      }
      const uint32_t acc = ctl & NPU_MAC_ACC;
      npu_mac_ldw(at, left);
      npu_mac_run(from, npu_mac_run_ctl(half, rows, left, 0, NPU_MAC_SWAP | acc));
      at += NPU_STEP_BYTES;

      // Behind the runs: the array does not wait for the table.
      npu_mac_ldq(table);
      const uint32_t columns = n - column < NPU_BLOCK_CHANNELS ? n - column : NPU_BLOCK_CHANNELS;
      last = npu_mac_drain(out + row * out_stride + column, npu_mac_drain_ctl(half, rows, columns, 0));
      half ^= NPU_RUN_PIXELS;
    }
  }
  *ticket = last;
  return NPU_OK;
}

npu_status npu_matmul_s8(const npu_matmul_params *params, const npu_matmul_dims *dims,
                         const int8_t *lhs, const void *packed, int8_t *out) {
  const uint32_t errors_of_unit = NPU_STATUS_ARRAY_ERROR | NPU_STATUS_DRAIN_ERROR;
  npu_csr_write(NPU_CSR_NSTATUS, errors_of_unit);
  uint32_t ticket;
  const npu_status status = npu_matmul_s8_start(params, dims, lhs, packed, out, &ticket);
  if (status != NPU_OK)
    return status;
  npu_wait(ticket);
  return (npu_csr_read(NPU_CSR_NSTATUS) & errors_of_unit) != 0 ? NPU_ERROR_MATRIX_UNIT : NPU_OK;
}
