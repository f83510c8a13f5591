// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data paths of the vector unit, one instruction a cycle, against the golden model: every pair
// of bytes for each operation on bytes, corner values and random ones for the others, dependent
// instructions at every distance, and requantization by every shift.

#include "Vvector_bench.h"
#include "Vvector_bench___024root.h"
#include "bench_seed.h"
#include "isa.h"
#include "vector.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <random>
#include <vector>

namespace npu::test {
namespace {

struct Result {
  bool toX = false;
  unsigned index = 0;
  VectorValue value{};
  bool operator==(const Result &) const = default;
};

class Bench {
public:
  explicit Bench(uint32_t seed) : rng(seed) {
    top.clk_i = 0;
    top.rst_ni = 0;
    top.valid_i = 0;
    cycle();
    top.rst_ni = 1;
    cycle();
  }

  // Register contents, written into the RTL and the model while no result is on its way.
  void set(unsigned index, const VectorValue &value) {
    model.regs[index] = value;
    std::memcpy(&top.rootp->vector_bench__DOT__u_vec__DOT__u_regfile__DOT__mem[index], &value,
                sizeof value);
  }

  void issue(uint32_t word, uint32_t x1 = 0, uint32_t x2 = 0) {
    top.valid_i = 1;
    top.word_i = word;
    top.rs1_i = x1;
    top.rs2_i = x2;
    top.oquant_i = quant;
    top.eval();
    for (int wait = 0; !top.ready_o; ++wait) {
      ASSERT_LT(wait, 8) << "an operand does not come: " << disassemble(word, 0);
      cycle();
    }
    cycle();
    top.valid_i = 0;

    const uint32_t scalar = model.execute(word, x1, x2, quant, matrix);
    const InsnInfo &insn = info(decode(word));
    Result want{insn.writesRd, rdField(word), {}};
    if (insn.writesRd)
      std::memcpy(want.value.data(), &scalar, sizeof scalar);
    else
      want.value = model.regs[rdField(word)];
    if (!insn.writesRd || rdField(word) != 0)
      expected.push_back({word, x1, x2, want});
  }

  void drain() {
    for (int i = 0; i < 8; ++i)
      cycle();
    EXPECT_TRUE(expected.empty()) << "no result of " << disassemble(expected.front().word, 0);
  }

  // Corner values as often as random ones.
  uint32_t scalar() {
    static constexpr uint32_t kCorners[] = {0,          1,          2,          31,        32,
                                            0x7f,       0x80,       0xff,       0x7fff,    0x8000,
                                            0xffff,     0x10000,    0x7fffffff, 0x80000000,
                                            0x80000001, 0xffffffff, 0x80808080, 0x7f7f7f7f};
    const uint32_t random = static_cast<uint32_t>(rng());
    return random % 2 ? kCorners[random / 2 % std::size(kCorners)] : random;
  }
  VectorValue vector() {
    VectorValue value;
    const auto kind = rng() % 3;
    for (size_t i = 0; i < value.size(); i += 4) {
      const uint32_t word = kind == 0 ? static_cast<uint32_t>(rng()) : scalar();
      std::memcpy(&value[i], &word, 4);
    }
    return value;
  }

  std::mt19937 rng;
  VectorUnit model;
  MatrixUnit matrix;
  uint32_t quant = 0x7f8000;
  uint64_t cycles = 0;

private:
  struct Expected {
    uint32_t word, x1, x2;
    Result result;
  };

  void cycle() {
    top.eval();
    if (top.result_valid_o)
      check();
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    ++cycles;
  }

  void check() {
    Result got{bool(top.result_to_x_o), top.result_index_o, {}};
    std::memcpy(got.value.data(), &top.result_value_o, sizeof got.value);
    ASSERT_FALSE(expected.empty()) << "a result that nothing asked for";
    const Expected want = expected.front();
    expected.pop_front();
    if (got == want.result || ++reported > 5)
      return;
    for (unsigned i = 0; i < kVectorBytes; ++i)
      if (got.value[i] != want.result.value[i]) {
        ADD_FAILURE() << disassemble(want.word, 0) << ", x1 0x" << std::hex << want.x1 << " x2 0x"
                      << want.x2 << ": byte " << std::dec << i << " is "
                      << unsigned(got.value[i]) << ", expected "
                      << unsigned(want.result.value[i]);
        return;
      }
    ADD_FAILURE() << disassemble(want.word, 0) << " wrote register " << got.index;
  }

  Vvector_bench top;
  std::deque<Expected> expected;
  int reported = 0;
};

// What computes from registers alone.
std::vector<Insn> computations() {
  std::vector<Insn> insns;
  for (unsigned n = 1; n < static_cast<unsigned>(Insn::kCount); ++n) {
    const auto insn = static_cast<Insn>(n);
    const uint32_t word = info(insn).match;
    if (isVector(word) && insn != Insn::V_ACCRD && insn != Insn::V_ACCWR &&
        !VectorUnit{}.access(word, 0, 0, 0))
      insns.push_back(insn);
  }
  return insns;
}

bool endsIn(std::string_view text, std::string_view end) { return text.ends_with(end); }

TEST(Vector, EveryPairOfBytes) {
  Bench bench(1 + seed_offset());
  for (Insn insn : computations()) {
    const InsnInfo &i = info(insn);
    if (!endsIn(i.mnemonic, ".b") || !i.readsVs1 || !i.readsVs2)
      continue;
    for (unsigned block = 0; block < 65536 / kVectorBytes; ++block) {
      VectorValue a, b;
      for (unsigned n = 0; n < kVectorBytes; ++n) {
        a[n] = static_cast<uint8_t>(block / 4);
        b[n] = static_cast<uint8_t>(block % 4 * kVectorBytes + n);
      }
      // Widening forms take half of the lanes; the other half comes with the other form.
      bench.set(1, a);
      bench.set(2, b);
      bench.set(3, bench.vector());
      bench.issue(encode(insn, {.rd = 3, .rs1 = 1, .rs2 = 2}));
      bench.drain();
      if (testing::Test::HasFailure())
        return;
    }
  }
}

TEST(Vector, DependentInstructionsOnCornerValues) {
  Bench bench(2 + seed_offset());
  const std::vector<Insn> insns = computations();
  for (int round = 0; round < 400; ++round) {
    for (unsigned n = 0; n < 8; ++n)
      bench.set(n, bench.vector());
    bench.quant = static_cast<uint32_t>(bench.rng()) & 0xffffff;
    for (int n = 0; n < 400; ++n) {
      const Insn insn = insns[bench.rng() % insns.size()];
      const auto reg = [&] { return static_cast<unsigned>(bench.rng() % 8); };
      bench.issue(encode(insn, {.rd = reg(), .rs1 = reg(), .rs2 = reg()}), bench.scalar(),
                  bench.scalar());
    }
    bench.drain();
    if (testing::Test::HasFailure())
      return;
  }
}

TEST(Vector, RequantizeByEveryShift) {
  Bench bench(3 + seed_offset());
  const Insn insns[] = {Insn::V_MBQM, Insn::V_RQ, Insn::V_MBQM_X, Insn::V_RQ_X};
  for (int round = 0; round < 100; ++round) {
    bench.quant = static_cast<uint32_t>(bench.rng()) & 0xffffff;
    for (unsigned shift = 0; shift < 256; ++shift) {
      VectorValue shifts;
      for (unsigned n = 0; n < kVectorBytes; ++n)
        shifts[n] = static_cast<uint8_t>(shift + (n / 4) * 16);
      bench.set(1, bench.vector());
      bench.set(2, shifts);
      bench.set(3, bench.vector());
      const Insn insn = insns[(shift + static_cast<unsigned>(round)) % 4];
      bench.issue(encode(insn, {.rd = 3, .rs1 = 1, .rs2 = 2}), bench.scalar(), shift);
      bench.drain();
    }
    if (testing::Test::HasFailure())
      return;
  }
}

// Cycles from an instruction to the first that uses its result.
TEST(Vector, Latencies) {
  const struct {
    Insn insn;
    unsigned latency;
  } cases[] = {
      {Insn::V_ADD_B, NPU_TIMING_VALU_LATENCY},    {Insn::V_BCAST_B, NPU_TIMING_VALU_LATENCY},
      {Insn::V_MUL_W, NPU_TIMING_VMUL_LATENCY},    {Insn::V_DOT_B, NPU_TIMING_VMUL_LATENCY},
      {Insn::V_ZIPLO_B, NPU_TIMING_VPERM_LATENCY}, {Insn::V_INSERT_W, NPU_TIMING_VPERM_LATENCY},
      {Insn::V_MBQM, NPU_TIMING_VREQUANT_LATENCY},
  };
  for (const auto &c : cases) {
    Bench bench(4);
    bench.issue(encode(c.insn, {.rd = 4, .rs1 = 1, .rs2 = 2}));
    const uint64_t before = bench.cycles;
    bench.issue(encode(Insn::V_OR, {.rd = 5, .rs1 = 4, .rs2 = 4}));
    EXPECT_EQ(bench.cycles - before, c.latency) << info(c.insn).mnemonic;
    bench.drain();
  }
}

TEST(Vector, AccumulationsFollowEachOther) {
  Bench bench(5);
  const uint32_t dot = encode(Insn::V_DOT_B, {.rd = 4, .rs1 = 1, .rs2 = 2});
  bench.set(1, bench.vector());
  bench.set(2, bench.vector());
  bench.issue(dot);
  const uint64_t before = bench.cycles;
  for (int n = 0; n < 10; ++n)
    bench.issue(dot);
  EXPECT_EQ(bench.cycles - before, 10u);
  // Two sums in turn, so that the accumulator comes from two instructions ahead.
  for (int n = 0; n < 10; ++n)
    bench.issue(encode(Insn::V_MACC_H, {.rd = 4 + unsigned(n % 2), .rs1 = 1, .rs2 = 2}));
  EXPECT_EQ(bench.cycles - before, 20u);
  bench.drain();
}

} // namespace
} // namespace npu::test
