// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hash tables: open addressing with FNV-1a over strings, chaining with a multiplicative hash.

#include "bench.h"

#define SLOTS 512
#define BUCKETS 128
#define KEYS 300

struct entry {
  char key[12];
  uint32_t count;
};
struct node {
  uint32_t key, value;
  struct node *next;
};

static struct entry table[SLOTS];
static struct node nodes[KEYS], *buckets[BUCKETS];

static uint32_t fnv1a(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (uint8_t)*s) * 16777619u;
  return h;
}

static int equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

static struct entry *lookup(const char *key) {
  uint32_t i = fnv1a(key) % SLOTS;
  while (table[i].key[0] && !equal(table[i].key, key))
    i = (i + 1) % SLOTS;
  return &table[i];
}

static void make_key(char *key, uint32_t n) {
  static const char digits[] = "0123456789abcdef";
  *key++ = 'k';
  do
    *key++ = digits[n & 15];
  while (n >>= 4);
  *key = 0;
}

static struct node **find(uint32_t key) {
  struct node **p = &buckets[key * 2654435769u >> 25];
  while (*p && (*p)->key != key)
    p = &(*p)->next;
  return p;
}

uint32_t bench_run(void) {
  uint32_t state = 2, sum = 0;
  for (int i = 0; i < 1500; i++) {
    char key[12];
    make_key(key, bench_next(&state) % 397 * 977);
    struct entry *e = lookup(key);
    if (!e->key[0])
      for (int j = 0; j < 12; j++)
        e->key[j] = key[j];
    e->count++;
  }
  for (int i = 0; i < SLOTS; i++)
    if (table[i].key[0])
      sum = bench_mix(sum, fnv1a(table[i].key) * table[i].count);

  int used = 0;
  for (int i = 0; i < 3000; i++) {
    uint32_t key = bench_next(&state) % 600;
    struct node **p = find(key);
    if (*p && key % 3 == 0) {
      struct node *gone = *p;
      sum = bench_mix(sum, gone->value);
      *p = gone->next;
    } else if (*p) {
      (*p)->value += (uint32_t)i;
    } else if (used < KEYS) {
      struct node *n = &nodes[used++];
      n->key = key;
      n->value = 1;
      n->next = 0;
      *p = n;
    }
  }
  for (int b = 0; b < BUCKETS; b++)
    for (struct node *n = buckets[b]; n; n = n->next)
      sum = bench_mix(sum, n->key + n->value);
  return sum;
}

BENCH_EXPECT(0x414a16a8);
