// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack machine with a dense switch runs byte code: primes by a sieve, Fibonacci numbers by
// recursion, greatest common divisors.

#include "bench.h"

enum op { HALT, PUSH, LOAD, STORE, PEEK, POKE, ADD, SUB, MUL, MOD, LESS, NOT, JUMP, JUMP_IF, CALL, RETURN, DUP,
          DROP, SWAP, EMIT };

#define LIMIT 120

static uint8_t code[160];
static uint32_t length;
static int32_t memory[LIMIT], variables[4];

static void emit(const uint8_t *bytes, uint32_t n) {
  while (n--)
    code[length++] = *bytes++;
}
#define EMIT_CODE(...) emit((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

// Reserves the operand of a jump; land fills it in.
static uint32_t jump(uint8_t op) {
  EMIT_CODE(op, 0);
  return length - 1;
}
static void land(uint32_t at) { code[at] = (uint8_t)length; }

static void sieve(void) {
  EMIT_CODE(PUSH, 2, STORE, 0);
  uint8_t outer = (uint8_t)length;
  EMIT_CODE(LOAD, 0, PUSH, LIMIT, LESS, NOT);
  uint32_t done = jump(JUMP_IF);
  EMIT_CODE(LOAD, 0, PEEK);
  uint32_t composite = jump(JUMP_IF);
  EMIT_CODE(LOAD, 0, DUP, EMIT, DUP, ADD, STORE, 1);
  uint8_t inner = (uint8_t)length;
  EMIT_CODE(LOAD, 1, PUSH, LIMIT, LESS, NOT);
  uint32_t next = jump(JUMP_IF);
  EMIT_CODE(PUSH, 1, LOAD, 1, POKE, LOAD, 1, LOAD, 0, ADD, STORE, 1, JUMP, inner);
  land(next);
  land(composite);
  EMIT_CODE(LOAD, 0, PUSH, 1, ADD, STORE, 0, JUMP, outer);
  land(done);
}

static void fibonacci(uint8_t n) {
  EMIT_CODE(PUSH, n);
  uint32_t call = jump(CALL);
  EMIT_CODE(EMIT);
  uint32_t over = jump(JUMP);
  land(call);
  uint8_t self = (uint8_t)length;
  EMIT_CODE(DUP, PUSH, 2, LESS);
  uint32_t base = jump(JUMP_IF);
  EMIT_CODE(DUP, PUSH, 1, SUB, CALL, self, SWAP, PUSH, 2, SUB, CALL, self, ADD);
  land(base);
  EMIT_CODE(RETURN);
  land(over);
}

static void divisor(void) {
  EMIT_CODE(PUSH, 252, PUSH, 198);
  uint8_t loop = (uint8_t)length;
  EMIT_CODE(DUP, NOT);
  uint32_t done = jump(JUMP_IF);
  EMIT_CODE(STORE, 2, LOAD, 2, MOD, LOAD, 2, SWAP, JUMP, loop);
  land(done);
  EMIT_CODE(DROP, EMIT, HALT);
}

static uint32_t interpret(void) {
  int32_t stack[64], *sp = stack;
  const uint8_t *returns[32], **rp = returns, *pc = code;
  uint32_t sum = 0, steps = 0;
  for (;;) {
    steps++;
    switch (*pc++) {
    case HALT:
      return bench_mix(sum, steps);
    case PUSH:
      *sp++ = *pc++;
      break;
    case LOAD:
      *sp++ = variables[*pc++];
      break;
    case STORE:
      variables[*pc++] = *--sp;
      break;
    case PEEK:
      sp[-1] = memory[sp[-1]];
      break;
    case POKE:
      sp -= 2;
      memory[sp[1]] = sp[0];
      break;
    case ADD:
      sp--;
      sp[-1] += sp[0];
      break;
    case SUB:
      sp--;
      sp[-1] -= sp[0];
      break;
    case MUL:
      sp--;
      sp[-1] *= sp[0];
      break;
    case MOD:
      sp--;
      sp[-1] %= sp[0];
      break;
    case LESS:
      sp--;
      sp[-1] = sp[-1] < sp[0];
      break;
    case NOT:
      sp[-1] = !sp[-1];
      break;
    case JUMP:
      pc = code + *pc;
      break;
    case JUMP_IF:
      pc = *--sp ? code + *pc : pc + 1;
      break;
    case CALL:
      *rp++ = pc + 1;
      pc = code + *pc;
      break;
    case RETURN:
      pc = *--rp;
      break;
    case DUP:
      sp[0] = sp[-1];
      sp++;
      break;
    case DROP:
      sp--;
      break;
    case SWAP: {
      int32_t t = sp[-1];
      sp[-1] = sp[-2];
      sp[-2] = t;
      break;
    }
    case EMIT:
      sum = bench_mix(sum, (uint32_t)*--sp);
      break;
    }
  }
}

uint32_t bench_run(void) {
  uint32_t sum = 0;
  sieve();
  fibonacci(13);
  divisor();
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < LIMIT; i++)
      memory[i] = 0;
    sum = bench_mix(sum, interpret());
  }
  return sum;
}

BENCH_EXPECT(0xb0e64f92);
