// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoXnpuVec.td - vector unit ---------------*- tablegen -*-===//
//
// custom-1 arithmetic, custom-2 memory and moves, custom-3 requantize, reduce
// and permute. funct7 is the operation and the element width, funct3 the table
// of the manual's vector chapter that the operation stands in.
//
// In the Semantics a[i], b[i] and d[i] are the elements of the first source, the
// second source (a scalar in every element for .x) and the destination before.
//
//===----------------------------------------------------------------------===//

// An element width: its place in funct7 and the suffix of mnemonics.
class VWidth<int number, string suffix> {
  int Code = number;
  string Suffix = suffix;
}
def VWidthB : VWidth<0, "b">;
def VWidthH : VWidth<1, "h">;
def VWidthW : VWidth<2, "w">;
defvar VWidthsAll = [VWidthB, VWidthH, VWidthW];
defvar VWidthsNarrow = [VWidthB, VWidthH];

//===----------------------------------------------------------------------===//
// Formats: R with vector registers in some of its fields
//===----------------------------------------------------------------------===//

class VInst<bits<7> funct7, bits<3> funct3, NPUOpcode opcode, dag outs, dag ins,
            string mnemonic, string operands>
    : NPUInst<outs, ins, mnemonic, operands, FormatR> {
  let Inst{31-25} = funct7;
  let Inst{14-12} = funct3;
  let Inst{6-0} = opcode.Value;
}

// vd = f(vs1, vs2); with accumulate also of the old vd.
class VInstVVV<bits<7> funct7, bits<3> funct3, NPUOpcode opcode,
               string mnemonic, bit accumulate = 0>
    : VInst<funct7, funct3, opcode, (outs VR:$vd),
            !con(!if(accumulate, (ins VR:$vd_in), (ins)),
                 (ins VR:$vs1, VR:$vs2)),
            mnemonic, "$vd, $vs1, $vs2"> {
  bits<5> vs2;
  bits<5> vs1;
  bits<5> vd;
  let Inst{24-20} = vs2;
  let Inst{19-15} = vs1;
  let Inst{11-7} = vd;
  let Constraints = !if(accumulate, "$vd = $vd_in", "");
}

// vd = f(vs1, rs2)
class VInstVVX<bits<7> funct7, bits<3> funct3, NPUOpcode opcode,
               string mnemonic, bit accumulate = 0>
    : VInst<funct7, funct3, opcode, (outs VR:$vd),
            !con(!if(accumulate, (ins VR:$vd_in), (ins)),
                 (ins VR:$vs1, GPR:$rs2)),
            mnemonic, "$vd, $vs1, $rs2"> {
  bits<5> rs2;
  bits<5> vs1;
  bits<5> vd;
  let Inst{24-20} = rs2;
  let Inst{19-15} = vs1;
  let Inst{11-7} = vd;
  let Constraints = !if(accumulate, "$vd = $vd_in", "");
}

// vd = f(rs1, rs2)
class VInstVXX<bits<7> funct7, bits<3> funct3, NPUOpcode opcode,
               string mnemonic, bit accumulate = 0>
    : VInst<funct7, funct3, opcode, (outs VR:$vd),
            !con(!if(accumulate, (ins VR:$vd_in), (ins)),
                 (ins GPR:$rs1, GPR:$rs2)),
            mnemonic, "$vd, $rs1, $rs2"> {
  bits<5> rs2;
  bits<5> rs1;
  bits<5> vd;
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{11-7} = vd;
  let Constraints = !if(accumulate, "$vd = $vd_in", "");
}

// vd = f(vs1); sub is the operation in the rs2 field.
class VInstVV<bits<7> funct7, bits<5> sub, bits<3> funct3, NPUOpcode opcode,
              string mnemonic>
    : VInst<funct7, funct3, opcode, (outs VR:$vd), (ins VR:$vs1), mnemonic,
            "$vd, $vs1"> {
  bits<5> vs1;
  bits<5> vd;
  let Inst{24-20} = sub;
  let Inst{19-15} = vs1;
  let Inst{11-7} = vd;
}

// vd = f(rs1)
class VInstVX<bits<7> funct7, bits<3> funct3, NPUOpcode opcode, string mnemonic>
    : VInst<funct7, funct3, opcode, (outs VR:$vd), (ins GPR:$rs1), mnemonic,
            "$vd, $rs1"> {
  bits<5> rs1;
  bits<5> vd;
  let Inst{24-20} = 0;
  let Inst{19-15} = rs1;
  let Inst{11-7} = vd;
}

// rd = f(vs1)
class VInstXV<bits<7> funct7, bits<3> funct3, NPUOpcode opcode, string mnemonic>
    : VInst<funct7, funct3, opcode, (outs GPR:$rd), (ins VR:$vs1), mnemonic,
            "$rd, $vs1"> {
  bits<5> vs1;
  bits<5> rd;
  let Inst{24-20} = 0;
  let Inst{19-15} = vs1;
  let Inst{11-7} = rd;
}

// rd = f(vs1, rs2)
class VInstXVX<bits<7> funct7, bits<3> funct3, NPUOpcode opcode,
               string mnemonic>
    : VInst<funct7, funct3, opcode, (outs GPR:$rd), (ins VR:$vs1, GPR:$rs2),
            mnemonic, "$rd, $vs1, $rs2"> {
  bits<5> rs2;
  bits<5> vs1;
  bits<5> rd;
  let Inst{24-20} = rs2;
  let Inst{19-15} = vs1;
  let Inst{11-7} = rd;
}

// A store; the stored register stands in the rd field.
class VInstStore<bits<7> funct7, bits<3> funct3, string mnemonic>
    : VInst<funct7, funct3, OPC_CUSTOM_2, (outs),
            (ins VR:$vs3, GPR:$rs1, GPR:$rs2), mnemonic, "$vs3, $rs1, $rs2"> {
  bits<5> rs2;
  bits<5> rs1;
  bits<5> vs3;
  let Inst{24-20} = rs2;
  let Inst{19-15} = rs1;
  let Inst{11-7} = vs3;
}

// Masked by the top bits of the elements of vs2.
class VInstLoadMasked<bits<7> funct7, string mnemonic>
    : VInst<funct7, 0b101, OPC_CUSTOM_2, (outs VR:$vd),
            (ins GPR:$rs1, VR:$vs2), mnemonic, "$vd, $rs1, $vs2"> {
  bits<5> vs2;
  bits<5> rs1;
  bits<5> vd;
  let Inst{24-20} = vs2;
  let Inst{19-15} = rs1;
  let Inst{11-7} = vd;
}
class VInstStoreMasked<bits<7> funct7, string mnemonic>
    : VInst<funct7, 0b110, OPC_CUSTOM_2, (outs),
            (ins VR:$vs3, GPR:$rs1, VR:$vs2), mnemonic, "$vs3, $rs1, $vs2"> {
  bits<5> vs2;
  bits<5> rs1;
  bits<5> vs3;
  let Inst{24-20} = vs2;
  let Inst{19-15} = rs1;
  let Inst{11-7} = vs3;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

// One operation in the vector-vector form.
multiclass VOpVV<int op, int funct3, string name, list<VWidth> widths,
                 SchedWrite sched, string semantics, string description,
                 bit accumulate = 0, NPUOpcode opcode = OPC_CUSTOM_1> {
  foreach W = widths in
  def _#!toupper(W.Suffix)
      : VInstVVV<!add(!mul(op, 4), W.Code), funct3, opcode,
                 "v."#name#"."#W.Suffix, accumulate>,
        Sched<!if(accumulate, [sched, ReadVAcc], [sched])> {
    let Semantics = semantics;
    let Description = description;
  }
}

// The form with a scalar second operand.
multiclass VOpVX<int op, int funct3, string name, list<VWidth> widths,
                 SchedWrite sched, string semantics, string description,
                 bit accumulate = 0> {
  foreach W = widths in
  def _#!toupper(W.Suffix)#_X
      : VInstVVX<!add(!mul(op, 4), W.Code), funct3,
                 OPC_CUSTOM_1, "v."#name#"."#W.Suffix#".x", accumulate>,
        Sched<!if(accumulate, [sched, ReadVAcc], [sched])> {
    let Semantics = semantics;
    let Description = description;
  }
}

// Both forms; the scalar one has the next funct3.
multiclass VOp<int op, int funct3, string name, list<VWidth> widths,
               SchedWrite sched, string semantics, string description,
               bit accumulate = 0>
    : VOpVV<op, funct3, name, widths, sched, semantics, description,
            accumulate>,
      VOpVX<op, !add(funct3, 1), name, widths, sched, semantics, description,
            accumulate>;

multiclass VAlu<int op, string name, string semantics, string description>
    : VOp<op, 0b000, name, VWidthsAll, WriteVAlu, semantics, description>;

// Bitwise operations do not have a width, except that of the scalar.
multiclass VLogic<int op, string name, string semantics,
                  string description>
    : VOpVX<op, 0b001, name, VWidthsAll, WriteVAlu, semantics, description> {
  def "" : VInstVVV<!mul(op, 4), 0b000, OPC_CUSTOM_1, "v."#name>,
           Sched<[WriteVAlu]> {
    let Semantics = semantics;
    let Description = description;
  }
}

multiclass VMul<int op, string name, string semantics, string description,
                bit accumulate = 0>
    : VOp<op, 0b010, name, VWidthsAll, WriteVMul, semantics, description,
          accumulate>;
multiclass VMulNarrow<int op, string name, string semantics,
                      string description, bit accumulate = 0>
    : VOp<op, 0b010, name, VWidthsNarrow, WriteVMul, semantics, description,
          accumulate>;

multiclass VCompare<int op, string name, string relation,
                    string description>
    : VOp<op, 0b100, name, VWidthsAll, WriteVAlu,
          "d[i] = "#relation#" ? ~0 : 0", description>;
multiclass VCompareX<int op, string name, string relation,
                     string description>
    : VOpVX<op, 0b101, name, VWidthsAll, WriteVAlu,
            "d[i] = "#relation#" ? ~0 : 0", description>;

let Extension = "XnpuVecArith" in {
defm V_ADD : VAlu<0, "add", "d[i] = a[i] + b[i]", "Adds, modulo 2^width.">;
defm V_SUB : VAlu<1, "sub", "d[i] = a[i] - b[i]", "Subtracts, modulo 2^width.">;
defm V_RSUB : VOpVX<2, 0b001, "rsub", VWidthsAll, WriteVAlu, "d[i] = b - a[i]",
                    "Subtracts from a scalar; with x0 it negates.">;
defm V_SADD : VAlu<3, "sadd", "d[i] = sat(s(a[i]) + s(b[i]))", "Adds with signed saturation.">;
defm V_SADDU : VAlu<4, "saddu", "d[i] = sat(u(a[i]) + u(b[i]))", "Adds with unsigned saturation.">;
defm V_SSUB : VAlu<5, "ssub", "d[i] = sat(s(a[i]) - s(b[i]))", "Subtracts with signed saturation.">;
defm V_SSUBU : VAlu<6, "ssubu", "d[i] = sat(u(a[i]) - u(b[i]))", "Subtracts with unsigned saturation.">;
defm V_AVG : VAlu<7, "avg", "d[i] = (s(a[i]) + s(b[i]) + 1) >> 1", "Average of signed elements, rounded up.">;
defm V_AVGU : VAlu<8, "avgu", "d[i] = (u(a[i]) + u(b[i]) + 1) >> 1", "Average of unsigned elements, rounded up.">;
defm V_MIN : VAlu<9, "min", "d[i] = min(s(a[i]), s(b[i]))", "Signed minimum.">;
defm V_MINU : VAlu<10, "minu", "d[i] = min(u(a[i]), u(b[i]))", "Unsigned minimum.">;
defm V_MAX : VAlu<11, "max", "d[i] = max(s(a[i]), s(b[i]))", "Signed maximum.">;
defm V_MAXU : VAlu<12, "maxu", "d[i] = max(u(a[i]), u(b[i]))", "Unsigned maximum.">;
defm V_ABSD : VAlu<13, "absd", "d[i] = abs(s(a[i]) - s(b[i]))", "Absolute difference of signed elements, as an unsigned element.">;
defm V_ABSDU : VAlu<14, "absdu", "d[i] = abs(u(a[i]) - u(b[i]))", "Absolute difference of unsigned elements.">;
defm V_AND : VLogic<15, "and", "d[i] = a[i] & b[i]", "Bitwise and.">;
defm V_OR : VLogic<16, "or", "d[i] = a[i] | b[i]", "Bitwise or.">;
defm V_XOR : VLogic<17, "xor", "d[i] = a[i] ^ b[i]", "Bitwise exclusive or.">;
defm V_SLL : VAlu<18, "sll", "d[i] = a[i] << (b[i] mod width)", "Shifts left.">;
defm V_SRL : VAlu<19, "srl", "d[i] = u(a[i]) >> (b[i] mod width)", "Shifts right, filling with zeros.">;
defm V_SRA : VAlu<20, "sra", "d[i] = s(a[i]) >> (b[i] mod width)", "Shifts right, filling with the sign.">;
defm V_SRLR : VAlu<21, "srlr", "d[i] = rshr(u(a[i]), b[i] mod width)", "Shifts unsigned elements right, rounding half up.">;
defm V_SRAR : VAlu<22, "srar", "d[i] = rshr(s(a[i]), b[i] mod width)", "Shifts signed elements right, rounding half up.">;
defm V_SSLL : VAlu<23, "ssll", "d[i] = sat(s(a[i]) << (b[i] mod width))", "Shifts left with signed saturation.">;
defm V_RDPOT : VAlu<24, "rdpot", "d[i] = rdivpot(s(a[i]), b[i] mod width)", "Divides by a power of two, rounding half away from zero.">;

defm V_MUL : VMul<0, "mul", "d[i] = a[i] * b[i]", "Low half of the product.">;
defm V_MULH : VMul<1, "mulh", "d[i] = s(a[i]) * s(b[i]) >> width", "High half of the signed product.">;
defm V_MULHU : VMul<2, "mulhu", "d[i] = u(a[i]) * u(b[i]) >> width", "High half of the unsigned product.">;
defm V_DMULH : VMul<3, "dmulh", "d[i] = srdhm(s(a[i]), s(b[i]))", "Saturating rounding doubling high half of the signed product.">;
defm V_MACC : VMul<4, "macc", "d[i] = d[i] + a[i] * b[i]", "Multiplies and adds.", 1>;
defm V_NMSAC : VMul<5, "nmsac", "d[i] = d[i] - a[i] * b[i]", "Multiplies and subtracts.", 1>;
defm V_WMULLO : VMulNarrow<6, "wmullo", "d2[i] = s(a[i]) * s(b[i])", "Signed products of the lower half, in elements of twice the width.">;
defm V_WMULHI : VMulNarrow<7, "wmulhi", "d2[i] = s(a[i + lanes/2]) * s(b[i + lanes/2])", "Signed products of the upper half, in elements of twice the width.">;
defm V_WMULULO : VMulNarrow<8, "wmululo", "d2[i] = u(a[i]) * u(b[i])", "Unsigned products of the lower half, in elements of twice the width.">;
defm V_WMULUHI : VMulNarrow<9, "wmuluhi", "d2[i] = u(a[i + lanes/2]) * u(b[i + lanes/2])", "Unsigned products of the upper half, in elements of twice the width.">;
defm V_WMACCLO : VMulNarrow<10, "wmacclo", "d2[i] = d2[i] + s(a[i]) * s(b[i])", "Adds the signed products of the lower half to elements of twice the width.", 1>;
defm V_WMACCHI : VMulNarrow<11, "wmacchi", "d2[i] = d2[i] + s(a[i + lanes/2]) * s(b[i + lanes/2])", "Adds the signed products of the upper half to elements of twice the width.", 1>;
defm V_WMACCULO : VMulNarrow<12, "wmacculo", "d2[i] = d2[i] + u(a[i]) * u(b[i])", "Adds the unsigned products of the lower half to elements of twice the width.", 1>;
defm V_WMACCUHI : VMulNarrow<13, "wmaccuhi", "d2[i] = d2[i] + u(a[i + lanes/2]) * u(b[i + lanes/2])", "Adds the unsigned products of the upper half to elements of twice the width.", 1>;
defm V_DOT : VMulNarrow<14, "dot", "d.w[i] = d.w[i] + sum(s(a[j]) * s(b[j]), elements j of word i)", "Adds the signed products within each word.", 1>;
defm V_DOTU : VMulNarrow<15, "dotu", "d.w[i] = d.w[i] + sum(u(a[j]) * u(b[j]), elements j of word i)", "Adds the unsigned products within each word.", 1>;
defm V_DOTUS : VMulNarrow<16, "dotus", "d.w[i] = d.w[i] + sum(u(a[j]) * s(b[j]), elements j of word i)", "Adds the unsigned by signed products within each word.", 1>;

defm V_SEQ : VCompare<0, "seq", "a[i] == b[i]", "Equal.">;
defm V_SNE : VCompare<1, "sne", "a[i] != b[i]", "Not equal.">;
defm V_SLT : VCompare<2, "slt", "s(a[i]) < s(b[i])", "Signed less than.">;
defm V_SLTU : VCompare<3, "sltu", "u(a[i]) < u(b[i])", "Unsigned less than.">;
defm V_SLE : VCompare<4, "sle", "s(a[i]) <= s(b[i])", "Signed less than or equal.">;
defm V_SLEU : VCompare<5, "sleu", "u(a[i]) <= u(b[i])", "Unsigned less than or equal.">;
defm V_SGT : VCompareX<6, "sgt", "s(a[i]) > s(b)", "Signed greater than a scalar.">;
defm V_SGTU : VCompareX<7, "sgtu", "u(a[i]) > u(b)", "Unsigned greater than a scalar.">;
defm V_SGE : VCompareX<8, "sge", "s(a[i]) >= s(b)", "Signed greater than or equal to a scalar.">;
defm V_SGEU : VCompareX<9, "sgeu", "u(a[i]) >= u(b)", "Unsigned greater than or equal to a scalar.">;

// One source.
foreach W = VWidthsAll in
def V_ABS_#!toupper(W.Suffix)
    : VInstVV<W.Code, 0, 0b110, OPC_CUSTOM_1, "v.abs."#W.Suffix>,
      Sched<[WriteVAlu]> {
  let Semantics = "d[i] = abs(s(a[i]))";
  let Description = "Absolute value; the lowest value stays as it is.";
}
def V_NOT : VInstVV<0, 1, 0b110, OPC_CUSTOM_1, "v.not">, Sched<[WriteVAlu]> {
  let Semantics = "d = ~a";
  let Description = "Bitwise complement.";
}

class VExtend<VWidth w, bits<5> sub, string name, string semantics,
              string description>
    : VInstVV<w.Code, sub, 0b110, OPC_CUSTOM_1,
              "v."#name#"."#w.Suffix>, Sched<[WriteVAlu]> {
  let Semantics = semantics;
  let Description = description;
}
foreach W = VWidthsNarrow in {
def V_SXLO_#!toupper(W.Suffix) : VExtend<W, 4, "sxlo", "d2[i] = s(a[i])", "Sign extends the lower half to twice the width.">;
def V_SXHI_#!toupper(W.Suffix) : VExtend<W, 5, "sxhi", "d2[i] = s(a[i + lanes/2])", "Sign extends the upper half to twice the width.">;
def V_ZXLO_#!toupper(W.Suffix) : VExtend<W, 6, "zxlo", "d2[i] = u(a[i])", "Zero extends the lower half to twice the width.">;
def V_ZXHI_#!toupper(W.Suffix) : VExtend<W, 7, "zxhi", "d2[i] = u(a[i + lanes/2])", "Zero extends the upper half to twice the width.">;
}
foreach Q = 0...3 in {
def V_SXQ#Q#_B : VExtend<VWidthB, !add(8, Q), "sxq"#Q, "d.w[i] = s(a.b[i + "#!mul(16, Q)#"])", "Sign extends a quarter of the bytes to words.">;
def V_ZXQ#Q#_B : VExtend<VWidthB, !add(12, Q), "zxq"#Q, "d.w[i] = u(a.b[i + "#!mul(16, Q)#"])", "Zero extends a quarter of the bytes to words.">;
}

// Narrowing to the width in the mnemonic.
multiclass VPack<int op, string name, string convert, string description>
    : VOpVV<op, 0b111, name, VWidthsNarrow, WriteVAlu,
            "d[i] = "#convert#"(a2[i]); d[i + lanes/2] = "#convert#"(b2[i])",
            description>;
defm V_PACK : VPack<0, "pack", "low", "Narrows two registers of twice the width, keeping the low bits.">;
defm V_PACKS : VPack<1, "packs", "sat_s", "Narrows two registers of twice the width, signed with signed saturation.">;
defm V_PACKSU : VPack<2, "packsu", "sat_u", "Narrows two registers of twice the width, signed with unsigned saturation.">;
defm V_PACKU : VPack<3, "packu", "sat_u", "Narrows two registers of twice the width, unsigned with unsigned saturation.">;
def V_SEL : VInstVVV<0b0010000, 0b111, OPC_CUSTOM_1, "v.sel", 1>,
            Sched<[WriteVAlu]> {
  let Semantics = "d = (d & a) | (~d & b)";
  let Description = "Selects bit by bit: the destination is the mask before and the result after.";
}
foreach W = VWidthsAll in
def V_LANES_#!toupper(W.Suffix)
    : VInstVXX<!add(20, W.Code), 0b111, OPC_CUSTOM_1,
               "v.lanes."#W.Suffix>, Sched<[WriteVAlu]> {
  let Semantics = "d[i] = u(x[rs1]) + i < u(x[rs2]) ? ~0 : 0";
  let Description = "Mask of the lanes whose index, counted from rs1, is below rs2.";
}
} // Extension

//===----------------------------------------------------------------------===//
// Memory and moves
//===----------------------------------------------------------------------===//

// A conversion between memory and register.
class VMemType<int number, string suffix, string effect> {
  int Code = number;
  string Suffix = suffix;
  string Effect = effect;
}
defvar VMemPlain = [VMemType<0, "b", "">, VMemType<1, "h", "">, VMemType<2, "w", "">];
defvar VLoadTypes = !listconcat(VMemPlain,
  [VMemType<4, "bh", "s8">, VMemType<5, "bw", "s8">, VMemType<6, "hw", "s16">,
   VMemType<8, "bhu", "u8">, VMemType<9, "bwu", "u8">, VMemType<10, "hwu", "u16">]);
defvar VStoreTypes = !listconcat(VMemPlain,
  [VMemType<4, "hb", "low">, VMemType<5, "wb", "low">, VMemType<6, "wh", "low">,
   VMemType<8, "hbs", "sat_s">, VMemType<9, "wbs", "sat_s">, VMemType<10, "whs", "sat_s">,
   VMemType<12, "hbu", "sat_u">, VMemType<13, "wbu", "sat_u">, VMemType<14, "whu", "sat_u">]);

let Extension = "XnpuVecMem" in {
let mayLoad = 1 in {
def V_LD : NPUInst<(outs VR:$vd), (ins GPR:$rs1, simm12:$imm12), "v.ld",
                   "$vd, ${imm12}(${rs1})", FormatI>, Sched<[WriteVLoad]> {
  bits<12> imm12;
  bits<5> rs1;
  bits<5> vd;
  let Inst{31-20} = imm12;
  let Inst{19-15} = rs1;
  let Inst{14-12} = 0b000;
  let Inst{11-7} = vd;
  let Inst{6-0} = OPC_CUSTOM_2.Value;
  let Semantics = "d.b[i] = mem8[x[rs1] + s(imm12) + i]";
  let Description = "Loads 64 bytes.";
}
foreach T = VLoadTypes in {
def V_LDL_#!toupper(T.Suffix)
    : VInstVXX<T.Code, 0b010, OPC_CUSTOM_2, "v.ldl."#T.Suffix>,
      Sched<[WriteVLoad]> {
  let Semantics = "n = rs2 == 0 ? lanes : min(u(x[rs2]), lanes); d[i] = i < n ? "#T.Effect#"(mem[x[rs1] + i * size]) : 0";
  let Description = "Loads the first lanes, as many as rs2 says, or all with x0.";
}
def V_LDM_#!toupper(T.Suffix) : VInstLoadMasked<T.Code, "v.ldm."#T.Suffix>,
                                Sched<[WriteVLoad]> {
  let Semantics = "d[i] = s(b[i]) < 0 ? "#T.Effect#"(mem[x[rs1] + i * size]) : 0";
  let Description = "Loads the lanes whose mask element has its top bit set.";
}
}
// The stride stands in a CSR, whose writes have to stay in front.
let hasSideEffects = 1 in
foreach T = VMemPlain in
def V_LDS_#!toupper(T.Suffix)
    : VInstVXX<T.Code, 0b100, OPC_CUSTOM_2, "v.lds."#T.Suffix>,
      Sched<[WriteVStrided]> {
  let Semantics = "n = rs2 == 0 ? lanes : min(u(x[rs2]), lanes); d[i] = i < n ? mem[x[rs1] + i * nvstride] : 0";
  let Description = "Loads lanes that are nvstride bytes apart.";
}
}

let mayStore = 1 in {
def V_ST : NPUInst<(outs), (ins VR:$vs2, GPR:$rs1, simm12:$imm12), "v.st",
                   "$vs2, ${imm12}(${rs1})", FormatS>, Sched<[WriteVStore]> {
  bits<12> imm12;
  bits<5> vs2;
  bits<5> rs1;
  let Inst{31-25} = imm12{11-5};
  let Inst{24-20} = vs2;
  let Inst{19-15} = rs1;
  let Inst{14-12} = 0b001;
  let Inst{11-7} = imm12{4-0};
  let Inst{6-0} = OPC_CUSTOM_2.Value;
  let Semantics = "mem8[x[rs1] + s(imm12) + i] = b.b[i]";
  let Description = "Stores 64 bytes.";
}
foreach T = VStoreTypes in {
def V_STL_#!toupper(T.Suffix) : VInstStore<T.Code, 0b011, "v.stl."#T.Suffix>,
                                Sched<[WriteVStore]> {
  let Semantics = "n = rs2 == 0 ? lanes : min(u(x[rs2]), lanes); if i < n: mem[x[rs1] + i * size] = "#T.Effect#"(vs3[i])";
  let Description = "Stores the first lanes, as many as rs2 says, or all with x0.";
}
def V_STM_#!toupper(T.Suffix) : VInstStoreMasked<T.Code, "v.stm."#T.Suffix>,
                                Sched<[WriteVStore]> {
  let Semantics = "if s(b[i]) < 0: mem[x[rs1] + i * size] = "#T.Effect#"(vs3[i])";
  let Description = "Stores the lanes whose mask element has its top bit set.";
}
}
let hasSideEffects = 1 in
foreach T = VMemPlain in
def V_STS_#!toupper(T.Suffix)
    : VInstStore<!add(T.Code, 16), 0b100, "v.sts."#T.Suffix>,
      Sched<[WriteVStrided]> {
  let Semantics = "n = rs2 == 0 ? lanes : min(u(x[rs2]), lanes); if i < n: mem[x[rs1] + i * nvstride] = vs3[i]";
  let Description = "Stores lanes nvstride bytes apart.";
}
}

foreach W = VWidthsAll in {
def V_BCAST_#!toupper(W.Suffix)
    : VInstVX<W.Code, 0b111, OPC_CUSTOM_2, "v.bcast."#W.Suffix>,
      Sched<[WriteVAlu]> {
  let Semantics = "d[i] = x[rs1]";
  let Description = "Puts a scalar into every element.";
}
def V_INSERT_#!toupper(W.Suffix)
    : VInstVXX<!add(4, W.Code), 0b111, OPC_CUSTOM_2,
               "v.insert."#W.Suffix, 1>, Sched<[WriteVPerm]> {
  let Semantics = "d[x[rs2] mod lanes] = x[rs1]";
  let Description = "Replaces one element.";
}
def V_EXTRACT_#!toupper(W.Suffix)
    : VInstXVX<!add(8, W.Code), 0b111, OPC_CUSTOM_2,
               "v.extract."#W.Suffix>, Sched<[WriteVReduce]> {
  let Semantics = "x[rd] = s(a[x[rs2] mod lanes])";
  let Description = "Moves one element, sign extended, to a scalar register.";
}
def V_ID_#!toupper(W.Suffix)
    : VInst<!add(20, W.Code), 0b111, OPC_CUSTOM_2, (outs VR:$vd),
            (ins), "v.id."#W.Suffix, "$vd">, Sched<[WriteVAlu]> {
  bits<5> vd;
  let Inst{24-20} = 0;
  let Inst{19-15} = 0;
  let Inst{11-7} = vd;
  let Semantics = "d[i] = i";
  let Description = "Numbers the elements.";
}
}
foreach W = VWidthsNarrow in
def V_EXTRACTU_#!toupper(W.Suffix)
    : VInstXVX<!add(12, W.Code), 0b111, OPC_CUSTOM_2,
               "v.extractu."#W.Suffix>, Sched<[WriteVReduce]> {
  let Semantics = "x[rd] = u(a[x[rs2] mod lanes])";
  let Description = "Moves one element, zero extended, to a scalar register.";
}

let hasSideEffects = 1 in {
def V_ACCRD : VInstVX<16, 0b111, OPC_CUSTOM_2, "v.accrd">, Sched<[WriteVPerm]> {
  let Semantics = "d.w[n] = ACC[x[rs1] mod 256][n]";
  let Description = "Reads an accumulator row. Matrix operations on the row have to be complete.";
}
def V_ACCWR : VInst<17, 0b111, OPC_CUSTOM_2, (outs), (ins VR:$vs1, GPR:$rs2),
                    "v.accwr", "$vs1, $rs2">, Sched<[WriteVStore]> {
  bits<5> rs2;
  bits<5> vs1;
  let Inst{24-20} = rs2;
  let Inst{19-15} = vs1;
  let Inst{11-7} = 0;
  let Semantics = "ACC[x[rs2] mod 256][n] = a.w[n]";
  let Description = "Writes an accumulator row. Matrix operations on the row have to be complete.";
}
}
} // Extension

//===----------------------------------------------------------------------===//
// Requantize, reduce, permute
//===----------------------------------------------------------------------===//

let Extension = "XnpuVecPerm" in {
let Semantics = "d.w[i] = requant(d.w[i], m, h)",
    Description = "Multiplies by a quantized multiplier and a power of two with TFLite's double rounding." in {
def V_MBQM : VInstVVV<0, 0b000, OPC_CUSTOM_3, "v.mbqm", 1>, Sched<[WriteVRequant]>;
def V_MBQM_X : VInstVXX<0, 0b001, OPC_CUSTOM_3, "v.mbqm.x", 1>, Sched<[WriteVRequant]>;
}
// The output's zero point and bounds stand in a CSR.
let hasSideEffects = 1,
    Semantics = "d.w[i] = clamp(requant(d.w[i], m, h) + zp, min, max)",
    Description = "Requantizes words to the range of the output that noquant describes." in {
def V_RQ : VInstVVV<1, 0b000, OPC_CUSTOM_3, "v.rq", 1>, Sched<[WriteVRequant]>;
def V_RQ_X : VInstVXX<1, 0b001, OPC_CUSTOM_3, "v.rq.x", 1>, Sched<[WriteVRequant]>;
}

multiclass VReduce<int op, string name, string semantics,
                   string description> {
  foreach W = VWidthsAll in
  def _#!toupper(W.Suffix)
      : VInstXV<!add(!mul(op, 4), W.Code), 0b010,
                OPC_CUSTOM_3, "v."#name#"."#W.Suffix>, Sched<[WriteVReduce]> {
    let Semantics = "x[rd] = "#semantics;
    let Description = description;
  }
}
defm V_REDSUM : VReduce<0, "redsum", "sum(s(a[i]))", "Sum of the signed elements, modulo 2^32.">;
defm V_REDSUMU : VReduce<1, "redsumu", "sum(u(a[i]))", "Sum of the unsigned elements, modulo 2^32.">;
defm V_REDMIN : VReduce<2, "redmin", "min(s(a[i]))", "Lowest signed element.">;
defm V_REDMINU : VReduce<3, "redminu", "min(u(a[i]))", "Lowest unsigned element.">;
defm V_REDMAX : VReduce<4, "redmax", "max(s(a[i]))", "Highest signed element.">;
defm V_REDMAXU : VReduce<5, "redmaxu", "max(u(a[i]))", "Highest unsigned element.">;
defm V_REDAND : VReduce<6, "redand", "s(and of all a[i])", "Bitwise and of all elements, sign extended.">;
defm V_REDOR : VReduce<7, "redor", "s(or of all a[i])", "Bitwise or of all elements, sign extended.">;
defm V_REDXOR : VReduce<8, "redxor", "s(xor of all a[i])", "Bitwise exclusive or of all elements, sign extended.">;

multiclass VPermute<int op, string name, string semantics,
                    string description>
    : VOpVV<op, 0b011, name, VWidthsAll, WriteVPerm, semantics, description, 0,
            OPC_CUSTOM_3>;
defm V_ZIPLO : VPermute<0, "ziplo", "d[2i] = a[i]; d[2i+1] = b[i]", "Interleaves the lower halves.">;
defm V_ZIPHI : VPermute<1, "ziphi", "d[2i] = a[i + lanes/2]; d[2i+1] = b[i + lanes/2]", "Interleaves the upper halves.">;
defm V_UNZIPE : VPermute<2, "unzipe", "d[i] = a[2i]; d[i + lanes/2] = b[2i]", "Gathers the elements with even numbers.">;
defm V_UNZIPO : VPermute<3, "unzipo", "d[i] = a[2i+1]; d[i + lanes/2] = b[2i+1]", "Gathers the elements with odd numbers.">;
def V_PERM : VInstVVV<0b0010000, 0b011, OPC_CUSTOM_3, "v.perm">,
             Sched<[WriteVPerm]> {
  let Semantics = "d.b[i] = u(a.b[i]) < 64 ? b.b[a.b[i]] : 0";
  let Description = "Looks bytes up in a register; an index beyond it gives 0.";
}
foreach Q = 0...3 in
def V_LUT#Q : VInstVVV<!add(20, Q), 0b011, OPC_CUSTOM_3, "v.lut"#Q, 1>,
              Sched<[WriteVPerm]> {
  let Semantics = "d.b[i] = u(a.b[i]) >> 6 == "#Q#" ? b.b[a.b[i] mod 64] : d.b[i]";
  let Description = "Looks up the indices of one quarter of a table of 256 bytes and keeps the other bytes.";
}

def V_SLIDEDN : VInstVVX<0, 0b100, OPC_CUSTOM_3, "v.slidedn">, Sched<[WriteVPerm]> {
  let Semantics = "d.b[i] = i + u(x[rs2]) < 64 ? a.b[i + x[rs2]] : 0";
  let Description = "Moves bytes to lower positions and fills with zeros.";
}
def V_SLIDEUP : VInstVVX<1, 0b100, OPC_CUSTOM_3, "v.slideup">, Sched<[WriteVPerm]> {
  let Semantics = "d.b[i] = i >= u(x[rs2]) ? a.b[i - x[rs2]] : 0";
  let Description = "Moves bytes to higher positions and fills with zeros.";
}
def V_ALIGN : VInstVVX<2, 0b100, OPC_CUSTOM_3, "v.align", 1>, Sched<[WriteVPerm]> {
  let Semantics = "n = x[rs2] mod 64; d.b[i] = i + n < 64 ? d.b[i + n] : a.b[i + n - 64]";
  let Description = "Takes 64 consecutive bytes out of two registers, the destination first.";
}
} // Extension
