// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/double_buffer.h"

void npu_double_buffer_finish_previous(npu_double_buffer *self) {
  const uint32_t tile = self->previous;
  const uint32_t slot = tile & 1;
  npu_wait(self->computed[slot]);
  self->stored[slot] = self->store(self, tile, slot);
  if (tile + 2 < self->tiles)
    self->loaded[slot] = self->load(self, tile + 2, slot);
  self->unfinished = 0;
}

void npu_double_buffer_run(npu_double_buffer *self, uint32_t tiles) {
  self->tiles = tiles;
  self->unfinished = 0;
  for (uint32_t slot = 0; slot < 2; ++slot) {
    self->computed[slot] = self->stored[slot] = NPU_TICKET_DONE;
    if (slot < tiles)
      self->loaded[slot] = self->load(self, slot, slot);
  }

  for (uint32_t tile = 0; tile < tiles; ++tile) {
    const uint32_t slot = tile & 1;
    // While the load is under way the tile before may be complete.
    while (self->unfinished && !npu_poll(self->loaded[slot]))
      npu_double_buffer_service(self);
    npu_wait(self->loaded[slot]);
    npu_wait(self->stored[slot]); // of tile - 2, from the same output slot
    self->computed[slot] = self->compute(self, tile, slot);
    if (self->unfinished)
      npu_double_buffer_finish_previous(self);
    self->previous = tile;
    self->unfinished = 1;
  }

  if (self->unfinished)
    npu_double_buffer_finish_previous(self);
  npu_wait(self->stored[0]);
  npu_wait(self->stored[1]);
}
