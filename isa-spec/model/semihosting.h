// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of RISC-V semihosting: files, console, clock and exit for a program that runs on the
// model or on the RTL. The caller detects the call sequence, then resumes behind the ebreak.

#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace npu {

// What a semihosting call reads and writes of the machine that runs the program.
class SemihostTarget {
public:
  virtual ~SemihostTarget() = default;
  virtual uint32_t readRegister(unsigned number) = 0;
  virtual void writeRegister(unsigned number, uint32_t value) = 0;
  // False when the range is not wholly inside one memory region.
  virtual bool readMemory(uint32_t address, void *out, size_t bytes) = 0;
  virtual bool writeMemory(uint32_t address, const void *in, size_t bytes) = 0;
  // Core cycles since the start: the program's clock.
  virtual uint64_t cycles() = 0;
};

class Semihosting {
public:
  // The instruction words around the ebreak that make it a semihosting call.
  static constexpr uint32_t kEntryWord = 0x01f01013; // slli x0, x0, 0x1f
  static constexpr uint32_t kExitWord = 0x40705013;  // srai x0, x0, 7

  // SYS_CLOCK and SYS_TICKFREQ report simulated time at this nominal core clock.
  static constexpr uint32_t kTickFrequency = 100'000'000;

  // arguments[0] is the program's name; they become SYS_GET_CMDLINE's string.
  explicit Semihosting(std::vector<std::string> arguments);
  ~Semihosting();

  // True if the words at ebreakPc - 4, ebreakPc and ebreakPc + 4 form the call sequence.
  static bool isCall(SemihostTarget &target, uint32_t ebreakPc);

  // Serves the call described by a0 and a1 and puts the result in a0. Returns false when the
  // program has ended; exitStatus() then holds its status.
  bool call(SemihostTarget &target);

  int exitStatus() const { return exitStatus_; }

private:
  struct File;

  uint32_t serve(SemihostTarget &target, uint32_t operation, uint32_t block);
  uint32_t fail(int hostErrno);
  File *file(uint32_t handle);
  uint32_t open(SemihostTarget &target, uint32_t block);
  uint32_t read(SemihostTarget &target, uint32_t block);
  uint32_t write(SemihostTarget &target, uint32_t block);
  uint32_t commandLine(SemihostTarget &target, uint32_t block);

  std::vector<std::string> arguments_;
  std::vector<std::unique_ptr<File>> files_; // the handle is the index + 1
  int errno_ = 0;
  bool exited_ = false;
  int exitStatus_ = 0;
};

} // namespace npu
