// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUSystemOperands.td - CSR names and numbers -------*- tablegen -*-===//
//
// Every CSR name the assembler knows. Access says what the machine does with
// the number; the generator in isa-spec/gen emits the implemented ones for the
// RTL, the model and the manual.
//
//===----------------------------------------------------------------------===//

include "llvm/TableGen/SearchableTable.td"

// What the machine implements behind a CSR number:
//   rw       readable and writable
//   warl0    reads a fixed value, writes are ignored
//   ro       a write is an illegal instruction (bits 11..10 are 11)
//   none     no such CSR in this machine: any access is an illegal instruction.
//            The name is known so that portable start-up code assembles.
class SysReg<string name, bits<12> encoding, string access, string doc = ""> {
  string Name = name;
  bits<12> Encoding = encoding;
  string Access = access;
  string Description = doc;
}

def SysRegsList : GenericTable {
  let FilterClass = "SysReg";
  let CppTypeName = "SysReg";
  let Fields = ["Name", "Encoding"];
  let PrimaryKey = ["Encoding"];
  let PrimaryKeyName = "lookupSysRegByEncoding";
}
def lookupSysRegByName : SearchIndex {
  let Table = SysRegsList;
  let Key = ["Name"];
}

//===----------------------------------------------------------------------===//
// Machine mode
//===----------------------------------------------------------------------===//

def SysRegMSTATUS : SysReg<"mstatus", 0x300, "rw", "interrupt enable: MIE, MPIE, MPP">;
def SysRegMISA : SysReg<"misa", 0x301, "warl0", "base ISA and extensions">;
def SysRegMIE : SysReg<"mie", 0x304, "rw", "interrupt enables">;
def SysRegMTVEC : SysReg<"mtvec", 0x305, "rw", "trap vector base and mode">;
def SysRegMSTATUSH : SysReg<"mstatush", 0x310, "warl0", "upper half of mstatus">;
def SysRegMCOUNTINHIBIT : SysReg<"mcountinhibit", 0x320, "rw", "stops mcycle and minstret">;
def SysRegMSCRATCH : SysReg<"mscratch", 0x340, "rw", "scratch word of the trap handler">;
def SysRegMEPC : SysReg<"mepc", 0x341, "rw", "pc of the trapped instruction">;
def SysRegMCAUSE : SysReg<"mcause", 0x342, "rw", "trap cause">;
def SysRegMTVAL : SysReg<"mtval", 0x343, "rw", "address or instruction of the trap">;
def SysRegMIP : SysReg<"mip", 0x344, "warl0", "pending interrupts">;
def SysRegMCYCLE : SysReg<"mcycle", 0xB00, "rw", "core cycles, low word">;
def SysRegMINSTRET : SysReg<"minstret", 0xB02, "rw", "retired instructions, low word">;
def SysRegMCYCLEH : SysReg<"mcycleh", 0xB80, "rw", "core cycles, high word">;
def SysRegMINSTRETH : SysReg<"minstreth", 0xB82, "rw", "retired instructions, high word">;
def SysRegMVENDORID : SysReg<"mvendorid", 0xF11, "ro", "vendor">;
def SysRegMARCHID : SysReg<"marchid", 0xF12, "ro", "architecture">;
def SysRegMIMPID : SysReg<"mimpid", 0xF13, "ro", "implementation: the ISA version">;
def SysRegMHARTID : SysReg<"mhartid", 0xF14, "ro", "hart number">;
def SysRegMCONFIGPTR : SysReg<"mconfigptr", 0xF15, "ro", "configuration structure">;

// Event counters: present, always zero.
foreach I = 3...31 in {
  def SysRegMHPMCOUNTER#I : SysReg<"mhpmcounter"#I, !add(0xB00, I), "warl0", "event counter "#I#", reads 0">;
  def SysRegMHPMCOUNTER#I#H : SysReg<"mhpmcounter"#I#"h", !add(0xB80, I), "warl0", "event counter "#I#", high word, reads 0">;
  def SysRegMHPMEVENT#I : SysReg<"mhpmevent"#I, !add(0x320, I), "warl0", "event selector "#I#", reads 0">;
}

//===----------------------------------------------------------------------===//
// Counters of the unprivileged ISA
//===----------------------------------------------------------------------===//

def SysRegCYCLE : SysReg<"cycle", 0xC00, "ro", "view of mcycle">;
def SysRegTIME : SysReg<"time", 0xC01, "ro", "view of mtime">;
def SysRegINSTRET : SysReg<"instret", 0xC02, "ro", "view of minstret">;
def SysRegCYCLEH : SysReg<"cycleh", 0xC80, "ro", "view of mcycleh">;
def SysRegTIMEH : SysReg<"timeh", 0xC81, "ro", "view of the high word of mtime">;
def SysRegINSTRETH : SysReg<"instreth", 0xC82, "ro", "view of minstreth">;

//===----------------------------------------------------------------------===//
// NPU
//===----------------------------------------------------------------------===//

def SysRegNROWLEN : SysReg<"nrowlen", 0x800, "rw", "bytes of one row of the activation window">;
def SysRegNROWSTRIDE : SysReg<"nrowstride", 0x801, "rw", "bytes from a window row to the next, signed">;
def SysRegNXCOUNT : SysReg<"nxcount", 0x802, "rw", "pixels in x before y advances; 0: no wrap">;
def SysRegNXSTRIDE : SysReg<"nxstride", 0x803, "rw", "activation bytes from pixel to pixel in x, signed">;
def SysRegNYSTRIDE : SysReg<"nystride", 0x804, "rw", "activation bytes from line to line, signed">;
def SysRegNOXSTRIDE : SysReg<"noxstride", 0x805, "rw", "output bytes from pixel to pixel in x, signed">;
def SysRegNOYSTRIDE : SysReg<"noystride", 0x806, "rw", "output bytes from line to line, signed">;
def SysRegNOQUANT : SysReg<"noquant", 0x807, "rw", "output zero point (7:0), clamp minimum (15:8) and maximum (23:16)">;
def SysRegNPAD : SysReg<"npad", 0x808, "rw", "pad value (7:0), line step of a window row (15:8)">;
def SysRegNVALID : SysReg<"nvalid", 0x809, "rw", "valid region: bytes of a line (14:0), lines (30:16); 0: everything">;
def SysRegNPOS : SysReg<"npos", 0x80A, "rw", "position of the first pixel: column (15:0), line (31:16), signed">;
def SysRegNPXSTEP : SysReg<"npxstep", 0x80B, "rw", "position step from pixel to pixel in x: column, line">;
def SysRegNPYSTEP : SysReg<"npystep", 0x80C, "rw", "position step from line to line of pixels: column, line">;
def SysRegNTAPSTRIDE : SysReg<"ntapstride", 0x80D, "rw", "mac.dw: bytes from tap to tap in a window row, signed">;
def SysRegNSTATUS : SysReg<"nstatus", 0x810, "rw", "error and completion bits of the units, cleared by writing 1">;
def SysRegNFAULT0 : SysReg<"nfault0", 0x811, "warl0", "first fault address of DMA channel 0">;
def SysRegNFAULT1 : SysReg<"nfault1", 0x812, "warl0", "first fault address of DMA channel 1">;
def SysRegNFAULT2 : SysReg<"nfault2", 0x813, "warl0", "first fault address of the array">;
def SysRegNFAULT3 : SysReg<"nfault3", 0x814, "warl0", "first fault address of the drain">;
def SysRegNVSTRIDE : SysReg<"nvstride", 0x820, "rw", "bytes from lane to lane of strided vector accesses, signed">;
def SysRegNINFO : SysReg<"ninfo", 0xFC0, "ro", "array size, accumulator rows, ISA version">;
def SysRegNTCMSIZE : SysReg<"ntcmsize", 0xFC1, "ro", "bytes of TCM">;
def SysRegNITCMSIZE : SysReg<"nitcmsize", 0xFC2, "ro", "bytes of ITCM">;

//===----------------------------------------------------------------------===//
// Standard names without hardware
//===----------------------------------------------------------------------===//

class AbsentSysReg<string name, bits<12> encoding>
    : SysReg<name, encoding, "none">;
def SysRegFFLAGS : AbsentSysReg<"fflags", 0x001>;
def SysRegFRM : AbsentSysReg<"frm", 0x002>;
def SysRegFCSR : AbsentSysReg<"fcsr", 0x003>;
def SysRegSSTATUS : AbsentSysReg<"sstatus", 0x100>;
def SysRegSIE : AbsentSysReg<"sie", 0x104>;
def SysRegSTVEC : AbsentSysReg<"stvec", 0x105>;
def SysRegSCOUNTEREN : AbsentSysReg<"scounteren", 0x106>;
def SysRegSSCRATCH : AbsentSysReg<"sscratch", 0x140>;
def SysRegSEPC : AbsentSysReg<"sepc", 0x141>;
def SysRegSCAUSE : AbsentSysReg<"scause", 0x142>;
def SysRegSTVAL : AbsentSysReg<"stval", 0x143>;
def SysRegSIP : AbsentSysReg<"sip", 0x144>;
def SysRegSATP : AbsentSysReg<"satp", 0x180>;
def SysRegMEDELEG : AbsentSysReg<"medeleg", 0x302>;
def SysRegMIDELEG : AbsentSysReg<"mideleg", 0x303>;
def SysRegMCOUNTEREN : AbsentSysReg<"mcounteren", 0x306>;
foreach I = 0...3 in
  def SysRegPMPCFG#I : AbsentSysReg<"pmpcfg"#I, !add(0x3A0, I)>;
foreach I = 0...15 in
  def SysRegPMPADDR#I : AbsentSysReg<"pmpaddr"#I, !add(0x3B0, I)>;
def SysRegTSELECT : AbsentSysReg<"tselect", 0x7A0>;
def SysRegTDATA1 : AbsentSysReg<"tdata1", 0x7A1>;
def SysRegTDATA2 : AbsentSysReg<"tdata2", 0x7A2>;
def SysRegTDATA3 : AbsentSysReg<"tdata3", 0x7A3>;
def SysRegDCSR : AbsentSysReg<"dcsr", 0x7B0>;
def SysRegDPC : AbsentSysReg<"dpc", 0x7B1>;
