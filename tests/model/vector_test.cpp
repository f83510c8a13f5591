// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector unit against values worked out by hand from chapter 9.

#include "program.h"

#include <algorithm>
#include <numeric>

namespace npu::test {
namespace {

using I = Insn;

VectorValue filled(unsigned size, uint32_t element) {
  VectorValue value;
  for (unsigned i = 0; i < kVectorBytes; i += size)
    std::memcpy(&value[i], &element, size);
  return value;
}

VectorValue numbered() {
  VectorValue value;
  std::iota(value.begin(), value.end(), uint8_t{0});
  return value;
}

uint32_t element(const VectorValue &value, unsigned size, unsigned index) {
  uint32_t result = 0;
  std::memcpy(&result, &value[index * size], size);
  return result;
}

// Executes one instruction with v1, v2, v3 = d, a, b and a0 = x1, a1 = x2.
struct Machine {
  VectorValue operator()(Insn insn, const VectorValue &a, const VectorValue &b,
                         const VectorValue &d = {}) {
    program.model.setVectorReg(1, d);
    program.model.setVectorReg(2, a);
    program.model.setVectorReg(3, b);
    step(insn, {1, info(insn).readsRs1 ? 10u : 2u, info(insn).readsRs2 ? 11u : 3u, 0});
    return program.model.vectorReg(1);
  }
  uint32_t scalar(Insn insn, const VectorValue &a, uint32_t index = 0) {
    program.model.setVectorReg(2, a);
    program.model.setReg(11, index);
    step(insn, {12, 2, 11, 0});
    return program.model.reg(12);
  }
  void step(Insn insn, const Operands &operands) {
    program.code = fuzz::Section(NPU_RESET_PC);
    program.code.emit(insn, operands);
    program.model.setPc(NPU_RESET_PC);
    program.run();
  }
  void x(uint32_t x1, uint32_t x2) {
    program.model.setReg(10, x1);
    program.model.setReg(11, x2);
  }
  Program program;
};

struct Elementwise {
  Insn insn;
  unsigned size; // bytes of the sources' elements
  uint32_t a, b, d, expected;
  unsigned resultSize = 0; // as the sources
};

class VectorElementwise : public testing::TestWithParam<Elementwise> {};

TEST_P(VectorElementwise, GivesTheValueOfTheManual) {
  const Elementwise &c = GetParam();
  const unsigned out = c.resultSize == 0 ? c.size : c.resultSize;
  Machine machine;
  machine.x(0, c.b);
  const VectorValue got =
      machine(c.insn, filled(c.size, c.a), filled(c.size, c.b), filled(out, c.d));
  EXPECT_EQ(got, filled(out, c.expected))
      << info(c.insn).mnemonic << ": got 0x" << std::hex << element(got, out, 0);
}

const Elementwise kElementwise[] = {
    {I::V_ADD_B, 1, 0xff, 2, 0, 1},
    {I::V_ADD_H_X, 2, 0xffff, 0x12345, 0, 0x2344},
    {I::V_SUB_W, 4, 0, 1, 0, 0xffffffff},
    {I::V_RSUB_B_X, 1, 1, 0, 0, 0xff},
    {I::V_SADD_B, 1, 0x7f, 1, 0, 0x7f},
    {I::V_SADD_W, 4, 0x80000000, 0xffffffff, 0, 0x80000000},
    {I::V_SADDU_B, 1, 0xff, 1, 0, 0xff},
    {I::V_SADDU_W, 4, 0xffffffff, 2, 0, 0xffffffff},
    {I::V_SSUB_H, 2, 0x8000, 1, 0, 0x8000},
    {I::V_SSUBU_H, 2, 1, 2, 0, 0},
    {I::V_AVG_B, 1, 0x80, 0x81, 0, 0x81}, // -128 and -127: -127.5 rounds to -127
    {I::V_AVGU_B, 1, 0xff, 0xfe, 0, 0xff},
    {I::V_AVG_W, 4, 0x7fffffff, 0x7fffffff, 0, 0x7fffffff},
    {I::V_MIN_B, 1, 0x80, 0x7f, 0, 0x80},
    {I::V_MINU_B, 1, 0x80, 0x7f, 0, 0x7f},
    {I::V_MAX_H, 2, 0x8000, 0x7fff, 0, 0x7fff},
    {I::V_MAXU_H, 2, 0x8000, 0x7fff, 0, 0x8000},
    {I::V_ABSD_B, 1, 0x80, 0x7f, 0, 0xff},
    {I::V_ABSDU_B, 1, 0x80, 0x7f, 0, 1},
    {I::V_AND, 1, 0x3c, 0x0f, 0, 0x0c},
    {I::V_OR_H_X, 2, 0x0ff0, 0xffff000f, 0, 0x0fff},
    {I::V_XOR_W_X, 4, 0x12345678, 0xffffffff, 0, 0xedcba987},
    {I::V_SLL_B, 1, 0x81, 9, 0, 2},
    {I::V_SRL_H, 2, 0x8000, 31, 0, 1},
    {I::V_SRA_B_X, 1, 0x80, 7, 0, 0xff},
    {I::V_SRLR_B, 1, 0xff, 1, 0, 0x80},
    {I::V_SRAR_B, 1, 0xff, 1, 0, 0}, // -0.5 rounds to 0
    {I::V_SRAR_B, 1, 0xfd, 1, 0, 0xff}, // -1.5 rounds to -1
    {I::V_SRAR_W, 4, 0x7fffffff, 1, 0, 0x40000000},
    {I::V_SSLL_B, 1, 0x40, 1, 0, 0x7f},
    {I::V_SSLL_B, 1, 0xbf, 1, 0, 0x80},
    {I::V_RDPOT_B, 1, 0xff, 1, 0, 0xff}, // -0.5 rounds to -1
    {I::V_RDPOT_W, 4, 3, 1, 0, 2},
    {I::V_MUL_B, 1, 0x80, 0x80, 0, 0},
    {I::V_MUL_W, 4, 0xffffffff, 0xffffffff, 0, 1},
    {I::V_MULH_B, 1, 0x80, 0x80, 0, 0x40},
    {I::V_MULH_W, 4, 0x80000000, 0x7fffffff, 0, 0xc0000000},
    {I::V_MULHU_W, 4, 0xffffffff, 0xffffffff, 0, 0xfffffffe},
    {I::V_DMULH_B, 1, 0x80, 0x80, 0, 0x7f},
    {I::V_DMULH_H, 2, 0x4000, 0x4000, 0, 0x2000},
    {I::V_DMULH_W, 4, 0x80000000, 0x80000000, 0, 0x7fffffff},
    {I::V_DMULH_W, 4, 1, 0x40000000, 0, 1},
    {I::V_DMULH_W, 4, 0xffffffff, 0x40000000, 0, 0}, // -0.5: towards zero behind the nudge
    {I::V_MACC_B, 1, 3, 5, 250, 9},
    {I::V_NMSAC_H, 2, 3, 5, 10, 0xfffb},
    {I::V_WMULLO_B, 1, 0x80, 0x80, 0, 0x4000, 2},
    {I::V_WMULHI_H_X, 2, 0x8000, 0x7fff, 0, 0xc0008000, 4},
    {I::V_WMULULO_B, 1, 0xff, 0xff, 0, 0xfe01, 2},
    {I::V_WMULUHI_H, 2, 0xffff, 0xffff, 0, 0xfffe0001, 4},
    {I::V_WMACCLO_B, 1, 0xff, 2, 5, 3, 2},
    {I::V_WMACCHI_H, 2, 0xffff, 2, 5, 3, 4},
    {I::V_WMACCULO_B, 1, 0xff, 2, 5, 0x203, 2},
    {I::V_WMACCUHI_B, 1, 0xff, 2, 0xffff, 0x1fd, 2},
    {I::V_DOT_B, 1, 0x80, 0x80, 1, 0x10001, 4},
    {I::V_DOT_H, 2, 0x8000, 0x8000, 0, 0x80000000, 4},
    {I::V_DOTU_B, 1, 0xff, 0xff, 0, 4 * 0xfe01, 4},
    {I::V_DOTUS_B_X, 1, 0xff, 0xff, 0, static_cast<uint32_t>(-4 * 255), 4},
    {I::V_SEQ_B, 1, 5, 5, 0, 0xff},
    {I::V_SNE_H_X, 2, 5, 0x10005, 0, 0},
    {I::V_SLT_W, 4, 0x80000000, 0, 0, 0xffffffff},
    {I::V_SLTU_W, 4, 0x80000000, 0, 0, 0},
    {I::V_SLE_B, 1, 5, 5, 0, 0xff},
    {I::V_SLEU_B, 1, 0xff, 0, 0, 0},
    {I::V_SGT_B_X, 1, 0, 0xff, 0, 0xff},
    {I::V_SGTU_B_X, 1, 0, 0xff, 0, 0},
    {I::V_SGE_H_X, 2, 0xffff, 0xffff, 0, 0xffff},
    {I::V_SGEU_W_X, 4, 1, 2, 0, 0},
    {I::V_SEL, 1, 0x0f, 0xf0, 0x3c, 0xcc},
};
INSTANTIATE_TEST_SUITE_P(, VectorElementwise, testing::ValuesIn(kElementwise),
                         [](const auto &test) {
                           std::string name(npu::info(test.param.insn).mnemonic.substr(2));
                           std::replace(name.begin(), name.end(), '.', '_');
                           name += '_';
                           name += std::to_string(test.index);
                           return name;
                         });

TEST(Vector, OneSource) {
  Machine m;
  const auto unary = [&](Insn insn, const VectorValue &a) {
    m.program.model.setVectorReg(2, a);
    m.step(insn, {1, 2, 0, 0});
    return m.program.model.vectorReg(1);
  };
  EXPECT_EQ(unary(I::V_ABS_B, filled(1, 0x80)), filled(1, 0x80));
  EXPECT_EQ(unary(I::V_ABS_W, filled(4, 0xfffffffb)), filled(4, 5));
  EXPECT_EQ(unary(I::V_NOT, filled(1, 0x0f)), filled(1, 0xf0));
  VectorValue a = numbered();
  for (unsigned i = 32; i < 64; ++i)
    a[i] = static_cast<uint8_t>(i + 96); // 128 and up: negative
  EXPECT_EQ(element(unary(I::V_SXLO_B, a), 2, 31), 31u);
  EXPECT_EQ(element(unary(I::V_SXHI_B, a), 2, 0), 0xff80u);
  EXPECT_EQ(element(unary(I::V_ZXHI_B, a), 2, 31), 159u);
  EXPECT_EQ(element(unary(I::V_ZXLO_H, a), 4, 1), 0x0302u);
  EXPECT_EQ(element(unary(I::V_SXQ2_B, a), 4, 0), 0xffffff80u);
  EXPECT_EQ(element(unary(I::V_ZXQ3_B, a), 4, 15), 159u);
  EXPECT_EQ(element(unary(I::V_SXQ1_B, a), 4, 3), 19u);
}

TEST(Vector, NarrowingConcatenates) {
  Machine m;
  const VectorValue low = filled(2, 0x80ff), high = filled(2, 0x1234);
  const auto halves = [](const VectorValue &value) {
    return std::pair(uint32_t{value[0]}, uint32_t{value[63]});
  };
  EXPECT_EQ(halves(m(I::V_PACK_B, low, high)), std::pair(0xffu, 0x34u));
  EXPECT_EQ(halves(m(I::V_PACKS_B, low, high)), std::pair(0x80u, 0x7fu));
  EXPECT_EQ(halves(m(I::V_PACKSU_B, low, high)), std::pair(0u, 0xffu));
  EXPECT_EQ(halves(m(I::V_PACKU_B, low, filled(2, 3))), std::pair(0xffu, 3u));
}

TEST(Vector, Permutations) {
  Machine m;
  const VectorValue n = numbered(), f = filled(1, 0xee);
  EXPECT_EQ(element(m(I::V_ZIPLO_H, n, f), 2, 2), 0x0302u);
  EXPECT_EQ(element(m(I::V_ZIPLO_H, n, f), 2, 3), 0xeeeeu);
  EXPECT_EQ(element(m(I::V_ZIPHI_B, n, f), 1, 0), 32u);
  EXPECT_EQ(element(m(I::V_UNZIPE_B, n, f), 1, 5), 10u);
  EXPECT_EQ(element(m(I::V_UNZIPO_W, n, f), 4, 0), 0x07060504u);
  EXPECT_EQ(element(m(I::V_UNZIPO_W, n, f), 4, 8), 0xeeeeeeeeu);
  VectorValue index = filled(1, 64);
  index[1] = 63;
  EXPECT_EQ(m(I::V_PERM, index, n)[0], 0);
  EXPECT_EQ(m(I::V_PERM, index, n)[1], 63);
  index = filled(1, 0xc5);
  index[7] = 0x45;
  const VectorValue looked = m(I::V_LUT3, index, n, f);
  EXPECT_EQ(looked[0], 5);
  EXPECT_EQ(looked[7], 0xee);

  const auto slid = [&](Insn insn, uint32_t amount) {
    m.x(0, amount);
    return m(insn, n, {}, f);
  };
  EXPECT_EQ(slid(I::V_SLIDEDN, 60)[3], 63);
  EXPECT_EQ(slid(I::V_SLIDEDN, 60)[4], 0);
  EXPECT_EQ(slid(I::V_SLIDEDN, 0x80000000), VectorValue{});
  EXPECT_EQ(slid(I::V_SLIDEUP, 3)[2], 0);
  EXPECT_EQ(slid(I::V_SLIDEUP, 3)[3], 0);
  EXPECT_EQ(slid(I::V_SLIDEUP, 3)[63], 60);
  EXPECT_EQ(slid(I::V_ALIGN, 66)[61], 0xee);
  EXPECT_EQ(slid(I::V_ALIGN, 66)[62], 0);
  EXPECT_EQ(slid(I::V_ALIGN, 66)[63], 1);
}

TEST(Vector, ReductionsAndMoves) {
  Machine m;
  VectorValue a = filled(1, 0xff);
  const auto reduce = [&](Insn insn) {
    m.program.model.setVectorReg(2, a);
    m.step(insn, {12, 2, 0, 0});
    return m.program.model.reg(12);
  };
  EXPECT_EQ(reduce(I::V_REDSUM_B), static_cast<uint32_t>(-64));
  EXPECT_EQ(reduce(I::V_REDSUMU_B), 64u * 255);
  EXPECT_EQ(reduce(I::V_REDMAXU_H), 0xffffu);
  EXPECT_EQ(reduce(I::V_REDAND_B), 0xffffffffu);
  EXPECT_EQ(reduce(I::V_REDXOR_W), 0u);
  a[5] = 0x40;
  EXPECT_EQ(reduce(I::V_REDMAX_B), 0x40u);
  EXPECT_EQ(reduce(I::V_REDMIN_B), 0xffffffffu);
  EXPECT_EQ(reduce(I::V_REDMINU_B), 0x40u);
  EXPECT_EQ(reduce(I::V_REDOR_H), 0xffffffffu);
  EXPECT_EQ(m.scalar(I::V_EXTRACT_B, a, 64 + 4), 0xffffffffu);
  EXPECT_EQ(m.scalar(I::V_EXTRACTU_H, a, 2), 0x40ffu);
  m.x(0x12345678, 17);
  EXPECT_EQ(element(m(I::V_INSERT_W, {}, {}, {}), 4, 1), 0x12345678u);
  m.step(I::V_BCAST_B, {1, 10, 0, 0});
  EXPECT_EQ(m.program.model.vectorReg(1), filled(1, 0x78));
  m.step(I::V_ID_B, {1, 0, 0, 0});
  EXPECT_EQ(m.program.model.vectorReg(1), numbered());
  m.x(0xfffffffe, 0xffffffff);
  const VectorValue lanes = m(I::V_LANES_W, {}, {});
  EXPECT_EQ(element(lanes, 4, 0), 0xffffffffu);
  EXPECT_EQ(element(lanes, 4, 1), 0u);
  EXPECT_EQ(element(lanes, 4, 2), 0u); // 2^32 is not below rs2
}

TEST(Vector, RequantizesWithTheOutputsBounds) {
  Machine m;
  m.program.model.writeCsr(number(Csr::noquant), 0x7f8005); // +5, -128..127
  const VectorValue half = filled(4, 0x40000000);
  EXPECT_EQ(m(I::V_MBQM, half, filled(4, static_cast<uint32_t>(-1)), filled(4, 1000)),
            filled(4, 250));
  EXPECT_EQ(m(I::V_RQ, half, filled(4, 0xffffff00), filled(4, 100)), filled(4, 55));
  m.x(0x40000000, 1);
  EXPECT_EQ(m(I::V_RQ_X, {}, {}, filled(4, 1000)), filled(4, 127));
}

class VectorMemory : public testing::Test {
protected:
  void SetUp() override {
    for (uint32_t i = 0; i < 256; i += 4)
      m.program.setWord(kAt + i, 0x03020100 + 0x04040404 * (i / 4 % 64));
  }
  // The cause and address of the trap, or zeros.
  std::pair<uint32_t, uint32_t> access(Insn insn, const Operands &operands) {
    m.program.model.writeCsr(number(Csr::mcause), 0);
    m.program.model.writeCsr(number(Csr::mtval), 0);
    m.step(insn, operands);
    return {m.program.csr(Csr::mcause), m.program.csr(Csr::mtval)};
  }
  static constexpr uint32_t kAt = NPU_TCM_BASE + 0x100;
  static constexpr std::pair<uint32_t, uint32_t> kNoTrap{0, 0};
  Machine m;
  Model &model = m.program.model;
};

TEST_F(VectorMemory, LengthsAndConversions) {
  m.x(kAt + 1, 3);
  EXPECT_EQ(access(I::V_LDL_H, {1, 10, 11, 0}), kNoTrap);
  EXPECT_EQ(element(model.vectorReg(1), 2, 2), 0x0605u);
  EXPECT_EQ(element(model.vectorReg(1), 2, 3), 0u);
  m.x(kAt + 0xff - 3, 0);
  access(I::V_LDL_BW, {1, 10, 0, 0}); // x0: all lanes
  EXPECT_EQ(element(model.vectorReg(1), 4, 3), 0xffffffffu);
  access(I::V_LDL_BWU, {1, 10, 0, 0});
  EXPECT_EQ(element(model.vectorReg(1), 4, 3), 0xffu);
  access(I::V_LDL_B, {1, 10, 11, 0}); // a length of zero
  EXPECT_EQ(model.vectorReg(1), VectorValue{});

  model.setVectorReg(4, filled(4, 0xfffffe00));
  m.x(kAt, 5);
  access(I::V_STL_WBS, {4, 10, 11, 0});
  EXPECT_EQ(m.program.word(kAt), 0x80808080u);
  EXPECT_EQ(m.program.word(kAt + 4), 0x07060580u);
  access(I::V_STL_WHU, {4, 10, 11, 0});
  EXPECT_EQ(m.program.word(kAt + 8), 0x0b0a0000u);
  access(I::V_STL_WH, {4, 10, 11, 0});
  EXPECT_EQ(m.program.word(kAt), 0xfe00fe00u);
}

TEST_F(VectorMemory, MasksAndStrides) {
  VectorValue mask{};
  mask[3] = 0x80;
  mask[9] = 0x7f; // the top bit decides
  model.setVectorReg(5, mask);
  m.x(kAt, 0);
  access(I::V_LDM_B, {1, 10, 5, 0});
  VectorValue expected{};
  expected[3] = 3;
  EXPECT_EQ(model.vectorReg(1), expected);
  model.setVectorReg(4, filled(1, 0xaa));
  access(I::V_STM_B, {4, 10, 5, 0});
  EXPECT_EQ(m.program.word(kAt), 0xaa020100u);
  EXPECT_EQ(m.program.word(kAt + 8), 0x0b0a0908u);

  model.writeCsr(number(Csr::nvstride), static_cast<uint32_t>(-3));
  m.x(kAt + 100, 4);
  access(I::V_LDS_B, {1, 10, 11, 0});
  EXPECT_EQ(element(model.vectorReg(1), 4, 0), 0x5b5e6164u);
  EXPECT_EQ(element(model.vectorReg(1), 4, 1), 0u);
  access(I::V_STS_W, {4, 10, 11, 0});
  EXPECT_EQ(m.program.word(kAt + 88), 0xaa5a5958u);
}

TEST_F(VectorMemory, Faults) {
  const uint32_t end = NPU_TCM_BASE + model.memory().tcm.size;
  const auto fault = [](uint32_t cause, uint32_t address) { return std::pair(cause, address); };
  m.x(end - 63, 0);
  model.setVectorReg(1, numbered());
  EXPECT_EQ(access(I::V_LD, {1, 10, 0, 0}), fault(5, end));
  EXPECT_EQ(model.vectorReg(1), numbered());
  EXPECT_EQ(access(I::V_ST, {0, 10, 1, 0}), fault(7, end));
  EXPECT_EQ(m.program.word(end - 4), 0u); // nothing was stored
  EXPECT_EQ(access(I::V_LD, {1, 10, 0, -1}), kNoTrap);
  m.x(NPU_MMIO_CLINT_BASE, 0);
  EXPECT_EQ(access(I::V_LDL_W, {1, 10, 0, 0}), fault(5, NPU_MMIO_CLINT_BASE));
  EXPECT_EQ(access(I::V_LDL_W, {1, 10, 11, 0}), kNoTrap); // no lane, no access
  model.setVectorReg(5, {});
  EXPECT_EQ(access(I::V_STM_W, {1, 10, 5, 0}), kNoTrap);
  // Lanes before the faulting one have been stored.
  model.writeCsr(number(Csr::nvstride), 8);
  model.setVectorReg(4, filled(4, 0x11111111));
  m.x(end - 16, 0);
  EXPECT_EQ(access(I::V_STS_W, {4, 10, 0, 0}), fault(7, end));
  EXPECT_EQ(m.program.word(end - 16), 0x11111111u);
  EXPECT_EQ(m.program.word(end - 8), 0x11111111u);
}

} // namespace
} // namespace npu::test
