// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels -Wl,--gc-sections
//
// Products of two activations, BATCHESxMxKxN, from and to DRAM, as those of attention: scores (rhs
// adjoint) and sums. One element in 1021 is checked against plain C.

#include "bench.h"

#include <npu/batch_matmul.h>

enum { SCRATCH = 92 << 10, TENSOR = 128 << 10, SHIFT = 9 };

static NPU_DRAM_BSS _Alignas(64) int8_t lhs[TENSOR], rhs[TENSOR], out[TENSOR];
static _Alignas(64) uint8_t scratch[SCRATCH];

typedef struct product {
  int32_t batches, m, k, n, adjoint;
} product;

static const product products[] = {
    {1, 64, 64, 64, 0},   {1, 128, 256, 128, 0}, {4, 64, 64, 64, 1},
    {4, 128, 32, 128, 1}, {4, 128, 128, 32, 0},
};

static __attribute__((noinline)) npu_status measured_call(const npu_bmm_params *params,
                                                          const npu_dims *l, const npu_dims *r,
                                                          const npu_dims *o) {
  const npu_context context = {scratch, SCRATCH};
  return npu_batch_matmul_s8(&context, params, l, lhs, r, rhs, o, out);
}

static int measure(const product *p) {
  const npu_dims l = {1, p->batches, p->m, p->k}, o = {1, p->batches, p->m, p->n};
  const npu_dims r =
      p->adjoint ? (npu_dims){1, p->batches, p->n, p->k} : (npu_dims){1, p->batches, p->k, p->n};
  const npu_bmm_params params = {.adj_y = p->adjoint,
                                 .lhs_offset = 3,
                                 .rhs_offset = -5,
                                 .multiplier = 1 << 30,
                                 .shift = -SHIFT,
                                 .activation_min = -128,
                                 .activation_max = 127};
  const uint32_t l_bytes = (uint32_t)(p->batches * p->m * p->k),
                 r_bytes = (uint32_t)(p->batches * p->k * p->n),
                 o_bytes = (uint32_t)(p->batches * p->m * p->n);
  bench_fill(lhs, l_bytes, UINT32_MAX, scratch);
  bench_fill(rhs, r_bytes, UINT32_MAX, scratch);
  const uint32_t start = npu_cycles32();
  int ok = measured_call(&params, &l, &r, &o) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;
  for (int32_t i = 0; i < (int32_t)o_bytes; i += 1021) {
    const int32_t b = i / (p->m * p->n), row = i / p->n % p->m, column = i % p->n;
    const int8_t *const x = lhs + (b * p->m + row) * p->k, *const y = rhs + b * p->k * p->n;
    int32_t sum = 0;
    for (int32_t k = 0; k < p->k; ++k)
      sum += (x[k] + 3) * ((p->adjoint ? y[column * p->k + k] : y[k * p->n + column]) - 5);
    ok &= out[i] == bench_requantize(sum, SHIFT);
  }
  bench_line(cycles, o_bytes * (uint32_t)p->k, "batch_matmul_int8/%ldx%ldx%ldx%ld%s",
             (long)p->batches, (long)p->m, (long)p->k, (long)p->n, p->adjoint ? "t" : "");
  bench_field("read", l_bytes + r_bytes);
  bench_field("write", o_bytes);
  return bench_end(ok);
}

int main(void) {
  int ok = 1;
  for (int i = 0; i < (int)(sizeof products / sizeof *products); ++i)
    ok &= measure(&products[i]);
  return !ok;
}
