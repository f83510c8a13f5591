// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the golden cases of a file: runner.elf FILE [tcm|dram]. Each case runs with its operands in DRAM and,
// if they fit, in TCM; then their addresses are odd multiples of 4 and of 1 by turns. One line a run:
//   CASE <number> <place> ok <cycles> | <description>
//   CASE <number> <place> FAIL <why> | <description>
// The exit status is 0 if all are ok.

#include "runner.h"

#include <npu/cycles.h>
#include <npu/placement.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  MAGIC = 0x4355504E,
  NAME = 32,
  DESCRIPTION = 96,
  FILE_BYTES = 24 << 20,
  DRAM_BYTES = 24 << 20,
  TCM_BYTES = 40 << 10,
  SCRATCH_BYTES = 52 << 10,
  GUARD_BYTES = 64,
  GUARD = 0x55,
  TENSORS = 16,
};

typedef struct area {
  uint8_t *start;
  uint32_t size, used;
} area;

static NPU_DRAM_BSS _Alignas(64) uint8_t file[FILE_BYTES];
static NPU_DRAM_BSS _Alignas(64) uint8_t dram_bytes[DRAM_BYTES];
static _Alignas(64) uint8_t tcm_bytes[TCM_BYTES];
static _Alignas(64) uint8_t scratch[SCRATCH_BYTES + GUARD_BYTES];

static area dram = {dram_bytes, sizeof dram_bytes, 0};
static area tcm = {tcm_bytes, sizeof tcm_bytes, 0};
static area *place;
static uint32_t scratch_size;
static uint32_t started;

// `offset` behind a multiple of 64; null if there is not so much left.
static void *take(area *from, uint32_t bytes, uint32_t offset) {
  const uint32_t at = ((from->used + 63) & ~63u) + offset;
  if (at + bytes > from->size || bytes > from->size)
    return NULL;
  from->used = at + bytes;
  return from->start + at;
}

npu_context test_context(const test_case *c, uint32_t smallest) {
  scratch_size = c->scratch > smallest ? c->scratch : smallest;
  const int fits = scratch_size <= SCRATCH_BYTES;
  if (!fits)
    scratch_size = SCRATCH_BYTES;
  memset(scratch + scratch_size, GUARD, GUARD_BYTES);
  const npu_context context = {fits ? scratch : NULL, scratch_size};
  return context;
}

void *test_memory(uint32_t bytes) {
  void *memory = take(place, bytes, 0);
  return memory != NULL ? memory : take(&dram, bytes, 0);
}

npu_dims test_dims(const test_tensor *tensor) {
  int32_t d[4] = {1, 1, 1, 1};
  for (int32_t i = 0; i < tensor->rank && i < 4; ++i)
    d[4 - (tensor->rank < 4 ? tensor->rank : 4) + i] = tensor->dims[i];
  const npu_dims dims = {d[0], d[1], d[2], d[3]};
  return dims;
}

void test_start(void) { started = npu_cycles32(); }

static int32_t word(const uint8_t **at) {
  int32_t value;
  memcpy(&value, *at, sizeof value);
  *at += sizeof value;
  return value;
}

// One run of a case whose parameters start at `at`. What went wrong, or null.
static const char *run(const test_operator *operator, const uint8_t *at, area *where, uint32_t *cycles) {
  static char why[120];
  static test_tensor tensors[TENSORS];
  dram.used = tcm.used = 0;
  place = where;
  test_case c = {.scratch = (uint32_t)word(&at)};
  c.param_count = word(&at);
  const int32_t count = word(&at);
  if (count < 1 || count > TENSORS)
    return "number of tensors";
  c.params = (const int32_t *)at;
  at += 4 * c.param_count;
  const uint8_t *expected = NULL;
  for (int32_t i = 0; i < count; ++i) {
    test_tensor *t = &tensors[i];
    t->type = word(&at);
    t->rank = word(&at);
    for (int32_t d = 0; d < TEST_DIMS; ++d)
      t->dims[d] = word(&at);
    t->bytes = (uint32_t)word(&at);
    at = file + (((uint32_t)(at - file) + 15) & ~15u);
    // Any alignment that the type has.
    const uint32_t align = t->type == TEST_INT8 || t->type == TEST_UINT8 || t->type == TEST_BOOL ||
                                   t->type == TEST_INT4
                               ? 1
                           : t->type == TEST_INT16 ? 2
                                                   : 4;
    t->data = take(where, t->bytes + GUARD_BYTES, (uint32_t)(i + 1) * align % 16);
    if (t->data == NULL)
      return where == &tcm ? "" : "operands do not fit";
    if (i + 1 < count)
      memcpy(t->data, at, t->bytes);
    else
      expected = at;
    at = file + (((uint32_t)(at - file) + t->bytes + 3) & ~3u);
  }
  c.inputs = tensors;
  c.input_count = count - 1;
  c.output = tensors[count - 1];
  memset((uint8_t *)c.output.data - 1, GUARD, c.output.bytes + 1 + GUARD_BYTES);

  scratch_size = SCRATCH_BYTES;
  test_start();
  const npu_status status = operator->run(&c);
  *cycles = npu_cycles32() - started;
  if (status != NPU_OK) {
    snprintf(why, sizeof why, "status %d", (int)status);
    return why;
  }
  const uint8_t *got = c.output.data;
  for (uint32_t i = 0; i < c.output.bytes; ++i)
    if (got[i] != expected[i]) {
      snprintf(why, sizeof why, "byte %lu is %d, must be %d", (unsigned long)i, (int8_t)got[i],
               (int8_t)expected[i]);
      return why;
    }
  if (got[-1] != GUARD)
    return "byte written in front of the output";
  for (uint32_t i = 0; i < GUARD_BYTES; ++i) {
    if (got[c.output.bytes + i] != GUARD)
      return "byte written behind the output";
    if (scratch_size < SCRATCH_BYTES && scratch[scratch_size + i] != GUARD)
      return "byte written behind the scratch buffer";
  }
  return NULL;
}

static int run_case(int32_t number, const uint8_t *at, const char *only) {
  const char *name = (const char *)at, *description = name + NAME;
  const test_operator *operator = test_operators;
  while (operator->name != NULL && strncmp(operator->name, name, NAME) != 0)
    ++operator;
  if (operator->name == NULL) {
    printf("CASE %ld - FAIL no function runs %.32s\n", (long)number, name);
    return 0;
  }
  int ok = 1;
  static const char *const places[] = {"dram", "tcm"};
  for (int i = 0; i < 2; ++i) {
    if (only != NULL && strcmp(only, places[i]) != 0)
      continue;
    uint32_t cycles = 0;
    const char *why = run(operator, at + NAME + DESCRIPTION, i == 0 ? &dram : &tcm, &cycles);
    if (why == NULL)
      printf("CASE %ld %s ok %lu | %s\n", (long)number, places[i], (unsigned long)cycles, description);
    else if (*why != '\0') {
      printf("CASE %ld %s FAIL %s | %s\n", (long)number, places[i], why, description);
      ok = 0;
    }
  }
  return ok;
}

int main(int argc, char **argv) {
  const int in = argc > 1 ? open(argv[1], O_RDONLY) : -1;
  uint32_t bytes = 0;
  for (ssize_t count; in >= 0 && (count = read(in, file + bytes, sizeof file - bytes)) > 0;)
    bytes += (uint32_t)count;
  const uint8_t *at = file;
  if (bytes < 8 || word(&at) != MAGIC) {
    printf("runner: no case file\n");
    return 2;
  }
  const int32_t cases = word(&at);
  int ok = 1;
  for (int32_t i = 0; i < cases; ++i) {
    const uint8_t *body = at;
    const uint32_t size = (uint32_t)word(&body);
    if (size > bytes - (uint32_t)(at - file)) {
      printf("runner: case %ld is cut off\n", (long)i);
      return 2;
    }
    ok &= run_case(i, body, argc > 2 ? argv[2] : NULL);
    at += size;
  }
  return !ok;
}
