// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a debugger needs of a simulated machine. The model and the RTL implement it; gdb_server.h
// is the debugger's side.

#pragma once

#include "model.h"
#include "semihosting.h"

#include <cstdint>
#include <optional>
#include <string>

namespace npu {

// Why the machine has stopped.
struct DebugStop {
  enum class Kind {
    None,       // nothing to report: its slice of time is over
    Breakpoint, // pc is at a breakpoint
    Trap,       // an exception was taken and pc is at its handler
    Failed,     // the run cannot go on; its state can still be looked at
    Ended,      // the program has ended
  };
  Kind kind = Kind::None;
  int status = 0;                  // Ended, Failed: exit status of the simulator
  std::optional<uint32_t> cause{}; // mcause of a trap, also of one that made the run fail
  std::optional<uint32_t> pc{};    // Failed by a trap: where, because pc itself is at no handler
  std::string report{};            // Failed: why, in whole lines
};

// Between two calls the machine is in front of an instruction of which nothing has taken effect.
class DebugMachine : public SemihostTarget {
public:
  virtual uint32_t pc() = 0;
  virtual void setPc(uint32_t pc) = 0;
  virtual uint32_t readCsr(unsigned number) = 0;
  virtual void writeCsr(unsigned number, uint32_t value) = 0; // as CSRRW writes it
  virtual VectorValue readVector(unsigned number) = 0;
  virtual void writeVector(unsigned number, const VectorValue &value) = 0;

  virtual void setBreakpoint(uint32_t pc, bool present) = 0;

  // One instruction, or one exception or interrupt taken; a breakpoint on it does not count. A
  // machine that is still waiting, for memory say, returns without an event: call again.
  virtual DebugStop step(std::optional<RetireEvent> &event) = 0;
  // Some milliseconds of execution, or up to what is to be reported. Breakpoints count from the
  // first instruction on, unless the machine has just reported one there.
  virtual DebugStop run() = 0;
  // After run() without a report: goes on to where the state can be looked at.
  virtual DebugStop settle() = 0;
};

} // namespace npu
