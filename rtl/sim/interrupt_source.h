// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drives the external interrupt input (--irq-external): a device that asks for attention 1, 2, ...
// longest cycles behind the end of its last handler and then starts over, so that the interrupts
// of a loop come to meet every cycle of it. It is quiet when the core takes the interrupt; every
// fourth time it does not wait for that and is quiet after a few cycles.

#pragma once

#include "isa.h"
#include "model.h"

#include <cstdint>

namespace npu::rtl {

class InterruptSource {
public:
  // longest = 0: never.
  explicit InterruptSource(uint32_t longest) : longest_(longest) {}

  // The level in the next cycle; event is what the last cycle retired, or null.
  bool next(const RetireEvent *event) {
    if (longest_ == 0)
      return false;
    if (event && event->kind == RetireEvent::Kind::Interrupt && event->cause == kExternalInterrupt) {
      level_ = false;
      handled_ = true;
      left_ = delay();
    }
    if (event && event->kind == RetireEvent::Kind::Retire && decode(event->insn) == Insn::MRET)
      handled_ = false;
    if (level_) {
      if (count_ % 4 == 0 && --left_ == 0) {
        level_ = false;
        left_ = delay();
      }
    } else if (!handled_ && --left_ == 0) {
      level_ = true;
      ++count_;
      left_ = 1 + count_ / 4 % 8; // if it does not wait
    }
    return level_;
  }

private:
  uint32_t delay() const { return 1 + count_ % longest_; }

  const uint32_t longest_;
  uint32_t count_ = 0; // times that it was raised
  uint32_t left_ = 1;  // cycles to the next change
  bool level_ = false, handled_ = false;
};

} // namespace npu::rtl
