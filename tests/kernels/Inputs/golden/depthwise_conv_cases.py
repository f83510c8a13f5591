# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Depthwise convolution: depthwise_conv_s8, depthwise_conv_s4 (int4 weights), depthwise_conv_s16."""

import quantization as q
import windows
from golden import Case, converts, generates
from tflite_model import Tensor, build, random_values, schema

NAMES = {("int8", "int8"): "depthwise_conv_s8", ("int8", "int4"): "depthwise_conv_s4",
         ("int16", "int8"): "depthwise_conv_s16"}


@converts("DEPTHWISE_CONV_2D")
def depthwise_conv(op):
    """params: windows.convolution, channel multiplier. tensors: windows.convolution; filter [1, kh, kw, c_out]."""
    image, weights = op.inputs[0], op.inputs[1]
    channels = weights.shape[3]
    params, tensors = windows.convolution(op, channels)
    return Case(NAMES[image.type, weights.type], [*params, channels // image.shape[3]], tensors, op.output,
                scratch=q.some_scratch(image))


def random_depthwise(random, small, activation="int8", weight="int8"):
    extent = 10 if small else int(random.choice([5, 12, 30]))
    channels = int(random.choice([int(random.integers(1, 20)), 16, 32, int(random.integers(16, 120))]))
    factor = int(random.choice([1, 1, 1, 1, 2, 3]))
    if small or factor > 1:
        channels = min(channels, 35)
    taps = [int(n) for n in random.choice([1, 2, 3, 3, 3, 5, 7, 18 if not small else 4], 2)]
    stride = [int(n) for n in random.choice([1, 1, 2, 3], 2)]
    shape = (int(random.integers(1, 3)), *(int(n) for n in random.integers(1, extent + 1, 2)), channels)
    options = schema.DepthwiseConv2DOptionsT()
    options.depthMultiplier = factor
    dilation = windows.random_dilation(random, options)
    out = windows.random_window(random, options, shape, taps, stride, dilation)

    out_channels = channels * factor
    in_scale, weights, bias = windows.random_constants(random, activation, weight, (1, *taps, out_channels), 3,
                                                       per_tensor=activation == "int8")

    def zero_point():
        return 0 if activation == "int16" else int(random.choice([-128, 127, int(random.integers(-128, 128))]))

    image = Tensor(shape, activation, in_scale, zero_point())
    output = Tensor((shape[0], *out, out_channels), activation,
                    windows.output_scale(random, taps[0] * taps[1], activation, weight), zero_point())
    return (build("DEPTHWISE_CONV_2D", options, [image, weights, bias], [output]),
            [random_values(random, shape, activation)])


@generates("depthwise_conv_s8")
def depthwise_conv_s8(random, small):
    return random_depthwise(random, small)


@generates("depthwise_conv_s4")
def depthwise_conv_s4(random, small):
    return random_depthwise(random, small, weight="int4")
