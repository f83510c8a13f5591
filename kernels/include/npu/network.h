// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs of npu-netgen consist of: layers whose activations and constants lie in the
// scratchpad. The functions only issue work for the matrix unit and return its last ticket; a layer
// starts as soon as the pieces of its input that it reads first are complete, so that successive
// layers overlap.

#ifndef NPU_NETWORK_H
#define NPU_NETWORK_H

#include <npu/dma.h>
#include <npu/unit_errors.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPU_NET_INLINE static inline __attribute__((always_inline))

enum {
  NPU_NET_HALF = 128,  // accumulator rows of a half
  NPU_NET_BLOCK = 16,  // output channels of a block
  NPU_NET_TABLE = 144, // bytes of a block's bias, multipliers and shifts
};

// What there is to know about a layer: its multiplications, the cycles that the array needs for
// them, and the bytes that it takes from and to DRAM.
typedef struct npu_net_layer {
  const char *name;
  uint32_t macs, array_cycles, dram_bytes;
} npu_net_layer;

// Output pixels of one run. `in` and `out` are byte offsets in the arena, `pos` the position of the
// first pixel's window without padding, `columns` the pixels of a line.
typedef struct npu_net_rect {
  int32_t in, out;
  uint32_t pos, pixels, columns;
} npu_net_rect;

// One load of `rows` rows of weights and one run.
typedef struct npu_net_step {
  int32_t in;
  uint32_t pos, ctl, rows;
} npu_net_step;

// A layer that slides a window: convolution, depthwise convolution, average pooling.
typedef struct npu_net_window {
  uint32_t row_length, row_stride, x_stride, y_stride, out_x_stride, out_y_stride, tap_stride;
  uint32_t quant, pad, valid, px_step, py_step;
  int32_t channels;            // of the output
  int32_t in_block, out_block; // bytes from 16 channels to the next
  int32_t rects, steps;
  uint32_t rows, ctl; // of every step; rows = 0: of each its own
  int padded;
  int whole_lines; // every rectangle starts in column 0
  int depthwise;
  int shared; // all blocks have the same constants
} npu_net_window;

// A position is a column in the low and a line in the high half, added separately: where the
// rectangles do not start in column 0, a carry out of a negative column goes back.
NPU_NET_INLINE uint32_t npu_net_position(const npu_net_window *l, uint32_t rect, uint32_t step) {
  const uint32_t pos = rect + step;
  return l->whole_lines ? pos : (pos & 0xFFFFu) | ((rect & 0xFFFF0000u) + (step & 0xFFFF0000u));
}

// Sum of two tensors. TFLite computes g(f(a) + h(b)) with a staircase g of equal steps, and so
//   x = whole_a[a] + whole_b[b] + (rank_b[b] < rank_a[a]),    sum = saturate(x + multiple (b -
//   offset))
// where the tables hold the whole parts, those of b less a multiple of b that keeps them small, and
// the ranks of the fractions. The generator proves it for all pairs of bytes. Without tables the
// sum takes TFLite's own way.
typedef struct npu_net_add {
  const npu_int8x64_t
      *tables; // whole_a, rank_a, whole_b, rank_b: 256 bytes each, by the unsigned byte
  int32_t multiple, offset;
  int32_t zero_a, zero_b, zero_out, min, max;
  int32_t left_shift, multiplier_a, shift_a, multiplier_b, shift_b, multiplier_out, shift_out;
} npu_net_add;

NPU_NET_INLINE npu_int32x16_t npu_net_add_words(const npu_net_add *l, npu_int32x16_t a,
                                                npu_int32x16_t b) {
  const npu_int32x16_t v =
      npu_v_requant((a - l->zero_a) << l->left_shift, l->multiplier_a, l->shift_a) +
      npu_v_requant((b - l->zero_b) << l->left_shift, l->multiplier_b, l->shift_b);
  return npu_v_requant(v, l->multiplier_out, l->shift_out) + l->zero_out;
}

NPU_NET_INLINE npu_int8x64_t npu_net_add_bytes(const npu_net_add *l, npu_int8x64_t a,
                                               npu_int8x64_t b) {
  npu_int8x64_t v;
  if (l->tables) {
    const npu_uint8x64_t at_a = (npu_uint8x64_t)a, at_b = (npu_uint8x64_t)b;
    const npu_uint8x64_t rank_a = (npu_uint8x64_t)npu_v_lookup(at_a, l->tables + 4);
    const npu_uint8x64_t rank_b = (npu_uint8x64_t)npu_v_lookup(at_b, l->tables + 12);
    const npu_int8x64_t carry = (npu_int8x64_t)(rank_b < rank_a); // -1 where it is true
    v = npu_v_lookup(at_a, l->tables) + npu_v_lookup(at_b, l->tables + 8) - carry;
    const npu_int8x64_t summand = l->offset != 0 ? npu_v_ssub(b, npu_v_bcast_b(l->offset)) : b;
#pragma clang loop unroll(full)
    for (int32_t i = 0; i < l->multiple; ++i)
      v = npu_v_sadd(v, summand);
  } else {
    v = npu_v_packs(npu_v_packs(npu_net_add_words(l, npu_v_extq0(a), npu_v_extq0(b)),
                                npu_net_add_words(l, npu_v_extq1(a), npu_v_extq1(b))),
                    npu_v_packs(npu_net_add_words(l, npu_v_extq2(a), npu_v_extq2(b)),
                                npu_net_add_words(l, npu_v_extq3(a), npu_v_extq3(b))));
  }
  if (l->min > -128)
    v = npu_v_max(v, npu_v_bcast_b(l->min));
  if (l->max < 127)
    v = npu_v_min(v, npu_v_bcast_b(l->max));
  return v;
}

// An addition in the order in which its operands are made: region by region, 64 bytes at once, what
// lies between lines along with them. A region is a run's lines in one plane of 16 channels, or in
// all of them where pixels are whole. Distances are in bytes.
typedef struct npu_net_sum {
  npu_net_add add;
  int32_t b, out;        // from a byte of the first operand to those of the second and of the sum
  int32_t region, last;  // bytes of a region, of the last one of a plane
  int32_t rows;          // regions of a plane
  int32_t planes, plane; // and from plane to plane
  uint32_t tickets;      // from the ticket of a region to that of the next one
} npu_net_sum;

typedef struct npu_net_sum_state {
  const int8_t *start, *a; // the row's first region, and what comes next
  int32_t left;            // bytes of the region
  int32_t row, plane;      // of the region
  int32_t done, complete,
      issued;          // regions: added, with complete operands, issued by their producer
  npu_ticket_t ticket; // of the first region that is not known to be complete
} npu_net_sum_state;

NPU_NET_INLINE void npu_net_sum_start(const npu_net_sum *p, npu_net_sum_state *s,
                                      const uint8_t *a) {
  const npu_net_sum_state start = {.start = (const int8_t *)a,
                                   .a = (const int8_t *)a,
                                   .left = p->rows == 1 ? p->last : p->region};
  *s = start;
}

NPU_NET_INLINE void npu_net_sum_issued(npu_net_sum_state *s, npu_ticket_t drain) {
  if (s->issued++ == 0)
    s->ticket = drain;
}

// Goes on with the next region: of the same row in the next plane, or of the next row.
NPU_NET_INLINE void npu_net_sum_next(const npu_net_sum *p, npu_net_sum_state *s) {
  ++s->done;
  if (++s->plane == p->planes) {
    s->plane = 0;
    s->start += p->region;
    ++s->row;
  }
  s->a = s->start + s->plane * p->plane;
  s->left = s->row == p->rows - 1 ? p->last : p->region;
}

// Adds the regions whose operands are complete; where `bounded`, until the operation of the ticket
// is complete.
NPU_NET_INLINE void npu_net_sum_advance(const npu_net_sum *p, npu_net_sum_state *s, int bounded,
                                        npu_ticket_t until) {
  while (s->done < s->complete) {
    const int8_t *a = s->a;
    int32_t left = s->left;
    // Two vectors at once: the results of one take a few cycles, in which the other goes on.
    for (; left >= 128 && !(bounded && npu_poll(until)); a += 128, left -= 128) {
      const npu_int8x64_t a0 = npu_v_ld_b(a), a1 = npu_v_ld_b(a + 64);
      const npu_int8x64_t b0 = npu_v_ld_b(a + p->b), b1 = npu_v_ld_b(a + p->b + 64);
      const npu_int8x64_t v0 = npu_net_add_bytes(&p->add, a0, b0),
                          v1 = npu_net_add_bytes(&p->add, a1, b1);
      npu_v_st_b(v0, (int8_t *)a + p->out);
      npu_v_st_b(v1, (int8_t *)a + p->out + 64);
    }
    if (left >= 128) {
      s->a = a;
      s->left = left;
      break;
    }
    while (left > 0) { // no byte behind the region: it may be in the making
      const uint32_t lanes = left < 64 ? (uint32_t)left : 64;
      const npu_int8x64_t v =
          npu_net_add_bytes(&p->add, npu_v_ldl_b(a, lanes), npu_v_ldl_b(a + p->b, lanes));
      npu_v_stl_b(v, (int8_t *)a + p->out, lanes);
      a += lanes;
      left -= (int32_t)lanes;
    }
    npu_net_sum_next(p, s);
  }
}

NPU_NET_INLINE void npu_net_sum_some(const npu_net_sum *p, npu_net_sum_state *s,
                                     npu_ticket_t until) {
  while (s->complete < s->issued && npu_poll(s->ticket)) {
    ++s->complete;
    s->ticket += p->tickets;
  }
  npu_net_sum_advance(p, s, 1, until);
}

NPU_NET_INLINE void npu_net_sum_need(const npu_net_sum *p, npu_net_sum_state *s, int32_t regions) {
  while (s->done < regions) {
    if (s->complete == s->done) {
      npu_wait(s->ticket);
      ++s->complete;
      s->ticket += p->tickets;
    }
    npu_net_sum_advance(p, s, 0, NPU_TICKET_DONE);
  }
}

// What the core does beside the issue of a layer: an addition whose operands the layer makes, or
// whose result it reads.
typedef struct npu_net_beside {
  const npu_net_sum *sum;
  npu_net_sum_state *state;
  int32_t runs; // in the queue that are left to the array when the core goes on with it; 0: none is
                // enough
  int makes;    // the layer makes an operand
  const uint16_t *needs; // regions of the sum that each rectangle, or group of a depthwise layer,
                         // reads, or null
} npu_net_beside;

// Behind every step, whose run has this ticket. A step has two operations; four runs fill the
// queue. While they do, the core adds, until the last but `runs` of them is complete: the array
// still has work then.
NPU_NET_INLINE void npu_net_beside_step(const npu_net_beside *beside, npu_net_sum_state *state,
                                        npu_ticket_t run) {
  enum { STEP = 2 * 4, QUEUED = 3 };
  if (beside && beside->runs > 0 && !npu_poll(run - QUEUED * STEP))
    npu_net_sum_some(beside->sum, state, run - (uint32_t)beside->runs * STEP);
}

NPU_NET_INLINE const uint8_t *npu_net_step_issue(const npu_net_window *l, const npu_net_step *step,
                                                 const npu_net_rect *rect, const uint8_t *in,
                                                 const uint8_t *weights, uint32_t ctl,
                                                 const npu_net_beside *beside,
                                                 npu_net_sum_state *state) {
  const uint32_t rows = l->rows != 0 ? l->rows : step->rows;
  npu_mac_ldw(weights, rows);
  if (l->padded)
    npu_csr_write(NPU_CSR_NPOS, npu_net_position(l, rect->pos, step->pos));
  ctl |= l->rows != 0 ? l->ctl : step->ctl;
  const npu_ticket_t run =
      l->depthwise ? npu_mac_dw(in + step->in, ctl) : npu_mac_run(in + step->in, ctl);
  npu_net_beside_step(beside, state, run);
  return weights + 16 * rows;
}

// Issues the blocks [first, end) of a layer. Constants lie at `packed`, block after block. `half`
// is the first accumulator row. waits (or null): how far before `producer` the tickets lie that a
// group of a depthwise layer, or a step of others, has to wait for. beside: may be null.
NPU_NET_INLINE npu_ticket_t npu_net_window_run(const npu_net_window *l, const npu_net_rect *rects,
                                               const npu_net_step *steps, const uint16_t *waits,
                                               npu_ticket_t producer, uint8_t *arena,
                                               const uint8_t *packed, int32_t first, int32_t end,
                                               uint32_t half, const npu_net_beside *beside) {
  npu_csr_write(NPU_CSR_NROWLEN, l->row_length);
  npu_csr_write(NPU_CSR_NROWSTRIDE, l->row_stride);
  npu_csr_write(NPU_CSR_NXSTRIDE, l->x_stride);
  npu_csr_write(NPU_CSR_NYSTRIDE, l->y_stride);
  npu_csr_write(NPU_CSR_NOXSTRIDE, l->out_x_stride);
  npu_csr_write(NPU_CSR_NOYSTRIDE, l->out_y_stride);
  npu_csr_write(NPU_CSR_NOQUANT, l->quant);
  npu_csr_write(NPU_CSR_NVALID, l->valid);
  if (l->depthwise)
    npu_csr_write(NPU_CSR_NTAPSTRIDE, l->tap_stride);
  if (l->padded) {
    npu_csr_write(NPU_CSR_NPAD, l->pad);
    npu_csr_write(NPU_CSR_NPXSTEP, l->px_step);
    npu_csr_write(NPU_CSR_NPYSTEP, l->py_step);
  }
  npu_net_sum_state state = {0};
  if (beside)
    state = *beside->state;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  const uint16_t *need = beside ? beside->needs : 0;
  const npu_net_step *const last = steps + l->steps;
  for (const npu_net_rect *rect = rects, *behind = rects + l->rects; rect != behind; ++rect) {
    npu_csr_write(NPU_CSR_NXCOUNT, rect->columns);
    const uint32_t run = half | rect->pixels << 8 | NPU_MAC_SWAP;
    const uint8_t *at = packed;
    const uint8_t *in = arena + rect->in;
    uint32_t row = 0;
    for (int32_t block = first; block < end; ++block) {
      const uint8_t *const table = at;
      uint32_t ctl = run ^ row;
      at += NPU_NET_TABLE;
      if (need && (l->depthwise || block == first))
        npu_net_sum_need(beside->sum, &state, *need++);
      if (l->depthwise) {
        if (waits)
          npu_wait(producer - *waits++);
        for (const npu_net_step *step = steps; step != last; ++step, ctl |= NPU_MAC_ACC) {
          const uint8_t *const next =
              npu_net_step_issue(l, step, rect, in + l->in_block * block, at, ctl, beside, &state);
          if (!l->shared)
            at = next;
        }
      } else if (waits && block == first) {
#pragma clang loop unroll_count(4)
        for (const npu_net_step *step = steps; step != last; ++step, ctl |= NPU_MAC_ACC) {
          npu_wait(producer - *waits++);
          at = npu_net_step_issue(l, step, rect, in, at, ctl, beside, &state);
        }
      } else {
#pragma clang loop unroll_count(4)
        for (const npu_net_step *step = steps; step != last; ++step, ctl |= NPU_MAC_ACC)
          at = npu_net_step_issue(l, step, rect, in, at, ctl, beside, &state);
      }
      // Behind the runs: the array does not wait for the table. That of a single block stays.
      if (rect == rects || l->channels > NPU_NET_BLOCK)
        npu_mac_ldq(table);
      const int32_t left = l->channels - NPU_NET_BLOCK * block;
      const uint32_t stored = left < NPU_NET_BLOCK ? (uint32_t)left : NPU_NET_BLOCK;
      ticket = npu_mac_drain(arena + rect->out + l->out_block * block,
                             npu_mac_drain_ctl(half ^ row, rect->pixels, stored, 0));
      if (beside && beside->makes && (beside->sum->planes > 1 || left <= NPU_NET_BLOCK))
        npu_net_sum_issued(&state, ticket);
      row ^= NPU_NET_HALF;
      if (l->shared)
        at = packed;
    }
    half ^= row;
  }
  if (beside)
    *beside->state = state;
  return ticket;
}

// A fully connected layer. One multiplication with a single rounding, with multipliers for which
// that is what TFLite's kernel does in double (npu/scale.h): (x * multiplier + 2^(30 - shift)) >>
// (31 - shift), of which the rounding bit lies in the high word of the product if the shift, less
// extra_shift, is -2 or less.
typedef struct npu_net_dense {
  int32_t outputs, inputs;
  int per_channel;                // multipliers and shifts lie behind the bias
  int32_t multiplier, down_shift; // otherwise; down_shift = -1 - shift + extra_shift
  int32_t extra_shift;
  const uint64_t *scales; // the doubles of all outputs where there are no such multipliers, or null
  int32_t zero_point, min, max;
} npu_net_dense;

// Sums of the first `count` lanes, each times its double.
npu_int32x16_t npu_net_dense_scaled(npu_int32x16_t sums, const uint64_t *scales, uint32_t count);

// The sums of one block, complete in accumulator `row`, to bytes.
NPU_NET_INLINE void npu_net_dense_store(const npu_net_dense *l, const uint8_t *table, uint32_t row,
                                        int32_t block, int8_t *out, uint32_t stored) {
  npu_int32x16_t v = npu_v_accrd(row) + npu_v_ld_w(table);
  if (l->extra_shift != 0)
    v <<= l->extra_shift;
  if (l->scales != 0) {
    v = npu_net_dense_scaled(v, l->scales + NPU_NET_BLOCK * block, stored);
  } else if (l->per_channel) {
    v = npu_v_mulh(v, npu_v_ld_w(table + 64));
    v = npu_v_srr(v, npu_v_ld_w(table + 128));
  } else {
    v = npu_v_mulh(v, npu_v_bcast_w(l->multiplier));
    v = npu_v_srr(v, npu_v_bcast_w(l->down_shift));
  }
  v += l->zero_point;
  if (l->min > -128)
    v = npu_v_max(v, npu_v_bcast_w(l->min));
  if (l->max < 127)
    v = npu_v_min(v, npu_v_bcast_w(l->max));
  npu_v_stl_wbs(v, out, stored);
}

// Blocks [first, end) of a fully connected layer. The epilogue of a block follows the runs of the
// next one.
NPU_NET_INLINE void npu_net_dense_run(const npu_net_dense *l, const int8_t *in,
                                      const uint8_t *packed, int8_t *out, int32_t first,
                                      int32_t end) {
  npu_csr_write(NPU_CSR_NVALID, 0);
  npu_csr_write(NPU_CSR_NXCOUNT, 0);
  const uint32_t table_bytes = l->per_channel ? 192 : 64;
  const int32_t full = l->inputs / NPU_NET_BLOCK;
  const uint32_t rest = (uint32_t)l->inputs % NPU_NET_BLOCK;
  const uint8_t *previous = 0;
  npu_ticket_t done = NPU_TICKET_DONE;
  for (int32_t block = first; block < end; ++block) {
    const uint8_t *const table = packed;
    packed += table_bytes;
    const uint32_t row = (uint32_t)block & 1;
    uint32_t ctl = npu_mac_run_ctl(row, 1, NPU_NET_BLOCK, 0, NPU_MAC_SWAP);
    const int8_t *from = in;
    npu_ticket_t ticket = NPU_TICKET_DONE;
#pragma clang loop unroll_count(4)
    for (int32_t step = 0; step < full; ++step) {
      npu_mac_ldw(packed, NPU_NET_BLOCK);
      ticket = npu_mac_run(from, ctl);
      packed += 16 * NPU_NET_BLOCK;
      from += NPU_NET_BLOCK;
      ctl |= NPU_MAC_ACC;
    }
    if (rest != 0) {
      npu_mac_ldw(packed, rest);
      ticket = npu_mac_run(from, ctl ^ npu_mac_run_ctl(0, 0, NPU_NET_BLOCK ^ rest, 0, 0));
      packed += 16 * rest;
    }
    if (block != first) {
      npu_wait(done);
      npu_net_dense_store(l, previous, row ^ 1, block - 1, out + NPU_NET_BLOCK * (block - 1),
                          NPU_NET_BLOCK);
    }
    previous = table;
    done = ticket;
  }
  npu_wait(done);
  const int32_t left = l->outputs - NPU_NET_BLOCK * (end - 1);
  npu_net_dense_store(l, previous, (uint32_t)(end - 1) & 1, end - 1,
                      out + NPU_NET_BLOCK * (end - 1),
                      left < NPU_NET_BLOCK ? (uint32_t)left : NPU_NET_BLOCK);
}

// Softmax of `count` bytes. planes: byte 0 of each entry of a table of 256, byte 1, ...; entry d is
// TFLite's exp_on_negative_values of an input that is d below the largest one, 0 behind diff_min.
void npu_net_softmax(const npu_int8x64_t *planes, const int8_t *in, int32_t count, int8_t *out);

// Ends a network early: waits until all units are idle. *failed becomes the name of the layer whose
// constants could not be loaded (of load i: layers_of_loads[i]); if it was something else, of
// `layer`, which was being issued.
npu_status npu_net_failed(const npu_dma_descriptor *loads, const uint16_t *layers_of_loads,
                          int32_t count, const npu_net_layer *layers, int32_t layer,
                          const char **failed);

#ifdef __cplusplus
}
#endif

#endif // NPU_NETWORK_H
