# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Golden cases of the kernels: operators that TFLite's reference kernels have executed, in the form in which
the runner on the NPU reads them. Run by the interpreter that has ai-edge-litert:

    golden.py OPERATOR --count N [--seed S] [--small] -o FILE    random cases of one operator,
                       [--written [M]]                           then its written ones, or M of them
    golden.py --list                                             the operators that have a generator

A module FAMILY_cases.py holds functions of three kinds:

    @generates("conv_s8")
    def conv_s8(random, small): ...    -> bytes of a model with one operator (tflite_model.build)
    @written("conv_s8")
    def edges(): ...                   -> list of (description, model, feeds), always the same ones
    @converts("CONV_2D")
    def conv(op): ...                  -> Case of any such operator, whose tensors hold data

So all cases and the layers of real models take the same way. `small` asks for a case that is cheap on the
RTL. A generator may return (model, feeds) where the inputs need more than random values.

File, little endian words: magic, cases; for each case its bytes from here on, name[32], description[96],
scratch, parameters, tensors, the parameters, then for each tensor type, rank, dims[6], bytes, and the data,
padded to 16 from the start of the file. The last tensor is the expected output."""

import argparse
import importlib
import pathlib
import struct
import sys

import numpy as np

import tflite_model

MAGIC = 0x4355504E
RUNNER_TYPES = {"int8": 0, "int16": 1, "int32": 2, "uint8": 3, "float32": 4, "int64": 5, "bool": 6, "int4": 7, "float64": 8}
GENERATORS, CONVERTERS, WRITTEN = {}, {}, {}


class Case:
    """operator: the runner's name; params: integers, in the order in which the runner's function reads them;
    tensors: arrays (or Tensors); expected: the output; scratch: bytes of the scratch buffer, 0 = smallest."""

    def __init__(self, operator, params, tensors, expected, scratch=0, description=""):
        self.operator, self.params, self.tensors = operator, [int(p) for p in params], list(tensors)
        self.expected, self.scratch, self.description = expected, scratch, description


def generates(operator):
    def note(function):
        GENERATORS[operator] = function
        return function
    return note


def written(operator):
    def note(function):
        WRITTEN.setdefault(operator, []).append(function)
        return function
    return note


def converts(*codes):
    def note(function):
        for code in codes:
            CONVERTERS[code] = function
        return function
    return note


def load_families():
    for file in sorted(pathlib.Path(__file__).parent.glob("*_cases.py")):
        importlib.import_module(file.stem)


def case_of(op):
    if op.code not in CONVERTERS:
        raise KeyError(f"no function converts {op.code}")
    case = CONVERTERS[op.code](op)
    case.description = case.description or describe(op)
    return case


def describe(op):
    def shape(tensor):
        return "x".join(map(str, tensor.shape)) or "scalar"
    return ", ".join(shape(t) for t in op.inputs if t is not None) + " -> " + shape(op.output)


def words(*values):
    return struct.pack(f"<{len(values)}i", *values)


def tensor_bytes(tensor):
    """Header and data of a tensor; int4 Tensors are packed two a byte."""
    if tensor is None:
        tensor = np.zeros(0, np.int8)
    if isinstance(tensor, tflite_model.Tensor):
        kind, shape = tensor.type, tensor.shape
        raw = (tflite_model.nibbles(tensor.data) if kind == "int4"
               else np.ascontiguousarray(tensor.data)).tobytes()
    else:
        array = np.ascontiguousarray(tensor)
        kind, shape, raw = array.dtype.name, array.shape, array.tobytes()
    if len(shape) > 6:
        raise ValueError(f"tensor of {len(shape)} dimensions: the runner takes 6")
    dims = list(shape) + [1] * (6 - len(shape))
    return words(RUNNER_TYPES[kind], len(shape), *dims, len(raw)), raw


def file_of(cases):
    """The bytes of a file of cases."""
    out = bytearray(words(MAGIC, len(cases)))
    for case in cases:
        start = len(out)
        out += words(0) + struct.pack("<32s96s", case.operator.encode(), case.description.encode()[:95])
        out += words(case.scratch, len(case.params), len(case.tensors) + 1, *case.params)
        for tensor in case.tensors + [case.expected]:
            header, raw = tensor_bytes(tensor)
            out += header
            out += bytes(-len(out) % 16) + raw
            out += bytes(-len(out) % 4)
        struct.pack_into("<i", out, start, len(out) - start)
    return bytes(out)


def random_case(operator, seed, small=False):
    random = np.random.default_rng([seed, *operator.encode()])
    for _ in range(50):  # shapes that TFLite itself refuses are drawn again
        made = GENERATORS[operator](random, small)
        if isinstance(made, Case):  # what TFLite has no kernel for
            return made
        model, feeds = made if isinstance(made, tuple) else (made, None)
        try:
            op, = tflite_model.run(model, feeds, random)
        except (RuntimeError, ValueError) as error:
            refused = error
            continue
        case = case_of(op)
        if case.operator != operator:
            sys.exit(f"golden.py: the generator of {operator} made a case of {case.operator}")
        return case
    sys.exit(f"golden.py: {operator}, seed {seed}: TFLite refuses every model: {refused}")


def written_cases(operator, limit):
    """All written cases of an operator, or `limit` of them from over the whole list."""
    made = [case for function in WRITTEN.get(operator, []) for case in function()]
    if limit is not None and limit < len(made):
        made = [made[i * len(made) // limit] for i in range(limit)]
    cases = []
    for name, model, feeds in made:
        try:
            op, = tflite_model.run(model, feeds)
        except (RuntimeError, ValueError) as error:
            sys.exit(f"golden.py: {operator}, '{name}': TFLite refuses the model: {error}")
        case = case_of(op)
        case.description = f"{name}: {case.description}"
        cases.append(case)
    return cases


def main():
    parser = argparse.ArgumentParser(prog="golden.py")
    parser.add_argument("operator", nargs="?")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--written", type=int, nargs="?", const=-1)
    parser.add_argument("-o", dest="output")
    options = parser.parse_args()
    load_families()
    if options.list:
        print("\n".join(GENERATORS))
        return
    if options.operator not in GENERATORS or not options.output:
        sys.exit(f"golden.py: operator must be one of {', '.join(GENERATORS)}, and -o FILE given")
    cases = [random_case(options.operator, options.seed + i, options.small) for i in range(options.count)]
    if options.written is not None:
        cases += written_cases(options.operator, None if options.written < 0 else options.written)
    pathlib.Path(options.output).write_bytes(file_of(cases))


if __name__ == "__main__":
    # One module, whether started or imported by the families.
    sys.modules["golden"] = sys.modules[__name__]
    main()
