# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantize and dequantize: quantize_f32_s8, quantize_f32_s16, dequantize_s8_f32, dequantize_s16_f32,
requantize."""

import struct

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema

SHORT = {"int8": "s8", "int16": "s16"}
INTEGERS = {"int8": 0, "uint8": 1, "int16": 2, "int32": 3}


def float_bits(value):
    return struct.unpack("<i", struct.pack("<f", value))[0]


@converts("QUANTIZE")
def quantize(op):
    """params of float input: bits of the scale, zero point; of others: types, zero points, multiplier, shift."""
    image, out = op.inputs[0], op.output
    if image.type == "float32":
        return Case(f"quantize_f32_{SHORT[out.type]}", [float_bits(out.scale), out.zero_point], [image], out)
    multiplier, shift = q.quantize_multiplier(float(image.scale) / float(out.scale))
    return Case("requantize", [INTEGERS[image.type], INTEGERS[out.type], image.zero_point, out.zero_point,
                               multiplier, shift], [image], out)


@converts("DEQUANTIZE")
def dequantize(op):
    """params: bits of the scale, zero point."""
    image = op.inputs[0]
    return Case(f"dequantize_{SHORT[image.type]}_f32", [float_bits(image.scale), image.zero_point], [image],
                op.output)


def random_size(random, small, slow=False):
    return int(random.integers(1, 100 if small else int(random.choice([70, 300 if slow else 6000]))))


def random_scale(random):
    return np.float32(random.choice([0.1, 0.02, 1 / 64, random.uniform(0.001, 2), 10.0 ** random.uniform(-6, 6)]))


def random_quantize(random, small, kind):
    size = random_size(random, small, kind == "int16")
    limit = 128 if kind == "int8" else 32768
    scale, zero_point = random_scale(random), int(random.integers(-limit, limit)) if kind == "int8" else 0
    # Values of all sizes, and many next to the borders between two steps.
    values = (random.standard_normal(size) * limit * scale).astype(np.float32)
    steps = (random.integers(-2 * limit, 2 * limit, size) + np.float32(0.5)) * scale
    steps = (steps.astype(np.float32).view(np.int32) + random.integers(-2, 3, size).astype(np.int32)).view(np.float32)
    values = np.where(random.random(size) < 0.5, steps, values)
    tiny = np.float32(10.0) ** random.uniform(-40, 5, size).astype(np.float32)
    values = np.where(random.random(size) < 0.1, tiny * np.minimum(scale, 1), values).astype(np.float32)
    values = np.where(random.random(size) < 0.02, 0, values).astype(np.float32)
    image = Tensor((1, size), "float32")
    return (build("QUANTIZE", schema.QuantizeOptionsT(), [image], [Tensor((1, size), kind, scale, zero_point)], 2),
            [values.reshape(1, size)])


@generates("quantize_f32_s8")
def quantize_f32_s8(random, small):
    return random_quantize(random, small, "int8")


@generates("quantize_f32_s16")
def quantize_f32_s16(random, small):
    return random_quantize(random, small, "int16")


def random_dequantize(random, small, kind):
    size = random_size(random, small, kind == "int16")
    image = Tensor((1, size), kind, random_scale(random), int(random.integers(-128, 128)) if kind == "int8" else 0)
    return build("DEQUANTIZE", schema.DequantizeOptionsT(), [image], [Tensor((1, size), "float32")], 3)


@generates("dequantize_s8_f32")
def dequantize_s8_f32(random, small):
    return random_dequantize(random, small, "int8")


@generates("dequantize_s16_f32")
def dequantize_s16_f32(random, small):
    return random_dequantize(random, small, "int16")


@generates("requantize")
def requantize(random, small):
    kinds = [("int8", "int8"), ("int8", "uint8"), ("uint8", "int8"), ("uint8", "uint8"), ("int8", "int16"),
             ("int16", "int8"), ("int16", "int16"), ("int32", "int8"), ("int32", "int16")]
    source, target = kinds[int(random.integers(len(kinds)))]
    size = random_size(random, small)

    def zero_point(kind):
        return {"int8": int(random.integers(-128, 128)), "uint8": int(random.integers(0, 256))}.get(kind, 0)
    bits = {"int8": 8, "uint8": 8, "int16": 16, "int32": 32}
    scale = np.float32(random.uniform(0.01, 0.1))
    ratio = random.choice([1.0, random.uniform(0.2, 5)]) * 2.0 ** (bits[source] - bits[target])
    image = Tensor((1, size), source, scale, zero_point(source))
    output = Tensor((1, size), target, scale * np.float32(ratio), zero_point(target))
    return build("QUANTIZE", schema.QuantizeOptionsT(), [image], [output], 3)
