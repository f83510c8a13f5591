// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random layers with weights for fuzz_arguments.c.

#include "fuzz_arguments.h"

#include <string.h>

#define below fuzz_below
#define range fuzz_range

static int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}

static npu_tile tile(int32_t low, int32_t high) {
  return (npu_tile){range(low, high), range(low, high)};
}

static _Alignas(64) uint8_t scratch[64 << 10];
static NPU_DRAM_BSS int8_t convolved[AREA], separate[AREA];

void fuzz_conv(int kind) {
  struct {
    npu_dims in, filter, out;
    npu_conv_params p;
    npu_dims pool, pooled;
    npu_pool_params pool_params;
    npu_add_params add;
  } v = {0};
  const int wide = kind == FUZZ_conv_s16;
  // Pooling takes no line of the convolution that lies wholly above or below the image.
  const int pools = kind >= FUZZ_conv_max_pool_s8;
  const int32_t behind = pools ? 1 : 3;
  do {
    const int32_t groups = wide || below(3) ? 1 : range(1, 4);
    v.filter = (npu_dims){groups * range(1, 24), range(1, 5), range(1, 5), range(1, 40)};
    v.in = fuzz_image(14, 1);
    v.in.c = v.filter.c * groups;
    v.p = (npu_conv_params){.stride = tile(1, 3),
                            .padding = tile(0, 2),
                            .dilation = tile(1, 2),
                            .groups = groups,
                            .activation_min = wide ? INT16_MIN : INT8_MIN,
                            .activation_max = wide ? INT16_MAX : INT8_MAX};
    if (!wide) {
      v.p.input_offset = range(-127, 128);
      v.p.output_offset = range(-128, 127);
    }
    if (pools)
      v.p.padding = (npu_tile){below(min(v.filter.h, 3)), below(min(v.filter.w, 3))};
    v.out = (npu_dims){v.in.n,
                       fuzz_outputs(v.in.h, v.filter.h, v.p.stride.h, v.p.dilation.h,
                                    v.p.padding.h + below(behind)),
                       fuzz_outputs(v.in.w, v.filter.w, v.p.stride.w, v.p.dilation.w,
                                    v.p.padding.w + below(behind)),
                       v.filter.n};
    v.pool = (npu_dims){1, range(1, 3), range(1, 3), 1};
    v.pool_params = (npu_pool_params){.stride = tile(1, 3),
                                      .padding = {below(v.pool.h), below(v.pool.w)},
                                      .activation_min = INT8_MIN,
                                      .activation_max = INT8_MAX};
    v.pooled = (npu_dims){
        v.in.n, fuzz_outputs(v.out.h, v.pool.h, v.pool_params.stride.h, 1, v.pool_params.padding.h),
        fuzz_outputs(v.out.w, v.pool.w, v.pool_params.stride.w, 1, v.pool_params.padding.w),
        v.filter.n};
    v.add = (npu_add_params){1, 2, 3, 1 << 30, 1 << 30, 1 << 30, 0, 0, -18, INT8_MIN, INT8_MAX};
  } while (v.out.h < 1 || v.out.w < 1 || v.pooled.h < 1 || v.pooled.w < 1);
  fuzz_damage(&v, kind <= FUZZ_conv_s16 ? 3 * sizeof(npu_dims) + sizeof v.p : sizeof v);
  uint32_t packed, needed;
  switch (kind) {
  case FUZZ_conv_s16:
    packed = npu_conv_s16_get_packed_size(&v.filter, &v.p);
    needed = npu_conv_s16_get_buffer_size(&v.p, &v.in, &v.filter, &v.out);
    break;
  case FUZZ_conv_s4:
    packed = npu_conv_s4_get_packed_size(&v.filter, &v.p);
    needed = npu_conv_s4_get_buffer_size(&v.p, &v.in, &v.filter, &v.out);
    break;
  default:
    packed = npu_conv_s8_get_packed_size(&v.filter, &v.p);
    needed = kind == FUZZ_conv_s8 ? npu_conv_s8_get_buffer_size(&v.p, &v.in, &v.filter, &v.out)
             : kind == FUZZ_conv_add_s8
                 ? npu_conv_add_s8_get_buffer_size(&v.p, &v.in, &v.filter, &v.out)
                 : npu_conv_pool_s8_get_buffer_size(&v.p, &v.in, &v.filter, &v.out, &v.pool_params,
                                                    &v.pool, &v.pooled);
  }
  const uint32_t element = wide ? 2 : 1;
  const fuzz_call c =
      fuzz_place(fuzz_bytes(&v.in, element), kind == FUZZ_conv_add_s8 ? fuzz_bytes(&v.out, 1) : 0,
                 fuzz_bytes(kind >= FUZZ_conv_max_pool_s8 ? &v.pooled : &v.out, element), packed,
                 needed, element);
  npu_status status;
  switch (kind) {
  case FUZZ_conv_s8:
    status = npu_conv_s8(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out, c.out);
    break;
  case FUZZ_conv_s4:
    status = npu_conv_s4(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out, c.out);
    break;
  case FUZZ_conv_s16:
    status = npu_conv_s16(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out, c.out);
    break;
  case FUZZ_conv_add_s8:
    status = npu_conv_add_s8(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.add, c.in2,
                             &v.out, c.out);
    break;
  case FUZZ_conv_max_pool_s8:
    status = npu_conv_max_pool_s8(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out,
                                  &v.pool_params, &v.pool, &v.pooled, c.out);
    break;
  default:
    status = npu_conv_avg_pool_s8(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out,
                                  &v.pool_params, &v.pool, &v.pooled, c.out);
  }
  fuzz_check(&c, status);
  if (kind < FUZZ_conv_add_s8 || status != NPU_OK || fuzz_bytes(&v.out, 1) > AREA)
    return;
  // A fused form against its two operators.
  const npu_context own = {scratch, sizeof scratch};
  status = npu_conv_s8(&own, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out, convolved);
  if (status == NPU_OK)
    status =
        kind == FUZZ_conv_add_s8
            ? npu_add_s8(&own, &v.add, &v.out, convolved, &v.out, c.in2, &v.out, separate)
        : kind == FUZZ_conv_max_pool_s8
            ? npu_max_pool_s8(&own, &v.pool_params, &v.out, convolved, &v.pool, &v.pooled, separate)
            : npu_avg_pool_s8(&own, &v.pool_params, &v.out, convolved, &v.pool, &v.pooled,
                              separate);
  if (status != NPU_OK)
    fuzz_fail("one of the two operators alone", status);
  else if (memcmp(separate, c.out,
                  (uint32_t)fuzz_bytes(kind == FUZZ_conv_add_s8 ? &v.out : &v.pooled, 1)) != 0)
    fuzz_fail("other bytes than the two operators", 0);
}

void fuzz_depthwise(int kind) {
  const int wide = kind == FUZZ_depthwise_conv_s16;
  struct {
    npu_dims in, filter, out;
    npu_dw_conv_params p;
  } v = {0};
  do {
    const int32_t multiplier = below(3) ? 1 : range(1, 4);
    v.in = fuzz_image(14, 50);
    v.filter = (npu_dims){1, range(1, 6), range(1, 6), v.in.c * multiplier};
    v.p = (npu_dw_conv_params){.stride = tile(1, 3),
                               .padding = tile(0, 2),
                               .dilation = tile(1, 2),
                               .channel_multiplier = multiplier,
                               .activation_min = wide ? INT16_MIN : INT8_MIN,
                               .activation_max = wide ? INT16_MAX : INT8_MAX};
    if (!wide) {
      v.p.input_offset = range(-127, 128);
      v.p.output_offset = range(-128, 127);
    }
    v.out = (npu_dims){
        v.in.n,
        fuzz_outputs(v.in.h, v.filter.h, v.p.stride.h, v.p.dilation.h, v.p.padding.h + below(3)),
        fuzz_outputs(v.in.w, v.filter.w, v.p.stride.w, v.p.dilation.w, v.p.padding.w + below(3)),
        v.filter.c};
  } while (v.out.h < 1 || v.out.w < 1);
  fuzz_damage(&v, sizeof v);
  const uint32_t element = wide ? 2 : 1;
  const fuzz_call c =
      fuzz_place(fuzz_spread_bytes(&v.in, element, v.p.input_pixel, v.p.input_line), 0,
                 fuzz_spread_bytes(&v.out, element, v.p.output_pixel, v.p.output_line),
                 wide ? npu_depthwise_conv_s16_get_packed_size(&v.p, &v.filter)
                      : npu_depthwise_conv_s8_get_packed_size(&v.p, &v.filter),
                 wide ? npu_depthwise_conv_s16_get_buffer_size(&v.p, &v.in, &v.filter, &v.out)
                      : npu_depthwise_conv_s8_get_buffer_size(&v.p, &v.in, &v.filter, &v.out),
                 element);
  fuzz_check(&c, wide ? npu_depthwise_conv_s16(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed,
                                               &v.out, c.out)
                      : npu_depthwise_conv_s8(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed,
                                              &v.out, c.out));
}

void fuzz_transpose_conv(int kind) {
  (void)kind;
  struct {
    npu_dims in, filter, out;
    npu_transpose_conv_params p;
  } v = {0};
  v.in = fuzz_image(8, 30);
  v.filter = (npu_dims){range(1, 20), range(1, 5), range(1, 5), v.in.c};
  v.p = (npu_transpose_conv_params){.input_offset = range(-127, 128),
                                    .output_offset = range(-128, 127),
                                    .stride = tile(1, 3),
                                    .padding = tile(0, 1),
                                    .activation_min = INT8_MIN,
                                    .activation_max = INT8_MAX};
  v.out = (npu_dims){v.in.n, (v.in.h - 1) * v.p.stride.h + v.filter.h - v.p.padding.h,
                     (v.in.w - 1) * v.p.stride.w + v.filter.w - v.p.padding.w, v.filter.n};
  v.out.h += v.out.h < 1;
  v.out.w += v.out.w < 1;
  fuzz_damage(&v, sizeof v);
  const fuzz_call c =
      fuzz_place(fuzz_bytes(&v.in, 1), 0, fuzz_bytes(&v.out, 1),
                 npu_transpose_conv_s8_get_packed_size(&v.p, &v.filter),
                 npu_transpose_conv_s8_get_buffer_size(&v.p, &v.in, &v.filter, &v.out), 1);
  fuzz_check(
      &c, npu_transpose_conv_s8(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, &v.out, c.out));
}

void fuzz_fully_connected(int kind) {
  struct {
    npu_dims in, filter;
    npu_fc_params p;
  } v = {0};
  const int wide = kind == FUZZ_fully_connected_s16;
  const int32_t inputs = kind == FUZZ_fully_connected_s4_block ? 32 * range(1, 8) : range(1, 300);
  v.in = (npu_dims){range(1, 5), range(1, 3), range(1, 3), inputs};
  v.filter = (npu_dims){range(1, 60), 1, 1, inputs};
  v.p.activation_min = wide ? INT16_MIN : INT8_MIN;
  v.p.activation_max = wide ? INT16_MAX : INT8_MAX;
  if (!wide) {
    v.p.input_offset = range(-127, 128);
    v.p.output_offset = range(-128, 127);
  }
  fuzz_damage(&v, sizeof v);
  uint32_t packed, needed;
#define SIZES(form)                                                                                \
  packed = npu_fully_connected_##form##_get_packed_size(&v.filter);                                \
  needed = npu_fully_connected_##form##_get_buffer_size(&v.in, &v.filter)
#define RUN(form)                                                                                  \
  status = npu_fully_connected_##form(&c.context, &v.p, &v.in, c.in, &v.filter, c.packed, c.out)
  switch (kind) {
  case FUZZ_fully_connected_s8:
    SIZES(s8);
    break;
  case FUZZ_fully_connected_s4:
    SIZES(s4);
    break;
  case FUZZ_fully_connected_s4_block:
    SIZES(s4_block);
    break;
  default:
    SIZES(s16);
  }
  const uint32_t element = wide ? 2 : 1;
  npu_dims out = v.in;
  out.c = v.filter.n;
  const fuzz_call c =
      fuzz_place(fuzz_bytes(&v.in, element), 0, fuzz_bytes(&out, element), packed, needed, element);
  npu_status status;
  switch (kind) {
  case FUZZ_fully_connected_s8:
    RUN(s8);
    break;
  case FUZZ_fully_connected_s4:
    RUN(s4);
    break;
  case FUZZ_fully_connected_s4_block:
    RUN(s4_block);
    break;
  default:
    RUN(s16);
  }
  fuzz_check(&c, status);
}

void fuzz_batch_matmul(int kind) {
  (void)kind;
  struct {
    npu_dims l, r, out;
    npu_bmm_params p;
  } v = {0};
  const int32_t n = range(1, 2), h = range(1, 3), m = range(1, 40), k = range(1, 70),
                columns = range(1, 40);
  v.p = (npu_bmm_params){below(2), below(2), range(-127, 128), range(-127, 128), range(-128, 127),
                         1 << 30,  -7,       INT8_MIN,         INT8_MAX};
  v.l = (npu_dims){below(2) ? n : 1, below(2) ? h : 1, v.p.adj_x ? k : m, v.p.adj_x ? m : k};
  v.r = (npu_dims){n, h, v.p.adj_y ? columns : k, v.p.adj_y ? k : columns};
  v.out = (npu_dims){n, h, m, columns};
  fuzz_damage(&v, sizeof v);
  const fuzz_call c = fuzz_place(fuzz_bytes(&v.l, 1), fuzz_bytes(&v.r, 1), fuzz_bytes(&v.out, 1), 0,
                                 npu_batch_matmul_s8_get_buffer_size(&v.p, &v.l, &v.r, &v.out), 1);
  fuzz_check(&c, npu_batch_matmul_s8(&c.context, &v.p, &v.l, c.in, &v.r, c.in2, &v.out, c.out));
}
