// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DMA between the scratchpad (TCM) and DRAM, in any direction: descriptors, tickets, errors
// (manual, chapter 5).
//
// A descriptor lies in TCM (the stack and plain static data do) and stays unchanged until its
// ticket is complete. Sizes and strides are in bytes; any alignment and any length is legal, zero
// moves nothing. Transfers of one channel happen in the order they were started; the two channels
// are not ordered with each other, nor with the core's own accesses until npu_wait or npu_fence.

#ifndef NPU_DMA_H
#define NPU_DMA_H

#include <npu_intrinsics.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define NPU_STATIC_ASSERT static_assert
#else
#define NPU_STATIC_ASSERT _Static_assert
#endif

// Complete at once: for the first turn of a loop that waits on the ticket of the turn before.
#define NPU_TICKET_DONE 3u

typedef struct npu_dma_descriptor {
  uint32_t src;        // source address; with NPU_DMA_FILL the constant, 0..255
  uint32_t dst;        // destination address
  uint32_t len;        // bytes of a row, 0..2^24-1
  uint32_t reps1;      // rows, 0..65535
  int32_t src_stride1; // bytes from row to row
  int32_t dst_stride1;
  uint32_t reps2;      // planes, 0..65535
  int32_t src_stride2; // bytes from plane to plane
  int32_t dst_stride2;
  uint32_t flags;       // NPU_DMA_...
  uint32_t next;        // address of the next descriptor of the chain; 0 ends it
  uint32_t reserved[5]; // zero
} npu_dma_descriptor;

#define NPU_DMA_FILL 1u // write the constant in src instead of copying
#define NPU_DMA_DONE 2u // set nstatus.dmadone, and so the interrupt, when complete

NPU_STATIC_ASSERT(sizeof(npu_dma_descriptor) == 64, "descriptors have 16 words");
NPU_STATIC_ASSERT(offsetof(npu_dma_descriptor, reps1) == 3 * 4, "word 3");
NPU_STATIC_ASSERT(offsetof(npu_dma_descriptor, reps2) == 6 * 4, "word 6");
NPU_STATIC_ASSERT(offsetof(npu_dma_descriptor, flags) == 9 * 4, "word 9");
NPU_STATIC_ASSERT(offsetof(npu_dma_descriptor, next) == 10 * 4, "word 10");

// One contiguous copy of len bytes.
static inline npu_dma_descriptor npu_dma_1d(void *dst, const void *src, uint32_t len) {
  npu_dma_descriptor d = {0};
  d.src = (uint32_t)src;
  d.dst = (uint32_t)dst;
  d.len = len;
  d.reps1 = 1;
  d.reps2 = 1;
  return d;
}

// rows copies of len bytes each, the starts of two rows a stride apart.
static inline npu_dma_descriptor npu_dma_2d(void *dst, int32_t dst_stride, const void *src,
                                            int32_t src_stride, uint32_t len, uint32_t rows) {
  npu_dma_descriptor d = npu_dma_1d(dst, src, len);
  d.reps1 = rows;
  d.dst_stride1 = dst_stride;
  d.src_stride1 = src_stride;
  return d;
}

// Makes a two-dimensional transfer three-dimensional: planes repetitions of it, strides apart.
static inline void npu_dma_add_planes(npu_dma_descriptor *d, uint32_t planes, int32_t dst_stride,
                                      int32_t src_stride) {
  d->reps2 = planes;
  d->dst_stride2 = dst_stride;
  d->src_stride2 = src_stride;
}

// rows rows of len bytes, a stride apart, all set to value.
static inline npu_dma_descriptor npu_dma_fill_2d(void *dst, int32_t dst_stride, uint8_t value,
                                                 uint32_t len, uint32_t rows) {
  npu_dma_descriptor d = npu_dma_2d(dst, dst_stride, (const void *)0, 0, len, rows);
  d.src = value;
  d.flags = NPU_DMA_FILL;
  return d;
}

// Makes `next` follow `d` in one chain; the last descriptor's next stays 0.
static inline void npu_dma_chain(npu_dma_descriptor *d, const npu_dma_descriptor *next) {
  d->next = (uint32_t)next;
}

// Starts the chain at d on channel 0 or 1 and returns its ticket.
static inline npu_ticket_t npu_dma_submit(uint32_t channel, const npu_dma_descriptor *d) {
  return channel == 0 ? npu_dma_start(d, 0) : npu_dma_start(d, 1);
}

// Copies len bytes on channel 0 and waits. Returns 0, or -1 on an error (npu_dma_error).
int npu_dma_copy(void *dst, const void *src, size_t len);

// Sets len bytes to value on channel 0 and waits. Returns 0, or -1 on an error (npu_dma_error).
int npu_dma_fill(void *dst, uint8_t value, size_t len);

// True if a transfer of the channel failed since npu_dma_clear_error. *address, if not null, gets
// the address of the first failure: a row's source or destination that lies outside TCM and DRAM,
// or the descriptor itself if it is at fault.
static inline int npu_dma_error(uint32_t channel, uint32_t *address) {
  if ((npu_csr_read(NPU_CSR_NSTATUS) >> channel & 1) == 0)
    return 0;
  if (address != 0)
    *address = channel == 0 ? npu_csr_read(NPU_CSR_NFAULT0) : npu_csr_read(NPU_CSR_NFAULT1);
  return 1;
}

static inline void npu_dma_clear_error(uint32_t channel) {
  npu_csr_write(NPU_CSR_NSTATUS, 1u << channel);
}

#undef NPU_STATIC_ASSERT
#ifdef __cplusplus
}
#endif

#endif // NPU_DMA_H
