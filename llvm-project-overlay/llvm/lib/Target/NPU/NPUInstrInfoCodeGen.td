// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoCodeGen.td - pseudos of the selector ---*- tablegen -*-===//
//
// Pseudo instructions that instruction selection emits and that are gone before
// the AsmPrinter: expanded by the custom inserter right after selection, by frame
// lowering, or after register allocation.
//
//===----------------------------------------------------------------------===//

// Brackets of a call sequence, with the bytes of outgoing stack arguments.
let Defs = [X2], Uses = [X2], hasSideEffects = 1 in {
def ADJCALLSTACKDOWN : NPUPseudo<(outs), (ins i32imm:$size, i32imm:$unused)>,
                       Sched<[]>;
def ADJCALLSTACKUP : NPUPseudo<(outs), (ins i32imm:$size, i32imm:$unused)>,
                     Sched<[]>;
}

// rd = (lhs compared with rhs as the branch opcode says) ? t : f. There is no
// conditional move: a branch around the copy takes its place.
let usesCustomInserter = 1 in
def PseudoSelect : NPUPseudo<(outs GPR:$rd),
                             (ins GPR:$lhs, GPR:$rhs, i32imm:$branch, GPR:$t,
                              GPR:$f)>, Sched<[WriteIALU]>;

// A 64-bit counter, read as high, low, high until both high words agree.
let usesCustomInserter = 1, hasSideEffects = 1 in
def PseudoReadCounter : NPUPseudo<(outs GPR:$lo, GPR:$hi),
                                  (ins i32imm:$csrLo, i32imm:$csrHi)>,
                        Sched<[WriteCSR]>;

// Constants and addresses that need a LUI and an ADDI stay in one piece until
// registers are assigned, so that they can be rematerialized. Two instructions are
// not cheap: they stay out of loops and are shared.
let isReMaterializable = 1, Size = 8 in {
let isMoveImm = 1 in
def PseudoMovImm : NPUPseudo<(outs GPR:$rd), (ins i32imm:$imm)>,
                   Sched<[WriteIALU]>;
def PseudoMovAddr : NPUPseudo<(outs GPR:$rd), (ins i32imm:$hi, i32imm:$lo)>,
                    Sched<[WriteIALU]>;
}
