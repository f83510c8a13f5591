// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===-- NPUTargetStreamer.h - directives and object attributes --*- C++ -*-===//

#ifndef LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUTARGETSTREAMER_H
#define LLVM_LIB_TARGET_NPU_MCTARGETDESC_NPUTARGETSTREAMER_H

#include "llvm/MC/MCStreamer.h"

namespace llvm {

class MCELFStreamer;
class formatted_raw_ostream;

namespace NPU {
// The arch attribute of every object: what the machine executes.
inline constexpr StringLiteral ArchString =
    "rv32i2p1_m2p0_zicsr2p0_zifencei2p0_xnpu1p0";
// Bytes to which the psABI aligns the stack.
inline constexpr unsigned StackAlign = 16;
} // namespace NPU

// The default implementation ignores everything (null streamer).
class NPUTargetStreamer : public MCTargetStreamer {
public:
  explicit NPUTargetStreamer(MCStreamer &S) : MCTargetStreamer(S) {}

  // .option with its argument, which the parser has checked.
  virtual void emitDirectiveOption(StringRef Option) {}
  // .insn with a whole instruction word.
  virtual void emitInstructionWord(uint32_t Word) {}
  virtual void emitAttribute(unsigned Tag, unsigned Value) {}
  virtual void emitTextAttribute(unsigned Tag, StringRef Value) {}
};

class NPUTargetAsmStreamer : public NPUTargetStreamer {
  formatted_raw_ostream &OS;

public:
  NPUTargetAsmStreamer(MCStreamer &S, formatted_raw_ostream &OS)
      : NPUTargetStreamer(S), OS(OS) {}

  void emitDirectiveOption(StringRef Option) override;
  void emitInstructionWord(uint32_t Word) override;
  void emitAttribute(unsigned Tag, unsigned Value) override;
  void emitTextAttribute(unsigned Tag, StringRef Value) override;
};

// Marks the object as one for the NPU: a bit of e_flags and the attributes.
class NPUTargetELFStreamer : public NPUTargetStreamer {
  MCSection *AttributeSection = nullptr;

  MCELFStreamer &getStreamer();

public:
  explicit NPUTargetELFStreamer(MCStreamer &S);

  void emitInstructionWord(uint32_t Word) override;
  void emitAttribute(unsigned Tag, unsigned Value) override;
  void emitTextAttribute(unsigned Tag, StringRef Value) override;
  void finish() override;
};

} // namespace llvm

#endif
