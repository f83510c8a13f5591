# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that move elements: pad_s8, concat_s8, reshape_s8, transpose_s8, strided_slice_s8,
resize_nearest_s8."""

import numpy as np

from golden import Case, converts, generates
from tflite_model import Tensor, build, schema


def four(values, fill):
    """With `fill` in front for the dimensions that a tensor lacks."""
    values = [int(v) for v in values]
    return [fill] * (4 - len(values)) + values


@converts("PAD", "PADV2")
def pad(op):
    """params: before n h w c, after n h w c, value."""
    pads = np.asarray(op.inputs[1].data).reshape(-1, 2)
    value = op.inputs[0].zero_point if len(op.inputs) == 2 else int(op.inputs[2].data.reshape(-1)[0])
    return Case("pad_s8", four(pads[:, 0], 0) + four(pads[:, 1], 0) + [value], [op.inputs[0]], op.output)


@converts("CONCATENATION")
def concat(op):
    """params: axis of four."""
    rank = len(op.output.shape)
    return Case("concat_s8", [4 - rank + op.options.axis % rank], op.inputs, op.output)


@converts("RESHAPE")
def reshape(op):
    return Case("reshape_s8", [], [op.inputs[0]], op.output)


@converts("TRANSPOSE")
def transpose(op):
    """params: permutation of four."""
    permutation = [int(p) for p in op.inputs[1].data]
    missing = 4 - len(permutation)
    return Case("transpose_s8", [*range(missing), *(missing + p for p in permutation)], [op.inputs[0]],
                op.output)


@converts("STRIDED_SLICE")
def strided_slice(op):
    """params: begin n h w c, stride n h w c, output n h w c with the dimensions that the slice drops."""
    image, begins, ends, strides = op.inputs
    o = op.options
    begin, extent, stride = [], [], []
    for axis, size in enumerate(image.shape):
        step = int(strides.data[axis])
        forward = step > 0
        first, last = int(begins.data[axis]), int(ends.data[axis])
        if o.shrinkAxisMask >> axis & 1:
            first, last, step = first % size, first % size + 1, 1
        else:
            low, high = (0, size) if forward else (-1, size - 1)
            if o.beginMask >> axis & 1:
                first = 0 if forward else size - 1
            else:
                first = min(max(first + size if first < 0 else first, low), high)
            if o.endMask >> axis & 1:
                last = size if forward else -1
            else:
                last = min(max(last + size if last < 0 else last, low), high)
        begin.append(first)
        stride.append(step)
        extent.append(max(0, -(-(last - first) // step)))
    return Case("strided_slice_s8", four(begin, 0) + four(stride, 1) + four(extent, 1), [image], op.output)


@converts("RESIZE_NEAREST_NEIGHBOR")
def resize(op):
    """params: align corners, half pixel centers."""
    return Case("resize_nearest_s8", [op.options.alignCorners, op.options.halfPixelCenters], [op.inputs[0]],
                op.output)


def random_shape(random, small, rank, extents=(3, 9, 20, 70)):
    limit = 500 if small else int(random.choice([300, 3000, 30000]))
    while True:
        shape = [int(n) for n in random.integers(1, int(random.choice(extents)) + 1, rank)]
        if np.prod(shape) <= limit:
            return shape


def int8_tensor(random, shape):
    return Tensor(shape, "int8", np.float32(0.05), int(random.integers(-128, 128)))


def constant(values):
    values = np.asarray(values, np.int32)
    return Tensor(values.shape, "int32", data=values)


def like(tensor, shape):
    return Tensor(shape, tensor.type, tensor.scale, tensor.zero_point)


@generates("pad_s8")
def pad_s8(random, small):
    rank = int(random.integers(1, 5))
    image = int8_tensor(random, random_shape(random, small, rank))
    pads = random.integers(0, 4, (rank, 2)) * (random.random((rank, 2)) < 0.7)
    output = like(image, [n + int(sum(p)) for n, p in zip(image.shape, pads)])
    if random.random() < 0.5:
        return build("PAD", schema.PadOptionsT(), [image, constant(pads)], [output], 2)
    value = Tensor([1], "int8", image.scale, image.zero_point, data=random.integers(-128, 128, 1).astype(np.int8))
    return build("PADV2", schema.PadV2OptionsT(), [image, constant(pads), value], [output], 2)


@generates("concat_s8")
def concat_s8(random, small):
    rank = int(random.integers(1, 5))
    shape = random_shape(random, small, rank)
    axis = int(random.integers(rank))
    options = schema.ConcatenationOptionsT()
    options.axis = axis - rank if random.random() < 0.3 else axis
    first = int8_tensor(random, shape)
    inputs = [first]
    for _ in range(int(random.integers(0, 5))):
        inputs.append(like(first, [int(random.integers(1, 20)) if i == axis else n for i, n in enumerate(shape)]))
    out = list(shape)
    out[axis] = sum(t.shape[axis] for t in inputs)
    return build("CONCATENATION", options, inputs, [like(first, out)], 2)


@generates("reshape_s8")
def reshape_s8(random, small):
    image = int8_tensor(random, random_shape(random, small, 3))
    a, b, c = image.shape
    options = schema.ReshapeOptionsT()
    options.newShape = [a * c, b]
    return build("RESHAPE", options, [image, constant([a * c, b])], [like(image, [a * c, b])], 1)


@generates("transpose_s8")
def transpose_s8(random, small):
    rank = int(random.integers(2, 5))
    image = int8_tensor(random, random_shape(random, small, rank, (5, 20, 70, 200)))
    permutation = random.permutation(rank)
    return build("TRANSPOSE", schema.TransposeOptionsT(), [image, constant(permutation)],
                 [like(image, [image.shape[p] for p in permutation])], 2)


@generates("strided_slice_s8")
def strided_slice_s8(random, small):
    rank = int(random.integers(1, 5))
    image = int8_tensor(random, random_shape(random, small, rank))
    strides = random.choice([1, 1, 1, 2, 3, -1, -2], rank)
    begins, ends = np.zeros(rank, np.int64), np.zeros(rank, np.int64)
    for axis, size in enumerate(image.shape):
        low, high = sorted(random.integers(0, size, 2))
        begins[axis], ends[axis] = (low, high + 1) if strides[axis] > 0 else (high, low - 1)
        if ends[axis] < 0:
            ends[axis] = -size - 1
        elif random.random() < 0.3:
            begins[axis] -= size
    options = schema.StridedSliceOptionsT()
    options.beginMask, options.endMask = (int(m) for m in random.integers(0, 1 << rank, 2))
    options.ellipsisMask = options.newAxisMask = options.shrinkAxisMask = 0
    if random.random() < 0.3:
        axis = int(random.integers(rank))
        strides[axis] = 1
        options.shrinkAxisMask = 1 << axis
        if options.beginMask >> axis & 1:
            options.beginMask ^= 1 << axis
    # The interpreter derives the output's shape.
    return build("STRIDED_SLICE", options, [image, constant(begins), constant(ends), constant(strides)],
                 [like(image, image.shape)], 2)


@generates("resize_nearest_s8")
def resize_nearest_s8(random, small):
    shape = random_shape(random, small, 4, (4, 12, 20))
    if random.random() < 0.5:
        factor = int(random.integers(1, 4))
        size = [shape[1] * factor, shape[2] * factor]
    else:
        size = [int(n) for n in random.integers(1, 30, 2)]
    if shape[0] * size[0] * size[1] * shape[3] > 40000:
        shape[3] = 1
    options = schema.ResizeNearestNeighborOptionsT()
    kind = int(random.integers(3))
    options.alignCorners, options.halfPixelCenters = kind == 1, kind == 2
    image = int8_tensor(random, shape)
    return build("RESIZE_NEAREST_NEIGHBOR", options, [image, constant(size)],
                 [like(image, [shape[0], *size, shape[3]])], 2)
