// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the fully connected layers share: fully_connected.c brings tiles of batches and
// chunks of weights, fc_array.c runs them through the array, fc_outputs.c has the outputs made and
// stores them.

#ifndef NPU_SRC_FC_JOB_H
#define NPU_SRC_FC_JOB_H

#include "fc_layout.h"
#include "npu/unit_errors.h"
#include "vector.h"

#include <npu/dma.h>

typedef struct fc_pending { // a block behind its runs
  npu_ticket_t ticket;      // of its drain, or of its last run
  // Sums that the core has to requantize.
  const uint8_t *table;
  int8_t *out; // of the first row
  uint32_t block, outputs;
  uint32_t row, plane_rows; // first accumulator row, rows to the sums of the second plane
  int32_t rows;             // 0: the drain does it
  // Behind the last block of a group: what is stored then, and from which slot.
  int8_t *store_to; // or null
  uint32_t store_outputs, store_rows, store_slot;
} fc_pending;

// Sums of blocks of 32 inputs that wait to be scaled and added up.
typedef struct fc_scaled {
  npu_ticket_t ticket;
  uint32_t row, count;   // first accumulator row, steps
  const uint8_t *scales; // of the first step
  int first;             // of the block
} fc_scaled;

// Rows of a tile where the array reads them, of which some inputs may still be under way.
typedef struct fc_rows {
  const int8_t *at;
  int32_t count;
  npu_ticket_t parts[FC_PARTS]; // by turns
  uint32_t part_steps;          // of a part
  // Parts and steps that have been started, whence and where to the rows come.
  uint32_t parts_begun, steps_begun;
  const int8_t *from;
  int8_t *to;
  uint32_t to_pitch;
} fc_rows;

typedef struct fc_job {
  npu_fc_plan p;
  const int8_t *input;
  const uint8_t *packed;
  int8_t *output;

  // Scratch buffer.
  npu_dma_descriptor *loads, *stores, *parts; // FC_SLOTS, four, FC_PARTS
  uint8_t *tables;                            // of the blocks in the two halves
  npu_int32x16_t *sums;                       // of the tile's rows, with scales of blocks
  int8_t *tile, *raw;                         // rows, and int16 rows before they are split
  uint8_t *slots;
  int8_t *out_slots;

  // Chunks of weights: the next one to load and those in the slots.
  const uint8_t *load_from;
  int32_t load_rows; // batches for which weights are still to be loaded
  uint32_t load_block, load_step, chunk;
  npu_ticket_t loaded[FC_SLOTS], stored[2];
  uint32_t counts[FC_SLOTS]; // blocks or steps
  uint32_t used;             // chunks through which the array is, but for the one at work
  npu_ticket_t last;         // of their runs

  // Where the array is.
  fc_rows tile_rows[2], *now; // by turns
  int32_t first, brought; // first batch of the tile; batches whose rows have come or are on the way
  uint32_t next_tile;
  npu_ticket_t behind; // last run of the tile before
  int8_t *tile_output;
  uint32_t present, part; // steps of the tile whose inputs are there, next part
  uint32_t block, step, half;
  fc_pending pending;
  // Outputs: where those of the block at work go; groups so far, first block of the one at work and
  // of the next one (0: the outputs stay where they are).
  int8_t *out;
  uint32_t groups, group_first, group_end;
  int drained;          // the block at work: the drain requantizes its sums
  const uint8_t *table; // of the block at work, if it does not
  npu_ticket_t copies_read; // the last drain that takes a table from the copies
  fc_scaled scaled;
} fc_job;

// From an output's row to the next one where the array's outputs go.
static inline uint32_t npu_fc_output_pitch(const fc_job *j) {
  return (uint32_t)((j->p.out_in_place ? j->p.outputs : NPU_BLOCK_CHANNELS) * j->p.element);
}

// Starts to load the next chunk, a part of a block or some blocks; whether there was one.
int npu_fc_load(fc_job *j);

// The blocks of the tile that are left.
void npu_fc_run_blocks(fc_job *j);

// The first two blocks, each step of one and then of the other, so that the array has
// work for the time that inputs take on the bus.
npu_ticket_t npu_fc_compute_pair(fc_job *j);

// Copies the table of a block whose sums will be in this half.
const uint8_t *npu_fc_copy_table(fc_job *j, const uint8_t *table, uint32_t half);

// Before the runs of a block: its table goes to the drain, whose rounding is the right one if no
// shift is above 0. Otherwise it is brought to where it stays until the block's outputs are made; a
// whole block whose slot is loaded late stays there for so long.
void npu_fc_begin_block(fc_job *j, const uint8_t *table);

// Issues `count` steps with nothing in between: the bus brings one each 16 cycles. ctl: of the
// first step's run; ldw: of each load. The ticket of the last run.
npu_ticket_t npu_fc_issue(const uint8_t *weights, const int8_t *in, uint32_t ctl, uint32_t count,
                          uint32_t ldw);

// Behind the runs of a block, the last one with this ticket: drains its sums or lets them wait for
// the core; the next block takes the other half. What waited before is finished.
void npu_fc_end_block(fc_job *j, npu_ticket_t ticket);

// Begins a group of blocks with the one at work.
void npu_fc_begin_group(fc_job *j);

// Waits for the outputs of the last block, or makes them, and starts the store of its group.
void npu_fc_finish(fc_job *j);

// What the core does while the array has steps of the next block in its queue: finishes the block
// before, starts the transfers that follow: of inputs of the tile, of weights into slots that the
// array is through with, of the next tile's rows.
void npu_fc_go_on(fc_job *j);

// Waits for the next part of the tile's inputs.
void npu_fc_bring_inputs(fc_job *j);

// The same for j->sums, all rows.
void npu_fc_requantize_scaled(fc_job *j);

#endif // NPU_SRC_FC_JOB_H
