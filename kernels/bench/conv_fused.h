// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What conv_add.c and conv_pool.c share: a convolution with an operator behind it, everything from
// and to DRAM, once by npu/fused.h and once by two calls:
//   BENCH name=NAME/HxWxC-N_KHxKWsSTRIDE ...            one call
//   BENCH name=NAME_separate/HxWxC-N_KHxKWsSTRIDE ...   npu_conv_s8, then the other operator
// The MACs are the convolution's. All that the calls do is counted, their plans too. ok: both ways
// give the same bytes.

#ifndef CONV_FUSED_H
#define CONV_FUSED_H

#define OTHER_MEASURE
#define SCRATCH_BYTES (96 << 10)
#include "conv_layers.h"

static NPU_DRAM_BSS _Alignas(64) int8_t between[TENSOR], separate[TENSOR];
static const npu_context context = {scratch, SCRATCH};

// Of a layer; arguments are the program's own. Together the result goes to `output`, otherwise by
// way of `between` to `separate`.
typedef npu_status fused_operation(const void *arguments, const npu_conv_problem *p,
                                   const npu_dims *out, int together);

static __attribute__((noinline)) npu_status measured_call(fused_operation *run,
                                                          const void *arguments,
                                                          const npu_conv_problem *p,
                                                          const npu_dims *out, int together) {
  return run(arguments, p, out, together);
}

static npu_status run_conv(const npu_conv_problem *p) {
  return npu_conv_s8(&context, &p->params, &p->input, input, &p->filter, packed, &p->output,
                     between);
}

static int same(uint32_t bytes) {
  enum { PART = SCRATCH_BYTES / 2 };
  for (uint32_t at = 0; at < bytes; at += PART) {
    const uint32_t part = bytes - at < PART ? bytes - at : PART;
    npu_dma_copy(scratch, output + at, part);
    npu_dma_copy(scratch + PART, separate + at, part);
    if (memcmp(scratch, scratch + PART, part) != 0)
      return 0;
  }
  return 1;
}

static int measure(const char *name, const layer_shape *l, fused_operation *run,
                   const void *arguments, const npu_dims *out) {
  const npu_conv_problem p = problem_of(l, 8);
  const uint32_t bytes = (uint32_t)(out->h * out->w * out->c);
  prepare(&p);
  npu_dma_fill(output, 0x55, bytes);
  npu_dma_fill(separate, 0xAA, bytes);
  int ok = 1;
  uint32_t cycles[2];
  for (int together = 0; together < 2; ++together) {
    const uint32_t start = npu_cycles32();
    ok &= measured_call(run, arguments, &p, out, together) == NPU_OK;
    cycles[together] = npu_cycles32() - start;
  }
  ok &= same(bytes);
  for (int together = 0; together < 2; ++together) {
    bench_line(cycles[together], macs_of(&p), "%s%s/%ldx%ldx%ld-%ld_%ldx%lds%ld", name,
               together ? "" : "_separate", (long)l->h, (long)l->w, (long)l->c, (long)l->n,
               (long)l->kernel, (long)l->kernel, (long)l->stride);
    bench_end(ok);
  }
  return ok;
}

#endif // CONV_FUSED_H
