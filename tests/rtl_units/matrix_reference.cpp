// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matrix_reference.h"

#include <algorithm>
#include <limits>

namespace npu::test {

uint8_t MatrixReference::read(uint32_t addr) {
  if (addr - kTcmBase < kTcmSize)
    return tcm_[addr - kTcmBase];
  fault(addr);
  return 0;
}

void MatrixReference::write(uint32_t addr, uint8_t value) {
  if (addr - kTcmBase < kTcmSize)
    tcm_[addr - kTcmBase] = value;
  else
    fault(addr);
}

std::optional<uint32_t> MatrixReference::execute(const MacIssue &m) {
  fault_.reset();
  switch (m.op) {
  case MacOp::Ldw:
    load_weights(m);
    break;
  case MacOp::Run:
    run(m);
    break;
  case MacOp::Dw:
    run_depthwise(m);
    break;
  case MacOp::Ldq:
    load_table(m);
    break;
  case MacOp::Drain:
    drain(m);
    break;
  }
  return fault_;
}

void MatrixReference::load_weights(const MacIssue &m) {
  bool int4 = m.rs2 & 0x100;
  uint32_t rows = m.rs2 & 0x3f;
  if ((m.rs2 & 0xfffffec0) || rows > (int4 ? 32 : 16) || m.rs1 % 4 != 0)
    return fault(m.rs1);
  shadow_ = {};
  shadow_.int4 = int4;
  for (uint32_t k = 0; k < rows; k++)
    for (uint32_t n = 0; n < 16; n++) {
      if (!int4) {
        shadow_.at[k][n] = int8_t(read(m.rs1 + 16 * k + n));
        continue;
      }
      int nibble = read(m.rs1 + 8 * k + n / 2) >> (n % 2 ? 4 : 0) & 15;
      shadow_.at[k][n] = int8_t(nibble > 7 ? nibble - 16 : nibble);
    }
}

int8_t MatrixReference::window(const MacIssue &m, uint32_t x, uint32_t y, uint32_t along,
                               uint32_t j) {
  auto coordinate = [&](int16_t first, int16_t xstep, int16_t ystep, uint32_t more) {
    return int16_t(uint32_t(first) + x * uint32_t(xstep) + y * uint32_t(ystep) + more);
  };
  int16_t column = coordinate(m.column, m.xstep_column, m.ystep_column, along);
  int16_t line = coordinate(m.line, m.xstep_line, m.ystep_line, j * m.line_step);
  if (m.valid_bytes &&
      (column < 0 || column >= m.valid_bytes || line < 0 || line >= m.valid_lines))
    return m.pad_value;
  return int8_t(read(m.rs1 + x * m.xstride + y * m.ystride + along + j * m.rowstride));
}

void MatrixReference::run(const MacIssue &m) {
  uint32_t row = m.rs2 & 0xff, count = (m.rs2 >> 8) & 0x1ff, length = (m.rs2 >> 17) & 0x3f;
  uint32_t first = (m.rs2 >> 23) & 0x3f;
  bool acc = (m.rs2 >> 29) & 1, swap = (m.rs2 >> 30) & 1;
  if ((m.rs2 >> 31) || count > 256 || row + count > 256 ||
      length > ((swap ? shadow_ : weights_).int4 ? 32 : 16))
    return fault(m.rs1);
  if (first == 0 || first > length)
    first = length;
  if (first < length && (m.rowlen == 0 || (length - first + m.rowlen - 1u) / m.rowlen > 3))
    return fault(m.rs1);
  if (swap)
    weights_ = shadow_;
  for (uint32_t p = 0; p < count; p++) {
    uint32_t y = m.xcount ? p / m.xcount : 0, x = m.xcount ? p % m.xcount : p;
    std::array<int8_t, 32> a{};
    for (uint32_t k = 0; k < length; k++) {
      uint32_t j = k < first ? 0 : 1 + (k - first) / m.rowlen;
      uint32_t along = k < first ? k : first - m.rowlen + (k - first) % m.rowlen;
      a[k] = window(m, x, y, along, j);
    }
    for (uint32_t n = 0; n < 16; n++) {
      uint32_t sum = acc ? acc_[row + p][n] : 0;
      for (uint32_t k = 0; k < length; k++)
        sum += uint32_t(int32_t(a[k]) * weights_.at[k][n]);
      acc_[row + p][n] = sum;
    }
  }
}

void MatrixReference::run_depthwise(const MacIssue &m) {
  uint32_t row = m.rs2 & 0xff, count = (m.rs2 >> 8) & 0x1ff;
  uint32_t kw = (m.rs2 >> 17) & 0x1f, kh = (m.rs2 >> 22) & 0x1f;
  bool acc = (m.rs2 >> 29) & 1, swap = (m.rs2 >> 30) & 1;
  if ((m.rs2 >> 31) || (m.rs2 >> 27 & 3) || count > 256 || row + count > 256 || kw * kh == 0 ||
      kw * kh > 16 || (swap ? shadow_ : weights_).int4)
    return fault(m.rs1);
  if (swap)
    weights_ = shadow_;
  for (uint32_t p = 0; p < count; p++) {
    uint32_t y = m.xcount ? p / m.xcount : 0, x = m.xcount ? p % m.xcount : p;
    std::array<uint32_t, 16> sum{};
    for (uint32_t i = 0; i < kw; i++)
      for (uint32_t j = 0; j < kh; j++)
        for (uint32_t n = 0; n < 16; n++)
          sum[n] += uint32_t(window(m, x, y, i * m.tapstride + n, j) *
                             weights_.at[j * kw + i][n]);
    for (uint32_t n = 0; n < 16; n++)
      acc_[row + p][n] = sum[n] + (acc ? acc_[row + p][n] : 0);
  }
}

void MatrixReference::load_table(const MacIssue &m) {
  if (m.rs1 % 4 != 0)
    return fault(m.rs1);
  auto word = [&](uint32_t addr) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 4; i++)
      value |= uint32_t(read(addr + i)) << (8 * i);
    return value;
  };
  for (uint32_t n = 0; n < 16; n++)
    bias_[n] = word(m.rs1 + 4 * n);
  for (uint32_t n = 0; n < 16; n++)
    multiplier_[n] = word(m.rs1 + 64 + 4 * n);
  for (uint32_t n = 0; n < 16; n++)
    shift_[n] = int8_t(read(m.rs1 + 128 + n));
}

int32_t MatrixReference::requantize(int32_t x, int32_t m, int shift) {
  shift = std::clamp(shift, -31, 31);
  int left = std::max(shift, 0), right = std::max(-shift, 0);
  int32_t t = int32_t(uint32_t(x) << left);
  int32_t u = std::numeric_limits<int32_t>::max();
  if (t != std::numeric_limits<int32_t>::min() || m != t) {
    int64_t ab = int64_t(t) * m;
    u = int32_t((ab + (ab >= 0 ? int64_t(1) << 30 : 1 - (int64_t(1) << 30))) / (int64_t(1) << 31));
  }
  int32_t mask = int32_t((uint32_t(1) << right) - 1), rem = u & mask;
  int32_t threshold = (mask >> 1) + (u < 0 ? 1 : 0);
  return (u >> right) + (rem > threshold ? 1 : 0);
}

// The magnitude rounded, halves up.
int32_t MatrixReference::requantize_once(int32_t x, int32_t m, int shift) {
  shift = std::clamp(shift, -31, 31);
  int32_t t = int32_t(uint32_t(x) << std::max(shift, 0));
  int64_t product = int64_t(t) * m;
  uint64_t magnitude = product < 0 ? uint64_t(-product) : uint64_t(product);
  int total = 31 + std::max(-shift, 0);
  uint64_t rounded = (magnitude >> total) + (magnitude >> (total - 1) & 1);
  return int32_t(uint32_t(product < 0 ? uint64_t(0) - rounded : rounded));
}

void MatrixReference::drain(const MacIssue &m) {
  uint32_t row = m.rs2 & 0xff, count = (m.rs2 >> 8) & 0x1ff, channels = (m.rs2 >> 17) & 0x1f;
  bool raw = (m.rs2 >> 22) & 1, once = (m.rs2 >> 23) & 1;
  if ((m.rs2 >> 24) || (raw && once) || count > 256 || row + count > 256 || channels > 16)
    return fault(m.rs1);
  for (uint32_t p = 0; p < count; p++) {
    uint32_t y = m.xcount ? p / m.xcount : 0, x = m.xcount ? p % m.xcount : p;
    uint32_t pixel = m.rs1 + x * m.oxstride + y * m.oystride;
    for (uint32_t n = 0; n < channels; n++) {
      uint32_t value = acc_[row + p][n];
      if (raw) {
        for (uint32_t i = 0; i < 4; i++)
          write(pixel + 4 * n + i, uint8_t(value >> (8 * i)));
        continue;
      }
      int32_t r = (once ? requantize_once : requantize)(int32_t(value + bias_[n]),
                                                        int32_t(multiplier_[n]), shift_[n]);
      r = int32_t(uint32_t(r) + uint32_t(int32_t(m.zero_point)));
      r = std::min(std::max(r, int32_t(m.clamp_min)), int32_t(m.clamp_max));
      write(pixel + n, uint8_t(r));
    }
  }
}

} // namespace npu::test
