// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the generated kernel: the plan as constants, and the engine of npu/conv_engine.h on it.

#pragma once

#include "plan.h"

#include <ostream>
#include <string>

namespace npu::kgen {

// A name as the prefix of macros.
std::string upperCase(std::string name);

// NAME.h: sizes, NAME_pack and NAME. `source` is the description's name, for the title.
void emitHeader(std::ostream &out, const Layer &layer, const npu_conv_plan &plan,
                const std::string &source);

// NAME.c.
void emitKernel(std::ostream &out, const Layer &layer, const npu_conv_plan &plan,
                const std::string &source);

// The candidates, best first, one a line.
void emitRanking(std::ostream &out, const std::vector<Candidate> &candidates);

} // namespace npu::kgen
