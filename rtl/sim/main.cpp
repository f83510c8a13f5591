// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-rtl: runs a program on the Verilated RTL.

#include "gdb_server.h"
#include "options.h"
#include "simulation.h"
#include "simulator.h"

#include <cstdio>

using namespace npu;

int main(int argc, char **argv) {
  auto line = rtl::parseCommandLine(argc, argv);
  if (!line)
    return kStatusUsage;
  if (line->help) {
    std::fputs(rtl::kUsage, stdout);
    return 0;
  }
  const std::string &program = line->arguments.front();
  std::string error;
  const auto image = ElfImage::load(program, *line->config, error);
  if (!image) {
    std::fprintf(stderr, "npu-rtl: %s\n", error.c_str());
    return kStatusUsage;
  }

  OutputFile trace, stats;
  if (!line->traceFile.empty() && !(trace = openOutput("npu-rtl", line->traceFile)))
    return kStatusUsage;
  if (!line->statsFile.empty() && !(stats = openOutput("npu-rtl", line->statsFile)))
    return kStatusUsage;
  // The waveform writer does not report a file that it cannot open.
  const std::string &waveFile = line->simulation.waveFile;
  if (!waveFile.empty() && !openOutput("npu-rtl", waveFile))
    return kStatusUsage;

  std::optional<GdbServer> server;
  if (line->gdbPort && !(server = GdbServer::listen("npu-rtl", *line->gdbPort)))
    return kStatusUsage;

  line->simulation.trace = trace.get();
  rtl::Simulation simulation(*line->config, line->simulation, *image, line->arguments);
  const rtl::SimulationResult result = server ? simulation.debug(*server) : simulation.runToEnd();
  const int status = result.exitStatus();
  if (!result.report.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr, "npu-rtl: %s", result.report.c_str());
  }
  if (stats)
    std::fputs(simulation.statistics(status).c_str(), stats.get());
  const bool traced = closeOutput("npu-rtl", line->traceFile, std::move(trace));
  const bool counted = closeOutput("npu-rtl", line->statsFile, std::move(stats));
  return traced && counted ? status : kStatusUsage;
}
