// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matrix.h"

#include <algorithm>
#include <cstring>

// The inner loops are compiled twice, and the wider one is chosen where the host has it.
#if defined(__x86_64__)
#define NPU_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define NPU_VECTOR_CLONES
#endif

namespace npu {

namespace {

constexpr uint32_t field(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((1u << (high - low + 1)) - 1);
}

// TCM as the matrix unit sees it: bytes outside read 0 or are dropped, and the first such
// address is kept.
class TcmAccess {
public:
  TcmAccess(Region &tcm, AccessLog *log) : tcm_(tcm), log_(log) {}

  void read(uint32_t address, void *out, uint32_t bytes) {
    if (tcm_.contains(address, bytes)) {
      std::memcpy(out, tcm_.at(address), bytes);
      note(&AccessLog::reads, address, bytes);
      return;
    }
    for (uint32_t i = 0; i < bytes; ++i) {
      const bool inside = tcm_.contains(address + i);
      static_cast<uint8_t *>(out)[i] = inside ? *tcm_.at(address + i) : 0;
      inside ? note(&AccessLog::reads, address + i, 1) : noteFault(address + i);
    }
  }

  void write(uint32_t address, const void *in, uint32_t bytes) {
    if (tcm_.contains(address, bytes)) {
      std::memcpy(tcm_.at(address), in, bytes);
      note(&AccessLog::writes, address, bytes);
      return;
    }
    for (uint32_t i = 0; i < bytes; ++i) {
      if (!tcm_.contains(address + i)) {
        noteFault(address + i);
        continue;
      }
      *tcm_.at(address + i) = static_cast<const uint8_t *>(in)[i];
      note(&AccessLog::writes, address + i, 1);
    }
  }

  std::optional<uint32_t> fault() const { return fault_; }

private:
  void note(std::vector<ByteRange> AccessLog::*ranges, uint32_t address, uint32_t bytes) {
    if (log_ && bytes != 0)
      AccessLog::append(log_->*ranges, address, bytes);
  }
  void noteFault(uint32_t address) {
    if (!fault_)
      fault_ = address;
  }

  Region &tcm_;
  AccessLog *const log_;
  std::optional<uint32_t> fault_;
};

// Position of a byte of the window: column in bytes and line, 16 bits each.
struct Position {
  uint16_t column, line;
  Position operator+(Position other) const {
    return {static_cast<uint16_t>(column + other.column),
            static_cast<uint16_t>(line + other.line)};
  }
  Position operator*(uint32_t n) const {
    return {static_cast<uint16_t>(column * n), static_cast<uint16_t>(line * n)};
  }
};

constexpr Position unpack(uint32_t csr) {
  return {static_cast<uint16_t>(csr), static_cast<uint16_t>(csr >> 16)};
}

// Reads pieces of a window; bytes outside the valid region have the pad value.
class WindowReader {
public:
  WindowReader(TcmAccess &access, const MatrixParams &params)
      : access_(access), width_(static_cast<int>(params.valid & 0x7fff)),
        height_(static_cast<int>(params.valid >> 16 & 0x7fff)),
        lineStep_(static_cast<uint16_t>(params.pad >> 8 & 0xff)),
        value_(static_cast<int8_t>(params.pad)) {}

  uint16_t lineStep() const { return lineStep_; }

  void read(uint32_t address, Position at, int8_t *out, uint32_t bytes) {
    if (width_ == 0) {
      access_.read(address, out, bytes);
      return;
    }
    const int column = static_cast<int16_t>(at.column), line = static_cast<int16_t>(at.line);
    const int size = static_cast<int>(bytes);
    const bool visible = line >= 0 && line < height_;
    const int begin = visible ? std::clamp(-column, 0, size) : size;
    const int end = visible ? std::clamp(width_ - column, begin, size) : size;
    std::fill(out, out + begin, value_);
    access_.read(address + static_cast<uint32_t>(begin), out + begin,
                 static_cast<uint32_t>(end - begin));
    std::fill(out + end, out + size, value_);
  }

private:
  TcmAccess &access_;
  const int width_, height_;
  const uint16_t lineStep_;
  const int8_t value_;
};

// Offset of pixel p: x advances first, y after every xCount pixels.
uint32_t pixelOffset(uint32_t p, uint32_t xCount, uint32_t xStride, uint32_t yStride) {
  const uint32_t y = xCount ? p / xCount : 0;
  const uint32_t x = xCount ? p % xCount : p;
  return x * xStride + y * yStride;
}

Position pixelPosition(uint32_t p, const MatrixParams &params) {
  const uint32_t y = params.xCount ? p / params.xCount : 0;
  const uint32_t x = params.xCount ? p % params.xCount : p;
  return unpack(params.position) + unpack(params.xStep) * x + unpack(params.yStep) * y;
}

NPU_VECTOR_CLONES
void multiplyAccumulate(int32_t *__restrict acc, const int32_t (*__restrict weights)[16],
                        const int8_t *__restrict activation, unsigned k, bool accumulate) {
  // Unsigned, because accumulators wrap.
  uint32_t sum[16];
  for (unsigned n = 0; n < 16; ++n)
    sum[n] = accumulate ? static_cast<uint32_t>(acc[n]) : 0;
  for (unsigned i = 0; i < k; ++i) {
    const uint32_t a = static_cast<uint32_t>(static_cast<int32_t>(activation[i]));
    for (unsigned n = 0; n < 16; ++n)
      sum[n] += a * static_cast<uint32_t>(weights[i][n]);
  }
  for (unsigned n = 0; n < 16; ++n)
    acc[n] = static_cast<int32_t>(sum[n]);
}

int32_t saturatingDoublingHighMultiply(int32_t a, int32_t b) {
  if (a == b && a == INT32_MIN)
    return INT32_MAX;
  const int64_t ab = int64_t{a} * b;
  return static_cast<int32_t>((ab + (ab >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30))) /
                              (int64_t{1} << 31));
}

int32_t roundingDivideByPowerOfTwo(int32_t u, int right) {
  const int32_t mask = static_cast<int32_t>((int64_t{1} << right) - 1);
  const int32_t remainder = u & mask;
  const int32_t threshold = (mask >> 1) + (u < 0 ? 1 : 0);
  return (u >> right) + (remainder > threshold ? 1 : 0);
}

// The two directions of a shift count.
struct Shifts {
  explicit Shifts(int shift)
      : left(std::clamp(shift, 0, 31)), right(std::clamp(-shift, 0, 31)) {}
  int32_t scale(int32_t x) const {
    return static_cast<int32_t>(static_cast<uint32_t>(x) << left);
  }
  const int left, right;
};

int32_t wrappingAdd(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

} // namespace

void AccessLog::append(std::vector<ByteRange> &ranges, uint32_t begin, uint32_t size) {
  if (!ranges.empty() && ranges.back().begin + ranges.back().size == begin)
    ranges.back().size += size;
  else
    ranges.push_back({begin, size});
}

int32_t requantize(int32_t x, int32_t multiplier, int shift) {
  const Shifts shifts(shift);
  return roundingDivideByPowerOfTwo(
      saturatingDoublingHighMultiply(shifts.scale(x), multiplier), shifts.right);
}

int32_t requantizeOnce(int32_t x, int32_t multiplier, int shift) {
  const Shifts shifts(shift);
  const int64_t product = int64_t{shifts.scale(x)} * multiplier;
  const int64_t half = int64_t{1} << (30 + shifts.right);
  return static_cast<int32_t>((product + half - (product < 0 ? 1 : 0)) >> (31 + shifts.right));
}

int32_t clampOutput(int32_t value, uint32_t outQuant) {
  const int32_t zeroPoint = static_cast<int8_t>(outQuant);
  const int32_t minimum = static_cast<int8_t>(outQuant >> 8);
  const int32_t maximum = static_cast<int8_t>(outQuant >> 16);
  return std::min(std::max(wrappingAdd(value, zeroPoint), minimum), maximum);
}

std::optional<uint32_t> MatrixUnit::loadWeights(Region &tcm, uint32_t rs1, uint32_t rs2,
                                                AccessLog *log) {
  const uint32_t rows = field(rs2, 5, 0);
  const bool int4 = field(rs2, 8, 8);
  if ((rs2 & ~0x13fu) != 0 || rows > (int4 ? 2 * kRows : kRows) || rs1 % 4 != 0)
    return rs1;
  TcmAccess access(tcm, log);
  shadow_ = {};
  shadow_.int4 = int4;
  for (unsigned k = 0; k < rows; ++k) {
    int8_t row[kCols];
    if (int4) {
      access.read(rs1 + kCols / 2 * k, row, kCols / 2);
      for (unsigned n = 0; n < kCols; ++n) {
        const uint32_t nibble = static_cast<uint8_t>(row[n / 2]) >> 4 * (n % 2) & 15;
        shadow_.at[k][n] = static_cast<int32_t>(nibble ^ 8) - 8;
      }
    } else {
      access.read(rs1 + kCols * k, row, kCols);
      std::copy(std::begin(row), std::end(row), shadow_.at[k]);
    }
  }
  return access.fault();
}

std::optional<uint32_t> MatrixUnit::run(Region &tcm, const MatrixParams &params, uint32_t rs1,
                                        uint32_t rs2, AccessLog *log) {
  const uint32_t row = field(rs2, 7, 0), count = field(rs2, 16, 8), k = field(rs2, 22, 17);
  const uint32_t first = field(rs2, 28, 23);
  const bool accumulate = field(rs2, 29, 29), swap = field(rs2, 30, 30);
  if (rs2 >> 31 != 0 || row + count > kAccRows ||
      k > (weightsOf(swap).int4 ? 2 * kRows : kRows))
    return rs1;

  // Bytes of the first window row, and how many further rows the vector needs.
  const uint32_t firstBytes = first == 0 || first > k ? k : first;
  const uint32_t rest = k - firstBytes;
  if (rest != 0 && (params.rowLen == 0 || rest > 3 * params.rowLen))
    return rs1;

  if (swap)
    weights_ = shadow_;
  TcmAccess access(tcm, log);
  if (log)
    log->rowWrites.push_back({row, count});
  WindowReader window(access, params);
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t pixel = rs1 + pixelOffset(p, params.xCount, params.xStride, params.yStride);
    const Position at = pixelPosition(p, params);
    int8_t activation[2 * kRows];
    window.read(pixel, at, activation, firstBytes);
    uint32_t filled = firstBytes;
    for (uint32_t j = 1; filled < k; ++j) {
      const uint32_t bytes = std::min(params.rowLen, k - filled);
      const uint32_t back = firstBytes - params.rowLen; // of the row's start from the pixel
      window.read(pixel + back + j * params.rowStride,
                  at + Position{static_cast<uint16_t>(back),
                                static_cast<uint16_t>(j * window.lineStep())},
                  activation + filled, bytes);
      filled += bytes;
    }
    multiplyAccumulate(acc_[row + p], weights_.at, activation, k, accumulate);
  }
  macs_ += uint64_t{count} * k * kCols;
  return access.fault();
}

std::optional<uint32_t> MatrixUnit::runDepthwise(Region &tcm, const MatrixParams &params,
                                                 uint32_t rs1, uint32_t rs2, AccessLog *log) {
  const uint32_t row = field(rs2, 7, 0), count = field(rs2, 16, 8);
  const uint32_t width = field(rs2, 21, 17), height = field(rs2, 26, 22);
  const bool accumulate = field(rs2, 29, 29), swap = field(rs2, 30, 30);
  const bool taps = width != 0 && height != 0 && width * height <= kRows;
  if ((rs2 & 0x98000000) != 0 || row + count > kAccRows || !taps || weightsOf(swap).int4)
    return rs1;

  if (swap)
    weights_ = shadow_;
  TcmAccess access(tcm, log);
  if (log)
    log->rowWrites.push_back({row, count});
  WindowReader window(access, params);
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t pixel = rs1 + pixelOffset(p, params.xCount, params.xStride, params.yStride);
    const Position at = pixelPosition(p, params);
    int32_t *acc = acc_[row + p];
    if (!accumulate)
      std::fill(acc, acc + kCols, 0);
    for (uint32_t i = 0; i < width; ++i) {
      for (uint32_t j = 0; j < height; ++j) {
        int8_t tap[kCols];
        window.read(pixel + i * params.tapStride + j * params.rowStride,
                    at + Position{static_cast<uint16_t>(i * params.tapStride),
                                  static_cast<uint16_t>(j * window.lineStep())},
                    tap, kCols);
        for (unsigned n = 0; n < kCols; ++n)
          acc[n] = wrappingAdd(acc[n], tap[n] * weights_.at[j * width + i][n]);
      }
    }
  }
  macs_ += uint64_t{count} * width * height * kCols;
  return access.fault();
}

std::optional<uint32_t> MatrixUnit::loadQuant(Region &tcm, uint32_t rs1, AccessLog *log) {
  if (rs1 % 4 != 0)
    return rs1;
  TcmAccess access(tcm, log);
  access.read(rs1, bias_, sizeof bias_);
  access.read(rs1 + sizeof bias_, multiplier_, sizeof multiplier_);
  access.read(rs1 + sizeof bias_ + sizeof multiplier_, shift_, sizeof shift_);
  return access.fault();
}

std::optional<uint32_t> MatrixUnit::drain(Region &tcm, const MatrixParams &params, uint32_t rs1,
                                          uint32_t rs2, AccessLog *log) {
  const uint32_t row = field(rs2, 7, 0), count = field(rs2, 16, 8), channels = field(rs2, 21, 17);
  const bool raw = field(rs2, 22, 22), once = field(rs2, 23, 23);
  if (rs2 >> 24 != 0 || (raw && once) || row + count > kAccRows || channels > kCols)
    return rs1;

  TcmAccess access(tcm, log);
  if (log)
    log->rowReads.push_back({row, count});
  for (uint32_t p = 0; p < count; ++p) {
    const uint32_t pixel =
        rs1 + pixelOffset(p, params.xCount, params.outXStride, params.outYStride);
    const int32_t *acc = acc_[row + p];
    if (raw) {
      access.write(pixel, acc, 4 * channels);
      continue;
    }
    int8_t out[kCols];
    for (unsigned n = 0; n < channels; ++n) {
      const int32_t sum = wrappingAdd(acc[n], bias_[n]);
      const int32_t scaled = once ? requantizeOnce(sum, multiplier_[n], shift_[n])
                                  : requantize(sum, multiplier_[n], shift_[n]);
      out[n] = static_cast<int8_t>(clampOutput(scaled, params.outQuant));
    }
    access.write(pixel, out, channels);
  }
  return access.fault();
}

} // namespace npu
