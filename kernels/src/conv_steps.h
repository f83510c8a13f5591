// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a convolution window is cut into the array's steps of up to 16 weight rows, 32 with int4
// weights. The packer and the planner walk the same sequence.
//
// In NHWC the kw * c_in bytes of one window row are contiguous, so the window is a string of kh
// such rows, cut every 16 bytes; the activation fetch joins the end of one row to the starts of up
// to three following ones. With horizontal dilation or groups only the bytes of one tap are
// contiguous, and a step stays inside its tap.

#ifndef NPU_CONV_STEPS_H
#define NPU_CONV_STEPS_H

#include "npu/conv_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  NPU_STEP_ROWS = 16,      // rows of the array: int8 weights of a step and output channel
  NPU_MAX_WINDOW_ROWS = 4, // that one activation vector may span
};

// Weight rows of a step.
static inline int32_t npu_conv_step_rows(int32_t weight_bits) {
  return weight_bits == 4 ? 32 : 16;
}

// True if the bytes of a window row are contiguous.
static inline int npu_conv_rows_joined(const npu_conv_params *params) {
  return params->dilation.w == 1 && params->groups <= 1;
}

typedef struct npu_conv_step {
  int32_t ky, kx; // tap of the step's first byte; kx is 0 where rows are joined
  int32_t byte;   // the first byte's offset from the start of that row or tap
  int32_t k;      // bytes, 1..32
  int32_t first;  // bytes from the first window row, 0 = all
} npu_conv_step;

// Contiguous bytes of the input under the window.
static inline int32_t npu_conv_row_bytes(const npu_dims *filter, const npu_conv_params *params) {
  return npu_conv_rows_joined(params) ? filter->w * filter->c : filter->c;
}

static inline npu_conv_step npu_conv_fit_step(const npu_dims *filter, const npu_conv_params *params,
                                              int32_t step_rows, int32_t ky, int32_t kx,
                                              int32_t byte) {
  const int32_t row = npu_conv_row_bytes(filter, params);
  const int32_t left_in_row = row - byte;
  int32_t k = left_in_row;
  if (npu_conv_rows_joined(params)) {
    int32_t rows = filter->h - ky;
    if (rows > NPU_MAX_WINDOW_ROWS)
      rows = NPU_MAX_WINDOW_ROWS;
    k += (rows - 1) * row;
  }
  if (k > step_rows)
    k = step_rows;
  const npu_conv_step step = {ky, kx, byte, k, k > left_in_row ? left_in_row : 0};
  return step;
}

static inline npu_conv_step npu_conv_first_step(const npu_dims *filter,
                                                const npu_conv_params *params, int32_t step_rows) {
  return npu_conv_fit_step(filter, params, step_rows, 0, 0, 0);
}

// Moves to the next step; false behind the last one.
static inline int npu_conv_next_step(const npu_dims *filter, const npu_conv_params *params,
                                     int32_t step_rows, npu_conv_step *step) {
  const int32_t row = npu_conv_row_bytes(filter, params);
  int32_t ky = step->ky, kx = step->kx, byte = step->byte + step->k;
  while (byte >= row) {
    byte -= row;
    if (npu_conv_rows_joined(params) || ++kx == filter->w) {
      kx = 0;
      ++ky;
    }
  }
  if (ky >= filter->h)
    return 0;
  *step = npu_conv_fit_step(filter, params, step_rows, ky, kx, byte);
  return 1;
}

// Index of the step's first weight in the [kh, kw, c_in] order of one filter.
static inline int32_t npu_conv_step_weight(const npu_dims *filter, const npu_conv_step *step) {
  return (step->ky * filter->w + step->kx) * filter->c + step->byte;
}

uint32_t npu_conv_count_steps(const npu_dims *filter, const npu_conv_params *params,
                              int32_t step_rows);

// Ranges of the values that do not depend on the input's and output's extents.
npu_status npu_conv_check_filter(const npu_dims *filter, const npu_conv_params *params);

// npu_conv_packed_size and npu_conv_plan_make of a problem that has passed npu_conv_check.
uint32_t npu_conv_packed_bytes(const npu_conv_problem *problem);
npu_status npu_conv_plan_search(npu_conv_plan *plan, const npu_conv_problem *problem);

// Writes the table of one block of up to 16 channels from channel `first` on; folds what is in
// `sum` (for each channel of the block) into the bias.
void npu_pack_table(const npu_per_channel_quant *quant, const int32_t *bias, int32_t channels,
                    int32_t first, const int32_t *sum, void *table);

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_STEPS_H
