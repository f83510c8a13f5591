// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cycles of the matrix unit: how much of its peak layers reach from the scratchpad.

#include "matrix_harness.h"

#include <memory>

namespace npu::test {
namespace {

// C[m][n] = A[m][k] * B[k][n], int8, all operands in the scratchpad; tiles of 16 columns
// alternate between the halves of the accumulators, and the last one is split so that its
// drain follows closely. Two cycles of scalar code an operation. A row's pitch of an odd number of
// 16-byte units spreads consecutive pixels over all banks, so that fetch, drain and weight load
// do not meet in the same four for a whole run.
struct MatmulCase {
  uint32_t m, n, k;
  double utilization;
};

class MatrixMatmul : public testing::TestWithParam<MatmulCase> {};

TEST_P(MatrixMatmul, UtilizationFromScratchpad) {
  auto [rows, columns, depth, wanted] = GetParam();
  std::mt19937 rng(7);
  auto tcm = random_tcm(rng);
  // Large operands wrap around inside their region: only the time and the flow count there.
  const uint32_t a = kTcmBase, b = kTcmBase + 0xb000, table = kTcmBase + 0xf000;
  const uint32_t c = kTcmBase + kHalf, a_pitch = depth + 16, c_pitch = columns + 16;
  auto bench = std::make_unique<Bench>(1);
  MatrixReference reference(tcm);
  bench->load(tcm);
  std::vector<MacIssue> program;
  uint32_t tile_rows = std::min(rows, 128u), half = 0;
  for (uint32_t n = 0; n < columns; n += 16) {
    MacIssue ldq;
    ldq.op = MacOp::Ldq;
    ldq.rs1 = table;
    program.push_back(ldq);
    for (uint32_t m = 0; m < rows; m += tile_rows, half ^= 1) {
      for (uint32_t k = 0; k < depth; k += 16) {
        MacIssue ldw;
        ldw.op = MacOp::Ldw;
        ldw.rs1 = b + (n / 16 * depth * 16 + k * 16) % 0x4000;
        ldw.rs2 = 16;
        program.push_back(ldw);
        MacIssue run;
        run.rs1 = a + m * a_pitch % 0x2000 + k;
        run.xstride = a_pitch;
        run.rs2 = run_ctl(half * 128, tile_rows, 16, 0, k > 0, true);
        program.push_back(run);
      }
      MacIssue drain;
      drain.op = MacOp::Drain;
      drain.rs1 = c + m * c_pitch % 0x2000 + n;
      drain.oxstride = c_pitch;
      drain.rs2 = drain_ctl(half * 128, tile_rows, 16, false);
      program.push_back(drain);
    }
  }
  uint64_t start = bench->cycles;
  for (const auto &m : program) {
    reference.execute(m);
    bench->issue(m);
    bench->cycle();
    bench->cycle();
  }
  bench->finish();
  compare(bench->tcm(), reference.tcm());
  double macs = double(rows) * columns * depth;
  double utilization = macs / 256 / double(bench->cycles - start);
  RecordProperty("utilization_percent", std::to_string(utilization * 100));
  std::printf("matmul %ux%ux%u: %lu cycles, utilization %.1f %%; waits: weights %lu, "
              "accumulators %lu, activations %lu\n",
              rows, columns, depth, bench->cycles - start, utilization * 100,
              bench->perf.weight_wait, bench->perf.acc_wait, bench->perf.fetch_wait);
  EXPECT_GE(utilization, wanted);
}

INSTANTIATE_TEST_SUITE_P(Sizes, MatrixMatmul,
                         testing::Values(MatmulCase{16, 16, 16, 0.30}, MatmulCase{64, 64, 64, 0.95},
                                         MatmulCase{128, 128, 128, 0.97},
                                         MatmulCase{256, 256, 256, 0.97}),
                         [](const auto &test) { return "m" + std::to_string(test.param.m); });

// Int4: twice the K of a vector, one pixel a cycle.
TEST(MatrixThroughput, Int4WeightsDoubleTheRate) {
  auto bench = std::make_unique<Bench>(1);
  std::mt19937 rng(3);
  auto tcm = random_tcm(rng);
  bench->load(tcm);
  MatrixReference reference(tcm);
  const uint32_t pixels = 128, depth = 256, pitch = depth + 16;
  auto issue = [&](const MacIssue &m) {
    EXPECT_FALSE(reference.execute(m));
    bench->issue(m);
  };
  uint64_t start = bench->cycles;
  for (uint32_t tile = 0; tile < 4; tile++) {
    for (uint32_t k = 0; k < depth; k += 32) {
      MacIssue ldw;
      ldw.op = MacOp::Ldw;
      ldw.rs1 = kTcmBase + 0xa000 + tile * 2048 + k * 8;
      ldw.rs2 = 0x100 | 32;
      issue(ldw);
      MacIssue run;
      run.rs1 = kTcmBase + k;
      run.xstride = pitch;
      run.rs2 = run_ctl(tile % 2 * 128, pixels, 32, 0, k > 0, true);
      issue(run);
    }
    MacIssue drain;
    drain.op = MacOp::Drain;
    drain.rs1 = kTcmBase + kHalf + tile * 16;
    drain.oxstride = 80;
    drain.rs2 = drain_ctl(tile % 2 * 128, pixels, 16, false);
    issue(drain);
  }
  bench->finish();
  compare(bench->tcm(), reference.tcm());
  double rate = double(bench->perf.macs) / double(bench->cycles - start);
  std::printf("int4 128x64x256: %.1f MAC/cycle\n", rate);
  EXPECT_EQ(bench->perf.macs, 4u * pixels * depth * 16);
  EXPECT_GE(rate, 0.97 * 512);
}

// Depthwise layers with padding that keeps the extent, drained to int8: MACs of whole layers.
// Lines start 16 bytes after a multiple of 64, so that the window's rows do not meet in a bank,
// and an output pixel has the address of its window's first tap modulo 64.
struct DepthwiseCase {
  const char *name;
  uint32_t kw, kh, stride, width, height; // of the output
  double wanted;                          // MAC a cycle
  uint32_t channels = 16;
};

class MatrixDepthwise : public testing::TestWithParam<DepthwiseCase> {};

TEST_P(MatrixDepthwise, RateFromScratchpad) {
  const auto &c = GetParam();
  auto bench = std::make_unique<Bench>(1);
  std::mt19937 rng(4);
  auto tcm = random_tcm(rng);
  bench->load(tcm);
  MatrixReference reference(tcm);
  auto issue = [&](const MacIssue &m) {
    EXPECT_FALSE(reference.execute(m));
    bench->issue(m);
  };
  uint32_t in_width = c.width * c.stride, in_height = c.height * c.stride;
  auto pitch_of = [](uint32_t bytes) { return (bytes + 47) / 64 * 64 + 16; };
  const uint32_t bytes = c.channels; // of a pixel
  uint32_t pitch = pitch_of(in_width * bytes), out_pitch = pitch_of(c.width * bytes);
  ASSERT_LE(pitch * in_height, 0xf000u);
  uint32_t lines = 128 / c.width, half = 0;
  uint64_t start = bench->cycles;
  for (uint32_t part = 0, y = 0; part < c.channels; half ^= 128) {
    uint32_t pixels = std::min(lines, c.height - y) * c.width;
    uint32_t rows = 16 / c.kw; // of a pass
    for (uint32_t ky = 0; ky < c.kh; ky += rows) {
      uint32_t kh = std::min(rows, c.kh - ky);
      MacIssue ldw;
      ldw.op = MacOp::Ldw;
      ldw.rs1 = kTcmBase + 0xf000 + ky * c.kw * 16 + part * 16;
      ldw.rs2 = c.kw * kh;
      issue(ldw);
      MacIssue run;
      run.op = MacOp::Dw;
      int32_t line = int32_t(y * c.stride + ky) - int32_t(c.kh / 2);
      int32_t column = int32_t(part) - int32_t(c.kw / 2 * bytes);
      run.rs1 = kTcmBase + uint32_t(line * int32_t(pitch) + column);
      run.rowstride = pitch;
      run.tapstride = bytes;
      run.xcount = uint16_t(c.width);
      run.xstride = bytes * c.stride;
      run.ystride = pitch * c.stride;
      run.pad_value = -5;
      run.line_step = 1;
      run.valid_bytes = uint16_t(in_width * bytes);
      run.valid_lines = uint16_t(in_height);
      run.column = int16_t(column);
      run.line = int16_t(line);
      run.xstep_column = int16_t(bytes * c.stride);
      run.ystep_line = int16_t(c.stride);
      run.rs2 = dw_ctl(half, pixels, c.kw, kh, ky > 0, true);
      issue(run);
    }
    MacIssue drain;
    drain.op = MacOp::Drain;
    drain.rs1 = kTcmBase + kHalf + 48 + y * out_pitch + part;
    drain.xcount = uint16_t(c.width);
    drain.oxstride = bytes;
    drain.oystride = out_pitch;
    drain.rs2 = drain_ctl(half, pixels, 16, false);
    issue(drain);
    y += lines;
    if (y >= c.height)
      y = 0, part += 16;
  }
  bench->finish();
  compare(bench->tcm(), reference.tcm());
  double macs = double(c.width * c.height * c.kw * c.kh * c.channels);
  EXPECT_EQ(double(bench->perf.macs), macs);
  double rate = macs / double(bench->cycles - start);
  std::printf("depthwise %s stride %u, %u x %u x %u: %.1f MAC/cycle; waits: weights %lu, accumulators "
              "%lu, activations %lu\n",
              c.name, c.stride, c.width, c.height, c.channels, rate, bench->perf.weight_wait,
              bench->perf.acc_wait, bench->perf.fetch_wait);
  EXPECT_GE(rate, c.wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, MatrixDepthwise,
    testing::Values(DepthwiseCase{"k3x3", 3, 3, 1, 64, 32, 100}, DepthwiseCase{"k3x3", 3, 3, 1, 24, 24, 100},
                    DepthwiseCase{"k3x3", 3, 3, 2, 32, 24, 60}, DepthwiseCase{"k5x5", 5, 5, 1, 32, 32, 100},
                    DepthwiseCase{"k5x5", 5, 5, 2, 16, 16, 60}, DepthwiseCase{"k3x1", 3, 1, 1, 32, 32, 35},
                    DepthwiseCase{"k1x3", 1, 3, 1, 32, 32, 35}, DepthwiseCase{"k4x4", 4, 4, 1, 32, 32, 100},
                    DepthwiseCase{"k3x3", 3, 3, 1, 32, 16, 110, 64},
                    DepthwiseCase{"k3x3", 3, 3, 1, 30, 12, 110, 64},
                    DepthwiseCase{"k3x3", 3, 3, 1, 16, 16, 120, 32}),
    [](const auto &test) {
      return std::string(test.param.name) + "_s" + std::to_string(test.param.stride) + "_w" +
             std::to_string(test.param.width) + "_c" + std::to_string(test.param.channels);
    });

// Sixteen-pixel runs with a new weight tile each: the array never waits.
TEST(MatrixThroughput, ShortRunsFollowWithoutGap) {
  auto bench = std::make_unique<Bench>(1);
  std::vector<uint8_t> tcm(kTcmSize);
  bench->load(tcm);
  const int runs = 64;
  uint64_t busy_before = 0, cycles_before = 0;
  for (int i = 0; i < runs; i++) {
    MacIssue ldw;
    ldw.op = MacOp::Ldw;
    ldw.rs1 = kTcmBase + 0x8000 + uint32_t(i) * 256;
    ldw.rs2 = 16;
    bench->issue(ldw);
    MacIssue run;
    run.rs1 = kTcmBase + uint32_t(i % 4) * 16;
    run.xstride = 64;
    run.rs2 = run_ctl(uint32_t(i) % 8 * 16, 16, 16, 0, true, true);
    bench->issue(run);
    if (i == 8) {
      busy_before = bench->perf.array_busy;
      cycles_before = bench->cycles;
    }
  }
  // All issued: the last few runs are still queued, the array has been busy throughout.
  EXPECT_EQ(bench->perf.array_busy - busy_before, bench->cycles - cycles_before);
  bench->finish();
}

} // namespace
} // namespace npu::test
