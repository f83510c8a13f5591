// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random calls of the operators. Each starts as a valid layer; in a damaged one up to three numbers
// are replaced by odd ones, a pointer may be null, misaligned or no memory's, and the scratch
// buffer smaller than needed. Operands lie in TCM or DRAM by chance, with guards around scratch and
// output.

#ifndef FUZZ_ARGUMENTS_H
#define FUZZ_ARGUMENTS_H

#include <npu/nn.h>
#include <npu/placement.h>

enum { AREA = 1 << 14, PACKED_AREA = 2 << 20 };

extern int fuzz_damaged;

int32_t fuzz_below(int32_t n); // 0..n-1
int32_t fuzz_range(int32_t low, int32_t high);
int32_t fuzz_odd(void); // a number at an end of something
npu_dims fuzz_image(int32_t extent, int32_t channels);
int32_t fuzz_outputs(int32_t in, int32_t taps, int32_t stride, int32_t dilation,
                     int32_t padding); // extent

// In a damaged call replaces some of the words; notes them all for the message of a failure.
void fuzz_damage(void *words, uint32_t bytes);

// Where the operands of a call lie: sizes in bytes as the arguments say, 0 for one that the
// operator lacks. What is larger than an area is no memory's.
typedef struct fuzz_call {
  void *in, *in2, *out;
  const void *packed;
  npu_context context;
} fuzz_call;

uint64_t fuzz_bytes(const npu_dims *dims, uint32_t element);
// Of a tensor with bytes from pixel to pixel and from line to line; 0 = dense.
uint64_t fuzz_spread_bytes(const npu_dims *dims, uint32_t element, int32_t pixel, int32_t line);

// needed: of scratch; 0 says that the operator must refuse the arguments.
fuzz_call fuzz_place(uint64_t in, uint64_t in2, uint64_t out, uint64_t packed, uint32_t needed,
                     uint32_t element);

// Fills both areas of packed constants.
void fuzz_table(const void *table, uint32_t bytes);

// Behind the call: status, guards, inputs.
void fuzz_check(const fuzz_call *call, npu_status status);

// Notes a failure and prints it.
void fuzz_fail(const char *what, int value);

// The makers, and what tells them which operator to call.
enum {
#define OPERATOR(name, maker) FUZZ_##name,
#include "fuzz_operators.def"
#undef OPERATOR
};
#define OPERATOR(name, maker) void fuzz_##maker(int kind);
#include "fuzz_operators.def"
#undef OPERATOR

#endif
