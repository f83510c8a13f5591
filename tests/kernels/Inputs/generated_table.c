// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the library calls a kernel of the table of generated ones (npu/generated.h): two records whose functions
// only say that they were called, and layers that are theirs or differ in one value. Prints a line for each
// wrong decision; the exit status is 0 if there is none.

#include <npu/conv.h>
#include <npu/generated.h>
#include <npu/matmul.h>
#include <npu/placement.h>

#include <stdio.h>

enum { SCRATCH = 16384, NEEDED = 1024 };

static _Alignas(16) uint8_t scratch[SCRATCH], near_packed[4096];
static _Alignas(16) int8_t near[4096];
static NPU_DRAM_BSS _Alignas(16) uint8_t packed[4096];
static NPU_DRAM_BSS _Alignas(16) int8_t input[4096], output[4096];

static const void *called; // the record's function, or null
static const int8_t *called_input;

static npu_status first(const npu_context *context, const int8_t *in, const void *constants, int8_t *out) {
  called = first;
  called_input = in;
  return context->buffer == scratch && constants != 0 && out != 0 ? NPU_OK : NPU_ERROR_ARGUMENT;
}

static npu_status second(const npu_context *context, const int8_t *in, const void *constants, int8_t *out) {
  (void)context, (void)in, (void)constants, (void)out;
  called = second;
  return NPU_ERROR_TRANSFER; // comes back from the library
}

// int8, 3 x 3, padded, everything in DRAM.
#define PROBLEM                                                                                                       \
  {                                                                                                                   \
    .input = {1, 6, 5, 16}, .filter = {16, 3, 3, 16}, .output = {1, 6, 5, 16},                                        \
    .params = {.input_offset = 3,                                                                                     \
               .output_offset = -4,                                                                                   \
               .stride = {1, 1},                                                                                      \
               .padding = {1, 1},                                                                                     \
               .dilation = {1, 1},                                                                                    \
               .activation_min = -128,                                                                                \
               .activation_max = 127,                                                                                 \
               .groups = 1},                                                                                          \
    .weight_bits = 8, .scratch_bytes = NEEDED                                                                         \
  }
static const npu_conv_problem problem = PROBLEM;
NPU_GENERATED(conv) static const npu_generated_conv record = {.problem = PROBLEM, .run = first};
// A product of 32 x 64 by 64 x 16 (npu_matmul_s8_problem).
NPU_GENERATED(conv) static const npu_generated_conv product = {
    .problem = {.input = {1, 2, 16, 64},
                .filter = {16, 1, 1, 64},
                .output = {1, 2, 16, 16},
                .params = {.stride = {1, 1}, .dilation = {1, 1}, .activation_min = -128, .activation_max = 127, .groups = 1},
                .weight_bits = 8},
    .run = second};

static int failures;

static void expect(int line, npu_status got, npu_status status, const void *function) {
  if (got != status || called != function) {
    printf("line %d: status %d, must be %d; %s\n", line, got, status,
           called == function ? "the right kernel" : called != 0 ? "a generated kernel was called" : "no generated kernel was called");
    ++failures;
  }
  called = 0;
}

static npu_status run(const npu_conv_problem *p, uint32_t size) {
  const npu_context context = {scratch, size};
  const int8_t *in = (p->placement & NPU_CONV_INPUT_TCM) != 0 ? near : input;
  int8_t *out = (p->placement & NPU_CONV_OUTPUT_TCM) != 0 ? near : output;
  const void *constants = (p->placement & NPU_CONV_WEIGHTS_TCM) != 0 ? near_packed : packed;
  return p->weight_bits == 4
             ? npu_conv_s4(&context, &p->params, &p->input, in, &p->filter, constants, &p->output, out)
             : npu_conv_s8(&context, &p->params, &p->input, in, &p->filter, constants, &p->output, out);
}

int main(void) {
  expect(__LINE__, run(&problem, SCRATCH), NPU_OK, first);
  expect(__LINE__, called_input == input ? NPU_OK : NPU_ERROR_ARGUMENT, NPU_OK, 0);
  npu_conv_problem same = problem;
  same.params.groups = 0; // counts as 1
  expect(__LINE__, run(&same, NEEDED), NPU_OK, first);

  // One value changed, of those that leave a valid layer.
  enum { VALUES = offsetof(npu_conv_problem, in_pixel) / 4 };
  static const uint8_t changes[] = {
      offsetof(npu_conv_problem, params.input_offset) / 4,   offsetof(npu_conv_problem, params.output_offset) / 4,
      offsetof(npu_conv_problem, params.padding.h) / 4,      offsetof(npu_conv_problem, params.padding.w) / 4,
      offsetof(npu_conv_problem, params.dilation.h) / 4,     offsetof(npu_conv_problem, params.activation_min) / 4,
      offsetof(npu_conv_problem, params.dilation.w) / 4,     offsetof(npu_conv_problem, input.w) / 4,
      offsetof(npu_conv_problem, input.h) / 4,               offsetof(npu_conv_problem, output.h) / 4,
      offsetof(npu_conv_problem, output.w) / 4,              offsetof(npu_conv_problem, filter.h) / 4,
  };
  for (uint32_t i = 0; i < sizeof changes; ++i) {
    union {
      npu_conv_problem problem;
      int32_t values[VALUES];
    } other = {problem};
    ++other.values[changes[i]];
    expect(1000 + changes[i], run(&other.problem, SCRATCH), NPU_OK, 0);
  }
  for (uint32_t place = 1; place < 8; ++place) {
    npu_conv_problem other = problem;
    other.placement = place;
    if (place != (NPU_CONV_INPUT_TCM | NPU_CONV_OUTPUT_TCM) && place != 7) // not both in one array
      expect(2000 + (int)place, run(&other, SCRATCH), NPU_OK, 0);
  }
  npu_conv_problem nibbles = problem;
  nibbles.weight_bits = 4;
  expect(__LINE__, run(&nibbles, SCRATCH), NPU_OK, 0);
  // The kernel does not fit; the library's own may.
  called = 0;
  const npu_status status = run(&problem, NEEDED - 16);
  expect(__LINE__, status, status, 0);

  const npu_context context = {scratch, SCRATCH};
  const npu_matmul_params params = {.activation_min = -128, .activation_max = 127};
  npu_matmul_dims dims = {32, 64, 16};
  expect(__LINE__, npu_matmul_s8_dram(&context, &params, &dims, input, packed, output), NPU_ERROR_TRANSFER, second);
  dims.m = 48;
  expect(__LINE__, npu_matmul_s8_dram(&context, &params, &dims, input, packed, output), NPU_OK, 0);
  return failures != 0;
}
