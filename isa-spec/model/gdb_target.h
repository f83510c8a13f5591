// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The registers as gdb numbers them, and the description that tells gdb about them.

#pragma once

#include "debug_machine.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace npu {

// x0..x31 and pc: what gdb always reads together.
constexpr unsigned kGdbCoreRegisters = 33;

// The description in XML. It claims the features that gdb knows of RISC-V, and has two of its own:
// the NPU's CSRs and the vector registers.
const std::string &gdbTargetDescription();

// Contents in memory order; empty when there is no register of that number.
std::string readGdbRegister(DebugMachine &machine, unsigned number);
// False when there is no such register or bytes has another size.
bool writeGdbRegister(DebugMachine &machine, unsigned number, std::string_view bytes);

} // namespace npu
