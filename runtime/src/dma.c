// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/dma.h"

enum { MAX_ROW = (1 << 24) - 1 };

static int run(npu_dma_descriptor d) {
  npu_dma_clear_error(0);
  npu_wait(npu_dma_submit(0, &d));
  return npu_dma_error(0, 0) ? -1 : 0;
}

int npu_dma_copy(void *dst, const void *src, size_t len) {
  uint8_t *to = dst;
  const uint8_t *from = src;
  for (; len > MAX_ROW; len -= MAX_ROW, to += MAX_ROW, from += MAX_ROW)
    if (run(npu_dma_1d(to, from, MAX_ROW)) != 0)
      return -1;
  return run(npu_dma_1d(to, from, len));
}

int npu_dma_fill(void *dst, uint8_t value, size_t len) {
  uint8_t *to = dst;
  for (; len > MAX_ROW; len -= MAX_ROW, to += MAX_ROW)
    if (run(npu_dma_fill_2d(to, 0, value, MAX_ROW, 1)) != 0)
      return -1;
  return run(npu_dma_fill_2d(to, 0, value, len, 1));
}
