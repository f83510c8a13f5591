// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a fully connected layer streams through the scratchpad: which rows of the input and which
// chunks of the weights are there at a time. The functions of npu/fully_connected.h make such a
// plan at each call; a program that runs a layer more than once can make it before, and npu-kgen
// writes it into a kernel.

#ifndef NPU_FULLY_CONNECTED_PLAN_H
#define NPU_FULLY_CONNECTED_PLAN_H

#include "conv_plan.h"
#include "fully_connected.h"

#ifdef __cplusplus
extern "C" {
#endif

// The functions of npu/fully_connected.h.
enum { NPU_FC_S8, NPU_FC_S4, NPU_FC_S4_BLOCK, NPU_FC_S16 };

// A layer and what a plan has to know besides.
typedef struct npu_fc_problem {
  npu_dims input, filter;
  npu_fc_params params;
  int32_t form;           // NPU_FC_...
  uint32_t placement;     // NPU_CONV_..._TCM (npu/conv_plan.h): operands in the scratchpad
  uint32_t scratch_bytes; // that the plan may use
} npu_fc_problem;

// What distinguishes the plans for one problem.
typedef struct npu_fc_choice {
  int32_t rows;        // batches of a tile at most, up to 128, of int16 64
  int32_t tiles;       // 1 or 2 in the scratchpad
  uint32_t slot_bytes; // of a chunk of weights at most
} npu_fc_choice;

// Layout of the packed constants.
typedef struct npu_fc_layout {
  int32_t step_rows, step_shift;    // inputs of a step, 1 << step_shift
  uint32_t table_bytes, step_bytes; // of 16 outputs
} npu_fc_layout;

typedef struct npu_fc_plan {
  npu_fc_layout layout;
  npu_fc_params params;
  int32_t element; // bytes of an activation; the planes of int16 lie `plane` bytes apart
  int32_t with_scales;
  int32_t inputs, outputs, batches;
  uint32_t int4; // flag of mac.ldw
  uint32_t steps, full_steps, blocks, block_bytes;
  int32_t in_place, out_in_place, weights_in_place; // operands in the scratchpad
  int32_t rows;                                     // batches of a tile
  uint32_t pitch, plane;                            // of the tile's rows; plane = 0: bytes have one
  uint32_t tile_bytes, tiles;                       // tiles in the scratch buffer
  uint32_t steps_of_half;                           // with scales
  uint32_t chunk_blocks, chunk_steps;               // whole blocks of a chunk, or steps of a block
  uint32_t group;                 // blocks whose outputs are stored together, a power of two
  uint32_t slot_bytes, out_bytes; // of a slot
  uint32_t out_step;              // from one block's outputs to those of the next one
  int32_t late;                   // a slot is loaded again when the next chunk is under way
  int32_t many_rows;              // each run takes longer than the core needs for a step
  int32_t streamed;               // few rows, whose time is that of the weights on the bus
  // Not 0: the first two blocks go step by step side by side, while the inputs come in; so many
  // chunks have their weights, of one block and of the other by turns.
  uint32_t pair_chunks;
  uint32_t scratch_bytes;
} npu_fc_plan;

// Plans a layer. NPU_ERROR_ARGUMENT for a value out of its range, NPU_ERROR_BUFFER if the smallest
// plan needs more than scratch_bytes. Plain C that may run on the host as well.
npu_status npu_fc_plan_make(npu_fc_plan *plan, const npu_fc_problem *problem);

// The same for a choice, 0 for the library's; NPU_ERROR_BUFFER also if it does not fit.
npu_status npu_fc_plan_fill(npu_fc_plan *plan, const npu_fc_problem *problem,
                            const npu_fc_choice *choice);

// Executes a plan; the operands are those of the form's function, where the plan has them.
npu_status npu_fc_plan_run(const npu_fc_plan *plan, const npu_context *context, const void *input,
                           const void *packed, void *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_FULLY_CONNECTED_PLAN_H
