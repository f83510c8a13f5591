// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUCallLowering.cpp - the calling convention ----------------------===//
//
// psABI ilp32. NPUCallingConv.td assigns words to registers and to the stack.
// This file turns everything else into words: values wider than two registers and
// byval aggregates become pointers to a copy in the caller's frame, and results
// wider than two registers are written through a hidden pointer.
//
//===----------------------------------------------------------------------===//

#include "NPUCallLowering.h"
#include "NPUISelLowering.h"
#include "NPUMachineFunctionInfo.h"
#include "NPUSubtarget.h"
#include "llvm/CodeGen/Analysis.h"
#include "llvm/CodeGen/FunctionLoweringInfo.h"
#include "llvm/CodeGen/GlobalISel/MachineIRBuilder.h"
#include "llvm/CodeGen/GlobalISel/Utils.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

#include "NPUGenCallingConv.inc"

static constexpr MCPhysReg ArgRegs[] = {NPU::X10, NPU::X11, NPU::X12, NPU::X13,
                                        NPU::X14, NPU::X15, NPU::X16, NPU::X17};
static constexpr unsigned NumVectorArgRegs = 8; // v8..v15
static const LLT Pointer = LLT::pointer(0, 32);
static const LLT Word = LLT::scalar(32);

//===----------------------------------------------------------------------===//
// Moving values to and from their places
//===----------------------------------------------------------------------===//

namespace {

struct OutgoingHandler : public CallLowering::OutgoingValueHandler {
  MachineInstrBuilder User; // the call or return
  bool IsTailCall;
  Register StackPointer;

  OutgoingHandler(MachineIRBuilder &B, MachineInstrBuilder User,
                  bool IsTailCall = false)
      : OutgoingValueHandler(B, *B.getMRI()), User(User),
        IsTailCall(IsTailCall) {}

  Register getStackAddress(uint64_t Size, int64_t Offset,
                           MachinePointerInfo &MPO,
                           ISD::ArgFlagsTy) override {
    MachineFunction &MF = MIRBuilder.getMF();
    // A tail call's arguments take the place of the caller's.
    if (IsTailCall) {
      int FI = MF.getFrameInfo().CreateFixedObject(
          Size, Offset, /*IsImmutable=*/false, /*isAliased=*/true);
      MPO = MachinePointerInfo::getFixedStack(MF, FI);
      return MIRBuilder.buildFrameIndex(Pointer, FI).getReg(0);
    }
    if (!StackPointer)
      StackPointer =
          MIRBuilder.buildCopy(Pointer, Register(NPUFrameLowering::StackPointer))
              .getReg(0);
    MPO = MachinePointerInfo::getStack(MF, Offset);
    return MIRBuilder
        .buildPtrAdd(Pointer, StackPointer,
                     MIRBuilder.buildConstant(Word, Offset))
        .getReg(0);
  }

  // An outgoing argument is a place relative to the aligned stack pointer; that
  // of a tail call is a fixed object.
  static Align getArgumentAlign(MachineFunction &MF,
                                const MachinePointerInfo &MPO) {
    const auto *PSV = dyn_cast_if_present<const PseudoSourceValue *>(MPO.V);
    if (PSV && PSV->isStack())
      return commonAlignment(
          MF.getSubtarget().getFrameLowering()->getStackAlign(), MPO.Offset);
    return inferAlignFromPtrInfo(MF, MPO);
  }

  void assignValueToAddress(Register Value, Register Address, LLT MemTy,
                            const MachinePointerInfo &MPO,
                            const CCValAssign &VA) override {
    MachineFunction &MF = MIRBuilder.getMF();
    MIRBuilder.buildStore(
        extendRegister(Value, VA), Address,
        *MF.getMachineMemOperand(MPO, MachineMemOperand::MOStore, MemTy,
                                 getArgumentAlign(MF, MPO)));
  }

  void assignValueToReg(Register Value, Register PhysReg,
                        const CCValAssign &VA) override {
    NPURegisterInfo::checkNotReserved(
        MIRBuilder.getMF(), PhysReg.asMCReg(),
        User->isCall() ? "a call passes an argument in it"
                       : "the function returns a value in it",
        MIRBuilder.getDL());
    MIRBuilder.buildCopy(PhysReg, extendRegister(Value, VA));
    User.addUse(PhysReg, RegState::Implicit);
  }
};

struct IncomingHandler : public CallLowering::IncomingValueHandler {
  // A musttail call may overwrite the arguments on the stack.
  bool ArgumentsChange = false;

  explicit IncomingHandler(MachineIRBuilder &B)
      : IncomingValueHandler(B, *B.getMRI()) {}

  virtual void markUsed(MCRegister PhysReg) = 0;

  Register getStackAddress(uint64_t Size, int64_t Offset,
                           MachinePointerInfo &MPO,
                           ISD::ArgFlagsTy) override {
    MachineFunction &MF = MIRBuilder.getMF();
    int FI = MF.getFrameInfo().CreateFixedObject(
        Size, Offset, /*IsImmutable=*/!ArgumentsChange,
        /*isAliased=*/ArgumentsChange);
    MPO = MachinePointerInfo::getFixedStack(MF, FI);
    return MIRBuilder.buildFrameIndex(Pointer, FI).getReg(0);
  }

  void assignValueToAddress(Register Value, Register Address, LLT MemTy,
                            const MachinePointerInfo &MPO,
                            const CCValAssign &) override {
    MachineFunction &MF = MIRBuilder.getMF();
    MIRBuilder.buildLoad(
        Value, Address,
        *MF.getMachineMemOperand(MPO, MachineMemOperand::MOLoad, MemTy,
                                 inferAlignFromPtrInfo(MF, MPO)));
  }

  void assignValueToReg(Register Value, Register PhysReg,
                        const CCValAssign &VA) override {
    markUsed(PhysReg);
    IncomingValueHandler::assignValueToReg(Value, PhysReg, VA);
  }
};

struct FormalHandler : public IncomingHandler {
  using IncomingHandler::IncomingHandler;
  void markUsed(MCRegister PhysReg) override {
    MRI.addLiveIn(PhysReg);
    MIRBuilder.getMBB().addLiveIn(PhysReg);
  }
};

struct ResultHandler : public IncomingHandler {
  MachineInstrBuilder Call;
  ResultHandler(MachineIRBuilder &B, MachineInstrBuilder Call)
      : IncomingHandler(B), Call(Call) {}
  void markUsed(MCRegister PhysReg) override {
    NPURegisterInfo::checkNotReserved(MIRBuilder.getMF(), PhysReg,
                                      "a call returns a value in it",
                                      MIRBuilder.getDL());
    Call.addDef(PhysReg, RegState::Implicit);
  }
};

} // namespace

NPUCallLowering::NPUCallLowering(const NPUTargetLowering &TLI)
    : CallLowering(&TLI) {}

// Whether a value is passed as a pointer to a copy. Vectors are the number of those
// in registers so far.
static bool isPassedByReference(const CallLowering::ArgInfo &Arg,
                                const DataLayout &DL, unsigned &Vectors) {
  uint64_t Bits = DL.getTypeSizeInBits(Arg.Ty).getFixedValue();
  if (auto *VecTy = dyn_cast<FixedVectorType>(Arg.Ty))
    if (Bits == 512 && VecTy->getElementType()->isIntegerTy() &&
        is_contained({8u, 16u, 32u}, VecTy->getScalarSizeInBits()) &&
        !Arg.Flags[0].isVarArg())
      return ++Vectors > NumVectorArgRegs;
  return Bits > 64;
}

// For the pointer that takes the place of such a value. Its IR type is that of a
// word by then, as splitToValueTypes makes it for every pointer.
static ISD::ArgFlagsTy getPointerFlags() {
  ISD::ArgFlagsTy Flags;
  Flags.setPointer();
  Flags.setOrigAlign(Align(4));
  Flags.setMemAlign(Align(4));
  return Flags;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool NPUCallLowering::canLowerReturn(MachineFunction &MF, CallingConv::ID CC,
                                     SmallVectorImpl<BaseArgInfo> &Outs,
                                     bool IsVarArg) const {
  SmallVector<CCValAssign, 4> Locs;
  CCState CCInfo(CC, IsVarArg, MF, Locs, MF.getFunction().getContext());
  return checkReturn(CCInfo, Outs, RetCC_NPU);
}

bool NPUCallLowering::lowerReturn(MachineIRBuilder &B, const Value *Val,
                                  ArrayRef<Register> VRegs,
                                  FunctionLoweringInfo &FLI) const {
  MachineFunction &MF = B.getMF();
  const Function &F = MF.getFunction();
  MachineInstrBuilder Return = B.buildInstrNoInsert(
      F.hasFnAttribute("interrupt") ? NPU::MRET : NPU::PseudoRET);

  if (!FLI.CanLowerReturn) {
    insertSRetStores(B, Val->getType(), VRegs, FLI.DemoteRegister);
  } else if (!VRegs.empty()) {
    const DataLayout &DL = MF.getDataLayout();
    ArgInfo Result(VRegs, Val->getType(), 0);
    setArgFlags(Result, AttributeList::ReturnIndex, DL, F);
    SmallVector<ArgInfo, 4> Parts;
    splitToValueTypes(Result, Parts, DL, F.getCallingConv());

    OutgoingValueAssigner Assigner(RetCC_NPU);
    OutgoingHandler Handler(B, Return);
    if (!determineAndHandleAssignments(Handler, Assigner, Parts, B,
                                       F.getCallingConv(), F.isVarArg()))
      return false;
  }
  B.insertInstr(Return);
  return true;
}

static bool hasMustTailCall(const Function &F) {
  for (const BasicBlock &BB : F)
    if (BB.getTerminatingMustTailCall())
      return true;
  return false;
}

bool NPUCallLowering::lowerFormalArguments(MachineIRBuilder &B,
                                           const Function &F,
                                           ArrayRef<ArrayRef<Register>> VRegs,
                                           FunctionLoweringInfo &FLI) const {
  MachineFunction &MF = B.getMF();
  MachineRegisterInfo &MRI = MF.getRegInfo();
  const DataLayout &DL = MF.getDataLayout();
  CallingConv::ID CC = F.getCallingConv();

  if (F.hasFnAttribute("interrupt") && !F.arg_empty())
    reportFatalUsageError("interrupt handler " + F.getName() +
                          " must not have arguments");
  SmallVector<ArgInfo, 16> Args;
  if (!FLI.CanLowerReturn)
    insertSRetIncomingArgument(F, Args, FLI.DemoteRegister, MRI, DL);
  for (const auto &[Index, Arg] : enumerate(F.args())) {
    if (VRegs[Index].empty())
      continue;
    ArgInfo Info(VRegs[Index], Arg, Index);
    setArgFlags(Info, Index + AttributeList::FirstArgIndex, DL, F);
    if (Info.Flags[0].isByVal())
      Info.Flags[0] = getPointerFlags();
    splitToValueTypes(Info, Args, DL, CC);
  }

  struct Reference {
    Register Value, Address;
    Align Alignment;
  };
  SmallVector<Reference, 4> References;
  unsigned Vectors = 0;
  for (ArgInfo &Arg : Args) {
    if (!isPassedByReference(Arg, DL, Vectors))
      continue;
    Register Address = MRI.createGenericVirtualRegister(Pointer);
    References.push_back({Arg.Regs[0], Address, DL.getABITypeAlign(Arg.Ty)});
    Arg = ArgInfo({Address}, Type::getInt32Ty(F.getContext()),
                  Arg.OrigArgIndex, getPointerFlags());
  }

  SmallVector<CCValAssign, 16> Locs;
  CCState CCInfo(CC, F.isVarArg(), MF, Locs, F.getContext());
  IncomingValueAssigner Assigner(CC_NPU);
  FormalHandler Handler(B);
  Handler.ArgumentsChange = hasMustTailCall(F);
  if (!determineAssignments(Assigner, Args, CCInfo) ||
      !handleAssignments(Handler, Args, CCInfo, Locs, B))
    return false;

  // The unnamed ones of a variadic function have registers if they are passed.
  for (const CCValAssign &VA : Locs)
    if (VA.isRegLoc())
      NPURegisterInfo::checkNotReserved(MF, VA.getLocReg(),
                                        "the function takes an argument in it",
                                        B.getDL());

  for (const Reference &Ref : References)
    B.buildLoad(Ref.Value, Ref.Address, MachinePointerInfo(), Ref.Alignment);

  MF.getInfo<NPUMachineFunctionInfo>()->setArgumentStackSize(
      CCInfo.getStackSize());
  if (F.isVarArg())
    receiveVarArgs(B, Handler, CCInfo);
  return true;
}

static bool readsVarArgs(const Function &F) {
  for (const Instruction &I : instructions(F))
    if (isa<VAStartInst>(I))
      return true;
  return false;
}

// Stores the argument registers that no named argument uses right below the
// arguments on the stack: then va_arg needs nothing but a pointer. A musttail call
// passes them on as they are, and the arguments on the stack stay where they are.
void NPUCallLowering::receiveVarArgs(MachineIRBuilder &B,
                                     IncomingValueHandler &Handler,
                                     CCState &CCInfo) const {
  MachineFunction &MF = B.getMF();
  MachineFrameInfo &MFI = MF.getFrameInfo();
  auto *FuncInfo = MF.getInfo<NPUMachineFunctionInfo>();

  ArrayRef<MCPhysReg> Unnamed =
      ArrayRef(ArgRegs).drop_front(CCInfo.getFirstUnallocated(ArgRegs));
  SmallVector<Register, 8> Values;
  for (MCPhysReg PhysReg : Unnamed) {
    Register Value = B.getMRI()->createGenericVirtualRegister(Word);
    Handler.assignValueToReg(Value, PhysReg,
                             CCValAssign::getReg(0, MVT::i32, PhysReg, MVT::i32,
                                                 CCValAssign::Full));
    Values.push_back(Value);
  }
  if (hasMustTailCall(MF.getFunction()))
    for (const auto &[PhysReg, Value] : zip_equal(Unnamed, Values))
      FuncInfo->addForwardedRegister(PhysReg, Value);
  if (!readsVarArgs(MF.getFunction()))
    return;

  if (Unnamed.empty()) {
    FuncInfo->setVarArgs(
        MFI.CreateFixedObject(4, CCInfo.getStackSize(), /*IsImmutable=*/false),
        0);
    return;
  }

  int64_t Size = 4 * Unnamed.size();
  int FI = MFI.CreateFixedObject(Size, -Size, /*IsImmutable=*/false);
  FuncInfo->setVarArgs(FI, Size);
  auto Base = B.buildFrameIndex(Pointer, FI);
  for (const auto &[Index, Value] : enumerate(Values)) {
    auto Address =
        B.buildPtrAdd(Pointer, Base, B.buildConstant(Word, 4 * Index));
    B.buildStore(Value, Address,
                 MachinePointerInfo::getFixedStack(MF, FI, 4 * Index),
                 Align(4));
  }
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

// Adds the hidden result pointer to a library call, for which nobody has done it.
void NPUCallLowering::demoteReturn(MachineIRBuilder &B,
                                   CallLoweringInfo &Info) const {
  MachineFunction &MF = B.getMF();
  const DataLayout &DL = MF.getDataLayout();
  Type *Ty = Info.OrigRet.Ty;
  Info.CanLowerReturn = false;
  Info.DemoteStackIndex = MF.getFrameInfo().CreateStackObject(
      DL.getTypeAllocSize(Ty), DL.getPrefTypeAlign(Ty), /*isSpillSlot=*/false);
  Info.DemoteRegister =
      B.buildFrameIndex(Pointer, Info.DemoteStackIndex).getReg(0);
  Info.OrigArgs.insert(Info.OrigArgs.begin(),
                       ArgInfo({Info.DemoteRegister},
                               PointerType::get(Ty->getContext(), 0),
                               ArgInfo::NoArgIndex, getPointerFlags()));
}

// Splits the arguments into words and double words. Copies for those that are
// passed by reference are made here, outside the call sequence, because a copy may
// become a call itself. Returns whether there are any.
bool NPUCallLowering::prepareArguments(MachineIRBuilder &B,
                                       const CallLoweringInfo &Info,
                                       SmallVectorImpl<ArgInfo> &Args) const {
  MachineFunction &MF = B.getMF();
  MachineFrameInfo &MFI = MF.getFrameInfo();
  const DataLayout &DL = MF.getDataLayout();
  bool HasCopies = false;

  auto CreateCopy = [&](uint64_t Size, Align Alignment, int &FI) {
    HasCopies = true;
    FI = MFI.CreateStackObject(Size, Alignment, /*isSpillSlot=*/false);
    return B.buildFrameIndex(Pointer, FI).getReg(0);
  };

  for (ArgInfo Arg : Info.OrigArgs) {
    if (Arg.Regs.empty())
      continue;
    ISD::ArgFlagsTy Flags = Arg.Flags[0];
    if (Flags.isByVal()) {
      int FI;
      Align Alignment = std::max(Align(4), Flags.getNonZeroByValAlign());
      uint64_t Size = Flags.getByValSize();
      Register Copy = CreateCopy(Size, Alignment, FI);
      if (Size)
        B.buildMemCpy(
            Copy, Arg.Regs[0], B.buildConstant(Word, Size),
            *MF.getMachineMemOperand(
                MachinePointerInfo::getFixedStack(MF, FI),
                MachineMemOperand::MOStore | MachineMemOperand::MODereferenceable,
                Size, Alignment),
            *MF.getMachineMemOperand(
                MachinePointerInfo(Arg.OrigValue),
                MachineMemOperand::MOLoad | MachineMemOperand::MODereferenceable,
                Size, Flags.getNonZeroByValAlign()));
      Arg.Regs[0] = Copy;
      Arg.Flags[0] = getPointerFlags();
      if (Flags.isVarArg())
        Arg.Flags[0].setVarArg();
    }
    splitToValueTypes(Arg, Args, DL, Info.CallConv);
  }

  unsigned Vectors = 0;
  for (ArgInfo &Arg : Args) {
    if (!isPassedByReference(Arg, DL, Vectors))
      continue;
    int FI;
    Align Alignment = DL.getPrefTypeAlign(Arg.Ty);
    Register Copy = CreateCopy(DL.getTypeAllocSize(Arg.Ty), Alignment, FI);
    B.buildStore(Arg.Regs[0], Copy, MachinePointerInfo::getFixedStack(MF, FI),
                 Alignment);
    ISD::ArgFlagsTy Flags = getPointerFlags();
    if (Arg.Flags[0].isVarArg())
      Flags.setVarArg();
    Arg = ArgInfo({Copy}, Type::getInt32Ty(Arg.Ty->getContext()),
                  Arg.OrigArgIndex, Flags);
  }
  return HasCopies;
}

bool NPUCallLowering::canTailCall(MachineIRBuilder &B,
                                  const CallLoweringInfo &Info,
                                  ArrayRef<ArgInfo> Args) const {
  MachineFunction &MF = B.getMF();
  const Function &Caller = MF.getFunction();
  // An interrupt handler has to restore everything and return with MRET.
  if (Caller.hasFnAttribute("interrupt"))
    return false;
  if (!Info.IsMustTailCall && Caller.hasStructRetAttr())
    return false;
  // The jump may need t1.
  if (!Info.IsMustTailCall && !Info.Callee.isReg() &&
      MF.getSubtarget().isRegisterReservedByUser(NPU::X6))
    return false;

  SmallVector<ArgInfo, 16> ArgsCopy(Args);
  SmallVector<CCValAssign, 16> Locs;
  CCState CCInfo(Info.CallConv, Info.IsVarArg, MF, Locs, Caller.getContext());
  OutgoingValueAssigner Assigner(CC_NPU);
  if (!determineAssignments(Assigner, ArgsCopy, CCInfo))
    return false;
  // Arguments on the stack need room in the frame of this function's caller, and
  // this function's own arguments there may still be wanted.
  unsigned Room =
      Info.IsMustTailCall
          ? MF.getInfo<NPUMachineFunctionInfo>()->getArgumentStackSize()
          : 0;
  return CCInfo.getStackSize() <= Room;
}

bool NPUCallLowering::lowerTailCall(MachineIRBuilder &B, CallLoweringInfo &Info,
                                    SmallVectorImpl<ArgInfo> &Args) const {
  MachineFunction &MF = B.getMF();
  const NPUSubtarget &STI = MF.getSubtarget<NPUSubtarget>();
  const NPURegisterInfo &TRI = *STI.getRegisterInfo();

  // Any other register in the place of t1.
  if (Info.Callee.isGlobal() && STI.isRegisterReservedByUser(NPU::X6))
    Info.Callee = MachineOperand::CreateReg(
        B.buildGlobalValue(Pointer, Info.Callee.getGlobal()).getReg(0),
        /*isDef=*/false);

  MachineInstrBuilder Call =
      B.buildInstrNoInsert(Info.Callee.isReg() ? NPU::PseudoTAILIndirect
                                               : NPU::PseudoTAIL)
          .add(Info.Callee)
          .addRegMask(TRI.getPreservedByCallMask(MF));

  OutgoingValueAssigner Assigner(CC_NPU);
  OutgoingHandler Handler(B, Call, /*IsTailCall=*/true);
  if (!determineAndHandleAssignments(Handler, Assigner, Args, B, Info.CallConv,
                                     Info.IsVarArg))
    return false;
  // The prototypes match: these are the registers that no named argument took.
  if (Info.IsMustTailCall && Info.IsVarArg)
    for (const auto &[PhysReg, Value] :
         MF.getInfo<NPUMachineFunctionInfo>()->getForwardedRegisters()) {
      B.buildCopy(Register(PhysReg), Value);
      Call.addUse(PhysReg, RegState::Implicit);
    }
  B.insertInstr(Call);
  if (Info.Callee.isReg())
    constrainOperandRegClass(MF, TRI, MF.getRegInfo(), *STI.getInstrInfo(),
                             *STI.getRegBankInfo(), *Call, Call->getDesc(),
                             Call->getOperand(0), 0);
  MF.getFrameInfo().setHasTailCall();
  Info.LoweredTailCall = true;
  return true;
}

bool NPUCallLowering::lowerCall(MachineIRBuilder &B,
                                CallLoweringInfo &Info) const {
  MachineFunction &MF = B.getMF();
  const NPUSubtarget &STI = MF.getSubtarget<NPUSubtarget>();
  const NPURegisterInfo &TRI = *STI.getRegisterInfo();
  const DataLayout &DL = MF.getDataLayout();
  Type *RetTy = Info.OrigRet.Ty;

  if (!Info.CB && !RetTy->isVoidTy()) {
    SmallVector<BaseArgInfo, 4> Outs;
    getReturnInfo(Info.CallConv, RetTy, AttributeList(), Outs, DL);
    if (!canLowerReturn(MF, Info.CallConv, Outs, Info.IsVarArg)) {
      demoteReturn(B, Info);
      Info.IsTailCall = false;
    }
  }

  SmallVector<ArgInfo, 16> Args;
  bool HasCopies = prepareArguments(B, Info, Args);

  if (Info.IsTailCall || Info.IsMustTailCall) {
    if (!HasCopies && canTailCall(B, Info, Args))
      return lowerTailCall(B, Info, Args);
    if (Info.IsMustTailCall)
      reportFatalUsageError("failed to perform tail call elimination on a call "
                            "site marked musttail in " +
                            MF.getName());
  }
  Info.IsTailCall = false;
  NPURegisterInfo::checkNotReserved(
      MF, TRI.getRARegister(), "a call leaves its return address in it", B.getDL());

  MachineInstrBuilder Begin = B.buildInstr(NPU::ADJCALLSTACKDOWN);
  MachineInstrBuilder Call =
      B.buildInstrNoInsert(Info.Callee.isReg() ? NPU::PseudoCALLIndirect
                                               : NPU::PseudoCALL)
          .add(Info.Callee)
          .addRegMask(TRI.getPreservedByCallMask(MF));

  OutgoingValueAssigner Assigner(CC_NPU);
  OutgoingHandler Handler(B, Call);
  if (!determineAndHandleAssignments(Handler, Assigner, Args, B, Info.CallConv,
                                     Info.IsVarArg))
    return false;
  B.insertInstr(Call);
  Begin.addImm(Assigner.StackSize).addImm(0);
  B.buildInstr(NPU::ADJCALLSTACKUP).addImm(Assigner.StackSize).addImm(0);
  if (Info.Callee.isReg())
    constrainOperandRegClass(MF, TRI, MF.getRegInfo(), *STI.getInstrInfo(),
                             *STI.getRegBankInfo(), *Call, Call->getDesc(),
                             Call->getOperand(0), 0);

  if (!Info.CanLowerReturn) {
    insertSRetLoads(B, RetTy, Info.OrigRet.Regs, Info.DemoteRegister,
                    Info.DemoteStackIndex);
  } else if (!RetTy->isVoidTy()) {
    SmallVector<ArgInfo, 4> Parts;
    splitToValueTypes(Info.OrigRet, Parts, DL, Info.CallConv);
    IncomingValueAssigner RetAssigner(RetCC_NPU);
    ResultHandler RetHandler(B, Call);
    if (!determineAndHandleAssignments(RetHandler, RetAssigner, Parts, B,
                                       Info.CallConv, Info.IsVarArg))
      return false;
  }
  return true;
}
