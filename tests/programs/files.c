// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files and standard input through semihosting.
//
// RUN: %cc -O2 -Wall -Werror %s -o %t.elf
// RUN: sh -c 'echo "12 apples" | %iss %t.elf %t.iss.txt' | FileCheck %s
// RUN: FileCheck --check-prefix=FILE --input-file=%t.iss.txt %s
// RUN: sh -c 'echo "12 apples" | %rtl %t.elf %t.rtl.txt' | FileCheck %s
// RUN: FileCheck --check-prefix=FILE --input-file=%t.rtl.txt %s

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  int count = 0;
  char word[16];
  if (scanf("%d %15s", &count, word) == 2)
    printf("read %d and %s\n", count, word);
  // CHECK: read 12 and apples

  FILE *file = fopen(argv[1], "w");
  if (file == NULL)
    return 1;
  for (int i = 0; i < 100; ++i)
    fprintf(file, "line %d\n", i);
  fclose(file);
  // FILE: line 0
  // FILE: line 99

  file = fopen(argv[1], "r");
  char line[32];
  fseek(file, -8, SEEK_END);
  printf("last: %s", fgets(line, sizeof line, file));
  // CHECK-NEXT: last: line 99
  rewind(file);
  int lines = 0;
  while (fgets(line, sizeof line, file) != NULL)
    ++lines;
  printf("%d lines, at %ld, end %d\n", lines, ftell(file), feof(file) != 0);
  // CHECK-NEXT: 100 lines, at 790, end 1
  fclose(file);
  printf("missing %d\n", fopen("/nonexistent/file", "r") == NULL);
  // CHECK-NEXT: missing 1
  return 0;
}
