// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transposed convolution as one convolution for each phase of the stride (transpose_steps.h), whose
// results the array writes between each other. An output in DRAM is put together in the scratch
// buffer, some lines at a time.

#include "npu/transpose_conv.h"

#include "conv_lines.h"
#include "transpose_steps.h"
#include "vector_stream.h"

#include <npu/dma.h>

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}

typedef struct tc_job {
  const npu_transpose_conv_params *params;
  npu_dims input, filter, output;
  npu_context context; // of the convolutions
  const uint8_t *packed;
  uint32_t placement;
} tc_job;

// Outputs of a phase among the positions [start, end) of an axis: their number, and q of the first
// one; the first one's position goes to *position.
static int32_t outputs_of(int32_t r, int32_t stride, int32_t padding, int32_t start, int32_t end,
                          int32_t *q, int32_t *position) {
  const int32_t least = start + padding - r;
  *q = least > 0 ? (least + stride - 1) / stride : 0;
  *position = *q * stride + r - padding;
  return *position < end ? (end - 1 - *position) / stride + 1 : 0;
}

// Lines [start, end) of one image's output, which lie at `out` in the scratchpad.
static npu_status run_lines(const tc_job *j, const int8_t *input, int32_t start, int32_t end,
                            int8_t *out) {
  const npu_transpose_conv_params *params = j->params;
  const npu_tile stride = params->stride;
  const int32_t pixel = j->output.c, line = j->output.w * pixel;
  const uint8_t *packed = j->packed;
  for (int32_t ry = 0; ry < stride.h; ++ry)
    for (int32_t rx = 0; rx < stride.w; ++rx) {
      const npu_phase py = npu_phase_of(ry, stride.h, j->filter.h, params->padding.h);
      const npu_phase px = npu_phase_of(rx, stride.w, j->filter.w, params->padding.w);
      int32_t qy, qx, y, x;
      const int32_t lines = outputs_of(ry, stride.h, params->padding.h, start, end, &qy, &y);
      const int32_t columns = outputs_of(rx, stride.w, params->padding.w, 0, j->output.w, &qx, &x);
      npu_conv_problem problem = {.input = {1, j->input.h, j->input.w, j->input.c},
                                  .filter = {j->filter.n, py.taps, px.taps, j->filter.c},
                                  .output = {1, lines, columns, j->output.c},
                                  .params = npu_phase_params(params, py, px),
                                  .weight_bits = 8,
                                  .placement = j->placement,
                                  .out_pixel = stride.w * pixel,
                                  .out_pitch = stride.h * line,
                                  .scratch_bytes = j->context.size};
      const uint8_t *const constants = packed;
      packed += npu_conv_packed_size(&problem);
      if (lines == 0 || columns == 0)
        continue;
      // Input lines that only earlier outputs see are left out; outputs behind the reach of the
      // last line see nothing but padding, as if they were above the first.
      const int32_t unseen = max(qy - (py.taps - 1), 0), skipped = min(unseen, j->input.h - 1);
      problem.input.h -= skipped;
      problem.params.padding.h =
          unseen > skipped ? py.taps + lines - 1 : py.taps - 1 - qy + skipped;
      npu_conv_plan plan;
      if (npu_conv_check(&problem) != NPU_OK)
        return NPU_ERROR_ARGUMENT;
      // A search for the best plan takes longer than most phases.
      npu_status status = npu_conv_plan_lines(&plan, &problem, lines);
      if (status == NPU_ERROR_BUFFER)
        status = npu_conv_plan_make(&plan, &problem);
      if (status == NPU_OK)
        status =
            npu_conv_run(&plan, &problem, &j->context, input + skipped * j->input.w * j->input.c,
                         constants, out + (y - start) * line + x * pixel);
      if (status != NPU_OK)
        return status;
    }
  return NPU_OK;
}

// Of the phases' convolutions.
static uint32_t conv_buffer_size(const tc_job *j) {
  uint32_t largest = 0;
  for (int32_t ry = 0; ry < j->params->stride.h; ++ry)
    for (int32_t rx = 0; rx < j->params->stride.w; ++rx) {
      const npu_phase py = npu_phase_of(ry, j->params->stride.h, j->filter.h, j->params->padding.h);
      const npu_phase px = npu_phase_of(rx, j->params->stride.w, j->filter.w, j->params->padding.w);
      const npu_conv_params conv = npu_phase_params(j->params, py, px);
      const npu_dims filter = {j->filter.n, py.taps, px.taps, j->filter.c},
                     input = {1, j->input.h, j->input.w, j->input.c};
      const npu_dims output = {1, (j->output.h + j->params->stride.h - 1) / j->params->stride.h,
                               (j->output.w + j->params->stride.w - 1) / j->params->stride.w,
                               j->output.c};
      const uint32_t size = npu_conv_s8_get_buffer_size(&conv, &input, &filter, &output);
      if (size == 0)
        return 0;
      largest = size > largest ? size : largest;
    }
  return (largest + 15) & ~15u;
}

static int shapes_ok(const tc_job *j) {
  return npu_transpose_params_ok(j->params, &j->filter) && j->input.n == j->output.n &&
         j->input.c == j->filter.c && j->output.c == j->filter.n &&
         npu_dims_elements(&j->input, 1) != 0 && npu_dims_elements(&j->output, 1) != 0 &&
         // Every output position lies within the reach of the input.
         j->output.h <=
             (j->input.h - 1) * j->params->stride.h + j->filter.h + j->params->stride.h &&
         j->output.w <=
             (j->input.w - 1) * j->params->stride.w + j->filter.w + j->params->stride.w &&
         npu_transpose_conv_s8_get_packed_size(j->params, &j->filter) != 0;
}

uint32_t npu_transpose_conv_s8_get_buffer_size(const npu_transpose_conv_params *params,
                                               const npu_dims *input_dims,
                                               const npu_dims *filter_dims,
                                               const npu_dims *output_dims) {
  const tc_job j = {
      .params = params, .input = *input_dims, .filter = *filter_dims, .output = *output_dims};
  const uint32_t conv = shapes_ok(&j) ? conv_buffer_size(&j) : 0;
  return conv == 0 ? 0 : conv + (((uint32_t)(output_dims->w * output_dims->c) + 15) & ~15u);
}

npu_status npu_transpose_conv_s8(const npu_context *context,
                                 const npu_transpose_conv_params *params,
                                 const npu_dims *input_dims, const int8_t *input,
                                 const npu_dims *filter_dims, const void *packed,
                                 const npu_dims *output_dims, int8_t *output) {
  tc_job j = {.params = params,
              .input = *input_dims,
              .filter = *filter_dims,
              .output = *output_dims,
              .context = *context,
              .packed = packed};
  if (!shapes_ok(&j))
    return NPU_ERROR_ARGUMENT;
  if (!npu_scratch_valid(context))
    return NPU_ERROR_BUFFER;
  const uint32_t packed_bytes = npu_transpose_conv_s8_get_packed_size(params, filter_dims);
  j.placement =
      NPU_CONV_OUTPUT_TCM |
      (npu_in_tcm(input, npu_dims_elements(input_dims, 1)) ? NPU_CONV_INPUT_TCM : 0) |
      (npu_in_tcm(packed, packed_bytes) && ((uint32_t)packed & 3) == 0 ? NPU_CONV_WEIGHTS_TCM : 0);
  const uint32_t in_image = (uint32_t)(input_dims->h * input_dims->w * input_dims->c);
  const uint32_t line = (uint32_t)(output_dims->w * output_dims->c);
  const int in_place = npu_in_tcm(output, npu_dims_elements(output_dims, 1));

  // Lines that are put together, behind what the convolutions need.
  int32_t lines = output_dims->h;
  int8_t *slab = output;
  if (!in_place) {
    const uint32_t conv = conv_buffer_size(&j);
    if (context->size < conv + line)
      return NPU_ERROR_BUFFER;
    const uint32_t half = (context->size - conv) / 2, bytes = half > line ? half : line;
    lines = min(lines, (int32_t)(bytes / line));
    // Whole strides, so that the phases have about the same number of lines.
    if (lines > params->stride.h)
      lines -= lines % params->stride.h;
    j.context.size = (context->size - (uint32_t)lines * line) & ~15u;
    slab = (int8_t *)context->buffer + j.context.size;
  }
  for (int32_t n = 0; n < output_dims->n;
       ++n, input += in_image, output += (uint32_t)output_dims->h * line)
    for (int32_t start = 0; start < output_dims->h; start += lines) {
      const int32_t end = min(start + lines, output_dims->h);
      int8_t *const to = output + (uint32_t)start * line;
      const npu_status status = run_lines(&j, input, start, end, in_place ? to : slab);
      if (status != NPU_OK)
        return status;
      if (!in_place && npu_dma_copy(to, slab, (uint32_t)(end - start) * line) != 0)
        return NPU_ERROR_TRANSFER;
    }
  return NPU_OK;
}
