// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drives matrix_bench.sv: issues operations, counts cycles, shows the scratchpad and the errors.
#pragma once

#include "Vmatrix_bench.h"
#include "Vmatrix_bench___024root.h"
#include "matrix_reference.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

namespace npu::test {

struct Fault {
  bool drain;
  uint32_t addr;
  bool operator==(const Fault &) const = default;
};

inline std::ostream &operator<<(std::ostream &os, const Fault &f) {
  return os << (f.drain ? "drain " : "array ") << std::hex << "0x" << f.addr << std::dec;
}

// Sums of what the unit reports in each cycle.
struct Perf {
  uint64_t array_busy = 0, macs = 0, weight_wait = 0, acc_wait = 0, fetch_wait = 0;
  void add(const Vmatrix_bench &top) {
    array_busy += top.array_busy_o;
    macs += top.macs_o;
    weight_wait += top.weight_wait_o;
    acc_wait += top.acc_wait_o;
    fetch_wait += top.fetch_wait_o;
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
    perf.add(top);
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

inline uint32_t run_ctl(uint32_t row, uint32_t count, uint32_t k, uint32_t first, bool acc, bool swap) {
  return row | count << 8 | k << 17 | first << 23 | uint32_t(acc) << 29 | uint32_t(swap) << 30;
}

inline uint32_t dw_ctl(uint32_t row, uint32_t count, uint32_t kw, uint32_t kh, bool acc, bool swap) {
  return row | count << 8 | kw << 17 | kh << 22 | uint32_t(acc) << 29 | uint32_t(swap) << 30;
}

inline uint32_t drain_ctl(uint32_t row, uint32_t count, uint32_t channels, bool raw,
                          bool once = false) {
  return row | count << 8 | channels << 17 | uint32_t(raw) << 22 | uint32_t(once) << 23;
}

// The array and the loader read only the lower half, the drain writes only the upper half:
// accesses of the two are not ordered with each other.
constexpr uint32_t kHalf = kTcmSize / 2;

inline std::vector<uint8_t> random_tcm(std::mt19937 &rng) {
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

inline void compare(const std::vector<uint8_t> &got, const std::vector<uint8_t> &want) {
  int shown = 0;
  for (uint32_t i = 0; i < kTcmSize && shown < 8; i++)
    if (got[i] != want[i]) {
      ADD_FAILURE() << "TCM byte 0x" << std::hex << kTcmBase + i << ": got " << unsigned(got[i])
                    << " want " << unsigned(want[i]);
      shown++;
    }
}

} // namespace npu::test
