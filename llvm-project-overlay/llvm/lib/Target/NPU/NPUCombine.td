// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCombine.td - combines before and after legalization -*- tablegen -*-===//

include "llvm/Target/GlobalISel/Combine.td"

// What the rules below call is in GISel/NPUCombines.h.
def build_fn : GIDefMatchData<"BuildFnTy">;

def unaligned_copy : GICombineRule<
  (defs root:$root, build_fn:$build),
  (match (wip_match_opcode G_STORE):$root,
         [{ return matchUnalignedCopy(*${root}, MRI, ${build}); }]),
  (apply [{ Helper.applyBuildFn(*${root}, ${build}); }])>;

def unaligned_constant : GICombineRule<
  (defs root:$root, build_fn:$build),
  (match (wip_match_opcode G_STORE):$root,
         [{ return matchUnalignedConstant(*${root}, MRI, ${build}); }]),
  (apply [{ Helper.applyBuildFn(*${root}, ${build}); }])>;

def load_extension_opcode : GIDefMatchData<"unsigned">;
def choose_load_extension : GICombineRule<
  (defs root:$root, load_extension_opcode:$opcode),
  (match (wip_match_opcode G_LOAD):$root,
         [{ return matchLoadExtension(*${root}, MRI, ${opcode}); }]),
  (apply [{ applyLoadExtension(*${root}, Observer, B.getTII(), ${opcode}); }])>;

def comparison_with_next : GICombineRule<
  (defs root:$root, build_fn:$build),
  (match (wip_match_opcode G_ICMP):$root,
         [{ return matchComparison(*${root}, MRI, ${build}); }]),
  (apply [{ Helper.applyBuildFn(*${root}, ${build}); }])>;

def sign_bit : GICombineRule<
  (defs root:$root, build_fn:$build),
  (match (wip_match_opcode G_SUB, G_LSHR, G_ASHR):$root,
         [{ return matchSignBit(*${root}, MRI, ${build}); }]),
  (apply [{ Helper.applyBuildFn(*${root}, ${build}); }])>;

def branchless_select : GICombineRule<
  (defs root:$root, build_fn:$build),
  (match (wip_match_opcode G_SELECT):$root,
         [{ return matchSelect(*${root}, MRI, Helper.getValueTracking(), ${build}); }]),
  (apply [{ Helper.applyBuildFn(*${root}, ${build}); }])>;

// Not in this list, although generic: what only vectors or floating-point units
// profit from, and what builds operations that the legalizer takes apart again
// (minimum and maximum, funnel shifts, bit fields, divrem).
def NPUPreLegalizerCombiner
    : GICombiner<"NPUPreLegalizerCombinerImpl",
                 [integer_reassoc_combines, trivial_combines, freeze_combines,
                  cast_combines, combines_for_extload, undef_combines,
                  identity_combines, phi_combines, simplify_add_to_sub,
                  hoist_logic_op_with_same_opcode_hands, shifts_too_big,
                  reassocs, ptr_add_immed_chain, cmp_combines,
                  shl_ashr_to_sext_inreg, neg_and_one_to_sext_inreg,
                  sext_inreg_of_load, width_reduction_combines, select_combines,
                  known_bits_simplifications, trunc_shift, not_cmp_fold,
                  opt_brcond_by_inverting_cond, const_combines,
                  xor_of_and_with_same_reg, ptr_add_with_zero,
                  shift_immed_chain, shift_of_shifted_logic_chain,
                  load_or_combine, commute_shift, constant_fold_binops,
                  constant_fold_cast_op, mulh_combines, redundant_neg_operands,
                  and_or_disjoint_mask, fold_binop_into_select, intrem_combines,
                  intdiv_combines, sub_add_reg, commute_constant_to_rhs,
                  match_ands, match_ors, sext_trunc, zext_trunc, merge_combines,
                  overflow_combines, lshr_of_trunc_of_lshr, insert_vec_elt_combines,
                  unaligned_copy, unaligned_constant]> {
  let CombineAllMethodName = "tryCombineAllImpl";
}

def NPUO0PreLegalizerCombiner
    : GICombiner<"NPUO0PreLegalizerCombinerImpl", [optnone_combines, unaligned_constant]> {
  let CombineAllMethodName = "tryCombineAllImpl";
}

// After legalization: what widening and splitting left behind.
def NPUPostLegalizerCombiner
    : GICombiner<"NPUPostLegalizerCombinerImpl",
                 [sub_to_add, combines_for_extload, choose_load_extension,
                  comparison_with_next, sign_bit, branchless_select,
                  identity_combines, shift_immed_chain, const_combines,
                  constant_fold_binops, commute_constant_to_rhs,
                  ptr_add_immed_chain, select_combines,
                  known_bits_simplifications]>;
