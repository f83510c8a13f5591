# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution: conv_s8, conv_s4 (int4 weights), conv_s16 (int16 activations)."""

import math

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, random_values, schema

NAMES = {("int8", "int8"): "conv_s8", ("int8", "int4"): "conv_s4", ("int16", "int8"): "conv_s16"}


@converts("CONV_2D")
def conv(op):
    """params: stride h w, padding h w, dilation h w, input offset, output offset, clamp min max.
    tensors: input, filter [c_out, kh, kw, c_in / groups], bias (may be empty), multipliers, shifts."""
    image, weights = op.inputs[0], op.inputs[1]
    bias = op.inputs[2] if len(op.inputs) > 2 else None
    o = op.options
    same = o.padding == schema.Padding.SAME
    before = [q.padding_before(image.shape[1 + axis], weights.shape[1 + axis], stride, dilation, same)
              for axis, (stride, dilation) in enumerate([(o.strideH, o.dilationHFactor),
                                                         (o.strideW, o.dilationWFactor)])]
    multiplier, shift = q.per_channel_multipliers(image.scale, weights.scales, op.output.scale,
                                                  weights.shape[0])
    params = [o.strideH, o.strideW, *before, o.dilationHFactor, o.dilationWFactor, -image.zero_point,
              op.output.zero_point, *q.activation_range(o.fusedActivationFunction, op.output)]
    return Case(NAMES[image.type, weights.type], params,
                [image, weights, None if bias is None else bias.data, multiplier, shift], op.output)


def random_conv(random, small, activation="int8", weight="int8"):
    scale = 10 if small else int(random.choice([6, 12, 24]))
    groups = int(random.choice([1, 1, 1, 1, 2, 3]))
    channels = int(random.integers(1, 5 if random.random() < 0.4 else scale + 8)) * groups
    out_channels = int(random.integers(1, 12 if small else 40)) * groups
    taps = [int(n) for n in random.choice([1, 1, 2, 3, 3, 5], 2)]
    stride = [int(n) for n in random.integers(1, 4, 2)]
    dilation = [int(n) for n in (random.integers(1, 4, 2) if random.random() < 0.25 else (1, 1))]
    shape = (int(random.integers(1, 3)), *(int(n) for n in random.integers(1, scale + 1, 2)), channels)
    same = random.random() < 0.6
    out = [q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], same) for i in range(2)]
    if min(out) < 1:
        same, out = True, [q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], True)
                           for i in range(2)]
    options = schema.Conv2DOptionsT()
    options.padding = schema.Padding.SAME if same else schema.Padding.VALID
    options.strideH, options.strideW = stride
    options.dilationHFactor, options.dilationWFactor = dilation
    options.fusedActivationFunction = int(random.choice([0, 0, 1, 3]))

    low, high = (-7, 8) if weight == "int4" else (-127, 128)
    symmetric = activation == "int16"
    depth = taps[0] * taps[1] * channels // groups
    in_scale = np.float32(random.uniform(0.01, 0.1) / (256 if symmetric else 1))
    weight_scales = random.uniform(0.001, 0.02, out_channels).astype(np.float32)
    if random.random() < 0.2:  # per tensor
        weight_scales = weight_scales[:1]
    out_scale = np.float32(0.02 * math.sqrt(depth) * random.uniform(0.3, 2) * (high / 128)
                           / (256 if symmetric else 1))
    image = Tensor(shape, activation, in_scale, 0 if symmetric else int(random.integers(-128, 128)))
    weights = Tensor((out_channels, *taps, channels // groups), weight, weight_scales, 0, 0,
                     random.integers(low, high, (out_channels, *taps, channels // groups)).astype(np.int8))
    bias = None
    if random.random() < 0.8:
        bias = Tensor((out_channels,), "int64" if symmetric else "int32", in_scale * weight_scales, 0, 0,
                      random.integers(-20000, 20001, out_channels).astype(
                          np.int64 if symmetric else np.int32))
    output = Tensor((shape[0], *out, out_channels), activation, out_scale,
                    0 if symmetric else int(random.integers(-128, 128)))
    return (build("CONV_2D", options, [image, weights, bias], [output]),
            [random_values(random, shape, activation)])


@generates("conv_s8")
def conv_s8(random, small):
    return random_conv(random, small)


@generates("conv_s4")
def conv_s4(random, small):
    return random_conv(random, small, weight="int4")
