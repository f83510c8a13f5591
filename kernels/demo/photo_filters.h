// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of the demo's layer, for the NPU and for the host's reference: sixteen 3 x 3 filters
// over red, green and blue. photo_layer.json has the same shape and quantization for the generator.

#ifndef PHOTO_FILTERS_H
#define PHOTO_FILTERS_H

#include "npu/nn_types.h"

enum { PHOTO_H = 240, PHOTO_W = 320, PHOTO_C = 3, PHOTO_FILTERS = 16 };

static const npu_dims photo_input_dims = {1, PHOTO_H, PHOTO_W, PHOTO_C};
static const npu_dims photo_filter_dims = {PHOTO_FILTERS, 3, 3, PHOTO_C};
static const npu_dims photo_output_dims = {1, PHOTO_H, PHOTO_W, PHOTO_FILTERS};

// Pixels are 0..255 less 128, so black is the zero point.
static const npu_conv_params photo_params = {
    .input_offset = 128,
    .output_offset = 0,
    .stride = {1, 1},
    .padding = {1, 1},
    .dilation = {1, 1},
    .activation_min = -128,
    .activation_max = 127,
};

// [filter, y, x, color]
static const int8_t photo_filters[PHOTO_FILTERS][3][3][PHOTO_C] = {
    // horizontal gradient
    {{{-32, -64, -12}, {0, 0, 0}, {32, 64, 12}},
     {{-65, -127, -24}, {0, 0, 0}, {65, 127, 24}},
     {{-32, -64, -12}, {0, 0, 0}, {32, 64, 12}}},
    // vertical gradient
    {{{-32, -64, -12}, {-65, -127, -24}, {-32, -64, -12}},
     {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
     {{32, 64, 12}, {65, 127, 24}, {32, 64, 12}}},
    // rising diagonal
    {{{0, 0, 0}, {32, 64, 12}, {65, 127, 24}},
     {{-32, -64, -12}, {0, 0, 0}, {32, 64, 12}},
     {{-65, -127, -24}, {-32, -64, -12}, {0, 0, 0}}},
    // falling diagonal
    {{{65, 127, 24}, {32, 64, 12}, {0, 0, 0}},
     {{32, 64, 12}, {0, 0, 0}, {-32, -64, -12}},
     {{0, 0, 0}, {-32, -64, -12}, {-65, -127, -24}}},
    // Laplacian
    {{{-8, -16, -3}, {-8, -16, -3}, {-8, -16, -3}},
     {{-8, -16, -3}, {65, 127, 24}, {-8, -16, -3}},
     {{-8, -16, -3}, {-8, -16, -3}, {-8, -16, -3}}},
    // mean
    {{{65, 127, 24}, {65, 127, 24}, {65, 127, 24}},
     {{65, 127, 24}, {65, 127, 24}, {65, 127, 24}},
     {{65, 127, 24}, {65, 127, 24}, {65, 127, 24}}},
    // sharpened
    {{{-5, -11, -2}, {-5, -11, -2}, {-5, -11, -2}},
     {{-5, -11, -2}, {65, 127, 24}, {-5, -11, -2}},
     {{-5, -11, -2}, {-5, -11, -2}, {-5, -11, -2}}},
    // emboss
    {{{-65, -127, -24}, {-32, -64, -12}, {0, 0, 0}},
     {{-32, -64, -12}, {32, 64, 12}, {32, 64, 12}},
     {{0, 0, 0}, {32, 64, 12}, {65, 127, 24}}},
    // red against green
    {{{32, -32, 0}, {64, -64, 0}, {32, -32, 0}},
     {{64, -64, 0}, {127, -127, 0}, {64, -64, 0}},
     {{32, -32, 0}, {64, -64, 0}, {32, -32, 0}}},
    // blue against yellow
    {{{-16, -16, 32}, {-32, -32, 64}, {-16, -16, 32}},
     {{-32, -32, 64}, {-64, -64, 127}, {-32, -32, 64}},
     {{-16, -16, 32}, {-32, -32, 64}, {-16, -16, 32}}},
    // red
    {{{32, 0, 0}, {64, 0, 0}, {32, 0, 0}},
     {{64, 0, 0}, {127, 0, 0}, {64, 0, 0}},
     {{32, 0, 0}, {64, 0, 0}, {32, 0, 0}}},
    // green
    {{{0, 32, 0}, {0, 64, 0}, {0, 32, 0}},
     {{0, 64, 0}, {0, 127, 0}, {0, 64, 0}},
     {{0, 32, 0}, {0, 64, 0}, {0, 32, 0}}},
    // blue
    {{{0, 0, 32}, {0, 0, 64}, {0, 0, 32}},
     {{0, 0, 64}, {0, 0, 127}, {0, 0, 64}},
     {{0, 0, 32}, {0, 0, 64}, {0, 0, 32}}},
    // vertical lines
    {{{16, 32, 6}, {-32, -64, -12}, {16, 32, 6}},
     {{32, 64, 12}, {-65, -127, -24}, {32, 64, 12}},
     {{16, 32, 6}, {-32, -64, -12}, {16, 32, 6}}},
    // horizontal lines
    {{{16, 32, 6}, {32, 64, 12}, {16, 32, 6}},
     {{-32, -64, -12}, {-65, -127, -24}, {-32, -64, -12}},
     {{16, 32, 6}, {32, 64, 12}, {16, 32, 6}}},
    // center against surround
    {{{-5, -11, -2}, {-11, -21, -4}, {-5, -11, -2}},
     {{-11, -21, -4}, {65, 127, 24}, {-11, -21, -4}},
     {{-5, -11, -2}, {-11, -21, -4}, {-5, -11, -2}}},
};

static const int32_t photo_bias[PHOTO_FILTERS] = {
    0, 0, 0, 0, 0, -248832, -9216, 0, 0, 0, -65408, -65408, -65408, 0, 0, 0,
};
static const int32_t photo_multiplier[PHOTO_FILTERS] = {
    1901388572, 1901388572, 1901388572, 1901388572, 1267592381, 1131184802, 1908874354, 2028147810,
    2143248175, 2139062143, 1075843080, 1075843080, 1075843080, 1267592381, 1267592381, 1901388572,
};
static const int32_t photo_shift[PHOTO_FILTERS] = {
    -8, -8, -8, -8, -6, -10, -6, -9, -9, -9, -8, -8, -8, -7, -7, -7,
};
static const npu_per_channel_quant photo_quant = {photo_multiplier, photo_shift};

#endif // PHOTO_FILTERS_H
