// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator.h"

#include "isa.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <cstdarg>
#include <cstring>
#include <utility>
#include <vector>

namespace npu {

std::string format(const char *text, ...) {
  char buffer[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

OutputFile openOutput(const char *tool, const std::string &path) {
  // Device and number of the files that are open: what two outputs share would hold neither.
  static std::vector<std::pair<dev_t, ino_t>> files;
  OutputFile file(std::fopen(path.c_str(), "a"));
  struct stat info;
  if (!file || fstat(fileno(file.get()), &info) != 0) {
    std::fprintf(stderr, "%s: cannot write %s: %s\n", tool, path.c_str(), std::strerror(errno));
    return nullptr;
  }
  if (!S_ISREG(info.st_mode))
    return file;
  const std::pair id(info.st_dev, info.st_ino);
  if (std::find(files.begin(), files.end(), id) != files.end()) {
    std::fprintf(stderr, "%s: cannot write %s: it is another output, too\n", tool, path.c_str());
    return nullptr;
  }
  files.push_back(id);
  file.reset(std::fopen(path.c_str(), "w"));
  return file;
}

bool closeOutput(const char *tool, const std::string &path, OutputFile file) {
  if (!file)
    return true;
  const bool lost = std::ferror(file.get()) != 0;
  if (std::fclose(file.release()) == 0 && !lost)
    return true;
  std::fprintf(stderr, "%s: cannot write all of %s: %s\n", tool, path.c_str(),
               std::strerror(errno));
  return false;
}

void traceEvent(std::FILE *out, const RetireEvent &event) {
  std::fprintf(out, "%10" PRIu64 " ", event.cycle);
  if (event.kind == RetireEvent::Kind::Interrupt) {
    std::fprintf(out, "%08x interrupt %u\n", event.pc, event.cause);
    return;
  }
  std::fprintf(out, "%08x %08x %s", event.pc, event.insn,
               disassemble(event.insn, event.pc).c_str());
  if (event.kind == RetireEvent::Kind::Trap)
    std::fprintf(out, "  trap %u tval %08x", event.cause, event.tval);
  if (event.rd != 0)
    std::fprintf(out, "  %s=%08x", registerName(event.rd).data(), event.rdValue);
  if (event.memReadMask != 0)
    std::fprintf(out, "  [%08x]", event.memAddress);
  if (event.memWriteMask != 0)
    std::fprintf(out, "  [%08x]=%x", event.memAddress, event.memWriteData);
  std::fputc('\n', out);
}

int toHostStatus(const char *tool, uint32_t value) {
  const uint32_t test = value >> 1;
  if (test == 0)
    return 0;
  std::fprintf(stderr, "%s: tohost reports failure of test %u\n", tool, test);
  return test < 256 ? static_cast<int>(test) : 1;
}

std::optional<uint16_t> parsePort(const char *tool, const char *text) {
  const char *end = text + std::strlen(text);
  uint16_t port = 0;
  const auto parsed = std::from_chars(text, end, port);
  if (parsed.ec == std::errc() && parsed.ptr == end)
    return port;
  std::fprintf(stderr, "%s: --gdb %s: not a port number in 0..65535\n", tool, text);
  return {};
}

} // namespace npu
