// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "broadcast.h"

#include "vector.h"

#include "npu/dma.h"

enum {
  RANK = 4,
  INPUTS = 2,
  // A tensor that repeats (channels of a bias) is written out over at most so many bytes.
  PATTERN_BYTES = 2048,
};

// Dimensions of the output, innermost first, those merged that are contiguous in both inputs.
typedef struct loop_nest {
  uint32_t rank;
  uint32_t extent[RANK];
  uint32_t stride[INPUTS][RANK]; // elements; 0 where the input is repeated
} loop_nest;

typedef struct binary_job {
  npu_binary_kernel *kernel;
  const void *constants;
  uint32_t step[INPUTS];
} binary_job;

static void stream_kernel(const void *constants, void *out, const void *const *in, uint32_t n) {
  const binary_job *job = constants;
  job->kernel(job->constants, out, in[0], job->step[0], in[1], job->step[1], n);
}

static int same_dims(const npu_dims *a, const npu_dims *b) {
  return a->n == b->n && a->h == b->h && a->w == b->w && a->c == b->c;
}

static int make_nest(loop_nest *nest, const npu_dims *a, const npu_dims *b, const npu_dims *out,
                     uint32_t elements) {
  if (same_dims(a, out) && same_dims(b, out)) { // the common case
    nest->rank = 1;
    nest->extent[0] = elements;
    nest->stride[0][0] = nest->stride[1][0] = 1;
    return 1;
  }
  const int32_t in_extent[INPUTS][RANK] = {{a->c, a->w, a->h, a->n}, {b->c, b->w, b->h, b->n}};
  const int32_t out_extent[RANK] = {out->c, out->w, out->h, out->n};
  uint32_t dense[INPUTS] = {1, 1};
  nest->rank = 0;
  for (int d = 0; d < RANK; ++d) {
    uint32_t stride[INPUTS];
    int merges = nest->rank > 0;
    if (out_extent[d] != 1 && in_extent[0][d] == 1 && in_extent[1][d] == 1)
      return 0;
    for (int i = 0; i < INPUTS; ++i) {
      if (in_extent[i][d] != out_extent[d] && in_extent[i][d] != 1)
        return 0;
      stride[i] = in_extent[i][d] == 1 ? 0 : dense[i];
      dense[i] *= (uint32_t)in_extent[i][d];
      if (merges) {
        const uint32_t last = nest->rank - 1;
        merges = stride[i] == nest->stride[i][last] * nest->extent[last];
      }
    }
    if (out_extent[d] == 1)
      continue;
    if (merges) {
      nest->extent[nest->rank - 1] *= (uint32_t)out_extent[d];
      continue;
    }
    nest->extent[nest->rank] = (uint32_t)out_extent[d];
    for (int i = 0; i < INPUTS; ++i)
      nest->stride[i][nest->rank] = stride[i];
    ++nest->rank;
  }
  if (nest->rank == 0) // one element
    *nest = (loop_nest){.rank = 1, .extent = {1}, .stride = {{1}, {1}}};
  return 1;
}

static void copy(int8_t *to, const int8_t *from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += NPU_BLOCK)
    npu_v_stl_b(npu_v_ldl_b(from + i, bytes - i), to + i, bytes - i);
}

// Writes the `period` elements at `from` over and over, `length` bytes of them.
static npu_status write_pattern(int8_t *pattern, uint32_t length, const int8_t *from,
                                uint32_t period) {
  if (!npu_in_tcm(from, period)) {
    if (npu_dma_copy(pattern, from, period) != 0)
      return NPU_ERROR_TRANSFER;
    from = pattern;
  }
  if (period == 1) {
    npu_v_st_b(npu_v_bcast_b(*from), pattern);
    return NPU_OK;
  }
  copy(pattern, from, period);
  for (uint32_t done = period; done < length; done *= 2)
    copy(pattern + done, pattern, length - done < done ? length - done : done);
  return NPU_OK;
}

uint32_t npu_broadcast_buffer_size(void) {
  return NPU_BLOCK + npu_stream_buffer_size(NPU_STREAM_GRANULE, INPUTS + 1);
}

// The next index of the dimensions from `first` on, and the inputs' offsets there.
static void advance(const loop_nest *nest, uint32_t first, uint32_t *index, uint32_t *offset) {
  for (uint32_t d = first; d < nest->rank; ++d) {
    ++index[d];
    for (int i = 0; i < INPUTS; ++i)
      offset[i] += nest->stride[i][d];
    if (index[d] < nest->extent[d])
      return;
    for (int i = 0; i < INPUTS; ++i)
      offset[i] -= nest->stride[i][d] * nest->extent[d];
    index[d] = 0;
  }
}

// Whether the innermost two dimensions are one run in which input `i` repeats its extent[0]
// elements, and writing them out pays.
static int repeats(const loop_nest *nest, int i) {
  return nest->rank >= 2 && nest->stride[i][0] == 1 && nest->stride[i][1] == 0 &&
         nest->stride[1 - i][0] == 1 && nest->stride[1 - i][1] == nest->extent[0] &&
         nest->extent[0] <= PATTERN_BYTES / 4;
}

npu_status npu_broadcast_run(const npu_context *context, npu_binary_kernel *kernel,
                             const void *constants, const npu_dims *a_dims, const int8_t *a,
                             const npu_dims *b_dims, const int8_t *b, const npu_dims *out_dims,
                             int8_t *out) {
  loop_nest nest;
  const uint32_t elements = npu_dims_elements(out_dims, 1);
  if (elements == 0 || !make_nest(&nest, a_dims, b_dims, out_dims, elements))
    return NPU_ERROR_ARGUMENT;
  if (!npu_scratch_valid(context))
    return NPU_ERROR_BUFFER;

  const int8_t *const in[INPUTS] = {a, b};
  npu_context scratch = *context;
  int8_t *const pattern = scratch.buffer;
  binary_job job = {.kernel = kernel, .constants = constants};
  npu_stream stream = {.kernel = stream_kernel, .constants = &job, .out_bytes = 1};

  // The run of one kernel call: the innermost dimension, or two where one input repeats a short
  // row.
  uint32_t run = nest.extent[0], outer = 1;
  int patterned = -1; // the input that is read from the pattern
  uint32_t pattern_bytes = 0;
  for (int i = 0; i < INPUTS; ++i) {
    if (nest.stride[i][0] == 0) {
      patterned = i;
      pattern_bytes = NPU_BLOCK;
    } else if (repeats(&nest, i)) {
      const uint32_t period = nest.extent[0];
      // Multiples of 64 periods keep tiles aligned.
      uint32_t length = period * nest.extent[1];
      if (length > PATTERN_BYTES) {
        const uint32_t aligned = PATTERN_BYTES / (NPU_BLOCK * period);
        length = aligned != 0 ? aligned * NPU_BLOCK * period : PATTERN_BYTES / period * period;
      }
      const uint32_t needed = length + npu_stream_buffer_size(length, INPUTS + 1) + NPU_BLOCK;
      if (context->size < needed)
        continue;
      patterned = i;
      pattern_bytes = length;
      stream.granule = length;
      stream.max_tile = length;
      run *= nest.extent[1];
      outer = 2;
    }
  }
  for (int i = 0; i < INPUTS; ++i) {
    stream.in_bytes[i] = i == patterned ? 0 : 1;
    job.step[i] = nest.stride[i][0] == 0 ? 0 : NPU_BLOCK;
  }
  if (patterned >= 0) {
    const uint32_t used = (pattern_bytes + 63) & ~63u;
    if (context->size < used)
      return NPU_ERROR_BUFFER;
    scratch.buffer = pattern + used;
    scratch.size -= used;
  }

  stream.count = run;
  uint32_t index[RANK] = {0}, offset[INPUTS] = {0};
  for (uint32_t done = 0; done < elements; done += run) {
    for (int i = 0; i < INPUTS; ++i)
      stream.in[i] = in[i] + offset[i];
    if (patterned >= 0) {
      const npu_status written = write_pattern(pattern, pattern_bytes, stream.in[patterned],
                                               job.step[patterned] == 0 ? 1 : nest.extent[0]);
      if (written != NPU_OK)
        return written;
      stream.in[patterned] = pattern;
    }
    stream.out = out + done;
    const npu_status status = npu_stream_run(&scratch, &stream);
    if (status != NPU_OK)
      return status;
    advance(&nest, outer, index, offset);
  }
  return NPU_OK;
}
