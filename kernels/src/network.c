// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/network.h"

// SaturatingRoundingDoublingHighMul of TFLite; no operand here is -2^31.
static int32_t doubling_high_multiply(int32_t a, int32_t b) {
  const int64_t product = (int64_t)a * b;
  return (int32_t)((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) / ((int64_t)1 << 31));
}

// gemmlowp's one_over_one_plus_x_for_x_in_0_1: x and the result have 31 fractional bits. The quotient is
// refined by Newton's method with two integer bits.
static int32_t reciprocal_of_one_plus(int32_t x) {
  enum { ONE = 1 << 29, STEPS = 3 };
  const int32_t half = (int32_t)(((int64_t)x + INT32_MAX + 1) / 2);
  int32_t quotient = 1515870810 + doubling_high_multiply(half, -1010580540);
  for (int i = 0; i < STEPS; ++i) {
    const int32_t error = ONE - doubling_high_multiply(half, quotient);
    quotient += doubling_high_multiply(quotient, error) << 2;
  }
  return quotient > (1 << 30) - 1 ? INT32_MAX : quotient << 1;
}

void npu_net_softmax(const int32_t *exponentials, const int8_t *in, int32_t count, int8_t *out) {
  enum { SUM_INTEGER_BITS = 12, LANES = 16 };
  npu_int8x64_t most = npu_v_bcast_b(-128);
  for (int32_t i = 0; i < count; i += 64) {
    const uint32_t lanes = (uint32_t)(count - i);
    most = npu_v_max(most, npu_v_sel(npu_v_lanes_b(0, lanes), npu_v_ldl_b(in + i, lanes), npu_v_bcast_b(-128)));
  }
  const int32_t *const table = exponentials + npu_v_redmax(most);
  int32_t sum = 0;
  npu_int32x16_t last;
  for (int32_t first = 0; first < count; first += LANES) {
    const int32_t lanes = count - first < LANES ? count - first : LANES;
    int32_t values[LANES] = {0};
#pragma clang loop vectorize(disable) unroll(disable)
    for (int32_t i = 0; i < lanes; ++i)
      values[i] = table[-in[first + i]];
    last = npu_v_ld_w(values);
    sum += npu_v_redsum(npu_v_rdpot(last, npu_v_bcast_w(SUM_INTEGER_BITS)));
  }
  const int32_t zeros = __builtin_clz((uint32_t)sum);
  const int32_t scale = reciprocal_of_one_plus((int32_t)(((uint32_t)sum << zeros) - (1u << 31)));
  const npu_int32x16_t shift = npu_v_bcast_w(SUM_INTEGER_BITS - zeros + 31 - 8);
  for (int32_t first = 0; first < count; first += LANES) {
    const int32_t lanes = count - first < LANES ? count - first : LANES;
    if (count > LANES) {
      int32_t values[LANES] = {0};
#pragma clang loop vectorize(disable) unroll(disable)
      for (int32_t i = 0; i < lanes; ++i)
        values[i] = table[-in[first + i]];
      last = npu_v_ld_w(values);
    }
    npu_v_stl_wbs(npu_v_rdpot(npu_v_dmulh(last, npu_v_bcast_w(scale)), shift) - 128, out + first,
                  (uint32_t)lanes);
  }
}

npu_status npu_net_failed(const npu_dma_descriptor *loads, const uint16_t *layers_of_loads, int32_t count,
                          const npu_net_layer *layers, int32_t layer, const char **failed) {
  npu_fence(NPU_UNIT_ALL);
  const uint32_t errors = npu_csr_read(NPU_CSR_NSTATUS);
  const uint32_t transfers = errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR);
  *failed = layers[layer].name;
  if (transfers == 0)
    return NPU_ERROR_MATRIX_UNIT;
  const uint32_t fault =
      (transfers & NPU_STATUS_DMA0_ERROR) != 0 ? npu_csr_read(NPU_CSR_NFAULT0) : npu_csr_read(NPU_CSR_NFAULT1);
  for (int32_t i = 0; i < count; ++i)
    if (fault - loads[i].src < loads[i].len)
      *failed = layers[layers_of_loads[i]].name;
  return NPU_ERROR_TRANSFER;
}
