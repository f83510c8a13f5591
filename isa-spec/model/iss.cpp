// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-iss: runs a program on the golden model.

#include "elf_image.h"
#include "model.h"
#include "race_checker.h"
#include "semihosting.h"
#include "simulator.h"

#include <getopt.h>

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace {

using namespace npu;
constexpr const char *kUsage =
    "usage: npu-iss [options] PROG.elf [ARGS...]\n"
    "Runs a program on the golden model, which takes one cycle for an instruction.\n"
    "  --config default|large  machine configuration (default: default)\n"
    "  --max-cycles N          stop with status 124 after N instructions (default: no bound)\n"
    "  --trace FILE            write one line for each instruction\n"
    "  --stats FILE            write counts as JSON\n"
    "  --check-races           stop with status 125 where an access meets an operation that\n"
    "                          nothing has waited for\n"
    "  --help                  print this\n"
    "The exit status is the program's; 125 after an unhandled trap or a race, 2 for bad options or files.\n";

struct Options {
  std::string config = "default", trace, stats;
  uint64_t maxCycles = UINT64_MAX;
  bool checkRaces = false;
  std::vector<std::string> command; // the program and its arguments
};

// Nothing when the command line is wrong, which has then been reported.
std::optional<Options> parseOptions(int argc, char **argv) {
  static const option kOptions[] = {{"config", required_argument, nullptr, 'c'},
                                    {"max-cycles", required_argument, nullptr, 'm'},
                                    {"trace", required_argument, nullptr, 't'},
                                    {"stats", required_argument, nullptr, 's'},
                                    {"check-races", no_argument, nullptr, 'r'},
                                    {"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  Options options;
  for (int c; (c = getopt_long(argc, argv, "+h", kOptions, nullptr)) != -1;) {
    switch (c) {
    case 'c': options.config = optarg; break;
    case 't': options.trace = optarg; break;
    case 's': options.stats = optarg; break;
    case 'r': options.checkRaces = true; break;
    case 'm': {
      const char *end = optarg + std::strlen(optarg);
      const auto parsed = std::from_chars(optarg, end, options.maxCycles);
      if (parsed.ec != std::errc() || parsed.ptr != end || options.maxCycles == 0) {
        std::fprintf(stderr, "npu-iss: --max-cycles %s: a positive number is needed\n", optarg);
        return {};
      }
      break;
    }
    case 'h': std::fputs(kUsage, stdout); std::exit(0);
    default: return {}; // getopt has said why
    }
  }
  options.command.assign(argv + optind, argv + argc);
  if (options.command.empty()) {
    std::fputs("npu-iss: no program given; --help lists the options\n", stderr);
    return {};
  }
  return options;
}

class ModelTarget : public SemihostTarget {
public:
  explicit ModelTarget(Model &model) : model_(model) {}
  uint32_t readRegister(unsigned number) override { return model_.reg(number); }
  void writeRegister(unsigned number, uint32_t value) override { model_.setReg(number, value); }
  bool readMemory(uint32_t address, void *out, size_t bytes) override {
    return model_.readMemory(address, out, bytes);
  }
  bool writeMemory(uint32_t address, const void *in, size_t bytes) override {
    return model_.writeMemory(address, in, bytes);
  }
  uint64_t cycles() override { return model_.steps(); }

private:
  Model &model_;
};

class Simulation {
public:
  Simulation(const MachineConfig &config, const ElfImage &image, const Options &options,
             std::FILE *trace)
      : model_(config), target_(model_), semihosting_(options.command),
        maxSteps_(options.maxCycles), trace_(trace) {
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

  int run() {
    for (;;) {
      switch (advance(maxSteps_ - model_.steps())) {
      case StopReason::Semihost:
        if (!semihosting_.call(target_))
          return semihosting_.exitStatus();
        model_.setPc(model_.pc() + 4);
        break;
      case StopReason::ToHost:
        return toHostStatus("npu-iss", model_.toHostValue());
      case StopReason::StepLimit:
        std::fprintf(stderr, "npu-iss: stopped after %" PRIu64 " instructions at pc 0x%08x "
                     "(--max-cycles; the model takes one cycle an instruction)\n",
                     model_.steps(), model_.pc());
        return kStatusBound;
      case StopReason::Asleep:
        std::fprintf(stderr, "npu-iss: wfi at pc 0x%08x waits for ever: no enabled interrupt can "
                     "become pending\n", model_.pc());
        return kStatusBound;
      case StopReason::UnhandledTrap:
        reportTrap();
        return kStatusAbnormal;
      case StopReason::Race:
        std::fprintf(stderr, "npu-iss: %s\n", races_->report().c_str());
        return kStatusAbnormal;
      }
    }
  }

  const Model &model() const { return model_; }

private:
  StopReason advance(uint64_t steps) {
    if (!trace_ && !races_)
      return model_.run(steps);
    for (uint64_t i = 0; i < steps; ++i) {
      uint32_t word = 0;
      model_.readMemory(model_.pc(), &word, sizeof word);
      const uint32_t source = model_.reg(rs1Field(word));
      RetireEvent event;
      const auto stop = model_.step(event);
      if (stop == StopReason::Semihost)
        return *stop;
      if (trace_)
        traceEvent(trace_, event);
      if (races_ && !races_->check(event, source))
        return StopReason::Race;
      if (stop)
        return *stop;
    }
    return StopReason::StepLimit;
  }

  void reportTrap() {
    const uint32_t cause = model_.readCsr(static_cast<unsigned>(Csr::mcause));
    const uint32_t epc = model_.readCsr(static_cast<unsigned>(Csr::mepc));
    uint32_t word = 0;
    model_.readMemory(epc, &word, 4);
    std::fprintf(stderr,
                 "npu-iss: unhandled trap: %s at pc 0x%08x (%s), mtval 0x%08x; no trap handler at "
                 "mtvec 0x%08x\n%s",
                 causeName(cause).data(), epc, disassemble(word, epc).c_str(),
                 model_.readCsr(static_cast<unsigned>(Csr::mtval)),
                 model_.readCsr(static_cast<unsigned>(Csr::mtvec)),
                 model_.describeState().c_str());
  }

  Model model_;
  ModelTarget target_;
  Semihosting semihosting_;
  const uint64_t maxSteps_;
  std::FILE *trace_;
  std::optional<RaceChecker> races_;
};

} // namespace

int main(int argc, char **argv) {
  const auto options = parseOptions(argc, argv);
  if (!options)
    return kStatusUsage;
  const MachineConfig *config = MachineConfig::find(options->config);
  if (!config) {
    std::fprintf(stderr, "npu-iss: --config %s: the configurations are default and large\n",
                 options->config.c_str());
    return kStatusUsage;
  }
  std::string error;
  const auto image = ElfImage::load(options->command[0], *config, error);
  if (!image) {
    std::fprintf(stderr, "npu-iss: %s\n", error.c_str());
    return kStatusUsage;
  }
  OutputFile trace, stats;
  if (!options->trace.empty() && !(trace = openOutput("npu-iss", options->trace)))
    return kStatusUsage;
  if (!options->stats.empty() && !(stats = openOutput("npu-iss", options->stats)))
    return kStatusUsage;

  Simulation simulation(*config, *image, *options, trace.get());
  const int status = simulation.run();
  if (stats)
    std::fprintf(stats.get(),
                 "{\"sim\":\"iss\",\"config\":\"%s\",\"instret\":%" PRIu64 ",\"macs\":%" PRIu64
                 ",\"dram_read_bytes\":%" PRIu64 ",\"dram_write_bytes\":%" PRIu64
                 ",\"exit\":%d}\n",
                 options->config.c_str(), simulation.model().retired(), simulation.model().macs(),
                 simulation.model().dramReadBytes(), simulation.model().dramWriteBytes(), status);
  return status;
}
