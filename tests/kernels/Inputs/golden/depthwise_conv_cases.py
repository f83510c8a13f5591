# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Depthwise convolution: depthwise_conv_s8, depthwise_conv_s4 (int4 weights), depthwise_conv_s16."""

import math

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, random_values, schema

NAMES = {("int8", "int8"): "depthwise_conv_s8", ("int8", "int4"): "depthwise_conv_s4",
         ("int16", "int8"): "depthwise_conv_s16"}


@converts("DEPTHWISE_CONV_2D")
def depthwise_conv(op):
    """params: stride h w, padding h w, dilation h w, input offset, output offset, clamp min max, multiplier.
    tensors: input, filter [1, kh, kw, c_out], bias (may be empty), multipliers, shifts."""
    image, weights = op.inputs[0], op.inputs[1]
    bias = op.inputs[2] if len(op.inputs) > 2 else None
    o = op.options
    same = o.padding == schema.Padding.SAME
    before = [q.padding_before(image.shape[1 + axis], weights.shape[1 + axis], stride, dilation, same)
              for axis, (stride, dilation) in enumerate([(o.strideH, o.dilationHFactor),
                                                         (o.strideW, o.dilationWFactor)])]
    channels = weights.shape[3]
    multiplier, shift = q.per_channel_multipliers(image.scale, weights.scales, op.output.scale, channels)
    params = [o.strideH, o.strideW, *before, o.dilationHFactor, o.dilationWFactor, -image.zero_point,
              op.output.zero_point, *q.activation_range(o.fusedActivationFunction, op.output),
              channels // image.shape[3]]
    return Case(NAMES[image.type, weights.type], params,
                [image, weights, None if bias is None else bias.data, multiplier, shift], op.output,
                scratch=q.some_scratch(image))


def random_depthwise(random, small, activation="int8", weight="int8"):
    extent = 10 if small else int(random.choice([5, 12, 30]))
    channels = int(random.choice([int(random.integers(1, 20)), 16, 32, int(random.integers(16, 120))]))
    factor = int(random.choice([1, 1, 1, 1, 2, 3]))
    if small or factor > 1:
        channels = min(channels, 35)
    taps = [int(n) for n in random.choice([1, 2, 3, 3, 3, 5, 7, 18 if not small else 4], 2)]
    stride = [int(n) for n in random.choice([1, 1, 2, 3], 2)]
    dilation = [int(n) for n in (random.integers(1, 4, 2) if random.random() < 0.25 else (1, 1))]
    shape = (int(random.integers(1, 3)), *(int(n) for n in random.integers(1, extent + 1, 2)), channels)
    same = random.random() < 0.6
    out = [q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], same) for i in range(2)]
    if min(out) < 1:
        same, out = True, [q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], True)
                           for i in range(2)]
    options = schema.DepthwiseConv2DOptionsT()
    options.padding = schema.Padding.SAME if same else schema.Padding.VALID
    options.strideH, options.strideW = stride
    options.dilationHFactor, options.dilationWFactor = dilation
    options.fusedActivationFunction = int(random.choice([0, 0, 1, 3]))
    options.depthMultiplier = factor

    out_channels = channels * factor
    low, high = (-7, 8) if weight == "int4" else (-127, 128)
    wide = 256 if activation == "int16" else 1
    in_scale = np.float32(random.uniform(0.01, 0.1) / wide)
    weight_scales = random.uniform(0.001, 0.02, out_channels).astype(np.float32)
    if random.random() < 0.2 and activation == "int8":  # per tensor
        weight_scales = weight_scales[:1]
    out_scale = np.float32(0.02 * math.sqrt(taps[0] * taps[1]) * random.uniform(0.3, 2) * (high / 128) / wide)

    def zero_point():
        return 0 if wide > 1 else int(random.choice([-128, 127, int(random.integers(-128, 128))]))

    image = Tensor(shape, activation, in_scale, zero_point())
    weights = Tensor((1, *taps, out_channels), weight, weight_scales, 0, 3,
                     random.integers(low, high, (1, *taps, out_channels)).astype(np.int8))
    bias = None
    if random.random() < 0.8:
        kind = "int64" if wide > 1 else "int32"
        bias = Tensor((out_channels,), kind, in_scale * weight_scales, 0, 0,
                      random.integers(-20000, 20001, out_channels).astype(kind))
    output = Tensor((shape[0], *out, out_channels), activation, out_scale, zero_point())
    return (build("DEPTHWISE_CONV_2D", options, [image, weights, bias], [output]),
            [random_values(random, shape, activation)])


@generates("depthwise_conv_s8")
def depthwise_conv_s8(random, small):
    return random_depthwise(random, small)


@generates("depthwise_conv_s4")
def depthwise_conv_s4(random, small):
    return random_depthwise(random, small, weight="int4")
