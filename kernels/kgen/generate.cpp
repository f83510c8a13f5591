// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "generate.h"

#include "emit.h"

#include <sstream>

namespace npu::kgen {

Generated generate(const Layer &layer, const std::string &path, const std::string &source) {
  if (layer.kind == Operator::DepthwiseConv)
    return generateDepthwise(layer, path, source);
  if (layer.kind == Operator::FullyConnected)
    return generateConnected(layer, path, source);
  const std::vector<Candidate> candidates = rankPlans(layer, path);
  const npu_conv_plan &plan = candidates.front().plan;
  std::ostringstream header, kernel, ranking;
  emitHeader(header, layer, plan, source);
  emitKernel(kernel, layer, plan, source);
  emitRanking(ranking, candidates);
  return {header.str(), kernel.str(), ranking.str()};
}

} // namespace npu::kgen
