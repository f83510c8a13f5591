// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a vector kernel over flat operands. Operands in TCM are used in place; those in DRAM go
// through the scratch buffer tile by tile in two slots: while the core works on a tile, DMA channel
// 0 loads the one behind it and channel 1 stores the one before it.

#ifndef NPU_SRC_VECTOR_STREAM_H
#define NPU_SRC_VECTOR_STREAM_H

#include "npu/nn_types.h"

enum {
  NPU_STREAM_INPUTS = 2,
  NPU_STREAM_GRANULE = 64, // elements of the smallest tile
  NPU_STREAM_PADDING = 64, // aligns the parts of the scratch buffer
};

// Computes n elements. `in` and `out` are in TCM; an input that is not streamed has its address
// unchanged.
typedef void npu_stream_kernel(const void *constants, void *out, const void *const *in, uint32_t n);

typedef struct npu_stream {
  npu_stream_kernel *kernel;
  const void *constants;
  const void *in[NPU_STREAM_INPUTS];
  void *out;
  uint32_t in_bytes[NPU_STREAM_INPUTS]; // of an element; 0: passed to the kernel as it is
  uint32_t out_bytes;
  uint32_t count;    // elements
  uint32_t granule;  // tiles have a multiple of this many elements; 0: NPU_STREAM_GRANULE
  uint32_t max_tile; // at most so many elements, a multiple of granule; 0: no bound
} npu_stream;

// Scratch bytes with which every stream of this granule and with these bytes of an element (inputs
// and output together) works; large tiles of at least 2 KiB in all keep the DMA busy.
static inline uint32_t npu_stream_buffer_size(uint32_t granule, uint32_t element_bytes) {
  return 2 * granule * element_bytes + NPU_STREAM_PADDING;
}

// NPU_ERROR_BUFFER if an operand is in DRAM and the scratch buffer too small; clears the DMA's
// error bits and reports them as NPU_ERROR_TRANSFER.
npu_status npu_stream_run(const npu_context *context, const npu_stream *stream);

// One input and one output of `count` elements of so many bytes; NPU_ERROR_ARGUMENT if that is none
// or too many.
npu_status npu_stream_unary(const npu_context *context, npu_stream_kernel *kernel,
                            const void *constants, uint32_t count, const void *input,
                            uint32_t in_bytes, void *output, uint32_t out_bytes);

// Whether all bytes are in TCM.
int npu_in_tcm(const void *address, uint32_t bytes);

// Whether the core can read a table of so many bytes: it is in TCM or DRAM.
int npu_table_readable(const void *table, uint32_t bytes);

// Whether the scratch buffer is in TCM and aligned to 16 bytes; a buffer of size 0 is.
int npu_scratch_valid(const npu_context *context);

// Product of the extents, or 0 if one is less than 1 or the product, times element_bytes, exceeds
// 2^31 - 1.
uint32_t npu_dims_elements(const npu_dims *dims, uint32_t element_bytes);

#endif // NPU_SRC_VECTOR_STREAM_H
