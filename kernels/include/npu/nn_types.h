// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types shared by the operators. Tensors are dense, the last dimension runs fastest. Quantization
// is TFLite's: real = scale * (q - zero_point), int8 data, int32 bias, and for each output channel
// a multiplier and a shift that stand for multiplier * 2^(shift - 31).

#ifndef NPU_NN_TYPES_H
#define NPU_NN_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum npu_status {
  NPU_OK = 0,
  NPU_ERROR_ARGUMENT = -1, // a dimension, stride, padding or quantization value out of its range
  NPU_ERROR_BUFFER = -2,   // the scratch buffer is too small, misaligned or not in the scratchpad
  NPU_ERROR_TRANSFER = -3, // the DMA reported an error: a tensor is not wholly in TCM or DRAM
  NPU_ERROR_MATRIX_UNIT = -4, // the matrix unit reported an error
} npu_status;

// Scratch memory of an operator: in the scratchpad (TCM), 16-byte aligned.
typedef struct npu_context {
  void *buffer;
  uint32_t size; // bytes
} npu_context;

// Extents of a tensor: [n, h, w, c]; of a filter: n output channels, h x w taps, c input channels.
typedef struct npu_dims {
  int32_t n, h, w, c;
} npu_dims;

typedef struct npu_tile {
  int32_t h, w;
} npu_tile;

typedef struct npu_conv_params {
  int32_t input_offset;  // minus the input's zero point, -127..128
  int32_t output_offset; // the output's zero point, -128..127
  npu_tile stride;       // 1..255
  npu_tile padding; // rows above and columns left of the input, 0..255; what the output's extent
                    // needs below and to the right is added
  npu_tile dilation;                      // 1..255
  int32_t activation_min, activation_max; // clamp of the output, -128..127
  int32_t groups; // each has its share of the input and of the output channels; 0 counts as 1
} npu_conv_params;

typedef struct npu_per_channel_quant {
  const int32_t
      *multiplier;      // [c_out], 0 or 2^30..2^31-1 as TFLite makes them; any value is computed
  const int32_t *shift; // [c_out], -31..31, positive = left
} npu_per_channel_quant;

#ifdef __cplusplus
}
#endif

#endif // NPU_NN_TYPES_H
