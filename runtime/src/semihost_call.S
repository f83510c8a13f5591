// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// int32_t __npu_semihost(uint32_t operation, const void *parameters)

        .section .text.__npu_semihost, "ax", @progbits
        .globl  __npu_semihost
        .type   __npu_semihost, @function
        .p2align 4
__npu_semihost:
        .option push
        .option norvc
        slli    x0, x0, 0x1f
        ebreak
        srai    x0, x0, 7
        .option pop
        ret
        .size   __npu_semihost, . - __npu_semihost
