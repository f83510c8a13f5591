// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector_stream.h"

#include "npu/dma.h"
#include "npu/unit_errors.h"
#include "npu_platform.h"

enum {
  OPERANDS = NPU_STREAM_INPUTS + 1,
  OUT = NPU_STREAM_INPUTS,
  ALIGNMENT = 16,
  WORD = 4, // parts of the buffer are aligned to it
  // Small tiles hide the first load and the last store, large ones the work of a turn.
  SMALLEST_TILE = 2048, // bytes of all streamed operands
  LARGEST_TILE = 12288,
  TILES = 4,
  MAX_ROW = (1 << 24) - 1,
};

int npu_in_tcm(const void *address, uint32_t bytes) {
  const uint32_t offset = (uint32_t)address - NPU_TCM_BASE;
  const uint32_t size = npu_csr_read(NPU_CSR_NTCMSIZE);
  return offset < size && bytes <= size - offset;
}

int npu_table_readable(const void *table, uint32_t bytes) {
  const uint32_t offset = (uint32_t)table - NPU_DRAM_BASE;
  return npu_in_tcm(table, bytes) ||
         (offset < NPU_DEFAULT_DRAM_SIZE && bytes <= NPU_DEFAULT_DRAM_SIZE - offset);
}

int npu_scratch_valid(const npu_context *context) {
  return context->size == 0 || (((uint32_t)context->buffer & (ALIGNMENT - 1)) == 0 &&
                                npu_in_tcm(context->buffer, context->size));
}

uint32_t npu_dims_elements(const npu_dims *dims, uint32_t element_bytes) {
  const int32_t extents[] = {dims->n, dims->h, dims->w, dims->c};
  int32_t elements = 1, bytes;
  for (int i = 0; i < 4; ++i)
    if (extents[i] < 1 || __builtin_mul_overflow(elements, extents[i], &elements))
      return 0;
  return __builtin_mul_overflow(elements, (int32_t)element_bytes, &bytes) ? 0 : (uint32_t)elements;
}

// One slot of the double buffer: its operands and their transfers.
typedef struct stream_slot {
  npu_dma_descriptor store, load[NPU_STREAM_INPUTS];
  uint8_t *at[OPERANDS];
  npu_ticket_t loaded, stored;
} stream_slot;

typedef struct stream_job {
  const npu_stream *stream;
  const uint8_t *operand[OPERANDS];
  uint32_t bytes[OPERANDS];  // of an element
  uint32_t copied[OPERANDS]; // the same, 0 if it is not in DRAM
  uint32_t tile;
} stream_job;

static uint32_t min(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// Starts to load the tile at `first`, if there is one.
static void start_load(const stream_job *job, stream_slot *slot, uint32_t first) {
  slot->loaded = NPU_TICKET_DONE;
  if (first >= job->stream->count)
    return;
  const uint32_t n = min(job->tile, job->stream->count - first);
  npu_dma_descriptor *chain = 0;
  for (int i = 0; i < NPU_STREAM_INPUTS; ++i) {
    if (job->copied[i] == 0)
      continue;
    npu_dma_descriptor *d = &slot->load[i];
    d->src = (uint32_t)job->operand[i] + first * job->copied[i];
    d->len = n * job->copied[i];
    d->next = (uint32_t)chain;
    chain = d;
  }
  if (chain != 0)
    slot->loaded = npu_dma_submit(0, chain);
}

static void compute(const stream_job *job, const stream_slot *slot, uint32_t first, uint32_t n) {
  const void *in[NPU_STREAM_INPUTS];
  const uint8_t *at[OPERANDS];
  for (int i = 0; i < OPERANDS; ++i)
    at[i] = job->copied[i] != 0 ? slot->at[i] : job->operand[i] + first * job->bytes[i];
  for (int i = 0; i < NPU_STREAM_INPUTS; ++i)
    in[i] = at[i];
  job->stream->kernel(job->stream->constants, (void *)at[OUT], in, n);
}

// All tiles through both slots.
static npu_status run_tiles(stream_job *job, uint8_t *buffer) {
  const uint32_t count = job->stream->count, tile = job->tile;
  stream_slot slots[2];
  npu_unit_errors_clear(NPU_TRANSFER_ERRORS);
  for (uint32_t s = 0; s < 2; ++s) {
    stream_slot *slot = &slots[s];
    for (int i = OPERANDS - 1; i >= 0; --i) {
      slot->at[i] = buffer;
      buffer += (tile * job->copied[i] + WORD - 1) & ~(WORD - 1u);
    }
    slot->store = npu_dma_1d(0, slot->at[OUT], 0);
    for (int i = 0; i < NPU_STREAM_INPUTS; ++i)
      slot->load[i] = npu_dma_1d(slot->at[i], 0, 0);
    slot->stored = NPU_TICKET_DONE;
    start_load(job, slot, s * tile);
  }
  for (uint32_t first = 0, s = 0; first < count; first += tile, s ^= 1) {
    stream_slot *slot = &slots[s];
    const uint32_t n = min(tile, count - first);
    npu_wait(slot->loaded);
    npu_wait(slot->stored);
    if (npu_unit_errors(NPU_TRANSFER_ERRORS) != 0)
      break;
    compute(job, slot, first, n);
    if (job->copied[OUT] != 0) {
      slot->store.dst = (uint32_t)job->operand[OUT] + first * job->copied[OUT];
      slot->store.len = n * job->copied[OUT];
      slot->stored = npu_dma_submit(1, &slot->store);
    }
    start_load(job, slot, first + 2 * tile);
  }
  npu_fence(NPU_UNIT_DMA0 | NPU_UNIT_DMA1);
  return npu_unit_status(NPU_TRANSFER_ERRORS);
}

npu_status npu_stream_run(const npu_context *context, const npu_stream *stream) {
  stream_job job = {.stream = stream};
  uint32_t copied = 0;
  for (int i = 0; i < OPERANDS; ++i) {
    job.operand[i] = i == OUT ? stream->out : stream->in[i];
    job.bytes[i] = i == OUT ? stream->out_bytes : stream->in_bytes[i];
    if (job.bytes[i] != 0 && !npu_in_tcm(job.operand[i], stream->count * job.bytes[i]))
      job.copied[i] = job.bytes[i];
    copied += job.copied[i];
  }
  const uint32_t max_tile = stream->max_tile != 0 ? stream->max_tile : stream->count;
  if (copied == 0) {
    for (uint32_t first = 0; first < stream->count; first += max_tile)
      compute(&job, 0, first, min(max_tile, stream->count - first));
    return NPU_OK;
  }

  const uint32_t granule = stream->granule != 0 ? stream->granule : NPU_STREAM_GRANULE;
  const uint32_t smallest = SMALLEST_TILE / copied, largest = LARGEST_TILE / copied;
  uint32_t tile = stream->count / TILES;
  tile = tile < smallest ? smallest : min(tile, largest);
  tile = (tile / granule + 1) * granule;
  const uint32_t room =
      context->size < NPU_STREAM_PADDING ? 0 : (context->size - NPU_STREAM_PADDING) / (2 * copied);
  tile = min(tile, room / granule * granule);
  tile = min(tile, max_tile);
  if (tile == 0 || !npu_scratch_valid(context) || copied > MAX_ROW / tile)
    return NPU_ERROR_BUFFER;
  job.tile = tile;
  return run_tiles(&job, context->buffer);
}

npu_status npu_stream_unary(const npu_context *context, npu_stream_kernel *kernel,
                            const void *constants, uint32_t count, const void *input,
                            uint32_t in_bytes, void *output, uint32_t out_bytes) {
  if (count == 0 || count > INT32_MAX / (in_bytes > out_bytes ? in_bytes : out_bytes))
    return NPU_ERROR_ARGUMENT;
  const npu_stream stream = {.kernel = kernel,
                             .constants = constants,
                             .in = {input},
                             .in_bytes = {in_bytes},
                             .out = output,
                             .out_bytes = out_bytes,
                             .count = count};
  return npu_stream_run(context, &stream);
}
