// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "perfetto.h"

#include "isa.h"

#include <algorithm>
#include <cinttypes>

namespace npu::rtl {

namespace {

constexpr const char *kRowNames[] = {"core: function", "core: stall",    "vector unit",
                                     "array: run",     "array: load",    "drain",
                                     "DMA channel 0",  "DMA channel 1"};
// Vector instructions not further apart are one slice.
constexpr uint64_t kVectorGap = 8;

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return result + '"';
}

std::string member(const char *name, const std::string &value) {
  return std::string("\"") + name + "\":" + value;
}

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof text, "\"0x%08x\"", value);
  return text;
}

} // namespace

PerfettoTrace::PerfettoTrace(std::FILE *file, const ElfImage &image, uint64_t maxSlices)
    : file_(file), maxSlices_(maxSlices), functions_(image.functions) {
  std::fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
             "{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\",\"args\":{\"name\":\"NPU\"}}",
             file_);
  for (unsigned row = 0; row < kRows; ++row)
    std::fprintf(file_,
                 ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}"
                 ",\n{\"ph\":\"M\",\"pid\":1,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
                 row + 1, kRowNames[row], row + 1, row);
}

void PerfettoTrace::slice(Row row, uint64_t from, uint64_t to, const std::string &name,
                          const std::string &arguments) {
  if (slices_ == maxSlices_) {
    if (!truncated_)
      truncated_ = from;
    return;
  }
  ++slices_;
  std::fprintf(file_,
               ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ",\"dur\":%" PRIu64 ",\"name\":%s%s}",
               row + 1u, from, to - from, quoted(name).c_str(),
               arguments.empty() ? "" : (",\"args\":{" + arguments + "}").c_str());
}

void PerfettoTrace::begin(Row row, uint64_t now, std::string name, std::string arguments) {
  rows_[row] = {true, now, std::move(name), std::move(arguments)};
}

void PerfettoTrace::end(Row row, uint64_t now) {
  Slice &open = rows_[row];
  if (open.open && now > open.begin)
    slice(row, open.begin, now, open.name, open.arguments);
  open.open = false;
}

void PerfettoTrace::enterFunction(uint32_t pc, uint64_t now) {
  end(kFunction, now);
  const auto next = functions_.upper_bound(pc);
  functionBegin_ = next == functions_.begin() ? 0 : std::prev(next)->first;
  functionEnd_ = next == functions_.end() ? UINT32_MAX : next->first;
  begin(kFunction, now,
        next == functions_.begin() ? "(no symbol)" : std::prev(next)->second, member("pc", hex(pc)));
}

void PerfettoTrace::onEvent(const RetireEvent &event) {
  // The instruction executed in the cycle before the one in which it shows.
  const uint64_t now = event.cycle - 1;
  if (event.pc < functionBegin_ || event.pc >= functionEnd_)
    enterFunction(event.pc, now);
  if (event.kind != RetireEvent::Kind::Retire)
    return;
  if (isVector(event.insn)) {
    if (rows_[kVector].open && now > lastVector_ + kVectorGap)
      end(kVector, lastVector_ + 1);
    if (!rows_[kVector].open)
      begin(kVector, now, rows_[kFunction].name, member("pc", hex(event.pc)));
    lastVector_ = now;
  } else if (decode(event.insn) == Insn::DMA_START) {
    operations_[rs2Field(event.insn) & 1].push_back({event.pc, now});
  }
}

void PerfettoTrace::cycle(uint64_t now, const Observation &seen, const RetireEvent *event) {
  now_ = now + 1;
  if (event)
    onEvent(*event);

  if (seen.stall != stall_) {
    if (stall_ != Stall::None && now - stallBegin_ >= kShortestStall)
      slice(kStall, stallBegin_, now, kStallNames[static_cast<size_t>(stall_)], {});
    stall_ = seen.stall;
    stallBegin_ = now;
  }

  if (seen.runFirst) {
    end(kRuns, now);
    begin(kRuns, now, "run");
    pixels_ = 0;
  }
  if (seen.arrayBusy)
    ++pixels_;
  if (seen.runLast && rows_[kRuns].open) {
    rows_[kRuns].arguments = member("pixels", std::to_string(pixels_));
    end(kRuns, now + 1);
  }

  if (seen.loadBusy && !rows_[kLoads].open)
    begin(kLoads, now, seen.loadTable ? "table" : "weights");
  else if (!seen.loadBusy)
    end(kLoads, now);

  if (seen.drainBusy) {
    if (!rows_[kDrains].open) {
      begin(kDrains, now, "drain");
      stored_ = 0;
    }
    ++stored_;
  }
  if (seen.drainEnd && rows_[kDrains].open) {
    rows_[kDrains].arguments = member("busy_cycles", std::to_string(stored_));
    end(kDrains, now + 1);
  }

  for (unsigned channel = 0; channel < 2; ++channel) {
    if (seen.done[channel] == done_[channel])
      continue;
    done_[channel] = seen.done[channel];
    std::deque<Operation> &queue = operations_[channel];
    if (queue.empty())
      continue;
    const Operation &first = queue.front();
    slice(channel == 0 ? kDma0 : kDma1, std::max(first.issued, lastDone_[channel]), now, "transfer",
          member("pc", hex(first.pc)) + "," +
              member("issued", std::to_string(first.issued)));
    lastDone_[channel] = now;
    queue.pop_front();
  }
}

void PerfettoTrace::finish() {
  if (stall_ != Stall::None && now_ - stallBegin_ >= kShortestStall)
    slice(kStall, stallBegin_, now_, kStallNames[static_cast<size_t>(stall_)], {});
  end(kVector, lastVector_ + 1);
  for (unsigned row = 0; row < kRows; ++row)
    end(static_cast<Row>(row), now_);
  std::fprintf(file_, "\n],\n\"otherData\":{\"unit\":\"1 us is 1 cycle\",\"cycles\":%" PRIu64
               ",\"truncated\":%s", now_, truncated_ ? "true" : "false");
  if (truncated_)
    std::fprintf(file_, ",\"truncated_at_cycle\":%" PRIu64, *truncated_);
  std::fputs("}}\n", file_);
}

} // namespace npu::rtl
