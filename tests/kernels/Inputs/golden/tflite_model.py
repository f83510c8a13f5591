# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TFLite models as lists of operators with their tensors: built from nothing but a few tensors, or read from a
file; run in the interpreter with its reference kernels, every tensor kept."""

import logging
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

logging.disable(logging.WARNING)

TYPES = {"int8": schema.TensorType.INT8, "int16": schema.TensorType.INT16, "int32": schema.TensorType.INT32,
         "int64": schema.TensorType.INT64, "uint8": schema.TensorType.UINT8, "bool": schema.TensorType.BOOL,
         "float32": schema.TensorType.FLOAT32, "int4": schema.TensorType.INT4}
TYPE_NAMES = {number: name for name, number in TYPES.items()}
CODE_NAMES = {number: name for name, number in vars(schema.BuiltinOperator).items() if name[0].isupper()}


class Tensor:
    """shape, type (a name of TYPES), scales and zero points (arrays; one value, or one for each index of
    `axis`), data: an array of the shape, None where nothing is known. The data of int4 is an array of int8."""

    def __init__(self, shape, type="int8", scale=None, zero_point=0, axis=0, data=None, name=""):
        self.shape, self.type, self.axis, self.name = tuple(int(n) for n in shape), type, axis, name
        self.scales = np.atleast_1d(np.asarray([] if scale is None else scale, np.float32))
        self.zero_points = np.broadcast_to(np.asarray(zero_point, np.int64), self.scales.shape)
        self.data = data
        self.constant = data is not None
        self.blocks = None  # for blockwise quantization: (Tensor of float16 bits or scales, block size)

    @property
    def scale(self):
        return self.scales[0]

    @property
    def zero_point(self):
        return int(self.zero_points[0]) if len(self.zero_points) else 0


class Operator:
    """code: name of the BuiltinOperator; options: its table of the schema's object API, or None."""

    def __init__(self, code, options, inputs, outputs, index=0):
        self.code, self.options, self.inputs, self.outputs, self.index = code, options, inputs, outputs, index

    @property
    def output(self):
        return self.outputs[0]


def nibbles(values):
    """int4 values as the file holds them: two a byte, the first one low."""
    flat = np.asarray(values, np.int8).reshape(-1)
    padded = np.concatenate([flat, np.zeros(len(flat) % 2, np.int8)]).astype(np.uint8) & 15
    return (padded[0::2] | padded[1::2] << 4).astype(np.uint8)


def unpack_nibbles(raw, count):
    both = np.stack([raw & 15, raw >> 4], axis=-1).reshape(-1)[:count].astype(np.int8)
    return np.where(both > 7, both - 16, both).astype(np.int8)


def build(code, options, inputs, outputs, version=5):
    """The bytes of a model with one operator. options: a table of the schema, e.g. schema.Conv2DOptionsT();
    inputs without data are those of the model; None stands for an optional input that is left out."""
    return build_chain([(code, options, inputs, outputs, version)])


def build_chain(layers):
    """The same with several operators, each a tuple of the arguments of build; a Tensor that one of them makes
    and others read is one object. The model's outputs are those of the last one."""
    model = schema.ModelT()
    model.version = 3
    model.buffers = [schema.BufferT()]
    model.operatorCodes = []
    graph = schema.SubGraphT()
    graph.tensors, graph.inputs, graph.outputs, graph.operators = [], [], [], []
    indices = {}  # of the tensors, by identity

    def add(tensor):
        if id(tensor) in indices:
            return indices[id(tensor)]
        t = schema.TensorT()
        t.name = (tensor.name or f"t{len(graph.tensors)}").encode()
        t.shape, t.type, t.buffer = list(tensor.shape), TYPES[tensor.type], 0
        t.hasRank = True
        if tensor.data is not None:
            raw = (nibbles(tensor.data) if tensor.type == "int4"
                   else np.frombuffer(np.ascontiguousarray(tensor.data).tobytes(), np.uint8))
            buffer = schema.BufferT()
            buffer.data = raw
            t.buffer = len(model.buffers)
            model.buffers.append(buffer)
        if len(tensor.scales):
            q = t.quantization = schema.QuantizationParametersT()
            q.scale, q.zeroPoint = tensor.scales, tensor.zero_points
            q.quantizedDimension = tensor.axis
        if tensor.blocks is not None:
            scales, size = tensor.blocks
            q = t.quantization = schema.QuantizationParametersT()
            q.detailsType = schema.QuantizationDetails.BlockwiseQuantization
            q.details = schema.BlockwiseQuantizationT()
            q.details.scales, q.details.zeroPoints, q.details.blockSize = add(scales), -1, size
        graph.tensors.append(t)
        indices[id(tensor)] = len(graph.tensors) - 1
        return indices[id(tensor)]

    made = {id(tensor) for _, _, _, outputs, _ in layers for tensor in outputs}
    for code, options, inputs, outputs, version in layers:
        operator = schema.OperatorT()
        operator.opcodeIndex = len(model.operatorCodes)
        operator.inputs = [-1 if tensor is None else add(tensor) for tensor in inputs]
        for tensor, index in zip(inputs, operator.inputs):
            if tensor is not None and tensor.data is None and id(tensor) not in made and index not in graph.inputs:
                graph.inputs.append(index)
        operator.outputs = [add(tensor) for tensor in outputs]
        if options is not None:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__[:-1])
            operator.builtinOptions = options
        graph.operators.append(operator)
        graph.outputs = operator.outputs
        number = getattr(schema.BuiltinOperator, code)
        op_code = schema.OperatorCodeT()
        op_code.builtinCode, op_code.deprecatedBuiltinCode = number, min(number, 127)
        op_code.version = version
        model.operatorCodes.append(op_code)
    model.subgraphs = [graph]
    builder = flatbuffers.Builder(1 << 16)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def read(content):
    """The first subgraph's tensors, operators, and the indices of its inputs and outputs."""
    model = schema.ModelT.InitFromPackedBuf(content, 0)
    graph = model.subgraphs[0]
    tensors = []
    for t in graph.tensors:
        kind, shape = TYPE_NAMES[t.type], tuple(t.shape) if t.shape is not None else ()
        raw = model.buffers[t.buffer].data
        data = None
        if raw is not None and len(raw):
            raw = np.asarray(raw, np.uint8)
            data = (unpack_nibbles(raw, int(np.prod(shape))) if kind == "int4"
                    else raw.view(kind)).reshape(shape)
        tensor = Tensor(shape, kind, data=data, name=t.name.decode())
        if t.quantization is not None and t.quantization.scale is not None:
            q = t.quantization
            tensor.scales = np.asarray(q.scale, np.float32)
            tensor.zero_points = np.asarray(q.zeroPoint, np.int64)
            tensor.axis = q.quantizedDimension
        tensors.append(tensor)
    for tensor, t in zip(tensors, graph.tensors):
        details = t.quantization.details if t.quantization is not None else None
        if isinstance(details, schema.BlockwiseQuantizationT):
            tensor.blocks = (tensors[details.scales], details.blockSize)
    operators = []
    for index, op in enumerate(graph.operators):
        code = model.operatorCodes[op.opcodeIndex]
        operators.append(Operator(CODE_NAMES[max(code.builtinCode, code.deprecatedBuiltinCode)],
                                  op.builtinOptions,
                                  [tensors[i] if i >= 0 else None for i in op.inputs],
                                  [tensors[i] for i in op.outputs], index))
    return tensors, operators, list(graph.inputs), list(graph.outputs)


def run(content, feeds=None, random=None):
    """Runs a model and returns its operators, in order, with the data of all tensors. feeds: an array for
    each input; without, `random` (numpy Generator) makes them, extreme values among them."""
    tensors, operators, inputs, _ = read(content)
    interpreter = Interpreter(model_content=content, experimental_preserve_all_tensors=True,
                              experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    for number, index in enumerate(inputs):
        interpreter.set_tensor(index, feeds[number] if feeds is not None
                               else random_values(random, tensors[index].shape, tensors[index].type))
    interpreter.invoke()
    for op in operators:
        for tensor in op.inputs + op.outputs:
            if tensor is not None and not tensor.constant and tensor.data is None:
                tensor.data = interpreter.get_tensor(tensors.index(tensor))
                tensor.shape = tensor.data.shape
    return operators


def random_values(random, shape, type="int8"):
    """Values over the whole range of an integer type, its ends more often than by chance."""
    if type == "float32":
        return (random.standard_normal(shape) * 4).astype(np.float32)
    info = np.iinfo(np.dtype(type))
    values = random.integers(info.min, info.max + 1, shape)
    ends = random.random(shape)
    values = np.where(ends < 0.03, info.min, np.where(ends > 0.97, info.max, values))
    return values.astype(type)
