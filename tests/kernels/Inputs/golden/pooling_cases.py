# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling: avg_pool_s8, max_pool_s8, avg_pool_s16, max_pool_s16."""

import numpy as np

import quantization as q
import windows
from golden import Case, converts, generates
from tflite_model import Tensor, build, random_values, schema

NAMES = {("AVERAGE_POOL_2D", "int8"): "avg_pool_s8", ("MAX_POOL_2D", "int8"): "max_pool_s8",
         ("AVERAGE_POOL_2D", "int16"): "avg_pool_s16", ("MAX_POOL_2D", "int16"): "max_pool_s16"}


@converts("AVERAGE_POOL_2D", "MAX_POOL_2D")
def pool(op):
    """params: window h w, stride h w, padding h w, clamp min max. tensors: input."""
    image, o = op.inputs[0], op.options
    window = [o.filterHeight, o.filterWidth]
    params = [*window, o.strideH, o.strideW, *windows.padding_before(o, image, window),
              *q.activation_range(o.fusedActivationFunction, op.output)]
    return Case(NAMES[op.code, image.type], params, [image], op.output, scratch=q.some_scratch(image))


def random_pool(random, small, code, kind):
    extent = 10 if small else int(random.choice([5, 12, 30 if kind == "int8" else 20]))
    channels = int(random.choice([int(random.integers(1, 20)), 16, 64, int(random.integers(16, 150))]))
    window = [int(n) for n in random.choice([1, 2, 2, 3, 3, 5, 7], 2)]
    if random.random() < 0.15:
        window = [1000, 1000]  # the whole image
    shape = (int(random.integers(1, 3)), *(int(n) for n in random.integers(1, extent + 1, 2)),
             min(channels, 30) if small else channels)
    window = [min(window[i], shape[1 + i] if window[i] == 1000 else window[i]) for i in range(2)]
    stride = [int(n) for n in random.choice([1, 2, 2, 3], 2)]
    options = schema.Pool2DOptionsT()
    out = windows.random_window(random, options, shape, window, stride)
    options.filterHeight, options.filterWidth = window
    scale = np.float32(random.uniform(0.01, 0.1) / (256 if kind == "int16" else 1))
    zero_point = 0 if kind == "int16" else int(random.integers(-128, 128))
    image = Tensor(shape, kind, scale, zero_point)
    output = Tensor((shape[0], *out, shape[3]), kind, scale, zero_point)
    values = random_values(random, shape, kind)
    if random.random() < 0.3:  # long sums at an end of the range
        values = np.where(random.random(shape) < 0.9, random.choice([np.iinfo(kind).min, np.iinfo(kind).max]),
                          values).astype(kind)
    return build(code, options, [image], [output], version=3), [values]


@generates("avg_pool_s8")
def avg_pool_s8(random, small):
    return random_pool(random, small, "AVERAGE_POOL_2D", "int8")


@generates("max_pool_s8")
def max_pool_s8(random, small):
    return random_pool(random, small, "MAX_POOL_2D", "int8")


@generates("avg_pool_s16")
def avg_pool_s16(random, small):
    return random_pool(random, small, "AVERAGE_POOL_2D", "int16")


@generates("max_pool_s16")
def max_pool_s16(random, small):
    return random_pool(random, small, "MAX_POOL_2D", "int16")
