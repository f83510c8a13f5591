// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver passes to the compiler and the linker.

// RUN: %clang -### %s -o a.elf 2>&1 | FileCheck %s
// CHECK: "-cc1" "-triple" "npu-unknown-elf"
// CHECK-SAME: "-target-cpu" "npu"
// CHECK-SAME: "-internal-isystem" "{{[^"]*}}clang-runtimes{{/|\\\\}}npu{{/|\\\\}}include"
// CHECK-SAME: "-fno-signed-char"
// CHECK: "{{[^"]*}}ld.lld" "-Bstatic" "-m" "elf32lriscv" "-X"
// CHECK-SAME: "{{[^"]*}}crt0.o" "-T" "{{[^"]*}}npu.ld"
// CHECK-SAME: "-L{{[^"]*}}clang-runtimes{{/|\\\\}}npu{{/|\\\\}}lib"
// CHECK-SAME: "--start-group" "{{[^"]*}}libclang_rt.builtins.a" "-lc" "-lnpu" "--end-group" "-o" "a.elf"

// Every spelling of the triple is the same target.
// RUN: clang --target=npu-unknown-elf -### -c %s 2>&1 | FileCheck --check-prefix=TRIPLE %s
// RUN: clang --target=npu-none-elf -### -c %s 2>&1 | FileCheck --check-prefix=TRIPLE %s
// TRIPLE: "-triple" "npu-unknown-elf"

// RUN: %clang -### -nostdlib %s 2>&1 | FileCheck --check-prefix=NOSTDLIB %s
// NOSTDLIB: ld.lld"
// NOSTDLIB-NOT: crt0.o
// NOSTDLIB-NOT: "-lc"
// NOSTDLIB-NOT: builtins

// RUN: %clang -### -nostartfiles %s 2>&1 | FileCheck --check-prefix=NOSTART %s
// NOSTART: ld.lld"
// NOSTART-NOT: crt0.o
// NOSTART: "-lc" "-lnpu"

// RUN: %clang -### -nodefaultlibs %s 2>&1 | FileCheck --check-prefix=NODEFAULT %s
// NODEFAULT: crt0.o
// NODEFAULT-NOT: "-lc"

// A script of the user's replaces ours, and a relocatable link has none.
// RUN: %clang -### -T mine.ld %s 2>&1 | FileCheck --check-prefix=SCRIPT %s
// SCRIPT: "-T" "mine.ld"
// SCRIPT-NOT: npu.ld
// RUN: %clang -### -r %s 2>&1 | FileCheck --check-prefix=RELOCATABLE %s
// RELOCATABLE: "-r"
// RELOCATABLE-NOT: npu.ld

// RUN: %clang -### --sysroot=/other %s 2>&1 | FileCheck --check-prefix=SYSROOT %s
// SYSROOT: "-internal-isystem" "/other{{/|\\\\}}include"
// SYSROOT: "--sysroot=/other"
// SYSROOT-SAME: "-L/other{{/|\\\\}}lib"

// The frame pointer is kept without optimization alone.
// RUN: %clang -### -c %s 2>&1 | FileCheck --check-prefix=FRAME-O0 %s
// RUN: %clang -### -O2 -c %s 2>&1 | FileCheck --check-prefix=FRAME-O2 %s
// FRAME-O0: "-mframe-pointer=all"
// FRAME-O2: "-mframe-pointer=none"

// RUN: not %clang -mcpu=other -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=CPU %s
// CPU: error: unknown target CPU 'other'
// CPU-NEXT: note: valid target CPU values are: npu

// The tuning is the CPU's.
// RUN: %clang -mtune=npu -Werror -c %s -o /dev/null
// RUN: not %clang -mtune=other -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=TUNE %s
// TUNE: error: unsupported argument 'other' to option '-mtune='
// RUN: %clang -mcpu=help 2>&1 | FileCheck --check-prefix=CPUS %s
// RUN: %clang -mtune=help 2>&1 | FileCheck --check-prefix=CPUS %s
// CPUS: Available CPUs for this target:
// CPUS: npu

// Options that builds for riscv32 have, where they ask for nothing that is not done anyway.
// RUN: %clang -Werror -mrelax -mno-relax -msave-restore -mno-save-restore -mstrict-align -msmall-data-limit=8 -G0 -c %s -o /dev/null
// RUN: echo nop > %t.s
// RUN: %clang -Werror -mno-relax -mno-save-restore -mstrict-align -msmall-data-limit=0 -c %t.s -o /dev/null
// RUN: %clang -### -Werror -mno-relax -msmall-data-limit=0 %s 2>&1 | FileCheck --check-prefix=RELAX %s
// RELAX: ld.lld"
// RELAX-SAME: "--no-relax"
// RUN: %clang -### -mcmodel=medlow -c %s 2>&1 | FileCheck --check-prefix=CMODEL %s
// RUN: %clang -### -mcmodel=medany -c %s 2>&1 | FileCheck --check-prefix=CMODEL %s
// RUN: %clang -Werror -mcmodel=small -c %s -o /dev/null
// CMODEL: "-mcmodel=small"
// RUN: not %clang -mcmodel=large -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=LARGE %s
// LARGE: error: unsupported argument 'large' to option '-mcmodel=' for target 'npu-unknown-elf'
// RUN: not %clang -mno-strict-align -c %s -o /dev/null 2>&1 | FileCheck --check-prefix=UNALIGNED %s
// UNALIGNED: error: unsupported option '-mno-strict-align' for target 'npu

// Vector registers are for what the program asks for.
// RUN: echo 'void f(int *a) { for (int i = 0; i < 64; ++i) a[i] *= 3; }' > %t.c
// RUN: %clang -O2 -mno-implicit-float -Werror -S %t.c -o - | FileCheck --check-prefix=SCALAR %s
// RUN: %clang -O2 -mno-implicit-float -mimplicit-float -Werror -S %t.c -o - | FileCheck --check-prefix=VECTOR %s
// SCALAR-NOT: v.ld
// VECTOR: v.ld

// C++ has neither exceptions nor run-time types, unless run-time types are asked for.
// RUN: %clangxx -### -c -x c++ %s 2>&1 | FileCheck --check-prefix=CXX --implicit-check-not=exceptions %s
// RUN: %clangxx -### -fno-exceptions -fno-rtti -Werror -c -x c++ %s 2>&1 | FileCheck --check-prefix=CXX --implicit-check-not=exceptions %s
// CXX: "-fno-rtti"
// RUN: %clangxx -### -frtti -c -x c++ %s 2>&1 | FileCheck --check-prefix=RTTI --implicit-check-not=-fno-rtti %s
// RTTI: "-cc1"

// What the machine's software cannot do is refused, whatever else asks for it or not.
// RUN: not %clangxx -fexceptions -c -x c++ %s -o /dev/null 2>&1 | FileCheck -DOPTION=-fexceptions --check-prefix=REFUSED %s
// RUN: not %clang -fexceptions -c %s -o /dev/null 2>&1 | FileCheck -DOPTION=-fexceptions --check-prefix=REFUSED %s
// RUN: not %clangxx -fcxx-exceptions -c -x c++ %s -o /dev/null 2>&1 | FileCheck -DOPTION=-fcxx-exceptions --check-prefix=REFUSED %s
// RUN: not %clang -shared %s -o /dev/null 2>&1 | FileCheck -DOPTION=-shared --check-prefix=REFUSED %s
// RUN: not %clang -pie %s -o /dev/null 2>&1 | FileCheck -DOPTION=-pie --check-prefix=REFUSED %s
// RUN: not %clang -static-pie %s -o /dev/null 2>&1 | FileCheck -DOPTION=-static-pie --check-prefix=REFUSED %s
// RUN: not %clang -rdynamic %s -o /dev/null 2>&1 | FileCheck -DOPTION=-rdynamic --check-prefix=REFUSED %s
// RUN: not %clang -fsanitize=address -c %s -o /dev/null 2>&1 | FileCheck -DOPTION=-fsanitize=address --check-prefix=REFUSED %s
// REFUSED: error: unsupported option '[[OPTION]]' for target 'npu-unknown-elf'
// RUN: %clangxx -fexceptions -fno-exceptions -c -x c++ %s -o /dev/null

// -fPIC is taken: static code is as good.
// RUN: %clang -fPIC -Werror -c %s -o /dev/null

// Of the sanitizers' runtimes there is the minimal one.
// RUN: %clang -### -fsanitize=undefined -c %s 2>&1 | FileCheck --check-prefix=MINIMAL %s
// MINIMAL: "-fsanitize-minimal-runtime"
// RUN: %clang -### -fsanitize=undefined -fsanitize-trap=all -c %s 2>&1 | FileCheck --check-prefix=TRAP --implicit-check-not=-fsanitize-minimal-runtime %s
// TRAP: "-fsanitize-trap=

int main(void) { return 0; }
