// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of the operators without weights for fuzz_arguments.c.

#include "fuzz_arguments.h"

#include <string.h>

#define below fuzz_below
#define range fuzz_range

void fuzz_elementwise(int kind) {
  struct {
    npu_dims a, b, out;
    npu_add_params p;
  } v;
  v.out = fuzz_image(6, 100);
  v.a = v.b = v.out;
  if (below(2))
    for (int i = 0; i < 4; ++i)
      if (below(3) == 0)
        (&(below(2) ? &v.a : &v.b)->n)[i] = 1;
  v.p = (npu_add_params){
      range(-127, 128), range(-127, 128), range(-128, 127), 1 << 30, 1 << 30, 1 << 30, 0, -3, -18,
      INT8_MIN,         INT8_MAX};
  fuzz_damage(&v, sizeof v);
  const npu_mul_params m = {v.p.input1_offset,     v.p.input2_offset, v.p.output_offset,
                            v.p.output_multiplier, v.p.output_shift,  v.p.activation_min,
                            v.p.activation_max};
  const fuzz_call c = fuzz_place(fuzz_bytes(&v.a, 1), fuzz_bytes(&v.b, 1), fuzz_bytes(&v.out, 1), 0,
                                 npu_elementwise_s8_get_buffer_size(&v.a, &v.b, &v.out), 1);
  fuzz_check(
      &c, kind == FUZZ_add_s8 ? npu_add_s8(&c.context, &v.p, &v.a, c.in, &v.b, c.in2, &v.out, c.out)
          : kind == FUZZ_sub_s8
              ? npu_sub_s8(&c.context, &v.p, &v.a, c.in, &v.b, c.in2, &v.out, c.out)
          : kind == FUZZ_mul_s8 ? npu_mul_s8(&c.context, &m, &v.a, c.in, &v.b, c.in2, &v.out, c.out)
          : kind == FUZZ_minimum_s8
              ? npu_minimum_s8(&c.context, &v.a, c.in, &v.b, c.in2, &v.out, c.out)
              : npu_maximum_s8(&c.context, &v.a, c.in, &v.b, c.in2, &v.out, c.out));
}

void fuzz_pool(int kind) {
  struct {
    npu_dims in, window, out;
    npu_pool_params p;
  } v;
  const int wide = kind >= FUZZ_avg_pool_s16;
  do {
    v.in = fuzz_image(12, 80);
    v.window = (npu_dims){1, range(1, 5), range(1, 5), 1};
    v.p = (npu_pool_params){.stride = {range(1, 3), range(1, 3)},
                            .padding = {below(v.window.h), below(v.window.w)},
                            .activation_min = wide ? INT16_MIN : INT8_MIN,
                            .activation_max = wide ? INT16_MAX : INT8_MAX};
    v.out = (npu_dims){v.in.n, fuzz_outputs(v.in.h, v.window.h, v.p.stride.h, 1, v.p.padding.h),
                       fuzz_outputs(v.in.w, v.window.w, v.p.stride.w, 1, v.p.padding.w), v.in.c};
  } while (v.out.h < 1 || v.out.w < 1);
  fuzz_damage(&v, sizeof v);
  const uint32_t element = wide ? 2 : 1;
  const fuzz_call c =
      fuzz_place(fuzz_spread_bytes(&v.in, element, v.p.input_pixel, v.p.input_line), 0,
                 fuzz_spread_bytes(&v.out, element, v.p.output_pixel, v.p.output_line), 0,
                 wide ? npu_pool_s16_get_buffer_size(&v.p, &v.in, &v.window, &v.out)
                      : npu_pool_s8_get_buffer_size(&v.p, &v.in, &v.window, &v.out),
                 element);
  fuzz_check(&c, kind == FUZZ_avg_pool_s8
                     ? npu_avg_pool_s8(&c.context, &v.p, &v.in, c.in, &v.window, &v.out, c.out)
                 : kind == FUZZ_max_pool_s8
                     ? npu_max_pool_s8(&c.context, &v.p, &v.in, c.in, &v.window, &v.out, c.out)
                 : kind == FUZZ_avg_pool_s16
                     ? npu_avg_pool_s16(&c.context, &v.p, &v.in, c.in, &v.window, &v.out, c.out)
                     : npu_max_pool_s16(&c.context, &v.p, &v.in, c.in, &v.window, &v.out, c.out));
}

void fuzz_reduce(int kind) {
  const int sum = kind == FUZZ_sum_s8;
  struct {
    npu_dims in;
    npu_reduce_params p;
  } v;
  v.in = fuzz_image(8, 90);
  v.p = (npu_reduce_params){range(-128, 127),
                            range(-128, 127),
                            1 << 30,
                            range(-3, 1),
                            {below(2), below(2), below(2), below(2)}};
  fuzz_damage(&v, sizeof v);
  npu_dims out = v.in;
  for (int i = 0; i < 4; ++i)
    if ((&v.p.axes.n)[i])
      (&out.n)[i] = 1;
  const fuzz_call c = fuzz_place(fuzz_bytes(&v.in, 1), 0, fuzz_bytes(&out, 1), 0,
                                 npu_reduce_s8_get_buffer_size(&v.p, &v.in), 1);
  fuzz_check(&c, sum ? npu_sum_s8(&c.context, &v.p, &v.in, c.in, c.out)
                     : npu_mean_s8(&c.context, &v.p, &v.in, c.in, c.out));
}

void fuzz_arg(int kind) {
  const int minimum = kind == FUZZ_argmin_s8;
  npu_arg_dims d = {range(1, 20), range(1, 100), below(2) ? 1 : range(1, 30)};
  fuzz_damage(&d, sizeof d);
  const npu_dims in = {1, d.outer, d.size, d.inner}, out = {1, 1, d.outer, d.inner};
  const fuzz_call c =
      fuzz_place(fuzz_bytes(&in, 1), 0, fuzz_bytes(&out, 4), 0, npu_arg_s8_get_buffer_size(&d), 4);
  fuzz_check(&c, minimum ? npu_argmin_s8(&c.context, &d, c.in, c.out)
                         : npu_argmax_s8(&c.context, &d, c.in, c.out));
}

static _Alignas(64) uint8_t table[NPU_SOFTMAX_TABLE_BYTES];

void fuzz_softmax(int kind) {
  const int wide = kind == FUZZ_softmax_s8_s16;
  struct {
    int32_t rows, depth;
    npu_softmax_params p;
  } v = {range(1, 20), range(1, 200), {1 << 30, range(15, 25), -range(1, 300)}};
  fuzz_damage(&v, sizeof v);
  const npu_softmax_params good = {1 << 30, 23, -248};
  if (npu_softmax_s8_table(&v.p, table) != NPU_OK)
    npu_softmax_s8_table(&good, table);
  fuzz_table(table, sizeof table);
  const npu_dims d = {1, 1, v.rows, v.depth};
  const uint32_t element = wide ? 2 : 1;
  const fuzz_call c =
      fuzz_place(fuzz_bytes(&d, 1), 0, fuzz_bytes(&d, element), sizeof table,
                 npu_softmax_s8_get_buffer_size(v.depth, (int32_t)element), element);
  fuzz_check(&c, wide ? npu_softmax_s8_s16(&c.context, c.packed, v.rows, v.depth, c.in, c.out)
                      : npu_softmax_s8(&c.context, c.packed, v.rows, v.depth, c.in, c.out));
}

void fuzz_activation(int kind) {
  (void)kind;
  int32_t size = range(1, 5000);
  fuzz_damage(&size, sizeof size);
  const fuzz_call c =
      fuzz_place((uint32_t)size, 0, (uint32_t)size, 256, npu_activation_s8_get_buffer_size(), 1);
  fuzz_check(&c, npu_activation_s8(&c.context, c.packed, (uint32_t)size, c.in, c.out));
}

void fuzz_quantize(int kind) {
  static const uint8_t pairs[][2] = {{NPU_S8, NPU_S8},   {NPU_S8, NPU_U8},  {NPU_S8, NPU_S16},
                                     {NPU_U8, NPU_S8},   {NPU_U8, NPU_U8},  {NPU_S16, NPU_S8},
                                     {NPU_S16, NPU_S16}, {NPU_S32, NPU_S8}, {NPU_S32, NPU_S16}};
  const uint8_t *const pair = pairs[below(sizeof pairs / sizeof *pairs)];
  struct {
    int32_t size;
    npu_requantize_params p;
  } v = {range(1, 300), {pair[0], pair[1], 0, 0, 1 << 30, 0}};
  fuzz_damage(&v, sizeof v);
  const int32_t types[] = {(int32_t)v.p.input_type, (int32_t)v.p.output_type};
  uint32_t bytes[2];
  for (int i = 0; i < 2; ++i)
    bytes[i] = types[i] == NPU_S32 ? 4 : types[i] == NPU_S16 ? 2 : 1;
  if (kind != FUZZ_requantize) {
    bytes[0] = kind == FUZZ_dequantize_s8_f32 ? 1 : kind == FUZZ_dequantize_s16_f32 ? 2 : 4;
    bytes[1] = kind == FUZZ_quantize_f32_s8 ? 1 : kind == FUZZ_quantize_f32_s16 ? 2 : 4;
  }
  static _Alignas(64) uint8_t tables[2][1040]; // to quantize, to dequantize; long to make
  static int made;
  if (!made) {
    npu_quantize_s8_table(0.5f, 3, tables[0]);
    npu_dequantize_s8_table(0.5f, 3, tables[1]);
    made = 1;
  }
  fuzz_table(tables[kind == FUZZ_dequantize_s8_f32], sizeof tables[0]);
  const fuzz_call c =
      fuzz_place((uint64_t)(uint32_t)v.size * bytes[0], 0, (uint64_t)(uint32_t)v.size * bytes[1],
                 1040, NPU_QUANTIZE_BUFFER_BYTES, 4);
  const uint32_t size = (uint32_t)v.size;
  fuzz_check(&c, kind == FUZZ_requantize ? npu_requantize(&c.context, &v.p, size, c.in, c.out)
                 : kind == FUZZ_quantize_f32_s8
                     ? npu_quantize_f32_s8(&c.context, c.packed, size, c.in, c.out)
                 : kind == FUZZ_quantize_f32_s16
                     ? npu_quantize_f32_s16(&c.context, 0.1f, 0, size, c.in, c.out)
                 : kind == FUZZ_dequantize_s8_f32
                     ? npu_dequantize_s8_f32(&c.context, c.packed, size, c.in, c.out)
                     : npu_dequantize_s16_f32(&c.context, 0.1f, 0, size, c.in, c.out));
}

void fuzz_layout(int kind) {
  struct {
    npu_dims in, a, b, out;
    int32_t permutation[4];
    npu_resize_params resize;
  } v = {.in = fuzz_image(7, 40), .permutation = {0, 1, 2, 3}, .resize = {below(2), 0}};
  v.resize.half_pixel_centers = !v.resize.align_corners && below(2);
  int32_t *const in = &v.in.n, *const a = &v.a.n, *const b = &v.b.n, *const out = &v.out.n;
  for (int i = 3; i > 0; --i) {
    const int j = below(i + 1), other = v.permutation[i];
    v.permutation[i] = v.permutation[j];
    v.permutation[j] = other;
  }
  npu_concat_input inputs[3];
  v.out = v.in;
  const int axis = below(4);
  if (kind == FUZZ_pad_s8) {
    v.a = (npu_dims){below(2), below(3), below(3), below(5)};
    v.b = (npu_dims){below(2), below(3), below(3), below(5)};
  } else if (kind == FUZZ_strided_slice_s8) {
    for (int i = 0; i < 4; ++i) {
      b[i] = below(2) ? 1 : below(2) ? range(2, 3) : range(-3, -1);
      a[i] = below(in[i]);
      out[i] = 1 + below((b[i] > 0 ? (in[i] - 1 - a[i]) / b[i] : a[i] / -b[i]) + 1);
    }
  } else if (kind == FUZZ_resize_nearest_s8) {
    v.out.h = range(1, 12);
    v.out.w = range(1, 12);
  } else if (kind == FUZZ_concat_s8) {
    out[axis] = 0;
    for (int i = 0; i < 3; ++i) {
      a[i] = range(1, 4);
      out[axis] += a[i];
    }
  }
  fuzz_damage(&v, sizeof v);
  npu_dims made = v.out;
  if (kind == FUZZ_pad_s8)
    for (int i = 0; i < 4; ++i) {
      const int64_t extent = (int64_t)in[i] + a[i] + b[i];
      (&made.n)[i] = extent > INT32_MAX ? INT32_MAX : extent < 0 ? 0 : (int32_t)extent;
    }
  else if (kind == FUZZ_transpose_s8 || kind == FUZZ_reshape_s8)
    made = v.in;
  const uint32_t needed = kind == FUZZ_transpose_s8 && below(2) ? npu_transpose_s8_get_buffer_size()
                          : kind == FUZZ_resize_nearest_s8
                              ? npu_resize_nearest_s8_get_buffer_size(&v.out)
                              : 0;
  const uint64_t bytes = fuzz_bytes(&v.in, 1);
  if (bytes > 1 << 22 && bytes <= INT32_MAX)
    return; // a transfer that fails, but only behind its millions of cycles
  const fuzz_call c = fuzz_place(bytes, 0, fuzz_bytes(&made, 1), 0, needed, 1);
  for (int i = 0; i < 3; ++i)
    inputs[i] = (npu_concat_input){c.in, a[i]};
  npu_status status;
  switch (kind) {
  case FUZZ_pad_s8:
    status = npu_pad_s8(&v.in, &v.a, &v.b, 5, c.in, c.out);
    break;
  case FUZZ_transpose_s8:
    status = npu_transpose_s8(&c.context, &v.in, v.permutation, c.in, c.out);
    break;
  case FUZZ_strided_slice_s8:
    status = npu_strided_slice_s8(&v.in, &v.a, &v.b, &v.out, c.in, c.out);
    break;
  case FUZZ_resize_nearest_s8:
    status = npu_resize_nearest_s8(&c.context, &v.resize, &v.in, c.in, &v.out, c.out);
    break;
  case FUZZ_reshape_s8:
    status = npu_reshape_s8(bytes > INT32_MAX ? INT32_MAX : (uint32_t)bytes, c.in, c.out);
    break;
  default:
    status = npu_concat_s8(inputs, 3, axis, &v.out, c.out);
  }
  fuzz_check(&c, status);
}
