// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What npu-kgen writes for a layer.

#pragma once

#include "streams.h"

namespace npu::kgen {

// Ranks the layer's plans and writes the best one. Throws LayerError if there is none.
Generated generate(const Layer &layer, const std::string &path, const std::string &source);

} // namespace npu::kgen
