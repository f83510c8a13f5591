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
  uint32_t rows = m.rs2;
  if (rows > 16 || m.rs1 % 4 != 0)
    return fault(m.rs1);
  for (uint32_t k = 0; k < 16; k++)
    for (uint32_t n = 0; n < 16; n++)
      shadow_[k][n] = k < rows ? int8_t(read(m.rs1 + 16 * k + n)) : int8_t(0);
}

void MatrixReference::run(const MacIssue &m) {
  uint32_t row = m.rs2 & 0xff, count = (m.rs2 >> 8) & 0x1ff, length = (m.rs2 >> 17) & 0x3f;
  uint32_t first = (m.rs2 >> 23) & 0x3f;
  bool acc = (m.rs2 >> 29) & 1, swap = (m.rs2 >> 30) & 1;
  if ((m.rs2 >> 31) || count > 256 || row + count > 256 || length > 16)
    return fault(m.rs1);
  if (first == 0 || first > length)
    first = length;
  if (first < length && (m.rowlen == 0 || (length - first + m.rowlen - 1u) / m.rowlen > 3))
    return fault(m.rs1);
  if (swap)
    weights_ = shadow_;
  for (uint32_t p = 0; p < count; p++) {
    uint32_t y = m.xcount ? p / m.xcount : 0, x = m.xcount ? p % m.xcount : p;
    uint32_t pixel = m.rs1 + x * m.xstride + y * m.ystride;
    std::array<int8_t, 16> a{};
    for (uint32_t k = 0; k < length; k++) {
      uint32_t addr = pixel + k;
      if (k >= first) {
        uint32_t j = 1 + (k - first) / m.rowlen, w = (k - first) % m.rowlen;
        addr = pixel + first - m.rowlen + j * m.rowstride + w;
      }
      a[k] = int8_t(read(addr));
    }
    for (uint32_t n = 0; n < 16; n++) {
      uint32_t sum = acc ? acc_[row + p][n] : 0;
      for (uint32_t k = 0; k < length; k++)
        sum += uint32_t(int32_t(a[k]) * weights_[k][n]);
      acc_[row + p][n] = sum;
    }
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

void MatrixReference::drain(const MacIssue &m) {
  uint32_t row = m.rs2 & 0xff, count = (m.rs2 >> 8) & 0x1ff, channels = (m.rs2 >> 17) & 0x1f;
  bool raw = (m.rs2 >> 22) & 1;
  if ((m.rs2 >> 23) || count > 256 || row + count > 256 || channels > 16)
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
      int32_t r = requantize(int32_t(value + bias_[n]), int32_t(multiplier_[n]), shift_[n]);
      r = int32_t(uint32_t(r) + uint32_t(int32_t(m.zero_point)));
      r = std::min(std::max(r, int32_t(m.clamp_min)), int32_t(m.clamp_max));
      write(pixel + n, uint8_t(r));
    }
  }
}

} // namespace npu::test
