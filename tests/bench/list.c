// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked lists and trees: insertion, search, reversal, merge sort, deletion; a binary search tree
// and a breadth-first walk.

#include "bench.h"

#define COUNT 300

struct node {
  struct node *next;
  int16_t key, value;
};
struct tree {
  struct tree *left, *right;
  int32_t key;
};

static struct node nodes[COUNT];
static struct tree trees[COUNT];

static struct node *reverse(struct node *list) {
  struct node *done = 0;
  while (list) {
    struct node *next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

static struct node *merge_sort(struct node *list, int (*less)(const struct node *, const struct node *)) {
  if (!list || !list->next)
    return list;
  struct node *slow = list, *fast = list->next;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  struct node *second = merge_sort(slow->next, less);
  slow->next = 0;
  struct node *first = merge_sort(list, less), *result, **tail = &result;
  while (first && second) {
    struct node **from = less(second, first) ? &second : &first;
    *tail = *from;
    tail = &(*from)->next;
    *from = *tail;
  }
  *tail = first ? first : second;
  return result;
}

static int by_key(const struct node *a, const struct node *b) { return a->key < b->key; }
static int by_value(const struct node *a, const struct node *b) {
  return a->value != b->value ? a->value < b->value : a->key < b->key;
}

static struct node *find(struct node *list, int key) {
  while (list && list->key != key)
    list = list->next;
  return list;
}

static struct node *drop_odd(struct node *list) {
  for (struct node **p = &list; *p;)
    if ((*p)->key & 1)
      *p = (*p)->next;
    else
      p = &(*p)->next;
  return list;
}

static void insert(struct tree **root, struct tree *t) {
  while (*root)
    root = t->key < (*root)->key ? &(*root)->left : &(*root)->right;
  *root = t;
}

static uint32_t walk(const struct tree *t, uint32_t sum) {
  if (!t)
    return sum;
  sum = walk(t->left, sum);
  sum = bench_mix(sum, (uint32_t)t->key);
  return walk(t->right, sum);
}

static int depth(const struct tree *t) {
  if (!t)
    return 0;
  int l = depth(t->left), r = depth(t->right);
  return 1 + (l > r ? l : r);
}

static uint32_t breadth_first(struct tree *root) {
  static struct tree *queue[COUNT];
  uint32_t sum = 0, head = 0, tail = 0;
  queue[tail++] = root;
  while (head != tail) {
    struct tree *t = queue[head++];
    sum = bench_mix(sum, (uint32_t)t->key);
    if (t->left)
      queue[tail++] = t->left;
    if (t->right)
      queue[tail++] = t->right;
  }
  return sum;
}

static uint32_t checksum(const struct node *list) {
  uint32_t sum = 0;
  for (; list; list = list->next)
    sum = bench_mix(sum, (uint32_t)(list->key * 7 + list->value));
  return sum;
}

uint32_t bench_run(void) {
  uint32_t state = 13, sum = 0;
  struct node *list = 0;
  for (int i = 0; i < COUNT; i++) {
    nodes[i].key = (int16_t)(bench_next(&state) % 1000);
    nodes[i].value = (int16_t)(i % 17);
    nodes[i].next = list;
    list = &nodes[i];
  }
  for (int round = 0; round < 3; round++) {
    list = merge_sort(list, by_key);
    sum += checksum(list);
    list = reverse(list);
    for (int i = 0; i < 40; i++) {
      struct node *n = find(list, (int)(bench_next(&state) % 1000));
      sum = bench_mix(sum, n ? (uint32_t)n->value : 99);
    }
    list = merge_sort(list, by_value);
    sum += checksum(list);
  }
  sum += checksum(drop_odd(list));

  struct tree *root = 0;
  for (int i = 0; i < COUNT; i++) {
    trees[i].key = (int32_t)bench_next(&state) % 10000;
    insert(&root, &trees[i]);
  }
  for (int i = 0; i < 4; i++)
    sum = walk(root, sum) + (uint32_t)depth(root);
  return bench_mix(sum, breadth_first(root));
}

BENCH_EXPECT(0x5dd6e657);
