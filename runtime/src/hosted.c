// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of hosted C that picolibc and its semihosting library leave out.

#include "semihost_calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int rename(const char *from, const char *to) {
  const uint32_t block[4] = {(uint32_t)from, strlen(from), (uint32_t)to, strlen(to)};
  if (__npu_semihost(SEMIHOST_RENAME, block) == 0)
    return 0;
  errno = __npu_semihost(SEMIHOST_ERRNO, NULL);
  return -1;
}

int timespec_get(struct timespec *time, int base) {
  struct timeval now;
  if (base != TIME_UTC || gettimeofday(&now, NULL) != 0)
    return 0;
  time->tv_sec = now.tv_sec;
  time->tv_nsec = now.tv_usec * 1000;
  return base;
}

// As many as C asks for at least.
enum { QUICK_EXIT_HANDLERS = 32 };
static void (*quick_exit_handlers[QUICK_EXIT_HANDLERS])(void);
static int quick_exit_count;

int at_quick_exit(void (*handler)(void)) {
  if (quick_exit_count == QUICK_EXIT_HANDLERS)
    return -1;
  quick_exit_handlers[quick_exit_count++] = handler;
  return 0;
}

void quick_exit(int status) {
  while (quick_exit_count > 0)
    quick_exit_handlers[--quick_exit_count]();
  _Exit(status);
}
