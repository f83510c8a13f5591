// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills boxes of bytes with strides: the fewest descriptors that say it, on both DMA
// channels by turns.

#ifndef NPU_SRC_BOX_COPY_H
#define NPU_SRC_BOX_COPY_H

#include "npu/dma.h"
#include "npu/unit_errors.h"

enum {
  NPU_BOX_RANK = 4,
  NPU_BOX_SLOTS = 4,
};

// Innermost dimension first. An extent of 0 copies nothing.
typedef struct npu_box {
  int32_t extent[NPU_BOX_RANK];
  int32_t src_stride[NPU_BOX_RANK], dst_stride[NPU_BOX_RANK]; // bytes
} npu_box;

typedef struct npu_box_queue {
  npu_dma_descriptor slots[NPU_BOX_SLOTS];
  npu_ticket_t tickets[NPU_BOX_SLOTS];
  uint32_t next;
} npu_box_queue;

// The queue lies in TCM until npu_box_finish. Copies of a queue are not ordered with each other.
void npu_box_start(npu_box_queue *queue);
void npu_box_copy(npu_box_queue *queue, void *dst, const void *src, const npu_box *box);
void npu_box_fill(npu_box_queue *queue, void *dst, uint8_t value, const npu_box *box);

// Waits for all copies; NPU_ERROR_TRANSFER if one failed.
npu_status npu_box_finish(npu_box_queue *queue);

#endif // NPU_SRC_BOX_COPY_H
