// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C part of the start-up: command line, constructors, main, exit.

#include "semihost_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { COMMAND_LINE_BYTES = 1024, MAX_ARGUMENTS = 64, USAGE_STATUS = 2 };

typedef void (*constructor)(void);
extern const constructor __preinit_array_start[], __preinit_array_end[];
extern const constructor __init_array_start[], __init_array_end[];

int main(int argc, char **argv);

static void run(const constructor *first, const constructor *last) {
  for (; first != last; ++first)
    (*first)();
}

// A program that misses some of its arguments would do something else than it was told.
static _Noreturn void refuse_command_line(void) {
  static const char text[] = "npu: the command line has more than 1023 bytes or 64 words\n";
  npu_semihost_fail(text, sizeof text - 1, USAGE_STATUS);
}

// Splits the line in place at spaces; the host gives one string.
static int split_arguments(char *line, char **argv) {
  int argc = 0;
  for (;;) {
    while (*line == ' ')
      ++line;
    if (*line == '\0')
      break;
    if (argc == MAX_ARGUMENTS)
      refuse_command_line();
    argv[argc++] = line;
    while (*line != ' ' && *line != '\0')
      ++line;
    if (*line != '\0')
      *line++ = '\0';
  }
  argv[argc] = NULL;
  return argc;
}

// End of the program: the host gets the whole status, which plain SYS_EXIT cannot carry.
_Noreturn void _exit(int status) {
  npu_semihost_exit((uint32_t)status);
}

_Noreturn void __npu_start(void) {
  static char line[COMMAND_LINE_BYTES];
  static char *argv[MAX_ARGUMENTS + 1];

  uint32_t block[2] = {(uint32_t)line, sizeof line};
  if (__npu_semihost(SEMIHOST_GET_CMDLINE, block) != 0) {
    if (__npu_semihost(SEMIHOST_ERRNO, NULL) == E2BIG)
      refuse_command_line();
    line[0] = '\0'; // the host has no command line
  }
  const int argc = split_arguments(line, argv);

  run(__preinit_array_start, __preinit_array_end);
  run(__init_array_start, __init_array_end);
  exit(main(argc, argv));
}
