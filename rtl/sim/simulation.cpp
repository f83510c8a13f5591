// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulation.h"

#include "isa.h"
#include "simulator.h"

#include <array>
#include <cinttypes>
#include <cstring>

namespace npu::rtl {

namespace {

constexpr std::array<const char *, kStalls> kStallTexts = {
    "nothing",
    "an instruction fetch",
    "the instruction cache",
    "the result of a load",
    "the result of a multiplication",
    "the vector unit",
    "a DRAM access",
    "a division",
    "npu.wait",
    "npu.fence",
    "space in the queue of a unit",
    "an interrupt (wfi)",
    "the debug host"};

// A vector instruction's result is written a few cycles behind its retirement.
constexpr uint64_t kVectorDelay = 4;

} // namespace

int SimulationResult::exitStatus() const {
  switch (outcome) {
  case Outcome::Exited:
    return status;
  case Outcome::CycleBound:
  case Outcome::Hang:
    return kStatusBound;
  case Outcome::Trap:
  case Outcome::Mismatch:
    break;
  }
  return kStatusAbnormal;
}

Simulation::Simulation(const MachineConfig &config, SimulationOptions options,
                       const ElfImage &image, std::vector<std::string> arguments)
    : options_(std::move(options)),
      machine_(Machine::create(config, options_.dram, options_.waveFile)),
      interrupts_(options_.externalInterrupts), semihosting_(std::move(arguments)),
      toHost_(image.symbol("tohost")) {
  machine_->haltOnEbreak(true);
  machine_->reset(image.entry);
  for (const ElfImage::Segment &segment : image.segments)
    machine_->writeMemory(segment.address, segment.bytes.data(), segment.bytes.size());
  if (options_.lockstep) {
    lockstep_ = std::make_unique<Lockstep>(
        config, [this](uint32_t address, uint8_t *out, size_t bytes) {
          return machine_->readMemory(address, out, bytes);
        });
    lockstep_->load(image);
  }
  for (const SimulationOptions::BusError &error : options_.busErrors) {
    machine_->dram().fail(error.range, error.response);
    if (lockstep_)
      lockstep_->failDram(error.range);
  }
  if (options_.statsFunction)
    calls_.emplace(*options_.statsFunction);
  if (options_.perfetto) {
    perfetto_ = std::make_unique<PerfettoTrace>(options_.perfetto, image);
    machine_->addObserver(*perfetto_);
  }
  if (options_.konata) {
    konata_ = std::make_unique<KonataLog>(options_.konata);
    machine_->addObserver(*konata_);
  }
}

void Simulation::finishTraces() {
  if (perfetto_)
    perfetto_->finish();
  if (konata_)
    konata_->finish();
}

SimulationResult Simulation::runToEnd() {
  for (;;)
    if (auto result = tick())
      return finish(std::move(*result));
}

void Simulation::driveInterrupt() {
  if (options_.externalInterrupts == 0)
    return;
  const bool level = interrupts_.next(machine_->retired() ? &machine_->event() : nullptr);
  machine_->setExternalInterrupt(level);
  if (lockstep_)
    lockstep_->setExternalInterrupt(level, machine_->cycles());
}

std::optional<SimulationResult> Simulation::tick() {
  happened_.reset();
  driveInterrupt();
  machine_->cycle();
  if (!machine_->vectorResults().empty() && !takeVectorResults())
    return mismatch();
  if (machine_->retired()) {
    if (auto result = onEvent(machine_->event()))
      return result;
  }
  if (machine_->halted()) {
    if (auto result = onHalt())
      return result;
  }

  const uint64_t now = machine_->cycles();
  if (options_.maxCycles != 0 && now >= options_.maxCycles)
    return SimulationResult{
        Outcome::CycleBound, 0,
        format("stopped after %" PRIu64 " cycles at pc 0x%08x (--max-cycles)\n", now,
               machine_->pc())};
  if (machine_->retired() || machine_->unitsActive()) {
    lastProgress_ = now;
  } else if (const Stall stall = machine_->stall();
             now - lastProgress_ >= (stall == Stall::Wfi ? kSleepCycles : kHangCycles)) {
    return SimulationResult{
        Outcome::Hang, 0,
        format("hangs: no progress for %" PRIu64 " cycles at pc 0x%08x, which waits for %s; busy "
               "units: %s%s%s%s\n",
               now - lastProgress_, machine_->pc(), kStallTexts[static_cast<size_t>(stall)],
               machine_->unitsBusy() & 1 ? "DMA 0 " : "", machine_->unitsBusy() & 2 ? "DMA 1 " : "",
               machine_->unitsBusy() & 4 ? "matrix unit" : "",
               machine_->unitsBusy() == 0 ? "none" : "")};
  }
  return std::nullopt;
}

std::optional<SimulationResult> Simulation::onEvent(const RetireEvent &event) {
  happened_ = event;
  if (options_.trace)
    traceEvent(options_.trace, event);

  // A handler whose first instruction cannot be fetched would trap for ever.
  if (trapping_ && event.kind == RetireEvent::Kind::Trap &&
      event.cause == static_cast<uint32_t>(Cause::FetchFault)) {
    const RetireEvent &first = *trapping_;
    return SimulationResult{
        Outcome::Trap, 0,
        format("unhandled %s: %s at pc 0x%08x, mtval 0x%08x; no handler can be fetched at "
               "0x%08x\n",
               first.kind == RetireEvent::Kind::Trap ? "trap" : "interrupt",
               first.kind == RetireEvent::Kind::Trap
                   ? causeName(first.cause).data()
                   : format("number %u", first.cause).c_str(),
               first.pc, first.tval, event.pc) +
            describeRegisters()};
  }
  if (calls_ && event.kind == RetireEvent::Kind::Retire)
    calls_->onRetire(*machine_, event.pc, registers_);
  if (event.rd != 0)
    registers_[event.rd] = event.rdValue;
  if (isVector(event.insn))
    vectorUntil_ = machine_->cycles() + kVectorDelay;
  trapping_.reset();
  if (event.kind != RetireEvent::Kind::Retire)
    trapping_ = event;

  if (lockstep_ && options_.coverage)
    options_.coverage->observe(event, lockstep_->model());
  if (lockstep_ && !lockstep_->check(event))
    return mismatch();

  if (toHost_ && event.memWriteMask != 0 && event.memAddress == *toHost_ &&
      event.memWriteData % 2 != 0) // even values are system calls, which are ignored
    return SimulationResult{Outcome::Exited, toHostStatus("npu-rtl", event.memWriteData), ""};
  return std::nullopt;
}

std::optional<SimulationResult> Simulation::onHalt() {
  const uint32_t pc = machine_->pc();
  if (!Semihosting::isCall(*this, pc)) {
    machine_->resumeWithTrap();
    return onEvent(machine_->event()); // the trap, in the cycle of the command
  }
  if (!semihosting_.call(*this))
    return SimulationResult{Outcome::Exited, semihosting_.exitStatus(), ""};
  happened_.emplace().pc = pc;
  machine_->resume(pc + 4);
  if (lockstep_ && !lockstep_->hostResumed(pc, pc + 4))
    return mismatch();
  return std::nullopt;
}

bool Simulation::takeVectorResults() {
  bool match = true;
  for (const VectorResult &result : machine_->vectorResults()) {
    if (result.toX)
      registers_[result.reg] = result.value[0];
    else
      std::memcpy(&vectors_[result.reg], result.value.data(), kVectorBytes);
    match = match && (!lockstep_ || lockstep_->vectorResult(result));
  }
  machine_->clearVectorResults();
  return match;
}

SimulationResult Simulation::finish(SimulationResult result) {
  if (lockstep_ && result.outcome == Outcome::Exited &&
      !lockstep_->finish(machine_->unitsBusy() == 0))
    return mismatch();
  return result;
}

std::string Simulation::describeRegisters() const {
  std::string text;
  for (unsigned number = 1; number < registers_.size(); ++number)
    text += format("  %-4s 0x%08x%s", registerName(number).data(),
                   registers_[number], number % 4 == 0 || number == 31 ? "\n" : "");
  return text;
}

std::string Simulation::statistics(int exitStatus) const {
  return statisticsJson(*machine_, exitStatus, calls_ ? &*calls_ : nullptr);
}

} // namespace npu::rtl
