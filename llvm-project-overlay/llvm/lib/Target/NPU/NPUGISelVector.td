// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUGISelVector.td - selection of vector arithmetic -*- tablegen -*-===//
//
// Values are whole registers here: the legalizer has widened elements to the width
// that the number of lanes has. A broadcast scalar becomes the second operand of the
// .x form.
//
//===----------------------------------------------------------------------===//

// A type and the suffix of its instructions.
class VecType<ValueType vt, string suffix> {
  ValueType VT = vt;
  string Suffix = suffix;
  Intrinsic Bcast = !cast<Intrinsic>("int_npu_v_bcast_"#!tolower(suffix));
}
def VecB : VecType<v64i8, "B">;
def VecH : VecType<v32i16, "H">;
def VecW : VecType<v16i32, "W">;
defvar VecTypes = [VecB, VecH, VecW];

// op between vectors, and with a scalar in every element.
multiclass PatVecVV<SDPatternOperator op, string inst> {
  foreach T = VecTypes in
    def : Pat<(T.VT (op (T.VT VR:$a), (T.VT VR:$b))),
              (!cast<Instruction>(inst#"_"#T.Suffix) VR:$a, VR:$b)>;
}
multiclass PatVecVX<SDPatternOperator op, string inst> {
  foreach T = VecTypes in
    def : Pat<(T.VT (op (T.VT VR:$a), (T.VT (T.Bcast (i32 GPR:$x))))),
              (!cast<Instruction>(inst#"_"#T.Suffix#"_X") VR:$a, GPR:$x)>;
}
multiclass PatVec<SDPatternOperator op, string inst>
    : PatVecVV<op, inst>, PatVecVX<op, inst>;

defm : PatVec<add, "V_ADD">;
defm : PatVec<sub, "V_SUB">;
defm : PatVec<saddsat, "V_SADD">;
defm : PatVec<uaddsat, "V_SADDU">;
defm : PatVec<ssubsat, "V_SSUB">;
defm : PatVec<usubsat, "V_SSUBU">;
defm : PatVec<avgceils, "V_AVG">;
defm : PatVec<avgceilu, "V_AVGU">;
defm : PatVec<smin, "V_MIN">;
defm : PatVec<umin, "V_MINU">;
defm : PatVec<smax, "V_MAX">;
defm : PatVec<umax, "V_MAXU">;
defm : PatVec<abds, "V_ABSD">;
defm : PatVec<abdu, "V_ABSDU">;
defm : PatVec<shl, "V_SLL">;
defm : PatVec<srl, "V_SRL">;
defm : PatVec<sra, "V_SRA">;
defm : PatVec<mul, "V_MUL">;
defm : PatVec<mulhs, "V_MULH">;
defm : PatVec<mulhu, "V_MULHU">;

multiclass PatVecLogic<SDPatternOperator op, string inst> : PatVecVX<op, inst> {
  foreach T = VecTypes in
    def : Pat<(T.VT (op (T.VT VR:$a), (T.VT VR:$b))),
              (!cast<Instruction>(inst) VR:$a, VR:$b)>;
}
defm : PatVecLogic<and, "V_AND">;
defm : PatVecLogic<or, "V_OR">;
defm : PatVecLogic<xor, "V_XOR">;

foreach T = VecTypes in {
  defvar S = T.Suffix;
  defvar L = !tolower(S);
  def : Pat<(T.VT (sub (T.VT (T.Bcast (i32 GPR:$x))), (T.VT VR:$a))),
            (!cast<Instruction>("V_RSUB_"#S#"_X") VR:$a, GPR:$x)>;
  def : Pat<(T.VT (add (T.VT (mul (T.VT VR:$a), (T.VT VR:$b))), (T.VT VR:$d))),
            (!cast<Instruction>("V_MACC_"#S) VR:$d, VR:$a, VR:$b)>;
  def : Pat<(T.VT (add (T.VT (mul (T.VT VR:$a), (T.VT (T.Bcast (i32 GPR:$x))))),
                       (T.VT VR:$d))),
            (!cast<Instruction>("V_MACC_"#S#"_X") VR:$d, VR:$a, GPR:$x)>;
  def : Pat<(T.VT (sub (T.VT VR:$d), (T.VT (mul (T.VT VR:$a), (T.VT VR:$b))))),
            (!cast<Instruction>("V_NMSAC_"#S) VR:$d, VR:$a, VR:$b)>;
  def : Pat<(T.VT (abs (T.VT VR:$a))),
            (!cast<Instruction>("V_ABS_"#S) VR:$a)>;

  // Elements.
  def : Pat<(T.VT (T.Bcast (i32 GPR:$x))),
            (!cast<Instruction>("V_BCAST_"#S) GPR:$x)>;
  def : Pat<(i32 (!cast<Intrinsic>("int_npu_v_extract_"#L) (T.VT VR:$a), (i32 GPR:$i))),
            (!cast<Instruction>("V_EXTRACT_"#S) VR:$a, GPR:$i)>;
  def : Pat<(T.VT (!cast<Intrinsic>("int_npu_v_insert_"#L) (T.VT VR:$d), (i32 GPR:$x), (i32 GPR:$i))),
            (!cast<Instruction>("V_INSERT_"#S) VR:$d, GPR:$x, GPR:$i)>;
  def : Pat<(T.VT (!cast<Intrinsic>("int_npu_v_lanes_"#L) (i32 GPR:$i), (i32 GPR:$n))),
            (!cast<Instruction>("V_LANES_"#S) GPR:$i, GPR:$n)>;
  def : Pat<(T.VT (!cast<Intrinsic>("int_npu_v_id_"#L))),
            (!cast<Instruction>("V_ID_"#S))>;
  foreach Op = ["redsum", "redsumu", "redmin", "redminu", "redmax", "redmaxu", "redand",
                "redor", "redxor"] in
    def : Pat<(i32 (!cast<Intrinsic>("int_npu_v_"#Op#"_"#L) (T.VT VR:$a))),
              (!cast<Instruction>("V_"#!toupper(Op)#"_"#S) VR:$a)>;
}

def : Pat<(v64i8 (int_npu_v_perm (v64i8 VR:$i), (v64i8 VR:$t))),
          (V_PERM VR:$i, VR:$t)>;
foreach Q = 0...3 in
  def : Pat<(v64i8 (!cast<Intrinsic>("int_npu_v_lut"#Q) (v64i8 VR:$d), (v64i8 VR:$i),
                                                        (v64i8 VR:$t))),
            (!cast<Instruction>("V_LUT"#Q) VR:$d, VR:$i, VR:$t)>;
