// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUInstrInfoZicsr.td - CSR access ------------------*- tablegen -*-===//

let Extension = "Zicsr", hasSideEffects = 1 in {
class CSRReg<bits<3> funct3, string mnemonic>
    : NPUInst<(outs GPR:$rd), (ins csr_sysreg:$csr, GPR:$rs1), mnemonic,
              "$rd, $csr, $rs1", FormatI>, Sched<[WriteCSR]> {
  bits<12> csr;
  bits<5> rs1;
  bits<5> rd;
  let Inst{31-20} = csr;
  let Inst{19-15} = rs1;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
  let Inst{6-0} = OPC_SYSTEM.Value;
}
class CSRImm<bits<3> funct3, string mnemonic>
    : NPUInst<(outs GPR:$rd), (ins csr_sysreg:$csr, uimm5:$uimm5), mnemonic,
              "$rd, $csr, $uimm5", FormatI>, Sched<[WriteCSR]> {
  bits<12> csr;
  bits<5> uimm5;
  bits<5> rd;
  let Inst{31-20} = csr;
  let Inst{19-15} = uimm5;
  let Inst{14-12} = funct3;
  let Inst{11-7} = rd;
  let Inst{6-0} = OPC_SYSTEM.Value;
}

def CSRRW : CSRReg<0b001, "csrrw"> {
  let Semantics = "t = CSR[csr]; CSR[csr] = x[rs1]; x[rd] = t";
  let Description = "Swaps a CSR with a register; the CSR is not read when rd is x0.";
}
def CSRRS : CSRReg<0b010, "csrrs"> {
  let Semantics = "t = CSR[csr]; if (rs1 != 0) CSR[csr] = t | x[rs1]; x[rd] = t";
  let Description = "Reads a CSR and sets the bits that are 1 in rs1; nothing is written when rs1 is x0.";
}
def CSRRC : CSRReg<0b011, "csrrc"> {
  let Semantics = "t = CSR[csr]; if (rs1 != 0) CSR[csr] = t & ~x[rs1]; x[rd] = t";
  let Description = "Reads a CSR and clears the bits that are 1 in rs1; nothing is written when rs1 is x0.";
}
def CSRRWI : CSRImm<0b101, "csrrwi"> {
  let Semantics = "t = CSR[csr]; CSR[csr] = zext(uimm5); x[rd] = t";
  let Description = "Writes a five-bit immediate to a CSR and returns the old value.";
}
def CSRRSI : CSRImm<0b110, "csrrsi"> {
  let Semantics = "t = CSR[csr]; if (uimm5 != 0) CSR[csr] = t | zext(uimm5); x[rd] = t";
  let Description = "Reads a CSR and sets the bits that are 1 in the immediate; nothing is written when it is 0.";
}
def CSRRCI : CSRImm<0b111, "csrrci"> {
  let Semantics = "t = CSR[csr]; if (uimm5 != 0) CSR[csr] = t & ~zext(uimm5); x[rd] = t";
  let Description = "Reads a CSR and clears the bits that are 1 in the immediate; nothing is written when it is 0.";
}
}

def : InstAlias<"csrr $rd, $csr", (CSRRS GPR:$rd, csr_sysreg:$csr, X0), 2>;
def : InstAlias<"csrw $csr, $rs", (CSRRW X0, csr_sysreg:$csr, GPR:$rs)>;
def : InstAlias<"csrs $csr, $rs", (CSRRS X0, csr_sysreg:$csr, GPR:$rs)>;
def : InstAlias<"csrc $csr, $rs", (CSRRC X0, csr_sysreg:$csr, GPR:$rs)>;
def : InstAlias<"csrwi $csr, $imm", (CSRRWI X0, csr_sysreg:$csr, uimm5:$imm)>;
def : InstAlias<"csrsi $csr, $imm", (CSRRSI X0, csr_sysreg:$csr, uimm5:$imm)>;
def : InstAlias<"csrci $csr, $imm", (CSRRCI X0, csr_sysreg:$csr, uimm5:$imm)>;

// The register mnemonics accept an immediate source as well.
foreach op = ["CSRRW", "CSRRS", "CSRRC"] in
  def : InstAlias<!tolower(op)#" $rd, $csr, $imm",
                  (!cast<Instruction>(op#"I") GPR:$rd, csr_sysreg:$csr,
                   uimm5:$imm), 0>;
def : InstAlias<"csrw $csr, $imm", (CSRRWI X0, csr_sysreg:$csr, uimm5:$imm), 0>;
def : InstAlias<"csrs $csr, $imm", (CSRRSI X0, csr_sysreg:$csr, uimm5:$imm), 0>;
def : InstAlias<"csrc $csr, $imm", (CSRRCI X0, csr_sysreg:$csr, uimm5:$imm), 0>;

// A write to a read-only CSR: no extension will ever make it legal.
def : InstAlias<"unimp", (CSRRW X0, SysRegCYCLE.Encoding, X0), 4>;

def : InstAlias<"rdcycle $rd", (CSRRS GPR:$rd, SysRegCYCLE.Encoding, X0), 3>;
def : InstAlias<"rdtime $rd", (CSRRS GPR:$rd, SysRegTIME.Encoding, X0), 3>;
def : InstAlias<"rdinstret $rd", (CSRRS GPR:$rd, SysRegINSTRET.Encoding, X0), 3>;
def : InstAlias<"rdcycleh $rd", (CSRRS GPR:$rd, SysRegCYCLEH.Encoding, X0), 3>;
def : InstAlias<"rdtimeh $rd", (CSRRS GPR:$rd, SysRegTIMEH.Encoding, X0), 3>;
def : InstAlias<"rdinstreth $rd", (CSRRS GPR:$rd, SysRegINSTRETH.Encoding, X0), 3>;
