// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All operators.

#ifndef NPU_NN_H
#define NPU_NN_H

#include "activation.h"
#include "batch_matmul.h"
#include "conv.h"
#include "conv_s16.h"
#include "depthwise_conv.h"
#include "elementwise.h"
#include "fully_connected.h"
#include "fused.h"
#include "layout.h"
#include "matmul.h"
#include "nn_types.h"
#include "pooling.h"
#include "quantize.h"
#include "reduce.h"
#include "softmax.h"
#include "transpose_conv.h"

#endif // NPU_NN_H
