// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPURegisterInfo.cpp - registers and frame indices -----------------===//

#include "NPURegisterInfo.h"
#include "MCTargetDesc/NPUBaseInfo.h"
#include "MCTargetDesc/NPUInstPrinter.h"
#include "NPUFrameLowering.h"
#include "NPUInstrInfo.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/RegisterScavenging.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

#define GET_REGINFO_TARGET_DESC
#include "NPUGenRegisterInfo.inc"

NPURegisterInfo::NPURegisterInfo() : NPUGenRegisterInfo(NPU::X1) {}

const MCPhysReg *
NPURegisterInfo::getCalleeSavedRegs(const MachineFunction *MF) const {
  if (MF->getFunction().hasFnAttribute("interrupt"))
    return CSR_Interrupt_SaveList;
  return CSR_NPU_SaveList;
}

const uint32_t *
NPURegisterInfo::getCallPreservedMask(const MachineFunction &,
                                      CallingConv::ID) const {
  return CSR_NPU_RegMask;
}

// What a reserved register holds is the whole program's: a callee may change it.
const uint32_t *
NPURegisterInfo::getPreservedByCallMask(MachineFunction &MF) const {
  uint32_t *Mask = nullptr;
  for (MCPhysReg Reg : NPU::GPRRegClass) {
    if (!MF.getSubtarget().isRegisterReservedByUser(Reg))
      continue;
    if (!Mask) {
      Mask = MF.allocateRegMask();
      std::copy_n(CSR_NPU_RegMask, MachineOperand::getRegMaskSize(getNumRegs()),
                  Mask);
    }
    Mask[Reg / 32] &= ~(1u << Reg % 32);
  }
  return Mask ? Mask : CSR_NPU_RegMask;
}

const uint32_t *NPURegisterInfo::getNoPreservedMask() const {
  return CSR_NoRegs_RegMask;
}

BitVector NPURegisterInfo::getReservedRegs(const MachineFunction &MF) const {
  const NPUFrameLowering *TFI = MF.getSubtarget<NPUSubtarget>().getFrameLowering();
  BitVector Reserved(getNumRegs());
  for (MCPhysReg Reg : {NPU::X0, NPU::X2, NPU::X3, NPU::X4})
    Reserved.set(Reg);
  for (MCPhysReg Reg : NPU::GPRRegClass)
    if (MF.getSubtarget().isRegisterReservedByUser(Reg))
      Reserved.set(Reg);
  if (TFI->hasFP(MF))
    Reserved.set(NPUFrameLowering::FramePointer);
  if (TFI->hasBP(MF))
    Reserved.set(NPUFrameLowering::BasePointer);
  return Reserved;
}

bool NPURegisterInfo::isAsmClobberable(const MachineFunction &MF,
                                       MCRegister Reg) const {
  return Reg == NPU::X0 || !getReservedRegs(MF).test(Reg);
}

const TargetRegisterClass *
NPURegisterInfo::getPointerRegClass(unsigned) const {
  return &NPU::GPRRegClass;
}

Register NPURegisterInfo::getFrameRegister(const MachineFunction &MF) const {
  return MF.getSubtarget().getFrameLowering()->hasFP(MF)
             ? NPUFrameLowering::FramePointer
             : NPUFrameLowering::StackPointer;
}

std::optional<int64_t> NPURegisterInfo::getFirstOfTwoSteps(int64_t Value) {
  // Two steps save the scratch register; the first keeps the stack pointer
  // aligned.
  int64_t Step = Value < 0 ? -2048 : 2032;
  if (isInt<12>(Value) || !isInt<12>(Value - Step))
    return std::nullopt;
  return Step;
}

void NPURegisterInfo::adjustReg(MachineBasicBlock &MBB,
                                MachineBasicBlock::iterator I,
                                const DebugLoc &DL, Register Dest, Register Src,
                                int64_t Value,
                                MachineInstr::MIFlag Flag) const {
  if (Dest == Src && Value == 0)
    return;
  MachineFunction &MF = *MBB.getParent();
  const NPUInstrInfo *TII = MF.getSubtarget<NPUSubtarget>().getInstrInfo();

  if (isInt<12>(Value)) {
    BuildMI(MBB, I, DL, TII->get(NPU::ADDI), Dest)
        .addReg(Src)
        .addImm(Value)
        .setMIFlag(Flag);
    return;
  }

  if (std::optional<int64_t> Step = getFirstOfTwoSteps(Value)) {
    adjustReg(MBB, I, DL, Dest, Src, *Step, Flag);
    adjustReg(MBB, I, DL, Dest, Dest, Value - *Step, Flag);
    return;
  }

  Register Scratch = MF.getRegInfo().createVirtualRegister(&NPU::GPRRegClass);
  TII->movImm(MBB, I, DL, Scratch, Value, Flag);
  BuildMI(MBB, I, DL, TII->get(NPU::ADD), Dest)
      .addReg(Src)
      .addReg(Scratch, RegState::Kill)
      .setMIFlag(Flag);
}

bool NPURegisterInfo::eliminateFrameIndex(MachineBasicBlock::iterator I,
                                          int SPAdj, unsigned FIOperandNum,
                                          RegScavenger *) const {
  assert(SPAdj == 0 && "call frames are resolved before frame indices");
  MachineInstr &MI = *I;
  MachineBasicBlock &MBB = *MI.getParent();
  MachineFunction &MF = *MBB.getParent();
  const NPUInstrInfo *TII = MF.getSubtarget<NPUSubtarget>().getInstrInfo();
  const DebugLoc &DL = MI.getDebugLoc();

  MachineOperand &Base = MI.getOperand(FIOperandNum);
  MachineOperand &Displacement = MI.getOperand(FIOperandNum + 1);
  Register FrameReg;
  int64_t Offset = MF.getSubtarget<NPUSubtarget>()
                       .getFrameLowering()
                       ->getFrameIndexReference(MF, Base.getIndex(), FrameReg)
                       .getFixed() +
                   Displacement.getImm();
  if (!isInt<32>(Offset))
    reportFatalUsageError("stack frame of " + MF.getName() +
                          " is larger than the address space");

  if (isInt<12>(Offset)) {
    Base.ChangeToRegister(FrameReg, /*isDef=*/false);
    Displacement.ChangeToImmediate(Offset);
    return false;
  }

  if (MI.getOpcode() == NPU::ADDI) {
    adjustReg(MBB, I, DL, MI.getOperand(0).getReg(), FrameReg, Offset,
              MachineInstr::NoFlags);
    MI.eraseFromParent();
    return true;
  }

  // The part that the displacement cannot hold goes to a scratch register.
  Register Scratch = MF.getRegInfo().createVirtualRegister(&NPU::GPRRegClass);
  BuildMI(MBB, I, DL, TII->get(NPU::LUI), Scratch)
      .addImm(NPU::getHi20(Offset) & 0xfffff);
  BuildMI(MBB, I, DL, TII->get(NPU::ADD), Scratch)
      .addReg(Scratch, RegState::Kill)
      .addReg(FrameReg);
  Base.ChangeToRegister(Scratch, /*isDef=*/false, /*isImp=*/false,
                        /*isKill=*/true);
  Displacement.ChangeToImmediate(NPU::getLo12(Offset));
  return false;
}

void NPURegisterInfo::checkNotReserved(const MachineFunction &MF,
                                       MCRegister Reg, const char *Use,
                                       const DebugLoc &DL) {
  if (!MF.getSubtarget().isRegisterReservedByUser(Reg))
    return;
  const Function &F = MF.getFunction();
  F.getContext().diagnose(DiagnosticInfoUnsupported(
      F,
      Twine("register ") +
          NPUInstPrinter::getRegisterName(Reg, NPU::ABIRegAltName) +
          " is reserved, but " + Use,
      DL));
}

MCRegister NPURegisterInfo::findByName(StringRef Name) {
  if (Name.equals_insensitive("fp"))
    return NPU::X8;
  for (MCPhysReg Reg : NPU::GPRRegClass)
    if (Name.equals_insensitive(NPUInstPrinter::getRegisterName(Reg)) ||
        Name.equals_insensitive(
            NPUInstPrinter::getRegisterName(Reg, NPU::ABIRegAltName)))
      return Reg;
  for (MCPhysReg Reg : NPU::VRRegClass)
    if (Name.equals_insensitive(NPUInstPrinter::getRegisterName(Reg)))
      return Reg;
  return MCRegister();
}
