# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The scheduling model as llvm-mca shows it: an in-order core that issues one
# instruction a cycle. (That its latencies are those of platform.json is checked
# by isa-spec/gen.)
#
# RUN: llvm-mca -mtriple=npu -mcpu=generic -iterations=1 -instruction-info=true -resource-pressure=false %s | FileCheck %s

# One instruction and, of its result, one load-use bubble.
# CHECK: Instructions: 6
# CHECK: Dispatch Width: 1
# CHECK: {{^}} 1 1 1.00 {{.*}}addi a0, a0, 1
addi a0, a0, 1
# CHECK-NEXT: {{^}} 1 2 1.00 * {{.*}}lw a1, 0(a0)
lw a1, 0(a0)
# CHECK-NEXT: {{^}} 1 2 1.00 {{.*}}mul a2, a1, a1
mul a2, a1, a1
# CHECK-NEXT: {{^}} 1 34 34.00 {{.*}}div a3, a2, a0
div a3, a2, a0
# CHECK-NEXT: {{^}} 1 1 1.00 * {{.*}}sw a3, 0(a0)
sw a3, 0(a0)
# CHECK-NEXT: {{^}} 1 1 1.00 * * U mac.run a0, a1, a2
mac.run a0, a1, a2
