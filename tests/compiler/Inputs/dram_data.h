// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In front of a source whose data are to lie in DRAM.

#pragma clang section rodata = ".dram.rodata" data = ".dram.data"
