// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core beside its units: tickets, waits and full queues that interrupts hit, completion and
// error interrupts, code that the DMA writes, loads against traffic in the scratchpad.

#include "program.h"

#include <array>
#include <cstring>

namespace npu::rtl::test {
namespace {

constexpr uint32_t kDescriptors = NPU_TCM_BASE + 0x400;
constexpr uint32_t kFlagNotify = 2;

// A one-dimensional copy.
fuzz::Data descriptor(uint32_t at, uint32_t source, uint32_t destination, uint32_t bytes,
                      uint32_t flags = 0) {
  const std::array<uint32_t, 16> words = {source, destination, bytes, 1, 0, 0, 1, 0, 0, flags};
  fuzz::Data data{at, std::vector<uint8_t>(sizeof words)};
  std::memcpy(data.bytes.data(), words.data(), sizeof words);
  return data;
}

fuzz::Data pattern(uint32_t at, uint32_t bytes) {
  fuzz::Data data{at, std::vector<uint8_t>(bytes)};
  for (uint32_t n = 0; n < bytes; ++n)
    data.bytes[n] = static_cast<uint8_t>(n * 37 + (n >> 8));
  return data;
}

// Sets the timer to strike `delay` cycles from here, once; s2 is left at mtimecmp.
void armTimer(Section &code, uint32_t delay) {
  code.li(s2, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIMECMP);
  code.li(s3, NPU_MMIO_CLINT_BASE + NPU_MMIO_CLINT_MTIME);
  code.li(t1, 1u << 7);
  code.csr(Insn::CSRRS, zero, Csr::mie, t1);
  code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
  code.i(Insn::LW, t1, s3, 0);
  code.store(Insn::SW, zero, s2, 4);
  code.i(Insn::ADDI, t1, t1, static_cast<int32_t>(delay));
  code.store(Insn::SW, t1, s2, 0);
}

Section timerHandler() {
  Section handler(kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.csr(Insn::CSRRS, s11, Csr::mepc, zero);
  handler.li(s11, 0xFFFFFFFF);
  handler.store(Insn::SW, s11, s2, 4);
  handler.emit(Insn::MRET);
  return handler;
}

void expectExit(const Program &program, int status, const std::string &what = "") {
  const RunResult result = run(program);
  ASSERT_EQ(result.simulation.outcome, Outcome::Exited) << what << result.simulation.report;
  ASSERT_EQ(result.simulation.status, status) << what;
}

TEST(Xnpu, AnInterruptDuringEveryPartOfAWait) {
  for (uint32_t delay = 1; delay < 420; delay += 5) {
    Section code = startWithHandler();
    code.li(s0, kDescriptors);
    code.li(s1, kData);
    armTimer(code, delay);
    code.r(Insn::DMA_START, a0, s0, 0);
    code.r(Insn::NPU_WAIT, zero, a0, 0);
    code.i(Insn::LBU, a2, s1, 2047);     // the last byte of the copy
    code.branch(Insn::BEQ, s10, zero, 0); // until the timer has struck
    code.r(Insn::ADD, a0, a2, s10);
    exitWithRegister(code, a0);
    const fuzz::Data source = pattern(NPU_DRAM_BASE + 0x3000, 2048);
    expectExit({{code, timerHandler()},
                {descriptor(kDescriptors, source.address, kData, 2048), source},
                code.base()},
               source.bytes.back() + 1, "delay " + std::to_string(delay) + ": ");
  }
}

// The instruction that finds its queue full is interrupted before it has had any effect, so the
// tickets stay in sequence.
TEST(Xnpu, AnInterruptWhileTheQueueIsFull) {
  constexpr unsigned kOperations = NPU_QUEUES_DMA_DEPTH + 5;
  for (uint32_t delay = 1; delay < 400; delay += 5) {
    Section code = startWithHandler();
    code.li(s0, kDescriptors);
    code.li(a1, 256u << 8); // 256 pixels, K = 0
    armTimer(code, delay);
    for (unsigned n = 0; n < kOperations; ++n) {
      code.r(Insn::DMA_START, a0, s0, 1);
      code.r(Insn::MAC_RUN, a2, s0, a1);
    }
    code.branch(Insn::BEQ, s10, zero, 0);
    code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
    code.i(Insn::SRLI, a0, a0, 2);
    code.i(Insn::SRLI, a2, a2, 2);
    code.r(Insn::ADD, a0, a0, a2);
    code.r(Insn::ADD, a0, a0, s10);
    exitWithRegister(code, a0);
    const fuzz::Data source = pattern(NPU_DRAM_BASE + 0x3000, 512);
    expectExit({{code, timerHandler()},
                {descriptor(kDescriptors, source.address, kData, 512), source},
                code.base()},
               2 * kOperations + 1, "delay " + std::to_string(delay) + ": ");
  }
}

TEST(Xnpu, CompletionInterruptWakesTheCore) {
  Section code = startWithHandler();
  code.li(s0, kDescriptors);
  code.li(a0, 1u << 16);
  code.csr(Insn::CSRRS, zero, Csr::mie, a0);
  for (const unsigned channel : {0u, 1u}) {
    code.csr(Insn::CSRRCI, zero, Csr::mstatus, 8);
    code.r(Insn::DMA_START, a0, s0, channel);
    code.emit(Insn::WFI);
    code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8); // the handler runs behind this
  }
  code.i(Insn::SLLI, a0, s9, 4);
  code.r(Insn::OR, a0, a0, s10);
  exitWithRegister(code, a0);
  // Counts, collects and clears the completions.
  Section handler(kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.csr(Insn::CSRRS, s8, Csr::nstatus, zero);
  handler.csr(Insn::CSRRW, zero, Csr::nstatus, s8);
  handler.i(Insn::SRLI, s8, s8, 8);
  handler.r(Insn::ADD, s9, s9, s8);
  handler.csr(Insn::CSRRS, s8, Csr::nstatus, zero);
  handler.emit(Insn::MRET);
  const fuzz::Data source = pattern(NPU_DRAM_BASE + 0x3000, 64);
  // Two interrupts; completions 1 and 2.
  expectExit({{code, handler},
              {descriptor(kDescriptors, source.address, kData, 64, kFlagNotify), source},
              code.base()},
             3 << 4 | 2);
}

// Every descriptor of a chain may interrupt, and the bit is cleared between them.
TEST(Xnpu, EachDescriptorOfAChainInterrupts) {
  constexpr uint32_t kLength = 5, kNext = 10;
  Section code = startWithHandler();
  code.li(s0, kDescriptors);
  code.li(a0, 1u << 16);
  code.csr(Insn::CSRRS, zero, Csr::mie, a0);
  code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
  code.r(Insn::DMA_START, a0, s0, 1);
  code.i(Insn::ADDI, a1, zero, kLength);
  code.branch(Insn::BNE, s10, a1, 0); // until all have interrupted
  code.r(Insn::NPU_WAIT, zero, a0, 0);
  exitWithRegister(code, s10);
  Section handler(kHandler);
  handler.i(Insn::ADDI, s10, s10, 1);
  handler.li(s8, 2u << 8);
  handler.csr(Insn::CSRRS, s9, Csr::mip, zero);
  handler.csr(Insn::CSRRS, s9, Csr::nstatus, s8);
  handler.emit(Insn::MRET);
  Program program{{code, handler}, {pattern(NPU_DRAM_BASE + 0x3000, 64)}, code.base()};
  for (uint32_t n = 0; n < kLength; ++n) {
    const uint32_t at = kDescriptors + n * NPU_DMA_DESCRIPTOR_BYTES;
    fuzz::Data data = descriptor(at, NPU_DRAM_BASE + 0x3000, kData, 64, kFlagNotify);
    const uint32_t next = n + 1 < kLength ? at + NPU_DMA_DESCRIPTOR_BYTES : 0;
    std::memcpy(&data.bytes[kNext * 4], &next, sizeof next);
    program.data.push_back(data);
  }
  expectExit(program, kLength);
}

TEST(Xnpu, ErrorsInterruptAndNameTheAddress) {
  struct Case {
    Insn insn;
    uint32_t rs1, rs2;
    unsigned channel, bit;
    Csr fault;
    uint32_t address;
  };
  const uint32_t outside = NPU_TCM_BASE + NPU_DEFAULT_TCM_SIZE;
  const Case cases[] = {
      {Insn::DMA_START, kDescriptors + 2, 0, 0, 0, Csr::nfault0, kDescriptors + 2},
      {Insn::DMA_START, outside - 32, 0, 1, 1, Csr::nfault1, outside - 32},
      {Insn::MAC_LDW, kData + 1, 16, 0, 2, Csr::nfault2, kData + 1},
      {Insn::MAC_RUN, outside - 8, 1u << 8 | 16u << 17, 0, 2, Csr::nfault2, outside},
      {Insn::MAC_LDQ, kData + 2, 0, 0, 3, Csr::nfault3, kData + 2},
      {Insn::MAC_DRAIN, outside, 1u << 8 | 4u << 17, 0, 3, Csr::nfault3, outside},
  };
  for (const Case &c : cases) {
    Section code = startWithHandler();
    code.li(a1, c.rs1);
    code.li(a2, c.rs2);
    code.li(a0, 1u << 17);
    code.csr(Insn::CSRRS, zero, Csr::mie, a0);
    code.csr(Insn::CSRRSI, zero, Csr::mstatus, 8);
    if (c.insn == Insn::DMA_START)
      code.r(c.insn, a0, a1, c.channel);
    else if (c.insn == Insn::MAC_LDQ)
      code.r(c.insn, a0, a1, 0);
    else
      code.r(c.insn, a0, a1, a2);
    code.r(Insn::NPU_WAIT, zero, a0, 0);
    code.branch(Insn::BEQ, s10, zero, 0); // the interrupt comes
    code.csr(Insn::CSRRS, a4, Csr::nstatus, zero);
    code.r(Insn::OR, a0, a4, s9); // cleared, and 1 when the address was right
    exitWithRegister(code, a0);
    Section handler(kHandler);
    handler.i(Insn::ADDI, s10, s10, 1);
    handler.csr(Insn::CSRRS, s8, Csr::nstatus, zero);
    handler.csr(Insn::CSRRS, s7, c.fault, zero);
    handler.csr(Insn::CSRRW, zero, Csr::nstatus, s8);
    handler.li(s6, c.address);
    handler.r(Insn::XOR, s7, s7, s6);
    handler.i(Insn::XORI, s8, s8, 1 << c.bit);
    handler.r(Insn::OR, s7, s7, s8);
    handler.i(Insn::SLTIU, s9, s7, 1);
    handler.emit(Insn::MRET);
    expectExit({{code, handler}, {}, code.base()}, 1,
               std::string(npu::info(c.insn).mnemonic) + ": ");
  }
}

// An error is seen by the read that clears it, or it stays: also when both meet in a cycle.
TEST(Xnpu, ClearingNeverLosesAnEvent) {
  for (unsigned delay = 0; delay < 40; ++delay) {
    Section code = startWithHandler();
    code.li(a1, kData + 1); // misaligned
    code.li(a2, 16);
    code.li(a3, 4);
    code.r(Insn::MAC_LDW, a0, a1, a2);
    for (unsigned n = 0; n < delay; ++n)
      code.i(Insn::ADDI, t1, t1, 1);
    code.csr(Insn::CSRRW, a4, Csr::nstatus, a3);
    code.r(Insn::NPU_WAIT, zero, a0, 0);
    code.csr(Insn::CSRRS, a5, Csr::nstatus, zero);
    code.r(Insn::ADD, a0, a4, a5);
    exitWithRegister(code, a0);
    expectExit({{code}, {}, code.base()}, 4, "delay " + std::to_string(delay) + ": ");
  }
}

TEST(Xnpu, PollTurnsOneWhenTheDataAreThere) {
  Section code = startWithHandler();
  code.li(s0, kDescriptors);
  code.li(s1, kData);
  code.r(Insn::DMA_START, a0, s0, 0);
  code.li(a3, 0);
  code.i(Insn::ADDI, a3, a3, 1);
  code.r(Insn::NPU_POLL, a1, a0, 0);
  code.branch(Insn::BEQ, a1, zero, -8);
  code.i(Insn::LBU, a2, s1, 1023);
  code.i(Insn::SLTIU, a3, a3, 20); // it was not there at once
  code.r(Insn::ADD, a0, a2, a3);
  exitWithRegister(code, a0);
  const fuzz::Data source = pattern(NPU_DRAM_BASE + 0x3000, 1024);
  expectExit({{code}, {descriptor(kDescriptors, source.address, kData, 1024), source},
              code.base()},
             source.bytes.back());
}

// Operands with reserved bits, 2:4 sparsity among them, and fields out of range: the operation does
// nothing, and its error bit and rs1 tell.
TEST(Xnpu, ReservedOperandsAreErrors) {
  const struct {
    Insn insn;
    uint32_t rs2, status;
  } kCases[] = {
      {Insn::MAC_LDW, 4 | 1u << 9, 4}, {Insn::MAC_LDW, 17, 4},          {Insn::MAC_LDW, 33 | 1u << 8, 4},
      {Insn::MAC_LDW, 1u << 31, 4},    {Insn::MAC_RUN, 1u << 31, 4},    {Insn::MAC_RUN, 257u << 8, 4},
      {Insn::MAC_RUN, 17u << 17, 4},   {Insn::MAC_RUN, 255 | 2u << 8, 4}, {Insn::MAC_DW, 1u << 27, 4},
      {Insn::MAC_DW, 0, 4},            {Insn::MAC_DW, 5u << 17 | 4u << 22, 4},
      {Insn::MAC_DRAIN, 1u << 24, 8},  {Insn::MAC_DRAIN, 3u << 22, 8},  {Insn::MAC_DRAIN, 17u << 17, 8},
  };
  for (const auto &c : kCases) {
    Section code = startWithHandler();
    code.li(s0, kData);
    code.li(s1, c.rs2);
    code.r(c.insn, a0, s0, s1);
    code.r(Insn::NPU_WAIT, zero, a0, 0);
    code.csr(Insn::CSRRS, a1, Csr::nfault2, zero);
    code.csr(Insn::CSRRS, a2, Csr::nfault3, zero);
    code.csr(Insn::CSRRS, a0, Csr::nstatus, zero);
    code.r(Insn::OR, a1, a1, a2); // the other one is zero
    code.r(Insn::SUB, a1, a1, s0);
    code.r(Insn::OR, a0, a0, a1);
    exitWithRegister(code, a0);
    expectExit({{code}, {}, code.base()}, static_cast<int>(c.status),
               std::string(info(c.insn).mnemonic) + ' ' + std::to_string(c.rs2) + ": ");
  }
}

TEST(Xnpu, CodeThatTheDmaWrites) {
  constexpr uint32_t kFunction = NPU_DRAM_BASE + 0x8000, kNewCode = NPU_DRAM_BASE + 0x9000;
  Section old(kFunction), replacement(kNewCode);
  old.i(Insn::ADDI, a0, a0, 1);
  old.emit(Insn::JALR, {zero, ra, 0, 0});
  replacement.i(Insn::ADDI, a0, a0, 16);
  replacement.emit(Insn::JALR, {zero, ra, 0, 0});
  Section code = startWithHandler();
  code.li(s0, kDescriptors);
  code.li(s1, kFunction);
  code.li(a0, 0);
  code.emit(Insn::JALR, {ra, s1, 0, 0}); // now the old line is in the cache
  code.r(Insn::DMA_START, a1, s0, 0);
  code.r(Insn::NPU_WAIT, zero, a1, 0);
  code.emit(Insn::FENCE_I);
  code.emit(Insn::JALR, {ra, s1, 0, 0});
  exitWithRegister(code, a0);
  expectExit({{code, old, replacement}, {descriptor(kDescriptors, kNewCode, kFunction, 8)},
              code.base()},
             17);
}

// The core's loads have their two cycles whatever the units do in the scratchpad.
TEST(Xnpu, LoadsAreNotDelayedByTraffic) {
  Section code = startWithHandler();
  code.li(s0, kDescriptors);
  code.li(s1, NPU_TCM_BASE + 0x8000);
  code.r(Insn::DMA_START, a1, s0, 0);
  code.r(Insn::DMA_START, a1, s0, 1);
  for (int n = 0; n < 40; ++n)
    code.i(Insn::ADDI, t1, t1, 1); // both are under way
  code.csr(Insn::CSRRS, a2, Csr::mcycle, zero);
  for (int32_t n = 0; n < 16; ++n) {
    code.i(Insn::LW, a3, s1, 4 * n);
    code.i(Insn::ADDI, a4, a3, 1);
  }
  code.csr(Insn::CSRRS, a3, Csr::mcycle, zero);
  code.r(Insn::NPU_POLL, a4, a1, 0); // still going
  code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
  code.r(Insn::SUB, a0, a3, a2);
  code.r(Insn::ADD, a0, a0, a4);
  exitWithRegister(code, a0);
  // Inside the scratchpad, so that both channels keep its banks busy; they race with each
  // other on purpose, writing the same bytes.
  const fuzz::Data source = pattern(NPU_TCM_BASE + 0x2000, 4096);
  expectExit({{code}, {descriptor(kDescriptors, source.address, NPU_TCM_BASE + 0x4000, 4096),
                       source},
              code.base()},
             1 + 16 * (NPU_TIMING_LOAD_LATENCY + 1));
}

} // namespace
} // namespace npu::rtl::test
