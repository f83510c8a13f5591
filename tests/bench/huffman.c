// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Huffman coding: counts, a tree from a heap, codes, encoding and decoding bit by bit.

#include "bench.h"

#define SIZE 2000
#define SYMBOLS 64

struct node {
  uint32_t weight;
  int16_t child[2];
};

static uint8_t text[SIZE], decoded[SIZE], bits[SIZE];
static struct node nodes[2 * SYMBOLS];
static uint16_t heap[SYMBOLS + 1];
static int heap_size;
static uint32_t code[SYMBOLS];
static uint8_t length[SYMBOLS];

static int before(uint16_t a, uint16_t b) {
  return nodes[a].weight != nodes[b].weight ? nodes[a].weight < nodes[b].weight : a < b;
}

static void push(uint16_t n) {
  int i = ++heap_size;
  for (; i > 1 && before(n, heap[i / 2]); i /= 2)
    heap[i] = heap[i / 2];
  heap[i] = n;
}

static uint16_t pop(void) {
  uint16_t top = heap[1], last = heap[heap_size--];
  int i = 1;
  for (int child; (child = 2 * i) <= heap_size; i = child) {
    if (child < heap_size && before(heap[child + 1], heap[child]))
      child++;
    if (!before(heap[child], last))
      break;
    heap[i] = heap[child];
  }
  heap[i] = last;
  return top;
}

static void assign(int n, uint32_t prefix, uint8_t depth) {
  if (nodes[n].child[0] < 0) {
    code[n] = prefix;
    length[n] = depth;
    return;
  }
  assign(nodes[n].child[0], prefix << 1, (uint8_t)(depth + 1));
  assign(nodes[n].child[1], prefix << 1 | 1, (uint8_t)(depth + 1));
}

static int build(void) {
  int count = SYMBOLS;
  for (int i = 0; i < SYMBOLS; i++) {
    nodes[i].weight = 0;
    nodes[i].child[0] = nodes[i].child[1] = -1;
  }
  for (int i = 0; i < SIZE; i++)
    nodes[text[i]].weight++;
  for (int i = 0; i < SYMBOLS; i++)
    if (nodes[i].weight)
      push((uint16_t)i);
  while (heap_size > 1) {
    uint16_t a = pop(), b = pop();
    nodes[count].weight = nodes[a].weight + nodes[b].weight;
    nodes[count].child[0] = (int16_t)a;
    nodes[count].child[1] = (int16_t)b;
    push((uint16_t)count++);
  }
  int root = pop();
  assign(root, 0, 0);
  return root;
}

static uint32_t encode(void) {
  uint32_t position = 0;
  for (int i = 0; i < SIZE; i++) {
    uint32_t c = code[text[i]];
    for (int n = length[text[i]]; n-- > 0; position++)
      if (c >> n & 1)
        bits[position / 8] |= (uint8_t)(0x80 >> position % 8);
  }
  return position;
}

static void decode(int root, uint32_t count) {
  int n = root;
  uint8_t *out = decoded;
  for (uint32_t i = 0; i < count; i++) {
    n = nodes[n].child[bits[i / 8] >> (7 - i % 8) & 1];
    if (nodes[n].child[0] < 0) {
      *out++ = (uint8_t)n;
      n = root;
    }
  }
}

uint32_t bench_run(void) {
  uint32_t state = 5, sum = 0;
  for (int i = 0; i < SIZE; i++) {
    // Small symbols are frequent.
    uint32_t r = bench_next(&state);
    text[i] = (uint8_t)((r & 63) * (r >> 6 & 63) >> 6);
  }
  int root = build();
  uint32_t count = encode();
  decode(root, count);
  for (int i = 0; i < SIZE; i++)
    sum += text[i] != decoded[i];
  for (uint32_t i = 0; i < count / 8; i++)
    sum = bench_mix(sum, bits[i]);
  return bench_mix(sum, count);
}

BENCH_EXPECT(0xbd5e2ded);
