# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes convolution cases with the outputs of TFLite's reference kernels: CASE_N.bin for conv_layer.c
and EXPECTED_N.bin. Run by the interpreter that has ai-edge-litert: tflite_cases.py FOLDER"""

import math
import pathlib
import struct
import sys

import flatbuffers
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

# Numbers of the TFLite schema.
INT32, INT8 = 2, 9
CONV_2D, CONV_2D_OPTIONS = 3, 1
SAME, VALID = 0, 1

# name, input, filter [c_out, kh, kw, c_in], padding, stride, dilation
CASES = [
    ("first layer", (1, 17, 23, 3), (16, 3, 3, 3), SAME, (1, 1), (1, 1)),
    ("strided", (1, 16, 15, 3), (20, 3, 3, 3), SAME, (2, 2), (1, 1)),
    ("pointwise", (1, 9, 8, 33), (40, 1, 1, 33), VALID, (1, 1), (1, 1)),
    ("wide window", (2, 11, 14, 8), (5, 5, 4, 8), SAME, (1, 2), (1, 1)),
    ("dilated", (1, 13, 13, 5), (7, 3, 3, 5), SAME, (1, 1), (2, 3)),
    ("dense", (1, 7, 7, 64), (64, 3, 3, 64), VALID, (1, 1), (1, 1)),
]


class ModelBuilder:
    """A .tflite file of one convolution, table by table."""

    def __init__(self):
        self.b = flatbuffers.Builder(1 << 16)

    def table(self, *fields):
        """fields: (slot, kind, value); kind 'offset' or the name of a scalar type."""
        self.b.StartObject(max(slot for slot, _, _ in fields) + 1)
        for slot, kind, value in fields:
            if kind == "offset":
                self.b.PrependUOffsetTRelativeSlot(slot, value, 0)
            else:
                getattr(self.b, f"Prepend{kind}Slot")(slot, value, None)
        return self.b.EndObject()

    def offsets(self, values):
        self.b.StartVector(4, len(values), 4)
        for value in reversed(values):
            self.b.PrependUOffsetTRelative(value)
        return self.b.EndVector()

    def array(self, values, dtype):
        return self.b.CreateNumpyVector(np.asarray(values, dtype=dtype))

    def data(self, values):
        raw = self.b.CreateNumpyVector(np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8))
        return self.table((0, "offset", raw))

    def tensor(self, name, shape, kind, buffer, scales, zero_points, dimension=0):
        quantization = self.table((2, "offset", self.array(scales, np.float32)),
                                  (3, "offset", self.array(zero_points, np.int64)),
                                  (6, "Int32", dimension))
        return self.table((0, "offset", self.array(shape, np.int32)), (1, "Int8", kind),
                          (2, "Uint32", buffer), (3, "offset", self.b.CreateString(name)),
                          (4, "offset", quantization))

    def model(self, case, output_shape, quant, weights, bias):
        _, in_shape, filter_shape, padding, stride, dilation = case
        channels = filter_shape[0]
        buffers = [self.table((0, "offset", self.array([], np.uint8))), self.data(weights), self.data(bias)]
        tensors = [
            self.tensor("input", in_shape, INT8, 0, [quant["in"][0]], [quant["in"][1]]),
            self.tensor("filter", filter_shape, INT8, 1, quant["weights"], [0] * channels),
            self.tensor("bias", (channels,), INT32, 2, quant["in"][0] * quant["weights"],
                        [0] * channels),
            self.tensor("output", output_shape, INT8, 0, [quant["out"][0]], [quant["out"][1]]),
        ]
        options = self.table((0, "Int8", padding), (1, "Int32", stride[1]), (2, "Int32", stride[0]),
                             (3, "Int8", 0), (4, "Int32", dilation[1]), (5, "Int32", dilation[0]))
        operator = self.table((0, "Uint32", 0), (1, "offset", self.array([0, 1, 2], np.int32)),
                              (2, "offset", self.array([3], np.int32)),
                              (3, "Uint8", CONV_2D_OPTIONS), (4, "offset", options))
        subgraph = self.table((0, "offset", self.offsets(tensors)),
                              (1, "offset", self.array([0], np.int32)),
                              (2, "offset", self.array([3], np.int32)),
                              (3, "offset", self.offsets([operator])))
        code = self.table((0, "Int8", CONV_2D), (2, "Int32", 3), (3, "Int32", CONV_2D))
        root = self.table((0, "Uint32", 3), (1, "offset", self.offsets([code])),
                          (2, "offset", self.offsets([subgraph])),
                          (4, "offset", self.offsets(buffers)))
        self.b.Finish(root, b"TFL3")
        return bytes(self.b.Output())


def quantize_multiplier(real):
    """TFLite's QuantizeMultiplier: real = multiplier * 2^(shift - 31)."""
    fraction, shift = math.frexp(real)
    multiplier = int(math.floor(fraction * (1 << 31) + 0.5))
    if multiplier == 1 << 31:
        multiplier, shift = multiplier // 2, shift + 1
    return (0, 0) if shift < -31 else (multiplier, shift)


def window(taps, dilation):
    return (taps - 1) * dilation + 1


def extents(case):
    """Output lines and columns, and the padding in front of them."""
    _, in_shape, filter_shape, padding, stride, dilation = case
    out, before = [], []
    for axis in range(2):
        size, step = in_shape[1 + axis], stride[axis]
        taps = window(filter_shape[1 + axis], dilation[axis])
        if padding == SAME:
            count = -(-size // step)
            before.append(max((count - 1) * step + taps - size, 0) // 2)
        else:
            count = (size - taps) // step + 1
            before.append(0)
        out.append(count)
    return out, before


def main():
    folder = pathlib.Path(sys.argv[1])
    random = np.random.default_rng(2024)
    for number, case in enumerate(CASES):
        _, in_shape, filter_shape, _, stride, dilation = case
        out, before = extents(case)
        channels = filter_shape[0]
        output_shape = (in_shape[0], *out, channels)
        taps = int(np.prod(filter_shape[1:]))
        quant = {
            "in": (np.float32(random.uniform(0.01, 0.1)), int(random.integers(-128, 128))),
            "weights": random.uniform(0.001, 0.02, channels).astype(np.float32),
            "out": (np.float32(0.02 * math.sqrt(taps) * random.uniform(0.3, 2)),
                    int(random.integers(-128, 128))),
        }
        weights = random.integers(-127, 128, filter_shape).astype(np.int8)
        bias = random.integers(-20000, 20001, channels).astype(np.int32)
        pixels = random.integers(-128, 128, in_shape).astype(np.int8)

        model = ModelBuilder().model(case, output_shape, quant, weights, bias)
        interpreter = Interpreter(model_content=model,
                                  experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
        interpreter.allocate_tensors()
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], pixels)
        interpreter.invoke()
        expected = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        if expected.shape != output_shape:
            sys.exit(f"{case[0]}: TFLite's output is {expected.shape}, not {output_shape}")

        # TFLite forms the effective scale in double precision from the float scales.
        scales = [quantize_multiplier(float(quant["in"][0]) * float(scale) / float(quant["out"][0]))
                  for scale in quant["weights"]]
        header = struct.pack("<12i", *in_shape, *(filter_shape[i] for i in (0, 1, 2, 3)),
                             *output_shape)
        params = struct.pack("<11i", -quant["in"][1], quant["out"][1], *stride, *before, *dilation,
                             -128, 127, 1)
        (folder / f"case_{number}.bin").write_bytes(
            header + params + struct.pack("<7i", 65536, 8, 0, 0, 0, 0, 0)
            + np.array([s[0] for s in scales], np.int32).tobytes()
            + np.array([s[1] for s in scales], np.int32).tobytes()
            + bias.tobytes() + weights.tobytes() + pixels.tobytes())
        (folder / f"expected_{number}.bin").write_bytes(expected.tobytes())
    print(len(CASES))


if __name__ == "__main__":
    main()
