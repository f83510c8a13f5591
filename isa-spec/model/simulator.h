// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the simulators of the model and of the RTL have in common: exit statuses, trace lines,
// the meaning of tohost.

#pragma once

#include "model.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace npu {

// Other statuses are the program's.
enum ExitStatus : int {
  kStatusUsage = 2,      // command line, or a file that cannot be used
  kStatusBound = 124,    // cycle bound, or nothing happens any more
  kStatusAbnormal = 125, // unhandled trap, lockstep mismatch
};

struct CloseFile {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using OutputFile = std::unique_ptr<std::FILE, CloseFile>;

[[gnu::format(printf, 1, 2)]] std::string format(const char *text, ...);

// Null, after one line on stderr, when the file cannot be written.
OutputFile openOutput(const char *tool, const std::string &path);

// False, after one line on stderr, when something was not written, for example to a full disk.
bool closeOutput(const char *tool, const std::string &path, OutputFile file);

// Writes one line: cycle, pc, word, assembly, effects.
void traceEvent(std::FILE *out, const RetireEvent &event);

// Exit status for a non-zero word stored to tohost, as in riscv-tests: 1 is a pass, another odd
// value is (number of the failed test << 1) | 1. Tells a failure on stderr.
int toHostStatus(const char *tool, uint32_t value);

// The value of --gdb. Nothing, after one line on stderr, when it is no port number.
std::optional<uint16_t> parsePort(const char *tool, const char *text);

} // namespace npu
