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

// The same of an intrinsic for each type.
multiclass PatVecIntrinsicVV<string name, list<VecType> types> {
  foreach T = types in
    def : Pat<(!cast<Intrinsic>("int_npu_v_"#name#"_"#!tolower(T.Suffix))
                  (T.VT VR:$a), (T.VT VR:$b)),
              (!cast<Instruction>("V_"#!toupper(name)#"_"#T.Suffix) VR:$a, VR:$b)>;
}
multiclass PatVecIntrinsic<string name, list<VecType> types>
    : PatVecIntrinsicVV<name, types> {
  foreach T = types in
    def : Pat<(!cast<Intrinsic>("int_npu_v_"#name#"_"#!tolower(T.Suffix))
                  (T.VT VR:$a), (T.VT (T.Bcast (i32 GPR:$x)))),
              (!cast<Instruction>("V_"#!toupper(name)#"_"#T.Suffix#"_X") VR:$a, GPR:$x)>;
}
foreach Op = ["avg", "avgu", "absd", "absdu", "srlr", "srar", "ssll", "rdpot", "mulh", "mulhu",
              "dmulh"] in
  defm : PatVecIntrinsic<Op, VecTypes>;
foreach Op = ["ziplo", "ziphi", "unzipe", "unzipo"] in
  defm : PatVecIntrinsicVV<Op, VecTypes>;
foreach Op = ["wmullo", "wmulhi", "wmululo", "wmuluhi"] in
  defm : PatVecIntrinsic<Op, [VecB, VecH]>;

// Sums of products, into words or twice the width.
multiclass PatVecAccumulate<string name, VecType T, ValueType sum> {
  defvar Op = !cast<Intrinsic>("int_npu_v_"#name#"_"#!tolower(T.Suffix));
  defvar Inst = "V_"#!toupper(name)#"_"#T.Suffix;
  def : Pat<(Op (sum VR:$d), (T.VT VR:$a), (T.VT VR:$b)),
            (!cast<Instruction>(Inst) VR:$d, VR:$a, VR:$b)>;
  def : Pat<(Op (sum VR:$d), (T.VT VR:$a), (T.VT (T.Bcast (i32 GPR:$x)))),
            (!cast<Instruction>(Inst#"_X") VR:$d, VR:$a, GPR:$x)>;
}
foreach Op = ["wmacclo", "wmacchi", "wmacculo", "wmaccuhi"] in {
  defm : PatVecAccumulate<Op, VecB, v32i16>;
  defm : PatVecAccumulate<Op, VecH, v16i32>;
}
foreach Op = ["dot", "dotu", "dotus"] in {
  defm : PatVecAccumulate<Op, VecB, v16i32>;
  defm : PatVecAccumulate<Op, VecH, v16i32>;
}

// Conversions of the width.
multiclass PatVecConvert<VecType Narrow, VecType Wide> {
  defvar S = Narrow.Suffix;
  defvar L = !tolower(S);
  foreach Op = ["sxlo", "sxhi", "zxlo", "zxhi"] in
    def : Pat<(!cast<Intrinsic>("int_npu_v_"#Op#"_"#L) (Narrow.VT VR:$a)),
              (!cast<Instruction>("V_"#!toupper(Op)#"_"#S) VR:$a)>;
  foreach Op = ["pack", "packs", "packsu", "packu"] in
    def : Pat<(!cast<Intrinsic>("int_npu_v_"#Op#"_"#L) (Wide.VT VR:$a), (Wide.VT VR:$b)),
              (!cast<Instruction>("V_"#!toupper(Op)#"_"#S) VR:$a, VR:$b)>;
  def : Pat<(i32 (!cast<Intrinsic>("int_npu_v_extractu_"#L) (Narrow.VT VR:$a), (i32 GPR:$i))),
            (!cast<Instruction>("V_EXTRACTU_"#S) VR:$a, GPR:$i)>;
}
defm : PatVecConvert<VecB, VecH>;
defm : PatVecConvert<VecH, VecW>;
foreach Op = ["sxq", "zxq"] in
  foreach Q = 0...3 in
    def : Pat<(v16i32 (!cast<Intrinsic>("int_npu_v_"#Op#Q#"_b") (v64i8 VR:$a))),
              (!cast<Instruction>("V_"#!toupper(Op)#Q#"_B") VR:$a)>;

multiclass PatVecLogic<SDPatternOperator op, string inst> : PatVecVX<op, inst> {
  foreach T = VecTypes in
    def : Pat<(T.VT (op (T.VT VR:$a), (T.VT VR:$b))),
              (!cast<Instruction>(inst) VR:$a, VR:$b)>;
}
defm : PatVecLogic<and, "V_AND">;
defm : PatVecLogic<or, "V_OR">;
defm : PatVecLogic<xor, "V_XOR">;
foreach T = VecTypes in {
  defvar Ones = (T.VT (T.Bcast (i32 -1)));
  def : Pat<(T.VT (xor (T.VT VR:$a), Ones)), (V_NOT VR:$a)>;
  def : Pat<(T.VT (or (and (T.VT VR:$m), (T.VT VR:$a)),
                      (and (xor (T.VT VR:$m), Ones), (T.VT VR:$b)))),
            (V_SEL VR:$m, VR:$a, VR:$b)>;
}
def : Pat<(v64i8 (int_npu_v_sel (v64i8 VR:$m), (v64i8 VR:$a), (v64i8 VR:$b))),
          (V_SEL VR:$m, VR:$a, VR:$b)>;

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
foreach Op = ["slidedn", "slideup"] in
  def : Pat<(v64i8 (!cast<Intrinsic>("int_npu_v_"#Op) (v64i8 VR:$a), (i32 GPR:$n))),
            (!cast<Instruction>("V_"#!toupper(Op)) VR:$a, GPR:$n)>;
def : Pat<(v64i8 (int_npu_v_align (v64i8 VR:$d), (v64i8 VR:$a), (i32 GPR:$n))),
          (V_ALIGN VR:$d, VR:$a, GPR:$n)>;

// Requantization, by multipliers and shifts of each lane or of all.
def : Pat<(v16i32 (int_npu_v_mbqm (v16i32 VR:$d), (v16i32 VR:$m), (v16i32 VR:$h))),
          (V_MBQM VR:$d, VR:$m, VR:$h)>;
def : Pat<(v16i32 (int_npu_v_mbqm (v16i32 VR:$d), (v16i32 (VecW.Bcast (i32 GPR:$m))),
                                  (v16i32 (VecW.Bcast (i32 GPR:$h))))),
          (V_MBQM_X VR:$d, GPR:$m, GPR:$h)>;

//===----------------------------------------------------------------------===//
// Instructions with effects
//===----------------------------------------------------------------------===//

// The patterns of intrinsics that access memory ask for pointers, of which there are
// none any more, and for instructions that access memory, which those that read a CSR
// are not. A table does for all of them, since the operands of the instruction are
// those of the intrinsic.
class VecIntrinsic<string name, string inst> {
  Intrinsic ID = !cast<Intrinsic>("int_npu_v_"#name);
  Instruction Opcode = !cast<Instruction>(inst);
}
def VecIntrinsics : GenericTable {
  let FilterClass = "VecIntrinsic";
  let CppTypeName = "VectorIntrinsic";
  let Fields = ["ID", "Opcode"];
  let PrimaryKey = ["ID"];
  let PrimaryKeyName = "lookupVectorIntrinsic";
}

def : VecIntrinsic<"rq", "V_RQ">;
def : VecIntrinsic<"accrd", "V_ACCRD">;
def : VecIntrinsic<"accwr", "V_ACCWR">;
foreach T = VLoadTypes in {
  defvar S = !toupper(T.Suffix);
  def : VecIntrinsic<"ldl_"#T.Suffix, "PseudoV_LDL_"#S>;
  def : VecIntrinsic<"ldm_"#T.Suffix, "V_LDM_"#S>;
}
foreach T = VStoreTypes in {
  defvar S = !toupper(T.Suffix);
  def : VecIntrinsic<"stl_"#T.Suffix, "PseudoV_STL_"#S>;
  def : VecIntrinsic<"stm_"#T.Suffix, "V_STM_"#S>;
}
foreach T = VMemPlain in {
  defvar S = !toupper(T.Suffix);
  def : VecIntrinsic<"lds_"#T.Suffix, "PseudoV_LDS_"#S>;
  def : VecIntrinsic<"sts_"#T.Suffix, "PseudoV_STS_"#S>;
}
