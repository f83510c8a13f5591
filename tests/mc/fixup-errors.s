# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What only the layout shows to be wrong.
#
# RUN: not llvm-mc -triple=npu -filetype=obj %s -o %t.o 2>&1 | FileCheck %s

start:
# CHECK: :[[#@LINE+1]]:5: error: fixup value out of range
  j far
# CHECK: :[[#@LINE+1]]:14: error: the label in %pcrel_lo does not mark an auipc with %pcrel_hi or %got_pcrel_hi
addi a0, a0, %pcrel_lo(start)
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: value does not fit a signed 12-bit immediate
addi a0, a0, far - start
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: branch or jump target is not even
j start + 1
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: no relocation can hold this expression here
.half extern
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: no relocation can hold this expression here
addi a0, a0, extern - start
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: value 300 does not fit in 8 bits
.byte near_end - near
# CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: value -70000 does not fit in 16 bits
.half near - far_end
# CHECK-NOT: error
.byte near - near_128, near_255 - near
.half far_65535 - near
near:
.space 128
near_128:
.space 127
near_255:
.space 45
near_end:
.space 65235
far_65535:
.space 4465
far_end:
.space 0x100000
far:
  ret
