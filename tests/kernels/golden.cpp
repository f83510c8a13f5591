// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "golden.h"
#include "work_folder.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

namespace npu::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = NPU_SOURCE_DIR;
const fs::path kInputs = kRoot / "tests/kernels/Inputs";

struct Shell {
  int status; // exit status, -1 if a signal ended it
  std::string output;
};

Shell shell(const std::string &command) {
  const fs::path log = workFolder() / "log.txt";
  const int status = std::system(("(" + command + ") > " + log.string() + " 2>&1").c_str());
  std::ifstream file(log, std::ios::binary);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          std::string(std::istreambuf_iterator<char>(file), {})};
}

} // namespace

std::string goldenShell(const std::string &command) {
  const Shell done = shell(command);
  return done.status == 0 ? ""
                          : "'" + command + "' ended with status " + std::to_string(done.status) +
                                ":\n" + done.output;
}

std::string goldenMissing() {
  return std::getenv("NPU_PYPI_PYTHON") == nullptr
             ? "NPU_PYPI_PYTHON names no interpreter with ai-edge-litert"
             : "";
}

std::string makeGolden(const std::string &script, const std::string &arguments) {
  return goldenShell(std::string(std::getenv("NPU_PYPI_PYTHON")) + " " +
               (kInputs / "golden" / script).string() + " " + arguments);
}

fs::path goldenRunner(const std::string &family, std::string &error) {
  static std::map<std::string, std::string> errors;
  const fs::path program = workFolder() / ("run_" + family + ".elf");
  const fs::path sources = kInputs / "runner";
  if (errors.count(family) == 0)
    errors[family] =
        goldenShell((kRoot / "build/toolchain/bin/clang").string() + " --target=npu -O2 -Wall -Wextra -Werror -Wl,--gc-sections -I" +
              sources.string() + " " + (sources / "runner.c").string() + " " +
              (sources / ("run_" + family + ".c")).string() +
              // They print integers alone; all operators of a family beside the other printf exceed the ITCM. What has
              // no room there goes to DRAM.
              " -Wl,--gc-sections,--defsym=vfprintf=__i_vfprintf,--enable-non-contiguous-regions -lnpukernels -o " +
              program.string());
  error = errors[family];
  return program;
}

GoldenRun runGolden(const std::string &family, const fs::path &cases, Simulator simulator,
                    const std::string &place) {
  GoldenRun result;
  std::string error;
  const fs::path program = goldenRunner(family, error);
  if (!error.empty()) {
    result.failures.push_back(error);
    return result;
  }
  const char *command = simulator == Simulator::Iss           ? "npu-iss --check-races"
                        : simulator == Simulator::RtlLockstep ? "npu-rtl --lockstep"
                                                              : "npu-rtl --no-lockstep";
  const Shell done = shell((kRoot / "build/bin" / command).string() + " --max-cycles 4000000000 " +
                           program.string() + " " + cases.string() + " " + place);
  std::istringstream lines(done.output);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("CASE ", 0) == 0 && line.find(" ok ") != std::string::npos)
      ++result.passed;
    else if (line.rfind("CASE ", 0) == 0)
      result.failures.push_back(line);
    else
      rest += line + "\n";
  }
  if (done.status != 0 && (done.status != 1 || result.failures.empty()))
    result.failures.push_back(family + ": the runner ended with status " + std::to_string(done.status) +
                              " behind " + std::to_string(result.passed) + " good runs:\n" + rest);
  return result;
}

} // namespace npu::test
