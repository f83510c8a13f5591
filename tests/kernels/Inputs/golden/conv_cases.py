# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution: conv_s8, conv_s4 (int4 weights), conv_s16 (int16 activations)."""

import windows
from golden import Case, converts, generates
from tflite_model import Tensor, build, random_values, schema

NAMES = {("int8", "int8"): "conv_s8", ("int8", "int4"): "conv_s4", ("int16", "int8"): "conv_s16"}


@converts("CONV_2D")
def conv(op):
    """params and tensors: windows.convolution; filter [c_out, kh, kw, c_in / groups]."""
    image, weights = op.inputs[0], op.inputs[1]
    params, tensors = windows.convolution(op, weights.shape[0])
    return Case(NAMES[image.type, weights.type], params, tensors, op.output)


def random_layer(random, small, activation="int8", weight="int8"):
    """Arguments of tflite_model.build."""
    scale = 10 if small else int(random.choice([6, 12, 24]))
    groups = int(random.choice([1, 1, 1, 1, 2, 3]))
    channels = int(random.integers(1, 5 if random.random() < 0.4 else scale + 8)) * groups
    out_channels = int(random.integers(1, 12 if small else 40)) * groups
    taps = [int(n) for n in random.choice([1, 1, 2, 3, 3, 5], 2)]
    stride = [int(n) for n in random.integers(1, 4, 2)]
    shape = (int(random.integers(1, 3)), *(int(n) for n in random.integers(1, scale + 1, 2)), channels)
    options = schema.Conv2DOptionsT()
    dilation = windows.random_dilation(random, options)
    out = windows.random_window(random, options, shape, taps, stride, dilation)

    in_scale, weights, bias = windows.random_constants(
        random, activation, weight, (out_channels, *taps, channels // groups), 0,
        without_bias=0)  # TFLite's kernel wants one

    def zero_point():
        return 0 if activation == "int16" else int(random.integers(-128, 128))

    out_scale = windows.output_scale(random, taps[0] * taps[1] * channels // groups, activation, weight)
    return ("CONV_2D", options, [Tensor(shape, activation, in_scale, zero_point()), weights, bias],
            [Tensor((shape[0], *out, out_channels), activation, out_scale, zero_point())])


def random_conv(random, small, activation="int8", weight="int8"):
    layer = random_layer(random, small, activation, weight)
    return build(*layer), [random_values(random, layer[2][0].shape, activation)]


@generates("conv_s8")
def conv_s8(random, small):
    return random_conv(random, small)


@generates("conv_s4")
def conv_s4(random, small):
    return random_conv(random, small, weight="int4")
