// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which element a column or line comes from is a map that climbs in a pattern: at a ratio of p
// input to q output elements, out element x + q comes from p elements further on. So the elements x
// = r modulo q are a strided copy for each r, and with both axes one descriptor copies each pair of
// classes.

#include "npu/layout.h"

#include "box_copy.h"
#include "requantize.h"
#include "vector_stream.h"

#include <math.h>

enum {
  MAX_EXTENT = 65535,
  MAX_PERIOD = 32,
};

typedef struct axis_map {
  const uint16_t *at;    // element of the input for each of the output
  int32_t extent;        // of the output
  int32_t period, climb; // at[x + period] = at[x] + climb; the extent if there is no such pattern
} axis_map;

// GetNearestNeighbor for all elements of an axis.
static void fill_map(uint16_t *at, const npu_resize_params *params, int32_t in, int32_t out) {
  const float scale = params->align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1)
                                                       : (float)in / (float)out;
  const float offset = params->half_pixel_centers ? 0.5f : 0.0f;
  for (int32_t x = 0; x < out; ++x) {
    const float position = ((float)x + offset) * scale;
    const int32_t nearest = (int32_t)(params->align_corners ? roundf(position) : floorf(position));
    at[x] = (uint16_t)npu_clamp(nearest, 0, in - 1);
  }
}

static axis_map make_map(uint16_t *at, const npu_resize_params *params, int32_t in, int32_t out) {
  axis_map map = {.at = at, .extent = out, .period = out};
  fill_map(at, params, in, out);
  for (int32_t period = 1; period <= MAX_PERIOD && period < out; ++period) {
    const int32_t climb = at[period] - at[0];
    int32_t x = period;
    while (x < out && at[x] == at[x - period] + climb)
      ++x;
    if (x == out) {
      map.period = period;
      map.climb = climb;
      break;
    }
  }
  return map;
}

// Elements of the output in class r.
static int32_t class_size(const axis_map *map, int32_t r) {
  return (map->extent - r + map->period - 1) / map->period;
}

static int dims_valid(const npu_dims *in, const npu_dims *out) {
  return npu_dims_elements(in, 1) != 0 && npu_dims_elements(out, 1) != 0 && in->n == out->n &&
         in->c == out->c && in->h <= MAX_EXTENT && in->w <= MAX_EXTENT && out->h <= MAX_EXTENT &&
         out->w <= MAX_EXTENT;
}

uint32_t npu_resize_nearest_s8_get_buffer_size(const npu_dims *output_dims) {
  return ((uint32_t)output_dims->h + (uint32_t)output_dims->w) * (uint32_t)sizeof(uint16_t);
}

npu_status npu_resize_nearest_s8(const npu_context *context, const npu_resize_params *params,
                                 const npu_dims *input_dims, const int8_t *input,
                                 const npu_dims *output_dims, int8_t *output) {
  if (!dims_valid(input_dims, output_dims))
    return NPU_ERROR_ARGUMENT;
  if (!npu_scratch_valid(context) ||
      context->size < npu_resize_nearest_s8_get_buffer_size(output_dims))
    return NPU_ERROR_BUFFER;
  uint16_t *const maps = context->buffer;
  const axis_map lines = make_map(maps, params, input_dims->h, output_dims->h);
  const axis_map columns = make_map(maps + output_dims->h, params, input_dims->w, output_dims->w);

  const int32_t c = input_dims->c, in_line = input_dims->w * c, out_line = output_dims->w * c;
  npu_box_queue queue;
  npu_box_start(&queue);
  npu_box box = {
      .extent = {c, 0, 0, input_dims->n},
      .src_stride = {1, columns.climb * c, lines.climb * in_line, input_dims->h * in_line},
      .dst_stride = {1, columns.period * c, lines.period * out_line, output_dims->h * out_line}};
  for (int32_t y = 0; y < lines.period; ++y) {
    box.extent[2] = class_size(&lines, y);
    for (int32_t x = 0; x < columns.period; ++x) {
      box.extent[1] = class_size(&columns, x);
      npu_box_copy(&queue, output + y * out_line + x * c,
                   input + lines.at[y] * in_line + columns.at[x] * c, &box);
    }
  }
  return npu_box_finish(&queue);
}
