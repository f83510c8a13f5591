// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stock archives were built with Polly linked in and ask for its plugin. This is the
// plugin that adds no pass.

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "no-polly", "", [](llvm::PassBuilder &) {}, nullptr};
}
