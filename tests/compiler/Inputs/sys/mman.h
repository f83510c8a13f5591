// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the test of __clear_cache: memory for code is a buffer in DRAM.

#pragma once

#include <stddef.h>

#define PROT_READ 0
#define PROT_WRITE 0
#define PROT_EXEC 0
#define MAP_ANON 0
#define MAP_PRIVATE 0
#define MAP_FAILED NULL

static inline void *mmap(void *address, size_t size, int protection, int flags, int file, long offset) {
  static unsigned code[64] __attribute__((section(".bss.dram")));
  return size <= sizeof code ? code : MAP_FAILED;
}
