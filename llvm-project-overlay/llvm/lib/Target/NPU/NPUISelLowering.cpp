// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUISelLowering.cpp - types and operations of the NPU -------------===//

#include "NPUISelLowering.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

NPUTargetLowering::NPUTargetLowering(const TargetMachine &TM,
                                     const NPUSubtarget &STI)
    : TargetLowering(TM, STI) {
  addRegisterClass(MVT::i32, &NPU::GPRRegClass);
  for (MVT VT : {MVT::v64i8, MVT::v32i16, MVT::v16i32})
    addRegisterClass(VT, &NPU::VRRegClass);
  computeRegisterProperties(STI.getRegisterInfo());

  setStackPointerRegisterToSaveRestore(NPUFrameLowering::StackPointer);
  setBooleanContents(ZeroOrOneBooleanContent);
  setBooleanVectorContents(ZeroOrNegativeOneBooleanContent);
  setMinFunctionAlignment(Align(4));
  setPrefFunctionAlignment(Align(4));
  setMaxAtomicSizeInBitsSupported(32);
  setMaxDivRemBitWidthSupported(64);
  setMaxLargeFPConvertBitWidthSupported(128);

  // A table costs a bounds check, the address and an indirect jump: about as
  // much as three compare-and-branch steps.
  setMinimumJumpTableEntries(6);

  MaxStoresPerMemset = 16;
  MaxStoresPerMemsetOptSize = 6;
  MaxStoresPerMemcpy = 8;
  MaxStoresPerMemcpyOptSize = 4;
  MaxStoresPerMemmove = 8;
  MaxStoresPerMemmoveOptSize = 4;
}

//===----------------------------------------------------------------------===//
// Addresses, immediates, costs
//===----------------------------------------------------------------------===//

bool NPUTargetLowering::isLegalAddressingMode(const DataLayout &,
                                              const AddrMode &AM, Type *,
                                              unsigned, Instruction *) const {
  // A register plus twelve bits; %lo of a symbol takes the place of both the
  // register's LUI and the offset, but cannot be combined with a register here.
  return !AM.BaseGV && isInt<12>(AM.BaseOffs) && !AM.ScalableOffset &&
         (AM.Scale == 0 || (AM.Scale == 1 && !AM.HasBaseReg));
}

bool NPUTargetLowering::isLegalICmpImmediate(int64_t Imm) const {
  return isInt<12>(Imm);
}

bool NPUTargetLowering::isLegalAddImmediate(int64_t Imm) const {
  return isInt<12>(Imm);
}

bool NPUTargetLowering::isTruncateFree(Type *SrcTy, Type *DstTy) const {
  return SrcTy->isIntegerTy() && DstTy->isIntegerTy() &&
         SrcTy->getPrimitiveSizeInBits() == 64 &&
         DstTy->getPrimitiveSizeInBits() == 32;
}

bool NPUTargetLowering::isTruncateFree(EVT SrcVT, EVT DstVT) const {
  return SrcVT == MVT::i64 && DstVT == MVT::i32;
}

// The divider takes 34 cycles, but one instruction.
bool NPUTargetLowering::isIntDivCheap(EVT VT, AttributeList Attrs) const {
  return !VT.isVector() && Attrs.hasFnAttr(Attribute::MinSize);
}

// Vector accesses by length, mask or stride: at an address that is an argument.
// There is no type for an unknown size; legalization says so.
bool NPUTargetLowering::getTgtMemIntrinsic(IntrinsicInfo &Info,
                                           const CallBase &Call,
                                           MachineFunction &,
                                           unsigned ID) const {
  StringRef Name = Intrinsic::getBaseName(ID);
  bool IsLoad = ID == Intrinsic::masked_load || Name.starts_with("llvm.xnpu.v.ld");
  if (!IsLoad && ID != Intrinsic::masked_store && !Name.starts_with("llvm.xnpu.v.st"))
    return false;
  Info.ptrVal = Call.getArgOperand(IsLoad ? 0 : 1);
  Info.memVT = MVT::i8;
  Info.flags = IsLoad ? MachineMemOperand::MOLoad : MachineMemOperand::MOStore;
  return true;
}

LLT NPUTargetLowering::getOptimalMemOpLLT(const MemOp &Op,
                                          const AttributeList &) const {
  if (Op.isAligned(Align(4)))
    return LLT::scalar(32);
  return LLT::scalar(Op.isAligned(Align(2)) ? 16 : 8);
}

//===----------------------------------------------------------------------===//
// Inline assembly and named registers
//===----------------------------------------------------------------------===//

TargetLowering::ConstraintType
NPUTargetLowering::getConstraintType(StringRef Constraint) const {
  if (Constraint.size() == 1)
    switch (Constraint[0]) {
    case 'I': // 12-bit signed immediate
    case 'J': // zero
    case 'K': // 5-bit unsigned immediate
      return C_Immediate;
    case 'A': // an address without offset
      return C_Memory;
    case 'S': // a symbol
      return C_Other;
    case 'R': // an even-odd pair
      return C_RegisterClass;
    }
  if (Constraint == "cr" || Constraint == "vr" || Constraint == "cR")
    return C_RegisterClass;
  return TargetLowering::getConstraintType(Constraint);
}

InlineAsm::ConstraintCode
NPUTargetLowering::getInlineAsmMemConstraint(StringRef Constraint) const {
  if (Constraint == "A")
    return InlineAsm::ConstraintCode::A;
  return TargetLowering::getInlineAsmMemConstraint(Constraint);
}

std::pair<unsigned, const TargetRegisterClass *>
NPUTargetLowering::getRegForInlineAsmConstraint(const TargetRegisterInfo *TRI,
                                                StringRef Constraint,
                                                MVT VT) const {
  if (Constraint == "r")
    return {0U, &NPU::GPRNoX0RegClass};
  if (Constraint == "cr")
    return {0U, &NPU::GPRCRegClass};
  if (Constraint == "vr")
    return {0U, &NPU::VRRegClass};
  if (Constraint.size() > 2 && Constraint.front() == '{')
    if (MCRegister Reg =
            NPURegisterInfo::findByName(Constraint.drop_front().drop_back()))
      return {Reg, NPU::VRRegClass.contains(Reg) ? &NPU::VRRegClass
                                                 : &NPU::GPRRegClass};
  return TargetLowering::getRegForInlineAsmConstraint(TRI, Constraint, VT);
}

Register NPUTargetLowering::getRegisterByName(const char *Name, LLT,
                                              const MachineFunction &MF) const {
  MCRegister Reg = NPURegisterInfo::findByName(Name);
  // The allocator would hand out any other behind the program's back. Without a
  // register the caller reports an error.
  if (Reg && !MF.getSubtarget().getRegisterInfo()->getReservedRegs(MF).test(Reg))
    return Register();
  return Reg;
}

// With -mstack-protector-guard=tls: at a place that the program's own thread block has.
Value *NPUTargetLowering::getIRStackGuard(IRBuilderBase &B) const {
  Module *M = B.GetInsertBlock()->getModule();
  if (M->getStackProtectorGuard() != "tls")
    return TargetLowering::getIRStackGuard(B);
  return B.CreateConstGEP1_32(
      B.getInt8Ty(),
      B.CreateIntrinsic(B.getPtrTy(), Intrinsic::thread_pointer, {}),
      M->getStackProtectorGuardOffset());
}

Register
NPUTargetLowering::getExceptionPointerRegister(const Constant *) const {
  return NPU::X10;
}

Register
NPUTargetLowering::getExceptionSelectorRegister(const Constant *) const {
  return NPU::X11;
}

//===----------------------------------------------------------------------===//
// Pseudo instructions that need control flow
//===----------------------------------------------------------------------===//

// Moves what follows I to a new block behind MBB, with MBB's successors.
static MachineBasicBlock *splitBehind(MachineBasicBlock *MBB,
                                      MachineBasicBlock::iterator I) {
  MachineFunction &MF = *MBB->getParent();
  MachineBasicBlock *Tail = MF.CreateMachineBasicBlock(MBB->getBasicBlock());
  MF.insert(std::next(MBB->getIterator()), Tail);
  Tail->splice(Tail->end(), MBB, std::next(I), MBB->end());
  Tail->transferSuccessorsAndUpdatePHIs(MBB);
  return Tail;
}

// The selects that follow First on the same condition share its branch, unless
// one reads the result of another.
static SmallVector<MachineInstr *, 4> collectSelects(MachineInstr &First) {
  SmallVector<MachineInstr *, 4> Selects = {&First};
  SmallDenseSet<Register, 4> Results = {First.getOperand(0).getReg()};
  MachineBasicBlock &MBB = *First.getParent();
  for (MachineInstr &MI :
       make_range(std::next(MachineBasicBlock::iterator(First)), MBB.end())) {
    if (MI.isDebugInstr())
      continue;
    if (MI.getOpcode() != NPU::PseudoSelect ||
        !MI.getOperand(1).isIdenticalTo(First.getOperand(1)) ||
        !MI.getOperand(2).isIdenticalTo(First.getOperand(2)) ||
        MI.getOperand(3).getImm() != First.getOperand(3).getImm() ||
        Results.contains(MI.getOperand(4).getReg()) ||
        Results.contains(MI.getOperand(5).getReg()))
      break;
    Selects.push_back(&MI);
    Results.insert(MI.getOperand(0).getReg());
  }
  return Selects;
}

//  Head:  branch to Tail if the condition holds
//  Other:
//  Tail:  result = phi(true value from Head, false value from Other)
static MachineBasicBlock *emitSelect(MachineInstr &First,
                                     MachineBasicBlock *Head) {
  MachineFunction &MF = *Head->getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  const DebugLoc &DL = First.getDebugLoc();

  SmallVector<MachineInstr *, 4> Selects = collectSelects(First);
  // Debug values between the selects describe them: they go behind the phis.
  SmallVector<MachineInstr *, 4> DebugValues;
  for (MachineInstr &MI :
       make_range(MachineBasicBlock::iterator(First),
                  MachineBasicBlock::iterator(Selects.back())))
    if (MI.isDebugInstr())
      DebugValues.push_back(&MI);

  MachineBasicBlock *Tail = splitBehind(Head, Selects.back()->getIterator());
  MachineBasicBlock *Other = MF.CreateMachineBasicBlock(Head->getBasicBlock());
  MF.insert(Tail->getIterator(), Other);
  Head->addSuccessor(Other);
  Head->addSuccessor(Tail);
  Other->addSuccessor(Tail);

  BuildMI(Head, DL, TII.get(First.getOperand(3).getImm()))
      .add(First.getOperand(1))
      .add(First.getOperand(2))
      .addMBB(Tail);

  MachineBasicBlock::iterator InsertPt = Tail->begin();
  for (MachineInstr *Select : Selects)
    BuildMI(*Tail, InsertPt, Select->getDebugLoc(), TII.get(NPU::PHI),
            Select->getOperand(0).getReg())
        .addReg(Select->getOperand(4).getReg())
        .addMBB(Head)
        .addReg(Select->getOperand(5).getReg())
        .addMBB(Other);
  for (MachineInstr *DebugValue : DebugValues)
    Tail->insert(Tail->getFirstNonPHI(), DebugValue->removeFromParent());
  for (MachineInstr *Select : Selects)
    Select->eraseFromParent();
  MF.getProperties().resetNoPHIs();
  return Tail;
}

//  Loop:  again = high; low = low word; high = high; branch to Loop if
//         again != high
static MachineBasicBlock *emitReadCounter(MachineInstr &MI,
                                          MachineBasicBlock *Head) {
  MachineFunction &MF = *Head->getParent();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  const DebugLoc &DL = MI.getDebugLoc();

  MachineBasicBlock *Tail = splitBehind(Head, MI.getIterator());
  MachineBasicBlock *Loop = MF.CreateMachineBasicBlock(Head->getBasicBlock());
  MF.insert(Tail->getIterator(), Loop);
  Head->addSuccessor(Loop);
  Loop->addSuccessor(Loop);
  Loop->addSuccessor(Tail);

  auto Read = [&](Register Reg, int64_t CSR) {
    BuildMI(Loop, DL, TII.get(NPU::CSRRS), Reg).addImm(CSR).addReg(NPU::X0);
  };
  Register Lo = MI.getOperand(0).getReg(), Hi = MI.getOperand(1).getReg();
  Register Before = MF.getRegInfo().createVirtualRegister(&NPU::GPRRegClass);
  Read(Before, MI.getOperand(3).getImm());
  Read(Lo, MI.getOperand(2).getImm());
  Read(Hi, MI.getOperand(3).getImm());
  BuildMI(Loop, DL, TII.get(NPU::BNE)).addReg(Before).addReg(Hi).addMBB(Loop);
  MI.eraseFromParent();
  return Tail;
}

MachineBasicBlock *
NPUTargetLowering::EmitInstrWithCustomInserter(MachineInstr &MI,
                                               MachineBasicBlock *MBB) const {
  switch (MI.getOpcode()) {
  case NPU::PseudoSelect:
    return emitSelect(MI, MBB);
  case NPU::PseudoReadCounter:
    return emitReadCounter(MI, MBB);
  }
  llvm_unreachable("instruction without a custom inserter");
}

//===----------------------------------------------------------------------===//
// Atomic read-modify-write
//===----------------------------------------------------------------------===//

// Masks interrupts and returns mstatus as it was.
static Value *emitMaskInterrupts(IRBuilderBase &B) {
  auto *Ty = FunctionType::get(B.getInt32Ty(), /*isVarArg=*/false);
  return B.CreateCall(Ty, InlineAsm::get(Ty, "csrrci $0, mstatus, 8",
                                         "=r,~{memory}",
                                         /*hasSideEffects=*/true));
}

static void emitRestoreInterrupts(IRBuilderBase &B, Value *Status) {
  auto *Ty = FunctionType::get(B.getVoidTy(), {B.getInt32Ty()},
                               /*isVarArg=*/false);
  B.CreateCall(Ty,
               InlineAsm::get(Ty, "csrw mstatus, $0", "r,~{memory}",
                              /*hasSideEffects=*/true),
               {Status});
}

void NPUTargetLowering::emitExpandAtomicRMW(AtomicRMWInst *RMW) const {
  IRBuilder<> B(RMW);
  Value *Status = emitMaskInterrupts(B);
  LoadInst *Old = B.CreateAlignedLoad(RMW->getType(), RMW->getPointerOperand(),
                                      RMW->getAlign(), RMW->isVolatile());
  Value *New =
      buildAtomicRMWValue(RMW->getOperation(), B, Old, RMW->getValOperand());
  B.CreateAlignedStore(New, RMW->getPointerOperand(), RMW->getAlign(),
                       RMW->isVolatile());
  emitRestoreInterrupts(B, Status);
  RMW->replaceAllUsesWith(Old);
  RMW->eraseFromParent();
}

// Without a branch: when the comparison fails, the old value is written back.
void NPUTargetLowering::emitExpandAtomicCmpXchg(
    AtomicCmpXchgInst *CmpXchg) const {
  IRBuilder<> B(CmpXchg);
  Value *Ptr = CmpXchg->getPointerOperand();
  Value *Status = emitMaskInterrupts(B);
  LoadInst *Old =
      B.CreateAlignedLoad(CmpXchg->getCompareOperand()->getType(), Ptr,
                          CmpXchg->getAlign(), CmpXchg->isVolatile());
  Value *Equal = B.CreateICmpEQ(Old, CmpXchg->getCompareOperand());
  Value *New = B.CreateSelect(Equal, CmpXchg->getNewValOperand(), Old);
  B.CreateAlignedStore(New, Ptr, CmpXchg->getAlign(), CmpXchg->isVolatile());
  emitRestoreInterrupts(B, Status);
  Value *Result = B.CreateInsertValue(PoisonValue::get(CmpXchg->getType()), Old, 0);
  Result = B.CreateInsertValue(Result, Equal, 1);
  CmpXchg->replaceAllUsesWith(Result);
  CmpXchg->eraseFromParent();
}
