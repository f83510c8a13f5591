# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Written cases (edge_cases.py) of the operators without weights: every value of a byte, zero points and scales at
their ends, rows of one element and of a few more than vectors hold, windows as large as the image, axes of extent 1."""

import numpy as np

from golden import written
from layout_cases import constant, like
from tflite_model import Tensor, build, schema
import windows

BYTES = np.arange(-128, 128).astype(np.int8)
# Around one and two vectors of 64 bytes, and their quarters.
LENGTHS = (1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 257)
ENDS = (-128, 127)


def int8(shape, scale=0.05, zero=0):
    return Tensor(shape, "int8", np.float32(scale), zero)


def drawn(shape, seed=1, kind="int8"):
    info = np.iinfo(kind)
    return np.random.default_rng(seed).integers(info.min, info.max + 1, shape).astype(kind)


def unary(code, options, name, scale, zero, out_scale, out_zero):
    """All 256 values."""
    return (name, build(code, options, [int8((1, 256), scale, zero)], [int8((1, 256), out_scale, out_zero)], 1),
            [BYTES.reshape(1, 256)])


def activations(code, scales, options=lambda: None):
    return [unary(code, options(), f"all bytes, scales {s:.3g} to {t:.3g}, zero points {z} {o}", s, z, t, o)
            for s, t in scales for z in (-128, 0, 127) for o in ENDS]


def leaky(alpha):
    options = schema.LeakyReluOptionsT()
    options.alpha = alpha
    return options


SCALES = ((0.05, 0.05), (0.05, 0.0001), (0.0001, 0.05), (4.0, 0.5), (2.0 ** -20, 2.0 ** -18))


@written("relu_s8")
def relu():
    return [case for code in ("RELU", "RELU6", "RELU_N1_TO_1") for case in activations(code, SCALES)]


@written("leaky_relu_s8")
def leaky_relu():
    return [case for alpha in (0.0, 0.01, 1.0, 1.7, -0.5)
            for case in activations("LEAKY_RELU", SCALES[:3], lambda alpha=alpha: leaky(alpha))]


@written("hard_swish_s8")
def hard_swish():
    return activations("HARD_SWISH", ((0.05, 0.05), (0.3, 0.05), (0.001, 0.001), (0.04, 0.002)),
                       schema.HardSwishOptionsT)


def sigmoids(code, out_scale, out_zero):
    return [unary(code, None, f"all bytes, scale {scale:.3g}, zero point {zero}", scale, zero, out_scale, out_zero)
            for scale in (1e-5, 0.01, 0.05, 0.25, 1.0, 30.0) for zero in (-128, 0, 127)]


@written("logistic_s8")
def logistic():
    return sigmoids("LOGISTIC", 1 / 256, -128)


@written("tanh_s8")
def tanh():
    return sigmoids("TANH", 1 / 128, 0)


def softmaxes(kind):
    def case(name, values, scale=0.1, beta=1.0):
        options = schema.SoftmaxOptionsT()
        options.beta = beta
        output = Tensor(values.shape, kind, *((np.float32(1 / 256), -128) if kind == "int8"
                                              else (np.float32(1 / 65536), -32768)))
        return name, build("SOFTMAX", options, [int8(values.shape, scale, 5)], [output], 2), [values]

    cases = [case(f"{length} values", drawn((3, length), length)) for length in LENGTHS]
    cases += [case(f"{length} equal values of {value}", np.full((1, length), value, np.int8))
              for length in (1, 2, 3, 64, 500) for value in (-128, 0, 127)]
    cases += [case(f"one peak among {length}", np.array([[127] + [-128] * (length - 1)], np.int8), scale)
              for length in (2, 65, 500) for scale in (0.001, 0.02, 0.05, 1.0)]
    cases += [case(f"all bytes, scale {scale:.3g}, beta {beta}", BYTES.reshape(1, 256), scale, beta)
              for scale in (1e-4, 0.004, 0.0625, 0.125, 1.0, 40.0) for beta in (0.01, 1.0, 10.0)]
    return cases + [case("100 rows of one value", drawn((100, 1)))]


for _operator, _kind in (("softmax_s8", "int8"), ("softmax_s8_s16", "int16")):
    written(_operator)(lambda kind=_kind: softmaxes(kind))


def pools(code, kind):
    low, high = np.iinfo(kind).min, np.iinfo(kind).max

    def case(name, shape, window, stride=(1, 1), same=False, value=None, function=0, zero=-3):
        options = schema.Pool2DOptionsT()
        options.padding = schema.Padding.SAME if same else schema.Padding.VALID
        options.strideH, options.strideW = stride
        options.filterHeight, options.filterWidth = window
        options.fusedActivationFunction = function
        out = [windows.q.output_size(shape[1 + i], window[i], stride[i], 1, same) for i in range(2)]
        quant = (np.float32(0.05), 0 if kind == "int16" else zero)
        values = drawn(shape, len(name), kind) if value is None else np.full(shape, value, kind)
        return (name, build(code, options, [Tensor(shape, kind, *quant)],
                            [Tensor((shape[0], *out, shape[3]), kind, *quant)], 3), [values])

    cases = [case(f"all {value}, window {window}", (1, 9, 9, 17), window, same=same, value=value)
             for value in (low, low + 1, -1, 1, high) for window in ((2, 2), (3, 3), (9, 9)) for same in (False, True)]
    cases += [case(f"{channels} channels", (1, 5, 4, channels), (3, 2), (2, 1), True) for channels in LENGTHS]
    cases += [case("window of one", (2, 3, 5, 7), (1, 1)), case("window of one, stride 3 x 2", (1, 7, 7, 5), (1, 1), (3, 2)),
              case("the whole image", (2, 13, 11, 6), (13, 11)), case("larger than the image, SAME", (1, 3, 2, 9), (7, 5), same=True),
              case("image of one pixel", (1, 1, 1, 33), (3, 3), same=True), case("stride above the window", (1, 17, 13, 4), (2, 1), (5, 4)),
              case("stride above the image", (1, 4, 3, 4), (3, 3), (9, 9), True), case("1 x N", (1, 1, 71, 3), (1, 5), (1, 2)),
              case("N x 1", (1, 71, 1, 3), (5, 1), (2, 1), True), case("16 x 16 window", (1, 16, 17, 2), (16, 16))]
    if kind == "int8":
        cases += [case(f"clamp {function}, zero point {zero}", (1, 4, 4, 20), (2, 2), (2, 2), False, None, function, zero)
                  for function in (1, 2, 3) for zero in (-128, 0, 127)]
    return cases


for _operator, _code, _kind in (("avg_pool_s8", "AVERAGE_POOL_2D", "int8"), ("max_pool_s8", "MAX_POOL_2D", "int8"),
                                ("avg_pool_s16", "AVERAGE_POOL_2D", "int16"), ("max_pool_s16", "MAX_POOL_2D", "int16")):
    written(_operator)(lambda code=_code, kind=_kind: pools(code, kind))


@written("mean_s8")
def mean():
    def case(name, shape, axes, value=None, scales=(0.05, 0.05), zeros=(3, -7), keep=True):
        options = schema.ReducerOptionsT()
        options.keepDims = keep
        out = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
        values = drawn(shape, len(name)) if value is None else np.full(shape, value, np.int8)
        return (name, build("MEAN", options, [int8(shape, scales[0], zeros[0]), constant(axes)],
                            [int8(out, scales[1], zeros[1])], 2), [values])

    cases = [case(f"all {value}, zero points {zeros}", (1, 7, 9, 18), [1, 2], value, zeros=zeros)
             for value in ENDS for zeros in ((-128, 127), (127, -128), (0, 0))]
    cases += [case(f"scales {scales}", (1, 5, 6, 20), [1, 2], scales=scales)
              for scales in ((0.05, 10.0), (0.05, 0.0005), (1.0, 2.0 ** -12), (2.0 ** -12, 1.0))]
    cases += [case(f"axes {axes} of {shape}", shape, axes, keep=keep)
              for shape in ((2, 3, 4, 65), (3, 1, 1, 2), (1, 1, 1, 1), (2, 17, 1, 16))
              for axes, keep in (([0], True), ([3], True), ([0, 3], True), ([1, 2], False), ([0, 1, 2], True), ([0, 1, 2, 3], True))]
    return cases + [case(f"{length} channels", (1, 3, 3, length), [1, 2]) for length in LENGTHS] + \
        [case(f"row of {length}", (2, length), [1]) for length in LENGTHS]


def args(code):
    def case(name, values, axis):
        options = getattr(schema, {"ARG_MAX": "ArgMax", "ARG_MIN": "ArgMin"}[code] + "OptionsT")()
        options.outputType = schema.TensorType.INT32
        shape = values.shape
        return (name, build(code, options, [int8(shape, 0.05, 3), constant([axis])],
                            [Tensor(shape[:axis] + shape[axis + 1:], "int32")], 2), [values])

    cases = [case(f"{length} equal values of {value}: the first", np.full((2, length), value, np.int8), 1)
             for length in LENGTHS for value in ENDS]
    cases += [case(f"the last of {length}", np.where(np.arange(length) == length - 1, last, other).astype(np.int8)[None], 1)
              for length in LENGTHS for last, other in ((127, -128), (-128, 127))]
    cases += [case(f"two equal ones among {length}", np.where(np.isin(np.arange(length), (length // 3, length - 1)), last, 0)
                   .astype(np.int8)[None], 1) for length in (3, 64, 65, 200) for last in ENDS]
    return cases + [case(f"axis {axis} of {shape}", np.clip(drawn(shape), -3, 3), axis)
                    for shape in ((5, 1, 7, 33), (1, 130, 2, 65), (4, 3, 1, 1)) for axis in range(4)]


for _operator, _code in (("argmax_s8", "ARG_MAX"), ("argmin_s8", "ARG_MIN")):
    written(_operator)(lambda code=_code: args(code))


@written("pad_s8")
def pad():
    def case(name, shape, pads, zero=-9, value=None):
        image = int8(shape, 0.05, zero)
        output = like(image, [n + sum(p) for n, p in zip(shape, pads)])
        if value is None:
            return name, build("PAD", schema.PadOptionsT(), [image, constant(pads)], [output], 2), [drawn(shape)]
        filler = Tensor([1], "int8", image.scale, zero, data=np.array([value], np.int8))
        return name, build("PADV2", schema.PadV2OptionsT(), [image, constant(pads), filler], [output], 2), [drawn(shape)]

    one = (1, 1, 1, 1)
    return [case("nothing", (2, 3, 4, 5), [[0, 0]] * 4), case("one element all round", one, [[1, 2], [3, 1], [2, 2], [5, 17]])] + \
        [case(f"{n} behind axis {axis}", (2, 3, 4, 5), [[0, n if i == axis else 0] for i in range(4)])
         for axis in range(4) for n in (1, 63, 64, 65)] + \
        [case(f"{n} before axis {axis}", (2, 3, 4, 5), [[n if i == axis else 0, 0] for i in range(4)])
         for axis in range(4) for n in (1, 64)] + \
        [case(f"value {value}", (1, 2, 3, 18), [[0, 0], [1, 1], [1, 1], [0, 3]], value=value) for value in ENDS] + \
        [case(f"zero point {zero}", (1, 2, 3, 18), [[0, 0], [1, 1], [1, 1], [0, 0]], zero) for zero in ENDS]


@written("concat_s8")
def concat():
    def case(name, shapes, axis):
        options = schema.ConcatenationOptionsT()
        options.axis = axis
        out = list(shapes[0])
        out[axis] = sum(shape[axis] for shape in shapes)
        return (name, build("CONCATENATION", options, [int8(shape) for shape in shapes], [int8(out)], 2),
                [drawn(shape, i) for i, shape in enumerate(shapes)])

    return [case(f"{length} and 1 channels", [(2, 3, length), (2, 3, 1)], 2) for length in LENGTHS] + \
        [case(f"axis {axis}", [tuple(n if i == axis else e for i, e in enumerate((2, 3, 5, 7))) for n in (1, 4, 2)], axis)
         for axis in range(4)] + [case("one input", [(3, 17)], 0), case("10 inputs of one element", [(1,)] * 10, 0)]


@written("reshape_s8")
def reshape():
    def case(length):
        options = schema.ReshapeOptionsT()
        options.newShape = [length, 1]
        return (f"{length} elements", build("RESHAPE", options, [int8((1, length)), constant([length, 1])],
                                            [int8((length, 1))], 1), [drawn((1, length))])
    return [case(length) for length in LENGTHS]


@written("transpose_s8")
def transpose():
    def case(shape, permutation):
        image = int8(shape)
        return (f"{shape} {permutation}", build("TRANSPOSE", schema.TransposeOptionsT(), [image, constant(permutation)],
                                                [like(image, [shape[p] for p in permutation])], 2), [drawn(shape)])
    return [case((rows, columns), (1, 0)) for rows, columns in
            ((1, 65), (65, 1), (16, 16), (15, 17), (17, 15), (64, 64), (63, 65), (2, 300), (300, 2), (4, 129))] + \
        [case((3, 5, 2, 17), p) for p in ((0, 1, 2, 3), (3, 2, 1, 0), (0, 2, 1, 3), (0, 3, 1, 2), (2, 0, 3, 1), (1, 0, 2, 3))] + \
        [case((1, 1, 1, 1), (3, 1, 0, 2)), case((1, 33, 1, 4), (3, 2, 1, 0))]


@written("strided_slice_s8")
def strided_slice():
    def case(name, shape, begins, ends, strides):
        options = schema.StridedSliceOptionsT()
        options.beginMask = options.endMask = options.ellipsisMask = options.newAxisMask = options.shrinkAxisMask = 0
        image = int8(shape)
        return (name, build("STRIDED_SLICE", options, [image, constant(begins), constant(ends), constant(strides)],
                            [like(image, shape)], 2), [drawn(shape)])

    return [case("everything", (2, 3, 4, 5), [0] * 4, [2, 3, 4, 5], [1] * 4),
            case("backwards", (2, 3, 4, 5), [1, 2, 3, 4], [-3, -4, -5, -6], [-1] * 4),
            case("one element", (2, 3, 4, 5), [1, 2, 3, 4], [2, 3, 4, 5], [1] * 4),
            case("stride above the extent", (3, 9), [1, 2], [3, 9], [7, 50]),
            case("backwards by 4", (2, 131), [1, 130], [-3, -132], [-1, -4])] + \
        [case(f"{length} of 300", (2, 300), [0, 17], [2, 17 + length], [1, 1]) for length in LENGTHS] + \
        [case(f"every {step}th of 131", (1, 131), [0, 1], [1, 131], [1, step]) for step in (2, 3, 4, 16, 63, 64, 65, 130)]


@written("resize_nearest_s8")
def resize():
    def case(shape, size, align, half):
        options = schema.ResizeNearestNeighborOptionsT()
        options.alignCorners, options.halfPixelCenters = align, half
        image = int8(shape)
        return (f"{shape[1:3]} to {size}, {'corners' if align else 'centers' if half else 'plain'}",
                build("RESIZE_NEAREST_NEIGHBOR", options, [image, constant(size)], [like(image, (shape[0], *size, shape[3]))], 2),
                [drawn(shape)])
    return [case((1, *extent, channels), size, align, half)
            for align, half in ((False, False), (True, False), (False, True))
            for extent, size, channels in (((1, 1), (5, 7), 3), ((5, 7), (1, 1), 3), ((3, 4), (3, 4), 17), ((2, 3), (33, 34), 2),
                                           ((33, 34), (2, 3), 2), ((4, 4), (8, 8), 64), ((1, 40), (1, 13), 1), ((7, 1), (64, 1), 5))]


def float_values(scale, zero, kind):
    """Borders between steps and their neighbours, ends, and values far beyond them."""
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    steps = np.unique(np.concatenate([np.arange(-130, 131), [low, low + 1, high - 1, high, low - zero, high - zero]]))
    borders = (steps.astype(np.float32) + np.float32(0.5)) * scale
    near = [np.nextafter(borders, np.float32(to)) for to in (-np.inf, np.inf)]
    extremes = np.array([0.0, -0.0, 1e-45, -1e-45, 1.17549435e-38, 1e30, -1e30, 3.4e38, -3.4e38], np.float32)
    return np.concatenate([borders, *near, steps.astype(np.float32) * scale, extremes]).astype(np.float32)[None]


def quantizes(kind):
    def case(scale, zero):
        values = float_values(np.float32(scale), zero, kind)
        with np.errstate(over="ignore"):  # TFLite rounds to int32: what does not fit is not defined
            values = values[np.abs(values / np.float32(scale)) < 2.0 ** 30][None]
        return (f"borders of steps, scale {scale:.3g}, zero point {zero}",
                build("QUANTIZE", schema.QuantizeOptionsT(), [Tensor(values.shape, "float32")],
                      [Tensor(values.shape, kind, np.float32(scale), zero)], 2), [values])
    return [case(scale, zero) for scale in (0.1, 1.0, 1 / 64, 1e-6, 1e6, 0.3)
            for zero in ((-128, 0, 127) if kind == "int8" else (0,))]


def dequantizes(kind):
    values = BYTES[None] if kind == "int8" else np.concatenate(
        [np.arange(-32768, -32700), np.arange(-5, 6), np.arange(32700, 32768)]).astype(np.int16)[None]
    return [(f"scale {scale:.3g}, zero point {zero}",
             build("DEQUANTIZE", schema.DequantizeOptionsT(), [Tensor(values.shape, kind, np.float32(scale), zero)],
                   [Tensor(values.shape, "float32")], 3), [values])
            for scale in (0.1, 1.0, 1e-30, 1e30, 2.0 ** -100) for zero in ((-128, 0, 127) if kind == "int8" else (0,))]


for _kind, _short in (("int8", "s8"), ("int16", "s16")):
    written(f"quantize_f32_{_short}")(lambda kind=_kind: quantizes(kind))
    written(f"dequantize_{_short}_f32")(lambda kind=_kind: dequantizes(kind))


@written("requantize")
def requantize():
    def case(source, target, ratio, zeros):
        info = np.iinfo(source)
        values = np.arange(info.min, info.max + 1) if info.bits == 8 else np.unique(np.concatenate(
            [info.min + np.arange(40), np.arange(-40, 41), info.max - np.arange(40), drawn(100, 3, source).astype(np.int64)]))
        values = values.astype(source)[None]
        return (f"{source} to {target}, ratio {ratio:.3g}, zero points {zeros}",
                build("QUANTIZE", schema.QuantizeOptionsT(), [Tensor(values.shape, source, np.float32(ratio), zeros[0])],
                      [Tensor(values.shape, target, np.float32(1), zeros[1])], 3), [values])

    bytes_ = [case(source, target, ratio, (low + z, high - o))
              for source, low in (("int8", -128), ("uint8", 0)) for target, high in (("int8", 127), ("uint8", 255))
              for ratio in (1.0, 0.5, 1 / 300, 3.7) for z, o in ((0, 0), (255, 255), (128, 100))]
    return bytes_ + [case(source, target, ratio, (0, zero))
                     for source, target, zero in (("int8", "int16", 0), ("int16", "int8", -128), ("int16", "int8", 127),
                                                  ("int16", "int16", 0), ("int32", "int8", 5), ("int32", "int16", 0))
                     for ratio in (1.0, 0.5, 2.0 ** -8, 2.0 ** -16, 2.0 ** -24, 1.3, 100.0)]


@written("minimum_s8")
def minimum():
    return extremes("MINIMUM")


@written("maximum_s8")
def maximum():
    return extremes("MAXIMUM")


def extremes(code):
    def case(name, a, b):
        shape = np.broadcast_shapes(a.shape, b.shape)
        return (name, build(code, schema.MaximumMinimumOptionsT(), [int8(a.shape), int8(b.shape)], [int8(shape)], 2), [a, b])
    return [case("all pairs of bytes", BYTES[:, None], BYTES[None])] + \
        [case(f"{length} with one value", drawn((1, length)), np.full((1, 1), value, np.int8)) for length in LENGTHS for value in ENDS] + \
        [case(f"broadcast {a} {b}", drawn(a, 1), drawn(b, 2))
         for a, b in (((2, 1, 5, 1), (1, 3, 1, 17)), ((1, 1, 1, 65), (2, 3, 4, 65)), ((2, 3, 4, 1), (2, 3, 4, 33)), ((1,), (3, 70)))]
