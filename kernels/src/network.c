// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/network.h"
#include "npu/scale.h"

// gemmlowp's one_over_one_plus_x_for_x_in_0_1: x and the result have 31 fractional bits. The
// quotient is refined by Newton's method with two integer bits. All lanes are alike: vectors have
// the instructions.
static npu_int32x16_t reciprocal_of_one_plus(int32_t x) {
  enum { ONE = 1 << 29, STEPS = 3 };
  const npu_int32x16_t half = npu_v_bcast_w((int32_t)(((int64_t)x + INT32_MAX + 1) / 2));
  npu_int32x16_t quotient = npu_v_dmulh(half, npu_v_bcast_w(-1010580540)) + 1515870810;
  for (int i = 0; i < STEPS; ++i)
    quotient += npu_v_dmulh(quotient, ONE - npu_v_dmulh(half, quotient)) << 2;
  return npu_v_ssll(quotient, npu_v_bcast_w(1));
}

// Exponentials of up to 16 inputs, 0 in the other lanes. planes: byte 0 of all 256 entries, byte 1,
// ...
static inline npu_int32x16_t exponentials_of(const npu_int8x64_t *planes, int32_t most,
                                             const int8_t *in, uint32_t lanes) {
  const npu_uint8x64_t below = (npu_uint8x64_t)(npu_v_bcast_b(most) - npu_v_ldl_b(in, lanes));
  const npu_int8x64_t low =
      npu_v_ziplo(npu_v_lookup(below, planes), npu_v_lookup(below, planes + 4));
  const npu_int8x64_t high =
      npu_v_ziplo(npu_v_lookup(below, planes + 8), npu_v_lookup(below, planes + 12));
  const npu_int32x16_t all = (npu_int32x16_t)npu_v_ziplo((npu_int16x32_t)low, (npu_int16x32_t)high);
  return npu_v_sel(npu_v_lanes_w(0, lanes), all, npu_v_bcast_w(0));
}

void npu_net_softmax(const npu_int8x64_t *planes, const int8_t *in, int32_t count, int8_t *out) {
  enum { SUM_INTEGER_BITS = 12, LANES = 16 };
  npu_int8x64_t high = npu_v_bcast_b(-128);
  for (int32_t i = 0; i < count; i += 64) {
    const uint32_t lanes = (uint32_t)(count - i);
    high = npu_v_max(
        high, npu_v_sel(npu_v_lanes_b(0, lanes), npu_v_ldl_b(in + i, lanes), npu_v_bcast_b(-128)));
  }
  const int32_t most = npu_v_redmax(high);
  npu_int32x16_t values = npu_v_bcast_w(0), sums = values;
  for (int32_t first = 0; first < count; first += LANES) {
    values = exponentials_of(planes, most, in + first, (uint32_t)(count - first));
    sums += npu_v_rdpot(values, npu_v_bcast_w(SUM_INTEGER_BITS));
  }
  const int32_t sum = npu_v_redsum(sums);
  const int32_t zeros = __builtin_clz((uint32_t)sum);
  const npu_int32x16_t scale =
      reciprocal_of_one_plus((int32_t)(((uint32_t)sum << zeros) - (1u << 31)));
  const npu_int32x16_t shift = npu_v_bcast_w(SUM_INTEGER_BITS - zeros + 31 - 8);
  for (int32_t first = 0; first < count; first += LANES) {
    const uint32_t lanes = (uint32_t)(count - first);
    if (count > LANES)
      values = exponentials_of(planes, most, in + first, lanes);
    npu_v_stl_wbs(npu_v_rdpot(npu_v_dmulh(values, scale), shift) - 128, out + first, lanes);
  }
}

npu_int32x16_t npu_net_dense_scaled(npu_int32x16_t sums, const uint64_t *scales, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    npu_scale scale;
    npu_scale_from(&scales[n], 0, &scale);
    sums[n] = npu_scale_sum(scale, sums[n]);
  }
  return sums;
}

npu_status npu_net_failed(const npu_dma_descriptor *loads, const uint16_t *layers_of_loads,
                          int32_t count, const npu_net_layer *layers, int32_t layer,
                          const char **failed) {
  npu_fence(NPU_UNIT_ALL);
  const uint32_t transfers = npu_unit_errors(NPU_TRANSFER_ERRORS);
  *failed = layers[layer].name;
  if (transfers == 0)
    return NPU_ERROR_MATRIX_UNIT;
  const uint32_t fault = (transfers & NPU_STATUS_DMA0_ERROR) != 0 ? npu_csr_read(NPU_CSR_NFAULT0)
                                                                  : npu_csr_read(NPU_CSR_NFAULT1);
  for (int32_t i = 0; i < count; ++i)
    if (fault - loads[i].src < loads[i].len)
      *failed = layers[layers_of_loads[i]].name;
  return NPU_ERROR_TRANSFER;
}
