# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposed convolution: transpose_conv_s8."""

import numpy as np

import quantization as q
import windows
from golden import Case, converts, generates
from tflite_model import Tensor, build, random_values, schema


@converts("TRANSPOSE_CONV")
def transpose_conv(op):
    """params: stride h w, padding h w, input offset, output offset, clamp min max. tensors: input, filter
    [c_out, kh, kw, c_in], bias (may be empty), multipliers, shifts."""
    weights, image = op.inputs[1], op.inputs[2]
    bias = op.inputs[3] if len(op.inputs) > 3 else None
    o, out = op.options, op.output
    same = o.padding == schema.Padding.SAME
    # As of the convolution that this one is the transpose of.
    before = [q.padding_before(out.shape[1 + axis], weights.shape[1 + axis], stride, 1, same)
              for axis, stride in enumerate([o.strideH, o.strideW])]
    multiplier, shift = q.per_channel_multipliers(image.scale, weights.scales, out.scale, weights.shape[0])
    params = [o.strideH, o.strideW, *before, -image.zero_point, out.zero_point,
              *q.activation_range(o.fusedActivationFunction, out)]
    return Case("transpose_conv_s8", params,
                [image, weights, None if bias is None else bias.data, multiplier, shift], out,
                scratch=q.some_scratch(image))


@generates("transpose_conv_s8")
def transpose_conv_s8(random, small):
    extent = 6 if small else int(random.choice([4, 8, 14]))
    channels, outputs = (int(n) for n in random.integers(1, 14 if small else 40, 2))
    taps = [int(n) for n in random.choice([1, 2, 3, 3, 4, 5], 2)]
    stride = [int(n) for n in random.choice([1, 2, 2, 3], 2)]
    shape = (int(random.integers(1, 3)), *(int(n) for n in random.integers(1, extent + 1, 2)), channels)
    same = random.random() < 0.5
    out = []
    for axis in range(2):
        if same:  # any size whose convolution gives the input's
            out.append(shape[1 + axis] * stride[axis] - int(random.integers(0, stride[axis])))
        else:
            out.append((shape[1 + axis] - 1) * stride[axis] + taps[axis] +
                       int(random.integers(0, stride[axis])) * int(random.random() < 0.3))
    options = schema.TransposeConvOptionsT()
    options.padding = schema.Padding.SAME if same else schema.Padding.VALID
    options.strideH, options.strideW = stride
    options.fusedActivationFunction = int(random.choice([0, 0, 1, 3]))

    in_scale, weights, bias = windows.random_constants(random, "int8", "int8", (outputs, *taps, channels), 0,
                                                       per_tensor=False)
    depth = channels * max(1, taps[0] * taps[1] // (stride[0] * stride[1]))
    image = Tensor(shape, "int8", in_scale, int(random.integers(-128, 128)))
    out_shape = (shape[0], *out, outputs)
    shape_tensor = Tensor((4,), "int32", data=np.array(out_shape, np.int32))
    output = Tensor(out_shape, "int8", windows.output_scale(random, depth, "int8", "int8"), int(random.integers(-128, 128)))
    return (build("TRANSPOSE_CONV", options, [shape_tensor, weights, image, bias], [output], version=4),
            [random_values(random, shape, "int8")])
