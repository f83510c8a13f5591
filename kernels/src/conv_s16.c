// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of int16 activations (npu/conv_s16.h). The vector unit splits a tile into the planes
// of its bytes (wide.h), the array sums each of them in a quarter of the accumulators, and the
// vector unit joins and requantizes these sums while the array works in the other half.

#include "npu/conv_s16.h"

#include "conv_s16_layout.h"
#include "vector_stream.h"
#include "wide.h"
#include "window.h"

enum {
  PIXELS = NPU_RUN_PIXELS / 2, // of a run: both planes share a half
  LOW_PAD = -128,              // the zero point's bytes
  HIGH_PAD = 0,
};

// A rectangle of output pixels whose sums are or will be in the accumulators.
typedef struct s16_rect {
  npu_ticket_t ticket; // of its last run
  uint32_t row;        // of the low bytes; those of the high ones follow
  int8_t *out;
  int32_t rows, columns;
  uint32_t channels;
} s16_rect;

typedef struct s16_operator {
  int depthwise;
  npu_conv_params conv; // of the window, also of a depthwise layer
  npu_dims filter;
  npu_dw_pass pass;
  int32_t min, max;
  // Of a dense layer: the constants, in TCM, or one or two slots to which those of a block are
  // loaded.
  const uint8_t *packed;
  int packed_in_place;
  uint32_t slots;
  npu_dma_descriptor load[2];
} s16_operator;

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}

// Where a run of both planes begins: bytes and position relative to the tile's planes.
typedef struct s16_start {
  int32_t offset, column, line;
} s16_start;

// Both planes with the weights that were loaded last.
static inline npu_ticket_t run_planes(const npu_window *w, int depthwise, s16_start at,
                                      uint32_t ctl, uint32_t row, uint32_t pixels,
                                      uint32_t line_step) {
  npu_csr_write(NPU_CSR_NPOS, npu_position(at.column, at.line));
  npu_csr_write(NPU_CSR_NPAD, npu_pad(LOW_PAD, line_step));
  const uint32_t low = ctl | NPU_MAC_SWAP | npu_mac_run_ctl(row, pixels, 0, 0, 0);
  const uint32_t high = ctl | npu_mac_run_ctl(row + pixels, pixels, 0, 0, 0);
  if (depthwise) {
    npu_mac_dw(w->plane_low + at.offset, low);
    npu_csr_write(NPU_CSR_NPAD, npu_pad(HIGH_PAD, line_step));
    return npu_mac_dw(w->plane_high + at.offset, high);
  }
  npu_mac_run(w->plane_low + at.offset, low);
  npu_csr_write(NPU_CSR_NPAD, npu_pad(HIGH_PAD, line_step));
  return npu_mac_run(w->plane_high + at.offset, high);
}

// All runs of a rectangle.
static npu_ticket_t run_rect(const npu_window *w, const s16_operator *op, const uint8_t *weights,
                             s16_start at, uint32_t row, uint32_t pixels, int32_t channels) {
  const uint32_t line_step = (uint32_t)w->dilation.h;
  const int32_t tap_line = w->dilation.h * w->plane_line, tap_pixel = w->dilation.w * channels;
  uint32_t add = 0;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  if (op->depthwise) {
    for (int32_t j = 0; j < w->taps.h; j += op->pass.h)
      for (int32_t i = 0; i < w->taps.w; i += op->pass.w) {
        const int32_t h = min(op->pass.h, w->taps.h - j), width = min(op->pass.w, w->taps.w - i);
        const s16_start start = {at.offset + j * tap_line + i * tap_pixel,
                                 at.column + i * tap_pixel, at.line + j * w->dilation.h};
        npu_mac_ldw(weights, (uint32_t)(h * width));
        ticket = run_planes(w, 1, start, npu_mac_dw_ctl(0, 0, (uint32_t)width, (uint32_t)h, add),
                            row, pixels, line_step);
        weights += h * width * NPU_BLOCK_CHANNELS;
        add = NPU_MAC_ACC;
      }
    return ticket;
  }
  npu_conv_step step = npu_conv_first_step(&op->filter, &op->conv, NPU_STEP_ROWS);
  do {
    const int32_t byte = step.kx * tap_pixel + step.byte;
    const s16_start start = {at.offset + step.ky * tap_line + byte, at.column + byte,
                             at.line + step.ky * w->dilation.h};
    npu_mac_ldw(weights, NPU_STEP_ROWS);
    ticket =
        run_planes(w, 0, start, npu_mac_run_ctl(0, 0, (uint32_t)step.k, (uint32_t)step.first, add),
                   row, pixels, line_step);
    weights += NPU_STEP_BYTES;
    add = NPU_MAC_ACC;
  } while (npu_conv_next_step(&op->filter, &op->conv, NPU_STEP_ROWS, &step));
  return ticket;
}

typedef struct s16_table {
  npu_int32x16_t bias_low, bias_high, multiplier, shift, least, most;
} s16_table;

// The value of an accumulator row; the sums of the high bytes are `high` rows behind it. right: no
// shift is above -2.
NPU_VECTOR_INLINE npu_int32x16_t join(const s16_table *q, uint32_t row, uint32_t high, int right) {
  const npu_int32x16_t upper = npu_v_accrd(row + high), lower = npu_v_accrd(row);
  const npu_int32x16_t value =
      right ? npu_requantize_wide_right(upper, lower, q->bias_low, q->bias_high, q->multiplier,
                                        q->shift)
            : npu_requantize_wide(npu_wide_product(upper, lower, q->bias_low, q->bias_high,
                                                   q->multiplier),
                                  q->shift);
  return npu_v_min(npu_v_max(value, q->least), q->most);
}

// Joins and requantizes a line of sums.
NPU_VECTOR_INLINE void requantize_line(const s16_table *q, uint32_t row, uint32_t high,
                                       int32_t columns, int8_t *out, int32_t out_pixel,
                                       uint32_t channels, int right) {
  for (int32_t left = columns; left > 0; --left, ++row, out += out_pixel)
    npu_v_stl_wh(join(q, row, high, right), out, channels);
}

// The sums of a rectangle.
static void requantize(const s16_operator *op, const npu_window_tile *t, const uint8_t *table,
                       const s16_rect *rect) {
  const s16_table q = {npu_v_ld_w(table + NPU_WIDE_BIAS_LOW),
                       npu_v_ld_w(table + NPU_WIDE_BIAS_HIGH),
                       npu_v_ld_w(table + NPU_WIDE_MULTIPLIER),
                       npu_v_ldl_bw(table + NPU_WIDE_SHIFT, NPU_BLOCK_CHANNELS),
                       npu_v_bcast_w(op->min),
                       npu_v_bcast_w(op->max)};
  const uint32_t high = (uint32_t)(rect->rows * rect->columns);
  const int right = npu_v_redmax(q.shift) <= -2;
  uint32_t row = rect->row;
  npu_wait(rect->ticket);
  for (int32_t y = 0; y < rect->rows; ++y, row += (uint32_t)rect->columns) {
    int8_t *const out = rect->out + y * t->out_line;
    if (right)
      requantize_line(&q, row, high, rect->columns, out, t->out_pixel, rect->channels, 1);
    else
      requantize_line(&q, row, high, rect->columns, out, t->out_pixel, rect->channels, 0);
  }
}

static void split_tile(const npu_window *w, const npu_window_tile *t) {
  // Pixels that follow each other are one row.
  const int joined = t->in_pixel == 2 * t->channels;
  const int32_t rows = joined ? 1 : t->valid_w,
                count = joined ? t->valid_w * t->channels : t->channels;
  for (int32_t y = 0; y < t->valid_h; ++y)
    for (int32_t x = 0; x < rows; ++x) {
      const int32_t to = y * w->plane_line + x * t->channels;
      npu_split_bytes(t->in + y * t->in_line + x * t->in_pixel, (uint32_t)count, w->plane_low + to,
                      w->plane_high + to);
    }
}

static npu_ticket_t load_block(s16_operator *op, const npu_window *w, int32_t block,
                               uint32_t bytes) {
  const uint32_t slot = (uint32_t)block & (op->slots - 1);
  op->load[slot] =
      npu_dma_1d((uint8_t *)w->work + slot * bytes, op->packed + (uint32_t)block * bytes, bytes);
  return npu_dma_submit(1, &op->load[slot]);
}

static npu_ticket_t compute(npu_window *w, const npu_window_tile *t) {
  s16_operator *op = w->params;
  const int32_t outputs = op->depthwise ? t->channels : w->out.c;
  const uint32_t block_bytes =
      op->depthwise ? w->block_bytes : npu_conv_s16_block_bytes(&op->conv, &op->filter);
  const int loads = !op->depthwise && !op->packed_in_place;
  npu_window_service(w);
  npu_ticket_t loading = loads ? load_block(op, w, 0, block_bytes) : NPU_TICKET_DONE;
  split_tile(w, t);

  const int32_t rect_w = min(t->w, PIXELS), rect_h = PIXELS / rect_w, c = t->channels;
  const int32_t pixel = w->stride.w * c;
  npu_csr_write(NPU_CSR_NXSTRIDE, (uint32_t)pixel);
  npu_csr_write(NPU_CSR_NYSTRIDE, (uint32_t)(w->stride.h * w->plane_line));
  npu_csr_write(NPU_CSR_NROWSTRIDE, (uint32_t)(w->dilation.h * w->plane_line));
  npu_csr_write(NPU_CSR_NROWLEN, (uint32_t)npu_conv_row_bytes(&op->filter, &op->conv));
  npu_csr_write(NPU_CSR_NTAPSTRIDE, (uint32_t)(w->dilation.w * c));
  npu_csr_write(NPU_CSR_NPXSTEP, npu_position(pixel, 0));
  npu_csr_write(NPU_CSR_NPYSTEP, npu_position(0, w->stride.h));

  uint32_t half = 0;
  for (int32_t block = 0; block * NPU_BLOCK_CHANNELS < outputs; ++block) {
    const int32_t channel = block * NPU_BLOCK_CHANNELS,
                  channels = min(NPU_BLOCK_CHANNELS, outputs - channel);
    const uint8_t *table = op->depthwise ? t->constants + (uint32_t)block * block_bytes
                                         : op->packed + (uint32_t)block * block_bytes;
    if (loads) {
      if (op->slots == 1 && block > 0)
        loading = load_block(op, w, block, block_bytes);
      npu_wait(loading);
      table = (const uint8_t *)w->work + ((uint32_t)block & (op->slots - 1)) * block_bytes;
      if (op->slots == 2 && channel + NPU_BLOCK_CHANNELS < outputs)
        loading = load_block(op, w, block + 1, block_bytes);
    }
    // A depthwise block begins at its channels, and nothing is read behind the last ones.
    const int32_t inside = op->depthwise ? channel : 0, last = op->depthwise ? channels : c;
    npu_csr_write(NPU_CSR_NVALID,
                  t->valid_w > 0
                      ? npu_valid((uint32_t)((t->valid_w - 1) * c + last), (uint32_t)t->valid_h)
                      : npu_valid(1, 0));
    s16_rect waiting = {.rows = 0};
    for (int32_t y = 0; y < t->h; y += rect_h)
      for (int32_t x = 0; x < t->w; x += rect_w) {
        s16_rect rect = {.row = half,
                         .out = t->out + y * t->out_line + x * t->out_pixel + 2 * channel,
                         .rows = min(rect_h, t->h - y),
                         .columns = min(rect_w, t->w - x),
                         .channels = (uint32_t)channels};
        const int32_t line = t->y + y * w->stride.h, column = (t->x + x * w->stride.w) * c;
        const s16_start at = {line * w->plane_line + column + inside, column, line};
        npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)rect.columns);
        rect.ticket = run_rect(w, op, table + NPU_WIDE_TABLE_BYTES, at, half,
                               (uint32_t)(rect.rows * rect.columns), c);
        if (waiting.rows != 0)
          requantize(op, t, table, &waiting);
        waiting = rect;
        half ^= NPU_RUN_PIXELS;
        npu_window_service(w);
      }
    requantize(op, t, table, &waiting);
  }
  return NPU_TICKET_DONE;
}

static void set_window(npu_window *w, const s16_operator *op, const npu_dims *input,
                       const npu_dims *output) {
  const npu_window window = {.in = *input,
                             .out = *output,
                             .taps = {op->filter.h, op->filter.w},
                             .stride = op->conv.stride,
                             .dilation = op->conv.dilation,
                             .padding = op->conv.padding,
                             .element = 2,
                             .dense = !op->depthwise,
                             .planes = 1,
                             .compute = compute};
  *w = window;
  if (op->depthwise)
    w->block_bytes = npu_dw_s16_block_bytes(&op->filter);
  else if (!op->packed_in_place)
    w->work_bytes = op->slots * npu_conv_s16_block_bytes(&op->conv, &op->filter);
}

static s16_operator conv_operator(const npu_conv_params *params, const npu_dims *filter) {
  const s16_operator op = {.conv = *params,
                           .filter = *filter,
                           .min = params->activation_min,
                           .max = params->activation_max,
                           .slots = 1};
  return op;
}

// With the pixels of a line as far apart as they are in a plane: channels.
static s16_operator depthwise_operator(const npu_dw_conv_params *params, const npu_dims *filter) {
  const s16_operator op = {.depthwise = 1,
                           .conv = npu_dw_conv_params_of(params),
                           .filter = {filter->c, filter->h, filter->w, 1},
                           .pass = npu_dw_pass_of(filter->h, filter->w),
                           .min = params->activation_min,
                           .max = params->activation_max};
  return op;
}

static int conv_shapes_ok(const npu_conv_params *params, const npu_dims *input,
                          const npu_dims *filter, const npu_dims *output) {
  return npu_conv_s16_filter_ok(params, filter) && input->c == filter->c && output->c == filter->n;
}

static int depthwise_shapes_ok(const npu_dw_conv_params *params, const npu_dims *input,
                               const npu_dims *filter, const npu_dims *output) {
  return npu_dw_s16_filter_ok(params, filter) &&
         input->c * params->channel_multiplier == filter->c && output->c == filter->c &&
         (params->input_pixel | params->input_line | params->output_pixel | params->output_line) ==
             0;
}

uint32_t npu_conv_s16_get_buffer_size(const npu_conv_params *params, const npu_dims *input_dims,
                                      const npu_dims *filter_dims, const npu_dims *output_dims) {
  if (!conv_shapes_ok(params, input_dims, filter_dims, output_dims))
    return 0;
  const s16_operator op = conv_operator(params, filter_dims);
  npu_window w;
  set_window(&w, &op, input_dims, output_dims);
  return npu_window_buffer_size(&w);
}

uint32_t npu_depthwise_conv_s16_get_buffer_size(const npu_dw_conv_params *params,
                                                const npu_dims *input_dims,
                                                const npu_dims *filter_dims,
                                                const npu_dims *output_dims) {
  if (!depthwise_shapes_ok(params, input_dims, filter_dims, output_dims))
    return 0;
  if (params->channel_multiplier > 1) {
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    return npu_conv_s16_get_buffer_size(&conv, input_dims, &dense, output_dims);
  }
  const s16_operator op = depthwise_operator(params, filter_dims);
  npu_window w;
  set_window(&w, &op, input_dims, output_dims);
  w.constants = filter_dims; // any address outside of TCM
  return npu_window_buffer_size(&w);
}

npu_status npu_conv_s16(const npu_context *context, const npu_conv_params *params,
                        const npu_dims *input_dims, const int16_t *input,
                        const npu_dims *filter_dims, const void *packed,
                        const npu_dims *output_dims, int16_t *output) {
  if (!conv_shapes_ok(params, input_dims, filter_dims, output_dims))
    return NPU_ERROR_ARGUMENT;
  s16_operator op = conv_operator(params, filter_dims);
  op.packed = packed;
  op.packed_in_place = npu_in_tcm(packed, npu_conv_s16_get_packed_size(filter_dims, params)) &&
                       ((uint32_t)packed & 3) == 0;
  npu_window w;
  op.slots = 2;
  set_window(&w, &op, input_dims, output_dims);
  if (npu_window_buffer_size(&w) > context->size) {
    op.slots = 1;
    set_window(&w, &op, input_dims, output_dims);
  }
  w.params = &op;
  w.input = input;
  w.output = output;
  return npu_window_run(&w, context);
}

npu_status npu_depthwise_conv_s16(const npu_context *context, const npu_dw_conv_params *params,
                                  const npu_dims *input_dims, const int16_t *input,
                                  const npu_dims *filter_dims, const void *packed,
                                  const npu_dims *output_dims, int16_t *output) {
  if (!depthwise_shapes_ok(params, input_dims, filter_dims, output_dims))
    return NPU_ERROR_ARGUMENT;
  if (params->channel_multiplier > 1) {
    const npu_conv_params conv = npu_dw_conv_params_of(params);
    const npu_dims dense = npu_dw_dense_filter(params, filter_dims);
    return npu_conv_s16(context, &conv, input_dims, input, &dense, packed, output_dims, output);
  }
  s16_operator op = depthwise_operator(params, filter_dims);
  npu_window w;
  set_window(&w, &op, input_dims, output_dims);
  w.params = &op;
  w.input = input;
  w.output = output;
  w.constants = packed;
  return npu_window_run(&w, context);
}
