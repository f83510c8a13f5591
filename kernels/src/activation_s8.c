// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "npu/activation.h"

#include "vector.h"
#include "vector_stream.h"

enum { BLOCK = 64 };

// Four look-ups of 64 bytes each take two cycles from one to the next, so four blocks go side by
// side.
static void look_up(const void *table, void *output, const void *const *inputs, uint32_t n) {
  const uint8_t *in = inputs[0];
  int8_t *out = output;
  npu_int8x64_t t[4];
  for (int i = 0; i < 4; ++i)
    t[i] = npu_v_ld_b((const int8_t *)table + BLOCK * i);
  for (; n >= 4 * BLOCK; n -= 4 * BLOCK) {
    npu_int8x64_t x[4];
    for (int i = 0; i < 4; ++i)
      x[i] = npu_v_lookup((npu_uint8x64_t)npu_v_ld_b(in + BLOCK * i), t);
    for (int i = 0; i < 4; ++i)
      npu_v_st_b(x[i], out + BLOCK * i);
    in += 4 * BLOCK;
    out += 4 * BLOCK;
  }
  for (; n != 0; n -= n < BLOCK ? n : BLOCK) {
    npu_v_stl_b(npu_v_lookup((npu_uint8x64_t)npu_v_ldl_b(in, n), t), out, n);
    in += BLOCK;
    out += BLOCK;
  }
}

uint32_t npu_activation_s8_get_buffer_size(void) {
  return npu_stream_buffer_size(NPU_STREAM_GRANULE, 2);
}

npu_status npu_activation_s8(const npu_context *context, const int8_t *table, uint32_t size,
                             const int8_t *input, int8_t *output) {
  if (size == 0 || size > INT32_MAX)
    return NPU_ERROR_ARGUMENT;
  if (!npu_table_readable(table, NPU_ACTIVATION_TABLE_BYTES))
    return NPU_ERROR_TRANSFER;
  const npu_stream stream = {.kernel = look_up,
                             .constants = table,
                             .in = {input},
                             .in_bytes = {1},
                             .out = output,
                             .out_bytes = 1,
                             .count = size};
  return npu_stream_run(context, &stream);
}
