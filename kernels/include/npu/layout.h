// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that move int8 elements and do not compute, as TFLite's reference kernels of the same
// names (Pad, Concatenation, reshape, Transpose, StridedSlice, ResizeNearestNeighbor). The DMA does
// the work: a handful of descriptors each, a cycle for every 16 bytes or every stretch of
// neighbouring bytes that is shorter. Other element types: give the channels in bytes.
//
// Tensors lie in TCM or DRAM, [n, h, w, c]; input and output do not overlap. Dimensions are at
// least 1, tensors below 2^31 bytes. The operators use both DMA channels and overwrite the DMA's
// error bits of nstatus.

#ifndef NPU_LAYOUT_H
#define NPU_LAYOUT_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Copies `elements` elements, 1..2^31-1, if the addresses are different.
npu_status npu_reshape_s8(uint32_t elements, const int8_t *input, int8_t *output);

// Puts `before` and `after` elements of `value` (the output's zero point) around each dimension;
// 0..65535 each.
npu_status npu_pad_s8(const npu_dims *input_dims, const npu_dims *before, const npu_dims *after,
                      int8_t value, const int8_t *input, int8_t *output);

typedef struct npu_concat_input {
  const int8_t *data;
  int32_t extent; // along the axis, at least 1
} npu_concat_input;

// Joins `count` tensors of one scale and zero point along `axis`, 0 (n) to 3 (c). Their extents add
// up to that of output_dims.
npu_status npu_concat_s8(const npu_concat_input *inputs, int32_t count, int32_t axis,
                         const npu_dims *output_dims, int8_t *output);

// Dimension i of the output is dimension permutation[i] of the input, each 0 (n) to 3 (c). Where
// the innermost dimension moves, a scratch buffer of at least npu_transpose_s8_get_buffer_size
// bytes makes it several times faster; with less, also with the size 0, the DMA moves byte by byte.
uint32_t npu_transpose_s8_get_buffer_size(void);
npu_status npu_transpose_s8(const npu_context *context, const npu_dims *input_dims,
                            const int32_t *permutation, const int8_t *input, int8_t *output);

// Element i of an output dimension is element begin + i * stride of the input's, which must exist.
// Strides are not 0 and may be negative.
npu_status npu_strided_slice_s8(const npu_dims *input_dims, const npu_dims *begin,
                                const npu_dims *stride, const npu_dims *output_dims,
                                const int8_t *input, int8_t *output);

typedef struct npu_resize_params {
  int32_t align_corners, half_pixel_centers; // 0 or 1
} npu_resize_params;

// Resizes h and w to those of output_dims, 1..65535; the element is that of TFLite's
// GetNearestNeighbor, in single precision.
uint32_t npu_resize_nearest_s8_get_buffer_size(const npu_dims *output_dims);
npu_status npu_resize_nearest_s8(const npu_context *context, const npu_resize_params *params,
                                 const npu_dims *input_dims, const int8_t *input,
                                 const npu_dims *output_dims, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_LAYOUT_H
