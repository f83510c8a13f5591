// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the array does from the scratchpad in each of its modes: one layer a mode, issued as a
// kernel would, every operand in TCM, a part of the outputs checked against plain C. The lines
//   BENCH name=matrix_modes/LAYER cycles=C macs=M dram_bytes=0 ok=0|1
// count from the first instruction of the layer until its last byte is written. int4 reaches twice
// the peak of int8, so its utilization is relative to that: up to 200 %.
//
//   same_3x3   32 x 32 x 32 to 32 channels, 3 x 3 with padding by position: nothing is copied
//   int4_1x1   128 pixels, 256 to 64 channels, int4 weights
//   dw_*       16 channels, depthwise, padding by position

#include "bench.h"

#include <npu_intrinsics.h>

enum {
  ZERO_POINT = -3, // of the input: what is outside the image
  TABLE = 144,
  IN_BYTES = 42 * 1024, // of the largest image
  OUT_BYTES = 34 * 1024,
};

static _Alignas(64) int8_t input[IN_BYTES], output[OUT_BYTES];
static _Alignas(16) int8_t weights[2 * 18 * 256];
static _Alignas(16) uint8_t table[TABLE]; // the same for all channels: half of the sum, rounded up

static int8_t expected(int32_t sum) {
  return bench_requantize(sum, 0);
}

static void report(const char *name, uint32_t cycles, uint32_t macs, int ok) {
  bench_line(cycles, macs, "matrix_modes/%s", name);
  bench_field("dram_bytes", 0);
  bench_end(ok);
}

static void prepare(void) {
  for (uint32_t i = 0; i < sizeof input; ++i)
    input[i] = (int8_t)(random_word() % 5) - 2;
  for (uint32_t i = 0; i < sizeof weights; ++i)
    weights[i] = (int8_t)(random_word() % 7) - 3;
  for (int n = 0; n < 16; ++n)
    ((int32_t *)table)[16 + n] = 1 << 30;
}

// Lines 16 bytes behind a multiple of 64 spread window rows over the banks.
static uint32_t pitch_of(uint32_t bytes) {
  return (bytes + 47) / 64 * 64 + 16;
}

static void start_layer(void) {
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(0, -128, 127));
  npu_csr_write(NPU_CSR_NROWLEN, 16); // windows have one row, or taps
  npu_mac_ldq(table);
}

static int same_3x3(void) {
  enum { SIDE = 32, C = 32, STEPS = 9 * C / 16, LINES = 4, PIXELS = LINES * SIDE };
  const uint32_t pitch = pitch_of(SIDE * C);
  memset(output, 0x55, sizeof output);
  const uint32_t start = npu_cycles32();
  start_layer();
  npu_csr_write(NPU_CSR_NXCOUNT, SIDE);
  npu_csr_write(NPU_CSR_NXSTRIDE, C);
  npu_csr_write(NPU_CSR_NYSTRIDE, pitch);
  npu_csr_write(NPU_CSR_NOXSTRIDE, C);
  npu_csr_write(NPU_CSR_NOYSTRIDE, pitch);
  npu_csr_write(NPU_CSR_NPAD, npu_pad(ZERO_POINT, 1));
  npu_csr_write(NPU_CSR_NVALID, npu_valid(SIDE * C, SIDE));
  npu_csr_write(NPU_CSR_NPXSTEP, npu_position(C, 0));
  npu_csr_write(NPU_CSR_NPYSTEP, npu_position(0, 1));
  uint32_t half = 0;
  for (int y = 0; y < SIDE; y += LINES) {
    for (uint32_t block = 0; block < C; block += 16) {
      const int8_t *step = weights + block / 16 * STEPS * 256;
      uint32_t flags = NPU_MAC_SWAP;
      for (int ky = -1; ky <= 1; ++ky) {
        const int8_t *line = input + (y + ky) * (int)pitch;
        for (int column = -C; column < 2 * C; column += 16) {
          npu_mac_ldw(step, 16);
          npu_csr_write(NPU_CSR_NPOS, npu_position(column, y + ky));
          npu_mac_run(line + column, npu_mac_run_ctl(half, PIXELS, 16, 0, flags));
          flags |= NPU_MAC_ACC;
          step += 256;
        }
      }
      npu_mac_drain(output + y * (int)pitch + block, npu_mac_drain_ctl(half, PIXELS, 16, 0));
      half ^= 128;
    }
  }
  npu_fence(NPU_UNIT_MATRIX);
  const uint32_t cycles = npu_cycles32() - start;

  int ok = 1;
  for (int i = 0; i < SIDE * SIDE * C; i += 251) {
    const int y = i / (SIDE * C), x = i / C % SIDE, n = i % C;
    int32_t sum = 0;
    for (int k = 0; k < 9 * C; ++k) {
      const int iy = y + k / (3 * C) - 1, ix = x + k / C % 3 - 1;
      const int inside = iy >= 0 && iy < SIDE && ix >= 0 && ix < SIDE;
      const int value = inside ? input[iy * (int)pitch + ix * C + k % C] : ZERO_POINT;
      sum += value * weights[(n / 16 * STEPS + k / 16) * 256 + k % 16 * 16 + n % 16];
    }
    ok &= output[y * (int)pitch + x * C + n] == expected(sum);
  }
  report("same_3x3", cycles, SIDE * SIDE * C * 9 * C, ok);
  return ok;
}

static int int4_1x1(void) {
  enum { PIXELS = 128, K = 256, N = 64, STEPS = K / 32 };
  const uint32_t pitch = pitch_of(K), out_pitch = pitch_of(N);
  memset(output, 0x55, sizeof output);
  const uint32_t start = npu_cycles32();
  start_layer();
  npu_csr_write(NPU_CSR_NVALID, 0);
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  npu_csr_write(NPU_CSR_NXSTRIDE, pitch);
  npu_csr_write(NPU_CSR_NOXSTRIDE, out_pitch);
  uint32_t half = 0;
  const int8_t *step = weights;
  for (uint32_t block = 0; block < N; block += 16, half ^= 128) {
    uint32_t flags = NPU_MAC_SWAP;
    for (uint32_t k = 0; k < K; k += 32, step += 256) {
      npu_mac_ldw(step, NPU_MAC_INT4 | 32);
      npu_mac_run(input + k, npu_mac_run_ctl(half, PIXELS, 32, 0, flags));
      flags |= NPU_MAC_ACC;
    }
    npu_mac_drain(output + block, npu_mac_drain_ctl(half, PIXELS, 16, 0));
  }
  npu_fence(NPU_UNIT_MATRIX);
  const uint32_t cycles = npu_cycles32() - start;

  int ok = 1;
  for (int i = 0; i < PIXELS * N; i += 61) {
    const int pixel = i / N, n = i % N;
    int32_t sum = 0;
    for (int k = 0; k < K; ++k) {
      const int pair = weights[(n / 16 * STEPS + k / 32) * 256 + k % 32 * 8 + n % 16 / 2];
      sum += input[pixel * (int)pitch + k] * (n % 2 ? pair >> 4 : (int8_t)(pair << 4) >> 4);
    }
    ok &= output[pixel * (int)out_pitch + n] == expected(sum);
  }
  report("int4_1x1", cycles, PIXELS * N * K, ok);
  return ok;
}

static int depthwise(const char *name, int kw, int kh, int stride, int width, int height) {
  const uint32_t pitch = pitch_of((uint32_t)(width * stride * 16));
  const uint32_t out_pitch = pitch_of((uint32_t)(width * 16));
  const int lines = 128 / width, pass = 16 / kw, left = kw / 2, top = kh / 2;
  memset(output, 0x55, sizeof output);
  const uint32_t start = npu_cycles32();
  start_layer();
  npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)width);
  npu_csr_write(NPU_CSR_NXSTRIDE, (uint32_t)(16 * stride));
  npu_csr_write(NPU_CSR_NYSTRIDE, pitch * (uint32_t)stride);
  npu_csr_write(NPU_CSR_NROWSTRIDE, pitch);
  npu_csr_write(NPU_CSR_NTAPSTRIDE, 16);
  npu_csr_write(NPU_CSR_NOXSTRIDE, 16);
  npu_csr_write(NPU_CSR_NOYSTRIDE, out_pitch);
  npu_csr_write(NPU_CSR_NPAD, npu_pad(ZERO_POINT, 1));
  npu_csr_write(NPU_CSR_NVALID,
                npu_valid((uint32_t)(width * stride * 16), (uint32_t)(height * stride)));
  npu_csr_write(NPU_CSR_NPXSTEP, npu_position(16 * stride, 0));
  npu_csr_write(NPU_CSR_NPYSTEP, npu_position(0, stride));
  uint32_t half = 0;
  for (int y = 0; y < height; y += lines, half ^= 128) {
    const uint32_t pixels = (uint32_t)((height - y < lines ? height - y : lines) * width);
    uint32_t flags = NPU_MAC_SWAP;
    for (int ky = 0; ky < kh; ky += pass, flags |= NPU_MAC_ACC) {
      const int rows = kh - ky < pass ? kh - ky : pass, line = y * stride + ky - top;
      npu_mac_ldw(weights + ky * kw * 16, (uint32_t)(kw * rows));
      npu_csr_write(NPU_CSR_NPOS, npu_position(-16 * left, line));
      npu_mac_dw(input + line * (int)pitch - 16 * left,
                 npu_mac_dw_ctl(half, pixels, (uint32_t)kw, (uint32_t)rows, flags));
    }
    npu_mac_drain(output + y * (int)out_pitch, npu_mac_drain_ctl(half, pixels, 16, 0));
  }
  npu_fence(NPU_UNIT_MATRIX);
  const uint32_t cycles = npu_cycles32() - start;

  int ok = 1;
  for (int i = 0; i < width * height * 16; i += 17) {
    const int y = i / (16 * width), x = i / 16 % width, n = i % 16;
    int32_t sum = 0;
    for (int tap = 0; tap < kw * kh; ++tap) {
      const int iy = y * stride + tap / kw - top, ix = x * stride + tap % kw - left;
      const int inside = iy >= 0 && iy < height * stride && ix >= 0 && ix < width * stride;
      sum += (inside ? input[iy * (int)pitch + ix * 16 + n] : ZERO_POINT) * weights[tap * 16 + n];
    }
    ok &= output[y * (int)out_pitch + x * 16 + n] == expected(sum);
  }
  report(name, cycles, (uint32_t)(width * height * 16 * kw * kh), ok);
  return ok;
}

int main(void) {
  prepare();
  int ok = same_3x3() & int4_1x1();
  ok &= depthwise("dw_3x3", 3, 3, 1, 64, 32);
  ok &= depthwise("dw_3x3_stride_2", 3, 3, 2, 32, 20);
  ok &= depthwise("dw_5x5", 5, 5, 1, 32, 32);
  ok &= depthwise("dw_3x1", 3, 1, 1, 32, 32);
  ok &= depthwise("dw_1x3", 1, 3, 1, 32, 32);
  return !ok;
}
