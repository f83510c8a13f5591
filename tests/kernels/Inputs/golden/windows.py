# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the families of operators that slide a window have in common: parameters of their cases, random geometry
and random constants."""

import numpy as np

import quantization as q
from tflite_model import Tensor, schema


def padding_before(options, image, taps, dilation=(1, 1)):
    """Lines above and columns left of the image."""
    same = options.padding == schema.Padding.SAME
    return [q.padding_before(image.shape[1 + axis], taps[axis], stride, dilation[axis], same)
            for axis, stride in enumerate([options.strideH, options.strideW])]


def convolution(op, channels):
    """params: stride h w, padding h w, dilation h w, input offset, output offset, clamp min max.
    tensors: input, filter, bias (may be empty), multipliers, shifts."""
    image, weights = op.inputs[0], op.inputs[1]
    bias = op.inputs[2] if len(op.inputs) > 2 else None
    o = op.options
    dilation = [o.dilationHFactor, o.dilationWFactor]
    multiplier, shift = q.per_channel_multipliers(image.scale, weights.scales, op.output.scale, channels)
    params = [o.strideH, o.strideW, *padding_before(o, image, weights.shape[1:3], dilation), *dilation,
              -image.zero_point, op.output.zero_point, *q.activation_range(o.fusedActivationFunction, op.output)]
    return params, [image, weights, None if bias is None else bias.data, multiplier, shift]


def random_window(random, options, shape, taps, stride, dilation=(1, 1)):
    """Sets padding, stride and activation of the options; returns h and w of the output."""
    same = random.random() < 0.6
    out = [q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], same) for i in range(2)]
    if min(out) < 1:
        same, out = True, [q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], True) for i in range(2)]
    options.padding = schema.Padding.SAME if same else schema.Padding.VALID
    options.strideH, options.strideW = stride
    options.fusedActivationFunction = int(random.choice([0, 0, 1, 3]))
    return out


def random_dilation(random, options):
    dilation = [int(n) for n in (random.integers(1, 4, 2) if random.random() < 0.25 else (1, 1))]
    options.dilationHFactor, options.dilationWFactor = dilation
    return dilation


def random_constants(random, activation, weight, shape, axis, per_tensor=True, without_bias=0.2):
    """The input's scale, weights and bias (or None, so often) of a convolution, the channels along `axis`."""
    low, high = (-7, 8) if weight == "int4" else (-127, 128)
    wide = activation == "int16"
    channels = shape[axis]
    in_scale = np.float32(random.uniform(0.01, 0.1) / (256 if wide else 1))
    scales = random.uniform(0.001, 0.02, channels).astype(np.float32)
    if per_tensor and random.random() < 0.2:
        scales = scales[:1]
    weights = Tensor(shape, weight, scales, 0, axis, random.integers(low, high, shape).astype(np.int8))
    bias = None
    if random.random() >= without_bias:
        kind = "int64" if wide else "int32"
        bias = Tensor((channels,), kind, in_scale * scales, 0, 0,
                      random.integers(-20000, 20001, channels).astype(kind))
    return in_scale, weights, bias


def output_scale(random, depth, activation, weight):
    """So that most sums of so many products fit the output."""
    return np.float32(0.02 * depth ** 0.5 * random.uniform(0.3, 2) * ((8 if weight == "int4" else 128) / 128)
                      / (256 if activation == "int16" else 1))
