// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command line of npu-rtl.

#pragma once

#include "memory.h"
#include "simulation.h"

#include <optional>
#include <string>
#include <vector>

namespace npu::rtl {

struct CommandLine {
  const MachineConfig *config = nullptr;
  SimulationOptions simulation;
  std::string traceFile, statsFile, coverageFile, perfettoFile, konataFile;
  std::string statsFunction; // name; empty for none
  std::optional<uint16_t> gdbPort;
  std::vector<std::string> arguments; // the program, then what it gets
  bool help = false;
};

extern const char kUsage[];

// Nothing, after one line on stderr, when an option is unknown or its value is out of range.
std::optional<CommandLine> parseCommandLine(int argc, char **argv);

} // namespace npu::rtl
