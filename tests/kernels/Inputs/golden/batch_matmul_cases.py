# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of two activations: batch_matmul_s8."""

import math

import numpy as np

import quantization as q
from golden import Case, converts, generates
from tflite_model import Tensor, build, schema


@converts("BATCH_MATMUL")
def batch_matmul(op):
    """params: adjoint x y, lhs offset, rhs offset, output offset, multiplier, shift, clamp min max. tensors: lhs
    [..., m, k] or adjoint, rhs [..., k, n] or adjoint."""
    lhs, rhs, o = op.inputs[0], op.inputs[1], op.options
    multiplier, shift = q.per_tensor_multiplier(lhs.scale, rhs.scale, op.output.scale)
    return Case("batch_matmul_s8", [o.adjX, o.adjY, -lhs.zero_point, -rhs.zero_point, op.output.zero_point,
                                    multiplier, shift, -128, 127], [lhs, rhs], op.output,
                scratch=q.some_scratch(rhs))


@generates("batch_matmul_s8")
def batch_matmul_s8(random, small):
    largest = 40 if small else int(random.choice([20, 60, 150]))
    m, k, n = (int(x) for x in random.integers(1, largest + 1, 3))
    if random.random() < 0.3:
        m, k, n = (max(x & ~15, 16) for x in (m, k, n))
    batches = [int(x) for x in random.integers(1, 4, int(random.integers(0, 3)))]
    broadcast = [1 if random.random() < 0.2 else x for x in batches]
    if random.random() < 0.3:
        broadcast = broadcast[1:]
    options = schema.BatchMatMulOptionsT()
    options.adjX, options.adjY = bool(random.random() < 0.4), bool(random.random() < 0.5)
    scales = random.uniform(0.01, 0.1, 2).astype(np.float32)

    def zero_point():
        return int(random.choice([0, -128, 127, int(random.integers(-128, 128))]))

    lhs = Tensor((*batches, *((k, m) if options.adjX else (m, k))), "int8", scales[0], zero_point())
    rhs = Tensor((*broadcast, *((n, k) if options.adjY else (k, n))), "int8", scales[1], zero_point())
    out_scale = np.float32(scales[0] * scales[1] * 6000 * math.sqrt(k) * random.uniform(0.3, 2) / 128)
    output = Tensor((*batches, m, n), "int8", out_scale, zero_point())
    return build("BATCH_MATMUL", options, [lhs, rhs], [output], version=2)
