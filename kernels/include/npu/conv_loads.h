// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What npu/conv_engine.h does about loads while the array works: functions of the library, and of
// each kernel of npu-kgen, whose copy the compiler fits to its plan.

#ifndef NPU_CONV_LOADS_H
#define NPU_CONV_LOADS_H

#include "conv_engine.h"

#ifdef __cplusplus
extern "C" {
#endif

// The input of the load that has just been described; apart, so that loads without one need few
// registers.
static __attribute__((noinline)) void npu_conv_describe_input(const npu_conv_plan *p,
                                                              npu_conv_loader *l) {
  npu_conv_descriptors *const d = (npu_conv_descriptors *)l->scratch;
  const int32_t odd = ~l->number & 1;
  npu_dma_descriptor *const input = &d->input[odd];
  const int some = npu_conv_load_input(p, l, 0, input);
  npu_conv_pass_input(p, l, 0);
  if (!some)
    return;
  if (p->choice.single_input)
    l->late = input;
  else if (l->next != 0)
    d->weights[odd].next = (uint32_t)input;
  else
    l->next = input;
}

NPU_CONV_LINKAGE void npu_conv_describe_load(const npu_conv_plan *p, npu_conv_loader *l) {
  npu_conv_descriptors *const d = (npu_conv_descriptors *)l->scratch;
  npu_dma_descriptor *const weights = &d->weights[l->number & 1];
  l->next = 0;
  if (npu_conv_load_weights(p, l, weights)) {
    weights->next = 0;
    l->next = weights;
  }
  ++l->number;
  if (p->choice.weight_stationary && ++l->tile_of_slice == p->tiles)
    l->tile_of_slice = 0;
  if (l->rest > 0) {
    --l->rest;
    return;
  }
  npu_conv_describe_input(p, l);
}

NPU_CONV_LINKAGE int32_t npu_conv_load_parts(const npu_conv_plan *p, npu_conv_loader *l) {
  npu_conv_descriptors *const descriptors = (npu_conv_descriptors *)l->scratch;
  const int by_columns = p->choice.column_order, padded = p->in_pixel != p->src_pixel;
  const int32_t each = by_columns ? p->part_runs.w * p->stride_w : p->part_runs.h * p->stride_h;
  const int32_t src_step = by_columns ? p->src_pixel : p->src_line;
  const int32_t dst_step = by_columns ? p->in_pixel : p->in_pitch;
  const npu_dma_descriptor *const first = &descriptors->input[~l->started & 1];
  const uint32_t len = first->len, reps1 = first->reps1, reps2 = first->reps2;
  int32_t part = 1;
  for (int32_t left = l->part_left, count; left > 0; left -= count, ++part) {
    count = part == p->parts - 1 ? left : npu_conv_min(each, left);
    npu_dma_descriptor *const d = &descriptors->parts[part - 1];
    npu_conv_prepare_input(p, d);
    d->len = len;
    d->reps1 = reps1;
    d->reps2 = reps2;
    d->src = l->part_src;
    d->dst = l->part_dst;
    if (by_columns && !padded)
      d->len = (uint32_t)(count * p->in_pixel);
    else if (by_columns || !padded)
      d->reps1 = (uint32_t)count;
    else
      d->reps2 = (uint32_t)count;
    l->part_src += (uint32_t)(count * src_step);
    l->part_dst += (uint32_t)(count * dst_step);
    npu_dma_start(d, 0);
  }
  l->part_left = 0;
  return part;
}

#ifdef __cplusplus
}
#endif

#endif // NPU_CONV_LOADS_H
