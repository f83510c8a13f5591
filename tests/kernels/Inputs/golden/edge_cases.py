# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Written cases: layers at the ends of what values, quantization and geometry may be. `@written(OPERATOR)` gives
a list of (description, model, feeds) that run behind the random cases of the operator."""

import numpy as np

import windows
from golden import written
from tflite_model import Tensor, build, schema

IN_SCALE, OUT_SCALE = np.float32(2.0 ** -6), np.float32(2.0 ** -4)
INT32_MIN, INT32_MAX = -2 ** 31, 2 ** 31 - 1
ENDS = {"int8": (-128, 127), "int16": (-32768, 32767), "int4": (-8, 7)}
NONE, RELU, RELU_N1_TO_1, RELU6 = range(4)


def fill(what, shape, kind, random):
    """An array: `what` is a value, "ends" (both ends of the type by chance), or None for random values."""
    low, high = ENDS[kind]
    if what is None:
        values = random.integers(low, high + 1, shape)
    elif isinstance(what, str):
        values = np.where(random.random(shape) < 0.5, low, high)
    else:
        values = np.full(shape, min(max(what, low), high))
    return values.astype("int16" if kind == "int16" else "int8")


class Layer:
    """A layer with weights. ratio: the real multiplier, a number or one for each of the channels, in
    turn; bias: numbers in turn, or None; values and weights: see fill."""

    def __init__(self, name, activation="int8", weight="int8", values=None, weights=None, zero=3, out_zero=-5,
                 ratio=2.0 ** -12, bias=(1000, -77), function=NONE, per_tensor=False, **geometry):
        self.name, self.activation, self.weight = name, activation, weight
        self.values, self.weights, self.function = values, weights, function
        wide = activation == "int16"
        self.zero, self.out_zero = (0, 0) if wide else (zero, out_zero)
        self.ratio = np.atleast_1d(ratio).astype(np.float64) * (2.0 ** -4 if wide else 1)
        self.bias, self.per_tensor, self.geometry = bias, per_tensor, geometry
        self.random = np.random.default_rng([*name.encode()])

    def tensors(self, shape, filter_shape, axis, out_shape):
        """input, filter, bias, output; and the feed."""
        channels = filter_shape[axis]
        scales = np.resize(self.ratio * (OUT_SCALE / IN_SCALE), 1 if self.per_tensor else channels).astype(np.float32)
        weights = Tensor(filter_shape, self.weight, scales, 0, axis,
                         fill(self.weights, filter_shape, self.weight, self.random))
        bias = None
        if self.bias is not None:
            kind = "int64" if self.activation == "int16" else "int32"
            bias = Tensor((channels,), kind, IN_SCALE * scales, 0, 0, np.resize(np.array(self.bias, kind), channels))
        image = Tensor(shape, self.activation, IN_SCALE, self.zero)
        output = Tensor(out_shape, self.activation, OUT_SCALE, self.out_zero)
        return image, weights, bias, output, fill(self.values, shape, self.activation, self.random)


def quantization_rows(activation, weight, depth):
    """Arguments of Layer for a window of `depth` products."""
    int4, wide = weight == "int4", activation == "int16"
    low, high = ENDS[weight]
    fits = 100.0 / (depth * 255 * 128) * (16 if int4 else 1)
    rows = [dict(name=f"weights {w}, inputs {v}, zero point {z}", weights=w, values=v, zero=z, ratio=fits)
            for w in (low, low + 1, high) for v in ENDS[activation] for z in ((0,) if wide else (-128, 0, 127))]
    rows += [dict(name=f"weights and inputs at their ends, zero points {z} {o}", weights="ends", values="ends",
                  zero=z, out_zero=o, ratio=fits * 4) for z, o in ((-128, 127), (127, -128))]
    rows += [dict(name=f"clamp of one value, {function}", out_zero=127, function=function)
             for function in (RELU, RELU6)]
    rows += [dict(name=f"clamp {function}, zero point {o}", out_zero=o, function=function)
             for function in (RELU, RELU_N1_TO_1, RELU6) for o in (-128, 126)]
    rows += [dict(name="multipliers 0", ratio=2.0 ** -34),
             dict(name="one scale for the tensor", per_tensor=True),
             dict(name="scales 2^20 apart", ratio=(2.0 ** -22, 2.0 ** -2 * 0.999, 2.0 ** -12, 2.0 ** -17 * 1.3)),
             dict(name="right shifts by 31", ratio=(1.5 * 2.0 ** -32, 1.999 * 2.0 ** -32, 2.0 ** -32, 2.0 ** -31),
                  bias=(INT32_MAX, INT32_MIN, INT32_MAX - 70000, INT32_MIN + 70000)),
             dict(name="right shifts by 25 to 30", ratio=[1.7 * 2.0 ** -n for n in range(26, 31)],
                  bias=(INT32_MAX - 1000, INT32_MIN + 1000, 1 << 30, -(1 << 30), 1 << 25)),
             dict(name="halves to round", weights=1, values="ends", zero=0, out_zero=0, ratio=(0.5, 0.25, 0.125),
                  bias=(1, -1, 2, -2, 3, -3, 5))]
    if wide:
        rows += [dict(name="bias of 44 bits", bias=((1 << 43) - 1, -(1 << 43), 1 << 35, -(1 << 35)),
                      ratio=(2.0 ** -24, 1.4 * 2.0 ** -25)),
                 dict(name="left shifts", weights=1, values=3, ratio=(2.0 ** 3, 2.0 ** 7, 1.7 * 2.0 ** 9),
                      bias=(-40, 7, 0))]
    else:
        rows += [dict(name="bias at the ends of int32: sums wrap",
                      bias=(INT32_MAX, INT32_MIN, INT32_MAX - 5, INT32_MIN + 5), ratio=(2.0 ** -24, 1.9 * 2.0 ** -25)),
                 dict(name="scales above 1", ratio=(1, 1.5, 2, 7.3, 100, 2.0 ** 12)),
                 dict(name="scales above 1, small sums", weights=1, values=1, zero=0,
                      bias=(-60, 5, 0, 1, -1), ratio=(1.1, 2, 3.7, 15, 40)),
                 dict(name="left shifts by 20 to 29", weights=0, bias=(1, -1, 0), ratio=[1.3 * 2.0 ** n for n in (19, 22, 25, 28)])]
    return [{**row, "activation": activation, "weight": weight} for row in rows]


def convolution(shape, taps, outputs=21, groups=1, stride=(1, 1), dilation=(1, 1), same=True, multiplier=None, **row):
    """A convolution; a depthwise one if a channel multiplier is given."""
    layer = Layer(**row)
    depthwise = multiplier is not None
    options = schema.DepthwiseConv2DOptionsT() if depthwise else schema.Conv2DOptionsT()
    options.padding = schema.Padding.SAME if same else schema.Padding.VALID
    options.strideH, options.strideW = stride
    options.dilationHFactor, options.dilationWFactor = dilation
    options.fusedActivationFunction = layer.function
    if depthwise:
        outputs = shape[3] * multiplier
        options.depthMultiplier = multiplier
    out = [windows.q.output_size(shape[1 + i], taps[i], stride[i], dilation[i], same) for i in range(2)]
    filter_shape = (1, *taps, outputs) if depthwise else (outputs, *taps, shape[3] // groups)
    image, weights, bias, output, feed = layer.tensors(shape, filter_shape, 3 if depthwise else 0,
                                                       (shape[0], *out, outputs))
    return (row["name"], build("DEPTHWISE_CONV_2D" if depthwise else "CONV_2D", options, [image, weights, bias],
                               [output]), [feed])


# Geometry of convolutions and depthwise ones.
WINDOWS = [
    dict(name="one pixel from all", shape=(1, 5, 4, 9), taps=(5, 4), same=False),
    dict(name="window larger than the image, SAME", shape=(1, 2, 3, 6), taps=(7, 5)),
    dict(name="image of one pixel, 7 x 7 window", shape=(2, 1, 1, 17), taps=(7, 7)),
    dict(name="dilation 9, padding beyond the image", shape=(1, 5, 4, 5), taps=(3, 3), dilation=(9, 9)),
    dict(name="dilation 120, image of one line", shape=(1, 1, 9, 3), taps=(3, 2), dilation=(120, 2)),
    dict(name="stride above the window", shape=(1, 13, 17, 7), taps=(2, 1), stride=(5, 4), same=False),
    dict(name="stride above the image", shape=(2, 3, 4, 5), taps=(3, 3), stride=(7, 9)),
    dict(name="stride 1 x 3 on 1 x N", shape=(1, 1, 61, 4), taps=(1, 3), stride=(1, 3)),
    dict(name="N x 1", shape=(1, 67, 1, 3), taps=(3, 1), stride=(2, 1)),
    dict(name="1 x 1 of 1 channel", shape=(1, 1, 1, 1), taps=(1, 1)),
    dict(name="1 channel", shape=(1, 6, 7, 1), taps=(3, 3)),
    dict(name="batches of odd images", shape=(5, 3, 3, 11), taps=(2, 2)),
    dict(name="33 channels", shape=(1, 4, 5, 33), taps=(1, 1)),
    dict(name="line of 17 taps", shape=(1, 2, 20, 3), taps=(1, 17)),
    dict(name="column of 17 taps", shape=(1, 20, 2, 3), taps=(17, 1)),
]


def wrapping(activation, **layer):
    """Scales that shift sums out of int32, where TFLite's convolutions wrap."""
    return [] if activation == "int16" else [
        convolution(name="left shifts by 20 to 31 of large sums", activation=activation,
                    ratio=[1.3 * 2.0 ** n for n in (19, 22, 25, 28, 30)], **layer)]


def convolutions(activation, weight):
    kind = dict(activation=activation, weight=weight)
    cases = [convolution(shape=(1, 3, 4, 19), taps=(3, 3), **row) for row in quantization_rows(activation, weight, 171)]
    cases += wrapping(shape=(1, 3, 4, 19), taps=(3, 3), **kind)
    cases += [convolution(**row, **kind) for row in WINDOWS]
    # Odd counts: nibbles of one filter begin in the middle of a byte.
    cases += [convolution(name=f"{c} to {n} channels", shape=(1, 4, 3, c), taps=taps, outputs=n, **kind)
              for c, n, taps in ((1, 1, (3, 3)), (3, 1, (1, 1)), (5, 17, (3, 3)), (15, 15, (1, 3)), (16, 16, (1, 1)),
                                 (17, 33, (1, 1)), (31, 2, (2, 2)))]
    if activation == "int8":
        cases += [convolution(name=f"{groups} groups, {c} to {n} channels", shape=(1, 4, 3, c), taps=(3, 2), outputs=n,
                              groups=groups, **kind)
                  for groups, c, n in ((7, 7, 7), (5, 5, 15), (3, 9, 51), (2, 34, 6), (16, 16, 16))]
    return cases


def depthwise(activation, weight):
    kind = dict(activation=activation, weight=weight)
    cases = [convolution(shape=(1, 5, 4, 19), taps=(3, 3), multiplier=1, **row)
             for row in quantization_rows(activation, weight, 9)]
    cases += wrapping(shape=(1, 5, 4, 19), taps=(3, 3), multiplier=1, **kind)
    cases += [convolution(**row, **kind, multiplier=1) for row in WINDOWS]
    cases += [convolution(name=f"channel multiplier {m} of {c}", shape=(2, 4, 5, c), taps=(3, 2), stride=(1, 2),
                          multiplier=m, **kind)
              for m, c in ((2, 1), (2, 17), (3, 5), (4, 16), (5, 3), (6, 1), (7, 7), (8, 2), (9, 5), (33, 1))]
    return cases


def fully_connected(activation, weight):
    def layer(batches=3, inputs=37, outputs=19, **row):
        made = Layer(**row)
        options = schema.FullyConnectedOptionsT()
        options.fusedActivationFunction = made.function
        image, weights, bias, output, feed = made.tensors((batches, inputs), (outputs, inputs), 0, (batches, outputs))
        return row["name"], build("FULLY_CONNECTED", options, [image, weights, bias], [output]), [feed]

    kind = dict(activation=activation, weight=weight)
    cases = [layer(**row) for row in quantization_rows(activation, weight, 37)]
    cases += [layer(name="no bias", bias=None, **kind)]
    cases += [layer(name=f"{b} x {i} to {o}", batches=b, inputs=i, outputs=o, **kind)
              for b, i, o in ((1, 1, 1), (1, 1, 40), (1, 200, 1), (2, 15, 17), (17, 16, 16), (129, 3, 5), (1, 33, 31),
                              (1, 257, 65), (17, 544, 40), (64, 1030, 49), (140, 300, 50))]
    return cases


def transposed(**row):
    shape, taps, outputs, stride = row.pop("shape"), row.pop("taps"), row.pop("outputs", 7), row.pop("stride", (2, 2))
    same = row.pop("same", True)
    layer = Layer(**row)
    options = schema.TransposeConvOptionsT()
    options.padding = schema.Padding.SAME if same else schema.Padding.VALID
    options.strideH, options.strideW = stride
    options.fusedActivationFunction = layer.function
    out = [shape[1 + i] * stride[i] if same else (shape[1 + i] - 1) * stride[i] + taps[i] for i in range(2)]
    out_shape = (shape[0], *out, outputs)
    image, weights, bias, output, feed = layer.tensors(shape, (outputs, *taps, shape[3]), 0, out_shape)
    sizes = Tensor((4,), "int32", data=np.array(out_shape, np.int32))
    return row["name"], build("TRANSPOSE_CONV", options, [sizes, weights, image, bias], [output], version=4), [feed]


@written("transpose_conv_s8")
def transpose_conv_s8():
    cases = [transposed(shape=(1, 3, 4, 13), taps=(3, 3), **row) for row in quantization_rows("int8", "int8", 39)]
    return cases + [transposed(**row) for row in (
        dict(name="one pixel to 5 x 4", shape=(1, 1, 1, 9), taps=(5, 4), same=False),
        dict(name="window below the stride: pixels without a product", shape=(1, 3, 4, 5), taps=(2, 1), stride=(3, 4),
             same=False),
        dict(name="window below the stride, SAME", shape=(2, 3, 4, 5), taps=(1, 1), stride=(2, 3)),
        dict(name="stride 1", shape=(1, 5, 3, 17), taps=(3, 3), stride=(1, 1)),
        dict(name="1 x N", shape=(1, 1, 33, 3), taps=(1, 4), stride=(1, 2)),
        dict(name="N x 1", shape=(1, 33, 1, 3), taps=(4, 1), stride=(2, 1)),
        dict(name="1 channel to 1", shape=(1, 4, 4, 1), taps=(3, 3), outputs=1),
        dict(name="33 channels to 33", shape=(1, 3, 3, 33), taps=(2, 2), outputs=33),
        dict(name="stride 7", shape=(1, 2, 2, 6), taps=(9, 8), stride=(7, 7)))]


@written("batch_matmul_s8")
def batch_matmul_s8():
    def product(name, m=5, k=37, n=19, left=None, right=None, zeros=(3, -7, 5), ratio=2.0 ** -12, batch=(), adjoint=(False, False)):
        random = np.random.default_rng([*name.encode()])
        options = schema.BatchMatMulOptionsT()
        options.adjX, options.adjY = adjoint
        lhs = Tensor((*batch, *((k, m) if adjoint[0] else (m, k))), "int8", IN_SCALE, zeros[0])
        rhs = Tensor((*batch, *((n, k) if adjoint[1] else (k, n))), "int8", np.float32(ratio * OUT_SCALE / IN_SCALE), zeros[1])
        output = Tensor((*batch, m, n), "int8", OUT_SCALE, zeros[2])
        return (name, build("BATCH_MATMUL", options, [lhs, rhs], [output], version=2),
                [fill(left, lhs.shape, "int8", random), fill(right, rhs.shape, "int8", random)])

    cases = [product(f"lhs {a}, rhs {b}, zero points {z}", left=a, right=b, zeros=z, ratio=60 / (37 * 65536))
             for a in (-128, 127) for b in (-128, 127) for z in ((-128, -128, 0), (127, -128, 127), (0, 127, -128))]
    cases += [product(f"ratio {ratio:.3g}", left="ends", right="ends", ratio=ratio)
              for ratio in (2.0 ** -32, 2.0 ** -26 * 1.7, 0.5, 1.0, 3.3, 2.0 ** 12, 2.0 ** 28)]
    cases += [product(f"{m} x {k} x {n} {adjoint}", m, k, n, adjoint=adjoint)
              for m, k, n in ((1, 1, 1), (1, 70, 1), (40, 1, 3), (1, 1, 50), (129, 5, 17), (3, 16, 16), (16, 17, 1))
              for adjoint in ((False, False), (True, True))]
    return cases + [product("7 batches", batch=(7,)), product("3 x 2 batches of one row", m=1, batch=(3, 2))]


def binary(code):
    def case(name, a, b, zeros, scales, function=NONE, shape=(3, 70)):
        random = np.random.default_rng([*name.encode()])
        options = getattr(schema, {"ADD": "Add", "SUB": "Sub", "MUL": "Mul"}[code] + "OptionsT")()
        options.fusedActivationFunction = function
        tensors = [Tensor(shape, "int8", np.float32(scale), zero) for scale, zero in zip(scales, zeros)]
        return (name, build(code, options, tensors[:2], tensors[2:], 2),
                [fill(what, shape, "int8", random) for what in (a, b)])

    ends, equal = (-128, 127), (0.05, 0.05, 0.05)
    cases = [case(f"{a}, {b}, zero points {z}", a, b, z, equal)
             for a in ends for b in ends for z in ((-128, 127, 0), (127, -128, 127), (127, 127, -128))]
    # The sum's scale is of 2^20 at most below the inputs': PrepareGeneralSubOp wants a multiplier below 1.
    cases += [case(f"scales {scales}", None, None, (-128, 127, 3), scales)
              for scales in ((1, 2.0 ** -20, 0.5), (2.0 ** -20, 1, 1), (1, 1, 2.0 ** 10), (1, 0.3, 2.0 ** -10),
                             (2.0 ** -7, 2.0 ** -7, 2.0 ** -14))]
    cases += [case(f"clamp {function}, zero point {o}", None, None, (0, 0, o), equal, function)
              for function in (RELU, RELU_N1_TO_1, RELU6) for o in (-128, 127)]
    return cases + [case("one element", None, None, (0, 0, 0), equal, shape=(1,)),
                    case("66 elements", None, None, (0, 0, 0), equal, shape=(66,))]


for _operator, _make, _kind in (("conv_s8", convolutions, ("int8", "int8")), ("conv_s4", convolutions, ("int8", "int4")),
                                ("conv_s16", convolutions, ("int16", "int8")),
                                ("depthwise_conv_s8", depthwise, ("int8", "int8")),
                                ("depthwise_conv_s4", depthwise, ("int8", "int4")),
                                ("depthwise_conv_s16", depthwise, ("int16", "int8")),
                                ("fully_connected_s8", fully_connected, ("int8", "int8")),
                                ("fully_connected_s4", fully_connected, ("int8", "int4")),
                                ("fully_connected_s16", fully_connected, ("int16", "int8"))):
    written(_operator)(lambda make=_make, kind=_kind: make(*kind))
for _code in ("ADD", "SUB", "MUL"):
    written(_code.lower() + "_s8")(lambda code=_code: binary(code))
