# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of int16 activations: conv_s16, depthwise_conv_s16. Parameters and tensors as of the int8 ones."""

import conv_cases
import depthwise_conv_cases
import tflite_model
from golden import generates


@generates("conv_s16")
def conv_s16(random, small):
    while True:  # the kernel has no groups
        made = conv_cases.random_conv(random, small, activation="int16")
        _, (op, *_), _, _ = tflite_model.read(made[0])
        if op.inputs[0].shape[3] == op.inputs[1].shape[3]:
            return made


@generates("depthwise_conv_s16")
def depthwise_conv_s16(random, small):
    while True:  # the constants of a block are to fit the scratch buffer, also as a dense convolution
        made = depthwise_conv_cases.random_depthwise(random, small, activation="int16")
        _, (op, *_), _, _ = tflite_model.read(made[0])
        _, kh, kw, channels = op.inputs[1].shape
        if kh * kw < 60 and (channels == op.inputs[0].shape[3] or kh * kw * channels < 1500):
            return made
