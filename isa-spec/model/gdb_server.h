// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Server of gdb's remote serial protocol for the simulators. An exception of the program is a
// signal of the protocol, which gdb's 'handle' can let pass.

#pragma once

#include "debug_machine.h"
#include "gdb_connection.h"

#include <cstdint>
#include <optional>

namespace npu {

class GdbServer {
public:
  // Opens 127.0.0.1:port, or a free port if 0, and says on stderr that it waits. Nothing, after
  // one line on stderr, when that is not possible.
  static std::optional<GdbServer> listen(const char *tool, uint16_t port);

  // Waits a bounded time for gdb, then runs the machine as it says. Returns how the program ended
  // or was made to end; nothing when gdb has detached and the program is to go on by itself.
  std::optional<DebugStop> serve(DebugMachine &machine);

private:
  explicit GdbServer(FileDescriptor listener) : listener_(std::move(listener)) {}

  FileDescriptor listener_;
};

} // namespace npu
