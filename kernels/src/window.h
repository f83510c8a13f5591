// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operators that slide a window over an NHWC image have in common (depthwise convolution,
// pooling): the output is cut into tiles of lines, columns and channels; operands in DRAM stream
// through the scratch buffer while others are at work, operands in TCM are used where they are. No
// border is filled in: a tile holds the part of the image that lies under it, and the operator
// looks after positions outside of it.

#ifndef NPU_SRC_WINDOW_H
#define NPU_SRC_WINDOW_H

#include "npu/nn_types.h"

#include <npu/dma.h>

typedef struct npu_window npu_window;

// One tile as the operator's compute function sees it.
typedef struct npu_window_tile {
  const int8_t *in;          // first channel of the pixel at (0, 0) of the tile's part of the image
  int32_t in_pixel, in_line; // bytes from pixel to pixel, from line to line
  int32_t valid_h,
      valid_w; // lines and columns of the part; 0 if the window lies outside of the image
  int32_t y,
      x; // first tap of the first output pixel, relative to the part: negative in the padding
  int32_t image_y, image_x; // the same relative to the image
  int8_t *out;
  int32_t out_pixel, out_line;
  int32_t h, w; // output pixels
  int32_t first_channel, channels;
  const uint8_t *constants; // of first_channel, in TCM, 4-byte aligned
} npu_window_tile;

enum {
  NPU_WINDOW_LOADS =
      3, // input slots: one at work, one that is full, one that fills, so that the DMA never waits
  NPU_WINDOW_STORES = 2,
};

struct npu_window {
  // Set by the operator.
  npu_dims in, out; // the same n and c
  npu_tile taps, stride, dilation, padding;
  int32_t in_pixel, in_line;   // bytes from pixel to pixel, line to line; 0 = dense
  int32_t out_pixel, out_line; // the same of the output
  int32_t element;             // bytes of an element of input and output: 1 or 2
  int spread;                  // pixels and lines of tiles lie as the array's banks want it
  int dense;           // every tile has all channels, those of the output need not be as many
  int planes;          // compute gets room for the bytes of the tile's input, split into two planes
  uint32_t work_bytes; // of scratch memory for compute's own use, a multiple of 16
  const void *input;
  void *output;
  const void *constants; // in DRAM or TCM; null if there are none
  uint32_t block_bytes;  // of them for 16 channels, a multiple of 16
  // Issues the work of a tile and returns the last ticket; calls npu_window_service now and then.
  npu_ticket_t (*compute)(npu_window *self, const npu_window_tile *tile);
  void *params; // for compute

  // The rest belongs to window.c.
  int in_place, out_in_place, constants_in_place;
  void *work;                      // for compute
  int8_t *plane_low, *plane_high;  // each pixel's bytes follow the one's before
  int32_t plane_line, plane_bytes; // bytes from line to line; of both planes
  int32_t slot_out_pixel;
  int32_t group;          // channels of a tile
  int32_t tile_h, tile_w; // output pixels of a tile
  int32_t slot_pixel, slot_in_line, slot_out_line;
  uint32_t constant_bytes, in_bytes, out_bytes; // of a slot; before planning of the tensor
  struct {
    int32_t channel, n, y, x;
  } next;
  struct npu_window_slot *slots;
  uint32_t tiles, loads;            // in all, started
  uint32_t constant_copy;           // of the group that was loaded last
  int unfinished;                   // the tile before still has to be stored
  npu_ticket_t computed;            // that tile
  uint32_t finish_slot, finish_out; // and its slots
  npu_ticket_t loaded[NPU_WINDOW_LOADS], stored[NPU_WINDOW_STORES];
};

// Starts the store of the tile before and the load into its slot; waits for its compute.
void npu_window_finish(npu_window *self);

// The same if it is complete: a few cycles if not.
static inline void npu_window_service(npu_window *self) {
  if (self->unfinished && npu_poll(self->computed))
    npu_window_finish(self);
}

// Smallest scratch buffer, in bytes; 0 if a value is out of range or a window too large for any.
uint32_t npu_window_buffer_size(const npu_window *self);

// Works through the tiles: the status, among them those of extents, pitches and window parameters
// out of range. With everything in TCM compute is called once for each image. Uses both DMA
// channels otherwise.
npu_status npu_window_run(npu_window *self, const npu_context *context);

#endif // NPU_SRC_WINDOW_H
