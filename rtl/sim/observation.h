// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the design shows in one cycle to those who watch it: traces and counters.

#pragma once

#include "model.h"

#include <array>
#include <cstdint>

namespace npu::rtl {

// Why no instruction left the execute stage; as in npu_core_pkg.sv.
enum class Stall : uint8_t {
  None,
  Fetch,   // jump, trap, ITCM port taken
  Icache,  // refill of a line
  LoadUse,
  MulUse,
  Vector,  // operand or place of a vector instruction
  Memory,  // DRAM access
  Div,
  Wait,
  Fence,
  Queue,
  Wfi,
  Debug,
  kCount
};
constexpr size_t kStalls = static_cast<size_t>(Stall::kCount);
extern const std::array<const char *, kStalls> kStallNames; // of the counters

// Requesters of TCM behind the scalar core, in the order of their priority.
constexpr size_t kTcmUnits = 6;
extern const std::array<const char *, kTcmUnits> kTcmUnitNames;

struct Observation {
  Stall stall = Stall::None;

  // Pipeline: a request to instruction memory whose answer counts, the instruction in decode,
  // whether it moves on to execute, and whether everything in front of execute is dropped.
  bool fetch = false, decode = false, issue = false, redirect = false;
  uint32_t fetchPc = 0, decodePc = 0, decodeWord = 0;

  // Matrix unit: a pixel enters the array, the first or last of its run; weights or a table are
  // loaded; a drain stores a pixel, or is complete.
  bool arrayBusy = false, runFirst = false, runLast = false;
  bool loadBusy = false, loadTable = false, drainBusy = false, drainEnd = false;
  unsigned macs = 0;

  unsigned unitsBusy = 0;                       // DMA 0, DMA 1, matrix unit
  std::array<uint8_t, kUnits> done{};           // operations complete since reset, modulo 256
  std::array<uint16_t, kTcmUnits> refused{};    // banks that a requester wanted and did not get
};

class Observer {
public:
  virtual ~Observer() = default;
  // After cycle number `now` (counted from reset). event: what the core retired at its end, with
  // now + 1 as its cycle; or null.
  virtual void cycle(uint64_t now, const Observation &seen, const RetireEvent *event) = 0;
};

} // namespace npu::rtl
