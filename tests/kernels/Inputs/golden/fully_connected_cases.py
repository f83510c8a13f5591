# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fully connected: fully_connected_s8, fully_connected_s4, fully_connected_s16."""

import math

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema

NAMES = {("int8", "int8"): "fully_connected_s8", ("int8", "int4"): "fully_connected_s4",
         ("int16", "int8"): "fully_connected_s16"}


@converts("FULLY_CONNECTED")
def fully_connected(op):
    """params: batches, inputs, outputs, input offset, output offset, clamp min max.
    tensors: input, filter [c_out, c_in], bias (may be empty), scales, one for each output."""
    values, weights = op.inputs[0], op.inputs[1]
    bias = op.inputs[2] if len(op.inputs) > 2 else None
    outputs, inputs = weights.shape
    scales = q.channel_scales(values.scale, weights.scales, op.output.scale, outputs)
    params = [int(np.prod(values.shape)) // inputs, inputs, outputs, -values.zero_point,
              op.output.zero_point, *q.activation_range(op.options.fusedActivationFunction, op.output)]
    return Case(NAMES[values.type, weights.type], params,
                [values, weights, None if bias is None else bias.data, scales], op.output,
                scratch=q.some_scratch(values))


def random_fully_connected(random, small, activation="int8", weight="int8"):
    batches = int(random.choice([1, 1, int(random.integers(2, 20))]))
    inputs = int(random.integers(1, 60 if small else 300))
    outputs = int(random.integers(1, 40 if small else 200))
    if not small and activation == "int8" and random.random() < 0.25:  # tiles of many rows, whose inputs come in parts
        batches, inputs = int(random.integers(16, 300)), int(random.integers(30, 1100))
    symmetric = activation == "int16"
    low, high = (-7, 8) if weight == "int4" else (-127, 128)
    factor = 256 if symmetric else 1
    in_scale = np.float32(random.uniform(0.01, 0.1) / factor)
    scales = random.uniform(0.001, 0.02, outputs if random.random() < 0.4 else 1).astype(np.float32)
    # A scale so small that shifts are above 0 now and then.
    out_scale = np.float32(0.02 * math.sqrt(inputs) * random.uniform(0.3, 2) * high / 128 / factor *
                           (0.0005 if random.random() < 0.1 else 1))
    values = Tensor((batches, inputs), activation, in_scale, 0 if symmetric else int(random.integers(-128, 128)))
    weights = Tensor((outputs, inputs), weight, scales, 0, 0,
                     random.integers(low, high, (outputs, inputs)).astype(np.int8))
    bias = None
    if random.random() < 0.8:
        kind = "int64" if symmetric else "int32"
        bias = Tensor((outputs,), kind, in_scale * scales, 0, 0,
                      random.integers(-20000, 20001, outputs).astype(kind))
    output = Tensor((batches, outputs), activation, out_scale,
                    0 if symmetric else int(random.integers(-128, 128)))
    options = schema.FullyConnectedOptionsT()
    options.fusedActivationFunction = int(random.choice([0, 0, 1, 3]))
    return build("FULLY_CONNECTED", options, [values, weights, bias], [output])


@generates("fully_connected_s8")
def fully_connected_s8(random, small):
    return random_fully_connected(random, small)


@generates("fully_connected_s4")
def fully_connected_s4(random, small):
    return random_fully_connected(random, small, weight="int4")


@generates("fully_connected_s16")
def fully_connected_s16(random, small):
    return random_fully_connected(random, small, activation="int16")


def rounding_shift(values, bits):
    return (values + (1 << (bits - 1))) >> bits


@generates("fully_connected_s4_block")
def fully_connected_s4_block(random, small):
    """A scale for each output and 32 inputs: TFLite has no integer kernel of it, so this is the formula of
    npu/fully_connected.h. tensors: input, filter, bias, multipliers, shifts, scales [c_out, c_in / 32]."""
    batches = int(random.choice([1, 1, int(random.integers(2, 20))]))
    blocks = int(random.integers(1, 4 if small else 12))
    outputs = int(random.integers(1, 40 if small else 100))
    values = random.integers(-128, 128, (batches, 32 * blocks)).astype(np.int64)
    weights = random.integers(-8, 8, (outputs, 32 * blocks)).astype(np.int64)
    scales = random.integers(0, 32768, (outputs, blocks)).astype(np.int64)
    bias = random.integers(-20000, 20001, outputs).astype(np.int64)
    offset, out_offset = int(random.integers(-127, 129)), int(random.integers(-128, 128))
    low, high = int(random.integers(-128, -60)), int(random.integers(60, 128))
    multiplier = random.integers(1 << 30, 1 << 31, outputs).astype(np.int64)
    shift = random.integers(-14, -9, outputs).astype(np.int64)
    shift[random.random(outputs) < 0.1] = int(random.integers(-2, 3))

    parts = np.einsum("bjk,ojk->boj", values.reshape(batches, blocks, 32), weights.reshape(outputs, blocks, 32))
    sums = (scales * weights.reshape(outputs, blocks, 32).sum(2)).sum(1)
    acc = bias + rounding_shift(offset * sums, 8) + rounding_shift(parts * scales, 8).sum(2)
    product = acc * multiplier
    scaled = (product - (product < 0) + (1 << (30 - shift))) >> (31 - shift)  # halves away from zero
    scaled = scaled.astype(np.int32).astype(np.int64)  # of 32 bits, as all results
    expected = np.clip(scaled + out_offset, low, high).astype(np.int8)
    packed = Tensor((outputs, 32 * blocks), "int4", data=weights.astype(np.int8))
    return Case("fully_connected_s4_block", [batches, 32 * blocks, outputs, offset, out_offset, low, high],
                [values.astype(np.int8), packed, bias.astype(np.int32), multiplier.astype(np.int32),
                 shift.astype(np.int32), scales.astype(np.int16)], expected, scratch=(0, 4 << 10, 30 << 10)[blocks % 3])
