# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged models on their way to the network generator:

    damaged_models.py NETGEN FOLDER [--count N]

A model of two layers cut at every 64th byte, with its bytes and words changed: capture_model.py, and npu-netgen
behind it, take each or end with one line and status 1, and leave nothing half written. Prints what does not."""

import argparse
import pathlib
import shutil
import subprocess
import sys

import numpy as np

import capture_model
import tflite_model
from tflite_model import Tensor, schema

WORDS = (0, 1, 2, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000)


def model():
    random = np.random.default_rng(3)
    conv, dense = schema.Conv2DOptionsT(), schema.FullyConnectedOptionsT()
    conv.padding, conv.strideH, conv.strideW = schema.Padding.SAME, 2, 2
    conv.dilationHFactor = conv.dilationWFactor = 1
    image, pixels, row = (Tensor(shape, "int8", 0.5, 3) for shape in ((1, 5, 4, 3), (1, 3, 2, 4), (1, 24)))
    out = Tensor((1, 5), "int8", 0.5, -1)
    shape = Tensor((2,), "int32", data=np.array([1, 24], np.int32))

    def constant(size, scale, channels=0):
        bias = len(size) == 1
        return Tensor(size, "int32" if bias else "int8", np.resize(np.float32(scale), max(channels, 1)), 0, 0,
                      random.integers(-100, 100, size).astype(np.int32 if bias else np.int8))

    reshape = schema.ReshapeOptionsT()
    reshape.newShape = [1, 24]
    return tflite_model.build_chain([
        ("CONV_2D", conv, [image, constant((4, 3, 3, 3), 0.01, 4), constant((4,), 0.005, 4)], [pixels], 3),
        ("RESHAPE", reshape, [pixels, shape], [row], 1),
        ("FULLY_CONNECTED", dense, [row, constant((5, 24), 0.01), constant((5,), 0.005)], [out], 4)])


def damages(content, count):
    """(what was done, bytes)"""
    yield "whole", content
    for size in range(0, len(content), 64):
        yield f"the first {size} bytes", content[:size]
    random = np.random.default_rng(11)
    for number in range(count):
        at = int(random.integers(len(content)))
        damaged = bytearray(content)
        if number % 2:
            damaged[at] ^= 1 << int(random.integers(8))
            yield f"byte {at}: {damaged[at]}", bytes(damaged)
        else:
            at &= ~3
            word = WORDS[int(random.integers(len(WORDS)))]
            damaged[at:at + 4] = word.to_bytes(4, "little")
            yield f"word at {at}: {word:#x}", bytes(damaged)


def said_amiss(status, said, start):
    if status not in (0, 1):
        return f"status {status}"
    if status == 0 and said or status == 1 and (said.count("\n") != 1 or not said.startswith(start)):
        return f"status {status}, not one line: {said!r}"
    return ""


def main():
    parser = argparse.ArgumentParser(prog="damaged_models.py")
    parser.add_argument("netgen")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=150)
    options = parser.parse_args()
    file, out, log = (options.folder / name for name in ("damaged.tflite", "captured", "said.txt"))
    options.folder.mkdir(parents=True, exist_ok=True)
    faults = captured = generated = refused = 0
    for what, content in damages(model(), options.count):
        file.write_bytes(content)
        shutil.rmtree(out, ignore_errors=True)
        status = capture_model.start([str(file), "damaged", "-o", str(out)], log)
        amiss = said_amiss(status, log.read_text(), "capture_model.py: ")
        if not amiss and status == 1 and out.exists():
            amiss = "something is written"
        if not amiss and status == 0:
            captured += 1
            done = subprocess.run([options.netgen, out / "network.json", "-o", out / "program"], text=True,
                                  stderr=subprocess.PIPE, timeout=60)
            amiss = said_amiss(done.returncode, done.stderr, "npu-netgen: ")
            generated += done.returncode == 0
            if not amiss and done.returncode and list((out / "program").glob("*")):
                amiss = "npu-netgen left a file"
        refused += status == 1
        if amiss or what == "whole" and not generated:
            faults += 1
            print(f"{what}: {amiss or 'refused: ' + log.read_text()}")
    print(f"{captured} captured, {generated} of them generated, {refused} refused")
    sys.exit(1 if faults or not refused else 0)


if __name__ == "__main__":
    main()
