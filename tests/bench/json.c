// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A JSON parser that builds a tree from a pool, queries on the tree, and a writer.

#include "bench.h"

enum kind { NIL, FALSE, TRUE, NUMBER, STRING, ARRAY, OBJECT };

struct value {
  enum kind kind;
  int32_t number; // in thousandths
  const char *text, *name;
  uint32_t length, name_length;
  struct value *first, *next;
};

static const char document[] =
    "{ \"device\": {\"name\": \"npu\", \"units\": [\"mac\", \"dma\", \"core\"], \"mac\": [16, 16],\n"
    "    \"clock\": 0.75, \"on\": true, \"error\": null},\n"
    "  \"layers\": [\n"
    "    {\"op\": \"conv\", \"shape\": [1, 49, 10, 8], \"scale\": 0.0031, \"zero\": -128, \"relu\": false},\n"
    "    {\"op\": \"depthwise\", \"shape\": [1, 25, 5, 64], \"scale\": 0.023, \"zero\": 3, \"relu\": true},\n"
    "    {\"op\": \"dense\", \"shape\": [64, 12], \"scale\": 0.118, \"zero\": 0, \"label\": \"a \\\"b\\\" \\u0041\"},\n"
    "    {\"op\": \"softmax\", \"axis\": -1, \"beta\": 1.5, \"extra\": {\"deep\": [[1], [2, [3, 4.25]], []]}}\n"
    "  ],\n"
    "  \"checks\": [12, -7, 1000000, 3.125, 0.001, 99.999, -0.5, 123456],\n"
    "  \"empty\": {}, \"text\": \"the quick brown fox jumps over the lazy dog\"\n"
    "}\n";

static struct value pool[160];
static uint32_t used;
static const char *p;
static int bad;

static void skip_blank(void) {
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
    p++;
}

static int accept(char c) {
  skip_blank();
  if (*p != c)
    return 0;
  p++;
  return 1;
}

static int accept_word(const char *word) {
  const char *q = p;
  while (*word)
    if (*q++ != *word++)
      return 0;
  p = q;
  return 1;
}

static const char *string(uint32_t *length) {
  const char *start = p;
  while (*p && *p != '"')
    p += *p == '\\' ? 2 : 1;
  if (*p == '"')
    p++;
  else
    bad = 1;
  *length = (uint32_t)(p - 1 - start);
  return start;
}

static int32_t number(void) {
  int negative = *p == '-';
  int32_t n = 0, unit = 1000;
  p += negative;
  if (*p < '0' || *p > '9')
    bad = 1;
  while (*p >= '0' && *p <= '9')
    n = n * 10 + (*p++ - '0');
  n *= 1000;
  if (*p == '.')
    for (p++; *p >= '0' && *p <= '9'; p++) {
      unit /= 10;
      n += (*p - '0') * unit;
    }
  return negative ? -n : n;
}

static struct value *parse(void) {
  struct value *v = &pool[used++], **tail = &v->first;
  v->first = v->next = 0;
  v->name = 0;
  skip_blank();
  switch (*p) {
  case '{':
  case '[': {
    char close = *p++ == '{' ? '}' : ']';
    v->kind = close == '}' ? OBJECT : ARRAY;
    if (accept(close))
      break;
    do {
      const char *name = 0;
      uint32_t name_length = 0;
      if (v->kind == OBJECT) {
        bad |= !accept('"');
        name = string(&name_length);
        bad |= !accept(':');
      }
      struct value *element = parse();
      element->name = name;
      element->name_length = name_length;
      *tail = element;
      tail = &element->next;
    } while (!bad && accept(','));
    bad |= !accept(close);
    break;
  }
  case '"':
    p++;
    v->kind = STRING;
    v->text = string(&v->length);
    break;
  case 't':
    v->kind = TRUE;
    bad |= !accept_word("true");
    break;
  case 'f':
    v->kind = FALSE;
    bad |= !accept_word("false");
    break;
  case 'n':
    v->kind = NIL;
    bad |= !accept_word("null");
    break;
  default:
    v->kind = NUMBER;
    v->number = number();
  }
  return v;
}

static const struct value *member(const struct value *v, const char *name) {
  for (const struct value *e = v->first; e; e = e->next) {
    uint32_t i = 0;
    while (i < e->name_length && name[i] == e->name[i])
      i++;
    if (i == e->name_length && !name[i])
      return e;
  }
  return 0;
}

static char output[1200];
static uint32_t written;

static void put(const char *s, uint32_t length) {
  for (uint32_t i = 0; i < length; i++)
    output[written++] = s[i];
}

static void put_number(int32_t n) {
  char digits[12];
  uint32_t count = 0, u = n < 0 ? -(uint32_t)n : (uint32_t)n;
  if (n < 0)
    put("-", 1);
  do
    digits[count++] = (char)('0' + u % 10);
  while (u /= 10);
  while (count)
    put(&digits[--count], 1);
}

static void write(const struct value *v) {
  static const char *const words[] = {"null", "false", "true"};
  static const uint8_t lengths[] = {4, 5, 4};
  switch (v->kind) {
  case NUMBER:
    put_number(v->number);
    break;
  case STRING:
    put("\"", 1);
    put(v->text, v->length);
    put("\"", 1);
    break;
  case ARRAY:
  case OBJECT:
    put(v->kind == ARRAY ? "[" : "{", 1);
    for (const struct value *e = v->first; e; e = e->next) {
      if (e->name) {
        put(e->name, e->name_length);
        put(":", 1);
      }
      write(e);
      if (e->next)
        put(",", 1);
    }
    put(v->kind == ARRAY ? "]" : "}", 1);
    break;
  default:
    put(words[v->kind], lengths[v->kind]);
  }
}

uint32_t bench_run(void) {
  uint32_t sum = 0;
  for (int round = 0; round < 6; round++) {
    p = document;
    used = written = 0;
    const struct value *root = parse();
    for (const struct value *e = member(root, "layers")->first; e; e = e->next) {
      const struct value *zero = member(e, "zero"), *shape = member(e, "shape");
      sum += zero ? (uint32_t)zero->number : 77;
      if (shape)
        for (const struct value *s = shape->first; s; s = s->next)
          sum = bench_mix(sum, (uint32_t)s->number);
    }
    write(root);
    for (uint32_t i = 0; i < written; i++)
      sum = bench_mix(sum, (uint8_t)output[i]);
    sum += used + (uint32_t)bad;
  }
  return sum;
}

BENCH_EXPECT(0x65ed1d97);
