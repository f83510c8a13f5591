// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where functions and objects live. Without an attribute code goes to ITCM and data to the
// scratchpad (TCM). A region that is too small is a link error that names the section, the region
// and the bytes too many.
//
//   NPU_ITCM int f(void) { ... }          code in ITCM (the default for code)
//   NPU_DRAM_CODE int g(void) { ... }     code in DRAM, through the instruction cache
//   NPU_TCM int table[4] = {1, 2, 3, 4};  data in the scratchpad (the default for data)
//   NPU_DRAM int big[1000] = {1};         initialised data in DRAM
//   NPU_DRAM_BSS int huge[1000000];       data in DRAM that start as zero, without room in the file
//
// The matrix unit reads and writes the scratchpad only; DMA reaches scratchpad and DRAM.

#ifndef NPU_PLACEMENT_H
#define NPU_PLACEMENT_H

#include <stdint.h>

#define NPU_ITCM __attribute__((section(".itcm")))
#define NPU_DRAM_CODE __attribute__((section(".dram.text"), noinline))
#define NPU_TCM __attribute__((section(".tcm")))
#define NPU_DRAM __attribute__((section(".dram")))
#define NPU_DRAM_BSS __attribute__((section(".bss.dram")))

#ifdef __cplusplus
extern "C" {
#endif

// The part of the scratchpad that the program's sections leave free: [start, end).
extern uint8_t __tcm_free_start[], __tcm_free_end[];

#ifdef __cplusplus
}
#endif

#endif // NPU_PLACEMENT_H
