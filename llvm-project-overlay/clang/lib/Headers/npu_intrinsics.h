/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Intrinsics of the NPU: one for each Xnpu instruction, the words that control them, and
 * the numbers of the NPU's control and status registers (CSRs). The ISA manual, chapters 3
 * to 5 and 9, defines what each operation does; this header states operands, units and
 * ranges. Vectors are in npu_vector.h, which this header includes.
 *
 * An operation that is started returns a ticket and completes later. Nothing orders it
 * against other accesses until npu_wait(ticket), npu_poll(ticket) == 1 or npu_fence(mask).
 * The compiler keeps all intrinsics in order among loads, stores and each other.
 *
 * "TCM address" is the address of a byte of the scratchpad. Sizes are in bytes.
 */
#ifndef __NPU_INTRINSICS_H
#define __NPU_INTRINSICS_H

#ifndef __npu__
#error "npu_intrinsics.h is for --target=npu"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define __NPU_INLINE static __inline__ __attribute__((__always_inline__, __nodebug__))

/* Completion mark of an asynchronous operation; bits 1:0 name the unit. */
typedef unsigned int npu_ticket_t;

/* ---- CSR numbers ------------------------------------------------------------------ */

#define NPU_CSR_NROWLEN 0x800    /* activation window: bytes of a row, 1..65535 */
#define NPU_CSR_NROWSTRIDE 0x801 /* bytes from a window row to the next, signed */
#define NPU_CSR_NXCOUNT 0x802    /* pixels in x before y advances, 1..65535; 0: no wrap */
#define NPU_CSR_NXSTRIDE 0x803   /* activation bytes from pixel to pixel, signed */
#define NPU_CSR_NYSTRIDE 0x804   /* activation bytes from line to line, signed */
#define NPU_CSR_NOXSTRIDE 0x805  /* output bytes from pixel to pixel, signed */
#define NPU_CSR_NOYSTRIDE 0x806  /* output bytes from line to line, signed */
#define NPU_CSR_NOQUANT 0x807    /* npu_oquant(): zero point and clamp of the output */
#define NPU_CSR_NPAD 0x808       /* npu_pad(): pad value, line step of a window row */
#define NPU_CSR_NVALID 0x809     /* npu_valid(): valid region; 0: everything is valid */
#define NPU_CSR_NPOS 0x80A       /* npu_position() of the first pixel's first byte */
#define NPU_CSR_NPXSTEP 0x80B    /* npu_position() step from pixel to pixel */
#define NPU_CSR_NPYSTEP 0x80C    /* npu_position() step from line to line of pixels */
#define NPU_CSR_NTAPSTRIDE 0x80D /* mac_dw: bytes from tap to tap of a window row, signed */
#define NPU_CSR_NVSTRIDE 0x820   /* npu_v_lds, npu_v_sts: bytes from lane to lane, signed */
#define NPU_CSR_NSTATUS 0x810    /* NPU_STATUS_*; writing ones clears */
#define NPU_CSR_NFAULT0 0x811    /* address of DMA channel 0's first error */
#define NPU_CSR_NFAULT1 0x812    /* the same of DMA channel 1 */
#define NPU_CSR_NFAULT2 0x813    /* the same of the array (mac_ldw, mac_run, mac_dw) */
#define NPU_CSR_NFAULT3 0x814    /* the same of the drain (mac_ldq, mac_drain) */
#define NPU_CSR_NINFO 0xFC0      /* read only: geometry of the machine */
#define NPU_CSR_NTCMSIZE 0xFC1   /* read only: bytes of TCM */
#define NPU_CSR_NITCMSIZE 0xFC2  /* read only: bytes of ITCM */

/* Bits of NPU_CSR_NSTATUS. */
#define NPU_STATUS_DMA0_ERROR 0x001u
#define NPU_STATUS_DMA1_ERROR 0x002u
#define NPU_STATUS_ARRAY_ERROR 0x004u
#define NPU_STATUS_DRAIN_ERROR 0x008u
#define NPU_STATUS_ERRORS 0x00Fu
#define NPU_STATUS_DMA0_DONE 0x100u
#define NPU_STATUS_DMA1_DONE 0x200u

/* Reads CSR `csr` (constant, 0..4095). */
#define npu_csr_read(csr) __builtin_npu_csr_read(csr)

/* Writes `value` to CSR `csr` (constant, 0..4095). */
#define npu_csr_write(csr, value) __builtin_npu_csr_write((csr), (value))

/* ---- Waiting ---------------------------------------------------------------------- */

/* Units in the mask of npu_fence. */
#define NPU_UNIT_DMA0 1
#define NPU_UNIT_DMA1 2
#define NPU_UNIT_MATRIX 4
#define NPU_UNIT_ALL 7

/* Waits until the operation of `ticket`, and all earlier ones of its unit, are complete. */
__NPU_INLINE void npu_wait(npu_ticket_t ticket) { __builtin_npu_wait(ticket); }

/* 1 when npu_wait(ticket) would return at once, else 0. */
__NPU_INLINE unsigned int npu_poll(npu_ticket_t ticket) {
  return __builtin_npu_poll(ticket);
}

/* Waits until all operations of the units in `mask` (constant, NPU_UNIT_*) are complete. */
#define npu_fence(mask) __builtin_npu_fence(mask)

/* ---- Matrix unit ------------------------------------------------------------------ */

/* Flag in the second operand of npu_mac_ldw: int4 weights. */
#define NPU_MAC_INT4 (1u << 8)

/* Flags of npu_mac_run_ctl and npu_mac_dw_ctl. */
#define NPU_MAC_ACC (1u << 29)  /* add to the accumulators instead of overwriting them */
#define NPU_MAC_SWAP (1u << 30) /* make the shadow weights active before the first pixel */

/* Flags of npu_mac_drain_ctl, one at most. */
#define NPU_MAC_RAW (1u << 22)  /* store int32 accumulators, not requantized bytes */
#define NPU_MAC_ONCE (1u << 23) /* requantize with one rounding, halves away from zero */

/*
 * Control word of npu_mac_run.
 *   row    first accumulator row, 0..255; rows 0..127 and 128..255 are the two halves
 *   count  pixels, 0..256; row + count <= 256
 *   k      bytes of an activation vector, 0..16; with int4 weights 0..32
 *   first  bytes taken from the first window row, 0..63; 0 takes all k
 *   flags  NPU_MAC_ACC, NPU_MAC_SWAP
 */
__NPU_INLINE unsigned int npu_mac_run_ctl(unsigned int row, unsigned int count,
                                          unsigned int k, unsigned int first,
                                          unsigned int flags) {
  return row | count << 8 | k << 17 | first << 23 | flags;
}

/*
 * Control word of npu_mac_dw.
 *   row    first accumulator row, 0..255
 *   count  pixels, 0..256; row + count <= 256
 *   kw, kh taps of a window row and window rows, 1..16; kw * kh <= 16
 *   flags  NPU_MAC_ACC, NPU_MAC_SWAP
 */
__NPU_INLINE unsigned int npu_mac_dw_ctl(unsigned int row, unsigned int count,
                                         unsigned int kw, unsigned int kh,
                                         unsigned int flags) {
  return row | count << 8 | kw << 17 | kh << 22 | flags;
}

/*
 * Padding: window bytes whose position lies outside the valid region of
 * npu_valid(width, height) are not read but have the pad value. A position is a column in
 * bytes and a line, each -32768..32767.
 */

/* Value of NPU_CSR_NPAD: value -128..127; line_step 0..255, the lines between window rows. */
__NPU_INLINE unsigned int npu_pad(int value, unsigned int line_step) {
  return ((unsigned int)value & 0xFFu) | line_step << 8;
}

/* Value of NPU_CSR_NVALID: bytes of a line and lines, 0..32767 each; 0, 0 ends padding. */
__NPU_INLINE unsigned int npu_valid(unsigned int width, unsigned int height) {
  return width | height << 16;
}

/* Value of NPU_CSR_NPOS, NPU_CSR_NPXSTEP and NPU_CSR_NPYSTEP. */
__NPU_INLINE unsigned int npu_position(int column, int line) {
  return ((unsigned int)column & 0xFFFFu) | (unsigned int)line << 16;
}

/*
 * Control word of npu_mac_drain.
 *   row    first accumulator row, 0..255
 *   count  pixels, 0..256; row + count <= 256
 *   n      channels stored of each pixel, 0..16
 *   flags  NPU_MAC_RAW, NPU_MAC_ONCE
 */
__NPU_INLINE unsigned int npu_mac_drain_ctl(unsigned int row, unsigned int count,
                                            unsigned int n, unsigned int flags) {
  return row | count << 8 | n << 17 | flags;
}

/*
 * Value of NPU_CSR_NOQUANT: the output byte is
 * min(max(requantized + zero_point, min), max). All three are -128..127.
 */
__NPU_INLINE unsigned int npu_oquant(int zero_point, int min, int max) {
  return ((unsigned int)zero_point & 0xFFu) | ((unsigned int)min & 0xFFu) << 8 |
         ((unsigned int)max & 0xFFu) << 16;
}

/*
 * Loads `rows` (0..16) rows of 16 int8 weights, [k][n] at weights + 16 k + n, into the
 * shadow weights and clears the others. With `rows` = NPU_MAC_INT4 | 0..32 the rows are 8
 * bytes of 16 int4 weights, the even n in the low nibbles. `weights`: TCM address, multiple
 * of 4.
 */
__NPU_INLINE npu_ticket_t npu_mac_ldw(const void *weights, unsigned int rows) {
  return __builtin_npu_mac_ldw(weights, rows);
}

/*
 * Streams activation vectors through the array. `activations`: TCM address of the first
 * pixel's window; `ctl`: npu_mac_run_ctl(). The window and pixel strides are in
 * NPU_CSR_NROWLEN to NPU_CSR_NYSTRIDE.
 */
__NPU_INLINE npu_ticket_t npu_mac_run(const void *activations, unsigned int ctl) {
  return __builtin_npu_mac_run(activations, ctl);
}

/*
 * Streams depthwise windows through the array, whose row j * kw + i holds tap (j, i) of 16
 * channels. `activations`: TCM address of the first pixel's first tap; `ctl`:
 * npu_mac_dw_ctl(). Tap (j, i) is the 16 bytes at i * ntapstride + j * nrowstride from there.
 */
__NPU_INLINE npu_ticket_t npu_mac_dw(const void *activations, unsigned int ctl) {
  return __builtin_npu_mac_dw(activations, ctl);
}

/*
 * Loads bias, multiplier and shift of 16 output channels. `table`: TCM address of 144
 * bytes, multiple of 4: int32 bias[16], int32 multiplier[16], int8 shift[16].
 */
__NPU_INLINE npu_ticket_t npu_mac_ldq(const void *table) {
  return __builtin_npu_mac_ldq(table);
}

/*
 * Requantizes accumulator rows and stores them. `out`: TCM address of the first pixel's
 * first channel; `ctl`: npu_mac_drain_ctl(). The strides are in NPU_CSR_NOXSTRIDE and
 * NPU_CSR_NOYSTRIDE, the zero point and clamp in NPU_CSR_NOQUANT.
 */
__NPU_INLINE npu_ticket_t npu_mac_drain(void *out, unsigned int ctl) {
  return __builtin_npu_mac_drain(out, ctl);
}

/* ---- DMA -------------------------------------------------------------------------- */

/*
 * Starts the descriptor chain at `descriptor` (TCM address, multiple of 4, 16 words) on
 * channel `channel` (constant, 0..1). The descriptor stays unchanged until completion.
 */
#define npu_dma_start(descriptor, channel) __builtin_npu_dma_start((descriptor), (channel))

#undef __NPU_INLINE

#ifdef __cplusplus
}
#endif

#include <npu_vector.h>

#endif /* __NPU_INTRINSICS_H */
