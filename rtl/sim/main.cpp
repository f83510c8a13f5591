// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-rtl: runs a program on the Verilated RTL.

#include "gdb_server.h"
#include "options.h"
#include "simulation.h"
#include "simulator.h"

#include <cstdio>
#include <filesystem>

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

  if (const std::string &name = line->statsFunction; !name.empty()) {
    line->simulation.statsFunction = image->symbol(name);
    if (!line->simulation.statsFunction) {
      std::fprintf(stderr, "npu-rtl: --stats-function %s: %s has no such symbol\n", name.c_str(),
                   program.c_str());
      return kStatusUsage;
    }
  }

  OutputFile trace, stats, perfetto, konata;
  const std::pair<const std::string &, OutputFile &> outputs[] = {{line->traceFile, trace},
                                                                  {line->statsFile, stats},
                                                                  {line->perfettoFile, perfetto},
                                                                  {line->konataFile, konata}};
  for (const auto &[path, file] : outputs)
    if (!path.empty() && !(file = openOutput("npu-rtl", path)))
      return kStatusUsage;
  // The waveform writer does not report a file that it cannot open, nor one that takes no bytes.
  const std::string &waveFile = line->simulation.waveFile;
  if (!waveFile.empty()) {
    if (!openOutput("npu-rtl", waveFile))
      return kStatusUsage;
    if (!std::filesystem::is_regular_file(waveFile)) {
      std::fprintf(stderr, "npu-rtl: --wave %s: waves need a regular file\n", waveFile.c_str());
      return kStatusUsage;
    }
  }

  std::optional<InstructionCoverage> coverage;
  if (!line->coverageFile.empty() && !coverage.emplace().add(line->coverageFile)) {
    std::fprintf(stderr, "npu-rtl: %s: not a file of --coverage\n", line->coverageFile.c_str());
    return kStatusUsage;
  }

  std::optional<GdbServer> server;
  if (line->gdbPort && !(server = GdbServer::listen("npu-rtl", *line->gdbPort)))
    return kStatusUsage;

  line->simulation.coverage = coverage ? &*coverage : nullptr;
  line->simulation.trace = trace.get();
  line->simulation.perfetto = perfetto.get();
  line->simulation.konata = konata.get();
  rtl::Simulation simulation(*line->config, line->simulation, *image, line->arguments);
  const rtl::SimulationResult result = server ? simulation.debug(*server) : simulation.runToEnd();
  const int status = result.exitStatus();
  if (!result.report.empty()) {
    std::fflush(stdout);
    std::fprintf(stderr, "npu-rtl: %s", result.report.c_str());
  }
  simulation.finishTraces();
  if (stats)
    std::fputs(simulation.statistics(status).c_str(), stats.get());
  bool written = true;
  if (coverage && !coverage->write(line->coverageFile)) {
    std::fprintf(stderr, "npu-rtl: cannot write %s\n", line->coverageFile.c_str());
    written = false;
  }
  for (auto &[path, file] : outputs)
    written &= closeOutput("npu-rtl", path, std::move(file));
  return written ? status : kStatusUsage;
}
