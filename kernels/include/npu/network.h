// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs of npu-netgen consist of: layers whose activations and constants lie in the scratchpad. The
// functions only issue work for the matrix unit and return its last ticket; a layer starts as soon as the
// pieces of its input that it reads first are complete, so that successive layers overlap.

#ifndef NPU_NETWORK_H
#define NPU_NETWORK_H

#include <npu/dma.h>
#include <npu/nn_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NPU_NET_INLINE static inline __attribute__((always_inline))

enum {
  NPU_NET_HALF = 128,  // accumulator rows of a half
  NPU_NET_BLOCK = 16,  // output channels of a block
  NPU_NET_TABLE = 144, // bytes of a block's bias, multipliers and shifts
};

// What there is to know about a layer: its multiplications, the cycles that the array needs for them, and the
// bytes that it takes from and to DRAM.
typedef struct npu_net_layer {
  const char *name;
  uint32_t macs, array_cycles, dram_bytes;
} npu_net_layer;

// Output pixels of one run. `in` and `out` are byte offsets in the arena, `pos` the first pixel's position
// as line * 65536 + column, `columns` the pixels of a line.
typedef struct npu_net_rect {
  int32_t in, out, pos;
  uint32_t pixels, columns;
} npu_net_rect;

// One load of `rows` rows of weights and one run.
typedef struct npu_net_step {
  int32_t in, pos;
  uint32_t ctl, rows;
} npu_net_step;

// A layer that slides a window: convolution, depthwise convolution, average pooling.
typedef struct npu_net_window {
  uint32_t row_length, row_stride, x_stride, y_stride, out_x_stride, out_y_stride, tap_stride;
  uint32_t quant, pad, valid, px_step, py_step;
  int32_t channels; // of the output
  int32_t rects, steps;
  int padded;
  int depthwise;
  int shared; // all blocks have the same constants
} npu_net_window;

// Halves of a position are added separately: a carry out of a negative column goes back.
NPU_NET_INLINE uint32_t npu_net_position(int32_t pos) {
  return (uint32_t)pos - ((uint32_t)((int32_t)((uint32_t)pos << 16) >> 31) << 16);
}

NPU_NET_INLINE const uint8_t *npu_net_step_issue(const npu_net_window *l, const npu_net_step *step,
                                                 const npu_net_rect *rect, const uint8_t *in,
                                                 const uint8_t *weights, uint32_t ctl) {
  npu_mac_ldw(weights, step->rows);
  if (l->padded)
    npu_csr_write(NPU_CSR_NPOS, npu_net_position(rect->pos + step->pos));
  if (l->depthwise)
    npu_mac_dw(in + step->in, ctl | step->ctl);
  else
    npu_mac_run(in + step->in, ctl | step->ctl);
  return weights + 16 * step->rows;
}

// Issues the blocks [first, end) of a layer. Constants lie at `packed`, block after block. `half` is the first
// accumulator row. waits (or null): how far before `producer` the tickets lie that a group of a depthwise
// layer, or a step of others, has to wait for.
NPU_NET_INLINE npu_ticket_t npu_net_window_run(const npu_net_window *l, const npu_net_rect *rects,
                                               const npu_net_step *steps, const uint16_t *waits,
                                               npu_ticket_t producer, uint8_t *arena,
                                               const uint8_t *packed, int32_t first, int32_t end,
                                               uint32_t half) {
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
  npu_ticket_t ticket = NPU_TICKET_DONE;
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
      if (l->depthwise) {
        if (waits)
          npu_wait(producer - *waits++);
        for (const npu_net_step *step = steps; step != last; ++step, ctl |= NPU_MAC_ACC) {
          const uint8_t *const next =
              npu_net_step_issue(l, step, rect, in + NPU_NET_BLOCK * block, at, ctl);
          if (!l->shared)
            at = next;
        }
      } else if (waits && block == first) {
        for (const npu_net_step *step = steps; step != last; ++step, ctl |= NPU_MAC_ACC) {
          npu_wait(producer - *waits++);
          at = npu_net_step_issue(l, step, rect, in, at, ctl);
        }
      } else {
        for (const npu_net_step *step = steps; step != last; ++step, ctl |= NPU_MAC_ACC)
          at = npu_net_step_issue(l, step, rect, in, at, ctl);
      }
      // Behind the runs: the array does not wait for the table.
      npu_mac_ldq(table);
      const int32_t left = l->channels - NPU_NET_BLOCK * block;
      const uint32_t stored = left < NPU_NET_BLOCK ? (uint32_t)left : NPU_NET_BLOCK;
      ticket = npu_mac_drain(arena + rect->out + NPU_NET_BLOCK * block,
                             npu_mac_drain_ctl(half ^ row, rect->pixels, stored, 0));
      row ^= NPU_NET_HALF;
      if (l->shared)
        at = packed;
    }
    half ^= row;
  }
  return ticket;
}

// A fully connected layer. One multiplication with a single rounding as in TFLite's kernel:
// (x * multiplier + 2^(30 - shift)) >> (31 - shift), of which the rounding bit lies in the high word of the
// product if the shift, less extra_shift, is -2 or less.
typedef struct npu_net_dense {
  int32_t outputs, inputs;
  int per_channel;                // multipliers and shifts lie behind the bias
  int32_t multiplier, down_shift; // otherwise; down_shift = -1 - shift + extra_shift
  int32_t extra_shift;
  int32_t zero_point, min, max;
} npu_net_dense;

// One block's sums, complete in accumulator `row`, to bytes.
NPU_NET_INLINE void npu_net_dense_store(const npu_net_dense *l, const uint8_t *table, uint32_t row,
                                        int8_t *out, uint32_t stored) {
  npu_int32x16_t v = npu_v_accrd(row) + npu_v_ld_w(table);
  if (l->extra_shift != 0)
    v <<= l->extra_shift;
  if (l->per_channel) {
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

// Blocks [first, end) of a fully connected layer. The epilogue of a block follows the runs of the next one.
NPU_NET_INLINE void npu_net_dense_run(const npu_net_dense *l, const int8_t *in, const uint8_t *packed,
                                      int8_t *out, int32_t first, int32_t end) {
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
      npu_net_dense_store(l, previous, row ^ 1, out + NPU_NET_BLOCK * (block - 1), NPU_NET_BLOCK);
    }
    previous = table;
    done = ticket;
  }
  npu_wait(done);
  const int32_t left = l->outputs - NPU_NET_BLOCK * (end - 1);
  npu_net_dense_store(l, previous, (uint32_t)(end - 1) & 1, out + NPU_NET_BLOCK * (end - 1),
                      left < NPU_NET_BLOCK ? (uint32_t)left : NPU_NET_BLOCK);
}

// Sum of two tensors. With shift != 0: (a factor_a + b factor_b + addend) >> shift, rounded half up, which
// the generator has proved to be TFLite's result for all pairs of bytes. Otherwise as TFLite computes it.
typedef struct npu_net_add {
  int32_t zero_a, zero_b, zero_out, min, max;
  int32_t factor_a, factor_b, addend, shift;
  int32_t left_shift, multiplier_a, shift_a, multiplier_b, shift_b, multiplier_out, shift_out;
} npu_net_add;

NPU_NET_INLINE void npu_net_add_lanes(const npu_net_add *l, const int8_t *a, const int8_t *b, int8_t *out,
                                      uint32_t lanes) {
  const npu_int32x16_t va = npu_v_ldl_bw(a, lanes), vb = npu_v_ldl_bw(b, lanes);
  npu_int32x16_t v;
  if (l->shift != 0) {
    v = npu_v_bcast_w(l->addend) + va * l->factor_a + vb * l->factor_b;
    v = npu_v_srr(v, npu_v_bcast_w(l->shift));
  } else {
    v = npu_v_requant((va - l->zero_a) << l->left_shift, l->multiplier_a, l->shift_a) +
        npu_v_requant((vb - l->zero_b) << l->left_shift, l->multiplier_b, l->shift_b);
    v = npu_v_requant(v, l->multiplier_out, l->shift_out) + l->zero_out;
  }
  if (l->min > -128)
    v = npu_v_max(v, npu_v_bcast_w(l->min));
  if (l->max < 127)
    v = npu_v_min(v, npu_v_bcast_w(l->max));
  npu_v_stl_wbs(v, out, lanes);
}

// rows of `bytes` bytes, `pitch` apart in all three tensors.
NPU_NET_INLINE void npu_net_add_run(const npu_net_add *l, const int8_t *a, const int8_t *b, int8_t *out,
                                    int32_t rows, int32_t bytes, int32_t pitch) {
  for (int32_t row = 0; row < rows; ++row, a += pitch, b += pitch, out += pitch)
    for (int32_t i = 0; i < bytes; i += 16)
      npu_net_add_lanes(l, a + i, b + i, out + i, (uint32_t)(bytes - i));
}

// Softmax of `count` bytes; exponentials[d] is TFLite's exp_on_negative_values of an input that is d below the
// largest one, 0 behind diff_min.
void npu_net_softmax(const int32_t *exponentials, const int8_t *in, int32_t count, int8_t *out);

// Ends a network early: waits until all units are idle.
npu_status npu_net_failed(uint32_t errors);

#ifdef __cplusplus
}
#endif

#endif // NPU_NETWORK_H
