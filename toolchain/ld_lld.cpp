// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ld.lld with the ELF linker alone.

#include "lld/Common/Driver.h"
#include "llvm/Support/LLVMDriver.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

int main(int argc, char **argv) {
  const lld::DriverDef drivers[] = {{lld::Gnu, &lld::elf::link}};
  lld::Result result =
      lld::lldMain({argv, size_t(argc)}, llvm::outs(), llvm::errs(), drivers);
  // As lld's own driver: skip the destructors, the process ends here.
  llvm::sys::Process::Exit(result.retCode, /*NoCleanup=*/true);
}
