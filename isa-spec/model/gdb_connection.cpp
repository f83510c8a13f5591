// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gdb_connection.h"

#include <cerrno>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace npu {

namespace {

constexpr int kByteTimeout = 5000;  // milliseconds within a packet, and for an acknowledgement
constexpr int kCloseTimeout = 2000; // for gdb to close its side
constexpr unsigned kRetries = 5;
constexpr char kInterrupt = '\3', kEscape = '}';

int digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return -1;
}

uint8_t checksum(std::string_view bytes) {
  uint8_t sum = 0;
  for (char byte : bytes)
    sum = static_cast<uint8_t>(sum + static_cast<uint8_t>(byte));
  return sum;
}

bool waitFor(int fd, int timeout) {
  pollfd request{fd, POLLIN, 0};
  int ready;
  do
    ready = ::poll(&request, 1, timeout);
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

} // namespace

FileDescriptor &FileDescriptor::operator=(FileDescriptor &&other) noexcept {
  if (this != &other) {
    reset();
    std::swap(fd_, other.fd_);
  }
  return *this;
}

void FileDescriptor::reset() {
  if (fd_ >= 0)
    ::close(fd_);
  fd_ = -1;
}

GdbConnection::~GdbConnection() {
  if (!socket_)
    return;
  ::shutdown(socket_.get(), SHUT_WR);
  while (readByte(kCloseTimeout)) {
  }
}

std::optional<uint8_t> GdbConnection::readByte(int timeout) {
  if (position_ == input_.size()) {
    if (!waitFor(socket_.get(), timeout))
      return {};
    char buffer[4096];
    ssize_t got;
    do
      got = ::recv(socket_.get(), buffer, sizeof buffer, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
      return {};
    input_.assign(buffer, static_cast<size_t>(got));
    position_ = 0;
  }
  return static_cast<uint8_t>(input_[position_++]);
}

bool GdbConnection::writeAll(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

std::optional<std::string> GdbConnection::receive() {
  for (unsigned failures = 0; failures < kRetries;) {
    const auto first = readByte(-1);
    if (!first)
      return {};
    if (*first == kInterrupt)
      return std::string(1, kInterrupt);
    if (*first != '$') // acknowledgements of what was sent
      continue;
    std::string raw;
    std::optional<uint8_t> byte;
    while ((byte = readByte(kByteTimeout)) && *byte != '#' && raw.size() <= 2 * kPacketSize)
      raw += static_cast<char>(*byte);
    const auto high = readByte(kByteTimeout), low = readByte(kByteTimeout);
    if (!byte || !high || !low)
      return {};
    if (acknowledges_ && (digit(static_cast<char>(*high)) << 4 |
                          digit(static_cast<char>(*low))) != checksum(raw)) {
      ++failures;
      if (!writeAll("-"))
        return {};
      continue;
    }
    if (acknowledges_ && !writeAll("+"))
      return {};
    std::string contents;
    for (size_t i = 0; i < raw.size(); ++i)
      contents += raw[i] == kEscape && i + 1 < raw.size() ? static_cast<char>(raw[++i] ^ 0x20)
                                                          : raw[i];
    return contents;
  }
  return {};
}

bool GdbConnection::send(std::string_view contents) {
  std::string escaped;
  for (char byte : contents) {
    if (byte == '$' || byte == '#' || byte == kEscape || byte == '*') {
      escaped += kEscape;
      byte ^= 0x20;
    }
    escaped += byte;
  }
  const uint8_t sum = checksum(escaped);
  const std::string packet =
      '$' + escaped + '#' + toHex({reinterpret_cast<const char *>(&sum), 1});
  for (unsigned attempt = 0; attempt < kRetries; ++attempt) {
    if (!writeAll(packet))
      return false;
    if (!acknowledges_)
      return true;
    const auto answer = readByte(kByteTimeout);
    if (!answer)
      return false;
    if (*answer == '+')
      return true;
  }
  return false;
}

bool GdbConnection::interrupted() {
  if (position_ == input_.size() && !waitFor(socket_.get(), 0))
    return false;
  const auto byte = readByte(0);
  return !byte || *byte == kInterrupt; // anything else is an acknowledgement
}

std::string toHex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (char byte : bytes) {
    text += kDigits[static_cast<uint8_t>(byte) >> 4];
    text += kDigits[static_cast<uint8_t>(byte) & 15];
  }
  return text;
}

std::optional<std::string> fromHex(std::string_view text) {
  std::string bytes;
  if (text.size() % 2 != 0)
    return {};
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = digit(text[i]), low = digit(text[i + 1]);
    if (high < 0 || low < 0)
      return {};
    bytes += static_cast<char>(high << 4 | low);
  }
  return bytes;
}

std::optional<uint32_t> takeHexNumber(std::string_view &text) {
  uint64_t value = 0;
  size_t used = 0;
  for (; used < text.size() && digit(text[used]) >= 0; ++used) {
    value = value << 4 | static_cast<unsigned>(digit(text[used]));
    if (value > UINT32_MAX)
      return {};
  }
  if (used == 0)
    return {};
  text.remove_prefix(used);
  return static_cast<uint32_t>(value);
}

bool take(std::string_view &text, std::string_view prefix) {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

} // namespace npu
