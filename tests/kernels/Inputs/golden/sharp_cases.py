# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Written cases (edge_cases.py) whose results lie at a half, exactly or by less than 2^-35 of it, where TFLite's ways
to scale a sum (a double, a multiplier of 31 or 15 bits, one rounding or two) give different bytes: who computes in
another way than the operator's kernel fails here, and so does a runtime whose kernels have changed."""

import numpy as np

from golden import written
from tflite_model import Tensor, build, schema

LIMITS = {"int8": (-128, 127), "int16": (-32768, 32767)}
SPREAD = 256  # outputs of a case
# Scales of input and output: quotients that end after some bits or never, and floats of no short form.
SCALES = ((1, 6), (1, 10), (1, 254), (0.1, 14), (0.03, 0.7), (1, 90090), (0.0123, 0.3))


def sharpest(in_scale, out_scale, kind, random):
    """Scales of weights, and for each the sum up to 2^26 (2^40 for int16) whose result lies nearest to a half, of both
    signs by turns."""
    scales = np.concatenate([np.arange(1, 400, 2) / 16, random.uniform(0.0001, 0.01, 3000)]).astype(np.float32)
    results = np.arange(1, 121) if kind == "int8" else np.unique(np.concatenate(
        [np.arange(1, 400), random.integers(1, 32768, 300)]))
    real = np.longdouble(in_scale) * scales.astype(np.longdouble) / np.longdouble(out_scale)
    halves = (results[None] - np.longdouble(0.5)) / real[:, None]
    sums = np.rint(halves)
    far = np.where((sums < 1) | (sums > 2.0 ** (26 if kind == "int8" else 40)), 1, np.abs(sums - halves) / halves)
    best = far.argmin(1)
    rows = np.argsort(far[np.arange(len(scales)), best])[:SPREAD]
    return scales[rows], sums[rows, best[rows]].astype(np.int64) * np.where(np.arange(SPREAD) % 2, 1, -1)


def layer(code, name, activation, weight, in_scale, out_scale, scales, sums):
    """A layer with an input of zeros, whose sums are its biases."""
    in_scale, out_scale, n = np.float32(in_scale), np.float32(out_scale), len(sums)
    bias = Tensor((n,), "int64" if activation == "int16" else "int32", in_scale * scales, 0, 0,
                  sums.astype("int64" if activation == "int16" else "int32"))

    def one(shape):
        return Tensor(shape, activation, in_scale, 0)

    def filled(shape, axis=0):
        return Tensor(shape, weight, scales, 0, axis, np.ones(shape, np.int8))

    out = Tensor((1, 1, 1, n), activation, out_scale, 0)
    if code == "FULLY_CONNECTED":
        image, out = one((3, 5)), Tensor((3, n), activation, out_scale, 0)
        options, inputs = schema.FullyConnectedOptionsT(), [image, filled((n, 5)), bias]
    elif code == "DEPTHWISE_CONV_2D":
        image, options = one((1, 1, 1, n)), schema.DepthwiseConv2DOptionsT()
        options.depthMultiplier = 1
        inputs = [image, filled((1, 1, 1, n), 3), bias]
    elif code == "CONV_2D":
        image, options = one((1, 1, 1, 3)), schema.Conv2DOptionsT()
        inputs = [image, filled((n, 1, 1, 3)), bias]
    else:
        image, options = one((1, 1, 1, 3)), schema.TransposeConvOptionsT()
        sizes = Tensor((4,), "int32", data=np.array(out.shape, np.int32))
        inputs = [sizes, filled((n, 1, 1, 3)), image, bias]
    if code != "FULLY_CONNECTED":
        options.strideH = options.strideW = 1
    return (name, build(code, options, inputs, [out], version=4 if code == "TRANSPOSE_CONV" else 5),
            [np.zeros(image.shape, activation)])


def layers(code, activation, weight):
    random = np.random.default_rng([*(code + activation + weight).encode()])
    cases = [layer(code, f"halves, scales {i} {o}", activation, weight, i, o, *sharpest(np.float32(i), np.float32(o), activation, random))
             for i, o in SCALES]
    # One scale: successive sums, some of which are halves but for the rounding of the quotient.
    cases += [layer(code, f"successive sums, scale 1 / {out}", activation, weight, 1, out, np.ones(1 if one else 700, np.float32),
                    np.arange(-350, 350)) for out in (6, 10, 14, 22, 2) for one in (True, False)[:1 if code == "TRANSPOSE_CONV" else 2]]
    return cases


for _operator, _code, _activation, _weight in (
        ("conv_s8", "CONV_2D", "int8", "int8"), ("conv_s4", "CONV_2D", "int8", "int4"), ("conv_s16", "CONV_2D", "int16", "int8"),
        ("depthwise_conv_s8", "DEPTHWISE_CONV_2D", "int8", "int8"), ("depthwise_conv_s4", "DEPTHWISE_CONV_2D", "int8", "int4"),
        ("depthwise_conv_s16", "DEPTHWISE_CONV_2D", "int16", "int8"), ("transpose_conv_s8", "TRANSPOSE_CONV", "int8", "int8"),
        ("fully_connected_s8", "FULLY_CONNECTED", "int8", "int8"), ("fully_connected_s4", "FULLY_CONNECTED", "int8", "int4"),
        ("fully_connected_s16", "FULLY_CONNECTED", "int16", "int8")):
    written(_operator)(lambda row=(_code, _activation, _weight): layers(*row))


def int8(shape, scale, zero=0, kind="int8"):
    return Tensor(shape, kind, np.float32(scale), zero)


@written("batch_matmul_s8")
def batch_matmul_s8():
    """Sums 127 x + y: the left operand is a row of 127 and a last 1."""
    random = np.random.default_rng(5)

    def case(left, right, out):
        real = np.longdouble(left) * np.longdouble(right) / np.longdouble(out)
        sums = np.rint((np.arange(1, 121) - np.longdouble(0.5)) / real).astype(np.int64)
        sums = np.concatenate([sums, -sums, np.arange(-40, 41)])
        last = (sums + 63) % 127 - 63
        whole = (sums - last) // 127
        depth = int(np.abs(whole).max()) // 127 + 2
        columns = np.stack([np.clip(whole - 127 * i * np.sign(whole), -127, 127) *
                            (np.abs(whole) > 127 * i) for i in range(depth - 1)] + [last])
        tensors = [int8((2, depth), left), int8((depth, len(sums)), right)]
        values = np.full((2, depth), 127, np.int8)
        values[:, -1] = 1
        return (f"halves, scales {left:.3g} {right:.3g} {out:.3g}",
                build("BATCH_MATMUL", schema.BatchMatMulOptionsT(), tensors, [int8((2, len(sums)), out)], version=2),
                [values, columns.astype(np.int8)])

    scales = random.uniform(0.001, 0.02, 2000).astype(np.float32)
    real = np.longdouble(0.1) * scales.astype(np.longdouble) / np.longdouble(12)
    halves = (np.arange(1, 121)[None] - np.longdouble(0.5)) / real[:, None]
    rows = np.argsort((np.abs(np.rint(halves) - halves) / halves).min(1))[:6]
    return [case(np.float32(0.1), scales[row], np.float32(12)) for row in rows] + \
        [case(np.float32(1), np.float32(1), np.float32(out)) for out in (6, 10, 254, 1000, 90090)]


ALL = np.arange(-128, 128).astype(np.int8)


def pairs(code):
    """All pairs of bytes."""
    def case(a, b, out, zeros=(0, 0, 0)):
        options = getattr(schema, {"ADD": "Add", "SUB": "Sub", "MUL": "Mul"}[code] + "OptionsT")()
        return (f"all pairs, scales {a} {b} {out}, zero points {zeros}",
                build(code, options, [int8((256, 1), a, zeros[0]), int8((1, 256), b, zeros[1])],
                      [int8((256, 256), out, zeros[2])], 2), [ALL[:, None], ALL[None]])

    scales = ((1, 1, 2), (1, 1, 6), (3, 1, 10), (0.1, 0.3, 0.7), (1, 0.5, 2.5), (0.0123, 0.0456, 0.0789))
    if code == "MUL":  # the last ones: where the multiplier is other than this one if products are not of floats
        scales = ((1, 1, 128), (1, 1, 6), (1, 3, 254), (0.1, 0.3, 4), (1, 0.5, 90), (0.0123, 0.0456, 0.0789),
                  *(tuple(float.fromhex(x) for x in row.split()) for row in (
                      "0x1.8c06fep-4 0x1.3eae3ep-4 0x1.b53368p-1", "0x1.27cc94p-4 0x1.5c0cdp-4 0x1.671c78p-1",
                      "0x1.97348ep-4 0x1.896446p-4 0x1.f93da8p-1", "0x1.14c40ep-5 0x1.8d0f08p-4 0x1.8498aep-2")))
    return [case(*row) for row in scales] + [case(*scales[1], (-128, 127, 3)), case(*scales[3], (5, -7, -128))]


for _code in ("ADD", "SUB", "MUL"):
    written(_code.lower() + "_s8")(lambda code=_code: pairs(code))

# Quotients of scales for which sums of a few bits are halves, and floats of no short form.
QUOTIENTS = ((1, 2), (1, 4), (3, 2), (1, 6), (5, 6), (3, 10), (7, 10), (1, 14), (9, 14), (0.1, 0.3), (0.3, 0.2), (0.07, 0.1), (0.0123, 0.0456))


def bytes_to(code, options, quotients, kind="int8"):
    return [(f"all bytes, scales {scale} {out}, zero points {zero} {out_zero}",
             build(code, options(), [int8((1, 256), scale, zero)], [int8((1, 256), out, out_zero, kind)], 1),
             [ALL[None]])
            for scale, out in quotients for zero, out_zero in ((0, 0), (-128, 5))]


def leaky(alpha):
    options = schema.LeakyReluOptionsT()
    options.alpha = alpha
    return options


@written("relu_s8")
def relu_s8():
    return [case for code in ("RELU", "RELU6") for case in bytes_to(code, lambda: None, QUOTIENTS)]


@written("leaky_relu_s8")
def leaky_relu_s8():
    return [case for alpha in (0.5, 0.1, 1 / 6, -0.25)
            for case in bytes_to("LEAKY_RELU", lambda alpha=alpha: leaky(alpha), QUOTIENTS)]


@written("hard_swish_s8")
def hard_swish_s8():
    return bytes_to("HARD_SWISH", schema.HardSwishOptionsT, QUOTIENTS + tuple((3 / 128 * n, 1 / 16) for n in range(1, 9)))


@written("logistic_s8")
def logistic_s8():
    return [(f"all bytes, scale {scale:.4g}", build("LOGISTIC", None, [int8((1, 256), scale, zero)],
                                                    [int8((1, 256), 1 / 256, -128)], 1), [ALL[None]])
            for scale in np.geomspace(0.001, 8, 40) for zero in (0, -128)]


@written("tanh_s8")
def tanh_s8():
    return [(f"all bytes, scale {scale:.4g}", build("TANH", None, [int8((1, 256), scale, zero)],
                                                    [int8((1, 256), 1 / 128, 0)], 1), [ALL[None]])
            for scale in np.geomspace(0.001, 8, 40) for zero in (0, -128)]


@written("mean_s8")
def mean_s8():
    """Every sum of so many bytes, less the zero point; of many, every seventh."""
    def case(count, in_scale, out_scale, zeros):
        sums = np.arange(-128 * count, 127 * count + 1)[::1 if count < 16 else 7]
        values = np.stack([(sums + i) // count for i in range(count)])  # adds up to the sums
        options = schema.ReducerOptionsT()
        options.keepDims = True
        axes = Tensor([2], "int32", data=np.array([1, 2], np.int32))
        return (f"sums of {count}, scales {in_scale} {out_scale}, zero points {zeros}",
                build("MEAN", options, [int8((1, count, 1, len(sums)), in_scale, zeros[0]), axes],
                      [int8((1, 1, 1, len(sums)), out_scale, zeros[1])], 2),
                [values.reshape(1, count, 1, -1).astype(np.int8)])
    return [case(count, a, b, zeros) for count in (2, 3, 4, 6, 9, 10, 49)
            for (a, b), zeros in zip(((1, 1), (1, 2), (1, 6), (0.1, 0.3), (0.0123, 0.0456), (3, 2)),
                                     ((0, 0), (3, -5), (0, 0), (-128, 127), (7, 0), (127, -128)))]


def averages(kind):
    """Sums of so many values, all of them for bytes."""
    def case(count):
        low, high = LIMITS[kind]
        if kind == "int8":
            sums = np.arange(low * count, high * count + 1)
        else:
            near = (np.arange(-300, 300) * count // 2)
            sums = np.concatenate([near, near + 1, near - 1, low * count + np.arange(200), high * count - np.arange(200)])
        values = np.stack([(sums + i) // count for i in range(count)])
        options = schema.Pool2DOptionsT()
        options.padding, options.strideH, options.strideW = schema.Padding.VALID, 1, 1
        options.filterHeight, options.filterWidth = count, 1
        return (f"sums of {count}",
                build("AVERAGE_POOL_2D", options, [int8((1, count, 1, len(sums)), 0.1, 0, kind)],
                      [int8((1, 1, 1, len(sums)), 0.1, 0, kind)], 3), [values.reshape(1, count, 1, -1).astype(kind)])
    return [case(count) for count in (2, 3, 4, 5, 6, 7, 9, 12, 16, 25, 49)]


for _kind, _short in (("int8", "s8"), ("int16", "s16")):
    written(f"avg_pool_{_short}")(lambda kind=_kind: averages(kind))


def softmaxes(kind):
    def case(scale, beta, values):
        options = schema.SoftmaxOptionsT()
        options.beta = beta
        out = (1 / 256, -128, kind) if kind == "int8" else (1 / 65536, -32768, kind)
        return (f"pairs and tails, scale {scale:.4g}, beta {beta:.3g}",
                build("SOFTMAX", options, [int8(values.shape, scale)], [int8(values.shape, *out)], 2), [values])

    pairs_ = np.stack([np.full(256, 127), np.arange(-128, 128)], 1).astype(np.int8)
    tails = np.stack([np.minimum(127, np.arange(-128, 128) + i) for i in (0, 0, 1, 3, 17, 200)], 1).astype(np.int8)
    return [case(scale, beta, values) for scale in np.geomspace(0.002, 1, 16) for beta in (1.0, 1 / 3)
            for values in (pairs_, tails)]


for _kind, _short in (("int8", "softmax_s8"), ("int16", "softmax_s8_s16")):
    written(_short)(lambda kind=_kind: softmaxes(kind))


@written("requantize")
def requantize():
    def case(source, target, in_scale, out_scale):
        real = np.longdouble(np.float32(in_scale)) / np.longdouble(np.float32(out_scale))
        info = np.iinfo(source)
        results = np.arange(1, 700) if target != "int16" else np.concatenate([np.arange(1, 400), np.arange(32300, 32768)])
        sums = np.rint((results - np.longdouble(0.5)) / real)
        sums = np.concatenate([sums, -sums, sums - 1, 1 - sums])
        values = np.unique(sums[(sums >= info.min) & (sums <= info.max)]).astype(source)[None]
        zero = 100 if target == "uint8" else 0
        return (f"{source} to {target}, halves, scales {in_scale:.4g} {out_scale:.4g}",
                build("QUANTIZE", schema.QuantizeOptionsT(), [int8(values.shape, in_scale, 0, source)],
                      [int8(values.shape, out_scale, zero, target)], 3), [values])
    random = np.random.default_rng(3)
    return [case(source, target, a, b * 2.0 ** bits)
            for source, target, bits in (("int8", "int8", 0), ("int8", "uint8", 0), ("uint8", "int8", 0), ("int16", "int8", 8),
                                         ("int16", "int16", 0), ("int32", "int8", 16), ("int32", "int16", 12), ("int8", "int16", 0))
            for a, b in QUOTIENTS[:8] + tuple(random.uniform(0.01, 0.1, (4, 2)))]
