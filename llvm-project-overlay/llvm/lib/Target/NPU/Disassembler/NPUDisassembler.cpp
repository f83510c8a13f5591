// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUDisassembler.cpp - bytes to MCInst -----------------------------===//

#include "MCTargetDesc/NPUBaseInfo.h"
#include "TargetInfo/NPUTargetInfo.h"
#include "llvm/MC/MCDecoder.h"
#include "llvm/MC/MCDecoderOps.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::MCD;

#define DEBUG_TYPE "npu-disassembler"

using DecodeStatus = MCDisassembler::DecodeStatus;

namespace {
class NPUDisassembler : public MCDisassembler {
public:
  NPUDisassembler(const MCSubtargetInfo &STI, MCContext &Ctx)
      : MCDisassembler(STI, Ctx) {}

  DecodeStatus getInstruction(MCInst &Instr, uint64_t &Size,
                              ArrayRef<uint8_t> Bytes, uint64_t Address,
                              raw_ostream &CStream) const override;
};
} // namespace

static DecodeStatus DecodeGPRRegisterClass(MCInst &Inst, uint32_t RegNo,
                                           uint64_t, const MCDisassembler *) {
  Inst.addOperand(MCOperand::createReg(NPU::X0 + RegNo));
  return MCDisassembler::Success;
}

static DecodeStatus DecodeVRRegisterClass(MCInst &Inst, uint32_t RegNo,
                                          uint64_t, const MCDisassembler *) {
  Inst.addOperand(MCOperand::createReg(NPU::V0 + RegNo));
  return MCDisassembler::Success;
}

template <unsigned Bits>
static DecodeStatus decodeUImmOperand(MCInst &Inst, uint32_t Imm, uint64_t,
                                      const MCDisassembler *) {
  assert(isUInt<Bits>(Imm) && "field wider than its operand");
  Inst.addOperand(MCOperand::createImm(Imm));
  return MCDisassembler::Success;
}

template <unsigned Bits>
static DecodeStatus decodeSImmOperand(MCInst &Inst, uint32_t Imm, uint64_t,
                                      const MCDisassembler *) {
  assert(isUInt<Bits>(Imm) && "field wider than its operand");
  Inst.addOperand(MCOperand::createImm(SignExtend64<Bits>(Imm)));
  return MCDisassembler::Success;
}

// The field of a branch or jump lacks the lowest bit of the offset.
template <unsigned Bits>
static DecodeStatus decodeSImmOperandAndLsl1(MCInst &Inst, uint32_t Imm,
                                             uint64_t,
                                             const MCDisassembler *) {
  assert(isUInt<Bits - 1>(Imm) && "field wider than its operand");
  Inst.addOperand(MCOperand::createImm(SignExtend64<Bits>(uint64_t(Imm) << 1)));
  return MCDisassembler::Success;
}

#include "NPUGenDisassemblerTables.inc"

DecodeStatus NPUDisassembler::getInstruction(MCInst &MI, uint64_t &Size,
                                             ArrayRef<uint8_t> Bytes,
                                             uint64_t Address,
                                             raw_ostream &) const {
  if (Bytes.size() < 4) {
    Size = Bytes.size();
    return MCDisassembler::Fail;
  }
  // Also what does not decode takes a whole word: code is word aligned.
  Size = 4;
  uint32_t Word = support::endian::read32le(Bytes.data());
  return decodeInstruction(DecoderTable32, MI, Word, Address, this, STI);
}

static MCDisassembler *createNPUDisassembler(const Target &,
                                             const MCSubtargetInfo &STI,
                                             MCContext &Ctx) {
  return new NPUDisassembler(STI, Ctx);
}

extern "C" LLVM_ABI LLVM_EXTERNAL_VISIBILITY void
LLVMInitializeNPUDisassembler() {
  TargetRegistry::RegisterMCDisassembler(getTheNPUTarget(),
                                         createNPUDisassembler);
}
