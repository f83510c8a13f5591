# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions: mean_s8, argmax_s8, argmin_s8."""

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema


@converts("MEAN")
def mean(op):
    """params: input zero point, output zero point, multiplier, shift, axes n h w c. tensors: input."""
    image = op.inputs[0]
    rank = len(image.shape)
    axes = [0] * 4
    for axis in np.atleast_1d(op.inputs[1].data):
        axes[4 - rank + int(axis) % rank] = 1
    multiplier, shift = q.quantize_multiplier(float(image.scale) / float(op.output.scale))
    return Case("mean_s8", [image.zero_point, op.output.zero_point, multiplier, shift, *axes], [image], op.output)


@converts("ARG_MAX", "ARG_MIN")
def arg(op):
    """params: outer, size, inner."""
    image = op.inputs[0]
    axis = int(np.atleast_1d(op.inputs[1].data)[0]) % len(image.shape)
    params = [int(np.prod(image.shape[:axis])), image.shape[axis], int(np.prod(image.shape[axis + 1:]))]
    return Case({"ARG_MAX": "argmax_s8", "ARG_MIN": "argmin_s8"}[op.code], params, [image], op.output)


def random_shape(random, small, rank):
    limit = 600 if small else int(random.choice([300, 3000, 30000]))
    while True:
        shape = [int(n) for n in random.integers(1, int(random.choice([4, 12, 30, 150])) + 1, rank)]
        if np.prod(shape) <= limit:
            return shape


@generates("mean_s8")
def mean_s8(random, small):
    rank = int(random.integers(1, 5))
    shape = random_shape(random, small, rank)
    axes = sorted(random.choice(rank, int(random.integers(1, rank + 1)), replace=False).tolist())
    if rank == 4 and random.random() < 0.4:
        axes = [1, 2]
    options = schema.ReducerOptionsT()
    options.keepDims = bool(random.random() < 0.7)
    out = [1 if i in axes else n for i, n in enumerate(shape) if options.keepDims or i not in axes]
    scale = np.float32(random.uniform(0.005, 0.1))
    image = Tensor(shape, "int8", scale, int(random.integers(-128, 128)))
    output = Tensor(out, "int8", scale * np.float32(random.choice([1, random.uniform(0.1, 2)])),
                    int(random.integers(-128, 128)))
    axis = Tensor([len(axes)], "int32", data=np.array(axes, np.int32))
    return build("MEAN", options, [image, axis], [output], 2)


def random_arg(random, small, code, options):
    rank = int(random.integers(1, 5))
    shape = random_shape(random, small, rank)
    axis = rank - 1 if random.random() < 0.5 else int(random.integers(rank))
    options.outputType = schema.TensorType.INT32
    image = Tensor(shape, "int8", np.float32(0.05), 3)
    output = Tensor(shape[:axis] + shape[axis + 1:], "int32")
    return build(code, options, [image, Tensor([1], "int32", data=np.array([axis], np.int32))], [output], 2)


@generates("argmax_s8")
def argmax_s8(random, small):
    return random_arg(random, small, "ARG_MAX", schema.ArgMaxOptionsT())


@generates("argmin_s8")
def argmin_s8(random, small):
    return random_arg(random, small, "ARG_MIN", schema.ArgMinOptionsT())
