// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-kgen: emits a C kernel that is specialised for one layer.

#include "generate.h"
#include "write_files.h"

#include "llvm/Support/CommandLine.h"

#include <filesystem>
#include <iostream>
#include <string>

namespace {

llvm::cl::OptionCategory category("npu-kgen options");
llvm::cl::opt<std::string> layerFile(llvm::cl::Positional, llvm::cl::Required,
                                     llvm::cl::desc("LAYER.json"), llvm::cl::cat(category));
llvm::cl::opt<std::string> outputFolder("o", llvm::cl::desc("Folder that gets NAME.c and NAME.h"),
                                        llvm::cl::value_desc("folder"), llvm::cl::init("."),
                                        llvm::cl::cat(category));

llvm::cl::opt<bool>
    ranking("ranking", llvm::cl::desc("Print all plans with their expected cycles, best first"),
            llvm::cl::cat(category));

} // namespace

int main(int argc, char **argv) {
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(argc, argv, "Emits a C kernel for one layer of the NPU\n");
  try {
    const npu::kgen::Layer layer = npu::kgen::readLayer(layerFile);
    const std::string source = std::filesystem::path(layerFile.getValue()).filename().string();
    const std::filesystem::path folder = outputFolder.getValue();
    const npu::kgen::Generated generated = npu::kgen::generate(layer, layerFile, source);
    std::error_code ignored;
    std::filesystem::create_directories(folder, ignored);
    npu::writeFiles<npu::kgen::LayerError>(
        {{(folder / (layer.name + ".h")).string(), generated.header},
         {(folder / (layer.name + ".c")).string(), generated.kernel}});
    if (ranking) {
      std::cout << generated.ranking;
      if (!std::cout.flush())
        throw npu::kgen::LayerError{"standard output: cannot be written"};
    }
  } catch (const npu::kgen::LayerError &error) {
    std::cerr << "npu-kgen: " << error.text << "\n";
    return 1;
  }
  return 0;
}
