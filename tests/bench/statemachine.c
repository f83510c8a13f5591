// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State machines: a lexer by switch, one by transition table, and a traffic of packets through a
// protocol with timers.

#include "bench.h"

enum state { START, SIGN, INTEGER, POINT, FRACTION, EXPONENT, EXPONENT_SIGN, POWER, WORD, INVALID, STATES };

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static enum state step(enum state s, char c) {
  switch (s) {
  case START:
    if (is_digit(c))
      return INTEGER;
    if (c == '+' || c == '-')
      return SIGN;
    if (c == '.')
      return POINT;
    return (c >= 'a' && c <= 'z') || c == '_' ? WORD : INVALID;
  case SIGN:
    return is_digit(c) ? INTEGER : c == '.' ? POINT : INVALID;
  case INTEGER:
    if (c == '.')
      return FRACTION;
    if (c == 'e' || c == 'E')
      return EXPONENT;
    return is_digit(c) ? INTEGER : INVALID;
  case POINT:
    return is_digit(c) ? FRACTION : INVALID;
  case FRACTION:
    if (c == 'e' || c == 'E')
      return EXPONENT;
    return is_digit(c) ? FRACTION : INVALID;
  case EXPONENT:
    if (c == '+' || c == '-')
      return EXPONENT_SIGN;
    return is_digit(c) ? POWER : INVALID;
  case EXPONENT_SIGN:
  case POWER:
    return is_digit(c) ? POWER : INVALID;
  case WORD:
    return (c >= 'a' && c <= 'z') || c == '_' || is_digit(c) ? WORD : INVALID;
  default:
    return INVALID;
  }
}

static const char text[] = "12 -7 +3.25 1e9 -.5 6.02e+23 foo bar_9 9x 1.2.3 +e5 4e- 0.001 _tmp 77E12 . - abc "
                           "31415926 2.718281828 x1 -1e-1 99bottles ..1 5. 6e+ zero";

static void lex(uint32_t counts[STATES], uint32_t steps[STATES]) {
  for (const char *p = text; *p;) {
    enum state s = START;
    for (; *p && *p != ' '; p++) {
      enum state next = step(s, *p);
      steps[s] += next != s;
      s = next;
    }
    counts[s]++;
    if (*p)
      p++;
  }
}

// The classes of bytes in UTF-8 and the states between them: a validating decoder.
static uint8_t classify(uint8_t c) {
  return c < 0x80 ? 0 : c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf8 ? 4 : 5;
}

static const uint8_t transition[5][6] = {
    {0, 4, 1, 2, 3, 4}, {4, 0, 4, 4, 4, 4}, {4, 1, 4, 4, 4, 4}, {4, 2, 4, 4, 4, 4}, {0, 4, 1, 2, 3, 4}};

static uint32_t decode(const uint8_t *p, uint32_t size) {
  uint32_t sum = 0, symbol = 0;
  uint8_t s = 0;
  while (size--) {
    uint8_t c = *p++, class = classify(c);
    symbol = class == 1 ? symbol << 6 | (c & 63) : c & (0x7fu >> class);
    s = transition[s][class];
    if (s == 0)
      sum = bench_mix(sum, symbol);
    else if (s == 4)
      sum++;
  }
  return sum;
}

enum link { CLOSED, LISTEN, SYN_SENT, SYN_RECEIVED, ESTABLISHED, FIN_WAIT, CLOSE_WAIT, TIME_WAIT };
enum event { OPEN, CONNECT, SYN, ACK, FIN, RESET, TIMEOUT, CLOSE };

struct connection {
  enum link link;
  uint32_t sequence, retries, timer;
};

static void handle(struct connection *c, enum event e, uint32_t n) {
  if (e == RESET) {
    c->link = CLOSED;
    c->retries = 0;
    return;
  }
  switch (c->link) {
  case CLOSED:
    if (e == OPEN)
      c->link = LISTEN;
    else if (e == CONNECT)
      c->link = SYN_SENT, c->sequence = n, c->timer = 3;
    break;
  case LISTEN:
    if (e == SYN)
      c->link = SYN_RECEIVED, c->sequence = n + 1;
    else if (e == CLOSE)
      c->link = CLOSED;
    break;
  case SYN_SENT:
    if (e == ACK || e == SYN)
      c->link = e == ACK ? ESTABLISHED : SYN_RECEIVED, c->sequence++;
    else if (e == TIMEOUT && --c->timer == 0)
      c->link = CLOSED, c->retries++;
    break;
  case SYN_RECEIVED:
    if (e == ACK)
      c->link = ESTABLISHED;
    else if (e == TIMEOUT)
      c->link = LISTEN, c->retries++;
    break;
  case ESTABLISHED:
    if (e == ACK)
      c->sequence += n & 1023;
    else if (e == FIN)
      c->link = CLOSE_WAIT;
    else if (e == CLOSE)
      c->link = FIN_WAIT, c->timer = 2;
    break;
  case FIN_WAIT:
    if (e == FIN || (e == TIMEOUT && --c->timer == 0))
      c->link = TIME_WAIT, c->timer = 4;
    break;
  case CLOSE_WAIT:
    if (e == CLOSE)
      c->link = CLOSED;
    break;
  case TIME_WAIT:
    if (e == TIMEOUT && --c->timer == 0)
      c->link = CLOSED;
    break;
  }
}

uint32_t bench_run(void) {
  static struct connection connections[8];
  static uint8_t bytes[700];
  uint32_t counts[STATES] = {0}, steps[STATES] = {0}, state = 10, sum = 0;
  for (int i = 0; i < 25; i++)
    lex(counts, steps);
  for (int i = 0; i < STATES; i++)
    sum = bench_mix(sum, counts[i] * 31 + steps[i]);
  for (uint32_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (uint8_t)(i % 3 == 1 ? 0x80 | (bench_next(&state) & 63) : bench_next(&state));
  for (int i = 0; i < 6; i++)
    sum = bench_mix(sum, decode(bytes + i, sizeof bytes - 6));
  for (int i = 0; i < 4000; i++) {
    uint32_t r = bench_next(&state);
    handle(&connections[r & 7], (enum event)(r >> 3 & 7), r >> 6);
  }
  for (int i = 0; i < 8; i++)
    sum = bench_mix(sum, connections[i].sequence + connections[i].retries * 7 + connections[i].link);
  return sum;
}

BENCH_EXPECT(0x1a982bf0);
