// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a depthwise convolution from DRAM to DRAM streams through the scratchpad.
// npu_depthwise_conv_s8 makes such a plan at each call; a program that runs a layer more than once
// can make it before, and npu-kgen writes it into a kernel.
//
// Each block of 16 channels has a plane of its own in the scratchpad, 16 bytes a pixel: then the
// array's fetch, its drain and both DMA channels go from bank to bank at the same pace, and each
// keeps to banks that the others leave. A strip is what a plane holds: all lines of a block, or a
// band of them where they have no room. The work is cut into pieces, each with one load and one
// store: some lines of a strip or, of small images, some whole strips.

#ifndef NPU_DEPTHWISE_PLAN_H
#define NPU_DEPTHWISE_PLAN_H

#include "depthwise_conv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  NPU_DW_AHEAD = 3,   // pieces that are loaded before the one at work is complete
  NPU_DW_RESULTS = 3, // slots of results: one at work, one that is stored, one that becomes free
  NPU_DW_PIECES = NPU_DW_AHEAD + NPU_DW_RESULTS + 1, // of which something is known
  NPU_DW_PIECE_BYTES = 64,                           // of that, without the DMA's descriptors
  NPU_DW_DESCRIPTOR_BYTES = 64,
  // Of the array: all accumulators. The drain follows a run row by row and the next run follows it.
  NPU_DW_RUN_PIXELS = 256,
};

// A layer and what a plan has to know besides.
typedef struct npu_dw_problem {
  npu_dims input, filter, output;
  npu_dw_conv_params params;
  int32_t constants_in_tcm; // the packed constants are in the scratchpad, at a multiple of 4
  uint32_t scratch_bytes;   // that the plan may use
} npu_dw_problem;

// What distinguishes the plans for one problem.
typedef struct npu_dw_choice {
  int32_t pixels; // of a piece at most, of its input or output, whichever has more
  int32_t strips; // pieces are whole strips, not lines of one
  int32_t edge;   // the first and the last piece have pixels >> edge
} npu_dw_choice;

typedef struct npu_dw_plan {
  // Extents of the tensors in pixels, blocks of 16 channels; the window's lines with dilation.
  int32_t images, blocks, in_h, in_w, out_h, out_w, stride_h, window_h, pad_h, pad_w;

  // Pieces: at most group strips or lines of one strip; the first and the last one are smaller, so
  // that the array starts early and the last store is short.
  int32_t group, lines, edge_group, edge_lines;
  int32_t band_h, bands; // output lines of a strip

  // Runs of the array: output pixels; their distances in planes.
  int32_t run_h, run_w;

  // The scratch buffer: offsets, bytes of a plane's line, a plane, a slot of groups of planes and
  // one of results. constant_bytes is 0 for constants that are used where they lie.
  int32_t in_line;
  uint32_t plane_bytes, in_slots, in_slot, out_slot;
  uint32_t block_bytes, constant_bytes;
  uint32_t piece_bytes, constants_at, out_at, in_at, scratch_bytes;
  uint32_t loads; // descriptors that load a piece: one for each plane, or one where lines have no
  int32_t dense;  // gaps in the planes

  // Words of the DMA's descriptors; addresses and some repetitions differ from piece to piece.
  uint32_t load[NPU_DW_DESCRIPTOR_BYTES / 4], store[NPU_DW_DESCRIPTOR_BYTES / 4];

  // Operands of the array and CSRs.
  uint32_t taps, tap_rows;
  uint32_t xstride, ystride, rowstride, tapstride, pxstep, pystep, pad, valid, oystride, oquant;
} npu_dw_plan;

// Plans a layer of channel multiplier 1 whose values are in their ranges
// (npu_depthwise_conv_s8_get_buffer_size is not 0) and whose input and output are in DRAM.
// NPU_ERROR_ARGUMENT if it is not of those that stream by planes (dense tensors, whole blocks of
// channels, a window of up to 16 taps, images of up to 2047 columns and 4095 lines),
// NPU_ERROR_BUFFER if it needs more scratch memory; npu_depthwise_conv_s8 runs such layers, too.
// Plain C that may run on the host as well.
npu_status npu_dw_plan_make(npu_dw_plan *plan, const npu_dw_problem *problem);

// The same for a choice, 0 for the library's; NPU_ERROR_BUFFER also if there is no such plan.
npu_status npu_dw_plan_fill(npu_dw_plan *plan, const npu_dw_problem *problem,
                            const npu_dw_choice *choice);

// Executes a plan; the operands are those of npu_depthwise_conv_s8, where the plan has them.
npu_status npu_dw_plan_run(const npu_dw_plan *plan, const npu_context *context, const int8_t *input,
                           const void *packed, int8_t *output);

#ifdef __cplusplus
}
#endif

#endif // NPU_DEPTHWISE_PLAN_H
