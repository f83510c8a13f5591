// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plans of convolutions whose lines the core works on as they become complete (npu/fused.h).

#ifndef NPU_SRC_CONV_LINES_H
#define NPU_SRC_CONV_LINES_H

#include "npu/conv_plan.h"

// The first of some choices that fits, with tiles of `tile_h` lines of the whole width: what comes
// behind each tile (npu/fused.h) can begin early, and there is no search. NPU_ERROR_BUFFER if none
// fits, although another one may.
npu_status npu_conv_plan_lines(npu_conv_plan *plan, const npu_conv_problem *problem,
                               int32_t tile_h);

#endif // NPU_SRC_CONV_LINES_H
