// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "vector.h"

#include "isa.h"

#include <algorithm>
#include <cstring>

namespace npu {

namespace {

constexpr uint32_t kArithmetic = 0x2b, kMemory = 0x5b, kPermute = 0x7b;

constexpr uint32_t opcode(uint32_t word) { return word & 0x7f; }
constexpr unsigned funct3(uint32_t word) { return word >> 12 & 7; }
constexpr unsigned funct7(uint32_t word) { return word >> 25; }
constexpr unsigned operation(uint32_t word) { return word >> 27; }
// Bytes of an element, from the width field.
constexpr unsigned elementSize(uint32_t word) { return 1u << (word >> 25 & 3); }

uint64_t zeroExtended(const VectorValue &value, unsigned size, unsigned index) {
  uint64_t element = 0;
  std::memcpy(&element, &value[index * size], size);
  return element;
}

int64_t signExtend(uint64_t element, unsigned size) {
  const unsigned unused = 64 - 8 * size;
  return static_cast<int64_t>(element << unused) >> unused;
}

int64_t signExtended(const VectorValue &value, unsigned size, unsigned index) {
  return signExtend(zeroExtended(value, size, index), size);
}

void setElement(VectorValue &value, unsigned size, unsigned index, uint64_t element) {
  std::memcpy(&value[index * size], &element, size);
}

VectorValue broadcast(unsigned size, uint32_t scalar) {
  VectorValue value;
  for (unsigned i = 0; i < kVectorBytes / size; ++i)
    setElement(value, size, i, scalar);
  return value;
}

int64_t highest(unsigned width) { return (int64_t{1} << (width - 1)) - 1; }
int64_t lowest(unsigned width) { return -(int64_t{1} << (width - 1)); }

int64_t saturateSigned(int64_t value, unsigned width) {
  return std::clamp(value, lowest(width), highest(width));
}
int64_t saturateUnsigned(int64_t value, unsigned width) {
  return std::clamp(value, int64_t{0}, (int64_t{1} << width) - 1);
}

// Right shift that rounds half up.
int64_t shiftRounding(int64_t value, unsigned amount) {
  return amount == 0 ? value : (value >> amount) + (value >> (amount - 1) & 1);
}

// Division by 2^amount that rounds half away from zero.
int64_t divideByPot(int64_t value, unsigned amount) {
  const int64_t mask = (int64_t{1} << amount) - 1;
  const int64_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
  return (value >> amount) + ((value & mask) > threshold ? 1 : 0);
}

// Saturating rounding doubling high multiply of elements of this width.
int64_t doublingHigh(int64_t a, int64_t b, unsigned width) {
  if (a == b && a == lowest(width))
    return highest(width);
  const int64_t product = a * b, half = int64_t{1} << (width - 2);
  return (product + (product >= 0 ? half : 1 - half)) / (int64_t{1} << (width - 1));
}

struct Operands2 {
  int64_t sa, sb;
  uint64_t ua, ub;
};

uint64_t alu(unsigned op, unsigned width, const Operands2 &x) {
  const auto [sa, sb, ua, ub] = x;
  const auto zs = [](uint64_t value) { return static_cast<int64_t>(value); };
  const unsigned amount = static_cast<unsigned>(ub % width);
  switch (op) {
  case 0: return ua + ub;
  case 1: return ua - ub;
  case 2: return ub - ua;
  case 3: return static_cast<uint64_t>(saturateSigned(sa + sb, width));
  case 4: return static_cast<uint64_t>(saturateUnsigned(zs(ua + ub), width));
  case 5: return static_cast<uint64_t>(saturateSigned(sa - sb, width));
  case 6: return static_cast<uint64_t>(saturateUnsigned(zs(ua) - zs(ub), width));
  case 7: return static_cast<uint64_t>((sa + sb + 1) >> 1);
  case 8: return (ua + ub + 1) >> 1;
  case 9: return static_cast<uint64_t>(std::min(sa, sb));
  case 10: return std::min(ua, ub);
  case 11: return static_cast<uint64_t>(std::max(sa, sb));
  case 12: return std::max(ua, ub);
  case 13: return static_cast<uint64_t>(sa > sb ? sa - sb : sb - sa);
  case 14: return ua > ub ? ua - ub : ub - ua;
  case 15: return ua & ub;
  case 16: return ua | ub;
  case 17: return ua ^ ub;
  case 18: return ua << amount;
  case 19: return ua >> amount;
  case 20: return static_cast<uint64_t>(sa >> amount);
  case 21: return static_cast<uint64_t>(shiftRounding(zs(ua), amount));
  case 22: return static_cast<uint64_t>(shiftRounding(sa, amount));
  case 23: return static_cast<uint64_t>(saturateSigned(sa * (int64_t{1} << amount), width));
  default: return static_cast<uint64_t>(divideByPot(sa, amount));
  }
}

bool compare(unsigned op, const Operands2 &x) {
  switch (op) {
  case 0: return x.ua == x.ub;
  case 1: return x.ua != x.ub;
  case 2: return x.sa < x.sb;
  case 3: return x.ua < x.ub;
  case 4: return x.sa <= x.sb;
  case 5: return x.ua <= x.ub;
  case 6: return x.sa > x.sb;
  case 7: return x.ua > x.ub;
  case 8: return x.sa >= x.sb;
  default: return x.ua >= x.ub;
  }
}

VectorValue multiply(unsigned op, unsigned size, const VectorValue &a, const VectorValue &b,
                     const VectorValue &d) {
  const unsigned width = 8 * size, lanes = kVectorBytes / size;
  VectorValue result = d;
  if (op <= 5) {
    for (unsigned i = 0; i < lanes; ++i) {
      const int64_t sa = signExtended(a, size, i), sb = signExtended(b, size, i);
      const uint64_t ua = zeroExtended(a, size, i), ub = zeroExtended(b, size, i);
      const uint64_t old = zeroExtended(d, size, i);
      uint64_t r;
      switch (op) {
      case 0: r = ua * ub; break;
      case 1: r = static_cast<uint64_t>(sa * sb >> width); break;
      case 2: r = ua * ub >> width; break;
      case 3: r = static_cast<uint64_t>(doublingHigh(sa, sb, width)); break;
      case 4: r = old + ua * ub; break;
      default: r = old - ua * ub; break;
      }
      setElement(result, size, i, r);
    }
    return result;
  }
  if (op <= 13) { // widening: pairs of lo and hi, signed and unsigned, without and with addend
    const unsigned first = op & 1 ? lanes / 2 : 0;
    const bool isUnsigned = (op - 6) >> 1 & 1, accumulate = op >= 10;
    for (unsigned i = 0; i < lanes / 2; ++i) {
      const uint64_t product =
          isUnsigned ? zeroExtended(a, size, first + i) * zeroExtended(b, size, first + i)
                     : static_cast<uint64_t>(signExtended(a, size, first + i) *
                                             signExtended(b, size, first + i));
      setElement(result, 2 * size, i,
                 product + (accumulate ? zeroExtended(d, 2 * size, i) : 0));
    }
    return result;
  }
  const unsigned group = 4 / size;
  for (unsigned word = 0; word < kVectorBytes / 4; ++word) {
    int64_t sum = signExtended(d, 4, word);
    for (unsigned i = word * group; i < (word + 1) * group; ++i) {
      const int64_t x = op == 14 ? signExtended(a, size, i)
                                 : static_cast<int64_t>(zeroExtended(a, size, i));
      const int64_t y = op == 15 ? static_cast<int64_t>(zeroExtended(b, size, i))
                                 : signExtended(b, size, i);
      sum += x * y;
    }
    setElement(result, 4, word, static_cast<uint64_t>(sum));
  }
  return result;
}

VectorValue unary(unsigned sub, unsigned size, const VectorValue &a) {
  VectorValue result{};
  const unsigned lanes = kVectorBytes / size;
  if (sub == 0) {
    for (unsigned i = 0; i < lanes; ++i) {
      const int64_t x = signExtended(a, size, i);
      setElement(result, size, i, static_cast<uint64_t>(x < 0 ? -x : x));
    }
  } else if (sub == 1) {
    for (unsigned i = 0; i < kVectorBytes; ++i)
      result[i] = static_cast<uint8_t>(~a[i]);
  } else {
    const bool quarter = sub >= 8, isUnsigned = quarter ? sub >= 12 : sub >= 6;
    const unsigned to = quarter ? 4 : 2 * size, count = kVectorBytes / to;
    const unsigned first = count * (quarter ? sub & 3 : sub & 1);
    for (unsigned i = 0; i < count; ++i)
      setElement(result, to, i,
                 isUnsigned ? zeroExtended(a, size, first + i)
                            : static_cast<uint64_t>(signExtended(a, size, first + i)));
  }
  return result;
}

VectorValue pack(unsigned op, unsigned size, const VectorValue &a, const VectorValue &b) {
  VectorValue result;
  const unsigned half = kVectorBytes / size / 2, width = 8 * size;
  for (unsigned i = 0; i < 2 * half; ++i) {
    const VectorValue &source = i < half ? a : b;
    const uint64_t u = zeroExtended(source, 2 * size, i % half);
    const int64_t s = signExtend(u, 2 * size);
    uint64_t r;
    switch (op) {
    case 0: r = u; break;
    case 1: r = static_cast<uint64_t>(saturateSigned(s, width)); break;
    case 2: r = static_cast<uint64_t>(saturateUnsigned(s, width)); break;
    default: r = static_cast<uint64_t>(saturateUnsigned(static_cast<int64_t>(u), width)); break;
    }
    setElement(result, size, i, r);
  }
  return result;
}

uint32_t reduce(unsigned op, unsigned size, const VectorValue &a) {
  uint64_t u = zeroExtended(a, size, 0);
  int64_t s = signExtended(a, size, 0);
  for (unsigned i = 1; i < kVectorBytes / size; ++i) {
    const uint64_t ui = zeroExtended(a, size, i);
    const int64_t si = signExtended(a, size, i);
    switch (op) {
    case 0: s += si; break;
    case 1: u += ui; break;
    case 2: s = std::min(s, si); break;
    case 3: u = std::min(u, ui); break;
    case 4: s = std::max(s, si); break;
    case 5: u = std::max(u, ui); break;
    case 6: s &= si; break;
    case 7: s |= si; break;
    default: s ^= si; break;
    }
  }
  const bool isUnsigned = op == 1 || op == 3 || op == 5;
  return isUnsigned ? static_cast<uint32_t>(u) : static_cast<uint32_t>(s);
}

VectorValue permute(unsigned op, unsigned widthField, const VectorValue &a, const VectorValue &b,
                    const VectorValue &d) {
  VectorValue result{};
  if (op == 4 || op == 5) {
    const unsigned quarter = op == 4 ? 0 : widthField;
    for (unsigned i = 0; i < kVectorBytes; ++i)
      result[i] = a[i] >> 6 == quarter ? b[a[i] & 63] : op == 4 ? uint8_t{0} : d[i];
    return result;
  }
  const unsigned size = 1u << widthField, half = kVectorBytes / size / 2;
  for (unsigned i = 0; i < half; ++i) {
    if (op < 2) {
      const unsigned from = i + op * half;
      setElement(result, size, 2 * i, zeroExtended(a, size, from));
      setElement(result, size, 2 * i + 1, zeroExtended(b, size, from));
    } else {
      const unsigned from = 2 * i + (op & 1);
      setElement(result, size, i, zeroExtended(a, size, from));
      setElement(result, size, i + half, zeroExtended(b, size, from));
    }
  }
  return result;
}

VectorValue slide(unsigned op, uint32_t n, const VectorValue &a, const VectorValue &d) {
  VectorValue result{};
  for (unsigned i = 0; i < kVectorBytes; ++i) {
    if (op == 0)
      result[i] = n < kVectorBytes - i ? a[i + n] : 0;
    else if (op == 1)
      result[i] = n <= i ? a[i - n] : 0;
    else if (const unsigned from = i + n % kVectorBytes; from < kVectorBytes)
      result[i] = d[from];
    else
      result[i] = a[from - kVectorBytes];
  }
  return result;
}

} // namespace

std::optional<VectorAccess> VectorUnit::access(uint32_t word, uint32_t x1, uint32_t x2,
                                               uint32_t stride) const {
  if (opcode(word) != kMemory || funct3(word) == 7)
    return {};
  using Conversion = VectorAccess::Conversion;
  VectorAccess access;
  access.vector = rdField(word);
  access.address = x1;
  const unsigned form = funct3(word);
  if (form < 2) { // 64 bytes at an offset
    access.store = form == 1;
    access.address += static_cast<uint32_t>(immediate(word, form == 1 ? Format::S : Format::I));
    access.vector = form == 1 ? rs2Field(word) : rdField(word);
    access.lanes = ~uint64_t{0};
    return access;
  }
  access.strided = form == 4;
  access.store = form == 3 || form == 6 || (form == 4 && funct7(word) >= 16);
  const unsigned type = funct7(word) & 15, group = type >> 2, kind = type & 3;
  if (group == 0) {
    access.memorySize = access.registerSize = 1u << kind;
  } else {
    access.memorySize = kind == 2 ? 2 : 1;
    access.registerSize = kind == 0 ? 2 : 4;
    if (access.store)
      access.conversion = group == 1   ? Conversion::Low
                          : group == 2 ? Conversion::SaturateSigned
                                       : Conversion::SaturateUnsigned;
    else
      access.conversion = group == 1 ? Conversion::SignExtend : Conversion::ZeroExtend;
  }
  access.stride = access.strided ? stride : access.memorySize;
  const unsigned lanes = kVectorBytes / access.registerSize;
  const uint64_t all = ~uint64_t{0} >> (64 - lanes);
  if (form == 5 || form == 6) {
    const VectorValue &mask = regs[rs2Field(word)];
    for (unsigned i = 0; i < lanes; ++i)
      if (signExtended(mask, access.registerSize, i) < 0)
        access.lanes |= uint64_t{1} << i;
  } else if (rs2Field(word) == 0 || x2 >= lanes) {
    access.lanes = all;
  } else {
    access.lanes = (uint64_t{1} << x2) - 1;
  }
  return access;
}

void VectorUnit::storeLane(const VectorAccess &access, unsigned lane, uint8_t *memory) const {
  using Conversion = VectorAccess::Conversion;
  const uint64_t low = zeroExtended(regs[access.vector], access.registerSize, lane);
  const int64_t value = signExtend(low, access.registerSize);
  uint64_t stored = low;
  if (access.conversion == Conversion::SaturateSigned)
    stored = static_cast<uint64_t>(saturateSigned(value, 8 * access.memorySize));
  else if (access.conversion == Conversion::SaturateUnsigned)
    stored = static_cast<uint64_t>(saturateUnsigned(value, 8 * access.memorySize));
  std::memcpy(memory, &stored, access.memorySize);
}

void VectorUnit::loadLane(const VectorAccess &access, unsigned lane, const uint8_t *memory,
                          VectorValue &result) {
  uint64_t value = 0;
  std::memcpy(&value, memory, access.memorySize);
  if (access.conversion == VectorAccess::Conversion::SignExtend)
    value = static_cast<uint64_t>(signExtend(value, access.memorySize));
  setElement(result, access.registerSize, lane, value);
}

uint32_t VectorUnit::execute(uint32_t word, uint32_t x1, uint32_t x2, uint32_t outQuant,
                             MatrixUnit &matrix) {
  const unsigned form = funct3(word), op = operation(word), size = elementSize(word);
  const VectorValue &a = regs[rs1Field(word)];
  VectorValue &d = regs[rdField(word)];

  if (opcode(word) == kArithmetic) {
    if (form == 6) {
      d = unary(rs2Field(word), size, a);
      return 0;
    }
    const VectorValue b = form < 6 && form % 2 != 0 ? broadcast(size, x2) : regs[rs2Field(word)];
    const unsigned lanes = kVectorBytes / size;
    if (form == 7 && op == 4) { // sel
      for (unsigned i = 0; i < kVectorBytes; ++i)
        d[i] = static_cast<uint8_t>((d[i] & a[i]) | (~d[i] & b[i]));
    } else if (form == 7 && op == 5) { // lanes
      for (unsigned i = 0; i < lanes; ++i)
        setElement(d, size, i, uint64_t{x1} + i < x2 ? ~uint64_t{0} : 0);
    } else if (form == 7) {
      d = pack(op, size, a, b);
    } else if (form == 2 || form == 3) {
      d = multiply(op, size, a, b, d);
    } else {
      VectorValue result;
      for (unsigned i = 0; i < lanes; ++i) {
        const Operands2 x{signExtended(a, size, i), signExtended(b, size, i),
                          zeroExtended(a, size, i), zeroExtended(b, size, i)};
        setElement(result, size, i,
                   form < 2 ? alu(op, 8 * size, x) : compare(op, x) ? ~uint64_t{0} : 0);
      }
      d = result;
    }
    return 0;
  }

  if (opcode(word) == kMemory) { // moves, by the whole of funct7
    const unsigned lanes = kVectorBytes / size, index = x2 % lanes;
    switch (funct7(word) >> 2) {
    case 0: d = broadcast(size, x1); break;
    case 1: setElement(d, size, index, x1); break;
    case 2: return static_cast<uint32_t>(signExtended(a, size, index));
    case 3: return static_cast<uint32_t>(zeroExtended(a, size, index));
    case 4:
      for (unsigned n = 0; n < MatrixUnit::kCols; ++n) {
        if (funct7(word) == 16)
          setElement(d, 4, n, static_cast<uint32_t>(matrix.accumulator(x1 % 256, n)));
        else
          matrix.setAccumulator(x2 % 256, n, static_cast<int32_t>(signExtended(a, 4, n)));
      }
      break;
    default:
      for (unsigned i = 0; i < lanes; ++i)
        setElement(d, size, i, i);
    }
    return 0;
  }

  switch (form) {
  case 0:
  case 1:
    for (unsigned i = 0; i < kVectorBytes / 4; ++i) {
      const uint32_t m = form == 1 ? x1 : static_cast<uint32_t>(zeroExtended(a, 4, i));
      const uint32_t h =
          form == 1 ? x2 : static_cast<uint32_t>(zeroExtended(regs[rs2Field(word)], 4, i));
      const auto x = static_cast<int32_t>(signExtended(d, 4, i));
      int32_t r = requantize(x, static_cast<int32_t>(m), static_cast<int8_t>(h));
      if (funct7(word) == 1)
        r = clampOutput(r, outQuant);
      setElement(d, 4, i, static_cast<uint32_t>(r));
    }
    return 0;
  case 2:
    return reduce(op, size, a);
  case 3:
    d = permute(op, word >> 25 & 3, a, regs[rs2Field(word)], d);
    return 0;
  default:
    d = slide(funct7(word), x2, a, d);
    return 0;
  }
}

} // namespace npu
