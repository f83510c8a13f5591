// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "options.h"

#include "generated/npu_platform.h"
#include "simulator.h"

#include <getopt.h>

#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace npu::rtl {

const char kUsage[] =
    "usage: npu-rtl [options] PROG.elf [ARGS...]\n"
    "Runs a program on the NPU's RTL.\n"
    "  --config default|large     memory configuration (default)\n"
    "  --max-cycles N             stop with status 124 after N cycles; 0: no bound (0)\n"
    "  --lockstep, --no-lockstep  check every instruction against the golden model (on)\n"
    "  --trace FILE               write one line for each retired instruction\n"
    "  --wave FILE                write the waveforms of all signals (FST)\n"
    "  --stats FILE               write counts as one JSON object\n"
    "  --stats-function NAME      add the counts of each call of a function\n"
    "  --coverage FILE            add to the counts of instructions, operands and hazards in FILE\n"
    "  --perfetto FILE            write a trace for ui.perfetto.dev (JSON)\n"
    "  --konata FILE              write a pipeline log for Konata\n"
    "  --dram-latency N           cycles from a read address to its first beat (60)\n"
    "  --dram-bytes-per-cycle N   bandwidth of each direction, 1..16 (16)\n"
    "  --irq-external N           an external interrupt 1, 2, ... N cycles behind its last handler\n"
    "  --dram-error A,BYTES[,slv|dec]  the bus answers accesses to these bytes with an error\n"
    "  --gdb PORT                 wait for gdb on 127.0.0.1:PORT; 0 picks a free port\n"
    "  --help\n";

namespace {

enum Option { kConfig = 1, kMaxCycles, kLockstep, kNoLockstep, kTrace, kWave, kStats, kStatsFunction, kCoverage, kPerfetto, kKonata, kLatency,
              kBytes, kInterrupts, kBusError, kGdb, kHelp };

constexpr option kOptions[] = {
    {"config", required_argument, nullptr, kConfig},
    {"max-cycles", required_argument, nullptr, kMaxCycles},
    {"lockstep", no_argument, nullptr, kLockstep},
    {"no-lockstep", no_argument, nullptr, kNoLockstep},
    {"trace", required_argument, nullptr, kTrace},
    {"wave", required_argument, nullptr, kWave},
    {"stats", required_argument, nullptr, kStats},
    {"stats-function", required_argument, nullptr, kStatsFunction},
    {"coverage", required_argument, nullptr, kCoverage},
    {"perfetto", required_argument, nullptr, kPerfetto},
    {"konata", required_argument, nullptr, kKonata},
    {"dram-latency", required_argument, nullptr, kLatency},
    {"dram-bytes-per-cycle", required_argument, nullptr, kBytes},
    {"irq-external", required_argument, nullptr, kInterrupts},
    {"dram-error", required_argument, nullptr, kBusError},
    {"gdb", required_argument, nullptr, kGdb},
    {"help", no_argument, nullptr, kHelp},
    {}};

template <typename T> bool number(const char *option, const char *text, T low, T high, T &value) {
  const std::string_view view = text;
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), value);
  if (error == std::errc{} && end == view.data() + view.size() && value >= low && value <= high)
    return true;
  std::fprintf(stderr, "npu-rtl: --%s %s: not a number in %" PRIu64 "..%" PRIu64 "\n", option, text,
               uint64_t{low}, uint64_t{high});
  return false;
}

// FIRST,BYTES[,slv|dec]; the address in hexadecimal with 0x, or decimal.
bool busError(const char *text, SimulationOptions::BusError &error) {
  char *end;
  const unsigned long long first = std::strtoull(text, &end, 0);
  const unsigned long long bytes = *end == ',' ? std::strtoull(end + 1, &end, 0) : 0;
  const std::string_view kind = end;
  error.range = {static_cast<uint32_t>(first), static_cast<uint32_t>(bytes)};
  error.response = kind == ",dec" ? kAxiDecodeError : kAxiSlaveError;
  if ((kind.empty() || kind == ",slv" || kind == ",dec") && bytes != 0 && first >= NPU_DRAM_BASE &&
      first + bytes <= uint64_t{1} << 32)
    return true;
  std::fprintf(stderr, "npu-rtl: --dram-error %s: not ADDRESS,BYTES or ADDRESS,BYTES,slv or "
                       "ADDRESS,BYTES,dec in DRAM\n", text);
  return false;
}

} // namespace

std::optional<CommandLine> parseCommandLine(int argc, char **argv) {
  CommandLine line;
  line.config = MachineConfig::find("default");
  line.simulation.dram = {NPU_DRAM_MODEL_READ_LATENCY, NPU_DRAM_MODEL_BYTES_PER_CYCLE};
  int which;
  // getopt_long itself prints the line about an unknown option or a missing value, with this name.
  static char tool[] = "npu-rtl";
  if (argc > 0)
    argv[0] = tool;
  while ((which = getopt_long(argc, argv, "+", kOptions, nullptr)) != -1) {
    bool ok = true;
    switch (which) {
    case kConfig:
      line.config = MachineConfig::find(optarg);
      if (!line.config)
        std::fprintf(stderr, "npu-rtl: --config %s: the configurations are default and large\n",
                     optarg);
      ok = line.config != nullptr;
      break;
    case kMaxCycles:
      ok = number<uint64_t>("max-cycles", optarg, 0, UINT64_MAX, line.simulation.maxCycles);
      break;
    case kLockstep:
    case kNoLockstep:
      line.simulation.lockstep = which == kLockstep;
      break;
    case kTrace:
      line.traceFile = optarg;
      break;
    case kWave:
      line.simulation.waveFile = optarg;
      break;
    case kStats:
      line.statsFile = optarg;
      break;
    case kStatsFunction:
      line.statsFunction = optarg;
      break;
    case kCoverage:
      line.coverageFile = optarg;
      break;
    case kPerfetto:
      line.perfettoFile = optarg;
      break;
    case kKonata:
      line.konataFile = optarg;
      break;
    case kLatency:
      ok = number("dram-latency", optarg, 1u, 100'000u, line.simulation.dram.readLatency);
      break;
    case kBytes:
      ok = number("dram-bytes-per-cycle", optarg, 1u, kAxiBytes,
                  line.simulation.dram.bytesPerCycle);
      break;
    case kInterrupts:
      ok = number("irq-external", optarg, 1u, 1'000'000u, line.simulation.externalInterrupts);
      break;
    case kBusError:
      ok = busError(optarg, line.simulation.busErrors.emplace_back());
      break;
    case kGdb:
      line.gdbPort = parsePort("npu-rtl", optarg);
      ok = line.gdbPort.has_value();
      break;
    case kHelp:
      line.help = true;
      return line;
    default:
      ok = false;
    }
    if (!ok)
      return std::nullopt;
  }
  if (!line.statsFunction.empty() && line.statsFile.empty()) {
    std::fprintf(stderr, "npu-rtl: --stats-function %s: needs --stats\n",
                 line.statsFunction.c_str());
    return std::nullopt;
  }
  if (!line.coverageFile.empty() && !line.simulation.lockstep) {
    std::fputs("npu-rtl: --coverage needs --lockstep\n", stderr);
    return std::nullopt;
  }
  if (optind == argc) {
    std::fprintf(stderr, "npu-rtl: no program given; --help lists the options\n");
    return std::nullopt;
  }
  line.arguments.assign(argv + optind, argv + argc);
  return line;
}

} // namespace npu::rtl
