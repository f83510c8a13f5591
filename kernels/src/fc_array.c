// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fully connected layers in the array: the batches are the pixels of its runs, a step of weights
// goes past all of them. While the array works on a block in one half of the accumulators, the
// block before is requantized from the other one.

#include "fc_job.h"

#include <npu_platform.h>

enum {
  QUEUE = NPU_QUEUES_MATRIX_DEPTH,
  BURST = 4,                                             // steps
  SCALED_STEP = NPU_STEP_BYTES + 2 * NPU_BLOCK_CHANNELS, // bytes, with the scales
};

npu_ticket_t npu_fc_issue(const uint8_t *weights, const int8_t *in, uint32_t ctl, uint32_t count,
                          uint32_t ldw) {
  const uint32_t k = ldw & (NPU_MAC_INT4 - 1);
  npu_mac_ldw(weights, ldw);
  npu_ticket_t ticket = npu_mac_run(in, ctl);
  ctl |= NPU_MAC_ACC;
#pragma clang loop unroll_count(4)
  while (--count != 0) {
    weights += NPU_STEP_BYTES;
    in += k;
    npu_mac_ldw(weights, ldw);
    ticket = npu_mac_run(in, ctl);
  }
  return ticket;
}

// The same for two planes of bytes; the second one's sums lie `rows` rows behind.
static __attribute__((noinline)) npu_ticket_t issue_planes(const uint8_t *weights, const int8_t *in,
                                                           uint32_t ctl, uint32_t count,
                                                           uint32_t plane, uint32_t rows) {
  npu_ticket_t ticket;
  do {
    npu_mac_ldw(weights, NPU_STEP_ROWS);
    npu_mac_run(in, ctl);
    ticket = npu_mac_run(in + plane, (ctl & ~(uint32_t)NPU_MAC_SWAP) + rows);
    weights += NPU_STEP_BYTES;
    in += NPU_STEP_ROWS;
    ctl |= NPU_MAC_ACC;
  } while (--count != 0);
  return ticket;
}

// Issues the next `count` steps of the block over the rows at work; the ticket of the last run.
static npu_ticket_t run_steps(fc_job *j, const uint8_t *weights, uint32_t count) {
  const uint32_t k = (uint32_t)j->p.layout.step_rows, ldw = k | j->p.int4,
                 rows = (uint32_t)j->now->count, end = j->step + count;
  const int8_t *in = j->now->at + (j->step << j->p.layout.step_shift);
  uint32_t ctl =
      npu_mac_run_ctl(j->half, rows, k, 0, NPU_MAC_SWAP | (j->step != 0 ? NPU_MAC_ACC : 0));
  uint32_t most = j->p.many_rows ? QUEUE : count; // few rows are not worth a break
  int due = 1; // the core has something else to do, once the array has steps in its queue
  npu_ticket_t ticket;
  do {
    if (j->step == j->present) {
      npu_fc_bring_inputs(j);
      due = 1;
    }
    uint32_t steps = fc_smaller(fc_smaller(end, j->present), j->p.full_steps) - j->step;
    if (steps == 0) { // the last one is not full
      ctl -= npu_mac_run_ctl(0, 0, k - ((uint32_t)j->p.inputs & (k - 1)), 0, 0);
      steps = 1;
    }
    steps = fc_smaller(steps, most);
    ticket = j->p.plane == 0 ? npu_fc_issue(weights, in, ctl, steps, ldw)
                             : issue_planes(weights, in, ctl, steps, j->p.plane, rows);
    ctl |= NPU_MAC_ACC;
    weights += steps * NPU_STEP_BYTES;
    in += steps << j->p.layout.step_shift;
    j->step += steps;
    if (due)
      npu_fc_go_on(j);
    due = 0;
    most = count;
  } while (j->step != end);
  return ticket;
}

NPU_VECTOR_INLINE npu_int32x16_t scaled(uint32_t row, const uint8_t *scale) {
  return npu_v_srr(npu_v_accrd(row) * npu_v_ldl_hw(scale, NPU_BLOCK_CHANNELS), npu_v_bcast_w(8));
}

// The pointers of a row's walk along its steps.
typedef struct fc_walk {
  const uint8_t *weights, *scale; // next step to issue, scales of the next one to add
  const int8_t *in;
} fc_walk;

// BURST steps with scales into accumulator rows from `row` on.
NPU_VECTOR_INLINE npu_ticket_t issue_burst(fc_walk *w, uint32_t row) {
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (uint32_t i = 0; i < BURST; ++i) {
    npu_mac_ldw(w->weights + i * SCALED_STEP, NPU_MAC_INT4 | NPU_FC_BLOCK);
    ticket = npu_mac_run(w->in + i * NPU_FC_BLOCK,
                         npu_mac_run_ctl(row + i, 1, NPU_FC_BLOCK, 0, NPU_MAC_SWAP));
  }
  w->weights += BURST * SCALED_STEP;
  w->in += BURST * NPU_FC_BLOCK;
  return ticket;
}

// Adds the scaled sums of a burst, side by side.
NPU_VECTOR_INLINE npu_int32x16_t add_burst(npu_int32x16_t sum, fc_walk *w, uint32_t row,
                                           npu_ticket_t ticket) {
  npu_int32x16_t x[BURST], scales[BURST];
  npu_wait(ticket);
  for (uint32_t i = 0; i < BURST; ++i) {
    x[i] = npu_v_accrd(row + i);
    scales[i] = npu_v_ldl_hw(w->scale + i * SCALED_STEP, NPU_BLOCK_CHANNELS);
  }
  w->scale += BURST * SCALED_STEP;
  for (uint32_t i = 0; i < BURST; ++i)
    x[i] *= scales[i];
  for (uint32_t i = 0; i < BURST; ++i)
    x[i] = npu_v_srr(x[i], npu_v_bcast_w(8));
  return sum + ((x[0] + x[1]) + (x[2] + x[3]));
}

// `count` steps with scales and one row: each step has an accumulator row of its own. Behind each
// burst of steps the sums of the one before are added up.
static npu_ticket_t run_scaled_row(fc_job *j, const uint8_t *weights, uint32_t count) {
  fc_walk w = {weights, weights + NPU_STEP_BYTES, j->now->at + j->step * NPU_FC_BLOCK};
  npu_int32x16_t sum = j->step == 0 ? npu_v_bcast_w(0) : j->sums[0];
  npu_ticket_t ticket = NPU_TICKET_DONE;
  j->step += count;
  if (count >= BURST) {
    ticket = issue_burst(&w, 0);
    for (count -= BURST; count >= 2 * BURST; count -= 2 * BURST) {
      const npu_ticket_t odd = issue_burst(&w, BURST);
      sum = add_burst(sum, &w, 0, ticket);
      ticket = issue_burst(&w, 0);
      sum = add_burst(sum, &w, BURST, odd);
    }
    sum = add_burst(sum, &w, 0, ticket);
  }
  for (; count > 0; --count) {
    npu_mac_ldw(w.weights, NPU_MAC_INT4 | NPU_FC_BLOCK);
    ticket = npu_mac_run(w.in, npu_mac_run_ctl(0, 1, NPU_FC_BLOCK, 0, NPU_MAC_SWAP));
    npu_wait(ticket);
    sum += scaled(0, w.scale);
    w.weights += SCALED_STEP;
    w.scale += SCALED_STEP;
    w.in += NPU_FC_BLOCK;
  }
  j->sums[0] = sum;
  return ticket;
}

// Adds the sums of blocks of 32 inputs that wait, each times its scale.
static void add_scaled(fc_job *j) {
  fc_scaled *const w = &j->scaled;
  if (w->count == 0)
    return;
  npu_wait(w->ticket);
  const uint32_t rows = (uint32_t)j->now->count;
  for (uint32_t r = 0; r < rows; ++r) {
    npu_int32x16_t sum = w->first ? npu_v_bcast_w(0) : j->sums[r];
    const uint8_t *scale = w->scales;
    uint32_t at = w->row + r;
#pragma clang loop unroll_count(8)
    for (uint32_t s = 0; s < w->count; ++s, scale += SCALED_STEP, at += rows)
      sum += scaled(at, scale);
    j->sums[r] = sum;
  }
  w->count = 0;
}

// The next `count` steps with scales: each step has accumulator rows of its own, as many steps as a
// half has room for. What was issued before is added up while the array works.
static npu_ticket_t run_scaled(fc_job *j, const uint8_t *weights, uint32_t count) {
  const uint32_t rows = (uint32_t)j->now->count;
  const uint32_t run = npu_mac_run_ctl(0, rows, NPU_FC_BLOCK, 0, NPU_MAC_SWAP);
  const int8_t *in = j->now->at + j->step * NPU_FC_BLOCK;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  while (count != 0) {
    const uint32_t steps = fc_smaller(count, j->p.steps_of_half);
    const fc_scaled issued = {
        .row = j->half, .count = steps, .scales = weights + NPU_STEP_BYTES, .first = j->step == 0};
    uint32_t ctl = run | j->half;
#pragma clang loop unroll_count(8)
    for (uint32_t s = 0; s < steps; ++s, ctl += rows, weights += SCALED_STEP, in += NPU_FC_BLOCK) {
      npu_mac_ldw(weights, NPU_MAC_INT4 | NPU_FC_BLOCK);
      ticket = npu_mac_run(in, ctl);
    }
    add_scaled(j);
    j->scaled = issued;
    j->scaled.ticket = ticket;
    j->step += steps;
    count -= steps;
    j->half ^= NPU_RUN_PIXELS;
  }
  return ticket;
}

// Issues `count` blocks from `at` on, or, where chunks are parts of a block, steps of one; the
// ticket of the last run.
static npu_ticket_t compute(fc_job *j, const uint8_t *at, uint32_t count) {
  const int whole = j->p.chunk_blocks != 0;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (uint32_t blocks = whole ? count : 1; blocks != 0; --blocks) {
    const uint32_t steps = whole ? j->p.steps : count;
    if (j->step == 0) {
      npu_fc_begin_block(j, at);
      at += j->p.layout.table_bytes;
    }
    ticket = run_steps(j, at, steps);
    if (j->step == j->p.steps)
      npu_fc_end_block(j, ticket);
    at += steps * NPU_STEP_BYTES;
  }
  return ticket;
}

// The same with scales of blocks of inputs.
static __attribute__((noinline)) npu_ticket_t compute_scaled(fc_job *j, const uint8_t *at,
                                                             uint32_t count) {
  const int whole = j->p.chunk_blocks != 0;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  while (j->present < j->p.steps) {
    npu_fc_bring_inputs(j);
    npu_fc_go_on(j);
  }
  for (uint32_t blocks = whole ? count : 1; blocks != 0; --blocks) {
    const uint32_t steps = whole ? j->p.steps : count;
    if (j->step == 0) {
      npu_fc_begin_block(j, at);
      at += j->p.layout.table_bytes;
    }
    ticket = j->now->count == 1 ? run_scaled_row(j, at, steps) : run_scaled(j, at, steps);
    if (j->step == j->p.steps) {
      add_scaled(j);
      npu_fc_requantize_scaled(j);
    }
    if (j->p.late)
      npu_fc_go_on(j);
    at += steps * j->p.layout.step_bytes;
  }
  return ticket;
}

void npu_fc_run_blocks(fc_job *j) {
  while (j->block < j->p.blocks && npu_unit_errors(NPU_STATUS_ERRORS) == 0) {
    const uint8_t *at = j->packed + j->block * j->p.block_bytes;
    uint32_t count = 1;
    if (!j->p.weights_in_place) {
      if (j->chunk == j->used) { // none is under way
        npu_wait(j->last);
        npu_fc_load(j);
      }
      const uint32_t slot = j->used & (FC_SLOTS - 1);
      npu_wait(j->loaded[slot]);
      at = j->slots + slot * j->p.slot_bytes;
      count = j->counts[slot];
    }
    j->last = j->p.with_scales ? compute_scaled(j, at, count) : compute(j, at, count);
    // A slot is loaded again when the array is through with it; where its runs are long, when the
    // chunk behind is under way, too, so that nothing waits for it.
    ++j->used;
    if (!j->p.late && !j->p.weights_in_place) {
      npu_wait(j->last);
      while (j->chunk < j->used + FC_SLOTS && npu_fc_load(j))
        ;
    }
  }
}

// Weights of the next steps of one of the two blocks.
static const uint8_t *pair_weights(const fc_job *j, uint32_t chunk) {
  if (j->p.weights_in_place)
    return j->packed + chunk * j->p.block_bytes;
  npu_wait(j->loaded[chunk]);
  return j->slots + chunk * j->p.slot_bytes;
}

npu_ticket_t npu_fc_compute_pair(fc_job *j) {
  const uint32_t k = (uint32_t)j->p.layout.step_rows, ldw = k | j->p.int4,
                 chunk_steps = j->p.chunk_blocks != 0 ? j->p.steps : j->p.chunk_steps;
  const uint8_t *tables[2], *weights[2];
  const int8_t *in = j->now->at;
  uint32_t ctl = npu_mac_run_ctl(0, (uint32_t)j->now->count, k, 0, NPU_MAC_SWAP);
  const uint32_t half[2] = {j->half, j->half ^ NPU_RUN_PIXELS};
  npu_ticket_t ticket[2];
  for (uint32_t step = 0; step < j->p.steps; ++step, in += k) {
    const int due = step == j->present;
    if (due)
      npu_fc_bring_inputs(j);
    if (step == j->p.full_steps) // the last one is not full
      ctl -= npu_mac_run_ctl(0, 0, k - ((uint32_t)j->p.inputs & (k - 1)), 0, 0);
    for (uint32_t i = 0; i < 2; ++i) {
      if (step == 0) {
        tables[i] = pair_weights(j, i);
        weights[i] = tables[i] + j->p.layout.table_bytes;
      } else if (step == chunk_steps) {
        weights[i] = pair_weights(j, 2 + i);
      }
      npu_mac_ldw(weights[i], ldw);
      ticket[i] = npu_mac_run(in, ctl + half[i]);
      weights[i] += NPU_STEP_BYTES;
      if (due && i == (step != 0)) // at the beginning before the other block's weights are there
        npu_fc_go_on(j);
    }
    if (step + 1 == chunk_steps && step + 1 != j->p.steps) { // two slots become free
      for (uint32_t i = 0; i < 2; ++i)
        tables[i] = npu_fc_copy_table(j, tables[i], half[i]);
      j->used = 2;
      j->last = ticket[1];
    }
    ctl |= NPU_MAC_ACC;
  }
  for (uint32_t i = 0; i < 2; ++i) {
    npu_fc_begin_block(j, tables[i]);
    npu_fc_end_block(j, ticket[i]);
    if (j->drained)
      j->copies_read = j->pending.ticket;
  }
  return j->pending.ticket;
}
