// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// npu-fuzz: writes one random program. The same options give the same bytes.

#include "generator.h"

#include <getopt.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

constexpr const char *kUsage =
    "usage: npu-fuzz [options] -o FILE.elf\n"
    "Writes a random program that ends by itself with status 0 and races with nothing.\n"
    "  --seed N                which program (default: 1)\n"
    "  --instructions N        about how many instructions long (default: 4000)\n"
    "  --config default|large  machine configuration (default: default)\n"
    "  --listing FILE          write the program as assembly\n"
    "  --help                  print this\n";

bool parseNumber(const char *option, const char *text, uint64_t &value) {
  const char *end = text + std::strlen(text);
  const auto parsed = std::from_chars(text, end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end)
    return true;
  std::fprintf(stderr, "npu-fuzz: --%s %s: a number is needed\n", option, text);
  return false;
}

bool writeFile(const std::string &path, const void *bytes, size_t size) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  const bool written = file && std::fwrite(bytes, 1, size, file) == size;
  if (!(file && std::fclose(file) == 0 && written)) {
    std::fprintf(stderr, "npu-fuzz: cannot write %s\n", path.c_str());
    return false;
  }
  return true;
}

std::string listing(const npu::fuzz::Program &program) {
  std::string text;
  for (const npu::fuzz::Section &section : program.code) {
    uint32_t pc = section.base();
    for (uint32_t word : section.words()) {
      char prefix[32];
      std::snprintf(prefix, sizeof prefix, "%08x: %08x  ", pc, word);
      text += prefix + npu::disassemble(word, pc) + '\n';
      pc += 4;
    }
  }
  return text;
}

} // namespace

int main(int argc, char **argv) {
  static const option kOptions[] = {{"seed", required_argument, nullptr, 's'},
                                    {"instructions", required_argument, nullptr, 'i'},
                                    {"config", required_argument, nullptr, 'c'},
                                    {"listing", required_argument, nullptr, 'l'},
                                    {"help", no_argument, nullptr, 'h'},
                                    {nullptr, 0, nullptr, 0}};
  uint64_t seed = 1, instructions = 4000;
  std::string configName = "default", listingFile, output;
  for (int c; (c = getopt_long(argc, argv, "o:h", kOptions, nullptr)) != -1;) {
    switch (c) {
    case 's':
      if (!parseNumber("seed", optarg, seed))
        return 2;
      break;
    case 'i':
      if (!parseNumber("instructions", optarg, instructions))
        return 2;
      break;
    case 'c': configName = optarg; break;
    case 'l': listingFile = optarg; break;
    case 'o': output = optarg; break;
    case 'h': std::fputs(kUsage, stdout); return 0;
    default: return 2; // getopt has said why
    }
  }
  if (output.empty() || optind != argc) {
    std::fputs("npu-fuzz: exactly -o FILE.elf is needed; --help lists the options\n", stderr);
    return 2;
  }
  const npu::MachineConfig *config = npu::MachineConfig::find(configName);
  if (!config) {
    std::fprintf(stderr, "npu-fuzz: --config %s: the configurations are default and large\n",
                 configName.c_str());
    return 2;
  }
  const auto program =
      npu::fuzz::Generator(seed, *config, static_cast<unsigned>(instructions)).generate();
  if (!writeFile(output, program.elf.data(), program.elf.size()))
    return 2;
  if (!listingFile.empty()) {
    const std::string text = listing(program);
    if (!writeFile(listingFile, text.data(), text.size()))
      return 2;
  }
  return 0;
}
