// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches: shortest paths with a heap, queens by backtracking, the life of a grid, edit distance.

#include "bench.h"

#define NODES 64
#define EDGES 4

static uint16_t weight[NODES][EDGES];
static uint8_t target[NODES][EDGES];
static uint32_t distance[NODES];
static uint16_t heap_node[NODES * EDGES];
static uint32_t heap_key[NODES * EDGES];
static int heap_size;

static void push(uint32_t key, uint16_t node) {
  int i = heap_size++;
  while (i > 0 && heap_key[(i - 1) / 2] > key) {
    heap_key[i] = heap_key[(i - 1) / 2];
    heap_node[i] = heap_node[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  heap_key[i] = key;
  heap_node[i] = node;
}

static uint16_t pop(uint32_t *key) {
  uint16_t node = heap_node[0];
  *key = heap_key[0];
  uint32_t last_key = heap_key[--heap_size];
  uint16_t last = heap_node[heap_size];
  int i = 0;
  for (int child; (child = 2 * i + 1) < heap_size; i = child) {
    if (child + 1 < heap_size && heap_key[child + 1] < heap_key[child])
      child++;
    if (heap_key[child] >= last_key)
      break;
    heap_key[i] = heap_key[child];
    heap_node[i] = heap_node[child];
  }
  heap_key[i] = last_key;
  heap_node[i] = last;
  return node;
}

static void shortest_paths(uint16_t from) {
  for (int i = 0; i < NODES; i++)
    distance[i] = ~0u;
  distance[from] = 0;
  push(0, from);
  while (heap_size) {
    uint32_t d;
    uint16_t n = pop(&d);
    if (d > distance[n])
      continue;
    for (int e = 0; e < EDGES; e++) {
      uint32_t next = d + weight[n][e];
      if (next < distance[target[n][e]]) {
        distance[target[n][e]] = next;
        push(next, target[n][e]);
      }
    }
  }
}

static uint32_t queens(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
  if (columns == all)
    return 1;
  uint32_t count = 0;
  for (uint32_t free = all & ~(columns | left | right); free;) {
    uint32_t bit = free & -free;
    free ^= bit;
    count += queens(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

#define SIDE 16

static uint8_t grid[2][SIDE + 2][SIDE + 2];

static void live(int from) {
  for (int y = 1; y <= SIDE; y++)
    for (int x = 1; x <= SIDE; x++) {
      int n = 0;
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          n += grid[from][y + dy][x + dx];
      grid[!from][y][x] = n == 3 || (n == 4 && grid[from][y][x]);
    }
}

static uint32_t edit_distance(const char *a, const char *b) {
  uint8_t row[40];
  uint32_t n = 0;
  for (; b[n]; n++)
    row[n] = (uint8_t)n;
  row[n] = (uint8_t)n;
  for (uint32_t i = 1; *a; a++, i++) {
    uint8_t diagonal = row[0];
    row[0] = (uint8_t)i;
    for (uint32_t j = 1; j <= n; j++) {
      uint8_t best = (uint8_t)(diagonal + (*a != b[j - 1]));
      diagonal = row[j];
      if (row[j] + 1 < best)
        best = (uint8_t)(row[j] + 1);
      if (row[j - 1] + 1 < best)
        best = (uint8_t)(row[j - 1] + 1);
      row[j] = best;
    }
  }
  return row[n];
}

uint32_t bench_run(void) {
  uint32_t state = 17, sum = 0;
  for (int n = 0; n < NODES; n++)
    for (int e = 0; e < EDGES; e++) {
      weight[n][e] = (uint16_t)(bench_next(&state) % 100 + 1);
      target[n][e] = (uint8_t)(bench_next(&state) % NODES);
    }
  for (uint16_t from = 0; from < 6; from++) {
    shortest_paths(from);
    for (int i = 0; i < NODES; i++)
      sum = bench_mix(sum, distance[i]);
  }
  sum = bench_mix(sum, queens(0x7f, 0, 0, 0));
  for (int y = 1; y <= SIDE; y++)
    for (int x = 1; x <= SIDE; x++)
      grid[0][y][x] = bench_next(&state) & 1;
  for (int i = 0; i < 4; i++)
    live(i & 1);
  for (int y = 1; y <= SIDE; y++)
    for (int x = 1; x <= SIDE; x++)
      sum = bench_mix(sum, grid[0][y][x]);
  sum = bench_mix(sum, edit_distance("weight stationary array", "output stationary matrix"));
  return bench_mix(sum, edit_distance("the scratchpad has sixteen banks", "a scratch pad with 16 bank"));
}

BENCH_EXPECT(0x36ad6edd);
