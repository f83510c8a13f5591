// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrix unit against the scalar reference: random operation streams with and without
// bank conflicts, products and roundings, errors and their order, hazards between runs, drains
// and the vector unit.

#include "bench_seed.h"
#include "matrix_harness.h"

#include <memory>

namespace npu::test {
namespace {

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
      // Lines that follow each other by one or two window rows, some longer than the line buffer.
      if (chance(60)) {
        const uint32_t advance = 1 + below(2);
        m.ystride = m.rowstride * advance;
        if (chance(25))
          m.xcount = uint16_t(below(70));
        if (chance(80))
          m.ystep_column = 0;
        if (chance(80))
          m.ystep_line = int16_t(m.line_step * advance);
      }
      break;
    }
    case MacOp::Ldq:
      m.rs1 = input() & ~3u;
      break;
    case MacOp::Drain:
      m.rs1 = output();
      m.oxstride = uint32_t(chance(30) ? 64 : between(-24, 24));
      m.oystride = uint32_t(between(-60, 60));
      m.rs2 = drain_ctl(row, count, chance(50) ? 16 : below(17), false);
      m.rs2 |= chance(30) ? 1u << 22 : chance(50) ? 1u << 23 : 0;
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

// Random values of every magnitude, one channel each, rounded twice or once, against the reference.
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
      drain.rs2 = drain_ctl(200, 1, 16, false, rng() % 2);
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
      issues.push_back(table);
      for (bool once : {false, true}) {
        drain.rs1 = kTcmBase + out;
        drain.rs2 = drain_ctl(200, 1, 16, false, once);
        issues.push_back(drain);
        out += 16;
      }
      at += 144;
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

// Every pair of an int8 activation and a weight, int8 or int4, in every row of the array: pixel p
// has activation p in each k, the weights are zero but for one row.
TEST(MatrixProducts, EveryPairInEveryRow) {
  auto bench = std::make_unique<Bench>(1);
  std::vector<uint8_t> tcm(kTcmSize);
  for (uint32_t i = 0; i < 256; i++)
    for (uint32_t k = 0; k < 32; k++)
      tcm[i * 32 + k] = uint8_t(i);
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
    // k + 1 rows from a place whose other rows are zeros.
    const uint32_t bytes = int4 ? 8 : 16, place = 0x4000;
    std::vector<uint8_t> now = reference.tcm();
    std::fill_n(now.begin() + place, 512, uint8_t(0));
    std::copy_n(now.begin() + (weights - kTcmBase), bytes, now.begin() + place + bytes * k);
    reference.replace_tcm(now);
    bench->load(now);
    MacIssue ldw;
    ldw.op = MacOp::Ldw;
    ldw.rs1 = kTcmBase + place;
    ldw.rs2 = (k + 1) | uint32_t(int4) << 8;
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
  for (uint32_t k = 0; k < 16; k++)
    for (uint32_t block = 0; block < 16; block++)
      check(kTcmBase + tables + 16 * block, k, false);
  for (uint32_t k = 0; k < 32; k++)
    check(kTcmBase + tables + 0x100, k, true);
}

} // namespace
} // namespace npu::test
