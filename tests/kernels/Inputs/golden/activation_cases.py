# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations: relu_s8 (RELU, RELU6, RELU_N1_TO_1), leaky_relu_s8, hard_swish_s8, logistic_s8, tanh_s8."""

import struct

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema

RANGES = {"RELU": 1, "RELU_N1_TO_1": 2, "RELU6": 3}


def float_bits(value):
    return struct.unpack("<i", struct.pack("<f", value))[0]


@converts(*RANGES)
def relu(op):
    """params: input offset, output offset, multiplier, shift, clamp min max."""
    image = op.inputs[0]
    multiplier, shift = q.quantize_multiplier(float(image.scale / op.output.scale))
    return Case("relu_s8", [-image.zero_point, op.output.zero_point, multiplier, shift,
                            *q.activation_range(RANGES[op.code], op.output)], [image], op.output)


@converts("LEAKY_RELU")
def leaky_relu(op):
    """params: input offset, output offset, multiplier and shift of the identity, of alpha."""
    image = op.inputs[0]
    identity = q.quantize_multiplier(float(image.scale / op.output.scale))
    alpha = q.quantize_multiplier(float(image.scale * np.float32(op.options.alpha) / op.output.scale))
    return Case("leaky_relu_s8", [-image.zero_point, op.output.zero_point, *identity, *alpha], [image],
                op.output)


def downscale(multiplier):
    """DownScaleInt32ToInt16Multiplier."""
    return (multiplier + (1 << 15)) >> 16 if multiplier < 0x7FFF0000 else 0x7FFF


@converts("HARD_SWISH")
def hard_swish(op):
    """params: input offset, output offset, multiplier and shift of the output, of the gate."""
    image = op.inputs[0]
    hires = np.float32(1 / 128) * image.scale
    output = q.quantize_multiplier(float(hires / op.output.scale))
    gate = q.quantize_multiplier(float(hires / (np.float32(3) / np.float32(32768))))
    return Case("hard_swish_s8", [-image.zero_point, op.output.zero_point, downscale(output[0]), output[1],
                                  downscale(gate[0]), gate[1]], [image], op.output)


@converts("LOGISTIC", "TANH")
def sigmoid(op):
    """params: input scale, zero point, output scale, zero point; scales as the bits of a float."""
    image = op.inputs[0]
    return Case({"LOGISTIC": "logistic_s8", "TANH": "tanh_s8"}[op.code],
                [float_bits(image.scale), image.zero_point, float_bits(op.output.scale), op.output.zero_point],
                [image], op.output)


def random_unary(random, small, code, options, out_scale, out_zero_point=None):
    size = int(random.integers(1, 300 if small else int(random.choice([100, 3000, 20000]))))
    scale = np.float32(random.uniform(0.005, 0.15))
    image = Tensor((1, size), "int8", scale, int(random.integers(-128, 128)))
    if out_scale is None:
        out_scale = scale * np.float32(random.choice([1, random.uniform(0.3, 3)]))
    zero_point = int(random.integers(-128, 128)) if out_zero_point is None else out_zero_point
    return build(code, options, [image], [Tensor((1, size), "int8", out_scale, zero_point)], 1)


@generates("relu_s8")
def relu_s8(random, small):
    return random_unary(random, small, str(random.choice(list(RANGES))), None, None)


@generates("leaky_relu_s8")
def leaky_relu_s8(random, small):
    options = schema.LeakyReluOptionsT()
    options.alpha = float(random.choice([0.1, 0.2, 0.01, random.uniform(0, 1.5)]))
    return random_unary(random, small, "LEAKY_RELU", options, None)


@generates("hard_swish_s8")
def hard_swish_s8(random, small):
    return random_unary(random, small, "HARD_SWISH", schema.HardSwishOptionsT(),
                        np.float32(random.uniform(0.005, 0.1)))


@generates("logistic_s8")
def logistic_s8(random, small):
    return random_unary(random, small, "LOGISTIC", None, np.float32(1 / 256), -128)


@generates("tanh_s8")
def tanh_s8(random, small):
    return random_unary(random, small, "TANH", None, np.float32(1 / 128), 0)
