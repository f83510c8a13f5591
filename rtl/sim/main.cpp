// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-rtl: runs a program on the Verilated RTL.

#include "options.h"
#include "simulation.h"
#include "simulator.h"

#include <cstdio>

namespace {

using namespace npu;

int statusOf(const rtl::SimulationResult &result) {
  switch (result.outcome) {
  case rtl::Outcome::Exited:
    return result.status;
  case rtl::Outcome::CycleBound:
  case rtl::Outcome::Hang:
    return kStatusBound;
  case rtl::Outcome::Trap:
  case rtl::Outcome::Mismatch:
    break;
  }
  return kStatusAbnormal;
}

} // namespace

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

  line->simulation.trace = trace.get();
  rtl::Simulation simulation(*line->config, line->simulation, *image, line->arguments);
  const rtl::SimulationResult result = simulation.run();
  const int status = statusOf(result);
  if (!result.report.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr, "npu-rtl: %s", result.report.c_str());
  }
  if (stats)
    std::fputs(simulation.statistics(status).c_str(), stats.get());
  return status;
}
