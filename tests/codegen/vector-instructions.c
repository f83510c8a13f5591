// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every vector instruction from C: a function bears the name of the instruction that it has to
// become, and its result is compared with the manual's formula, lane by lane.
//
// RUN: %cc -O2 -mllvm -verify-machineinstrs -T npu-large.ld %s -o %t.O2.elf
// RUN: %iss --config large %t.O2.elf
// RUN: %cc -O0 -mllvm -verify-machineinstrs -T npu-large.ld %s -o %t.O0.elf
// RUN: %iss --config large %t.O0.elf
// RUN: llvm-objdump -d --no-addresses --no-show-raw-insn %t.O2.elf > %t.O2.s
// RUN: llvm-objdump -d --no-addresses --no-show-raw-insn %t.O0.elf > %t.O0.s
// RUN: %python %S/Inputs/vector_reach.py %root %t.O2.s %t.O0.s

#include <stdint.h>
#include <string.h>

int printf(const char *, ...);

typedef int8_t vb __attribute__((vector_size(64)));
typedef int16_t vh __attribute__((vector_size(64)));
typedef int32_t vw __attribute__((vector_size(64)));
typedef uint8_t vub __attribute__((vector_size(64)));
typedef uint16_t vuh __attribute__((vector_size(64)));
typedef uint32_t vuw __attribute__((vector_size(64)));
typedef vb vb_unaligned __attribute__((aligned(1)));

enum { LANES_b = 64, LANES_h = 32, LANES_w = 16 };

// Operands of the present round.
static vb ab, bb, db;
static vh ah, bh, dh;
static vw aw, bw, dw;
static unsigned n;
static int x;
static struct {
  char before[64];
  vb bytes[20];
} memory, expected;

static const char *current;
static int failures;
static void report(int lane, long long got, long long want) {
  if (failures++ < 20)
    printf("%s: lane %d is %lld, not %lld (n = %u)\n", current, lane, got, want, n);
}

// The formulas of the manual. Elements are read as signed; U_ makes one unsigned.
#define U_b(v) (int64_t)(uint8_t)(v)
#define U_h(v) (int64_t)(uint16_t)(v)
#define U_w(v) (int64_t)(uint32_t)(v)
enum { WIDTH_b = 8, WIDTH_h = 16, WIDTH_w = 32 };
static int64_t clamp(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}
static int64_t sat(int64_t v, int width) {
  return clamp(v, -((int64_t)1 << (width - 1)), ((int64_t)1 << (width - 1)) - 1);
}
static int64_t satu(int64_t v, int width) { return clamp(v, 0, ((int64_t)1 << width) - 1); }
static int64_t rshr(int64_t v, int s) { return s ? (v >> s) + (v >> (s - 1) & 1) : v; }
static int64_t rdivpot(int64_t v, int s) {
  int64_t mask = ((int64_t)1 << s) - 1, threshold = (mask >> 1) + (v < 0);
  return (v >> s) + ((v & mask) > threshold);
}
static int64_t srdhm(int64_t a, int64_t b, int width) {
  int64_t lowest = -((int64_t)1 << (width - 1)), ab = a * b;
  if (a == lowest && b == lowest)
    return -lowest - 1;
  int64_t half = (int64_t)1 << (width - 2);
  return (ab + (ab >= 0 ? half : 1 - half)) / ((int64_t)1 << (width - 1));
}
static int32_t requant(int32_t value, int32_t multiplier, int shift) {
  shift = (int)clamp((int8_t)shift, -31, 31);
  int32_t t = (int32_t)((uint32_t)value << (shift > 0 ? shift : 0));
  return (int32_t)rdivpot(srdhm(t, multiplier, 32), shift > 0 ? 0 : -shift);
}

typedef void Test(void);
#define REGISTER(name)                                                                             \
  static Test *const entry_##name __attribute__((section("tests"), used)) = test_##name

// `body` is the function's result, `want` the value of lane i.
#define TEST(name, E, params, body, args, want)                                                    \
  __attribute__((noinline)) v##E name params { return body; }                                      \
  static void test_##name(void) {                                                                  \
    current = #name;                                                                               \
    v##E r = name args;                                                                            \
    for (int i = 0; i < LANES_##E; ++i) {                                                          \
      v##E w = r;                                                                                  \
      w[i] = (want);                                                                               \
      if (w[i] != r[i])                                                                            \
        report(i, r[i], w[i]);                                                                     \
    }                                                                                              \
  }                                                                                                \
  REGISTER(name);
#define SCALAR(name, params, body, args, want)                                                     \
  __attribute__((noinline)) int name params { return body; }                                       \
  static void test_##name(void) {                                                                  \
    current = #name;                                                                               \
    int r = name args, w = (int)(want);                                                            \
    if (r != w)                                                                                    \
      report(0, r, w);                                                                             \
  }                                                                                                \
  REGISTER(name);
#define BHW(M, ...) M(b, __VA_ARGS__) M(h, __VA_ARGS__) M(w, __VA_ARGS__)
#define BH(M, ...) M(b, h, __VA_ARGS__) M(h, w, __VA_ARGS__)

// v = f(a, b), by operators and by builtins; in `want` A and B are the elements, UA and UB unsigned.
#define A(E) (int64_t)a##E[i]
#define B(E) (int64_t)b##E[i]
#define UA(E) U_##E(a##E[i])
#define UB(E) U_##E(b##E[i])
#define SHIFT(E) (b##E[i] & (WIDTH_##E - 1))
#define BINARY(E, name, body, want)                                                                \
  TEST(v_##name##_##E, E, (v##E a, v##E b), body, (a##E, b##E), want)
#define BUILTIN(E, name, want)                                                                     \
  BINARY(E, name, __builtin_npu_v_##name##_##E(a, b), want)

#define ADD(E, _) BINARY(E, add, a + b, A(E) + B(E))
#define SUB(E, _) BINARY(E, sub, a - b, A(E) - B(E))
#define SADD(E, _) BINARY(E, sadd, __builtin_elementwise_add_sat(a, b), sat(A(E) + B(E), WIDTH_##E))
#define SADDU(E, _)                                                                                \
  BINARY(E, saddu, (v##E)__builtin_elementwise_add_sat((vu##E)a, (vu##E)b),                        \
         satu(UA(E) + UB(E), WIDTH_##E))
#define SSUB(E, _) BINARY(E, ssub, __builtin_elementwise_sub_sat(a, b), sat(A(E) - B(E), WIDTH_##E))
#define SSUBU(E, _)                                                                                \
  BINARY(E, ssubu, (v##E)__builtin_elementwise_sub_sat((vu##E)a, (vu##E)b),                        \
         satu(UA(E) - UB(E), WIDTH_##E))
#define MIN(E, _) BINARY(E, min, __builtin_elementwise_min(a, b), A(E) < B(E) ? A(E) : B(E))
#define MAX(E, _) BINARY(E, max, __builtin_elementwise_max(a, b), A(E) > B(E) ? A(E) : B(E))
#define MINU(E, _)                                                                                 \
  BINARY(E, minu, (v##E)__builtin_elementwise_min((vu##E)a, (vu##E)b), UA(E) < UB(E) ? A(E) : B(E))
#define MAXU(E, _)                                                                                 \
  BINARY(E, maxu, (v##E)__builtin_elementwise_max((vu##E)a, (vu##E)b), UA(E) > UB(E) ? A(E) : B(E))
#define SLL(E, _) BINARY(E, sll, a << (b & (WIDTH_##E - 1)), A(E) << SHIFT(E))
#define SRL(E, _) BINARY(E, srl, (v##E)((vu##E)a >> (vu##E)(b & (WIDTH_##E - 1))), UA(E) >> SHIFT(E))
#define SRA(E, _) BINARY(E, sra, a >> (b & (WIDTH_##E - 1)), A(E) >> SHIFT(E))
#define MUL(E, _) BINARY(E, mul, a * b, (uint64_t)A(E) * (uint64_t)B(E))
#define MACC(E, _)                                                                                 \
  TEST(v_macc_##E, E, (v##E d, v##E a, v##E b), d + a * b, (d##E, a##E, b##E),                     \
       (uint64_t)d##E[i] + (uint64_t)A(E) * (uint64_t)B(E))
#define NMSAC(E, _)                                                                                \
  TEST(v_nmsac_##E, E, (v##E d, v##E a, v##E b), d - a * b, (d##E, a##E, b##E),                    \
       (uint64_t)d##E[i] - (uint64_t)A(E) * (uint64_t)B(E))
#define ABS(E, _)                                                                                  \
  TEST(v_abs_##E, E, (v##E a), __builtin_elementwise_abs(a), (a##E), A(E) < 0 ? -A(E) : A(E))
#define SEQ(E, _) BINARY(E, seq, a == b, -(A(E) == B(E)))
#define SNE(E, _) BINARY(E, sne, a != b, -(A(E) != B(E)))
#define SLT(E, _) BINARY(E, slt, a < b, -(A(E) < B(E)))
#define SLTU(E, _) BINARY(E, sltu, (vu##E)a < (vu##E)b, -(UA(E) < UB(E)))
#define SLE(E, _) BINARY(E, sle, a <= b, -(A(E) <= B(E)))
#define SLEU(E, _) BINARY(E, sleu, (vu##E)a <= (vu##E)b, -(UA(E) <= UB(E)))
BHW(ADD, ) BHW(SUB, ) BHW(SADD, ) BHW(SADDU, ) BHW(SSUB, ) BHW(SSUBU, ) BHW(MIN, ) BHW(MAX, )
BHW(MINU, ) BHW(MAXU, ) BHW(SLL, ) BHW(SRL, ) BHW(SRA, ) BHW(MUL, ) BHW(MACC, ) BHW(NMSAC, )
BHW(ABS, ) BHW(SEQ, ) BHW(SNE, ) BHW(SLT, ) BHW(SLTU, ) BHW(SLE, ) BHW(SLEU, )
TEST(v_and, w, (vw a, vw b), a & b, (aw, bw), aw[i] & bw[i])
TEST(v_or, w, (vw a, vw b), a | b, (aw, bw), aw[i] | bw[i])
TEST(v_xor, w, (vw a, vw b), a ^ b, (aw, bw), aw[i] ^ bw[i])
TEST(v_not, w, (vw a), ~a, (aw), ~aw[i])
TEST(v_sel, b, (vb d, vb a, vb b), __builtin_npu_v_sel(d, a, b), (db, ab, bb),
     (db[i] & ab[i]) | (~db[i] & bb[i]))

#define AVG(E, _) BUILTIN(E, avg, (A(E) + B(E) + 1) >> 1)
#define AVGU(E, _) BUILTIN(E, avgu, (UA(E) + UB(E) + 1) >> 1)
#define ABSD(E, _) BUILTIN(E, absd, A(E) > B(E) ? A(E) - B(E) : B(E) - A(E))
#define ABSDU(E, _) BUILTIN(E, absdu, UA(E) > UB(E) ? UA(E) - UB(E) : UB(E) - UA(E))
#define SRLR(E, _) BUILTIN(E, srlr, rshr(UA(E), SHIFT(E)))
#define SRAR(E, _) BUILTIN(E, srar, rshr(A(E), SHIFT(E)))
#define SSLL(E, _) BUILTIN(E, ssll, sat(A(E) << SHIFT(E), WIDTH_##E))
#define RDPOT(E, _) BUILTIN(E, rdpot, rdivpot(A(E), SHIFT(E)))
#define MULH(E, _) BUILTIN(E, mulh, A(E) * B(E) >> WIDTH_##E)
#define MULHU(E, _) BUILTIN(E, mulhu, (uint64_t)UA(E) * (uint64_t)UB(E) >> WIDTH_##E)
#define DMULH(E, _) BUILTIN(E, dmulh, srdhm(A(E), B(E), WIDTH_##E))
BHW(AVG, ) BHW(AVGU, ) BHW(ABSD, ) BHW(ABSDU, ) BHW(SRLR, ) BHW(SRAR, ) BHW(SSLL, ) BHW(RDPOT, )
BHW(MULH, ) BHW(MULHU, ) BHW(DMULH, )

// Twice the width W: the lower half of the sources, or the upper one behind H lanes.
#define LOW(E) 0
#define HIGH(E) (LANES_##E / 2)
#define WMUL(E, W, name, U, H)                                                                     \
  TEST(v_##name##_##E, W, (v##E a, v##E b), __builtin_npu_v_##name##_##E(a, b), (a##E, b##E),      \
       U##E(a##E[i + H(E)]) * U##E(b##E[i + H(E)]))
#define WMACC(E, W, name, U, H)                                                                    \
  TEST(v_##name##_##E, W, (v##W d, v##E a, v##E b), __builtin_npu_v_##name##_##E(d, a, b),         \
       (d##W, a##E, b##E), d##W[i] + U##E(a##E[i + H(E)]) * U##E(b##E[i + H(E)]))
#define EXTEND(E, W, name, U, H)                                                                   \
  TEST(v_##name##_##E, W, (v##E a), __builtin_npu_v_##name##_##E(a), (a##E), U##E(a##E[i + H(E)]))
#define S_b (int64_t)
#define S_h (int64_t)
BH(WMUL, wmullo, S_, LOW) BH(WMUL, wmulhi, S_, HIGH)
BH(WMUL, wmululo, U_, LOW) BH(WMUL, wmuluhi, U_, HIGH)
BH(WMACC, wmacclo, S_, LOW) BH(WMACC, wmacchi, S_, HIGH)
BH(WMACC, wmacculo, U_, LOW) BH(WMACC, wmaccuhi, U_, HIGH)
BH(EXTEND, sxlo, S_, LOW) BH(EXTEND, sxhi, S_, HIGH)
BH(EXTEND, zxlo, U_, LOW) BH(EXTEND, zxhi, U_, HIGH)

#define DOT_OF(E, UX, UY)                                                                          \
  ({                                                                                               \
    int64_t sum = dw[i];                                                                           \
    for (int j = i * LANES_##E / 16; j < (i + 1) * LANES_##E / 16; ++j)                            \
      sum += UX##E(a##E[j]) * UY##E(b##E[j]);                                                      \
    sum;                                                                                           \
  })
#define DOT(E, W, name, UX, UY)                                                                    \
  TEST(v_##name##_##E, w, (vw d, v##E a, v##E b), __builtin_npu_v_##name##_##E(d, a, b),           \
       (dw, a##E, b##E), DOT_OF(E, UX, UY))
BH(DOT, dot, S_, S_) BH(DOT, dotu, U_, U_) BH(DOT, dotus, U_, S_)

#define QUARTER(Q)                                                                                 \
  TEST(v_sxq##Q##_b, w, (vb a), __builtin_npu_v_sxq##Q##_b(a), (ab), ab[i + 16 * Q])               \
  TEST(v_zxq##Q##_b, w, (vb a), __builtin_npu_v_zxq##Q##_b(a), (ab), U_b(ab[i + 16 * Q]))
QUARTER(0) QUARTER(1) QUARTER(2) QUARTER(3)

#define PACK(E, W, name, convert)                                                                  \
  TEST(v_##name##_##E, E, (v##W a, v##W b), __builtin_npu_v_##name##_##E(a, b), (a##W, b##W),      \
       convert((i < LANES_##W ? a##W[i] : b##W[i - LANES_##W]), E, W))
#define LOWBITS(v, E, W) (v)
#define SATURATE(v, E, W) sat(v, WIDTH_##E)
#define SATURATE_SU(v, E, W) satu(v, WIDTH_##E)
#define SATURATE_U(v, E, W) satu(U_##W(v), WIDTH_##E)
BH(PACK, pack, LOWBITS) BH(PACK, packs, SATURATE) BH(PACK, packsu, SATURATE_SU)
BH(PACK, packu, SATURATE_U)

// Permutations.
#define ZIPLO(E, _) BUILTIN(E, ziplo, i & 1 ? b##E[i / 2] : a##E[i / 2])
#define ZIPHI(E, _)                                                                                \
  BUILTIN(E, ziphi, i & 1 ? b##E[i / 2 + LANES_##E / 2] : a##E[i / 2 + LANES_##E / 2])
#define UNZIP(E, name, odd)                                                                        \
  BUILTIN(E, name,                                                                                 \
          i < LANES_##E / 2 ? a##E[2 * i + odd] : b##E[2 * (i - LANES_##E / 2) + odd])
BHW(ZIPLO, ) BHW(ZIPHI, ) BHW(UNZIP, unzipe, 0) BHW(UNZIP, unzipo, 1)
TEST(v_perm, b, (vb a, vb b), __builtin_npu_v_perm(a, b), (ab, bb),
     (uint8_t)ab[i] < 64 ? bb[ab[i]] : 0)
#define LUT(Q)                                                                                     \
  TEST(v_lut##Q, b, (vb d, vb a, vb b), __builtin_npu_v_lut##Q(d, a, b), (db, ab, bb),             \
       (uint8_t)ab[i] >> 6 == Q ? bb[ab[i] & 63] : db[i])
LUT(0) LUT(1) LUT(2) LUT(3)
TEST(v_slidedn, b, (vb a, unsigned k), __builtin_npu_v_slidedn(a, k), (ab, n),
     i + (uint64_t)n < 64 ? ab[i + n] : 0)
TEST(v_slideup, b, (vb a, unsigned k), __builtin_npu_v_slideup(a, k), (ab, n),
     i >= (int64_t)n ? ab[i - n] : 0)
TEST(v_align, b, (vb d, vb a, unsigned k), __builtin_npu_v_align(d, a, k), (db, ab, n),
     i + n % 64 < 64 ? db[i + n % 64] : ab[i + n % 64 - 64])

// Elements, lanes.
#define BCAST(E, _)                                                                                \
  TEST(v_bcast_##E, E, (int k), __builtin_npu_v_bcast_##E(k), (x), x)                              \
  TEST(v_insert_##E, E, (v##E a, int k, unsigned j), __builtin_npu_v_insert_##E(a, k, j),          \
       (a##E, x, n), (unsigned)i == n % LANES_##E ? x : a##E[i])                                   \
  TEST(v_id_##E, E, (void), __builtin_npu_v_id_##E(), (), i)                                       \
  TEST(v_lanes_##E, E, (unsigned j, unsigned k), __builtin_npu_v_lanes_##E(j, k), (x & 63, n),     \
       -((x & 63u) + (uint64_t)i < n))                                                             \
  SCALAR(v_extract_##E, (v##E a, unsigned j), __builtin_npu_v_extract_##E(a, j), (a##E, n),        \
         a##E[n % LANES_##E])
BHW(BCAST, )
#define EXTRACTU(E, W, _)                                                                          \
  SCALAR(v_extractu_##E, (v##E a, unsigned j), __builtin_npu_v_extractu_##E(a, j), (a##E, n),      \
         U_##E(a##E[n % LANES_##E]))
BH(EXTRACTU, )

// Reductions.
#define REDUCE_OF(E, U, combine)                                                                   \
  ({                                                                                               \
    int64_t v = U##E(a##E[0]);                                                                     \
    for (int i = 1; i < LANES_##E; ++i) {                                                          \
      int64_t e = U##E(a##E[i]);                                                                   \
      v = combine;                                                                                 \
    }                                                                                              \
    v;                                                                                             \
  })
#define S_w (int64_t)
#define REDUCE(E, name, U, combine)                                                                \
  SCALAR(v_##name##_##E, (v##E a), __builtin_npu_v_##name##_##E(a), (a##E), REDUCE_OF(E, U, combine))
BHW(REDUCE, redsum, S_, v + e) BHW(REDUCE, redsumu, U_, v + e)
BHW(REDUCE, redmin, S_, e < v ? e : v) BHW(REDUCE, redminu, U_, e < v ? e : v)
BHW(REDUCE, redmax, S_, e > v ? e : v) BHW(REDUCE, redmaxu, U_, e > v ? e : v)
BHW(REDUCE, redand, S_, v & e) BHW(REDUCE, redor, S_, v | e) BHW(REDUCE, redxor, S_, v ^ e)

// Requantization. noquant: zero point 5, -100 to 99.
TEST(v_mbqm, w, (vw a, vw m, vw h), __builtin_npu_v_mbqm(a, m, h), (aw, bw, dw),
     requant(aw[i], bw[i], dw[i]))
TEST(v_rq, w, (vw a, vw m, vw h), __builtin_npu_v_rq(a, m, h), (aw, bw, dw),
     clamp((int32_t)((uint32_t)requant(aw[i], bw[i], dw[i]) + 5), -100, 99))

// Accumulators.
TEST(v_accrd, w, (unsigned row), __builtin_npu_v_accrd(row), (7), aw[i])
__attribute__((noinline)) void v_accwr(vw a, unsigned row) { __builtin_npu_v_accwr(a, row); }

// Memory. The bytes around stay as they are.
#define BYTES ((char *)memory.bytes + (x & 63))
#define EXPECTED ((char *)expected.bytes + (x & 63))
#define AT(T, i)                                                                                   \
  ({                                                                                               \
    T value;                                                                                       \
    memcpy(&value, BYTES + (i) * (int)sizeof(T), sizeof(T));                                       \
    value;                                                                                         \
  })
#define LOADS(E, suffix, T)                                                                        \
  TEST(v_ldl_##suffix, E, (const void *p, unsigned k), __builtin_npu_v_ldl_##suffix(p, k),         \
       (BYTES, n), (unsigned)i < n ? AT(T, i) : 0)                                                 \
  TEST(v_ldm_##suffix, E, (const void *p, v##E m), __builtin_npu_v_ldm_##suffix(p, m),             \
       (BYTES, b##E), b##E[i] < 0 ? AT(T, i) : 0)
LOADS(b, b, int8_t) LOADS(h, h, int16_t) LOADS(w, w, int32_t)
LOADS(h, bh, int8_t) LOADS(h, bhu, uint8_t) LOADS(w, bw, int8_t) LOADS(w, bwu, uint8_t)
LOADS(w, hw, int16_t) LOADS(w, hwu, uint16_t)

static void compare_memory(void) {
  for (int i = 0; i < (int)sizeof memory; ++i)
    if (((char *)&memory)[i] != ((char *)&expected)[i]) {
      report(i, ((char *)&memory)[i], ((char *)&expected)[i]);
      break;
    }
}
#define STORE(name, E, T, last, params, builtin, condition, stride, convert)                       \
  __attribute__((noinline)) void name params { builtin; }                                          \
  static void test_##name(void) {                                                                  \
    current = #name;                                                                               \
    expected = memory;                                                                             \
    name(a##E, BYTES, last);                                                                       \
    for (int i = 0; i < LANES_##E; ++i)                                                            \
      if (condition) {                                                                             \
        T value = (T)(convert);                                                                    \
        memcpy(EXPECTED + i * stride, &value, sizeof value);                                       \
      }                                                                                            \
    compare_memory();                                                                              \
  }                                                                                                \
  REGISTER(name);
#define STORES(E, suffix, T, convert)                                                              \
  STORE(v_stl_##suffix, E, T, n, (v##E a, void *p, unsigned k),                                    \
        __builtin_npu_v_stl_##suffix(a, p, k), (unsigned)i < n, (int)sizeof(T), convert)           \
  STORE(v_stm_##suffix, E, T, b##E, (v##E a, void *p, v##E m),                                     \
        __builtin_npu_v_stm_##suffix(a, p, m), b##E[i] < 0, (int)sizeof(T), convert)
STORES(b, b, int8_t, ab[i]) STORES(h, h, int16_t, ah[i]) STORES(w, w, int32_t, aw[i])
STORES(h, hb, int8_t, ah[i]) STORES(h, hbs, int8_t, sat(ah[i], 8))
STORES(h, hbu, int8_t, satu(ah[i], 8))
STORES(w, wb, int8_t, aw[i]) STORES(w, wbs, int8_t, sat(aw[i], 8))
STORES(w, wbu, int8_t, satu(aw[i], 8))
STORES(w, wh, int16_t, aw[i]) STORES(w, whs, int16_t, sat(aw[i], 16))
STORES(w, whu, int16_t, satu(aw[i], 16))
// Lanes 17 bytes apart.
#define NVSTRIDE 0x820
#define STRIDED(E, T)                                                                              \
  TEST(v_lds_##E, E, (const void *p, unsigned k), __builtin_npu_v_lds_##E(p, k), (BYTES, n),       \
       (unsigned)i < n ? ({ T value; memcpy(&value, BYTES + 17 * i, sizeof value); value; }) : 0)  \
  STORE(v_sts_##E, E, T, n, (v##E a, void *p, unsigned k), __builtin_npu_v_sts_##E(a, p, k),       \
        (unsigned)i < n, 17, a##E[i])
STRIDED(b, int8_t) STRIDED(h, int16_t) STRIDED(w, int32_t)

__attribute__((noinline)) vb v_ld(const vb_unaligned *p) { return *p; }
__attribute__((noinline)) void v_st(vb a, vb_unaligned *p) { *p = a; }
static void test_v_ld(void) {
  current = "v_ld";
  vb r = v_ld((vb_unaligned *)BYTES);
  if (memcmp(&r, BYTES, 64))
    report(0, r[0], *BYTES);
}
static void test_v_st(void) {
  current = "v_st";
  expected = memory;
  v_st(ab, (vb_unaligned *)BYTES);
  memcpy(EXPECTED, &ab, 64);
  compare_memory();
}
REGISTER(v_ld);
REGISTER(v_st);

static uint32_t state = 1;
static uint32_t random32(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 16 ^ state << 16;
}
// Elements often are extreme or small.
static void fill(void *to, unsigned bytes) {
  static const uint32_t kCorners[] = {0, ~0u, 0x80808080u, 0x80008000u, 0x80000000u, 0x7f7f7f7fu,
                                      0x7fff7fffu, 0x7fffffffu, 0x01010101u, 0x00010001u, 1};
  for (unsigned i = 0; i < bytes; i += 4) {
    uint32_t value = random32();
    if (random32() % 4 == 0)
      value = kCorners[random32() % (sizeof kCorners / sizeof kCorners[0])];
    memcpy((char *)to + i, &value, 4);
  }
}

extern Test *const __start_tests[], *const __stop_tests[];
int main(void) {
  __builtin_npu_csr_write(NVSTRIDE, 17);
  __builtin_npu_csr_write(0x807, 5 | (-100 & 255) << 8 | 99 << 16);
  static const unsigned kLengths[] = {0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 1000, ~0u};
  enum { kRounds = 12 };
  for (int round = 0; round < kRounds; ++round) {
    fill(&ab, 64), fill(&bb, 64), fill(&db, 64);
    fill(&ah, 64), fill(&bh, 64), fill(&dh, 64);
    fill(&aw, 64), fill(&bw, 64), fill(&dw, 64);
    fill(&memory, sizeof memory);
    n = kLengths[round];
    x = (int)random32();
    v_accwr(aw, 7);
    for (Test *const *test = __start_tests; test != __stop_tests; ++test)
      (*test)();
  }
  printf("%d tests, %d failures\n", (int)(__stop_tests - __start_tests), failures);
  return failures != 0;
}
