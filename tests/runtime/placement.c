// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects and code are where their attributes say, initialised as C demands.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: %iss %t.elf | FileCheck %s
// RUN: %rtl %t.elf | FileCheck %s
// RUN: %cc -O2 -DLARGE -T npu-large.ld %s -o %t.large.elf
// RUN: %iss --config large %t.large.elf | FileCheck %s
// RUN: %rtl --config large %t.large.elf | FileCheck %s

#include <npu/placement.h>
#include <npu_platform.h>
#include <stdio.h>

NPU_TCM int tcm_data[4] = {1, 2, 3, 4};
NPU_DRAM int dram_data[4] = {5, 6, 7, 8};
NPU_DRAM_BSS int dram_zero[300000];
#ifdef LARGE
int plain_zero[60000]; // more than the default scratchpad
#else
int plain_zero[100];
#endif
static const int constants[3] = {9, 10, 11};

NPU_ITCM __attribute__((noinline)) static int in_itcm(int x) { return x * 3; }
NPU_DRAM_CODE static int in_dram(int x) {
  int sum = 0;
  for (int i = 0; i < x; ++i)
    sum += i * x;
  return sum;
}

static const char *region(const volatile void *at) {
  switch ((uint32_t)at >> 28) {
  case NPU_ITCM_BASE >> 28:
    return "ITCM";
  case NPU_TCM_BASE >> 28:
    return "TCM";
  default:
    return (uint32_t)at >= NPU_DRAM_BASE ? "DRAM" : "nowhere";
  }
}

int main(void) {
  int local = 0;
  printf("data %s %s %s %s %s\n", region(tcm_data), region(dram_data), region(dram_zero),
         region(plain_zero), region(&local));
  // CHECK: data TCM DRAM DRAM TCM TCM
  printf("code %s %s %s\n", region((void *)(uintptr_t)main), region((void *)(uintptr_t)in_itcm),
         region((void *)(uintptr_t)in_dram));
  // CHECK-NEXT: code ITCM ITCM DRAM
  printf("values %d %d %d %d %d\n", tcm_data[3], dram_data[3], dram_zero[299999],
         plain_zero[99] + plain_zero[sizeof plain_zero / sizeof *plain_zero - 1], constants[2]);
  // CHECK-NEXT: values 4 8 0 0 11
  printf("calls %d %d\n", in_itcm(14), in_dram(10));
  // CHECK-NEXT: calls 42 450
  printf("free %d\n", __tcm_free_end - __tcm_free_start > 1024);
  // CHECK-NEXT: free 1
  return 0;
}
