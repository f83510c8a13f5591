// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix unit against the scalar reference: random operation streams with and without
// bank conflicts, errors and their order, hazards between runs and drains, and cycle counts.

#include "Vmatrix_bench.h"
#include "Vmatrix_bench___024root.h"
#include "bench_seed.h"
#include "matrix_reference.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <random>

namespace npu::test {
namespace {

struct Fault {
  bool drain;
  uint32_t addr;
  bool operator==(const Fault &) const = default;
};

std::ostream &operator<<(std::ostream &os, const Fault &f) {
  return os << (f.drain ? "drain " : "array ") << std::hex << "0x" << f.addr << std::dec;
}

// What mac_perf_t tells of a cycle; the struct's last field is bit 0.
struct Perf {
  uint64_t array_busy = 0, macs = 0, drain_busy = 0, weight_wait = 0, acc_wait = 0, fetch_wait = 0;
  void add(uint32_t bits) {
    array_busy += (bits >> 14) & 1;
    macs += (bits >> 4) & 0x3ff;
    drain_busy += (bits >> 3) & 1;
    weight_wait += (bits >> 2) & 1;
    acc_wait += (bits >> 1) & 1;
    fetch_wait += bits & 1;
  }
};

class Bench {
public:
  explicit Bench(uint32_t seed) : rng(seed) {
    top.clk_i = 0;
    top.rst_ni = 0;
    top.issue_valid_i = 0;
    top.hold_i = 0;
    top.vec_req_i = 0;
    cycle();
    cycle();
    top.rst_ni = 1;
    cycle();
  }

  void load(const std::vector<uint8_t> &tcm) {
    std::memcpy(&top.rootp->matrix_bench__DOT__u_tcm__DOT__mem[0], tcm.data(), tcm.size());
  }
  std::vector<uint8_t> tcm() const {
    std::vector<uint8_t> bytes(kTcmSize);
    std::memcpy(bytes.data(), &top.rootp->matrix_bench__DOT__u_tcm__DOT__mem[0], bytes.size());
    return bytes;
  }

  // One clock; the inputs were set before.
  void cycle() {
    top.hold_i = 0;
    for (int b = 0; b < 16 && hold_percent; b++)
      if (rng() % 100 < hold_percent)
        top.hold_i |= uint16_t(1 << b);
    top.eval();
    if (top.array_error_o)
      faults.push_back({false, top.array_error_addr_o});
    if (top.drain_error_o)
      faults.push_back({true, top.drain_error_addr_o});
    perf.add(top.perf_o);
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    cycles++;
  }

  void issue(const MacIssue &m) {
    top.issue_valid_i = 1;
    top.op_i = uint8_t(m.op);
    top.rs1_i = m.rs1;
    top.rs2_i = m.rs2;
    top.rowlen_i = m.rowlen;
    top.rowstride_i = m.rowstride;
    top.xcount_i = m.xcount;
    top.xstride_i = m.xstride;
    top.ystride_i = m.ystride;
    top.oxstride_i = m.oxstride;
    top.oystride_i = m.oystride;
    top.oquant_i = uint32_t(uint8_t(m.zero_point)) | uint32_t(uint8_t(m.clamp_min)) << 8 |
                   uint32_t(uint8_t(m.clamp_max)) << 16;
    top.pad_i = uint16_t(uint8_t(m.pad_value) | m.line_step << 8);
    top.valid_i = uint32_t(m.valid_bytes | m.valid_lines << 16);
    top.pos_i = position(m.column, m.line);
    top.xstep_i = position(m.xstep_column, m.xstep_line);
    top.ystep_i = position(m.ystep_column, m.ystep_line);
    top.tapstride_i = m.tapstride;
    top.eval();
    for (int wait = 0; !top.issue_ready_o; wait++) {
      if (wait >= 20000)
        FAIL() << "the queue stays full";
      cycle();
    }
    cycle();
    top.issue_valid_i = 0;
    issued++;
    // A captured configuration must not follow the CSRs.
    top.rowlen_i = 0;
    top.xstride_i = 0xdeadbeef;
    top.oxstride_i = 0xdeadbeef;
    top.pos_i = 0xdeadbeef;
    top.valid_i = 0x1234567;
  }
  static uint32_t position(int16_t column, int16_t line) {
    return uint32_t(uint16_t(column)) | uint32_t(uint16_t(line)) << 16;
  }

  // One access of the vector unit; cycles that it waits are counted.
  std::array<uint32_t, 16> vector_access(uint32_t row, const std::array<uint32_t, 16> *write) {
    top.vec_req_i = 1;
    top.vec_we_i = write != nullptr;
    top.vec_row_i = uint8_t(row);
    for (int n = 0; n < 16 && write; n++)
      top.vec_wdata_i[n] = (*write)[unsigned(n)];
    top.eval();
    while (!top.vec_gnt_o && vector_waits < 100000) {
      vector_waits++;
      cycle();
    }
    cycle();
    top.vec_req_i = 0;
    top.eval();
    std::array<uint32_t, 16> read;
    for (unsigned n = 0; n < 16; n++)
      read[n] = top.vec_rdata_o[n];
    return read;
  }

  void finish() {
    for (int wait = 0; top.done_o != issued; wait++) {
      if (wait >= 100000)
        FAIL() << "only " << top.done_o << " of " << issued << " operations complete";
      cycle();
    }
    EXPECT_EQ(top.issued_o, issued);
    EXPECT_FALSE(top.busy_o);
  }

  Vmatrix_bench top;
  std::mt19937 rng;
  unsigned hold_percent = 0;
  uint64_t cycles = 0, vector_waits = 0;
  Perf perf;
  uint32_t issued = 0;
  std::vector<Fault> faults;
};

uint32_t run_ctl(uint32_t row, uint32_t count, uint32_t k, uint32_t first, bool acc, bool swap) {
  return row | count << 8 | k << 17 | first << 23 | uint32_t(acc) << 29 | uint32_t(swap) << 30;
}

uint32_t dw_ctl(uint32_t row, uint32_t count, uint32_t kw, uint32_t kh, bool acc, bool swap) {
  return row | count << 8 | kw << 17 | kh << 22 | uint32_t(acc) << 29 | uint32_t(swap) << 30;
}

uint32_t drain_ctl(uint32_t row, uint32_t count, uint32_t channels, bool raw) {
  return row | count << 8 | channels << 17 | uint32_t(raw) << 22;
}

// The array and the loader read only the lower half, the drain writes only the upper half:
// accesses of the two are not ordered with each other.
constexpr uint32_t kHalf = kTcmSize / 2;

class Generator {
public:
  explicit Generator(std::mt19937 &rng) : rng_(rng) {}

  uint32_t below(uint32_t n) { return n ? uint32_t(rng_()) % n : 0; }
  bool chance(uint32_t percent) { return below(100) < percent; }
  int32_t between(int32_t low, int32_t high) {
    return low + int32_t(below(uint32_t(high - low) + 1));
  }

  // Far enough from the borders of its half that strides do not leave it; now and then at
  // the border of TCM or outside.
  uint32_t input() {
    if (chance(3))
      return chance(50) ? kTcmBase - 40 + below(80) : 0x40000000 + below(0x10000000);
    return kTcmBase + 18000 + below(kHalf - 38000);
  }
  uint32_t output() {
    if (chance(3))
      return chance(50) ? kTcmBase + kTcmSize - 200 + below(400) : 0x40000000 + below(0x10000000);
    return kTcmBase + kHalf + 18000 + below(kHalf - 38000);
  }

  MacIssue next() {
    MacIssue m;
    uint32_t kind = below(100);
    m.op = kind < 30   ? MacOp::Ldw
           : kind < 54 ? MacOp::Run
           : kind < 70 ? MacOp::Dw
           : kind < 78 ? MacOp::Ldq
                       : MacOp::Drain;
    m.xcount = uint16_t(chance(40) ? 0 : 1 + below(20));
    uint32_t count = chance(15) ? below(257) : below(40);
    // A few rows only, so that runs and drains meet.
    uint32_t row = chance(50) ? below(24) : chance(50) ? 120 + below(16) : below(256);
    row = std::min(row, 256 - count);
    switch (m.op) {
    case MacOp::Ldw:
      m.rs1 = input() & ~3u;
      m.rs2 = chance(50) ? 16 : below(17);
      if (chance(40))
        m.rs2 = 0x100 | (chance(50) ? 32 : below(33));
      int4_ = m.rs2 & 0x100;
      break;
    case MacOp::Run: {
      m.rs1 = input();
      // Mostly runs that the weights loaded last allow.
      uint32_t limit = int4_ != chance(5) ? 32 : 16;
      uint32_t k = chance(60) ? limit : below(limit + 1), first = chance(50) ? 0 : below(40);
      uint32_t rest = first && first < k ? k - first : 0;
      m.rowlen = uint16_t((rest + 2) / 3 + below(8));
      if (chance(3))
        m.rowlen = uint16_t(below(4));
      m.rowstride = uint32_t(between(-300, 300));
      m.xstride = uint32_t(chance(20) ? 64 : between(-20, 20));
      m.ystride = uint32_t(between(-60, 60));
      m.rs2 = run_ctl(row, count, k, first, chance(50), chance(60));
      padding(m);
      break;
    }
    case MacOp::Dw: {
      m.rs1 = input();
      uint32_t kw = 1 + below(5), kh = 1 + below(16 / kw);
      if (chance(20))
        kh = 1 + below(16), kw = 1 + below(16 / kh);
      m.rowstride = uint32_t(between(-300, 300));
      m.tapstride = uint32_t(chance(60) ? 16 : between(-20, 40));
      m.xstride = m.tapstride * (chance(40) ? 1 : chance(50) ? 2 : 3);
      if (chance(10))
        m.xstride = uint32_t(between(-20, 40));
      m.ystride = uint32_t(between(-60, 60));
      m.rs2 = dw_ctl(row, count, kw, kh, chance(50), chance(60));
      padding(m);
      break;
    }
    case MacOp::Ldq:
      m.rs1 = input() & ~3u;
      break;
    case MacOp::Drain:
      m.rs1 = output();
      m.oxstride = uint32_t(chance(30) ? 64 : between(-24, 24));
      m.oystride = uint32_t(between(-60, 60));
      m.rs2 = drain_ctl(row, count, chance(50) ? 16 : below(17), chance(30));
      m.zero_point = int8_t(rng_());
      m.clamp_min = int8_t(between(-128, -50));
      m.clamp_max = int8_t(chance(5) ? -100 : between(0, 127));
      break;
    }
    if (chance(3))
      m.rs2 ^= 1u << below(32);
    if (chance(1))
      m.rs1 ^= 1;
    return m;
  }

private:
  // A valid region around which the window moves, mostly in step with the addresses.
  void padding(MacIssue &m) {
    m.pad_value = int8_t(rng_());
    m.line_step = uint8_t(below(4));
    m.valid_lines = uint16_t(below(12));
    if (chance(50))
      return;
    m.valid_bytes = uint16_t(1 + below(120));
    m.column = int16_t(between(-60, 80));
    m.line = int16_t(between(-4, 8));
    m.xstep_column = int16_t(chance(80) ? m.xstride : below(20));
    m.xstep_line = int16_t(chance(80) ? 0 : between(-1, 1));
    m.ystep_column = int16_t(between(-2, 2));
    m.ystep_line = int16_t(between(-1, 2));
    if (chance(5)) {
      m.valid_bytes = m.valid_lines = 0x7fff;
      m.column = int16_t(0x7ff0 + below(32));
      m.line = int16_t(0x7ffe + below(4));
    }
  }

  std::mt19937 &rng_;
  bool int4_ = false;
};

std::vector<uint8_t> random_tcm(std::mt19937 &rng) {
  std::vector<uint8_t> tcm(kTcmSize);
  for (auto &byte : tcm)
    byte = uint8_t(rng());
  // Quantization tables with a mixture of usual and extreme entries.
  for (uint32_t at = 0; at + 4 <= kHalf; at += 4) {
    uint32_t kind = rng() % 64;
    if (kind < 4) {
      uint32_t value = kind == 0 ? 0x80000000u : kind == 1 ? 0x7fffffffu : kind == 2 ? 0 : 0xf8f9fafbu;
      std::memcpy(&tcm[at], &value, 4);
    }
  }
  return tcm;
}

void compare(const std::vector<uint8_t> &got, const std::vector<uint8_t> &want) {
  int shown = 0;
  for (uint32_t i = 0; i < kTcmSize && shown < 8; i++)
    if (got[i] != want[i]) {
      ADD_FAILURE() << "TCM byte 0x" << std::hex << kTcmBase + i << ": got " << unsigned(got[i])
                    << " want " << unsigned(want[i]);
      shown++;
    }
}

struct RandomCase {
  uint32_t seed;
  unsigned hold_percent;  // banks taken by others
  unsigned idle_percent;  // cycles without an issue
};

class MatrixRandom : public testing::TestWithParam<RandomCase> {};

TEST_P(MatrixRandom, MatchesReference) {
  auto [seed, hold, idle] = GetParam();
  seed += seed_offset();
  auto bench = std::make_unique<Bench>(seed);
  bench->hold_percent = hold;
  std::mt19937 rng(seed);
  Generator generate(rng);
  std::optional<MatrixReference> reference;
  for (int round = 0; round < 20 && !testing::Test::HasFailure(); round++) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    auto tcm = round ? bench->tcm() : random_tcm(rng);
    bench->load(tcm);
    if (round == 0)
      reference.emplace(tcm);
    std::vector<Fault> want;
    bench->faults.clear();
    for (int i = 0; i < 40; i++) {
      MacIssue m = generate.next();
      if (auto addr = reference->execute(m))
        want.push_back({m.op == MacOp::Ldq || m.op == MacOp::Drain, *addr});
      bench->issue(m);
      while (generate.chance(idle))
        bench->cycle();
    }
    // Show all accumulators.
    for (uint32_t half = 0; half < 2; half++) {
      MacIssue m;
      m.op = MacOp::Drain;
      m.rs1 = kTcmBase + kHalf + half * 8192;
      m.rs2 = drain_ctl(half * 128, 128, 16, true);
      m.oxstride = 64;
      reference->execute(m);
      bench->issue(m);
    }
    bench->finish();
    EXPECT_EQ(bench->faults, want);
    compare(bench->tcm(), reference->tcm());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Streams, MatrixRandom,
    testing::Values(RandomCase{1, 0, 0}, RandomCase{2, 0, 0}, RandomCase{3, 0, 50},
                    RandomCase{4, 20, 0}, RandomCase{5, 20, 80}, RandomCase{6, 70, 0},
                    RandomCase{7, 5, 20}, RandomCase{8, 40, 95}, RandomCase{9, 0, 97},
                    RandomCase{10, 10, 10}),
    [](const auto &test) {
      return "seed" + std::to_string(test.param.seed) + "_hold" +
             std::to_string(test.param.hold_percent) + "_idle" +
             std::to_string(test.param.idle_percent);
    });

// Random values of every magnitude, one channel each, against the reference.
TEST(MatrixRequantize, RandomTables) {
  auto bench = std::make_unique<Bench>(2);
  std::mt19937 rng(2 + seed_offset());
  for (int round = 0; round < 20; round++) {
    std::vector<uint8_t> tcm(kTcmSize);
    std::vector<MacIssue> issues;
    for (uint32_t i = 0; i < 300; i++) {
      uint32_t at = 144 * i;
      for (uint32_t n = 0; n < 16; n++) {
        int32_t bias = int32_t(rng()) >> (rng() % 32);
        int32_t multiplier = rng() % 4 ? int32_t(0x40000000 | rng() >> 2) : int32_t(rng());
        std::memcpy(&tcm[at + 4 * n], &bias, 4);
        std::memcpy(&tcm[at + 64 + 4 * n], &multiplier, 4);
        tcm[at + 128 + n] = uint8_t(int(rng() % 44) - 34);
      }
      MacIssue table;
      table.op = MacOp::Ldq;
      table.rs1 = kTcmBase + at;
      issues.push_back(table);
      MacIssue drain;
      drain.op = MacOp::Drain;
      drain.rs1 = kTcmBase + kHalf + 16 * i;
      drain.rs2 = drain_ctl(200, 1, 16, false);
      drain.zero_point = int8_t(rng());
      issues.push_back(drain);
    }
    MatrixReference reference(tcm);
    bench->load(tcm);
    for (const auto &m : issues) {
      EXPECT_FALSE(reference.execute(m));
      bench->issue(m);
    }
    bench->finish();
    compare(bench->tcm(), reference.tcm());
  }
}

// The rounding of every stage at its edges, channel by channel.
TEST(MatrixRequantize, EdgesOfTheReference) {
  auto bench = std::make_unique<Bench>(1);
  std::vector<uint8_t> tcm(kTcmSize);
  const int32_t values[] = {0,          1,          -1,          2,          -2,     127,
                            -128,       0x3fffffff, 0x40000000,  0x7fffffff, INT32_MIN, INT32_MIN + 1,
                            1234567,    -1234567,   0x55555555, -0x55555555};
  const int32_t multipliers[] = {0, 1, -1, 0x40000000, 0x7fffffff, INT32_MIN, 0x5a827999, -0x40000000};
  const int8_t shifts[] = {0, 1, -1, 7, -7, 30, -30, 31, -31, 32, -32, 127, -128};
  std::vector<MacIssue> issues;
  uint32_t at = 0, out = kHalf;
  for (int32_t multiplier : multipliers)
    for (int8_t shift : shifts) {
      // The accumulators are zero, so the bias is the value.
      std::memcpy(&tcm[at], values, 64);
      for (int n = 0; n < 16; n++)
        std::memcpy(&tcm[at + 64 + 4 * uint32_t(n)], &multiplier, 4);
      std::memset(&tcm[at + 128], shift, 16);
      MacIssue table;
      table.op = MacOp::Ldq;
      table.rs1 = kTcmBase + at;
      MacIssue drain;
      drain.op = MacOp::Drain;
      drain.rs1 = kTcmBase + out;
      drain.rs2 = drain_ctl(200, 1, 16, false);
      issues.push_back(table);
      issues.push_back(drain);
      at += 144;
      out += 16;
    }
  MatrixReference reference(tcm);
  bench->load(tcm);
  for (const auto &m : issues) {
    EXPECT_FALSE(reference.execute(m));
    bench->issue(m);
  }
  bench->finish();
  compare(bench->tcm(), reference.tcm());
}

TEST(MatrixOrder, ErrorsAreReportedInProgramOrder) {
  auto bench = std::make_unique<Bench>(1);
  std::vector<uint8_t> tcm(kTcmSize);
  bench->load(tcm);
  MacIssue slow;
  slow.rs1 = kTcmBase;
  slow.rs2 = run_ctl(0, 200, 16, 0, false, true);
  MacIssue late;  // leaves TCM with its last vectors
  late.rs1 = kTcmBase + kTcmSize - 20;
  late.xstride = 1;
  late.rs2 = run_ctl(0, 8, 16, 0, false, false);
  MacIssue ldw;
  ldw.op = MacOp::Ldw;
  ldw.rs1 = kTcmBase + 2;
  ldw.rs2 = 16;
  MacIssue drain;
  drain.op = MacOp::Drain;
  drain.rs1 = 0x40;
  drain.rs2 = drain_ctl(0, 4, 16, false);
  MacIssue table;
  table.op = MacOp::Ldq;
  table.rs1 = kTcmBase - 4;
  for (const auto &m : {slow, late, drain, table, ldw})
    bench->issue(m);
  bench->finish();
  std::vector<Fault> want = {{false, kTcmBase + kTcmSize},
                             {true, 0x40},
                             {true, kTcmBase - 4},
                             {false, kTcmBase + 2}};
  EXPECT_EQ(bench->faults, want);
}

// Rows 64 to 127 belong to the vector unit, rows 0 to 63 to a stream of runs and drains in the
// same banks.
TEST(MatrixVector, AccessesRowsBesideRunsAndDrains) {
  auto bench = std::make_unique<Bench>(5);
  std::mt19937 rng(5);
  auto tcm = random_tcm(rng);
  bench->load(tcm);
  MatrixReference reference(tcm);
  auto issue = [&](MacIssue m) {
    EXPECT_FALSE(reference.execute(m));
    bench->issue(m);
  };
  for (int i = 0; i < 40; i++) {
    MacIssue ldw;
    ldw.op = MacOp::Ldw;
    ldw.rs1 = kTcmBase + uint32_t(i) * 64;
    ldw.rs2 = 16;
    issue(ldw);
    MacIssue run;
    run.rs1 = kTcmBase + 0x1000 + uint32_t(i);
    run.xstride = 16;
    run.rs2 = run_ctl(0, 64, 16, 0, i % 2, true);
    issue(run);
    MacIssue drain;
    drain.op = MacOp::Drain;
    drain.rs1 = kTcmBase + kHalf + uint32_t(i) * 16;
    drain.oxstride = 128;
    drain.rs2 = drain_ctl(0, 64, 16, i % 3 == 0);
    issue(drain);
    for (int access = 0; access < 20; access++) {
      uint32_t row = 64 + rng() % 64;
      if (rng() % 2) {
        for (auto &value : reference.row(row))
          value = uint32_t(rng());
        bench->vector_access(row, &reference.row(row));
      } else {
        EXPECT_EQ(bench->vector_access(row, nullptr), reference.row(row)) << "row " << row;
      }
    }
  }
  MacIssue all;
  all.op = MacOp::Drain;
  all.rs1 = kTcmBase + kHalf + 0x8000;
  all.oxstride = 64;
  all.rs2 = drain_ctl(0, 128, 16, true);
  issue(all);
  bench->finish();
  compare(bench->tcm(), reference.tcm());
  EXPECT_GT(bench->vector_waits, 20u);
}

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

// Depthwise layers of 16 channels and padding that keeps the extent, drained to int8: MACs of
// whole layers. Lines start 16 bytes after a multiple of 64: the window's rows, and the drain
// behind them, do not meet in a bank.
struct DepthwiseCase {
  const char *name;
  uint32_t kw, kh, stride, width, height; // of the output
  double wanted;                          // MAC a cycle
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
  uint32_t pitch = pitch_of(in_width * 16), out_pitch = pitch_of(c.width * 16);
  ASSERT_LE(pitch * in_height, 0xf000u);
  uint32_t lines = 128 / c.width, half = 0;
  uint64_t start = bench->cycles;
  for (uint32_t y = 0; y < c.height; y += lines, half ^= 128) {
    uint32_t pixels = std::min(lines, c.height - y) * c.width;
    uint32_t rows = 16 / c.kw; // of a pass
    for (uint32_t ky = 0; ky < c.kh; ky += rows) {
      uint32_t kh = std::min(rows, c.kh - ky);
      MacIssue ldw;
      ldw.op = MacOp::Ldw;
      ldw.rs1 = kTcmBase + 0xf000 + ky * c.kw * 16;
      ldw.rs2 = c.kw * kh;
      issue(ldw);
      MacIssue run;
      run.op = MacOp::Dw;
      int32_t line = int32_t(y * c.stride + ky) - int32_t(c.kh / 2);
      int32_t column = -int32_t(c.kw / 2) * 16;
      run.rs1 = kTcmBase + uint32_t(line * int32_t(pitch) + column);
      run.rowstride = pitch;
      run.tapstride = 16;
      run.xcount = uint16_t(c.width);
      run.xstride = 16 * c.stride;
      run.ystride = pitch * c.stride;
      run.pad_value = -5;
      run.line_step = 1;
      run.valid_bytes = uint16_t(in_width * 16);
      run.valid_lines = uint16_t(in_height);
      run.column = int16_t(column);
      run.line = int16_t(line);
      run.xstep_column = int16_t(16 * c.stride);
      run.ystep_line = int16_t(c.stride);
      run.rs2 = dw_ctl(half, pixels, c.kw, kh, ky > 0, true);
      issue(run);
    }
    MacIssue drain;
    drain.op = MacOp::Drain;
    drain.rs1 = kTcmBase + kHalf + y * out_pitch;
    drain.xcount = uint16_t(c.width);
    drain.oxstride = 16;
    drain.oystride = out_pitch;
    drain.rs2 = drain_ctl(half, pixels, 16, false);
    issue(drain);
  }
  bench->finish();
  compare(bench->tcm(), reference.tcm());
  double macs = double(c.width * c.height * c.kw * c.kh * 16);
  EXPECT_EQ(double(bench->perf.macs), macs);
  double rate = macs / double(bench->cycles - start);
  std::printf("depthwise %s stride %u, %u x %u: %.1f MAC/cycle; waits: weights %lu, accumulators "
              "%lu, activations %lu\n",
              c.name, c.stride, c.width, c.height, rate, bench->perf.weight_wait,
              bench->perf.acc_wait, bench->perf.fetch_wait);
  EXPECT_GE(rate, c.wanted);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, MatrixDepthwise,
    testing::Values(DepthwiseCase{"k3x3", 3, 3, 1, 64, 32, 100}, DepthwiseCase{"k3x3", 3, 3, 1, 24, 24, 100},
                    DepthwiseCase{"k3x3", 3, 3, 2, 32, 24, 60}, DepthwiseCase{"k5x5", 5, 5, 1, 32, 32, 100},
                    DepthwiseCase{"k5x5", 5, 5, 2, 16, 16, 60}, DepthwiseCase{"k3x1", 3, 1, 1, 32, 32, 35},
                    DepthwiseCase{"k1x3", 1, 3, 1, 32, 32, 35}, DepthwiseCase{"k4x4", 4, 4, 1, 32, 32, 100}),
    [](const auto &test) {
      return std::string(test.param.name) + "_s" + std::to_string(test.param.stride) + "_w" +
             std::to_string(test.param.width);
    });

// All pairs of an int8 activation and an int8 weight, and of an int4 weight, in every cell of
// the array: pixel p of run r has activation (p + r) mod 256 in each k.
TEST(MatrixProducts, EveryPairInEveryRow) {
  auto bench = std::make_unique<Bench>(1);
  std::vector<uint8_t> tcm(kTcmSize);
  for (uint32_t i = 0; i < 256; i++)
    for (uint32_t k = 0; k < 32; k++)
      tcm[i * 32 + k] = uint8_t(i);
  // Weight tables: row k of table t is zero but for the row that is tested.
  const uint32_t tables = 0x3000;
  for (uint32_t i = 0; i < 256; i++)
    tcm[tables + i] = uint8_t(i); // 16 rows of 16 int8 weights
  for (uint32_t n = 0; n < 8; n++)
    tcm[tables + 0x100 + n] = uint8_t((2 * n + 1) << 4 | 2 * n); // the 16 int4 weights
  MatrixReference reference(tcm);
  auto both = [&](const MacIssue &m) {
    EXPECT_FALSE(reference.execute(m));
    bench->issue(m);
  };
  bench->load(tcm);
  auto check = [&](uint32_t weights, uint32_t k, bool int4) {
    // Row k alone: R = k + 1 rows from a place whose other rows are zeros.
    MacIssue ldw;
    ldw.op = MacOp::Ldw;
    ldw.rs1 = weights;
    ldw.rs2 = 1 | uint32_t(int4) << 8;
    if (k != 0) {
      const uint32_t bytes = int4 ? 8 : 16, place = kTcmBase + 0x4000;
      std::vector<uint8_t> now = reference.tcm();
      std::fill_n(now.begin() + 0x4000, 512, uint8_t(0));
      std::copy_n(now.begin() + (weights - kTcmBase), bytes, now.begin() + 0x4000 + bytes * k);
      bench->finish();
      reference.replace_tcm(now);
      bench->load(now);
      ldw.rs1 = place;
      ldw.rs2 = (k + 1) | uint32_t(int4) << 8;
    }
    both(ldw);
    MacIssue run;
    run.rs1 = kTcmBase;
    run.xstride = 32;
    run.rs2 = run_ctl(0, 256, int4 ? 32 : 16, 0, false, true);
    both(run);
    MacIssue drain;
    drain.op = MacOp::Drain;
    drain.rs1 = kTcmBase + kHalf;
    drain.oxstride = 64;
    drain.rs2 = drain_ctl(0, 256, 16, true);
    both(drain);
    bench->finish();
    auto got = bench->tcm();
    for (int a = 0; a < 256; a++)
      for (uint32_t n = 0; n < 16; n++) {
        int weight = int4 ? (n < 8 ? int(n) : int(n) - 16)
                          : int8_t(tcm[weights - kTcmBase + n]);
        int32_t sum;
        std::memcpy(&sum, &got[kHalf + 64 * uint32_t(a) + 4 * n], 4);
        ASSERT_EQ(sum, int8_t(a) * weight) << "row " << k << (int4 ? ", int4" : ", int8");
      }
  };
  for (uint32_t block = 0; block < 16; block++)
    check(kTcmBase + tables + 16 * block, block, false); // each row of the array once
  for (uint32_t block = 0; block < 16; block++)
    check(kTcmBase + tables + 16 * block, 0, false); // all 65,536 pairs in row 0
  for (uint32_t k = 0; k < 32; k++)
    check(kTcmBase + tables + 0x100, k, true);
}

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
