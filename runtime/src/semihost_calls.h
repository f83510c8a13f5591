// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The semihosting calls that the start-up and the trap report need without a C library.

#ifndef NPU_SEMIHOST_CALLS_H
#define NPU_SEMIHOST_CALLS_H

#include <stddef.h>
#include <stdint.h>

// Numbers of the Arm semihosting specification, which RISC-V semihosting shares.
enum {
  SEMIHOST_OPEN = 0x01,
  SEMIHOST_WRITE = 0x05,
  SEMIHOST_RENAME = 0x0f,
  SEMIHOST_ERRNO = 0x13,
  SEMIHOST_GET_CMDLINE = 0x15,
  SEMIHOST_EXIT_EXTENDED = 0x20,
  SEMIHOST_OPEN_APPEND = 8, // mode of ":tt" that means standard error
  SEMIHOST_APPLICATION_EXIT = 0x20026,
};

// Defined in semihost_call.S, where the three instructions of the sequence stay together.
int32_t __npu_semihost(uint32_t operation, const void *parameters);

static inline _Noreturn void npu_semihost_exit(uint32_t status) {
  const uint32_t block[2] = {SEMIHOST_APPLICATION_EXIT, status};
  for (;;)
    __npu_semihost(SEMIHOST_EXIT_EXTENDED, block);
}

// Writes to standard error and ends the program.
static inline _Noreturn void npu_semihost_fail(const char *text, uint32_t length, uint32_t status) {
  const uint32_t open_block[3] = {(uint32_t)":tt", SEMIHOST_OPEN_APPEND, 3};
  const int32_t handle = __npu_semihost(SEMIHOST_OPEN, open_block);
  if (handle != -1) {
    const uint32_t write_block[3] = {(uint32_t)handle, (uint32_t)text, length};
    __npu_semihost(SEMIHOST_WRITE, write_block);
  }
  npu_semihost_exit(status);
}

#endif // NPU_SEMIHOST_CALLS_H
