# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operators of two tensors: add_s8, sub_s8, mul_s8, minimum_s8, maximum_s8."""

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema

ADD_LEFT_SHIFT = 20


@converts("ADD", "SUB")
def add(op):
    """PrepareGeneralSubOp. params: input offsets, output offset, multiplier and shift of input 1, input 2,
    output, clamp min max. tensors: the inputs."""
    a, b = op.inputs
    twice_max = 2 * max(float(a.scale), float(b.scale))
    params = [-a.zero_point, -b.zero_point, op.output.zero_point]
    for real in (float(a.scale) / twice_max, float(b.scale) / twice_max,
                 twice_max / ((1 << ADD_LEFT_SHIFT) * float(op.output.scale))):
        params += q.quantize_multiplier(real)
    params += q.activation_range(op.options.fusedActivationFunction, op.output)
    return Case({"ADD": "add_s8", "SUB": "sub_s8"}[op.code], params, [a, b], op.output)


@converts("MUL")
def mul(op):
    """params: input offsets, output offset, multiplier, shift, clamp min max. tensors: the inputs."""
    a, b = op.inputs
    real = float(a.scale * b.scale / op.output.scale)  # in float
    return Case("mul_s8", [-a.zero_point, -b.zero_point, op.output.zero_point, *q.quantize_multiplier(real),
                           *q.activation_range(op.options.fusedActivationFunction, op.output)],
                [a, b], op.output)


@converts("MINIMUM", "MAXIMUM")
def extremum(op):
    return Case({"MINIMUM": "minimum_s8", "MAXIMUM": "maximum_s8"}[op.code], [], op.inputs, op.output)


def random_shapes(random, small):
    """Shapes of the inputs and the output: equal, a scalar, channels, or any broadcast of 1 to 4 dimensions."""
    rank = int(random.integers(1, 5))
    limit = 300 if small else int(random.choice([40, 2000, 20000]))
    while True:
        out = [int(n) for n in random.integers(1, int(random.choice([4, 12, 70])) + 1, rank)]
        if random.random() < 0.2:
            out = [*[1] * (rank - 1), int(random.integers(1, limit + 1))]
        if np.prod(out) <= limit:
            break
    a, b = list(out), list(out)
    kind = random.integers(4)
    if kind == 1:
        b = [1] * int(random.integers(0, rank + 1))
    elif kind == 2:
        b = out[-1:]
    elif kind == 3:
        for axis in range(rank):
            side = random.integers(3)
            if side < 2:
                (a, b)[side][axis] = 1
    if random.random() < 0.5:
        a, b = b, a
    return a, b, out


def random_scale(random):
    return np.float32(random.choice([0.02, 0.05, 0.05, 1 / 64, random.uniform(0.001, 0.2)]))


def random_tensor(random, shape):
    return Tensor(shape, "int8", random_scale(random), int(random.integers(-128, 128)))


def random_binary(random, small, code, options, output_scale):
    a_shape, b_shape, out_shape = random_shapes(random, small)
    a, b = random_tensor(random, a_shape), random_tensor(random, b_shape)
    output = random_tensor(random, out_shape)
    if output_scale:
        output.scales = np.atleast_1d(np.float32(output_scale(a, b) * random.uniform(0.3, 2)))
    else:
        b.scales, b.zero_points = a.scales, a.zero_points
        output.scales, output.zero_points = a.scales, a.zero_points
    if options is not None:
        options.fusedActivationFunction = int(random.choice([0, 0, 1, 2, 3]))
    return build(code, options, [a, b], [output], 2)


@generates("add_s8")
def add_s8(random, small):
    return random_binary(random, small, "ADD", schema.AddOptionsT(), lambda a, b: max(a.scale, b.scale))


@generates("sub_s8")
def sub_s8(random, small):
    return random_binary(random, small, "SUB", schema.SubOptionsT(), lambda a, b: max(a.scale, b.scale))


@generates("mul_s8")
def mul_s8(random, small):
    return random_binary(random, small, "MUL", schema.MulOptionsT(), lambda a, b: a.scale * b.scale * 64)


@generates("minimum_s8")
def minimum_s8(random, small):
    return random_binary(random, small, "MINIMUM", schema.MaximumMinimumOptionsT(), None)


@generates("maximum_s8")
def maximum_s8(random, small):
    return random_binary(random, small, "MAXIMUM", schema.MaximumMinimumOptionsT(), None)
