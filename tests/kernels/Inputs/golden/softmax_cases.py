# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax: softmax_s8 (int8 to int8), softmax_s8_s16 (int8 to int16)."""

import math

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema

INTEGER_BITS = 5


@converts("SOFTMAX")
def softmax(op):
    """PreprocessSoftmaxScaling, CalculateInputRadius. params: multiplier, shift, diff min."""
    image = op.inputs[0]
    real = min(float(op.options.beta) * float(image.scale) * (1 << (31 - INTEGER_BITS)), float((1 << 31) - 1))
    multiplier, shift = q.quantize_multiplier(real)
    radius = math.floor(((1 << INTEGER_BITS) - 1) * float(1 << (31 - INTEGER_BITS)) / float(1 << shift))
    return Case("softmax_s8" if op.output.type == "int8" else "softmax_s8_s16", [multiplier, shift, -radius],
                [image], op.output)


def random_softmax(random, small, out_type):
    depth = int(random.integers(1, 70 if small else int(random.choice([12, 130, 1100]))))
    rows = int(random.integers(1, 6 if small else max(2, 6000 // depth)))
    options = schema.SoftmaxOptionsT()
    options.beta = float(random.choice([1.0, 1.0, random.uniform(0.2, 3)]))
    image = Tensor((rows, depth), "int8", np.float32(random.choice([random.uniform(0.005, 0.3), 1.0])),
                   int(random.integers(-128, 128)))
    output = Tensor((rows, depth), out_type, *((np.float32(1 / 256), -128) if out_type == "int8"
                                               else (np.float32(1 / 65536), -32768)))
    feed = random.integers(-128, 128, (rows, depth)).astype(np.int8)
    # A narrow range: many terms count. TFLite aborts where the terms add up to more than 512.
    if depth < 512 and random.random() < 0.5:
        feed = np.clip(feed // 6 + int(random.integers(-100, 100)), -128, 127).astype(np.int8)
    return build("SOFTMAX", options, [image], [output], 2), [feed]


@generates("softmax_s8")
def softmax_s8(random, small):
    return random_softmax(random, small, "int8")


@generates("softmax_s8_s16")
def softmax_s8_s16(random, small):
    return random_softmax(random, small, "int16")
