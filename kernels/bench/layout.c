// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// Operators that move elements: NAME/... with the operands in DRAM, NAME_tcm/... in the scratchpad.
// The tensors are [1, n / 1024, 32, 32].

#include "vector_bench.h"

#include <npu/layout.h>

enum { SIDE = 32, CHANNELS = 32 };

static npu_dims dims_of(uint32_t n) {
  const npu_dims dims = {1, (int32_t)(n / (SIDE * CHANNELS)), SIDE, CHANNELS};
  return dims;
}

static npu_status run_reshape(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  return npu_reshape_s8(n, o->x, o->z);
}

static int check_reshape(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  for (uint32_t i = 0; i < n; i += CHECK_STEP)
    if (o->z[i] != o->x[i])
      return 0;
  return 1;
}

// A border of one pixel, as in front of a convolution; the input is smaller by it.
static npu_dims inner_dims(uint32_t n) {
  const npu_dims dims = dims_of(n), inner = {1, dims.h - 2, dims.w - 2, dims.c};
  return inner;
}

static npu_status run_pad(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_dims input = inner_dims(n), pad = {0, 1, 1, 0};
  return npu_pad_s8(&input, &pad, &pad, -5, o->x, o->z);
}

static int check_pad(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_dims in = inner_dims(n);
  for (uint32_t i = 0; i < n; i += CHECK_STEP) {
    const int32_t c = (int32_t)i % CHANNELS, x = (int32_t)i / CHANNELS % SIDE - 1,
                  y = (int32_t)i / CHANNELS / SIDE - 1;
    const int inside = y >= 0 && x >= 0 && y < in.h && x < in.w;
    if (o->z[i] != (inside ? o->x[(y * in.w + x) * CHANNELS + c] : -5))
      return 0;
  }
  return 1;
}

// Two tensors of half the channels.
static npu_status run_concat(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_dims output = dims_of(n);
  const npu_concat_input inputs[] = {{o->x, CHANNELS / 2}, {o->y, CHANNELS / 2}};
  return npu_concat_s8(inputs, 2, 3, &output, o->z);
}

static int check_concat(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  for (uint32_t i = 0; i < n; i += CHECK_STEP) {
    const uint32_t c = i % CHANNELS, from = i / CHANNELS * (CHANNELS / 2) + c % (CHANNELS / 2);
    if (o->z[i] != (c < CHANNELS / 2 ? o->x[from] : o->y[from]))
      return 0;
  }
  return 1;
}

// arguments: permutation of the dimensions.
static npu_status run_transpose(const operands *o, uint32_t n, const void *arguments) {
  const npu_dims dims = dims_of(n);
  return npu_transpose_s8(&context, &dims, arguments, o->x, o->z);
}

static int check_transpose(const operands *o, uint32_t n, const void *arguments) {
  const npu_dims dims = dims_of(n);
  const int32_t *permutation = arguments, extent[] = {dims.n, dims.h, dims.w, dims.c};
  const int32_t stride[] = {dims.h * dims.w * dims.c, dims.w * dims.c, dims.c, 1};
  for (uint32_t i = 0; i < n; i += CHECK_STEP) {
    int32_t rest = (int32_t)i, from = 0;
    for (int d = 3; d >= 0; --d) {
      from += rest % extent[permutation[d]] * stride[permutation[d]];
      rest /= extent[permutation[d]];
    }
    if (o->z[i] != o->x[from])
      return 0;
  }
  return 1;
}

// Every second line and column.
static npu_status run_slice(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_dims in = dims_of(4 * n), begin = {0, 1, 0, 0}, stride = {1, 2, 2, 1},
                 out = {1, in.h / 2, in.w / 2, in.c};
  return npu_strided_slice_s8(&in, &begin, &stride, &out, o->x, o->z);
}

static int check_slice(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  for (uint32_t i = 0; i < n; i += CHECK_STEP) {
    const uint32_t c = i % CHANNELS, x = i / CHANNELS % (SIDE / 2), y = i / CHANNELS / (SIDE / 2);
    if (o->z[i] != o->x[((2 * y + 1) * SIDE + 2 * x) * CHANNELS + c])
      return 0;
  }
  return 1;
}

// Twice the lines and columns.
static npu_status run_resize(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  const npu_resize_params params = {0, 0};
  const npu_dims out = dims_of(n), in = {1, out.h / 2, out.w / 2, out.c};
  return npu_resize_nearest_s8(&context, &params, &in, o->x, &out, o->z);
}

static int check_resize(const operands *o, uint32_t n, const void *arguments) {
  (void)arguments;
  for (uint32_t i = 0; i < n; i += CHECK_STEP) {
    const uint32_t c = i % CHANNELS, x = i / CHANNELS % SIDE, y = i / CHANNELS / SIDE;
    if (o->z[i] != o->x[(y / 2 * (SIDE / 2) + x / 2) * CHANNELS + c])
      return 0;
  }
  return 1;
}

int main(void) {
  static const int32_t to_nchw[] = {0, 3, 1, 2}, swap_lines[] = {0, 2, 1, 3};
  fill_operands();
  int ok = 1;
  for (int place = 0; place < 2; ++place) {
    const operands *o = &places[place];
    const uint32_t n = o->bytes, inside = (n / (SIDE * CHANNELS) - 2) * (SIDE - 2) * CHANNELS;
    ok &= measure("reshape_int8", "", run_reshape, check_reshape, o, n, 0, n, n);
    ok &= measure("pad_int8", "", run_pad, check_pad, o, n, 0, inside, n);
    ok &= measure("concat_int8", "", run_concat, check_concat, o, n, 0, n, n);
    ok &= measure("transpose_int8", "nhwc_nchw_", run_transpose, check_transpose, o, n, to_nchw, n,
                  n);
    ok &=
        measure("transpose_int8", "lines_", run_transpose, check_transpose, o, n, swap_lines, n, n);
    ok &= measure("strided_slice_int8", "", run_slice, check_slice, o, n, 0, n, n);
    ok &= measure("resize_nearest_int8", "2x_", run_resize, check_resize, o, n, 0, n / 4, n);
  }
  return !ok;
}
