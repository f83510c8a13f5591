// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "options.h"

#include "generated/npu_platform.h"
#include "simulator.h"

#include <getopt.h>

#include <charconv>
#include <cinttypes>
#include <cstdio>
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
    "  --perfetto FILE            write a trace for ui.perfetto.dev (JSON)\n"
    "  --konata FILE              write a pipeline log for Konata\n"
    "  --dram-latency N           cycles from a read address to its first beat (60)\n"
    "  --dram-bytes-per-cycle N   bandwidth of each direction, 1..16 (16)\n"
    "  --gdb PORT                 wait for gdb on 127.0.0.1:PORT; 0 picks a free port\n"
    "  --help\n";

namespace {

enum Option { kConfig = 1, kMaxCycles, kLockstep, kNoLockstep, kTrace, kWave, kStats, kPerfetto, kKonata, kLatency,
              kBytes, kGdb, kHelp };

constexpr option kOptions[] = {
    {"config", required_argument, nullptr, kConfig},
    {"max-cycles", required_argument, nullptr, kMaxCycles},
    {"lockstep", no_argument, nullptr, kLockstep},
    {"no-lockstep", no_argument, nullptr, kNoLockstep},
    {"trace", required_argument, nullptr, kTrace},
    {"wave", required_argument, nullptr, kWave},
    {"stats", required_argument, nullptr, kStats},
    {"perfetto", required_argument, nullptr, kPerfetto},
    {"konata", required_argument, nullptr, kKonata},
    {"dram-latency", required_argument, nullptr, kLatency},
    {"dram-bytes-per-cycle", required_argument, nullptr, kBytes},
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

} // namespace

std::optional<CommandLine> parseCommandLine(int argc, char **argv) {
  CommandLine line;
  line.config = MachineConfig::find("default");
  line.simulation.dram = {NPU_DRAM_MODEL_READ_LATENCY, NPU_DRAM_MODEL_BYTES_PER_CYCLE};
  int which;
  // getopt_long itself prints the line about an unknown option or a missing value.
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
  if (optind == argc) {
    std::fprintf(stderr, "npu-rtl: no program given; --help lists the options\n");
    return std::nullopt;
  }
  line.arguments.assign(argv + optind, argv + argc);
  return line;
}

} // namespace npu::rtl
