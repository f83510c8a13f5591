# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a TFLite model on a real input, with its reference kernels, and writes what its layers did:

    capture_model.py MODEL.tflite NAME -o FOLDER [--photo PHOTO.ppm]

  network.json   tensors and layers with their integer parameters, for npu-netgen
  constants.bin  weights, biases, multipliers; network.json says where
  input.bin, output.bin
  NN_OPERATOR.bin, layers.txt   each layer as a golden case (golden.py), and their list

The input is the photograph for models of images, and a log mel spectrogram of a tone sequence in noise for those
of sound. Run by the interpreter that has ai-edge-litert."""

import argparse
import json
import os
import pathlib
import resource
import sys

import numpy as np

import golden
import quantization as q
import tflite_model
from tflite_model import schema


def read_ppm(path):
    words = path.read_bytes().split(maxsplit=4)
    width, height = int(words[1]), int(words[2])
    pixels = path.read_bytes()[-width * height * 3:]
    return np.frombuffer(pixels, np.uint8).reshape(height, width, 3)


def photograph(path, height, width):
    """The middle square, averaged down."""
    image = read_ppm(path)
    side = min(image.shape[:2])
    top, left = ((n - side) // 2 for n in image.shape[:2])
    rows = np.linspace(top, top + side, height + 1).astype(int)
    columns = np.linspace(left, left + side, width + 1).astype(int)
    return np.array([[image[rows[y]:rows[y + 1], columns[x]:columns[x + 1]].mean(axis=(0, 1))
                      for x in range(width)] for y in range(height)])


def spectrogram(frames, bands):
    """Log mel energies, in dB, of tones that come and go in noise."""
    rate, hop, size = 16000, 320, 512
    random = np.random.default_rng(1)
    t = np.arange(hop * (frames - 1) + size) / rate
    sound = 0.05 * random.standard_normal(len(t))
    for number, pitch in enumerate([220, 330, 495, 740, 1100, 2200]):
        sound += np.sin(2 * np.pi * pitch * t) * (np.sin(2 * np.pi * (1.3 + number) * t + number) > 0.2)
    windows = np.stack([sound[i * hop:i * hop + size] * np.hanning(size) for i in range(frames)])
    power = np.abs(np.fft.rfft(windows, axis=1)) ** 2
    mel = np.linspace(0, 2595 * np.log10(1 + rate / 2 / 700), bands + 2)
    edges = 700 * (10 ** (mel / 2595) - 1) / (rate / size)
    bins = np.arange(power.shape[1])
    filters = np.stack([np.clip(np.minimum((bins - a) / (b - a), (c - bins) / (c - b)), 0, None)
                        for a, b, c in zip(edges, edges[1:], edges[2:])], axis=1)
    return 10 * np.log10(power @ filters + 1e-3)


def real_input(tensor, photo):
    shape = tensor.shape
    if len(shape) == 4 and shape[3] == 3:
        real = photograph(photo, *shape[1:3]) * (1 if tensor.scale > 0.5 else 1 / 255)
    elif len(shape) == 4:  # cepstral coefficients: the cosine transform of log mel energies
        energies = spectrogram(shape[1], 40)
        k = np.arange(shape[2])[:, None]
        real = energies @ np.cos(np.pi * k * (np.arange(40) + 0.5) / 40).T / 8
    else:
        real = spectrogram(5, shape[1] // 5)
    quantized = np.round(real.reshape(shape) / float(tensor.scale)) + tensor.zero_point
    return np.clip(quantized, -128, 127).astype(np.int8)


class Constants:
    def __init__(self):
        self.blob = bytearray()

    def add(self, array):
        self.blob += bytes(-len(self.blob) % 16)
        raw = np.ascontiguousarray(array).tobytes()
        place = {"offset": len(self.blob), "bytes": len(raw)}
        self.blob += raw
        return place


def window_params(op, window, same):
    o = op.options
    shape = op.inputs[0].shape
    dilation = (getattr(o, "dilationHFactor", 1), getattr(o, "dilationWFactor", 1))
    stride = (o.strideH, o.strideW)
    return {"stride": stride, "dilation": dilation,
            "padding": [q.padding_before(shape[1 + i], window[i], stride[i], dilation[i], same)
                        for i in range(2)]}


def weighted(op, constants):
    """Constants of a layer with weights."""
    source, weights = op.inputs[:2]
    bias = op.inputs[2].data if len(op.inputs) > 2 and op.inputs[2] is not None else None
    channels = weights.shape[3] if op.code == "DEPTHWISE_CONV_2D" else weights.shape[0]
    bias = np.zeros(channels, np.int32) if bias is None else bias
    layer = {"filter": {"shape": weights.shape, **constants.add(weights.data)}, "bias": constants.add(bias)}
    scales = source.scale, weights.scales, op.output.scale, channels
    if op.code == "FULLY_CONNECTED":
        return layer | {"scale": constants.add(q.channel_scales(*scales))}
    multiplier, shift = q.per_channel_multipliers(*scales)
    return layer | {"multiplier": constants.add(multiplier), "shift": constants.add(shift)}


def layer_of(op, constants):
    """Integer parameters of a layer, as the kernels take them."""
    o = op.options
    if op.code in ("CONV_2D", "DEPTHWISE_CONV_2D"):
        layer = weighted(op, constants)
        window = op.inputs[1].shape[1:3]
        layer |= window_params(op, window, o.padding == schema.Padding.SAME)
    elif op.code == "FULLY_CONNECTED":
        layer = weighted(op, constants)
    elif op.code == "AVERAGE_POOL_2D":
        window = (o.filterHeight, o.filterWidth)
        layer = {"window": window} | window_params(op, window, o.padding == schema.Padding.SAME)
    elif op.code == "ADD":
        # AddParams of the reference kernel: inputs scaled to twice the larger scale, 20 bits to the left.
        twice = 2 * max(float(t.scale) for t in op.inputs)
        pairs = [q.quantize_multiplier(float(t.scale) / twice) for t in op.inputs]
        out = q.quantize_multiplier(twice / ((1 << 20) * float(op.output.scale)))
        layer = {"left_shift": 20, "input_multiplier": [p[0] for p in pairs],
                 "input_shift": [p[1] for p in pairs], "multiplier": out[0], "shift": out[1]}
    elif op.code == "SOFTMAX":
        # PreprocessSoftmaxScaling and CalculateInputRadius: 5 integer bits.
        real = min(float(o.beta) * float(op.inputs[0].scale) * (1 << 26), (1 << 31) - 1.0)
        multiplier, shift = q.quantize_multiplier(real)
        radius = int(np.floor(((1 << 5) - 1) * (1 << 26) / 2.0 ** shift))
        layer = {"multiplier": multiplier, "shift": shift, "diff_min": -radius}
    else:
        layer = {}
    if o is not None and hasattr(o, "fusedActivationFunction"):
        layer["activation"] = q.activation_range(o.fusedActivationFunction, op.output)
    return layer


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return int(value) if isinstance(value, np.integer) else value


def macs_of(op):
    if op.code in ("CONV_2D", "FULLY_CONNECTED"):
        return int(np.prod(op.output.shape)) * int(np.prod(op.inputs[1].shape[1:]))
    if op.code == "DEPTHWISE_CONV_2D":
        return int(np.prod(op.output.shape)) * int(np.prod(op.inputs[1].shape[1:3]))
    return 0


def capture(options):
    """What is to be written: {name: bytes}."""
    golden.load_families()
    content = options.model.read_bytes()
    tensors, _, inputs, outputs = tflite_model.read(content)
    feed = real_input(tensors[inputs[0]], options.photo)
    operators = tflite_model.run(content, [feed])
    constants, layers, numbers, rows, described, files = Constants(), [], {}, [], [], {}

    def number(tensor):
        if id(tensor) not in numbers:
            numbers[id(tensor)] = len(described)
            described.append({"shape": list(tensor.shape), "zero_point": tensor.zero_point})
        return numbers[id(tensor)]

    for op in operators:
        name = f"{op.index:02}_{op.code.lower()}"
        layers.append({"name": name, "operator": op.code.lower(),
                       "inputs": [number(t) for t in op.inputs if t is not None and not t.constant],
                       "outputs": [number(t) for t in op.outputs], "macs": macs_of(op),
                       **layer_of(op, constants)})
        if op.code in golden.CONVERTERS:
            case = golden.case_of(op)
            files[f"{name}.bin"] = golden.file_of([case])
            rows.append(f"{name} {case.operator}")
        else:
            rows.append(f"{name} -")
    first = next(t for op in operators for t in op.inputs if t is not None and not t.constant)
    network = {"name": options.name.lower(), "tensors": described, "layers": layers,
               "input": number(first), "output": number(operators[-1].output),
               "constants": "constants.bin"}
    return files | {"network.json": (json.dumps(plain(network), indent=1) + "\n").encode(),
                    "constants.bin": bytes(constants.blob), "input.bin": feed.tobytes(),
                    "output.bin": np.ascontiguousarray(operators[-1].output.data).tobytes(),
                    "layers.txt": ("\n".join(rows) + "\n").encode()}


SECONDS, BYTES = 300, 8 << 30  # of processor time and memory: tensors of a damaged model can be of any size


def guarded(options):
    """Exit status. A damaged model can make any step fail, whatever its kind of error: one line says so."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what TFLite itself prints
    try:
        files = capture(options)
    except OSError as error:
        print(f"capture_model.py: {error.filename or options.model}: {error.strerror}", file=sys.stderr)
        return 1
    except (Exception, SystemExit) as error:  # pylint: disable=broad-except
        what = " ".join(str(error).split()) or type(error).__name__
        print(f"capture_model.py: {options.model}: not a model that can be captured: {what}"[:500], file=sys.stderr)
        return 1
    options.output.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (options.output / name).write_bytes(content)
    return 0


def start(arguments, log=None):
    """Exit status of a process of its own, as TFLite can end with a signal on a damaged model. log: where its
    messages go instead of standard error."""
    parser = argparse.ArgumentParser(prog="capture_model.py")
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("name")
    parser.add_argument("-o", dest="output", type=pathlib.Path, required=True)
    parser.add_argument("--photo", type=pathlib.Path, default=pathlib.Path("build/demo/photo.ppm"))
    options = parser.parse_args(arguments)
    messages = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC) if log else os.dup(2)
    child = os.fork()
    if child == 0:
        os.dup2(messages, 2)
        os._exit(guarded(options))
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status < 0:
        os.write(messages, f"capture_model.py: {options.model}: not a model that can be captured: TFLite ended with "
                           f"signal {-status}\n".encode())
    os.close(messages)
    return 1 if status < 0 else status


if __name__ == "__main__":
    sys.exit(start(sys.argv[1:]))
