// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fuzz_arguments FIRST COUNT [OPERATOR]: two calls of every operator for each seed, a valid one and
// a damaged one. The valid one must be NPU_OK, and a fused form gives the bytes of its two
// operators. Every call must end with a status, leave its inputs and all bytes outside of scratch
// buffer and output as they were, and not be NPU_OK where an operand is no memory's or no buffer is
// large enough.

#include "fuzz_arguments.h"

#include <npu_platform.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 256, SCRATCH = 32 << 10, WORDS = 48 };

int fuzz_damaged;

static _Alignas(64) uint8_t scratch[SCRATCH + 2 * GUARD], near[3][AREA], near_out[AREA + 2 * GUARD];
static NPU_DRAM_BSS _Alignas(64) uint8_t far[2][AREA], far_out[AREA + 2 * GUARD],
    far_packed[PACKED_AREA];
static uint8_t *const nowhere = (uint8_t *)0x40000000;
static uint32_t state, seed, calls[5], failures, out_bytes;
static int is_nowhere, is_short, noted; // the last call: an operand, the largest scratch buffer
static int32_t words[WORDS];
static const char *name;

static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

int32_t fuzz_below(int32_t n) {
  return (int32_t)(draw() % (uint32_t)n);
}

int32_t fuzz_range(int32_t low, int32_t high) {
  return low + fuzz_below(high - low + 1);
}

int32_t fuzz_odd(void) {
  static const int32_t numbers[] = {0,
                                    -1,
                                    1,
                                    2,
                                    15,
                                    16,
                                    17,
                                    31,
                                    32,
                                    33,
                                    127,
                                    128,
                                    -128,
                                    -129,
                                    129,
                                    255,
                                    256,
                                    257,
                                    65535,
                                    65536,
                                    65537,
                                    32768,
                                    1 << 20,
                                    1 << 24,
                                    1 << 28,
                                    1 << 30,
                                    -2,
                                    -16,
                                    INT32_MAX,
                                    INT32_MIN,
                                    INT32_MIN + 1,
                                    0x10000001,
                                    0x55555556,
                                    0x40000001};
  const int32_t number = numbers[fuzz_below(sizeof numbers / sizeof *numbers)];
  // Layers with extents of that size are valid now and then, and long.
  return number >= 1000 && number <= 65535 && fuzz_below(16) != 0 ? 65536 + fuzz_below(4) : number;
}

npu_dims fuzz_image(int32_t extent, int32_t channels) {
  return (npu_dims){fuzz_range(1, 2), fuzz_range(1, extent), fuzz_range(1, extent),
                    fuzz_range(1, channels)};
}

int32_t fuzz_outputs(int32_t in, int32_t taps, int32_t stride, int32_t dilation, int32_t padding) {
  const int32_t room = in + padding - ((taps - 1) * dilation + 1);
  return room < 0 ? 0 : room / stride + 1;
}

void fuzz_damage(void *from, uint32_t bytes) {
  int32_t *const to = from;
  const int32_t count = (int32_t)(bytes / 4);
  for (int32_t i = fuzz_damaged ? fuzz_range(1, 3) : 0; i > 0; --i)
    to[fuzz_below(count)] = fuzz_odd();
  noted = count < WORDS ? count : WORDS;
  memcpy(words, to, (uint32_t)noted * 4);
}

uint64_t fuzz_bytes(const npu_dims *dims, uint32_t element) {
  uint64_t bytes = element;
  for (int i = 0; i < 4; ++i) {
    const int32_t extent = (&dims->n)[i];
    if (extent < 1)
      return 0;
    bytes =
        bytes > UINT64_MAX >> 32 ? bytes : bytes * (uint32_t)extent; // beyond all memories already
  }
  return bytes;
}

uint64_t fuzz_spread_bytes(const npu_dims *dims, uint32_t element, int32_t pixel, int32_t line) {
  const uint64_t dense = fuzz_bytes(dims, element);
  if (dense == 0 || dense > INT32_MAX || (pixel <= 0 && line <= 0))
    return dense;
  const uint64_t point = (uint64_t)(uint32_t)dims->c * element;
  const uint64_t columns = (uint64_t)(pixel > 0 ? (uint32_t)pixel : point) * (uint32_t)dims->w;
  const uint64_t lines = (uint64_t)(uint32_t)dims->n * (uint32_t)dims->h;
  const uint64_t spread = (line > 0 ? (uint32_t)line : columns) * (lines - 1) + columns -
                          (pixel > 0 ? (uint32_t)pixel : point) + point;
  return spread < dense ? dense : spread; // less: pitches that no operator takes
}

void fuzz_fail(const char *what, int value) {
  ++failures;
  printf("seed %lu, %s%s: %s %d; arguments", (unsigned long)seed, name,
         fuzz_damaged ? ", damaged" : "", what, value);
  for (int i = 0; i < noted; ++i)
    printf(" %ld", (long)words[i]);
  putchar('\n');
}

// Sixteen sums of every sixteenth word.
typedef uint32_t lanes __attribute__((vector_size(64)));

static lanes sum(const uint8_t *bytes) {
  const lanes *const from = (const lanes *)bytes;
  lanes value = {0};
  for (uint32_t i = 0; i < AREA / sizeof(lanes); ++i)
    value = value * 5 + from[i];
  return value;
}

static lanes sums[5];

static void sum_inputs(lanes *to) {
  const uint8_t *const areas[] = {near[0], near[1], near[2], far[0], far[1]};
  for (int i = 0; i < 5; ++i)
    to[i] = sum(areas[i]);
}

// `ends`: what no memory holds may begin in one.
static uint8_t *area(uint64_t bytes, uint8_t *tcm, uint8_t *dram, uint32_t element, int ends) {
  const uint32_t offset = (uint32_t)fuzz_below(32) & -element;
  if (bytes > AREA - 64) {
    is_nowhere = 1;
    uint8_t *const begins[] = {nowhere, (uint8_t *)(NPU_TCM_BASE + NPU_LARGE_TCM_SIZE - 64),
                               (uint8_t *)(NPU_DRAM_BASE + NPU_LARGE_DRAM_SIZE - 64)};
    return begins[ends ? fuzz_below(3) : 0];
  }
  return (fuzz_below(2) ? tcm : dram) + offset;
}

fuzz_call fuzz_place(uint64_t in, uint64_t in2, uint64_t out, uint64_t packed, uint32_t needed,
                     uint32_t element) {
  fuzz_call call;
  is_nowhere = 0;
  call.in = area(in, near[0], far[0], element, 1);
  call.in2 = area(in2, near[1], far[1], element, 1);
  call.out = area(out, near_out + GUARD, far_out + GUARD, element, 0);
  out_bytes = call.out == nowhere ? 0 : (uint32_t)out;
  if (packed > PACKED_AREA)
    is_nowhere = 1;
  call.packed = packed > PACKED_AREA             ? nowhere
                : packed < AREA && fuzz_below(2) ? near[2]
                                                 : far_packed;
  is_short = needed > SCRATCH;
  uint32_t size = is_short ? SCRATCH : needed;
  if (fuzz_below(4) == 0)
    size += 16 * (uint32_t)fuzz_below(2000);
  if (fuzz_damaged && fuzz_below(8) == 0)
    size = 16 * (uint32_t)fuzz_below(20);
  call.context = (npu_context){scratch + GUARD, size < SCRATCH ? size : SCRATCH};
  if (fuzz_damaged && fuzz_below(16) == 0)
    switch (fuzz_below(8)) {
    case 0:
      call.in = 0;
      break;
    case 1:
      call.in2 = 0;
      break;
    case 2:
      call.out = 0;
      out_bytes = 0;
      break;
    case 3:
      call.packed = 0;
      break;
    case 4:
      call.context.buffer = 0;
      break;
    case 5:
      call.context.buffer = scratch + GUARD + 1;
      break;
    case 6:
      call.context.buffer = far_out;
      break;
    default:
      call.packed = (const uint8_t *)call.packed + 1;
      break;
    }
  for (uint32_t i = 0; i < sizeof scratch; i += sizeof(lanes))
    *(lanes *)(scratch + i) = (lanes){0} + 0xA5A5A5A5;
  for (uint32_t i = 0; i < sizeof near_out; i += sizeof(lanes))
    *(lanes *)(near_out + i) = *(lanes *)(far_out + i) = (lanes){0} + 0x5A5A5A5A;
  sum_inputs(sums);
  return call;
}

void fuzz_table(const void *table, uint32_t bytes) {
  memcpy(near[2], table, bytes);
  memcpy(far_packed, table, bytes);
}

// Whether a byte is not `value`.
static int other(const uint8_t *bytes, uint32_t from, uint32_t to, uint8_t value) {
  uint32_t different = 0;
  for (; from < to && from % sizeof(lanes) != 0; ++from)
    different |= bytes[from] ^ value;
  lanes all = {0};
  for (; from + sizeof(lanes) <= to; from += sizeof(lanes))
    all |= *(const lanes *)(bytes + from) ^ value * 0x01010101u;
  for (; from < to; ++from)
    different |= bytes[from] ^ value;
  for (uint32_t i = 0; i < sizeof(lanes) / 4; ++i)
    different |= all[i];
  return different != 0;
}

void fuzz_check(const fuzz_call *call, npu_status status) {
  if (status > NPU_OK || status < NPU_ERROR_MATRIX_UNIT) {
    fuzz_fail("status", status);
    return;
  }
  ++calls[-status];
  if (!fuzz_damaged && !is_nowhere && status != NPU_OK && !(is_short && status == NPU_ERROR_BUFFER))
    fuzz_fail("a valid layer is refused", status);
  if (is_nowhere && status == NPU_OK && call->in != call->out) // a copy in place is none
    fuzz_fail("accepted what is no memory's", 0);
  lanes now[5];
  sum_inputs(now);
  if (memcmp(now, sums, sizeof now) != 0)
    fuzz_fail("an input has changed, status", status);
  if (call->context.buffer == scratch + GUARD &&
      (other(scratch, 0, GUARD, 0xA5) ||
       other(scratch, GUARD + call->context.size, sizeof scratch, 0xA5)))
    fuzz_fail("written outside of the scratch buffer, status", status);
  for (int i = 0; i < 2; ++i) {
    const uint8_t *const bytes = i == 0 ? near_out : far_out, *const out = call->out;
    if (bytes == far_out && call->context.buffer == far_out)
      continue;
    const int here = out >= bytes && out < bytes + sizeof near_out;
    const uint32_t from = here ? (uint32_t)(out - bytes) : 0, to = here ? from + out_bytes : 0;
    if (other(bytes, 0, from, 0x5A) || other(bytes, to, sizeof near_out, 0x5A))
      fuzz_fail("written outside of the output, status", status);
  }
}

static const struct {
  const char *name;
  void (*make)(int kind);
} operators[] = {
#define OPERATOR(name, maker) {#name, fuzz_##maker},
#include "fuzz_operators.def"
#undef OPERATOR
};

static void run_all(const char *only) {
  for (int kind = 0; kind < (int)(sizeof operators / sizeof *operators); ++kind) {
    name = operators[kind].name;
    if (only != 0 && strcmp(name, only) != 0)
      continue;
    for (fuzz_damaged = 0; fuzz_damaged < 2; ++fuzz_damaged) {
      state = seed * 2654435761u + (uint32_t)fuzz_damaged * 7 + 1;
      for (const char *c = name; *c != 0; ++c)
        state = (state ^ (uint8_t)*c) * 16777619u;
      state += state == 0;
      for (int i = 0; i < 8; ++i)
        draw();
      operators[kind].make(kind);
    }
  }
}

int main(int argc, char **argv) {
  const uint32_t first = argc > 1 ? (uint32_t)atoi(argv[1]) : 1,
                 count = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
  state = 77;
  for (int i = 0; i < 2; ++i)
    for (uint32_t k = 0; k < AREA; ++k) {
      near[i][k] = (uint8_t)draw();
      far[i][k] = (uint8_t)draw();
    }
  for (uint32_t k = 0; k < AREA; ++k) // small numbers: shifts of packed constants are in range
    near[2][k] = far_packed[k] = (uint8_t)draw() & 7;
  for (seed = first; seed < first + count && failures < 20; ++seed)
    run_all(argc > 3 ? argv[3] : 0);
  printf("%lu calls OK, %lu wrong arguments, %lu buffers too small, %lu transfers failed, %lu "
         "errors of the array\n",
         (unsigned long)calls[0], (unsigned long)calls[1], (unsigned long)calls[2],
         (unsigned long)calls[3], (unsigned long)calls[4]);
  return failures != 0;
}
