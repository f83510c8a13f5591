// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an executable and checks that this machine can run it. Shared by the instruction-set
// simulator and the RTL harness.

#pragma once

#include "memory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace npu {

struct ElfImage {
  struct Segment {
    uint32_t address;            // load address (p_paddr)
    std::vector<uint8_t> bytes;  // file contents, zero filled to the memory size where the
                                 // segment runs where it is loaded
  };
  std::vector<Segment> segments;
  uint32_t entry = 0;
  std::map<std::string, uint32_t> symbols;   // of the symbol table; empty when stripped
  std::map<uint32_t, std::string> functions; // the functions among them, by address

  std::optional<uint32_t> symbol(const std::string &name) const;

  // Reads and checks the file. On failure returns nothing and sets error to one line that names
  // the file, the value and the rule.
  static std::optional<ElfImage> load(const std::string &path, const MachineConfig &config,
                                      std::string &error);
  // The same for the contents of a file that is called path in errors.
  static std::optional<ElfImage> parse(const std::string &path, std::string_view contents,
                                       const MachineConfig &config, std::string &error);
};

} // namespace npu
