// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error responses of the bus, in lockstep: fetches, scalar and vector accesses, DMA.

#include "program.h"

#include <cstring>

namespace npu::rtl::test {
namespace {

constexpr uint32_t kDram = NPU_DRAM_BASE + 0x1000;

SimulationOptions::BusError failing(uint32_t first, uint32_t bytes,
                                    AxiResponse response = kAxiSlaveError) {
  return {{first, bytes}, response};
}

// Runs the code at s0 = kDram; a trap ends it with mcause + (mtval - s0).
int statusWithFailure(const Section &code, std::vector<SimulationOptions::BusError> errors) {
  Section handler(kHandler);
  handler.csr(Insn::CSRRS, a1, Csr::mcause, zero);
  handler.csr(Insn::CSRRS, a2, Csr::mtval, zero);
  handler.r(Insn::SUB, a2, a2, s0);
  handler.r(Insn::ADD, a1, a1, a2);
  exitWithRegister(handler, a1);
  RunOptions options;
  options.busErrors = std::move(errors);
  const RunResult result = run({{code, handler}, {}, code.base()}, options);
  EXPECT_EQ(result.simulation.outcome, Outcome::Exited) << result.simulation.report;
  return result.simulation.status;
}

TEST(BusErrors, LoadsStoresAndFetchesTrapPrecisely) {
  const auto program = [](auto emit) {
    Section code = startWithHandler();
    code.li(s0, kDram);
    emit(code);
    exitWith(code, 99);
    return code;
  };
  const Section load = program([](Section &c) { c.i(Insn::LW, a0, s0, 4); });
  const Section store = program([](Section &c) { c.store(Insn::SB, a0, s0, 7); });
  const Section fetch = program([](Section &c) { c.emit(Insn::JALR, {ra, s0, 0, 0}); });
  // A store before and a load behind leave their marks.
  const Section both = program([](Section &c) {
    c.store(Insn::SW, s0, s0, -4);
    c.store(Insn::SW, s0, s0, 8);
  });
  for (const AxiResponse response : {kAxiSlaveError, kAxiDecodeError}) {
    EXPECT_EQ(statusWithFailure(load, {failing(kDram, 16, response)}), 5 + 4);
    EXPECT_EQ(statusWithFailure(store, {failing(kDram, 16, response)}), 7 + 7);
    EXPECT_EQ(statusWithFailure(both, {failing(kDram + 15, 1, response)}), 7 + 8);
    EXPECT_EQ(statusWithFailure(fetch, {failing(kDram, 16, response)}), 1 + 0);
    // An error of the line's other half fails the line, too, but only its fetch.
    EXPECT_EQ(statusWithFailure(fetch, {failing(kDram + 16, 16, response)}), 1 + 0);
    EXPECT_EQ(statusWithFailure(load, {failing(kDram + 16, 16, response)}), 99);
  }
}

TEST(BusErrors, StraightIntoALineThatFails) {
  Section code = startWithHandler();
  code.li(s0, kDram);
  code.li(a0, 0);
  code.emit(Insn::JALR, {ra, s0, 0, 0});
  Section target(kDram);
  for (int n = 0; n < 32; ++n)
    target.i(Insn::ADDI, a0, a0, 1);
  Section handler(kHandler);
  handler.csr(Insn::CSRRS, a1, Csr::mcause, zero);
  handler.csr(Insn::CSRRS, a1, Csr::mtval, zero);
  exitWithRegister(handler, a0);
  RunOptions options;
  options.busErrors = {failing(kDram + 0x54, 1)};
  const RunResult result = run({{code, target, handler}, {}, code.base()}, options);
  EXPECT_EQ(result.simulation.status, 16) << result.simulation.report; // two lines
}

TEST(BusErrors, AFailedLineIsFetchedAgain) {
  // The first fetch fails; the handler jumps there again after the memory has recovered,
  // which the program shows by a store that ends the failure. The model does not recover.
  Section code = startWithHandler();
  code.li(s0, kDram);
  code.li(s1, kData);
  code.emit(Insn::JALR, {ra, s0, 0, 0});
  Section target(kDram);
  exitWith(target, 42);
  Section handler(kHandler);
  handler.store(Insn::SW, s0, s1, 0);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.emit(Insn::MRET);
  const Program all{{code, target, handler}, {}, code.base()};
  Simulation simulation(*MachineConfig::find("default"),
                        {.dram = {60, 16}, .lockstep = false, .maxCycles = 10'000}, all.image(),
                        {"test"});
  Machine &machine = simulation.machine();
  machine.dram().fail({kDram, 32});
  for (uint32_t marker = 0; marker == 0 && machine.cycles() < 5'000;) {
    machine.cycle();
    machine.readMemory(kData, &marker, sizeof marker);
  }
  machine.dram().failNoMore();
  const SimulationResult result = simulation.runToEnd();
  EXPECT_EQ(result.outcome, Outcome::Exited) << result.report;
  EXPECT_EQ(result.status, 42);
}

// Every vector access of 64 bytes at 0..15 bytes behind a block, with the error in each of the
// blocks that it touches or not; then the memory around it goes through DMA into lockstep's sight.
TEST(BusErrors, VectorAccesses) {
  for (const uint32_t bad : {0u, 16u, 64u, 80u}) {
    Section code = startWithHandler();
    code.li(s0, kDram);
    code.li(s1, 100); // behind v.stl, a masked and a strided access
    code.i(Insn::ADDI, a3, zero, 7);
    code.csr(Insn::CSRRW, zero, Csr::nvstride, a3);
    code.i(Insn::ADDI, a4, zero, 11);
    code.emit(Insn::V_ID_B, {1, 0, 0, 0});
    code.emit(Insn::V_ID_W, {2, 0, 0, 0});
    for (int32_t offset = 0; offset < 16; ++offset) {
      code.i(Insn::ADDI, a2, s0, offset);
      code.i(Insn::V_LD, 3, a2, 0);
      code.store(Insn::V_ST, 1, a2, 0);
      code.i(Insn::V_LD, 4, a2, 128); // the next access is not disturbed
      code.emit(Insn::V_LDL_B, {5, a2, a4, 0});
      code.emit(Insn::V_STL_B, {1, a2, a4, 0});
      code.emit(Insn::V_LDS_W, {6, a2, a4, 0});
      code.emit(Insn::V_STS_H, {1, a2, a4, 0});
      code.r(Insn::V_SEQ_B, 7, 1, 1);
      code.emit(Insn::V_LDM_B, {8, a2, 7, 0});
      code.i(Insn::LW, a5, s0, 32); // of what is not known to be
      code.i(Insn::LW, a5, s0, 48);
    }
    exitWith(code, 0);
    RunOptions options;
    options.busErrors = {failing(kDram + bad + 5, 2)};
    const RunResult result = run({{code, countingHandler()}, {}, code.base()}, options);
    EXPECT_EQ(result.simulation.outcome, Outcome::Exited) << bad << result.simulation.report;
  }
}

// --- DMA ---

constexpr uint32_t kDescriptors = NPU_TCM_BASE + 0x2000, kTcm = NPU_TCM_BASE + 0x4000;

struct Rows {
  uint32_t src, dst, len, rows, flags = 0; // rows follow each other
};

fuzz::Data chain(const std::vector<Rows> &rows) {
  fuzz::Data data{kDescriptors, std::vector<uint8_t>(rows.size() * NPU_DMA_DESCRIPTOR_BYTES)};
  for (size_t n = 0; n < rows.size(); ++n) {
    const Rows &r = rows[n];
    const uint32_t at = NPU_DMA_DESCRIPTOR_BYTES * static_cast<uint32_t>(n);
    const uint32_t next = n + 1 < rows.size() ? kDescriptors + at + NPU_DMA_DESCRIPTOR_BYTES : 0;
    const uint32_t words[16] = {r.src, r.dst, r.len, r.rows, r.len, r.len, 1, 0, 0, r.flags, next};
    std::memcpy(data.bytes.data() + at, words, sizeof words);
  }
  return data;
}

struct DmaCase {
  const char *name;
  std::vector<Rows> rows;
  std::vector<SimulationOptions::BusError> errors;
  uint32_t fault;  // 0: none
  uint32_t status; // of nstatus
};

class DmaBusErrors : public ::testing::TestWithParam<DmaCase> {};

TEST_P(DmaBusErrors, EndTheChain) {
  const DmaCase &c = GetParam();
  Section code = startWithHandler();
  code.li(s0, kDescriptors);
  code.li(s1, kTcm);
  code.li(s2, kDram);
  code.r(Insn::DMA_START, a0, s0, 0);
  code.r(Insn::DMA_START, a1, s0, 0); // the channel goes on with what comes behind
  code.csr(Insn::CSRRS, a2, Csr::nstatus, zero);
  code.r(Insn::NPU_WAIT, zero, a1, 0);
  code.csr(Insn::CSRRS, a4, Csr::nfault0, zero);
  code.csr(Insn::CSRRS, a5, Csr::nstatus, zero);
  for (int32_t offset = 0; offset < 1024; offset += 64) { // whatever is there now
    code.i(Insn::LW, a3, s1, offset);
    code.i(Insn::V_LD, 1, s1, offset);
    code.i(Insn::LW, a3, s2, offset);
  }
  code.li(t1, c.fault);
  code.r(Insn::SUB, a4, a4, t1);
  code.r(Insn::OR, a0, a4, a5);
  code.i(Insn::XORI, a0, a0, static_cast<int32_t>(c.status));
  exitWithRegister(code, a0);
  fuzz::Data source{kDram, std::vector<uint8_t>(4096)};
  for (size_t n = 0; n < source.bytes.size(); ++n)
    source.bytes[n] = static_cast<uint8_t>(n * 29 + (n >> 8));
  for (const unsigned latency : {1u, 60u}) {
    RunOptions options;
    options.dram.readLatency = latency;
    options.busErrors = c.errors;
    const RunResult result =
        run({{code, countingHandler()}, {chain(c.rows), source}, code.base()}, options);
    EXPECT_EQ(result.simulation.outcome, Outcome::Exited) << result.simulation.report;
    EXPECT_EQ(result.simulation.status, 0) << "latency " << latency;
  }
}

constexpr uint32_t kFar = kDram + 0x100000;

INSTANTIATE_TEST_SUITE_P(
    Cases, DmaBusErrors,
    ::testing::Values(
        DmaCase{"read_first_row", {{kDram, kTcm, 100, 4}}, {failing(kDram + 40, 4)}, kDram, 1},
        DmaCase{"read_third_row", {{kDram, kTcm, 64, 8}}, {failing(kDram + 128, 1)}, kDram + 128, 1},
        DmaCase{"decode_error", {{kDram, kTcm, 64, 8}}, {failing(kDram + 191, 1, kAxiDecodeError)},
                kDram + 128, 1},
        DmaCase{"beside_the_rows", {{kDram, kTcm, 64, 8}}, {failing(kDram + 512, 16)}, 0, 0},
        DmaCase{"write_first_row", {{kTcm + 4096, kFar, 48, 5}}, {failing(kFar, 1)}, kFar, 1},
        DmaCase{"write_last_row", {{kTcm + 4096, kFar, 48, 5}}, {failing(kFar + 192, 1)}, kFar + 192,
                1},
        DmaCase{"fill", {{0x55, kFar + 3, 500, 2, 1}}, {failing(kFar + 600, 1)}, kFar + 503, 1},
        DmaCase{"long_row", {{kDram, kTcm, 2000, 1}, {kDram, kTcm + 4096, 16, 1}},
                {failing(kDram + 1500, 1)}, kDram, 1},
        DmaCase{"second_descriptor",
                {{kDram, kTcm, 64, 2}, {kDram + 1024, kTcm + 1024, 64, 3}, {kDram, kTcm + 512, 64, 2}},
                {failing(kDram + 1088, 16)}, kDram + 1088, 1},
        DmaCase{"behind_a_signal",
                {{kDram, kTcm, 64, 2, 2}, {kDram + 1024, kTcm + 1024, 64, 3, 2}},
                {failing(kDram + 1088, 16)}, kDram + 1088, 0x101},
        DmaCase{"copy_of_what_failed",
                {{kDram, kTcm + 1024, 64, 1}, {kTcm + 1024, kTcm, 64, 1}},
                {failing(kDram + 16, 16)}, kDram, 1},
        // The error of the row that the walk rejects is seen first, that of the bus is reported.
        DmaCase{"before_a_row_nowhere", {{kDram, kTcm, 64, 1}, {kDram, 64, 64, 1}},
                {failing(kDram, 16)}, kDram, 1},
        DmaCase{"dram_to_dram_read", {{kDram + 3, kFar, 100, 9}}, {failing(kDram + 250, 1)},
                kDram + 203, 1}),
    [](const auto &test) { return std::string(test.param.name); });

// The row that is written fails behind one that is read later: either may be the first.
TEST(BusErrors, AReadAheadOfTheWriteThatFails) {
  for (const unsigned latency : {1u, 20u, 60u, 200u}) {
    Section code = startWithHandler();
    code.li(s0, kDescriptors);
    code.r(Insn::DMA_START, a0, s0, 1);
    code.r(Insn::NPU_WAIT, zero, a0, 0);
    code.csr(Insn::CSRRS, a4, Csr::nfault1, zero); // lockstep knows the two
    code.csr(Insn::CSRRS, a0, Csr::nstatus, zero);
    exitWithRegister(code, a0);
    RunOptions options;
    options.dram.readLatency = latency;
    options.busErrors = {failing(kFar, 16), failing(kDram + 640, 16)};
    const RunResult result = run({{code}, {chain({{kDram, kFar, 64, 20}})}, code.base()}, options);
    EXPECT_EQ(result.simulation.outcome, Outcome::Exited) << result.simulation.report;
    EXPECT_EQ(result.simulation.status, 2);
  }
}

} // namespace
} // namespace npu::rtl::test
