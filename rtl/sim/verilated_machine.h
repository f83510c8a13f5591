// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine on top of one Verilated class, Design.
//
// A cycle is: inputs, falling edge (combinational logic settles), outputs sampled, rising
// edge. What the core retires comes from registers and is read behind the rising edge.

#pragma once

#include "verilated_coverage.h"
#include "machine.h"

#include <verilated.h>
#include <verilated_fst_c.h>

#include <bit>
#include <cstring>

namespace npu::rtl {

template <typename Design, typename DesignCoverage = NoCoverage>
class VerilatedMachine final : public Machine {
public:
  VerilatedMachine(const MachineConfig &config, DramTiming timing, const std::string &waveFile)
      : Machine(config, timing) {
    if (!waveFile.empty()) {
      context_.traceEverOn(true);
      design_.trace(&wave_, kWaveDepth);
      wave_.open(waveFile.c_str());
    }
    auto &root = *design_.rootp;
    itcm_ = &root.npu_sim__DOT__u_npu__DOT__u_itcm__DOT__u_ram__DOT__mem[0];
#define NPU_TCM_BANK(n)                                                                           \
  tcm_[n] =                                                                                       \
      &root.npu_sim__DOT__u_npu__DOT__u_tcm__DOT__gen_bank__BRA__##n##__KET____DOT__u_ram__DOT__mem[0]
    NPU_TCM_BANK(0);
    NPU_TCM_BANK(1);
    NPU_TCM_BANK(2);
    NPU_TCM_BANK(3);
    NPU_TCM_BANK(4);
    NPU_TCM_BANK(5);
    NPU_TCM_BANK(6);
    NPU_TCM_BANK(7);
    NPU_TCM_BANK(8);
    NPU_TCM_BANK(9);
    NPU_TCM_BANK(10);
    NPU_TCM_BANK(11);
    NPU_TCM_BANK(12);
    NPU_TCM_BANK(13);
    NPU_TCM_BANK(14);
    NPU_TCM_BANK(15);
#undef NPU_TCM_BANK
    design_.eval(); // edges are seen from the second call on
    driveAxi();
  }

  ~VerilatedMachine() override {
    if (wave_.isOpen())
      wave_.close();
    design_.final();
    DesignCoverage::collect(design_);
  }

  void reset(uint32_t pc) override {
    design_.boot_pc_i = pc;
    inputsChanged_ = true;
    design_.rst_ni = 0;
    for (unsigned i = 0; i < kResetCycles; ++i)
      cycle();
    design_.rst_ni = 1;
    cycles_ = 0;
    counters_ = {};
  }

  void cycle() override {
    design_.clk_i = 0;
    settle();
    dump();
    stall_ = static_cast<Stall>(design_.stall_o);
    unitsBusy_ = design_.unit_busy_o;
    unitsActive_ = design_.unit_active_o;
    count(design_.macs_o, design_.array_busy_o, design_.drain_busy_o);
    countRefused();
    Observation seen;
    if (!observers_.empty())
      seen = observation();
    if (design_.vec_valid_o)
      readVectorResult();
    const bool axiActive = axi_.cycle(sampleAxi());

    design_.clk_i = 1;
    design_.eval();
    dump();
    ++cycles_;
    if (axiActive)
      driveAxi();
    halted_ = design_.debug_halted_o;
    retired_ = design_.retire_kind_o != 0;
    if (retired_) {
      readEvent();
      counters_.retired += event_.kind == RetireEvent::Kind::Retire;
    }
    for (Observer *observer : observers_)
      observer->cycle(cycles_ - 1, seen, retired_ ? &event_ : nullptr);
  }

  void haltOnEbreak(bool on) override {
    design_.debug_ebreak_i = on;
    inputsChanged_ = true;
  }
  uint32_t pc() override { return design_.debug_pc_o; }

  bool atInstruction() override {
    const auto stall = static_cast<Stall>(design_.stall_o);
    return (stall < Stall::Fetch || stall > Stall::Vector) && !design_.debug_busy_o;
  }

  void halt() override {
    design_.debug_halt_i = 1;
    inputsChanged_ = true;
    for (unsigned i = 0; i < kVectorStages && !halted_; ++i) // results on their way
      cycle();
    design_.debug_halt_i = 0;
    inputsChanged_ = true;
  }

  uint32_t readRegister(unsigned number) override { return readPort(kDebugGpr + number); }
  void writeRegister(unsigned number, uint32_t value) override {
    writePort(kDebugGpr + number, value);
  }
  uint32_t readCsr(unsigned number) override { return readPort(number); }
  void writeCsr(unsigned number, uint32_t value) override { writePort(number, value); }

  void writeVector(unsigned number, const VectorValue &value) override {
    auto &words =
        design_.rootp->npu_sim__DOT__u_npu__DOT__u_core__DOT__u_vec__DOT__u_regfile__DOT__mem[number];
    std::memcpy(&words[0], value.data(), value.size());
  }

  bool readThroughCore(uint32_t address, unsigned bytes, uint32_t &value) override {
    const bool ok = accessThroughCore(false, address, bytes, 0);
    value = design_.debug_mem_rdata_o;
    return ok;
  }

  bool writeThroughCore(uint32_t address, unsigned bytes, uint32_t value) override {
    return accessThroughCore(true, address, bytes, value);
  }

  void resume(uint32_t pc, bool flush) override {
    design_.debug_pc_i = pc;
    design_.debug_flush_i = flush;
    design_.debug_resume_i = 1;
    inputsChanged_ = true;
    cycle();
    design_.debug_resume_i = 0;
    inputsChanged_ = true;
  }

  void resumeWithTrap() override {
    design_.debug_trap_i = 1;
    inputsChanged_ = true;
    cycle();
    design_.debug_trap_i = 0;
    inputsChanged_ = true;
  }

  void setExternalInterrupt(bool level) override {
    inputsChanged_ |= design_.irq_external_i != level;
    design_.irq_external_i = level;
  }

private:
  static constexpr int kWaveDepth = 99;
  static constexpr unsigned kResetCycles = 4;
  static constexpr unsigned kVectorStages = 4;
  static constexpr unsigned kDebugGpr = 0x1000; // x0 on the debug port; CSRs are below

  uint32_t readPort(unsigned number) {
    design_.debug_reg_addr_i = static_cast<uint16_t>(number);
    inputsChanged_ = true;
    settle();
    return design_.debug_reg_rdata_o;
  }

  void writePort(unsigned number, uint32_t value) {
    design_.debug_reg_addr_i = static_cast<uint16_t>(number);
    design_.debug_reg_wdata_i = value;
    design_.debug_reg_we_i = 1;
    inputsChanged_ = true;
    cycle();
    design_.debug_reg_we_i = 0;
    inputsChanged_ = true;
  }

  bool accessThroughCore(bool write, uint32_t address, unsigned bytes, uint32_t value) {
    design_.debug_mem_req_i = 1;
    design_.debug_mem_we_i = write;
    design_.debug_mem_size_i = bytes == 4 ? 2 : bytes == 2 ? 1 : 0;
    design_.debug_mem_addr_i = address;
    design_.debug_mem_wdata_i = value;
    inputsChanged_ = true;
    // The acknowledgement belongs to the cycle in which it is seen, so look ahead of the edge.
    for (;;) {
      settle();
      const bool acknowledged = design_.debug_mem_ack_o;
      const bool error = design_.debug_mem_error_o;
      cycle();
      if (acknowledged) {
        design_.debug_mem_req_i = 0;
        inputsChanged_ = true;
        return !error;
      }
    }
  }

  // The design takes its inputs at an edge of apply_i, only where one has changed.
  void settle() {
    if (inputsChanged_)
      design_.apply_i ^= 1;
    inputsChanged_ = false;
    design_.eval();
  }

  void dump() {
    if (wave_.isOpen())
      wave_.dump(time_++);
  }

  uint16_t refused(size_t unit) const {
    return static_cast<uint16_t>(design_.tcm_refused_o[unit / 2] >> 16 * (unit % 2));
  }

  void countRefused() {
    if ((design_.tcm_refused_o[0] | design_.tcm_refused_o[1] | design_.tcm_refused_o[2]) == 0)
      return;
    for (size_t unit = 0; unit < kTcmUnits; ++unit)
      counters_.refused[unit] += static_cast<unsigned>(std::popcount(refused(unit)));
  }

  Observation observation() const {
    Observation seen;
    seen.stall = stall_;
    seen.fetch = design_.fetch_o;
    seen.fetchPc = design_.fetch_pc_o;
    seen.decode = design_.decode_o;
    seen.decodePc = design_.decode_pc_o;
    seen.decodeWord = design_.decode_word_o;
    seen.issue = design_.issue_o;
    seen.redirect = design_.redirect_o;
    seen.arrayBusy = design_.array_busy_o;
    seen.runFirst = design_.run_first_o;
    seen.runLast = design_.run_last_o;
    seen.loadBusy = design_.load_busy_o;
    seen.loadTable = design_.load_table_o;
    seen.drainBusy = design_.drain_busy_o;
    seen.drainEnd = design_.drain_end_o;
    seen.macs = design_.macs_o;
    seen.unitsBusy = unitsBusy_;
    for (unsigned unit = 0; unit < kUnits; ++unit)
      seen.done[unit] = static_cast<uint8_t>(design_.unit_done_o >> 8 * unit);
    for (size_t unit = 0; unit < kTcmUnits; ++unit)
      seen.refused[unit] = refused(unit);
    return seen;
  }

  AxiToDram sampleAxi() const {
    AxiToDram in;
    in.arValid = design_.arvalid_o;
    in.arId = design_.arid_o;
    in.arAddress = design_.araddr_o;
    in.arLength = design_.arlen_o;
    in.rReady = design_.rready_o;
    in.awValid = design_.awvalid_o;
    in.awId = design_.awid_o;
    in.awAddress = design_.awaddr_o;
    in.awLength = design_.awlen_o;
    in.wValid = design_.wvalid_o;
    in.wLast = design_.wlast_o;
    in.wStrobe = design_.wstrb_o;
    for (unsigned i = 0; i < in.wData.size(); ++i)
      in.wData[i] = design_.wdata_o[i];
    in.bReady = design_.bready_o;
    return in;
  }

  void driveAxi() {
    const AxiFromDram &out = axi_.outputs();
    design_.arready_i = out.arReady;
    design_.awready_i = out.awReady;
    design_.wready_i = out.wReady;
    design_.rvalid_i = out.rValid;
    design_.rid_i = out.rId;
    for (unsigned i = 0; i < out.rData.size(); ++i)
      design_.rdata_i[i] = out.rData[i];
    design_.rresp_i = out.rResponse;
    design_.rlast_i = out.rLast;
    design_.bvalid_i = out.bValid;
    design_.bid_i = out.bId;
    design_.bresp_i = out.bResponse;
    inputsChanged_ = true;
  }

  void readVectorResult() {
    VectorResult &result = vectorResults_.emplace_back();
    result.toX = design_.vec_to_x_o;
    result.reg = design_.vec_index_o;
    for (size_t i = 0; i < result.value.size(); ++i)
      result.value[i] = design_.vec_value_o[i];
  }

  void readEvent() {
    static constexpr RetireEvent::Kind kKinds[] = {
        RetireEvent::Kind::Retire, RetireEvent::Kind::Retire, RetireEvent::Kind::Trap,
        RetireEvent::Kind::Interrupt};
    event_ = {};
    event_.kind = kKinds[design_.retire_kind_o];
    event_.pc = design_.retire_pc_o;
    event_.insn = design_.retire_insn_o;
    event_.cycle = cycles_;
    if (event_.kind != RetireEvent::Kind::Retire) {
      event_.cause = design_.retire_cause_o;
      event_.tval = design_.retire_tval_o;
      return;
    }
    if (design_.retire_rd_we_o) {
      event_.rd = design_.retire_rd_o;
      event_.rdValue = design_.retire_rd_data_o;
    }
    if (design_.retire_mem_re_o || design_.retire_mem_we_o) {
      const unsigned offset = design_.retire_mem_addr_o & 3;
      const auto mask = static_cast<uint8_t>(design_.retire_mem_be_o >> offset);
      event_.memAddress = design_.retire_mem_addr_o;
      if (design_.retire_mem_we_o) {
        event_.memWriteMask = mask;
        // The bytes of narrow stores are repeated on the other lanes.
        const uint32_t kept = mask == 15 ? ~0u : mask == 3 ? 0xFFFFu : 0xFFu;
        event_.memWriteData = design_.retire_mem_wdata_o & kept;
      } else {
        event_.memReadMask = mask;
      }
    }
  }

  VerilatedContext context_;
  Design design_{&context_};
  VerilatedFstC wave_;
  uint64_t time_ = 0;
  bool inputsChanged_ = true;
};

} // namespace npu::rtl
