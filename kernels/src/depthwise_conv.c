// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int8 depthwise convolution on the array's depthwise mode (npu/depthwise_conv.h): 16 channels at a
// time, up to 16 taps a run, a window of more taps in several runs. What lies outside of the image
// is padded by position. A layer with a channel multiplier is a dense convolution with zeros.

#include "npu/depthwise_conv.h"

#include "conv_steps.h"
#include "depthwise_steps.h"
#include "npu/generated.h"
#include "window.h"

#include <npu_platform.h>

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t divide_up(int32_t a, int32_t b) {
  return (a + b - 1) / b;
}

enum {
  // The array keeps taps of a line for the next one, in the first columns that it fetches.
  LINE_BUFFER_COLUMNS = 32,
  LINE_BUFFER_TAPS = 4,
  // Pixels of a run that takes the whole window: all accumulators. The drain follows it row by row
  // and the next run follows the drain; a low run fetches all window rows of its first line.
  SINGLE_PIXELS = 2 * NPU_RUN_PIXELS,
};

// Pixels of a line that profit from the line buffer; all of them where it does not work.
static inline int32_t columns_of_line_buffer(const npu_window *w) {
  const int follows = (w->stride.h == w->dilation.h || w->stride.h == 2 * w->dilation.h) &&
                      w->stride.h < w->taps.h * w->dilation.h;
  if (!follows || w->taps.w > LINE_BUFFER_COLUMNS / 2)
    return SINGLE_PIXELS;
  const int32_t columns = LINE_BUFFER_COLUMNS - w->taps.w;
  return w->stride.w == 1 ? columns + 1 : w->stride.w == 2 ? columns / 2 + 1 : SINGLE_PIXELS;
}

// What the runs of a tile share. Copies in registers: the array's instructions count as touching
// all memory.
typedef struct dw_walk {
  int32_t rect_h, rect_w; // pixels of a run
  int32_t line, pixel;    // input bytes from output line to output line, pixel to pixel
  int32_t column, top;    // position of the first tap
  int32_t channels;       // of the block
} dw_walk;

// One run a rectangle: the weights stay in the array.
static npu_ticket_t single_pass(npu_window *w, const npu_window_tile *t, const dw_walk *walk,
                                const int8_t *in, int8_t *out) {
  const uint32_t taps = npu_mac_dw_ctl(0, 0, (uint32_t)w->taps.w, (uint32_t)w->taps.h, 0);
  const uint32_t channels = npu_mac_drain_ctl(0, 0, (uint32_t)walk->channels, 0);
  const int32_t rect_h = walk->rect_h, line = rect_h * walk->line, out_line = rect_h * t->out_line;
  const int32_t step = walk->rect_w * walk->pixel, out_step = walk->rect_w * t->out_pixel;
  const int32_t step_y = rect_h * w->stride.h, width = t->w, rect_w = walk->rect_w;
  uint32_t swap = NPU_MAC_SWAP;
  int32_t top = walk->top, left = t->h;
  npu_ticket_t ticket;
  do {
    const int32_t rows = min(rect_h, left);
    const int8_t *from = in;
    int8_t *to = out;
    int32_t column = walk->column, columns_left = width;
    do {
      const int32_t columns = min(rect_w, columns_left);
      const uint32_t pixels = npu_mac_dw_ctl(0, (uint32_t)(rows * columns), 0, 0, 0);
      if (rect_w < width)
        npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)columns);
      npu_csr_write(NPU_CSR_NPOS, npu_position(column, top));
      npu_mac_dw(from, taps | pixels | swap);
      ticket = npu_mac_drain(to, channels | pixels);
      swap = 0;
      from += step;
      to += out_step;
      column += step;
      columns_left -= rect_w;
      npu_window_service(w);
    } while (columns_left > 0);
    in += line;
    out += out_line;
    top += step_y;
    left -= rect_h;
  } while (left > 0);
  return ticket;
}

// Several runs a rectangle.
static npu_ticket_t many_passes(npu_window *w, const npu_window_tile *t, const dw_walk *walk,
                                npu_dw_pass pass, const uint8_t *weights, const int8_t *in,
                                int8_t *out, uint32_t *half_of) {
  const int32_t tap_line = w->dilation.h * t->in_line, tap_pixel = w->dilation.w * t->in_pixel;
  const int32_t kh = w->taps.h, kw = w->taps.w;
  uint32_t half = *half_of;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t y = 0; y < t->h; y += walk->rect_h) {
    const int32_t rows = min(walk->rect_h, t->h - y);
    for (int32_t x = 0; x < t->w; x += walk->rect_w) {
      const int32_t columns = min(walk->rect_w, t->w - x);
      const uint32_t pixels = (uint32_t)(rows * columns);
      const int8_t *const from = in + y * walk->line + x * walk->pixel;
      const int32_t column = walk->column + x * walk->pixel, top = walk->top + y * w->stride.h;
      npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)columns);
      uint32_t flags = NPU_MAC_SWAP;
      const uint8_t *taps = weights;
      for (int32_t j = 0; j < kh; j += pass.h) {
        const int32_t pass_h = min(pass.h, kh - j);
        for (int32_t i = 0; i < kw; i += pass.w) {
          const int32_t pass_w = min(pass.w, kw - i);
          npu_mac_ldw(taps, (uint32_t)(pass_h * pass_w));
          taps += pass_h * pass_w * NPU_BLOCK_CHANNELS;
          npu_csr_write(NPU_CSR_NPOS,
                        npu_position(column + i * tap_pixel, top + j * w->dilation.h));
          npu_mac_dw(from + j * tap_line + i * tap_pixel,
                     npu_mac_dw_ctl(half, pixels, (uint32_t)pass_w, (uint32_t)pass_h, flags));
          flags |= NPU_MAC_ACC;
        }
      }
      ticket = npu_mac_drain(out + y * t->out_line + x * t->out_pixel,
                             npu_mac_drain_ctl(half, pixels, (uint32_t)walk->channels, 0));
      half ^= NPU_RUN_PIXELS;
      npu_window_service(w);
    }
  }
  *half_of = half;
  return ticket;
}

// What does not change from tile to tile but with its width.
typedef struct dw_operator {
  const npu_dw_conv_params *params;
  npu_dw_pass pass;
  int single;                    // one run takes the whole window
  int32_t width, rect_w, rect_h; // of the last tile, of its runs
} dw_operator;

static void choose_rectangle(dw_operator *op, const npu_window *w, int32_t width) {
  op->width = width;
  const int32_t most = op->single ? SINGLE_PIXELS : NPU_RUN_PIXELS;
  op->rect_w = min(width, most);
  if (w->taps.h <= LINE_BUFFER_TAPS && width > LINE_BUFFER_COLUMNS / 4) {
    const int32_t widest = columns_of_line_buffer(w);
    if (op->rect_w > widest)
      op->rect_w = divide_up(width, divide_up(width, widest));
  }
  op->rect_h = most / op->rect_w;
}

// What stays the same for all tiles of a width.
static void set_csrs(const dw_operator *op, const npu_window *w, const npu_window_tile *t) {
  const npu_dw_conv_params *params = op->params;
  const int32_t pixel = w->stride.w * t->in_pixel;
  npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)op->rect_w);
  npu_csr_write(NPU_CSR_NXSTRIDE, (uint32_t)pixel);
  npu_csr_write(NPU_CSR_NYSTRIDE, (uint32_t)(w->stride.h * t->in_line));
  npu_csr_write(NPU_CSR_NROWSTRIDE, (uint32_t)(w->dilation.h * t->in_line));
  npu_csr_write(NPU_CSR_NTAPSTRIDE, (uint32_t)(w->dilation.w * t->in_pixel));
  npu_csr_write(NPU_CSR_NPXSTEP, npu_position(pixel, 0));
  npu_csr_write(NPU_CSR_NPYSTEP, npu_position(0, w->stride.h));
  npu_csr_write(NPU_CSR_NPAD, npu_pad(-params->input_offset, (uint32_t)w->dilation.h));
  npu_csr_write(NPU_CSR_NOXSTRIDE, (uint32_t)t->out_pixel);
  npu_csr_write(NPU_CSR_NOYSTRIDE, (uint32_t)t->out_line);
  npu_csr_write(NPU_CSR_NOQUANT,
                npu_oquant(params->output_offset, params->activation_min, params->activation_max));
}

static npu_ticket_t compute(npu_window *w, const npu_window_tile *t) {
  dw_operator *op = w->params;
  const npu_dw_pass pass = op->pass;
  const int single = op->single;
  npu_window_service(w);
  if (op->width != t->w) {
    choose_rectangle(op, w, t->w);
    set_csrs(op, w, t);
  }
  dw_walk walk = {.line = w->stride.h * t->in_line,
                  .pixel = w->stride.w * t->in_pixel,
                  .column = t->x * t->in_pixel,
                  .top = t->y,
                  .rect_w = op->rect_w,
                  .rect_h = op->rect_h};
  const int8_t *in = t->in + t->y * t->in_line + walk.column;
  int8_t *out = t->out;
  const uint8_t *constants = t->constants;
  // Behind the last channel of the last pixel nothing is read.
  const int32_t last_pixel = (t->valid_w - 1) * t->in_pixel;
  uint32_t half = 0;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t left = t->channels; left > 0; left -= NPU_BLOCK_CHANNELS) {
    walk.channels = min(left, NPU_BLOCK_CHANNELS);
    npu_csr_write(NPU_CSR_NVALID, last_pixel < 0 ? npu_valid(1, 0)
                                                 : npu_valid((uint32_t)(last_pixel + walk.channels),
                                                             (uint32_t)t->valid_h));
    npu_mac_ldq(constants);
    if (single) {
      npu_mac_ldw(constants + NPU_TABLE_BYTES, (uint32_t)(pass.h * pass.w));
      ticket = single_pass(w, t, &walk, in, out);
    } else {
      ticket = many_passes(w, t, &walk, pass, constants + NPU_TABLE_BYTES, in, out, &half);
    }
    constants += w->block_bytes;
    in += NPU_BLOCK_CHANNELS;
    out += NPU_BLOCK_CHANNELS;
  }
  return ticket;
}

static __attribute__((noinline)) void set_window(npu_window *w, const npu_dw_conv_params *params,
                                                 const npu_dims *input, const npu_dims *filter,
                                                 const npu_dims *output) {
  w->in = *input;
  w->out = *output;
  w->taps.h = filter->h;
  w->taps.w = filter->w;
  w->stride = params->stride;
  w->dilation = params->dilation;
  w->padding = params->padding;
  w->in_pixel = params->input_pixel;
  w->in_line = params->input_line;
  w->out_pixel = params->output_pixel;
  w->out_line = params->output_line;
  w->element = 1;
  w->spread = 1;
  w->dense = w->planes = 0;
  w->work_bytes = 0;
  w->block_bytes = npu_dw_block_bytes(filter);
  w->compute = compute;
}

static int in_tcm(const void *address) {
  return (uint32_t)address - NPU_TCM_BASE < npu_csr_read(NPU_CSR_NTCMSIZE);
}

static npu_status check(const npu_dw_conv_params *params, const npu_dims *input,
                        const npu_dims *filter, const npu_dims *output) {
  const npu_status status = npu_dw_check_filter(params, filter);
  return status == NPU_OK && input->c * params->channel_multiplier == filter->c &&
                 output->c == filter->c
             ? NPU_OK
             : NPU_ERROR_ARGUMENT;
}

uint32_t npu_depthwise_conv_s8_get_buffer_size(const npu_dw_conv_params *params,
                                               const npu_dims *input_dims,
                                               const npu_dims *filter_dims,
                                               const npu_dims *output_dims) {
  if (check(params, input_dims, filter_dims, output_dims) != NPU_OK)
    return 0;
  if (params->channel_multiplier > 1) {
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    return npu_conv_s8_get_buffer_size(&conv, input_dims, &dense, output_dims);
  }
  npu_window w = {.constants = filter_dims}; // any address outside of TCM
  set_window(&w, params, input_dims, filter_dims, output_dims);
  return npu_window_buffer_size(&w);
}

npu_status npu_depthwise_conv_s8(const npu_context *context, const npu_dw_conv_params *params,
                                 const npu_dims *input_dims, const int8_t *input,
                                 const npu_dims *filter_dims, const void *packed,
                                 const npu_dims *output_dims, int8_t *output) {
  const npu_status status = check(params, input_dims, filter_dims, output_dims);
  if (status != NPU_OK)
    return status;
  if (params->channel_multiplier > 1) {
    if ((params->input_pixel | params->input_line | params->output_pixel | params->output_line) !=
        0)
      return NPU_ERROR_ARGUMENT;
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    return npu_conv_s8(context, &conv, input_dims, input, &dense, packed, output_dims, output);
  }
  if (!in_tcm(input) && !in_tcm(output)) {
    const int constants_in_tcm = in_tcm(packed) && ((uint32_t)packed & 3) == 0;
    if (__start_npu_generated_dw != __stop_npu_generated_dw) {
      const npu_dw_problem problem = {*input_dims, *filter_dims,     *output_dims,
                                      *params,     constants_in_tcm, context->size};
      const npu_generated_dw *const generated = npu_find_generated_dw(&problem);
      if (generated != 0)
        return generated->run(context, input, packed, output);
    }
    npu_dw_plan plan;
    if (npu_dw_plan_lay_out(&plan, 0, params, input_dims, filter_dims, output_dims,
                            constants_in_tcm, context->size) == NPU_OK)
      return npu_dw_plan_run(&plan, context, input, packed, output);
  }
  npu_window w;
  set_window(&w, params, input_dims, filter_dims, output_dims);
  dw_operator op = {.params = params, .pass = npu_dw_pass_of(filter_dims->h, filter_dims->w)};
  op.single = op.pass.h == filter_dims->h && op.pass.w == filter_dims->w;
  w.params = &op;
  w.input = input;
  w.output = output;
  w.constants = packed;
  return npu_window_run(&w, context);
}
