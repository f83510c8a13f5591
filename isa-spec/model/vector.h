// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The vector unit (chapter 9 of the manual): registers and everything that does not touch memory.
// For loads and stores it says which bytes they access and converts between memory and lanes.

#pragma once

#include "generated/npu_platform.h"
#include "matrix.h"

#include <array>
#include <cstdint>
#include <optional>

namespace npu {

constexpr unsigned kVectorBytes = 64;
using VectorValue = std::array<uint8_t, kVectorBytes>;

// A load or store of lanes: lane i of the register, registerSize bytes wide, belongs to the
// memorySize bytes at address + i * stride.
struct VectorAccess {
  enum class Conversion : uint8_t { Low, SignExtend, ZeroExtend, SaturateSigned, SaturateUnsigned };

  bool store = false;
  bool strided = false; // each lane is an access of its own
  Conversion conversion = Conversion::Low;
  unsigned memorySize = 1, registerSize = 1;
  uint32_t address = 0, stride = 1;
  uint64_t lanes = 0; // those accessed, one bit each
  unsigned vector = 0; // register loaded or stored

  uint32_t laneAddress(unsigned lane) const { return address + lane * stride; }
};

class VectorUnit {
public:
  VectorValue regs[32] = {};

  // What the vector instruction word accesses in memory, if it does. x1 and x2 are the scalar
  // registers of its fields, stride is nvstride.
  std::optional<VectorAccess> access(uint32_t word, uint32_t x1, uint32_t x2,
                                     uint32_t stride) const;

  // Performs any other vector instruction. Returns the scalar result of one that has one.
  uint32_t execute(uint32_t word, uint32_t x1, uint32_t x2, uint32_t outQuant, MatrixUnit &matrix);

  // The bytes of a lane in memory, to and from the register of the access.
  void storeLane(const VectorAccess &access, unsigned lane, uint8_t *memory) const;
  static void loadLane(const VectorAccess &access, unsigned lane, const uint8_t *memory,
                       VectorValue &result);
};

} // namespace npu
