// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "iss_simulation.h"

#include "gdb_server.h"
#include "isa.h"
#include "simulator.h"

#include <algorithm>
#include <cinttypes>

namespace npu {

IssSimulation::IssSimulation(const MachineConfig &config, const ElfImage &image,
                             const Options &options, std::vector<std::string> arguments)
    : model_(config), semihosting_(std::move(arguments)), options_(options) {
  model_.stopAtSemihostCalls = true;
  model_.stopAtUnhandledTraps = true;
  if (options.checkRaces)
    races_.emplace(model_);
  for (const ElfImage::Segment &segment : image.segments)
    model_.writeMemory(segment.address, segment.bytes.data(), segment.bytes.size());
  model_.setPc(image.entry);
  if (const auto toHost = image.symbol("tohost"))
    model_.watchToHost(*toHost);
}

IssSimulation::Result IssSimulation::runToEnd() {
  for (;;)
    if (auto end = handle(advance(options_.maxSteps - model_.steps())))
      return {end->status, std::move(end->report)};
}

IssSimulation::Result IssSimulation::debug(GdbServer &server) {
  model_.stopAtTraps = true;
  auto end = server.serve(*this);
  model_.stopAtTraps = false;
  if (!end) // detached
    return runToEnd();
  return {end->status, std::move(end->report)};
}

StopReason IssSimulation::advance(uint64_t steps) {
  if (!options_.trace && !races_)
    return model_.run(steps);
  RetireEvent event;
  for (uint64_t i = 0; i < steps; ++i)
    if (const auto stop = observedStep(event))
      return *stop;
  return StopReason::StepLimit;
}

std::optional<StopReason> IssSimulation::observedStep(RetireEvent &event) {
  uint32_t word = 0;
  model_.readMemory(model_.pc(), &word, sizeof word);
  const uint32_t source = model_.reg(rs1Field(word));
  const auto stop = model_.step(event);
  if (stop == StopReason::Semihost || stop == StopReason::Breakpoint)
    return stop;
  if (options_.trace)
    traceEvent(options_.trace, event);
  if (races_ && !races_->check(event, source))
    return StopReason::Race;
  return stop;
}

std::optional<DebugStop> IssSimulation::handle(StopReason stop) {
  using Kind = DebugStop::Kind;
  switch (stop) {
  case StopReason::Semihost:
    if (!semihosting_.call(*this))
      return DebugStop{.kind = Kind::Ended, .status = semihosting_.exitStatus()};
    called_.emplace().pc = model_.pc();
    model_.setPc(model_.pc() + 4);
    return {};
  case StopReason::ToHost:
    return DebugStop{.kind = Kind::Ended,
                     .status = toHostStatus("npu-iss", model_.toHostValue())};
  case StopReason::StepLimit:
    if (model_.steps() < options_.maxSteps)
      return {};
    return DebugStop{.kind = Kind::Failed,
                     .status = kStatusBound,
                     .report = format("stopped after %" PRIu64 " instructions at pc 0x%08x "
                                      "(--max-cycles; the model takes one cycle an instruction)\n",
                                      model_.steps(), model_.pc())};
  case StopReason::Asleep:
    return DebugStop{.kind = Kind::Failed,
                     .status = kStatusBound,
                     .report = format("wfi at pc 0x%08x waits for ever: no enabled interrupt can "
                                      "become pending\n",
                                      model_.pc())};
  case StopReason::UnhandledTrap:
    return trapReport();
  case StopReason::Race:
    return DebugStop{
        .kind = Kind::Failed, .status = kStatusAbnormal, .report = races_->report() + '\n'};
  case StopReason::Breakpoint:
    return DebugStop{.kind = Kind::Breakpoint};
  case StopReason::Trap:
    return DebugStop{.kind = Kind::Trap, .cause = readCsr(static_cast<unsigned>(Csr::mcause))};
  }
  return {};
}

DebugStop IssSimulation::trapReport() const {
  const uint32_t cause = model_.readCsr(static_cast<unsigned>(Csr::mcause));
  const uint32_t epc = model_.readCsr(static_cast<unsigned>(Csr::mepc));
  uint32_t word = 0;
  model_.readMemory(epc, &word, 4);
  return {.kind = DebugStop::Kind::Failed,
          .status = kStatusAbnormal,
          .cause = cause,
          .pc = epc,
          .report = format("unhandled trap: %s at pc 0x%08x (%s), mtval 0x%08x; no trap handler at "
                           "mtvec 0x%08x\n",
                           causeName(cause).data(), epc, disassemble(word, epc).c_str(),
                           model_.readCsr(static_cast<unsigned>(Csr::mtval)),
                           model_.readCsr(static_cast<unsigned>(Csr::mtvec))) +
                    model_.describeState()};
}

void IssSimulation::setBreakpoint(uint32_t pc, bool present) {
  if (present)
    breakpoints_.insert(pc);
  else
    breakpoints_.erase(pc);
  model_.setBreakpoint(pc, present);
}

DebugStop IssSimulation::step(std::optional<RetireEvent> &event) {
  const uint32_t at = model_.pc();
  const bool marked = breakpoints_.contains(at);
  if (marked)
    model_.setBreakpoint(at, false);
  event.emplace();
  called_.reset();
  const auto stop = model_.steps() < options_.maxSteps ? observedStep(*event)
                                                       : std::optional(StopReason::StepLimit);
  if (marked)
    model_.setBreakpoint(at, true);
  if (!stop)
    return {};
  auto report = handle(*stop);
  if (called_)
    event = called_;
  return report.value_or(DebugStop{});
}

DebugStop IssSimulation::run() {
  // Short enough for a user who waits for an answer, also where each step is observed.
  constexpr uint64_t kSlice = 500'000;
  return handle(advance(std::min(kSlice, options_.maxSteps - model_.steps())))
      .value_or(DebugStop{});
}

} // namespace npu
