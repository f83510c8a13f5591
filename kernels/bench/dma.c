// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bench-flags: -Wl,--defsym=__stack_size=8192
// bench-run: --dram-bytes-per-cycle 16 -- 16
// bench-run: --dram-bytes-per-cycle 8 -- 8
//
// DMA between the scratchpad and DRAM: long transfers, rows of few bytes at any alignment, chains,
// one direction and both at once. Cycles count from the start of the (first) operation until its
// ticket is complete, so the latency of DRAM (60 cycles) and the core's wait are inside.
//   BENCH name=dma/CASE@B cycles=C macs=0 dram_bytes=N bus_bytes=U bus_width=B ok=0|1
// N are the bytes moved from or to DRAM, U those of the bus's 16-byte beats in the busier
// direction, and B the bytes that a direction moves a cycle: U / (B C) is the share of the
// bandwidth.

#include <npu/cycles.h>
#include <npu/dma.h>
#include <npu/placement.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 52 * 1024, LINKS = 96 };
enum direction { LOAD, STORE, COPY, BOTH };

static _Alignas(64) uint8_t near_core[BYTES], other[BYTES];
static NPU_DRAM_BSS _Alignas(64) uint8_t far[4 * BYTES];
static npu_dma_descriptor chain[LINKS];
static uint32_t bus_width;

static uint8_t pattern(uint32_t at) {
  return (uint8_t)(at * 37 + (at >> 8) * 11 + 5);
}

static void run(npu_dma_descriptor d) {
  npu_wait(npu_dma_submit(0, &d));
}

// Sources hold the pattern, destinations zero.
static void reset(enum direction direction) {
  for (uint32_t at = 0; at < BYTES; ++at)
    near_core[at] = other[at] = pattern(at);
  run(npu_dma_fill_2d(far, BYTES, 0, BYTES, 4));
  if (direction != STORE)
    run(npu_dma_2d(far, BYTES, near_core, 0, BYTES, 2));
  if (direction == LOAD || direction == BOTH)
    run(npu_dma_fill_2d(near_core, 0, 0, BYTES, 1));
}

static uint32_t beats(const uint8_t *start, uint32_t pitch, uint32_t length, uint32_t rows) {
  uint32_t sum = 0;
  for (uint32_t row = 0; row < rows; ++row)
    sum += (((uint32_t)start + row * pitch) % 16 + length + 15) / 16;
  return sum;
}

// Whether the rows at `to` hold what `from` held, for some bytes of each row (DRAM is slow for the
// core).
static int matches(const uint8_t *to, const uint8_t *from_base, const uint8_t *from, uint32_t pitch,
                   uint32_t length, uint32_t rows) {
  for (uint32_t row = 0; row < rows; row += rows > 16 ? rows / 16 : 1)
    for (uint32_t n = 0; n < length; n += length > 32 ? length / 16 + 1 : 1)
      if (to[row * pitch + n] != pattern((uint32_t)(from - from_base) + row * pitch + n))
        return 0;
  return 1;
}

// rows x length bytes, `pitch` apart on both sides, as `links` descriptors; the offsets are to the
// start of the buffers, which are aligned.
static void measure(const char *name, enum direction direction, uint32_t length, uint32_t rows,
                    uint32_t pitch, uint32_t links, uint32_t dram_offset, uint32_t offset) {
  reset(direction);
  uint8_t *const dram = far + dram_offset, *const tcm = near_core + offset;
  uint8_t *const copied = far + 2 * BYTES + offset;
  const uint32_t each = rows / links;
  for (uint32_t link = 0; link < links; ++link) {
    const uint32_t at = link * each * pitch;
    uint8_t *const to = direction == LOAD || direction == BOTH ? tcm
                        : direction == STORE                   ? dram
                                                               : copied;
    const uint8_t *const from = direction == STORE ? tcm : dram;
    chain[link] = npu_dma_2d(to + at, (int32_t)pitch, from + at, (int32_t)pitch, length, each);
    if (link != 0)
      npu_dma_chain(&chain[link - 1], &chain[link]);
  }
  // The second channel stores into a part of DRAM of its own.
  const npu_dma_descriptor back =
      npu_dma_2d(copied, (int32_t)pitch, other + offset, (int32_t)pitch, length, rows);

  const uint32_t start = npu_cycles32();
  const npu_ticket_t first = npu_dma_submit(0, chain);
  if (direction == BOTH)
    npu_wait(npu_dma_submit(1, &back));
  npu_wait(first);
  const uint32_t cycles = npu_cycles32() - start;

  int ok = 1;
  if (direction == LOAD || direction == BOTH)
    ok = matches(tcm, far, dram, pitch, length, rows);
  if (direction == STORE)
    ok = matches(dram, near_core, tcm, pitch, length, rows);
  if (direction == COPY)
    ok = matches(copied, far, dram, pitch, length, rows);
  if (direction == BOTH)
    ok &= matches(copied, other, other + offset, pitch, length, rows);
  uint32_t bus = beats(dram, pitch, length, rows);
  if (direction == COPY || direction == BOTH) {
    const uint32_t written = beats(copied, pitch, length, rows);
    bus = written > bus ? written : bus;
  }
  printf(
      "BENCH name=dma/%s@%lu cycles=%lu macs=0 dram_bytes=%lu bus_bytes=%lu bus_width=%lu ok=%d\n",
      name, (unsigned long)bus_width, (unsigned long)cycles,
      (unsigned long)(length * rows * (direction == COPY || direction == BOTH ? 2 : 1)),
      (unsigned long)(16 * bus), (unsigned long)bus_width, ok);
}

int main(int argc, char **argv) {
  bus_width = argc > 1 ? (uint32_t)atoi(argv[1]) : 16;
  static const struct {
    const char *name;
    uint32_t length, rows, pitch, links, dram_offset, offset;
  } cases[] = {
      {"48KiB", (48 << 10) - 64, 1, 0, 1, 0, 0},        {"48KiB_unaligned", (48 << 10) - 64, 1, 0, 1, 9, 3},
      {"rows256", 256, 128, 320, 1, 0, 0},         {"rows100", 100, 256, 112, 1, 12, 7},
      {"rows64", 64, 512, 80, 1, 0, 13},           {"rows32", 32, 752, 64, 1, 15, 2},
      {"rows16", 16, 1664, 32, 1, 0, 0},           {"rows16_unaligned", 16, 1504, 32, 1, 5, 2},
      {"chain_448", 448, LINKS, 464, LINKS, 0, 4},
  };
  static const char *const directions[] = {"load_", "store_", "copy_", "both_"};
  for (int direction = LOAD; direction <= BOTH; ++direction)
    for (unsigned n = 0; n < sizeof cases / sizeof cases[0]; ++n) {
      char name[40];
      snprintf(name, sizeof name, "%s%s", directions[direction], cases[n].name);
      measure(name, (enum direction)direction, cases[n].length, cases[n].rows, cases[n].pitch,
              cases[n].links, cases[n].dram_offset, cases[n].offset);
    }
  return 0;
}
