// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "konata.h"

#include "isa.h"

#include <cinttypes>

namespace npu::rtl {

KonataLog::KonataLog(std::FILE *file, uint64_t maxInstructions)
    : file_(file), maxInstructions_(maxInstructions) {
  std::fputs("Kanata\t0004\nC=\t0\n", file_);
}

void KonataLog::advance(uint64_t cycle) {
  if (cycle > cycle_)
    std::fprintf(file_, "C\t%" PRIu64 "\n", cycle - cycle_);
  cycle_ = cycle;
}

void KonataLog::stage(uint64_t id, const char *name) {
  std::fprintf(file_, "S\t%" PRIu64 "\t0\t%s\n", id, name);
}

void KonataLog::leave(uint64_t id, bool retired) {
  std::fprintf(file_, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", id, retired ? retired_++ : 0, retired ? 0 : 1);
}

void KonataLog::cycle(uint64_t now, const Observation &seen, const RetireEvent *event) {
  if (full_ && fetched_.empty() && !execute_ && !entering_ && !writeBack_)
    return;
  // What the edge before this cycle did.
  if (entering_) {
    advance(now);
    if (execute_) // halted there, and the debug host went on behind it
      leave(execute_->id, false);
    stage(entering_->id, "X");
    execute_ = entering_;
    entering_.reset();
  }
  if (seen.decode && !inDecode_) {
    // The head is what decode shows, unless the log began in the middle.
    advance(now);
    while (!fetched_.empty() && fetched_.front().pc != seen.decodePc) {
      leave(fetched_.front().id, false);
      fetched_.pop_front();
    }
    if (!fetched_.empty()) {
      const uint64_t id = fetched_.front().id;
      stage(id, "D");
      std::fprintf(file_, "L\t%" PRIu64 "\t0\t%08x %s\n", id, seen.decodePc,
                   disassemble(seen.decodeWord, seen.decodePc).c_str());
      inDecode_ = true;
    }
  }
  if (seen.fetch) {
    advance(now);
    // After a miss of the cache the same address comes again: what followed it was void.
    while (!fetched_.empty() && fetched_.back().pc + 4 != seen.fetchPc && !(inDecode_ && fetched_.size() == 1)) {
      leave(fetched_.back().id, false);
      fetched_.pop_back();
    }
    full_ = full_ || ids_ == maxInstructions_;
    if (!full_) {
      std::fprintf(file_, "I\t%" PRIu64 "\t%" PRIu64 "\t0\n", ids_, ids_);
      stage(ids_, "F");
      fetched_.push_back({ids_++, seen.fetchPc});
    }
  }

  // Behind the edge that ends this cycle.
  if (writeBack_) {
    advance(now + 1);
    leave(*writeBack_, true);
    writeBack_.reset();
  }
  if (event)
    onEvent(*event);
  if (seen.issue && inDecode_) {
    entering_ = fetched_.front();
    fetched_.pop_front();
    inDecode_ = false;
  }
  if (seen.redirect && !fetched_.empty()) {
    advance(now + 1);
    for (const Fetched &dropped : fetched_)
      leave(dropped.id, false);
    fetched_.clear();
    inDecode_ = false;
  }
}

void KonataLog::onEvent(const RetireEvent &event) {
  if (!execute_ || execute_->pc != event.pc)
    return;
  advance(event.cycle);
  const uint64_t id = execute_->id;
  execute_.reset();
  if (event.kind == RetireEvent::Kind::Retire) {
    stage(id, "W");
    writeBack_ = id;
    return;
  }
  std::fprintf(file_, "L\t%" PRIu64 "\t1\t%s %u\n", id,
               event.kind == RetireEvent::Kind::Trap ? "trap" : "interrupt", event.cause);
  leave(id, false);
}

void KonataLog::finish() {
  advance(cycle_ + 1);
  if (writeBack_)
    leave(*writeBack_, true);
  for (const auto &open : {execute_, entering_})
    if (open)
      leave(open->id, false);
  for (const Fetched &open : fetched_)
    leave(open.id, false);
  if (full_)
    std::fprintf(stderr, "npu-rtl: --konata: ends after %" PRIu64 " instructions\n", maxInstructions_);
}

} // namespace npu::rtl
