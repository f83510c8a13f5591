// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "box_copy.h"

enum {
  MAX_LENGTH = (1 << 24) - 1,
  MAX_REPEATS = 65535,
  LEVELS = NPU_BOX_RANK + 1, // with the bytes of a row
};

void npu_box_start(npu_box_queue *queue) {
  queue->next = 0;
  for (int i = 0; i < NPU_BOX_SLOTS; ++i)
    queue->tickets[i] = NPU_TICKET_DONE;
  npu_unit_errors_clear(NPU_TRANSFER_ERRORS);
}

npu_status npu_box_finish(npu_box_queue *queue) {
  for (int i = 0; i < NPU_BOX_SLOTS; ++i)
    npu_wait(queue->tickets[i]);
  return npu_unit_status(NPU_TRANSFER_ERRORS);
}

static void push(npu_box_queue *queue, const npu_dma_descriptor *d) {
  const uint32_t slot = queue->next++ % NPU_BOX_SLOTS;
  npu_wait(queue->tickets[slot]);
  // After an error nothing more need be copied.
  if (npu_unit_errors(NPU_TRANSFER_ERRORS) != 0)
    return;
  queue->slots[slot] = *d;
  queue->tickets[slot] = npu_dma_submit(slot & 1, &queue->slots[slot]);
}

// The loops of a box, innermost first: level 0 has the bytes of a row, levels 1 and 2 the repeats
// of a descriptor.
typedef struct loops {
  uint32_t rank;
  uint32_t extent[LEVELS];
  int32_t src[LEVELS], dst[LEVELS];
} loops;

static uint32_t min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Descriptors for the levels below `level`.
static void issue(npu_box_queue *queue, npu_dma_descriptor *d, const loops *l, uint32_t level) {
  const uint32_t src = d->src, dst = d->dst;
  if (level > 3) {
    for (uint32_t i = 0; i < l->extent[level - 1]; ++i) {
      issue(queue, d, l, level - 1);
      d->src += (uint32_t)l->src[level - 1];
      d->dst += (uint32_t)l->dst[level - 1];
    }
    d->src = src;
    d->dst = dst;
    return;
  }
  // Pieces of what a descriptor's fields hold; hardly ever more than one.
  for (uint32_t k = 0; k < l->extent[2]; k += MAX_REPEATS)
    for (uint32_t j = 0; j < l->extent[1]; j += MAX_REPEATS)
      for (uint32_t i = 0; i < l->extent[0]; i += MAX_LENGTH) {
        d->len = min(l->extent[0] - i, MAX_LENGTH);
        d->reps1 = min(l->extent[1] - j, MAX_REPEATS);
        d->reps2 = min(l->extent[2] - k, MAX_REPEATS);
        d->src = src + k * (uint32_t)l->src[2] + j * (uint32_t)l->src[1] + i * (uint32_t)l->src[0];
        d->dst = dst + k * (uint32_t)l->dst[2] + j * (uint32_t)l->dst[1] + i;
        push(queue, d);
      }
  d->src = src;
  d->dst = dst;
}

// src_step: bytes from byte to byte of a row, 0 for a fill.
static void run(npu_box_queue *queue, npu_dma_descriptor *d, const npu_box *box, int32_t src_step) {
  loops l = {.rank = 1, .extent = {1, 1, 1, 1, 1}, .src = {src_step}, .dst = {1}};
  for (int i = 0; i < NPU_BOX_RANK; ++i) {
    const uint32_t extent = (uint32_t)box->extent[i];
    const int32_t src = src_step == 0 ? 0 : box->src_stride[i], dst = box->dst_stride[i];
    const uint32_t last = l.rank - 1;
    if (extent == 0)
      return;
    if (extent == 1)
      continue;
    if (src == l.src[last] * (int32_t)l.extent[last] &&
        dst == l.dst[last] * (int32_t)l.extent[last]) {
      l.extent[last] *= extent;
      continue;
    }
    l.extent[l.rank] = extent;
    l.src[l.rank] = src;
    l.dst[l.rank++] = dst;
  }
  d->src_stride1 = l.src[1];
  d->dst_stride1 = l.dst[1];
  d->src_stride2 = l.src[2];
  d->dst_stride2 = l.dst[2];
  issue(queue, d, &l, l.rank < 3 ? 3 : l.rank);
}

void npu_box_copy(npu_box_queue *queue, void *dst, const void *src, const npu_box *box) {
  npu_dma_descriptor d = npu_dma_1d(dst, src, 0);
  run(queue, &d, box, 1);
}

void npu_box_fill(npu_box_queue *queue, void *dst, uint8_t value, const npu_box *box) {
  npu_dma_descriptor d = npu_dma_fill_2d(dst, 0, value, 0, 1);
  run(queue, &d, box, 0);
}
