// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the C of a planned layer.

#pragma once

#include "plan.h"

#include <ostream>
#include <string>

namespace npu::kgen {

// NAME.h: NAME_pack, NAME and the sizes they need.
void emitHeader(std::ostream &out, const Layer &layer, const Plan &plan, const std::string &source);

// NAME.c; `source` is the description's file name for the comment.
void emitKernel(std::ostream &out, const Layer &layer, const Plan &plan, const std::string &source);

} // namespace npu::kgen
