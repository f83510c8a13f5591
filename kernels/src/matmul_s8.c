// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 matrix multiplication from the scratchpad (npu/matmul.h): rows of lhs are the pixels, 16
// values along k a step, 16 columns of rhs a block. Two halves of the accumulators take turns.

#include "npu/matmul.h"

#include "conv_steps.h"
#include "npu/unit_errors.h"

static int in_range(int32_t value, int32_t low, int32_t high) {
  return value >= low && value <= high;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// The first step of the first tile, issued with as few instructions as possible: the array works on
// it while the core sets up the rest. It only reads lhs and packed, so nothing happens to out.
static inline npu_status first_step(const npu_matmul_params *params, const npu_matmul_dims *dims,
                                    const int8_t *lhs, const uint8_t *packed) {
  if (((uintptr_t)packed & 3) != 0)
    return NPU_ERROR_ARGUMENT;
  npu_mac_ldw(packed + NPU_TABLE_BYTES, NPU_STEP_ROWS);
  const uint32_t m = (uint32_t)dims->m, k = (uint32_t)dims->k, n = (uint32_t)dims->n;
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NXSTRIDE, params->lhs_stride != 0 ? (uint32_t)params->lhs_stride : k);
  if (((m - 1) | (k - 1) | (n - 1)) >> 16 != 0) {
    npu_fence(NPU_UNIT_MATRIX);
    return NPU_ERROR_ARGUMENT;
  }
  npu_mac_run(lhs, npu_mac_run_ctl(0, smaller(m, NPU_RUN_PIXELS), smaller(k, NPU_STEP_ROWS), 0,
                                   NPU_MAC_SWAP));
  return NPU_OK;
}

// Everything behind the first step.
static __attribute__((noinline)) npu_status other_steps(const npu_matmul_params *params,
                                                        const npu_matmul_dims *dims,
                                                        const int8_t *lhs, const uint8_t *packed,
                                                        int8_t *out, uint32_t *ticket) {
  const uint32_t k = (uint32_t)dims->k, n = (uint32_t)dims->n, m = (uint32_t)dims->m;
  const uint32_t lhs_stride = params->lhs_stride != 0 ? (uint32_t)params->lhs_stride : k;
  const uint32_t out_stride = params->out_stride != 0 ? (uint32_t)params->out_stride : n;
  const uint32_t first = smaller(k, NPU_STEP_ROWS);
  const uint8_t *at = packed + NPU_TABLE_BYTES + NPU_STEP_BYTES;
  const int8_t *from = lhs + first;
  uint32_t left = k - first, flags = NPU_MAC_SWAP | NPU_MAC_ACC;
  uint32_t rows = smaller(m, NPU_RUN_PIXELS);
  if (left >= NPU_STEP_ROWS) { // the array is not to wait for the rest of the setup
    npu_mac_ldw(at, NPU_STEP_ROWS);
    npu_mac_run(from, npu_mac_run_ctl(0, rows, NPU_STEP_ROWS, 0, flags));
    at += NPU_STEP_BYTES;
    from += NPU_STEP_ROWS;
    left -= NPU_STEP_ROWS;
  }

  const int ok = (params->lhs_stride == 0 || params->lhs_stride >= dims->k) &&
                 (params->out_stride == 0 || params->out_stride >= dims->n) &&
                 in_range(params->output_offset, -128, 127) &&
                 in_range(params->activation_min, -128, 127) &&
                 in_range(params->activation_max, params->activation_min, 127);
  if (!ok) {
    npu_fence(NPU_UNIT_MATRIX);
    return NPU_ERROR_ARGUMENT;
  }
  npu_csr_write(NPU_CSR_NOXSTRIDE, out_stride);
  npu_csr_write(NPU_CSR_NOQUANT,
                npu_oquant(params->output_offset, params->activation_min, params->activation_max));
  npu_ticket_t last = 0;
  uint32_t half = 0;
  for (uint32_t row = 0;;) {
    const uint8_t *table = packed;
    for (uint32_t column = 0;;) {
      const uint32_t ctl = npu_mac_run_ctl(half, rows, 0, 0, 0);
#pragma clang loop unroll(disable)
      for (; left >= NPU_STEP_ROWS; left -= NPU_STEP_ROWS) {
        npu_mac_ldw(at, NPU_STEP_ROWS);
        npu_mac_run(from, ctl | flags | npu_mac_run_ctl(0, 0, NPU_STEP_ROWS, 0, 0));
        flags |= NPU_MAC_ACC;
        at += NPU_STEP_BYTES;
        from += NPU_STEP_ROWS;
      }
      if (left != 0) {
        npu_mac_ldw(at, left);
        npu_mac_run(from, ctl | flags | npu_mac_run_ctl(0, 0, left, 0, 0));
        at += NPU_STEP_BYTES;
      }
      // Behind the runs: the array does not wait for the table.
      npu_mac_ldq(table);
      const uint32_t columns = smaller(n - column, NPU_BLOCK_CHANNELS);
      last = npu_mac_drain(out + column, npu_mac_drain_ctl(half, rows, columns, 0));
      half ^= NPU_RUN_PIXELS;
      column += NPU_BLOCK_CHANNELS;
      table = at;
      at += NPU_TABLE_BYTES;
      from = lhs;
      left = k;
      flags = NPU_MAC_SWAP;
      if (column >= n)
        break;
    }
    row += NPU_RUN_PIXELS;
    if (row >= m)
      break;
    rows = smaller(m - row, NPU_RUN_PIXELS);
    lhs += NPU_RUN_PIXELS * lhs_stride;
    out += NPU_RUN_PIXELS * out_stride;
    at = packed + NPU_TABLE_BYTES;
    from = lhs;
  }
  *ticket = last;
  return NPU_OK;
}

npu_status npu_matmul_s8_start(const npu_matmul_params *params, const npu_matmul_dims *dims,
                               const int8_t *lhs, const void *packed, int8_t *out,
                               uint32_t *ticket) {
  const npu_status status = first_step(params, dims, lhs, packed);
  return status != NPU_OK ? status : other_steps(params, dims, lhs, packed, out, ticket);
}

npu_status npu_matmul_s8(const npu_matmul_params *params, const npu_matmul_dims *dims,
                         const int8_t *lhs, const void *packed, int8_t *out) {
  npu_unit_errors_clear(NPU_MATRIX_ERRORS);
  npu_status status = first_step(params, dims, lhs, packed);
  if (status != NPU_OK)
    return status;
  uint32_t ticket;
  status = other_steps(params, dims, lhs, packed, out, &ticket);
  if (status != NPU_OK)
    return status;
  npu_wait(ticket);
  return npu_unit_status(NPU_MATRIX_ERRORS);
}
