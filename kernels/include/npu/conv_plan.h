// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a convolution is carried out: a plan is plain data that npu/conv_engine.h executes. The
// library makes one at run time from a few choices, npu-kgen one ahead of time from all of them;
// both judge a choice by npu_conv_plan_cost. Portable C: host and target.
//
// The work is cut into items. An item is one tile of output pixels times one slice of the weights:
// some blocks of 16 output channels or, where the weights of one block are too many, a piece
// (chunk) of the window of one block; the sums of a block's chunks stay in the accumulators. While
// an item is computed, the DMA loads what the next one needs and stores what the one before gave.
//
//   input-stationary    for each tile: for each slice     the weights stream, a tile's input is
//   loaded
//                                                         a piece behind each slice of the tile
//                                                         before
//   weight-stationary   for each slice: for each tile     the input streams
//
// Operands in the scratchpad are used where they lie.

#ifndef NPU_CONV_PLAN_H
#define NPU_CONV_PLAN_H

#include "nn_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  NPU_BLOCK_CHANNELS = 16, // columns of the array: output channels of a block
  NPU_STEP_BYTES = 256,    // packed weights of a step: 16 rows of 16 int8, or 32 of 16 int4
  NPU_SEGMENT_STEPS = 8,   // at most: between two segments the engine looks after the transfers
  NPU_SEGMENT_BYTES = NPU_SEGMENT_STEPS * NPU_STEP_BYTES,
  NPU_TABLE_BYTES = 144, // packed bias, multipliers and shifts of a block
  NPU_RUN_PIXELS = 128,    // accumulator rows of a half
  NPU_CONV_PARTS = 4,      // of a tile's input at most, see npu_conv_plan.parts
};

// Operands that lie in the scratchpad; the others are in DRAM, or in the scratchpad and are copied.
enum {
  NPU_CONV_INPUT_TCM = 1,
  NPU_CONV_OUTPUT_TCM = 2,
  NPU_CONV_WEIGHTS_TCM = 4,
};

typedef struct npu_conv_problem {
  npu_dims input;  // [n, h, w, c_in]
  npu_dims filter; // [c_out, kh, kw, c_in / groups]
  npu_dims output; // [n, oh, ow, c_out]
  npu_conv_params params;
  int32_t weight_bits; // 8 or 4
  uint32_t placement;  // NPU_CONV_..._TCM
  // Bytes from pixel to pixel and from line to line of operands in the scratchpad; 0 = dense. The
  // array is at its best where one of the two is an odd multiple of 16.
  int32_t in_pixel, in_pitch, out_pixel, out_pitch;
  uint32_t scratch_bytes; // that the plan may use
} npu_conv_problem;

// Up to 2^32-1 steps of the array along the window, each one weight load and one run, of which
// every one takes its bytes behind those of the one before.
typedef struct npu_conv_segment {
  int32_t offset;    // of the first byte, from the window's first byte in the tile
  uint32_t ctl;      // the K and `first` fields of mac.run
  uint32_t position; // of the first byte from the window's: column in bytes, line << 16
  uint32_t count;    // steps
} npu_conv_segment;

// What distinguishes the plans for one problem.
typedef struct npu_conv_choice {
  int32_t tile_h, tile_w; // output pixels of a tile
  int32_t first_h;        // lines of the first row of tiles: a short first load
  int32_t slice_blocks;   // blocks of 16 channels of a slice
  int32_t chunk_segments; // segments of a chunk; 0 = the whole window
  uint8_t column_order;   // pixels of a run go down the columns
  uint8_t pad_pixels;     // 16 bytes between the pixels of tiles
  uint8_t resident;       // all weights stay in the scratchpad
  uint8_t weight_stationary;
  uint8_t constant; // a generated kernel's: the core needs fewer instructions
  uint8_t
      single_input; // one buffer for the input: a tile is loaded when the one before is complete
} npu_conv_choice;

// How a tile is cut into runs: rectangles of output pixels. From one to the next: bytes, and
// positions in the upper half of a word.
typedef struct npu_conv_runs {
  int32_t h, w;
  int32_t in_x, in_y, out_x, out_y;
  uint32_t column, line;
} npu_conv_runs;

typedef struct npu_conv_plan {
  npu_conv_choice choice;

  // Tensors. With a window of one pixel only the input pixels that it meets count: stride 1.
  int32_t images, in_h, in_w, out_h, out_w;
  int32_t stride_h, stride_w, pad_h, pad_w;
  int32_t window_h, window_w; // extents, dilation included
  int32_t tiles;
  npu_conv_runs runs;
  // A tile that is loaded while nothing is computed comes in up to so many parts, and its first
  // item begins with the first of them: these are its runs, one for each part.
  int32_t parts;
  npu_conv_runs part_runs;

  // Channels.
  int32_t blocks, group_blocks; // of 16 output channels: in all and of one group
  int32_t group_in, group_out;  // channels of a group
  int32_t slices, chunks;       // slices of whole blocks, chunks of one block's window
  int32_t segments;             // of a window
  int32_t full_segments;        // all have NPU_SEGMENT_STEPS steps
  uint32_t step_bytes;          // input bytes of a step: 16, with int4 weights 32
  uint32_t ldw_rows;            // operand of mac.ldw
  uint32_t block_bytes;         // packed bytes of a block

  // Memory: bytes from pixel to pixel and line to line of the tiles in the scratchpad, and of the
  // tensors.
  uint32_t placement;
  uint32_t padded;        // some window reaches outside the input
  uint32_t load_channels; // 2: loads alternate between the DMA channels
  int32_t in_pixel, in_pitch, out_pixel, out_pitch;
  int32_t src_pixel, src_line, src_image, dst_pixel, dst_line, dst_image;
  int32_t in_bytes;    // of a pixel
  int32_t piece_lines; // input lines loaded with each slice
  // Offsets in the scratch buffer, bytes of a slot, and all bytes.
  uint32_t segments_at, weights_slots_at, weight_slot, in_at, in_slot, out_at, out_slot,
      scratch_bytes;

  // CSRs.
  uint32_t rowlen, rowstride, xstride, ystride, oxstride, oystride, oquant, pad, pxstep, pystep;

  uint32_t cycles; // expected
} npu_conv_plan;

// Bytes of the packed constants. 0 if a value is out of range.
uint32_t npu_conv_packed_size(const npu_conv_problem *problem);

// NPU_ERROR_ARGUMENT if a value of the problem is out of its range.
npu_status npu_conv_check(const npu_conv_problem *problem);

// Whether choice.pad_pixels is possible: no step of the array goes on in the next pixel.
int npu_conv_may_pad_pixels(const npu_conv_problem *problem);

// Fills the plan for a choice. NPU_ERROR_BUFFER if it does not fit into problem->scratch_bytes
// (then plan->scratch_bytes says what it needs, saturated); the problem must have passed
// npu_conv_check.
npu_status npu_conv_plan_fill(npu_conv_plan *plan, const npu_conv_problem *problem,
                              const npu_conv_choice *choice);

// The same without plan->cycles, in half the time: for a choice that is not compared with others.
npu_status npu_conv_plan_lay_out(npu_conv_plan *plan, const npu_conv_problem *problem,
                                 const npu_conv_choice *choice);

// Expected cycles of the plan (kernels/README.md: cost model).
uint32_t npu_conv_plan_cost(const npu_conv_plan *plan);

// The best of a few choices.
npu_status npu_conv_plan_make(npu_conv_plan *plan, const npu_conv_problem *problem);

// Writes the plan's segments and returns their number; segments may be null.
int32_t npu_conv_write_segments(const npu_conv_problem *problem, const npu_conv_plan *plan,
                                npu_conv_segment *segments);

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_PLAN_H
