// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Overlaps load, compute and store of a sequence of tiles with two buffers for each direction.
//
// Tile t uses slot t mod 2 of the input and of the output buffers. While the matrix unit works on
// tile t, tile t + 1 is loaded and tile t - 1 is stored:
//
//   load    0  1  |  .  2  |  .  3  |
//   compute       0     1     2     3
//   store            |  0  |  1  |  2  | 3
//
// The three callbacks start asynchronous work and return the ticket of its last operation. The
// issue of one tile's compute takes about as long as the tile itself, because the queues of the
// matrix unit are short. So `compute` calls npu_double_buffer_service between its parts: that is
// where the store of the tile before and the load of the tile behind start, as soon as the former's
// last operation is complete, and the matrix unit never waits for the core in between.
//
//   typedef struct { npu_double_buffer buffers; ... } job;
//   job j = {.buffers = {.load = load, .compute = compute, .store = store}, ...};
//   npu_double_buffer_run(&j.buffers, tiles);

#ifndef NPU_DOUBLE_BUFFER_H
#define NPU_DOUBLE_BUFFER_H

#include "dma.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_double_buffer npu_double_buffer;

struct npu_double_buffer {
  // Starts to fill input slot (0 or 1) with the tile's input.
  npu_ticket_t (*load)(npu_double_buffer *self, uint32_t tile, uint32_t slot);
  // Issues the work from input slot to output slot.
  npu_ticket_t (*compute)(npu_double_buffer *self, uint32_t tile, uint32_t slot);
  // Starts to write output slot to where the tile's output goes.
  npu_ticket_t (*store)(npu_double_buffer *self, uint32_t tile, uint32_t slot);

  // The rest belongs to the functions below.
  uint32_t tiles;
  uint32_t previous; // the tile whose compute was issued last
  int unfinished;    // that tile's store is not started yet
  npu_ticket_t loaded[2];
  npu_ticket_t computed[2];
  npu_ticket_t stored[2];
};

// Processes tiles 0..tiles-1 and returns when all stores are complete.
void npu_double_buffer_run(npu_double_buffer *self, uint32_t tiles);

// Starts the store of `previous` and the load that reuses its input slot; waits for its compute.
void npu_double_buffer_finish_previous(npu_double_buffer *self);

// To be called by `compute` between its parts: a few cycles if there is nothing to do.
static inline void npu_double_buffer_service(npu_double_buffer *self) {
  if (self->unfinished && npu_poll(self->computed[self->previous & 1]))
    npu_double_buffer_finish_previous(self);
}

#ifdef __cplusplus
}
#endif

#endif // NPU_DOUBLE_BUFFER_H
