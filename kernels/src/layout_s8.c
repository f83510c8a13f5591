// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshape, pad, concat, strided slice: copies of boxes.

#include "npu/layout.h"

#include "box_copy.h"
#include "requantize.h"
#include "vector_stream.h"

enum { RANK = NPU_BOX_RANK };

// Extents, innermost first.
static void to_array(int32_t *array, const npu_dims *dims) {
  array[0] = dims->c;
  array[1] = dims->w;
  array[2] = dims->h;
  array[3] = dims->n;
}

static void dense_strides(int32_t *stride, const int32_t *extent) {
  stride[0] = 1;
  for (int d = 1; d < RANK; ++d)
    stride[d] = stride[d - 1] * extent[d - 1];
}

npu_status npu_reshape_s8(uint32_t elements, const int8_t *input, int8_t *output) {
  if (elements == 0 || elements > INT32_MAX)
    return NPU_ERROR_ARGUMENT;
  if (input == output)
    return NPU_OK;
  const npu_box box = {
      .extent = {(int32_t)elements, 1, 1, 1}, .src_stride = {1}, .dst_stride = {1}};
  npu_box_queue queue;
  npu_box_start(&queue);
  npu_box_copy(&queue, output, input, &box);
  return npu_box_finish(&queue);
}

npu_status npu_pad_s8(const npu_dims *input_dims, const npu_dims *before, const npu_dims *after,
                      int8_t value, const int8_t *input, int8_t *output) {
  int32_t extent[RANK], front[RANK], back[RANK], out[RANK], stride[RANK];
  if (npu_dims_elements(input_dims, 1) == 0)
    return NPU_ERROR_ARGUMENT;
  to_array(extent, input_dims);
  to_array(front, before);
  to_array(back, after);
  int32_t elements = 1;
  for (int d = 0; d < RANK; ++d) {
    if (!npu_in_range(front[d], 0, 65535) || !npu_in_range(back[d], 0, 65535) ||
        __builtin_add_overflow(extent[d], front[d] + back[d], &out[d]) ||
        __builtin_mul_overflow(elements, out[d], &elements))
      return NPU_ERROR_ARGUMENT;
  }
  dense_strides(stride, out);

  npu_box_queue queue;
  npu_box_start(&queue);
  npu_box box;
  dense_strides(box.src_stride, extent);
  int32_t inside = 0; // offset of the input's first element
  for (int d = 0; d < RANK; ++d) {
    box.extent[d] = extent[d];
    box.dst_stride[d] = stride[d];
    inside += front[d] * stride[d];
  }
  npu_box_copy(&queue, output + inside, input, &box);
  // In each dimension a slab in front and one behind: of the input's extent in the dimensions
  // further out, of the output's further in.
  for (int d = 0; d < RANK; ++d) {
    inside -= front[d] * stride[d];
    box.extent[d] = front[d];
    npu_box_fill(&queue, output + inside, (uint8_t)value, &box);
    box.extent[d] = back[d];
    npu_box_fill(&queue, output + inside + (front[d] + extent[d]) * stride[d], (uint8_t)value,
                 &box);
    box.extent[d] = out[d];
  }
  return npu_box_finish(&queue);
}

npu_status npu_concat_s8(const npu_concat_input *inputs, int32_t count, int32_t axis,
                         const npu_dims *output_dims, int8_t *output) {
  int32_t extent[RANK], stride[RANK];
  if (npu_dims_elements(output_dims, 1) == 0 || !npu_in_range(axis, 0, RANK - 1) || count < 1)
    return NPU_ERROR_ARGUMENT;
  to_array(extent, output_dims);
  dense_strides(stride, extent);
  const int d = RANK - 1 - axis;
  int32_t rest = extent[d];
  for (int32_t i = 0; i < count; ++i) {
    if (!npu_in_range(inputs[i].extent, 1, rest))
      return NPU_ERROR_ARGUMENT;
    rest -= inputs[i].extent;
  }
  if (rest != 0)
    return NPU_ERROR_ARGUMENT;

  npu_box_queue queue;
  npu_box_start(&queue);
  for (int32_t i = 0; i < count; ++i) {
    npu_box box;
    extent[d] = inputs[i].extent;
    dense_strides(box.src_stride, extent);
    for (int k = 0; k < RANK; ++k) {
      box.extent[k] = extent[k];
      box.dst_stride[k] = stride[k];
    }
    npu_box_copy(&queue, output, inputs[i].data, &box);
    output += inputs[i].extent * stride[d];
  }
  return npu_box_finish(&queue);
}

npu_status npu_strided_slice_s8(const npu_dims *input_dims, const npu_dims *begin,
                                const npu_dims *stride, const npu_dims *output_dims,
                                const int8_t *input, int8_t *output) {
  int32_t extent[RANK], first[RANK], step[RANK], dense[RANK];
  npu_box box;
  if (npu_dims_elements(input_dims, 1) == 0 || npu_dims_elements(output_dims, 1) == 0)
    return NPU_ERROR_ARGUMENT;
  to_array(extent, input_dims);
  to_array(first, begin);
  to_array(step, stride);
  to_array(box.extent, output_dims);
  dense_strides(dense, extent);
  dense_strides(box.dst_stride, box.extent);
  for (int d = 0; d < RANK; ++d) {
    const int64_t last = first[d] + (int64_t)(box.extent[d] - 1) * step[d];
    if (step[d] == 0 || !npu_in_range(first[d], 0, extent[d] - 1) || last < 0 || last >= extent[d])
      return NPU_ERROR_ARGUMENT;
    input += first[d] * dense[d];
    // Of a single element the stride does not matter, and may be out of range.
    box.src_stride[d] = box.extent[d] == 1 ? 0 : step[d] * dense[d];
  }
  npu_box_queue queue;
  npu_box_start(&queue);
  npu_box_copy(&queue, output, input, &box);
  return npu_box_finish(&queue);
}
