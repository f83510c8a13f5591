// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar reference of the matrix unit, written from chapter 4 of the manual: one operation
// after the other, one byte after the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace npu::test {

constexpr uint32_t kTcmBase = 0x20000000;
constexpr uint32_t kTcmSize = 0x00020000;

enum class MacOp : uint8_t { Ldw, Run, Ldq, Drain, Dw };

// An operation with the CSR values that it captures.
struct MacIssue {
  MacOp op = MacOp::Run;
  uint32_t rs1 = 0, rs2 = 0;
  uint16_t rowlen = 0;
  uint32_t rowstride = 0;
  uint16_t xcount = 0;
  uint32_t xstride = 0, ystride = 0, oxstride = 0, oystride = 0;
  int8_t zero_point = 0, clamp_min = -128, clamp_max = 127;
  int8_t pad_value = 0;
  uint8_t line_step = 0;
  uint16_t valid_bytes = 0, valid_lines = 0; // 15 bits each
  int16_t column = 0, line = 0;              // npos
  int16_t xstep_column = 0, xstep_line = 0, ystep_column = 0, ystep_line = 0;
  uint32_t tapstride = 0;
};

class MatrixReference {
public:
  explicit MatrixReference(std::vector<uint8_t> tcm) : tcm_(std::move(tcm)) {}

  // Executes one operation; the fault address if it ends with an error.
  std::optional<uint32_t> execute(const MacIssue &m);
  void replace_tcm(std::vector<uint8_t> tcm) { tcm_ = std::move(tcm); }
  const std::vector<uint8_t> &tcm() const { return tcm_; }

  std::array<uint32_t, 16> &row(uint32_t index) { return acc_[index]; }

  static int32_t requantize(int32_t x, int32_t m, int shift);
  static int32_t requantize_once(int32_t x, int32_t m, int shift);

private:
  uint8_t read(uint32_t addr);
  void write(uint32_t addr, uint8_t value);
  void fault(uint32_t addr) {
    if (!fault_)
      fault_ = addr;
  }
  void load_weights(const MacIssue &m);
  void run(const MacIssue &m);
  void run_depthwise(const MacIssue &m);
  // A byte of the window `along` bytes and j rows from the pixel (x, y).
  int8_t window(const MacIssue &m, uint32_t x, uint32_t y, uint32_t along, uint32_t j);
  void load_table(const MacIssue &m);
  void drain(const MacIssue &m);

  std::vector<uint8_t> tcm_;
  struct Weights {
    std::array<std::array<int8_t, 16>, 32> at{};
    bool int4 = false;
  };
  Weights weights_, shadow_;
  std::array<std::array<uint32_t, 16>, 256> acc_{};
  std::array<uint32_t, 16> bias_{}, multiplier_{};
  std::array<int8_t, 16> shift_{};
  std::optional<uint32_t> fault_;
};

} // namespace npu::test
