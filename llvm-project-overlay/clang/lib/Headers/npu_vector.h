/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Vectors of the NPU (ISA manual, chapter 9): types, and functions for what C's operators do
 * not say. A function takes any of the types that its comment names and becomes the
 * instruction for the width and signedness of the elements. Of two operands the last one
 * may be npu_v_bcast_*(x): the instruction then takes x from a scalar register.
 *
 * Operators work lane by lane on vectors of the same type, and with a scalar. Comparisons
 * give masks: all ones where true, zero where false. Vectors need no alignment in memory,
 * but C assumes 16 bytes for *p: npu_v_ld and npu_v_st take any address.
 */
#ifndef __NPU_VECTOR_H
#define __NPU_VECTOR_H

#ifndef __npu__
#error "npu_vector.h is for --target=npu"
#endif

typedef signed char npu_int8x64_t __attribute__((__vector_size__(64)));
typedef unsigned char npu_uint8x64_t __attribute__((__vector_size__(64)));
typedef short npu_int16x32_t __attribute__((__vector_size__(64)));
typedef unsigned short npu_uint16x32_t __attribute__((__vector_size__(64)));
typedef int npu_int32x16_t __attribute__((__vector_size__(64)));
typedef unsigned int npu_uint32x16_t __attribute__((__vector_size__(64)));

#ifdef __cplusplus
extern "C++" {
#endif

#define __NPU_V                                                                          \
  static __inline__ __attribute__((__always_inline__, __nodebug__, __overloadable__))

/* The types by element: signed, unsigned, suffix of the instructions. */
#define __NPU_EACH_SIGNED(M, ...)                                                        \
  M(npu_int8x64_t, b, __VA_ARGS__)                                                       \
  M(npu_int16x32_t, h, __VA_ARGS__)                                                      \
  M(npu_int32x16_t, w, __VA_ARGS__)
#define __NPU_EACH_UNSIGNED(M, ...)                                                      \
  M(npu_uint8x64_t, b, __VA_ARGS__)                                                      \
  M(npu_uint16x32_t, h, __VA_ARGS__)                                                     \
  M(npu_uint32x16_t, w, __VA_ARGS__)
#define __NPU_EACH(M, S, U) __NPU_EACH_SIGNED(M, S) __NPU_EACH_UNSIGNED(M, U)

/* ---- Arithmetic, all six types ---------------------------------------------------- */

#define __NPU_ELEMENTWISE(V, E, name, builtin)                                           \
  __NPU_V V name(V a, V b) { return builtin(a, b); }
#define __NPU_BINARY(V, E, name, op)                                                     \
  __NPU_V V name(V a, V b) { return (V)__builtin_npu_v_##op##_##E(a, b); }
#define __NPU_BINARY_OF(name, s, u)                                                      \
  __NPU_EACH_SIGNED(__NPU_BINARY, name, s) __NPU_EACH_UNSIGNED(__NPU_BINARY, name, u)
#define __NPU_ELEMENTWISE_OF(name, builtin)                                              \
  __NPU_EACH_SIGNED(__NPU_ELEMENTWISE, name, builtin)                                    \
  __NPU_EACH_UNSIGNED(__NPU_ELEMENTWISE, name, builtin)

/* Sum and difference, saturating. */
__NPU_ELEMENTWISE_OF(npu_v_sadd, __builtin_elementwise_add_sat)
__NPU_ELEMENTWISE_OF(npu_v_ssub, __builtin_elementwise_sub_sat)
__NPU_ELEMENTWISE_OF(npu_v_min, __builtin_elementwise_min)
__NPU_ELEMENTWISE_OF(npu_v_max, __builtin_elementwise_max)
/* (a + b + 1) / 2 on the exact sum, rounded down. */
__NPU_BINARY_OF(npu_v_avg, avg, avgu)
/* |a - b|; of signed elements the result is unsigned in the same type. */
__NPU_BINARY_OF(npu_v_absd, absd, absdu)
/* High half of the product. */
__NPU_BINARY_OF(npu_v_mulh, mulh, mulhu)
/* a >> (b mod width), rounding half up. */
__NPU_BINARY_OF(npu_v_srr, srar, srlr)
/* Elements of a and b in turn, from the lower or the upper halves. */
__NPU_BINARY_OF(npu_v_ziplo, ziplo, ziplo)
__NPU_BINARY_OF(npu_v_ziphi, ziphi, ziphi)
/* Elements with even or odd numbers, of a in the lower half and of b in the upper one. */
__NPU_BINARY_OF(npu_v_unzipe, unzipe, unzipe)
__NPU_BINARY_OF(npu_v_unzipo, unzipo, unzipo)

/* ---- Arithmetic, signed types ----------------------------------------------------- */

/* a << (b mod width), saturating. */
__NPU_EACH_SIGNED(__NPU_BINARY, npu_v_ssll, ssll)
/* a / 2^(b mod width), rounding half away from zero: TFLite's RoundingDivideByPOT. */
__NPU_EACH_SIGNED(__NPU_BINARY, npu_v_rdpot, rdpot)
/* TFLite's SaturatingRoundingDoublingHighMul. */
__NPU_EACH_SIGNED(__NPU_BINARY, npu_v_dmulh, dmulh)

#define __NPU_ABS(V, E, name)                                                            \
  __NPU_V V name(V a) { return __builtin_elementwise_abs(a); }
/* Absolute value; the lowest value stays as it is. */
__NPU_EACH_SIGNED(__NPU_ABS, npu_v_abs)

/* ---- Selection, all six types ----------------------------------------------------- */

#define __NPU_SEL(V, E, name)                                                            \
  __NPU_V V name(V mask, V a, V b) {                                                     \
    return (V)__builtin_npu_v_sel((npu_int8x64_t)mask, (npu_int8x64_t)a,                 \
                                  (npu_int8x64_t)b);                                     \
  }
/* Bits of a where the mask has ones, of b where it has zeros. */
__NPU_EACH(__NPU_SEL, npu_v_sel, npu_v_sel)

/* ---- Widening and narrowing ------------------------------------------------------- */

/* M(narrow type, wide type, suffix): int8 to int16, int16 to int32. */
#define __NPU_EACH_WIDE(M, S, U, ...)                                                    \
  M(npu_int8x64_t, npu_int16x32_t, b, S, __VA_ARGS__)                                    \
  M(npu_int16x32_t, npu_int32x16_t, h, S, __VA_ARGS__)                                   \
  M(npu_uint8x64_t, npu_uint16x32_t, b, U, __VA_ARGS__)                                  \
  M(npu_uint16x32_t, npu_uint32x16_t, h, U, __VA_ARGS__)
#define __NPU_EXTEND(V, V2, E, op, name)                                                 \
  __NPU_V V2 name(V a) { return (V2)__builtin_npu_v_##op##_##E(a); }
#define __NPU_WMUL(V, V2, E, op, name)                                                   \
  __NPU_V V2 name(V a, V b) { return (V2)__builtin_npu_v_##op##_##E(a, b); }
#define __NPU_WMACC(V, V2, E, op, name)                                                  \
  __NPU_V V2 name(V2 d, V a, V b) { return (V2)__builtin_npu_v_##op##_##E(d, a, b); }
#define __NPU_PACK(V, V2, E, op, name)                                                   \
  __NPU_V V name(V2 a, V2 b) { return (V)__builtin_npu_v_##op##_##E(a, b); }

/* Elements of the lower or upper half in twice the width, by sign or zero as the type. */
__NPU_EACH_WIDE(__NPU_EXTEND, sxlo, zxlo, npu_v_extlo)
__NPU_EACH_WIDE(__NPU_EXTEND, sxhi, zxhi, npu_v_exthi)
/* Their products, and d + their products, in twice the width. */
__NPU_EACH_WIDE(__NPU_WMUL, wmullo, wmululo, npu_v_wmullo)
__NPU_EACH_WIDE(__NPU_WMUL, wmulhi, wmuluhi, npu_v_wmulhi)
__NPU_EACH_WIDE(__NPU_WMACC, wmacclo, wmacculo, npu_v_wmacclo)
__NPU_EACH_WIDE(__NPU_WMACC, wmacchi, wmaccuhi, npu_v_wmacchi)
/* Elements of a, then of b, in half the width: the low bits, or saturated to the type. */
__NPU_EACH_WIDE(__NPU_PACK, pack, pack, npu_v_pack)
__NPU_EACH_WIDE(__NPU_PACK, packs, packu, npu_v_packs)
/* Signed elements, saturated to unsigned ones. */
__NPU_PACK(npu_uint8x64_t, npu_int16x32_t, b, packsu, npu_v_packsu)
__NPU_PACK(npu_uint16x32_t, npu_int32x16_t, h, packsu, npu_v_packsu)

#define __NPU_QUARTER(V, V4, op, q)                                                      \
  __NPU_V V4 npu_v_extq##q(V a) { return (V4)__builtin_npu_v_##op##q##_b(a); }
#define __NPU_QUARTERS(q)                                                                \
  __NPU_QUARTER(npu_int8x64_t, npu_int32x16_t, sxq, q)                                   \
  __NPU_QUARTER(npu_uint8x64_t, npu_uint32x16_t, zxq, q)
/* Bytes 16 q and up as words. */
__NPU_QUARTERS(0)
__NPU_QUARTERS(1)
__NPU_QUARTERS(2)
__NPU_QUARTERS(3)

#define __NPU_DOT(V1, V2, E, op)                                                         \
  __NPU_V npu_int32x16_t npu_v_dot(npu_int32x16_t d, V1 a, V2 b) {                       \
    return __builtin_npu_v_##op##_##E(d, (V2)a, b);                                      \
  }
/* d + the products of the four bytes, or two halfwords, that share each word. */
__NPU_DOT(npu_int8x64_t, npu_int8x64_t, b, dot)
__NPU_DOT(npu_uint8x64_t, npu_uint8x64_t, b, dotu)
__NPU_DOT(npu_uint8x64_t, npu_int8x64_t, b, dotus)
__NPU_DOT(npu_int16x32_t, npu_int16x32_t, h, dot)
__NPU_DOT(npu_uint16x32_t, npu_uint16x32_t, h, dotu)
__NPU_DOT(npu_uint16x32_t, npu_int16x32_t, h, dotus)

/* ---- Requantization --------------------------------------------------------------- */

/*
 * TFLite's MultiplyByQuantizedMultiplier: x * 2^left, doubling high product with the
 * multiplier, rounding division by 2^right, where left = shift > 0 ? shift : 0 and
 * right = shift > 0 ? 0 : -shift; -31..31.
 */
__NPU_V npu_int32x16_t npu_v_requant(npu_int32x16_t x, npu_int32x16_t multiplier,
                                     npu_int32x16_t shift) {
  return __builtin_npu_v_mbqm(x, multiplier, shift);
}
__NPU_V npu_int32x16_t npu_v_requant(npu_int32x16_t x, int multiplier, int shift) {
  return __builtin_npu_v_mbqm(x, __builtin_npu_v_bcast_w(multiplier),
                              __builtin_npu_v_bcast_w(shift));
}
/* The same, + zero point, clamped: as NPU_CSR_NOQUANT says (npu_oquant()). */
__NPU_V npu_int32x16_t npu_v_rq(npu_int32x16_t x, npu_int32x16_t multiplier,
                                npu_int32x16_t shift) {
  return __builtin_npu_v_rq(x, multiplier, shift);
}
__NPU_V npu_int32x16_t npu_v_rq(npu_int32x16_t x, int multiplier, int shift) {
  return __builtin_npu_v_rq(x, __builtin_npu_v_bcast_w(multiplier),
                            __builtin_npu_v_bcast_w(shift));
}

/* ---- Elements and lanes ----------------------------------------------------------- */

#define __NPU_LANES(V, E, unused)                                                        \
  /* x in every element. */                                                              \
  __NPU_V V npu_v_bcast_##E(int x) { return __builtin_npu_v_bcast_##E(x); }              \
  /* Element i is i. */                                                                  \
  __NPU_V V npu_v_id_##E(void) { return __builtin_npu_v_id_##E(); }                      \
  /* Mask of the lanes i with first + i < end. */                                        \
  __NPU_V V npu_v_lanes_##E(unsigned int first, unsigned int end) {                      \
    return __builtin_npu_v_lanes_##E(first, end);                                        \
  }
__NPU_EACH_SIGNED(__NPU_LANES, )

#define __NPU_REDUCE(V, E, name, R, op)                                                  \
  __NPU_V R name(V a) { return (R)__builtin_npu_v_##op##_##E(a); }
#define __NPU_REDUCE_OF(name, s, u)                                                      \
  __NPU_EACH_SIGNED(__NPU_REDUCE, name, int, s)                                          \
  __NPU_EACH_UNSIGNED(__NPU_REDUCE, name, unsigned int, u)
/* Of all elements, as int or unsigned int: sum modulo 2^32, extremes. */
__NPU_REDUCE_OF(npu_v_redsum, redsum, redsumu)
__NPU_REDUCE_OF(npu_v_redmin, redmin, redminu)
__NPU_REDUCE_OF(npu_v_redmax, redmax, redmaxu)

/* ---- Bytes by number or distance -------------------------------------------------- */

/* table[index[i]] of a table of 256 bytes. */
__NPU_V npu_int8x64_t npu_v_lookup(npu_uint8x64_t index, const npu_int8x64_t *table) {
  npu_int8x64_t i = (npu_int8x64_t)index;
  npu_int8x64_t r = __builtin_npu_v_perm(i, table[0]);
  r = __builtin_npu_v_lut1(r, i, table[1]);
  r = __builtin_npu_v_lut2(r, i, table[2]);
  return __builtin_npu_v_lut3(r, i, table[3]);
}

#define __NPU_SLIDE(V, E, unused)                                                        \
  /* Bytes n places lower or higher, with zeros behind them. */                          \
  __NPU_V V npu_v_slidedn(V a, unsigned int n) {                                         \
    return (V)__builtin_npu_v_slidedn((npu_int8x64_t)a, n);                              \
  }                                                                                      \
  __NPU_V V npu_v_slideup(V a, unsigned int n) {                                         \
    return (V)__builtin_npu_v_slideup((npu_int8x64_t)a, n);                              \
  }                                                                                      \
  /* 64 bytes from byte n mod 64 of the 128 bytes low, high. */                          \
  __NPU_V V npu_v_align(V low, V high, unsigned int n) {                                 \
    return (V)__builtin_npu_v_align((npu_int8x64_t)low, (npu_int8x64_t)high, n);         \
  }                                                                                      \
  /* Bytes of the table by number; 0 for numbers above 63. */                            \
  __NPU_V V npu_v_perm(npu_uint8x64_t index, V table) {                                  \
    return (V)__builtin_npu_v_perm((npu_int8x64_t)index, (npu_int8x64_t)table);          \
  }
__NPU_EACH(__NPU_SLIDE, , )

/* ---- Accumulator rows ------------------------------------------------------------- */

/* Row 0..255 of the matrix unit's accumulators, whose operations have been waited for. */
__NPU_V npu_int32x16_t npu_v_accrd(unsigned int row) { return __builtin_npu_v_accrd(row); }
__NPU_V void npu_v_accwr(npu_int32x16_t a, unsigned int row) {
  __builtin_npu_v_accwr(a, row);
}

/* ---- Memory ----------------------------------------------------------------------- */

#define __NPU_MEMORY(V, E, unused)                                                       \
  /* 64 bytes at any address. */                                                         \
  __NPU_V V npu_v_ld_##E(const void *p) {                                                \
    typedef V unaligned __attribute__((__aligned__(1), __may_alias__));                  \
    return *(const unaligned *)p;                                                        \
  }                                                                                      \
  __NPU_V void npu_v_st_##E(V a, void *p) {                                              \
    typedef V unaligned __attribute__((__aligned__(1), __may_alias__));                  \
    *(unaligned *)p = a;                                                                 \
  }                                                                                      \
  /* Lanes i < n at p + i * nvstride (NPU_CSR_NVSTRIDE), zero in the others. */          \
  __NPU_V V npu_v_lds_##E(const void *p, unsigned int n) {                               \
    return __builtin_npu_v_lds_##E(p, n);                                                \
  }                                                                                      \
  __NPU_V void npu_v_sts_##E(V a, void *p, unsigned int n) {                             \
    __builtin_npu_v_sts_##E(a, p, n);                                                    \
  }
__NPU_EACH_SIGNED(__NPU_MEMORY, )

/*
 * T: elements in memory, then those in the register where they are wider, then u for
 * unsigned ones, s or u for saturation to signed or unsigned ones.
 */
#define __NPU_LOAD(V, T)                                                                 \
  /* Lanes i < n, or where the mask has its top bit set, zero in the others. */          \
  __NPU_V V npu_v_ldl_##T(const void *p, unsigned int n) {                               \
    return __builtin_npu_v_ldl_##T(p, n);                                                \
  }                                                                                      \
  __NPU_V V npu_v_ldm_##T(const void *p, V mask) {                                       \
    return __builtin_npu_v_ldm_##T(p, mask);                                             \
  }
#define __NPU_STORE(V, T)                                                                \
  __NPU_V void npu_v_stl_##T(V a, void *p, unsigned int n) {                             \
    __builtin_npu_v_stl_##T(a, p, n);                                                    \
  }                                                                                      \
  __NPU_V void npu_v_stm_##T(V a, void *p, V mask) {                                     \
    __builtin_npu_v_stm_##T(a, p, mask);                                                 \
  }
__NPU_LOAD(npu_int8x64_t, b)
__NPU_LOAD(npu_int16x32_t, h)
__NPU_LOAD(npu_int16x32_t, bh)
__NPU_LOAD(npu_int16x32_t, bhu)
__NPU_LOAD(npu_int32x16_t, w)
__NPU_LOAD(npu_int32x16_t, bw)
__NPU_LOAD(npu_int32x16_t, bwu)
__NPU_LOAD(npu_int32x16_t, hw)
__NPU_LOAD(npu_int32x16_t, hwu)
__NPU_STORE(npu_int8x64_t, b)
__NPU_STORE(npu_int16x32_t, h)
__NPU_STORE(npu_int16x32_t, hb)
__NPU_STORE(npu_int16x32_t, hbs)
__NPU_STORE(npu_int16x32_t, hbu)
__NPU_STORE(npu_int32x16_t, w)
__NPU_STORE(npu_int32x16_t, wb)
__NPU_STORE(npu_int32x16_t, wbs)
__NPU_STORE(npu_int32x16_t, wbu)
__NPU_STORE(npu_int32x16_t, wh)
__NPU_STORE(npu_int32x16_t, whs)
__NPU_STORE(npu_int32x16_t, whu)

#ifdef __cplusplus
}
#endif

#undef __NPU_V
#undef __NPU_EACH_SIGNED
#undef __NPU_EACH_UNSIGNED
#undef __NPU_EACH
#undef __NPU_ELEMENTWISE
#undef __NPU_BINARY
#undef __NPU_BINARY_OF
#undef __NPU_ELEMENTWISE_OF
#undef __NPU_ABS
#undef __NPU_SEL
#undef __NPU_EACH_WIDE
#undef __NPU_EXTEND
#undef __NPU_WMUL
#undef __NPU_WMACC
#undef __NPU_PACK
#undef __NPU_QUARTER
#undef __NPU_QUARTERS
#undef __NPU_DOT
#undef __NPU_LANES
#undef __NPU_REDUCE
#undef __NPU_REDUCE_OF
#undef __NPU_SLIDE
#undef __NPU_MEMORY
#undef __NPU_LOAD
#undef __NPU_STORE

#endif /* __NPU_VECTOR_H */
