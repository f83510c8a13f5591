// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of hosted C has a definition, and those that are the runtime's own work.
//
// RUN: %python %S/Inputs/standard_functions.py > %t.h
// RUN: %cc -O1 -Wall -Werror -fno-builtin -T npu-large.ld -include %t.h %s -o %t.elf
// RUN: rm -f %t.renamed && %iss --config large %t.elf %t.first %t.renamed | FileCheck %s
// RUN: FileCheck --check-prefix=FILE --input-file=%t.renamed %s
// RUN: not ls %t.first

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void first(void) { puts("first"); }
static void second(void) { puts("second"); }

int main(int argc, char **argv) {
  // CHECK: functions: yes
  int all = argc == 3;
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
    all = all && functions[i] != NULL;
  printf("functions: %s\n", all ? "yes" : "no");

  FILE *file = fopen(argv[1], "w");
  if (file == NULL)
    return 1;
  // FILE: moved
  fputs("moved\n", file);
  fclose(file);
  // CHECK-NEXT: rename 0, then -1 2
  printf("rename %d,", rename(argv[1], argv[2]));
  errno = 0;
  int again = rename(argv[1], argv[2]);
  printf(" then %d %d\n", again, errno);

  struct timespec now = {0};
  // CHECK-NEXT: time 1 1
  printf("time %d %d\n", timespec_get(&now, TIME_UTC), now.tv_sec > 1700000000);
  // CHECK-NEXT: second
  // CHECK-NEXT: first
  // CHECK-NOT: end
  at_quick_exit(first);
  at_quick_exit(second);
  fflush(stdout);
  setvbuf(stdout, NULL, _IONBF, 0);
  quick_exit(0);
  puts("end");
}
