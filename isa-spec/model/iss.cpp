// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-iss: runs a program on the golden model.

#include "elf_image.h"
#include "gdb_server.h"
#include "iss_simulation.h"
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
    "  --gdb PORT              wait for gdb on 127.0.0.1:PORT; 0 picks a free port\n"
    "  --help                  print this\n"
    "The exit status is the program's; 125 after an unhandled trap or a race, 2 for bad options or files.\n";

struct Options {
  std::string config = "default", trace, stats;
  uint64_t maxCycles = UINT64_MAX;
  bool checkRaces = false;
  std::optional<uint16_t> gdbPort;
  std::vector<std::string> command; // the program and its arguments
};

// Nothing when the command line is wrong, which has then been reported.
std::optional<Options> parseOptions(int argc, char **argv) {
  static const option kOptions[] = {{"config", required_argument, nullptr, 'c'},
                                    {"max-cycles", required_argument, nullptr, 'm'},
                                    {"trace", required_argument, nullptr, 't'},
                                    {"stats", required_argument, nullptr, 's'},
                                    {"check-races", no_argument, nullptr, 'r'},
                                    {"gdb", required_argument, nullptr, 'g'},
                                    {"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  Options options;
  static char tool[] = "npu-iss"; // in getopt's messages
  if (argc > 0)
    argv[0] = tool;
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
    case 'g':
      if (!(options.gdbPort = parsePort("npu-iss", optarg)))
        return {};
      break;
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

  std::optional<GdbServer> server;
  if (options->gdbPort && !(server = GdbServer::listen("npu-iss", *options->gdbPort)))
    return kStatusUsage;

  IssSimulation simulation(*config, *image,
                           {options->maxCycles, options->checkRaces, trace.get()},
                           options->command);
  const auto [status, report] = server ? simulation.debug(*server) : simulation.runToEnd();
  if (!report.empty())
    std::fprintf(stderr, "npu-iss: %s", report.c_str());
  if (stats)
    std::fprintf(stats.get(),
                 "{\"sim\":\"iss\",\"config\":\"%s\",\"instret\":%" PRIu64 ",\"macs\":%" PRIu64
                 ",\"dram_read_bytes\":%" PRIu64 ",\"dram_write_bytes\":%" PRIu64
                 ",\"exit\":%d}\n",
                 options->config.c_str(), simulation.model().retired(), simulation.model().macs(),
                 simulation.model().dramReadBytes(), simulation.model().dramWriteBytes(), status);
  const bool traced = closeOutput("npu-iss", options->trace, std::move(trace));
  const bool counted = closeOutput("npu-iss", options->stats, std::move(stats));
  return traced && counted ? status : kStatusUsage;
}
