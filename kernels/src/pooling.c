// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Average and max pooling in vector code (npu/pooling.h), a vector of channels at a time.

#include "npu/pooling.h"

#include "pool_tile.h"
#include "vector.h"
#include "window.h"

// Maxima; with constant rows and columns the loops are unrolled.
#define MAX_OF(name, vector, load, store, broadcast, lowest)                                       \
  NPU_VECTOR_INLINE void name##_of(const npu_pool_run *run, npu_pool_clamp clamp, int32_t rows,    \
                                   int32_t columns) {                                              \
    const vector low = broadcast(clamp.min), high = broadcast(clamp.max);                          \
    const int8_t *first = run->in;                                                                 \
    int8_t *out = run->out;                                                                        \
    const int32_t pixel = run->pixel, line = run->line, step = run->step,                          \
                  out_step = run->out_step;                                                        \
    const uint32_t lanes = run->lanes;                                                             \
    for (int32_t left = run->count; left > 0; --left, first += step, out += out_step) {            \
      vector most = broadcast(lowest);                                                             \
      const int8_t *row = first;                                                                   \
      for (int32_t y = 0; y < rows; ++y, row += line) {                                            \
        const int8_t *at = row;                                                                    \
        for (int32_t x = 0; x < columns; ++x, at += pixel)                                         \
          most = npu_v_max(most, load(at, lanes));                                                 \
      }                                                                                            \
      store(npu_v_min(npu_v_max(most, low), high), out, lanes);                                    \
    }                                                                                              \
  }                                                                                                \
  static void name(const npu_pool_run *run, npu_pool_clamp clamp) {                                \
    if (run->rows == 2 && run->columns == 2)                                                       \
      name##_of(run, clamp, 2, 2);                                                                 \
    else if (run->rows == 3 && run->columns == 3)                                                  \
      name##_of(run, clamp, 3, 3);                                                                 \
    else                                                                                           \
      name##_of(run, clamp, run->rows, run->columns);                                              \
  }

MAX_OF(max_s8, npu_int8x64_t, npu_v_ldl_b, npu_v_stl_b, npu_v_bcast_b, INT8_MIN)
MAX_OF(max_s16, npu_int16x32_t, npu_v_ldl_h, npu_v_stl_h, npu_v_bcast_h, INT16_MIN)

// Division by the positions of a window: n / count = high word of n * reciprocal, and sometimes one
// more.
typedef struct divisor {
  int32_t count;
  uint32_t reciprocal; // 2^32 / count, rounded up; 0 for count = 1
  int exact;           // no correction needed
} divisor;

// `largest` bounds the magnitude of a value. reciprocal * count - 2^32 is at most count, so the
// quotient is exact where n * count stays below 2^32.
static divisor divisor_of(int32_t count, uint32_t largest) {
  const divisor d = {count, UINT32_MAX / (uint32_t)count + 1,
                     (uint64_t)largest * (uint32_t)count * (uint32_t)count < UINT32_MAX};
  return d;
}

// Half away from zero.
NPU_VECTOR_INLINE npu_int32x16_t mean(npu_int32x16_t sum, divisor d) {
  if (d.count == 1)
    return sum;
  const npu_uint32x16_t n = (npu_uint32x16_t)npu_v_abs(sum) + (uint32_t)d.count / 2;
  npu_uint32x16_t q = npu_v_mulh(n, (npu_uint32x16_t)npu_v_bcast_w((int32_t)d.reciprocal));
  if (!d.exact) // -1 where the quotient is one too large
    q += (npu_uint32x16_t)((npu_int32x16_t)(n - q * (uint32_t)d.count) < 0);
  const npu_int32x16_t negative = sum < 0, quotient = (npu_int32x16_t)q;
  return (quotient ^ negative) - negative;
}

// The same in halfwords: exact for up to 22 bytes, whose sums with their half stay below 2^16 /
// count.
enum { HALFWORD_MEANS = 22 };
NPU_VECTOR_INLINE npu_int16x32_t halfword_mean(npu_int16x32_t sum, int32_t count,
                                               int32_t reciprocal) {
  const npu_uint16x32_t n = (npu_uint16x32_t)npu_v_abs(sum) + (uint16_t)(count / 2);
  const npu_int16x32_t q =
      (npu_int16x32_t)npu_v_mulh(n, (npu_uint16x32_t)npu_v_bcast_h(reciprocal));
  const npu_int16x32_t negative = sum >> 15;
  return (q ^ negative) - negative;
}

NPU_VECTOR_INLINE void small_avg_of(const npu_pool_run *run, npu_pool_clamp clamp, int32_t rows,
                                    int32_t columns) {
  const npu_int8x64_t low = npu_v_bcast_b(clamp.min), high = npu_v_bcast_b(clamp.max),
                      one = npu_v_bcast_b(1);
  const int32_t count = rows * columns, reciprocal = 65536 / count + 1;
  const int32_t pixel = run->pixel, line = run->line, step = run->step, out_step = run->out_step;
  const uint32_t lanes = run->lanes;
  const int8_t *first = run->in;
  int8_t *out = run->out;
  for (int32_t left = run->count; left > 0; --left, first += step, out += out_step) {
    npu_int16x32_t lo = npu_v_bcast_h(0), hi = lo;
    const int8_t *row = first;
    for (int32_t y = 0; y < rows; ++y, row += line) {
      const int8_t *at = row;
      for (int32_t x = 0; x < columns; ++x, at += pixel) {
        const npu_int8x64_t v = npu_v_ldl_b(at, lanes);
        lo = npu_v_wmacclo(lo, v, one);
        hi = npu_v_wmacchi(hi, v, one);
      }
    }
    const npu_int8x64_t v =
        npu_v_pack(halfword_mean(lo, count, reciprocal), halfword_mean(hi, count, reciprocal));
    npu_v_stl_b(npu_v_min(npu_v_max(v, low), high), out, lanes);
  }
}

static void large_avg_s8(const npu_pool_run *run, npu_pool_clamp clamp) {
  enum { HALFWORD_TAPS = 256 }; // sums of so many bytes fit into halfwords
  const npu_int8x64_t low = npu_v_bcast_b(clamp.min), high = npu_v_bcast_b(clamp.max),
                      one = npu_v_bcast_b(1);
  const divisor d = divisor_of(run->rows * run->columns, 129);
  const int8_t *first = run->in;
  int8_t *out = run->out;
  for (int32_t left = run->count; left > 0; --left, first += run->step, out += run->out_step) {
    const npu_int32x16_t zero = npu_v_bcast_w(0);
    npu_words sum = {{zero, zero, zero, zero}};
    const int8_t *row = first;
    for (int32_t y = 0; y < run->rows;) {
      npu_int16x32_t lo = npu_v_bcast_h(0), hi = lo;
      int32_t taps = 0;
      do {
        const int8_t *at = row;
        for (int32_t x = 0; x < run->columns; ++x, at += run->pixel) {
          const npu_int8x64_t v = npu_v_ldl_b(at, run->lanes);
          lo = npu_v_wmacclo(lo, v, one);
          hi = npu_v_wmacchi(hi, v, one);
        }
        row += run->line;
        taps += run->columns;
      } while (++y < run->rows && taps + run->columns <= HALFWORD_TAPS);
      const npu_words part = npu_widen((npu_halves){lo, hi});
      for (int i = 0; i < 4; ++i)
        sum.q[i] += part.q[i];
    }
    for (int i = 0; i < 4; ++i)
      sum.q[i] = mean(sum.q[i], d);
    npu_v_stl_b(npu_v_min(npu_v_max(npu_narrow(sum), low), high), out, run->lanes);
  }
}

static void avg_s8(const npu_pool_run *run, npu_pool_clamp clamp) {
  const int32_t count = run->rows * run->columns;
  if (run->rows == 2 && run->columns == 2)
    small_avg_of(run, clamp, 2, 2);
  else if (run->rows == 3 && run->columns == 3)
    small_avg_of(run, clamp, 3, 3);
  else if (count > 1 && count <= HALFWORD_MEANS)
    small_avg_of(run, clamp, run->rows, run->columns);
  else
    large_avg_s8(run, clamp);
}

static void avg_s16(const npu_pool_run *run, npu_pool_clamp clamp) {
  const npu_int16x32_t low = npu_v_bcast_h(clamp.min), high = npu_v_bcast_h(clamp.max),
                       one = npu_v_bcast_h(1);
  const divisor d = divisor_of(run->rows * run->columns, 32769);
  const int8_t *first = run->in;
  int8_t *out = run->out;
  for (int32_t left = run->count; left > 0; --left, first += run->step, out += run->out_step) {
    npu_int32x16_t lo = npu_v_bcast_w(0), hi = lo;
    const int8_t *row = first;
    for (int32_t y = 0; y < run->rows; ++y, row += run->line) {
      const int8_t *at = row;
      for (int32_t x = 0; x < run->columns; ++x, at += run->pixel) {
        const npu_int16x32_t v = npu_v_ldl_h(at, run->lanes);
        lo = npu_v_wmacclo(lo, v, one);
        hi = npu_v_wmacchi(hi, v, one);
      }
    }
    const npu_int16x32_t v = npu_v_pack(mean(lo, d), mean(hi, d));
    npu_v_stl_h(npu_v_min(npu_v_max(v, low), high), out, run->lanes);
  }
}

static inline int32_t min(int32_t a, int32_t b) {
  return a < b ? a : b;
}
static inline int32_t max(int32_t a, int32_t b) {
  return a > b ? a : b;
}

// A line is cut where the number of the window's columns inside the image changes.
static npu_ticket_t compute(npu_window *w, const npu_window_tile *t) {
  const npu_pool_operator *op = w->params;
  npu_window_service(w);
  const int32_t lanes = NPU_BLOCK / w->element;
  const int32_t stride = w->stride.w, kw = w->taps.w, kh = w->taps.h;
  npu_pool_run run = {.pixel = t->in_pixel,
                      .line = t->in_line,
                      .step = stride * t->in_pixel,
                      .out_step = t->out_pixel};
  for (int32_t channel = 0; channel < t->channels; channel += lanes) {
    run.lanes = (uint32_t)min(lanes, t->channels - channel);
    for (int32_t oy = 0; oy < t->h; ++oy) {
      const int32_t y = t->y + oy * w->stride.h, top = max(y, 0);
      run.rows = min(y + kh, t->valid_h) - top;
      const int8_t *const line = t->in + top * t->in_line + channel * w->element;
      run.out = t->out + oy * t->out_line + channel * w->element;
      int32_t x = t->x;
      for (int32_t ox = 0; ox < t->w; ox += run.count) {
        const int32_t left = max(x, 0);
        run.columns = min(x + kw, t->valid_w) - left;
        run.in = line + left * t->in_pixel;
        run.count = 1;
        if (x >= 0 && x + kw <= t->valid_w) { // whole windows follow each other
          run.count = t->w - ox;
          if (x + (run.count - 1) * stride + kw > t->valid_w)
            run.count = (t->valid_w - kw - x) / stride + 1;
        }
        op->function(&run, op->clamp);
        run.out += run.count * t->out_pixel;
        x += run.count * stride;
      }
      npu_window_service(w);
    }
  }
  return NPU_TICKET_DONE;
}

static void set_window(npu_window *w, const npu_pool_params *params, const npu_dims *input,
                       const npu_dims *filter, const npu_dims *output, int32_t element) {
  w->in = *input;
  w->out = *output;
  w->taps.h = filter->h;
  w->taps.w = filter->w;
  w->stride = params->stride;
  w->dilation.h = w->dilation.w = 1;
  w->padding = params->padding;
  w->in_pixel = params->input_pixel;
  w->in_line = params->input_line;
  w->out_pixel = params->output_pixel;
  w->out_line = params->output_line;
  w->element = element;
  w->spread = 0;
  w->dense = w->planes = 0;
  w->work_bytes = 0;
  w->constants = 0;
  w->block_bytes = 0;
  w->compute = compute;
}

npu_pool_operator npu_pool_operator_s8(const npu_pool_params *params, int max) {
  return (npu_pool_operator){max ? max_s8 : avg_s8,
                             {params->activation_min, params->activation_max}};
}

static uint32_t buffer_size(const npu_pool_params *params, const npu_dims *input,
                            const npu_dims *filter, const npu_dims *output, int32_t element) {
  npu_window w = {0};
  set_window(&w, params, input, filter, output, element);
  return npu_window_buffer_size(&w);
}

// The last window begins inside the image, the first one ends there.
static int covers(int32_t in, int32_t out, int32_t taps, int32_t stride, int32_t padding) {
  return padding < taps && (int64_t)(out - 1) * stride - padding < in;
}

int npu_pool_valid(const npu_pool_params *params, const npu_dims *input, const npu_dims *filter,
                   const npu_dims *output, int32_t low, int32_t high) {
  return params->activation_min >= low && params->activation_max <= high &&
         params->activation_min <= params->activation_max &&
         covers(input->h, output->h, filter->h, params->stride.h, params->padding.h) &&
         covers(input->w, output->w, filter->w, params->stride.w, params->padding.w);
}

static npu_status run(const npu_context *context, const npu_pool_params *params,
                      const npu_dims *input_dims, const void *input, const npu_dims *filter_dims,
                      const npu_dims *output_dims, void *output, int32_t element,
                      npu_pool_function function) {
  const int32_t low = element == 1 ? INT8_MIN : INT16_MIN,
                high = element == 1 ? INT8_MAX : INT16_MAX;
  if (!npu_pool_valid(params, input_dims, filter_dims, output_dims, low, high))
    return NPU_ERROR_ARGUMENT;
  npu_pool_operator op = {function, {params->activation_min, params->activation_max}};
  npu_window w;
  set_window(&w, params, input_dims, filter_dims, output_dims, element);
  w.params = &op;
  w.input = input;
  w.output = output;
  return npu_window_run(&w, context);
}

uint32_t npu_pool_s8_get_buffer_size(const npu_pool_params *params, const npu_dims *input_dims,
                                     const npu_dims *filter_dims, const npu_dims *output_dims) {
  return buffer_size(params, input_dims, filter_dims, output_dims, 1);
}

uint32_t npu_pool_s16_get_buffer_size(const npu_pool_params *params, const npu_dims *input_dims,
                                      const npu_dims *filter_dims, const npu_dims *output_dims) {
  return buffer_size(params, input_dims, filter_dims, output_dims, 2);
}

npu_status npu_avg_pool_s8(const npu_context *context, const npu_pool_params *params,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const npu_dims *output_dims,
                           int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, output_dims, output, 1, avg_s8);
}

npu_status npu_max_pool_s8(const npu_context *context, const npu_pool_params *params,
                           const npu_dims *input_dims, const int8_t *input,
                           const npu_dims *filter_dims, const npu_dims *output_dims,
                           int8_t *output) {
  return run(context, params, input_dims, input, filter_dims, output_dims, output, 1, max_s8);
}

npu_status npu_avg_pool_s16(const npu_context *context, const npu_pool_params *params,
                            const npu_dims *input_dims, const int16_t *input,
                            const npu_dims *filter_dims, const npu_dims *output_dims,
                            int16_t *output) {
  return run(context, params, input_dims, input, filter_dims, output_dims, output, 2, avg_s16);
}

npu_status npu_max_pool_s16(const npu_context *context, const npu_pool_params *params,
                            const npu_dims *input_dims, const int16_t *input,
                            const npu_dims *filter_dims, const npu_dims *output_dims,
                            int16_t *output) {
  return run(context, params, input_dims, input, filter_dims, output_dims, output, 2, max_s16);
}
