// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "semihosting.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace npu {

namespace {

enum Operation : uint32_t {
  SYS_OPEN = 0x01,
  SYS_CLOSE = 0x02,
  SYS_WRITEC = 0x03,
  SYS_WRITE0 = 0x04,
  SYS_WRITE = 0x05,
  SYS_READ = 0x06,
  SYS_READC = 0x07,
  SYS_ISERROR = 0x08,
  SYS_ISTTY = 0x09,
  SYS_SEEK = 0x0a,
  SYS_FLEN = 0x0c,
  SYS_TMPNAM = 0x0d,
  SYS_REMOVE = 0x0e,
  SYS_RENAME = 0x0f,
  SYS_CLOCK = 0x10,
  SYS_TIME = 0x11,
  SYS_SYSTEM = 0x12,
  SYS_ERRNO = 0x13,
  SYS_GET_CMDLINE = 0x15,
  SYS_HEAPINFO = 0x16,
  SYS_EXIT = 0x18,
  SYS_EXIT_EXTENDED = 0x20,
  SYS_ELAPSED = 0x30,
  SYS_TICKFREQ = 0x31,
};

constexpr uint32_t kFailure = ~0u;
constexpr uint32_t kApplicationExit = 0x20026; // ADP_Stopped_ApplicationExit
constexpr unsigned kA0 = 10, kA1 = 11;
constexpr size_t kMaxString = 1 << 16; // of a path or a message: keeps a bad pointer bounded
constexpr size_t kChunk = 1 << 16;

// Parameter block word n.
bool readWord(SemihostTarget &target, uint32_t block, unsigned n, uint32_t &value) {
  return target.readMemory(block + 4 * n, &value, sizeof value);
}

template <typename... Words>
bool readWords(SemihostTarget &target, uint32_t block, Words &...words) {
  unsigned n = 0;
  return (readWord(target, block, n++, words) && ...);
}

// A string of known length.
bool readString(SemihostTarget &target, uint32_t address, uint32_t length, std::string &text) {
  if (length > kMaxString)
    return false;
  text.resize(length);
  return target.readMemory(address, text.data(), length);
}

bool writeAll(int fd, const char *bytes, size_t size) {
  while (size != 0) {
    const ssize_t written = ::write(fd, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

// What the special file ":semihosting-features" holds: a magic number, then a bit for each extension.
constexpr char kFeatures[] = {'S', 'H', 'F', 'B', 0x3}; // SYS_EXIT_EXTENDED, stderr as a console of its own

int openFeatures() {
  const int fd = ::memfd_create("semihosting-features", MFD_CLOEXEC);
  if (fd >= 0 && (!writeAll(fd, kFeatures, sizeof kFeatures) || ::lseek(fd, 0, SEEK_SET) != 0)) {
    ::close(fd);
    return -1;
  }
  return fd;
}

// fopen modes r, rb, r+, r+b, w, wb, w+, w+b, a, ... of SYS_OPEN, which count from 0 to 11.
int openFlags(uint32_t mode) {
  const bool update = mode & 2;
  switch (mode / 4) {
  case 0: return update ? O_RDWR : O_RDONLY;
  case 1: return (update ? O_RDWR : O_WRONLY) | O_CREAT | O_TRUNC;
  default: return (update ? O_RDWR : O_WRONLY) | O_CREAT | O_APPEND;
  }
}

} // namespace

struct Semihosting::File {
  int fd;
  bool owned; // closed with the handle; not so for the console
  ~File() {
    if (owned)
      ::close(fd);
  }
};

Semihosting::Semihosting(std::vector<std::string> arguments) : arguments_(std::move(arguments)) {}
Semihosting::~Semihosting() = default;

bool Semihosting::isCall(SemihostTarget &target, uint32_t ebreakPc) {
  uint32_t before = 0, after = 0;
  return target.readMemory(ebreakPc - 4, &before, 4) && target.readMemory(ebreakPc + 4, &after, 4) &&
         before == kEntryWord && after == kExitWord;
}

bool Semihosting::call(SemihostTarget &target) {
  const uint32_t result = serve(target, target.readRegister(kA0), target.readRegister(kA1));
  if (!exited_)
    target.writeRegister(kA0, result);
  return !exited_;
}

uint32_t Semihosting::fail(int hostErrno) {
  errno_ = hostErrno;
  return kFailure;
}

Semihosting::File *Semihosting::file(uint32_t handle) {
  return handle >= 1 && handle <= files_.size() ? files_[handle - 1].get() : nullptr;
}

uint32_t Semihosting::serve(SemihostTarget &target, uint32_t operation, uint32_t block) {
  uint32_t p0 = 0, p1 = 0, p2 = 0, p3 = 0;
  std::string name, other;
  struct stat status;
  switch (operation) {
  case SYS_OPEN:
    return open(target, block);
  case SYS_CLOSE:
    if (!readWords(target, block, p0))
      return fail(EFAULT);
    if (!file(p0))
      return fail(EBADF);
    files_[p0 - 1].reset();
    return 0;
  case SYS_WRITEC: {
    char c = 0;
    if (target.readMemory(block, &c, 1))
      writeAll(STDOUT_FILENO, &c, 1);
    return 0;
  }
  case SYS_WRITE0: {
    std::string text;
    for (char c; text.size() < kMaxString && target.readMemory(block, &c, 1) && c != 0; ++block)
      text += c;
    writeAll(STDOUT_FILENO, text.data(), text.size());
    return 0;
  }
  case SYS_WRITE:
    return write(target, block);
  case SYS_READ:
    return read(target, block);
  case SYS_READC: {
    unsigned char c;
    return ::read(STDIN_FILENO, &c, 1) == 1 ? c : kFailure;
  }
  case SYS_ISERROR:
    if (!readWords(target, block, p0))
      return fail(EFAULT);
    return static_cast<int32_t>(p0) < 0 ? 1 : 0;
  case SYS_ISTTY:
    if (!readWords(target, block, p0))
      return fail(EFAULT);
    if (!file(p0))
      return fail(EBADF);
    return ::isatty(file(p0)->fd) ? 1 : 0;
  case SYS_SEEK:
    if (!readWords(target, block, p0, p1))
      return fail(EFAULT);
    if (!file(p0))
      return fail(EBADF);
    return ::lseek(file(p0)->fd, static_cast<off_t>(p1), SEEK_SET) < 0 ? fail(errno) : 0;
  case SYS_FLEN:
    if (!readWords(target, block, p0))
      return fail(EFAULT);
    if (!file(p0))
      return fail(EBADF);
    if (::fstat(file(p0)->fd, &status) != 0)
      return fail(errno);
    return status.st_size > INT32_MAX ? fail(EOVERFLOW) : static_cast<uint32_t>(status.st_size);
  case SYS_TMPNAM: {
    if (!readWords(target, block, p0, p1, p2))
      return fail(EFAULT);
    const std::string path =
        "/tmp/npu-" + std::to_string(::getpid()) + '-' + std::to_string(p1 & 255);
    if (p2 <= path.size() || !target.writeMemory(p0, path.c_str(), path.size() + 1))
      return fail(EFAULT);
    return 0;
  }
  case SYS_REMOVE:
    if (!readWords(target, block, p0, p1) || !readString(target, p0, p1, name))
      return fail(EFAULT);
    return ::remove(name.c_str()) == 0 ? 0 : fail(errno);
  case SYS_RENAME:
    if (!readWords(target, block, p0, p1, p2, p3) || !readString(target, p0, p1, name) ||
        !readString(target, p2, p3, other))
      return fail(EFAULT);
    return ::rename(name.c_str(), other.c_str()) == 0 ? 0 : fail(errno);
  case SYS_CLOCK: // centiseconds
    return static_cast<uint32_t>(target.cycles() / (kTickFrequency / 100));
  case SYS_TIME:
    return static_cast<uint32_t>(std::time(nullptr));
  case SYS_SYSTEM: // a program does not get to run commands on the host
    return fail(ENOSYS);
  case SYS_ERRNO:
    return static_cast<uint32_t>(errno_);
  case SYS_GET_CMDLINE:
    return commandLine(target, block);
  case SYS_HEAPINFO: {
    // Zeros: the program's own linker script knows better.
    const uint32_t unknown[4] = {};
    if (!readWords(target, block, p0) || !target.writeMemory(p0, unknown, sizeof unknown))
      return fail(EFAULT);
    return 0;
  }
  case SYS_EXIT: // on a 32-bit target the parameter is the reason itself
    exited_ = true;
    exitStatus_ = block == kApplicationExit ? 0 : 1;
    return 0;
  case SYS_EXIT_EXTENDED:
    exited_ = true;
    exitStatus_ = 1;
    if (readWords(target, block, p0, p1) && p0 == kApplicationExit)
      exitStatus_ = static_cast<int>(p1 & 255);
    return 0;
  case SYS_ELAPSED: {
    const uint64_t cycles = target.cycles();
    return target.writeMemory(block, &cycles, sizeof cycles) ? 0 : fail(EFAULT);
  }
  case SYS_TICKFREQ:
    return kTickFrequency;
  default:
    return fail(ENOSYS);
  }
}

uint32_t Semihosting::open(SemihostTarget &target, uint32_t block) {
  uint32_t address, mode, length;
  std::string name;
  if (!readWords(target, block, address, mode, length) ||
      !readString(target, address, length, name))
    return fail(EFAULT);
  if (mode > 11)
    return fail(EINVAL);
  auto opened = std::make_unique<File>();
  if (name == ":tt") { // the console: the mode says which stream
    opened->fd = mode < 4 ? STDIN_FILENO : mode < 8 ? STDOUT_FILENO : STDERR_FILENO;
    opened->owned = false;
  } else {
    opened->fd = name == ":semihosting-features" ? openFeatures()
                                                : ::open(name.c_str(), openFlags(mode) | O_CLOEXEC, 0666);
    opened->owned = opened->fd >= 0;
    if (opened->fd < 0)
      return fail(errno);
  }
  auto slot = std::find(files_.begin(), files_.end(), nullptr);
  if (slot == files_.end())
    slot = files_.insert(slot, nullptr);
  *slot = std::move(opened);
  return static_cast<uint32_t>(slot - files_.begin()) + 1;
}

// SYS_READ and SYS_WRITE return the number of bytes that were not transferred.
uint32_t Semihosting::read(SemihostTarget &target, uint32_t block) {
  uint32_t handle, address, size;
  if (!readWords(target, block, handle, address, size))
    return fail(EFAULT);
  if (!file(handle))
    return fail(EBADF);
  std::vector<char> chunk(std::min<size_t>(size, kChunk));
  const ssize_t got = ::read(file(handle)->fd, chunk.data(), chunk.size());
  if (got < 0)
    return fail(errno);
  if (!target.writeMemory(address, chunk.data(), static_cast<size_t>(got)))
    return fail(EFAULT);
  return size - static_cast<uint32_t>(got);
}

uint32_t Semihosting::write(SemihostTarget &target, uint32_t block) {
  uint32_t handle, address, size;
  if (!readWords(target, block, handle, address, size))
    return fail(EFAULT);
  if (!file(handle))
    return fail(EBADF);
  std::vector<char> chunk(std::min<size_t>(size, kChunk));
  while (size != 0) {
    const size_t part = std::min<size_t>(size, chunk.size());
    if (!target.readMemory(address, chunk.data(), part)) {
      errno_ = EFAULT;
      break;
    }
    if (!writeAll(file(handle)->fd, chunk.data(), part)) {
      errno_ = errno;
      break;
    }
    address += static_cast<uint32_t>(part);
    size -= static_cast<uint32_t>(part);
  }
  return size;
}

uint32_t Semihosting::commandLine(SemihostTarget &target, uint32_t block) {
  uint32_t address, size;
  if (!readWords(target, block, address, size))
    return fail(EFAULT);
  std::string line;
  for (const std::string &argument : arguments_)
    line += (line.empty() ? "" : " ") + argument;
  const uint32_t length = static_cast<uint32_t>(line.size());
  if (size <= length || !target.writeMemory(address, line.c_str(), length + 1) ||
      !target.writeMemory(block + 4, &length, sizeof length))
    return fail(E2BIG);
  return 0;
}

} // namespace npu
