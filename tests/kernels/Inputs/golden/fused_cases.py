# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A convolution and the operator behind it, two operators in TFLite and one call in the library: conv_add_s8,
conv_max_pool_s8, conv_avg_pool_s8."""

import numpy as np

import conv_cases
import tflite_model
import windows
from golden import Case, case_of, describe, generates
from tflite_model import Tensor, build_chain, random_values, schema

SCRATCH = (0, 8 << 10, 24 << 10, 48 << 10)


def fused_case(name, layers, random, tensors):
    """tensors: those of the second operator beside the convolution's result."""
    feeds = [random_values(random, t.shape) for t in [layers[0][2][0], *tensors]]
    conv, second = tflite_model.run(build_chain(layers), feeds)
    first, other = case_of(conv), case_of(second)
    params = [*first.params, *other.params, conv.output.shape[1], conv.output.shape[2]]
    return Case(name, params, [*first.tensors, *other.tensors[1:]], second.output,
                scratch=int(random.choice(SCRATCH)), description=describe(conv) + " -> " + describe(second))


@generates("conv_add_s8")
def conv_add_s8(random, small):
    conv = conv_cases.random_layer(random, small)
    made = conv[3][0]
    residual = Tensor(made.shape, "int8", np.float32(made.scale * random.choice([1, random.uniform(0.3, 3)])),
                      int(random.integers(-128, 128)))
    total = Tensor(made.shape, "int8", np.float32(max(made.scale, residual.scale) * random.uniform(0.5, 2)),
                   int(random.integers(-128, 128)))
    options = schema.AddOptionsT()
    options.fusedActivationFunction = int(random.choice([0, 0, 1, 3]))
    return fused_case("conv_add_s8", [(*conv, 5), ("ADD", options, [made, residual], [total], 2)], random, [residual])


def conv_pool(random, small, name, code):
    conv = conv_cases.random_layer(random, small)
    made = conv[3][0]
    window = [int(n) for n in random.choice([1, 2, 2, 3, 3, 5], 2)]
    if random.random() < 0.2:
        window = list(made.shape[1:3])
    options = schema.Pool2DOptionsT()
    options.filterHeight, options.filterWidth = window
    out = windows.random_window(random, options, made.shape, window,
                                [int(n) for n in random.choice([1, 2, 2, 3], 2)])
    pooled = Tensor((made.shape[0], *out, made.shape[3]), "int8", made.scale, made.zero_point)
    return fused_case(name, [(*conv, 5), (code, options, [made], [pooled], 3)], random, [])


@generates("conv_max_pool_s8")
def conv_max_pool_s8(random, small):
    return conv_pool(random, small, "conv_max_pool_s8", "MAX_POOL_2D")


@generates("conv_avg_pool_s8")
def conv_avg_pool_s8(random, small):
    return conv_pool(random, small, "conv_avg_pool_s8", "AVERAGE_POOL_2D")
