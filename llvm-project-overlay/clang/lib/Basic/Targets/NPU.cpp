// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The NPU as Clang sees it: types, macros, registers, inline assembly constraints.

#include "NPU.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/MacroBuilder.h"
#include "clang/Basic/TargetBuiltins.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;
using namespace clang::targets;

static constexpr int NumBuiltins = NPU::LastTSBuiltin - Builtin::FirstTSBuiltin;

#define GET_BUILTIN_STR_TABLE
#include "clang/Basic/BuiltinsNPU.inc"
#undef GET_BUILTIN_STR_TABLE

static constexpr Builtin::Info BuiltinInfos[] = {
#define GET_BUILTIN_PREFIXED_INFOS
#include "clang/Basic/BuiltinsNPU.inc"
#undef GET_BUILTIN_PREFIXED_INFOS
};
static_assert(std::size(BuiltinInfos) == NumBuiltins);

NPUTargetInfo::NPUTargetInfo(const llvm::Triple &Triple, const TargetOptions &)
    : TargetInfo(Triple) {
  // The types of the RISC-V psABI, ilp32: quad-precision long double, 16-byte stack.
  resetDataLayout();
  SuitableAlign = 128;
  LongDoubleWidth = LongDoubleAlign = 128;
  LongDoubleFormat = &llvm::APFloat::IEEEquad();
  SizeType = UnsignedInt;
  PtrDiffType = IntPtrType = SignedInt;
  IntMaxType = Int64Type = SignedLongLong;
  WCharType = SignedInt;
  WIntType = UnsignedInt;
  // One hart and no atomic instruction: the back end masks interrupts up to a register.
  MaxAtomicPromoteWidth = 128;
  MaxAtomicInlineWidth = 32;
  // A vector is aligned as the stack is: its accesses are as fast at any word.
  MaxVectorAlign = 128;
  // Promoted to float for each operation.
  HasFloat16 = true;
}

bool NPUTargetInfo::hasFeature(StringRef Feature) const {
  return llvm::StringSwitch<bool>(Feature)
      .Cases({"npu", "xnpu", "riscv", "riscv32", "32bit"}, true)
      .Default(false);
}

bool NPUTargetInfo::isValidFeatureName(StringRef Name) const {
  unsigned Register;
  return Name == "relax" ||
         (Name.consume_front("reserve-x") && !Name.getAsInteger(10, Register) &&
          Register >= 1 && Register <= 31);
}

void NPUTargetInfo::getTargetDefines(const LangOptions &Opts,
                                     MacroBuilder &Builder) const {
  // What the RISC-V C API names for rv32im_zicsr_zifencei, ilp32, medlow.
  Builder.defineMacro("__riscv");
  Builder.defineMacro("__riscv_xlen", "32");
  Builder.defineMacro("__riscv_float_abi_soft");
  Builder.defineMacro("__riscv_cmodel_medlow");
  Builder.defineMacro("__riscv_mul");
  Builder.defineMacro("__riscv_div");
  Builder.defineMacro("__riscv_muldiv");
  Builder.defineMacro("__riscv_arch_test");
  // Extension versions are major * 1000000 + minor * 1000.
  Builder.defineMacro("__riscv_i", "2001000");
  Builder.defineMacro("__riscv_m", "2000000");
  Builder.defineMacro("__riscv_zmmul", "1000000");
  Builder.defineMacro("__riscv_zicsr", "2000000");
  Builder.defineMacro("__riscv_zifencei", "2000000");

  Builder.defineMacro("__npu__");
  Builder.defineMacro("__npu_vlen__", "64"); // bytes of a vector register
  Builder.defineMacro("__npu_mac_rows__", "16");
  Builder.defineMacro("__npu_mac_cols__", "16");

  Builder.defineMacro("__ELF__");
}

llvm::SmallVector<Builtin::InfosShard> NPUTargetInfo::getTargetBuiltins() const {
  return {{&BuiltinStrings, BuiltinInfos, "__builtin_npu_"}};
}

ArrayRef<const char *> NPUTargetInfo::getGCCRegNames() const {
  static const char *const Names[] = {
      "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",
      "x8",  "x9",  "x10", "x11", "x12", "x13", "x14", "x15",
      "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23",
      "x24", "x25", "x26", "x27", "x28", "x29", "x30", "x31",
      "v0",  "v1",  "v2",  "v3",  "v4",  "v5",  "v6",  "v7",
      "v8",  "v9",  "v10", "v11", "v12", "v13", "v14", "v15",
      "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23",
      "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"};
  return Names;
}

ArrayRef<TargetInfo::GCCRegAlias> NPUTargetInfo::getGCCRegAliases() const {
  static const GCCRegAlias Aliases[] = {
      {{"zero"}, "x0"}, {{"ra"}, "x1"},   {{"sp"}, "x2"},
      {{"gp"}, "x3"},   {{"tp"}, "x4"},   {{"t0"}, "x5"},
      {{"t1"}, "x6"},   {{"t2"}, "x7"},   {{"s0", "fp"}, "x8"},
      {{"s1"}, "x9"},   {{"a0"}, "x10"},  {{"a1"}, "x11"},
      {{"a2"}, "x12"},  {{"a3"}, "x13"},  {{"a4"}, "x14"},
      {{"a5"}, "x15"},  {{"a6"}, "x16"},  {{"a7"}, "x17"},
      {{"s2"}, "x18"},  {{"s3"}, "x19"},  {{"s4"}, "x20"},
      {{"s5"}, "x21"},  {{"s6"}, "x22"},  {{"s7"}, "x23"},
      {{"s8"}, "x24"},  {{"s9"}, "x25"},  {{"s10"}, "x26"},
      {{"s11"}, "x27"}, {{"t3"}, "x28"},  {{"t4"}, "x29"},
      {{"t5"}, "x30"},  {{"t6"}, "x31"}};
  return Aliases;
}

bool NPUTargetInfo::validateAsmConstraint(const char *&Name,
                                          ConstraintInfo &Info) const {
  switch (*Name) {
  case 'I': // Immediate of an I-type instruction.
    Info.setRequiresImmediate(-2048, 2047);
    return true;
  case 'J': // Zero.
    Info.setRequiresImmediate(0);
    return true;
  case 'K': // Immediate of a CSR instruction.
    Info.setRequiresImmediate(0, 31);
    return true;
  case 'A': // Address held in a register.
    Info.setAllowsMemory();
    return true;
  case 's':
  case 'S': // A symbol or label with a constant offset.
    Info.setAllowsRegister();
    return true;
  case 'R': // An even-odd pair of registers.
    Info.setAllowsRegister();
    return true;
  case 'c': // cr, cR: such that compressed instructions name, x8 to x15.
    if (Name[1] != 'r' && Name[1] != 'R')
      return false;
    Info.setAllowsRegister();
    ++Name;
    return true;
  case 'v': // vr: a vector register.
    if (Name[1] != 'r')
      return false;
    Info.setAllowsRegister();
    ++Name;
    return true;
  default:
    return false;
  }
}

bool NPUTargetInfo::validateGlobalRegisterVariable(
    StringRef RegName, unsigned RegSize, bool &HasSizeMismatch) const {
  // The allocator hands out all the others but those of -ffixed-x.
  HasSizeMismatch = RegSize != 32;
  StringRef Name = getNormalizedGCCRegisterName(RegName, /*ReturnCanonical=*/true);
  return llvm::is_contained({"x2", "x3", "x4"}, Name) ||
         getTargetOpts().FeatureMap.lookup(("reserve-" + Name).str());
}

std::string NPUTargetInfo::convertConstraint(const char *&Constraint) const {
  // Two letters: the back end wants them marked.
  StringRef Two = StringRef(Constraint).take_front(2);
  if (Two == "cr" || Two == "cR" || Two == "vr") {
    ++Constraint;
    return ("^" + Two).str();
  }
  return TargetInfo::convertConstraint(Constraint);
}
