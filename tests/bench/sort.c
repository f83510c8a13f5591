// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quicksort with insertion sort below a limit, heapsort, shellsort, and binary searches.

#include "bench.h"

#define COUNT 700
#define SMALL 12

static int32_t input[COUNT], work[COUNT];

static void insertion_sort(int32_t *first, int32_t *last) {
  for (int32_t *p = first + 1; p <= last; p++) {
    int32_t value = *p, *q = p;
    for (; q > first && q[-1] > value; q--)
      *q = q[-1];
    *q = value;
  }
}

static void quick_sort(int32_t *first, int32_t *last) {
  while (last - first > SMALL) {
    int32_t pivot = first[(last - first) / 2];
    int32_t *i = first, *j = last;
    while (i <= j) {
      while (*i < pivot)
        i++;
      while (*j > pivot)
        j--;
      if (i <= j) {
        int32_t t = *i;
        *i++ = *j;
        *j-- = t;
      }
    }
    if (j - first < last - i) {
      quick_sort(first, j);
      first = i;
    } else {
      quick_sort(i, last);
      last = j;
    }
  }
  insertion_sort(first, last);
}

static void sift_down(int32_t *heap, uint32_t root, uint32_t count) {
  int32_t value = heap[root];
  for (;;) {
    uint32_t child = 2 * root + 1;
    if (child >= count)
      break;
    if (child + 1 < count && heap[child + 1] > heap[child])
      child++;
    if (heap[child] <= value)
      break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = value;
}

static void heap_sort(int32_t *a, uint32_t count) {
  for (uint32_t i = count / 2; i-- > 0;)
    sift_down(a, i, count);
  for (uint32_t end = count; end-- > 1;) {
    int32_t t = a[0];
    a[0] = a[end];
    a[end] = t;
    sift_down(a, 0, end);
  }
}

static void shell_sort(int32_t *a, int count) {
  for (int gap = count / 2; gap > 0; gap /= 2)
    for (int i = gap; i < count; i++) {
      int32_t value = a[i];
      int j = i;
      for (; j >= gap && a[j - gap] > value; j -= gap)
        a[j] = a[j - gap];
      a[j] = value;
    }
}

static int find(const int32_t *a, int count, int32_t value) {
  int low = 0, high = count - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (a[middle] == value)
      return middle;
    if (a[middle] < value)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -low;
}

static uint32_t checksum(void) {
  uint32_t sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum = bench_mix(sum, (uint32_t)work[i]);
  return sum;
}

static void restore(void) {
  for (int i = 0; i < COUNT; i++)
    work[i] = input[i];
}

uint32_t bench_run(void) {
  uint32_t state = 1, sum;
  for (int i = 0; i < COUNT; i++)
    input[i] = (int32_t)(bench_next(&state) % 100000) - 50000;
  restore();
  quick_sort(work, work + COUNT - 1);
  sum = checksum();
  restore();
  heap_sort(work, COUNT);
  sum += checksum();
  restore();
  shell_sort(work, COUNT);
  sum += checksum();
  for (int i = 0; i < COUNT; i++)
    sum = bench_mix(sum, (uint32_t)find(work, COUNT, input[i] + (i & 1)));
  return sum;
}

BENCH_EXPECT(0x7caec5d4);
