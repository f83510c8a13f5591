// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packs constants of transposed convolutions. Portable: no instruction of the NPU, any host.

#include "pack_steps.h"
#include "transpose_steps.h"

typedef struct phase_filter {
  const int8_t *weights;
  const npu_dims *dims;
  npu_tile stride, phase, taps;
} phase_filter;

// The taps of a phase run against those of the filter.
static int32_t phase_weight(const void *self, int32_t output, int32_t tap, int32_t input) {
  const phase_filter *f = self;
  const int32_t ky = f->phase.h + f->stride.h * (f->taps.h - 1 - tap / f->taps.w);
  const int32_t kx = f->phase.w + f->stride.w * (f->taps.w - 1 - tap % f->taps.w);
  if (ky >= f->dims->h || kx >= f->dims->w)
    return 0;
  return f->weights[((output * f->dims->h + ky) * f->dims->w + kx) * f->dims->c + input];
}

uint32_t npu_transpose_conv_s8_get_packed_size(const npu_transpose_conv_params *params,
                                               const npu_dims *filter) {
  if (!npu_transpose_params_ok(params, filter))
    return 0;
  uint32_t bytes = 0;
  for (int32_t y = 0; y < params->stride.h; ++y)
    for (int32_t x = 0; x < params->stride.w; ++x) {
      const npu_phase py = npu_phase_of(y, params->stride.h, filter->h, params->padding.h);
      const npu_phase px = npu_phase_of(x, params->stride.w, filter->w, params->padding.w);
      const npu_conv_params conv = npu_phase_params(params, py, px);
      const npu_dims dims = {filter->n, py.taps, px.taps, filter->c};
      const uint32_t size = npu_conv_s8_get_packed_size(&dims, &conv);
      if (size == 0 || size > UINT32_MAX - bytes)
        return 0;
      bytes += size;
    }
  return bytes;
}

npu_status npu_transpose_conv_s8_pack(const npu_transpose_conv_params *params,
                                      const npu_per_channel_quant *quant,
                                      const npu_dims *filter_dims, const int8_t *filter,
                                      const int32_t *bias, void *packed) {
  if (npu_transpose_conv_s8_get_packed_size(params, filter_dims) == 0)
    return NPU_ERROR_ARGUMENT;
  for (int32_t channel = 0; channel < filter_dims->n; ++channel)
    if (quant->shift[channel] < -31 || quant->shift[channel] > 31)
      return NPU_ERROR_ARGUMENT;
  void *at = packed;
  for (int32_t y = 0; y < params->stride.h; ++y)
    for (int32_t x = 0; x < params->stride.w; ++x) {
      const npu_phase py = npu_phase_of(y, params->stride.h, filter_dims->h, params->padding.h);
      const npu_phase px = npu_phase_of(x, params->stride.w, filter_dims->w, params->padding.w);
      const npu_conv_params conv = npu_phase_params(params, py, px);
      const npu_dims dims = {filter_dims->n, py.taps, px.taps, filter_dims->c};
      const phase_filter f = {filter, filter_dims, params->stride, {y, x}, {py.taps, px.taps}};
      at = npu_pack_convolution(&conv, quant, &dims, phase_weight, &f, bias, at);
    }
  return NPU_OK;
}
