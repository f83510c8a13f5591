// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transport of gdb's remote serial protocol: a TCP connection from this host, packets with checksums
// and acknowledgements, and the interrupt character outside of packets.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace npu {

class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileDescriptor &operator=(FileDescriptor &&other) noexcept;
  ~FileDescriptor() { reset(); }
  void reset();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

private:
  int fd_ = -1;
};

class GdbConnection {
public:
  static constexpr size_t kPacketSize = 0x4000; // the most that a packet may hold

  explicit GdbConnection(FileDescriptor socket) : socket_(std::move(socket)) {}
  // Lets gdb read what was sent last, for a bounded time, before the connection goes away.
  ~GdbConnection();

  // The next packet's contents, escapes resolved. Waits for the user of gdb; nothing when gdb has
  // closed the connection or sends no valid packets. An interrupt character reads as "\3".
  std::optional<std::string> receive();
  bool send(std::string_view contents);
  // Whether gdb asks a running program to stop (or has gone); does not wait.
  bool interrupted();
  // From the next packet on.
  void stopAcknowledging() { acknowledges_ = false; }

private:
  // A byte, waiting at most so many milliseconds, or for ever if negative.
  std::optional<uint8_t> readByte(int timeout);
  bool writeAll(std::string_view bytes);

  FileDescriptor socket_;
  std::string input_; // received, not read yet
  size_t position_ = 0;
  bool acknowledges_ = true;
};

// Bytes to hexadecimal digits and back; nothing when text is not made of pairs of digits.
std::string toHex(std::string_view bytes);
std::optional<std::string> fromHex(std::string_view text);
// The hexadecimal number that text starts with, which is cut off. Nothing without a digit or when
// it has more than 32 bits.
std::optional<uint32_t> takeHexNumber(std::string_view &text);
// Cuts off prefix if text starts with it.
bool take(std::string_view &text, std::string_view prefix);

} // namespace npu
