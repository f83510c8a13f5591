// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-netgen NETWORK.json -o FOLDER: writes a network as a C program.

#include "program.h"
#include "write_files.h"

#include <llvm/Support/CommandLine.h>
#include <llvm/Support/raw_ostream.h>

#include <npu_platform.h>

#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

namespace cl = llvm::cl;

static cl::OptionCategory category("Options");
static cl::opt<std::string> input(cl::Positional, cl::Required, cl::desc("NETWORK.json"),
                                  cl::cat(category));
static cl::opt<std::string> folder("o", cl::Required, cl::value_desc("FOLDER"),
                                   cl::desc("where NAME.c, NAME.h and NAME.bin go"),
                                   cl::cat(category));
static cl::opt<uint32_t> tcm("tcm", cl::init(108 << 10), cl::value_desc("BYTES"),
                             cl::desc("scratchpad for activations and constants (110592)"),
                             cl::cat(category));
static cl::opt<uint32_t> dram("dram", cl::init(NPU_DEFAULT_DRAM_SIZE), cl::value_desc("BYTES"),
                              cl::desc("DRAM for constants, input and output (all of it)"),
                              cl::cat(category));
static cl::opt<bool> map("map", cl::desc("print where everything lies, and when"),
                         cl::cat(category));

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Generates the program of a quantized network for the NPU.\n");
  try {
    const npu::netgen::Program program =
        npu::netgen::makeProgram(npu::netgen::readNetwork(input), {tcm, dram});
    const std::string base =
        (std::filesystem::path(std::string(folder)) / program.network.name).string();
    std::error_code ignored;
    std::filesystem::create_directories(std::string(folder), ignored);
    std::ostringstream source, header;
    emitSource(source, program);
    emitHeader(header, program);
    npu::writeFiles<npu::netgen::NetworkError>(
        {{base + ".c", source.str()},
         {base + ".h", header.str()},
         {base + ".bin", std::string(program.constants.begin(), program.constants.end())}});
    if (map) {
      program.tcm.print(std::cout);
      program.dram.print(std::cout);
      if (!std::cout.flush())
        throw npu::netgen::NetworkError("standard output: cannot be written");
    }
  } catch (const npu::netgen::NetworkError &error) {
    llvm::errs() << "npu-netgen: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
