# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What TFLite computes from scales before a kernel runs; names of the functions there are in the comments."""

import math

import numpy as np


def round_half_away(x):
    """std::round."""
    return int(math.floor(abs(x) + 0.5)) * (1 if x >= 0 else -1)


def quantize_multiplier(real):
    """QuantizeMultiplier: (multiplier, shift) with real = multiplier * 2^(shift - 31)."""
    if real == 0:
        return 0, 0
    fraction, shift = math.frexp(real)
    multiplier = round_half_away(fraction * (1 << 31))
    if multiplier == 1 << 31:
        multiplier, shift = multiplier // 2, shift + 1
    if shift < -31:
        return 0, 0
    return multiplier, shift


def per_channel_multipliers(input_scale, filter_scales, output_scale, channels):
    """PopulateConvolutionQuantizationParams: arrays of multipliers and shifts; products in double."""
    scales = [float(input_scale) * float(scale) / float(output_scale)
              for scale in np.broadcast_to(filter_scales, channels)]
    pairs = [quantize_multiplier(scale) for scale in scales]
    return (np.array([p[0] for p in pairs], np.int32), np.array([p[1] for p in pairs], np.int32))


def channel_scales(input_scale, filter_scales, output_scale, channels):
    """FullyConnectedPerChannel: the doubles that multiply the sums."""
    return np.array([float(input_scale) * float(scale) / float(output_scale)
                     for scale in np.broadcast_to(filter_scales, channels)], np.float64)


def per_tensor_multiplier(input_scale, filter_scale, output_scale):
    """GetQuantizedConvolutionMultipler; the product in float, the quotient in double."""
    return quantize_multiplier(float(np.float32(input_scale) * np.float32(filter_scale)) / float(output_scale))


def activation_range(function, tensor):
    """CalculateActivationRangeQuantized: clamp of the output for a fused activation (schema number)."""
    info = np.iinfo(tensor.type)
    low, high = int(info.min), int(info.max)

    def quantize(value):
        return tensor.zero_point + round_half_away(float(np.float32(value) / np.float32(tensor.scale)))

    if function == 1:  # RELU
        low = max(low, quantize(0))
    elif function == 2:  # RELU_N1_TO_1
        low, high = max(low, quantize(-1)), min(high, quantize(1))
    elif function == 3:  # RELU6
        low, high = max(low, quantize(0)), min(high, quantize(6))
    return low, high


def padding_before(size, taps, stride, dilation, same):
    """ComputePaddingHeightWidth: what TFLite pads in front of an axis."""
    if not same:
        return 0
    window = (taps - 1) * dilation + 1
    return max((-(-size // stride) - 1) * stride + window - size, 0) // 2


def output_size(size, taps, stride, dilation, same):
    """ComputeOutSize."""
    window = (taps - 1) * dilation + 1
    return -(-size // stride) if same else (size + stride - window) // stride


def some_scratch(tensor):
    """Bytes of the scratch buffer of a case: the smallest (0) or more, by the tensor's shape."""
    return (0, 4 << 10, 16 << 10, 48 << 10)[sum(tensor.shape) % 4]
