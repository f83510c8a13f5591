// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -lnpukernels
//
// Fully connected layers, everything in DRAM, the plan made before, as the constants are packed
// before (..._call/...: one call that makes its plan), BATCHESxINPUTSxOUTPUTS: int8, int4 with a
// scale for each output, int4 with scales for blocks of 32 inputs (int4_block), int16 activations.
// One batch is bound by the weights' way from DRAM: read= are the bytes of constants and input.
// Weights repeat every 32 KiB; some outputs are checked against plain C.

#include "bench.h"

#include <npu/fully_connected_plan.h>

enum {
  SCRATCH = 92 << 10,
  PATTERN = 8 << 10,
  PACKED = 2 << 20,
  IO = 256 << 10,
  SIDE = 16,
  MULTIPLIER = (1 << 30) + 1
};
enum kind { S8 = NPU_FC_S8, S4 = NPU_FC_S4, S4_BLOCK = NPU_FC_S4_BLOCK, S16 = NPU_FC_S16 };

static NPU_DRAM_BSS _Alignas(64) uint8_t packed[PACKED];
static NPU_DRAM_BSS _Alignas(64) int8_t input[IO], output[IO];
static _Alignas(64) uint8_t scratch[SCRATCH], pattern[PATTERN];

typedef struct layer {
  const char *name;
  enum kind kind;
  int32_t batches, inputs, outputs;
  int one_call; // that makes its plan
} layer;

static const layer layers[] = {
    {"fully_connected_int8/1x1024x512", S8, 1, 1024, 512, 0},
    {"fully_connected_int8/1x4096x256", S8, 1, 4096, 256, 0},
    {"fully_connected_int8/8x1024x512", S8, 8, 1024, 512, 0},
    {"fully_connected_int8/128x512x256", S8, 128, 512, 256, 0},
    {"fully_connected_int4/1x4096x256", S4, 1, 4096, 256, 0},
    {"fully_connected_int4/128x512x256", S4, 128, 512, 256, 0},
    {"fully_connected_int4/512x256x256", S4, 512, 256, 256, 0},
    {"fully_connected_int4/64x1024x256", S4, 64, 1024, 256, 0},
    {"fully_connected_int4_call/64x1024x256", S4, 64, 1024, 256, 1},
    {"matvec_int4/1x4096x512", S4_BLOCK, 1, 4096, 512, 0},
    {"fully_connected_int16/1x1024x256", S16, 1, 1024, 256, 0},
};

static uint32_t table_bytes(const layer *l) {
  return l->kind == S16 ? 208 : 144;
}
static uint32_t step_bytes(const layer *l) {
  return l->kind == S4_BLOCK ? 288 : 256;
}
static int32_t step_rows(const layer *l) {
  return l->kind == S4 || l->kind == S4_BLOCK ? 32 : 16;
}
static uint32_t block_bytes(const layer *l) {
  return table_bytes(l) + (uint32_t)(l->inputs / step_rows(l)) * step_bytes(l);
}

// The constants as the packers lay them out: random weights (and scales), bias 1000 n, multiplier
// 2^30 or so, one shift; doubles where the core decides by them.
static int fill(const layer *l, int32_t shift) {
  int ok = 1;
  for (uint32_t i = 0; i < PATTERN / 4; ++i)
    ((uint32_t *)pattern)[i] = random_word() & (l->kind == S4_BLOCK ? 0x7FFF7FFFu : ~0u);
  const uint32_t end = (uint32_t)l->outputs / SIDE * block_bytes(l);
  for (uint32_t at = 0; at < end; at += PATTERN)
    ok &= npu_dma_copy(packed + at, pattern, PATTERN) == 0;
  _Alignas(4) uint8_t table[208];
  memset(table, 0, sizeof table);
  for (int32_t n = 0; n < SIDE; ++n) {
    const int32_t bias = 1000 * n;
    ((int32_t *)table)[n] = bias;
    ((int32_t *)table)[(l->kind == S16 ? 32 : 16) + n] = MULTIPLIER + 2 * n * 1234567;
    table[(l->kind == S16 ? 192 : 128) + n] = (uint8_t)shift;
  }
  for (uint32_t at = 0; at < end; at += block_bytes(l))
    ok &= npu_dma_copy(packed + at, table, table_bytes(l)) == 0;
  // Doubles: the multiplier without its first one, which stands for 2^(shift - 1).
  for (int32_t n = 0; l->kind == S16 && n < l->outputs; ++n)
    ((uint64_t *)(packed + end))[n] = (uint64_t)(1022 + shift) << 52 |
                                      (uint64_t)(MULTIPLIER + 2 * (n % SIDE) * 1234567 - (1 << 30))
                                          << 22;
  const uint32_t bytes = (uint32_t)(l->batches * l->inputs * (l->kind == S16 ? 2 : 1));
  for (uint32_t at = 0; at < bytes; at += PATTERN)
    ok &= npu_dma_copy(input + at, pattern + at / PATTERN * 16, PATTERN - 512) == 0;
  return ok;
}

static int32_t weight_of(const layer *l, const uint8_t *step, int32_t k, int32_t n) {
  if (step_rows(l) == 16)
    return (int8_t)step[k * SIDE + n];
  const int32_t pair = step[k * SIDE / 2 + n / 2];
  return ((n % 2 != 0 ? pair >> 4 : pair & 15) ^ 8) - 8;
}

// Output n of a batch, from the block's constants and the batch's inputs in the scratchpad.
static int32_t expected(const layer *l, const uint8_t *block, const int8_t *in, int32_t n,
                        int32_t shift) {
  int64_t acc = 0;
  for (int32_t first = 0; first < l->inputs; first += step_rows(l)) {
    const uint8_t *step = block + table_bytes(l) + (uint32_t)(first / step_rows(l)) * step_bytes(l);
    int32_t sum = 0;
    for (int32_t k = 0; k < step_rows(l); ++k)
      sum += weight_of(l, step, k, n % SIDE) *
             (l->kind == S16 ? ((const int16_t *)in)[first + k] : in[first + k]);
    if (l->kind == S4_BLOCK)
      sum = (sum * ((const int16_t *)(step + 256))[n % SIDE] + 128) >> 8;
    acc += sum;
  }
  if (l->kind == S16) // the planes' correction, which the packer folds into the bias
    for (int32_t first = 0; first < l->inputs; ++first)
      acc -= 128 * weight_of(l, block + table_bytes(l) + (uint32_t)(first / 16) * 256, first % 16,
                             n % SIDE);
  acc += 1000 * (n % SIDE);
  const int64_t scaled =
      (acc * (MULTIPLIER + 2 * (n % SIDE) * 1234567) + (1ll << (30 - shift))) >> (31 - shift);
  const int32_t most = l->kind == S16 ? INT16_MAX : INT8_MAX, least = -most - 1;
  return scaled < least ? least : scaled > most ? most : (int32_t)scaled;
}

static npu_fc_problem problem_of(const layer *l) {
  return (npu_fc_problem){.input = {l->batches, 1, 1, l->inputs},
                          .filter = {l->outputs, 1, 1, l->inputs},
                          .params = {.activation_min = l->kind == S16 ? INT16_MIN : INT8_MIN,
                                     .activation_max = l->kind == S16 ? INT16_MAX : INT8_MAX},
                          .form = l->kind,
                          .scratch_bytes = SCRATCH};
}

static __attribute__((noinline)) npu_status measured_call(const layer *l, const npu_fc_problem *p,
                                                          const npu_fc_plan *plan,
                                                          const npu_context *context) {
  return l->one_call ? npu_fully_connected_s4(context, &p->params, &p->input, input, &p->filter,
                                              packed, output)
                     : npu_fc_plan_run(plan, context, input, packed, output);
}

static int measure(const layer *l) {
  const int32_t shift = l->kind == S4 ? -6 : l->kind == S4_BLOCK ? -14 : l->kind == S16 ? -9 : -11;
  const uint32_t constants = (uint32_t)l->outputs / SIDE * block_bytes(l);
  const int32_t element = l->kind == S16 ? 2 : 1;
  const uint32_t in_bytes = (uint32_t)(l->batches * l->inputs * element);
  const uint32_t out_bytes = (uint32_t)(l->batches * l->outputs * element);
  int ok = constants <= PACKED - PATTERN && in_bytes <= IO - PATTERN && out_bytes <= IO &&
           fill(l, shift);
  const npu_context context = {scratch, sizeof scratch};
  const npu_fc_problem problem = problem_of(l);
  npu_fc_plan plan;
  ok &= npu_fc_plan_make(&plan, &problem) == NPU_OK;
  const uint32_t start = npu_cycles32();
  ok &= measured_call(l, &problem, &plan, &context) == NPU_OK;
  const uint32_t cycles = npu_cycles32() - start;

  // One output of the first and one of the last block, of the first and last batch; the pieces
  // fetched in turn.
  const uint32_t part = block_bytes(l);
  for (int32_t i = 0; i < 2; ++i) {
    const int32_t n = i == 0 ? 3 : l->outputs - 2, batch = i == 0 ? 0 : l->batches - 1;
    int8_t *const row = (int8_t *)pattern;
    if (part > SCRATCH || l->inputs * element > PATTERN)
      return 0;
    ok &=
        npu_dma_copy(scratch, packed + (uint32_t)(n / SIDE) * part, part) == 0 &&
        npu_dma_copy(row, input + batch * l->inputs * element, (size_t)(l->inputs * element)) == 0;
    const int32_t want = expected(l, scratch, row, n, shift);
    const int32_t at = batch * l->outputs + n,
                  got = element == 2 ? ((int16_t *)output)[at] : output[at];
    if (got != want)
      printf("%s: output %ld of batch %ld is %ld, must be %ld\n", l->name, (long)n, (long)batch,
             (long)got, (long)want);
    ok &= got == want;
  }
  const uint32_t beats = (constants + 15) / 16 + (in_bytes + 15) / 16;
  bench_line(cycles, (uint32_t)(l->batches * l->inputs * l->outputs), "%s", l->name);
  bench_field("read", constants + in_bytes);
  bench_field("write", out_bytes);
  if (l->batches == 1) {
    bench_field("bus_bytes", 16 * beats);
    bench_field("bus_width", 16);
  }
  return bench_end(ok);
}

int main(int argc, char **argv) {
  int ok = 1;
  for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
    if (bench_chosen(layers[i].name, argc, argv))
      ok &= measure(&layers[i]);
  return !ok;
}
