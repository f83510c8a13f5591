// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "gdb_server.h"

#include "gdb_target.h"
#include "simulator.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unordered_set>
#include <vector>

namespace npu {

namespace {

constexpr int kConnectTimeout = 600'000; // milliseconds

// Signal numbers of the protocol.
enum Signal : unsigned { kSigInt = 2, kSigIll = 4, kSigTrap = 5, kSigAbrt = 6, kSigBus = 10,
                         kSigSegv = 11 };

unsigned signalOf(uint32_t mcause) {
  switch (static_cast<Cause>(mcause)) {
  case Cause::Illegal: return kSigIll;
  case Cause::FetchFault: case Cause::LoadFault: case Cause::StoreFault: return kSigSegv;
  case Cause::FetchMisaligned: case Cause::LoadMisaligned: case Cause::StoreMisaligned:
    return kSigBus;
  case Cause::Breakpoint: return kSigTrap;
  default: return kSigAbrt;
  }
}

struct Watchpoint {
  uint32_t address, size;
  bool reads, writes;
  std::string contents; // as seen last
  bool operator==(const Watchpoint &other) const {
    return address == other.address && size == other.size && reads == other.reads &&
           writes == other.writes;
  }
};

class Session {
public:
  Session(GdbConnection &connection, DebugMachine &machine)
      : connection_(connection), machine_(machine) {}

  std::optional<DebugStop> run();

private:
  using Reply = std::optional<std::string>; // a stop to tell gdb about

  // Instructions between two looks at the connection where each one is observed.
  static constexpr unsigned kPollInterval = 512;

  std::string answer(std::string_view packet);
  std::string query(std::string_view packet);
  std::string transferFeatures(std::string_view range);
  std::string monitor(std::string_view hexCommand);
  std::string readRegisters();
  std::string writeRegisters(std::string_view hexBytes);
  std::string readMemory(std::string_view arguments);
  std::string writeMemory(std::string_view arguments, bool binary);
  std::string changePoint(std::string_view arguments, bool present);
  std::string passSignals(std::string_view list);
  std::string vCont(std::string_view actions);

  std::string resume(bool step, uint32_t rangeBegin = 0, uint32_t rangeEnd = 0);
  Reply goOn();
  Reply observedSlice();
  Reply stepRange(uint32_t begin, uint32_t end);
  Reply stepInstruction();
  Reply stepOnce(std::optional<RetireEvent> &event);
  Reply runHandler(uint32_t returnPc, uint32_t stackPointer);
  Reply interrupted();
  Reply report(DebugStop &&stop);
  Reply watched(const RetireEvent &event);
  void refreshWatchpoints();
  bool atBreakpoint() { return breakpoints_.contains(machine_.pc()); }

  GdbConnection &connection_;
  DebugMachine &machine_;
  std::unordered_set<uint32_t> breakpoints_;
  std::vector<Watchpoint> watchpoints_;
  std::unordered_set<unsigned> passedSignals_;
  std::string lastStop_ = "T05";
  std::optional<DebugStop> failed_; // the run cannot go on from here
  std::optional<DebugStop> end_;    // the session is over
  bool detached_ = false;
};

std::string signalReply(unsigned signal, std::string_view detail = {}) {
  return format("T%02x", signal) + std::string(detail);
}

std::optional<DebugStop> Session::run() {
  if (auto reply = report(machine_.settle()))
    lastStop_ = *reply;
  while (!end_ && !detached_) {
    const auto packet = connection_.receive();
    if (!packet || !connection_.send(answer(*packet))) {
      end_ = DebugStop{.kind = DebugStop::Kind::Ended,
                       .status = kStatusAbnormal,
                       .report = "gdb has closed the connection; the program is ended\n"};
    } else if (*packet == "QStartNoAckMode") {
      connection_.stopAcknowledging();
    }
  }
  if (detached_)
    for (const uint32_t pc : breakpoints_)
      machine_.setBreakpoint(pc, false);
  return end_;
}

std::string Session::answer(std::string_view packet) {
  if (packet.empty())
    return "";
  std::string_view rest = packet.substr(1);
  switch (packet[0]) {
  case '\3': return lastStop_ = signalReply(kSigInt); // it has stopped already
  case '?': return lastStop_;
  case 'g': return readRegisters();
  case 'G': return writeRegisters(rest);
  case 'p': {
    const auto number = takeHexNumber(rest);
    const std::string bytes = number ? readGdbRegister(machine_, *number) : "";
    return bytes.empty() ? "E01" : toHex(bytes);
  }
  case 'P': {
    const auto number = takeHexNumber(rest);
    const auto bytes = number && take(rest, "=") ? fromHex(rest) : std::nullopt;
    return bytes && writeGdbRegister(machine_, *number, *bytes) ? "OK" : "E01";
  }
  case 'm': return readMemory(rest);
  case 'M': return writeMemory(rest, false);
  case 'X': return writeMemory(rest, true);
  case 'Z': return changePoint(rest, true);
  case 'z': return changePoint(rest, false);
  case 'c': case 'C': return resume(false);
  case 's': case 'S': return resume(true);
  case 'H': case 'T': return "OK"; // there is one thread
  case 'D':
    detached_ = true;
    return "OK";
  case 'k':
    end_ = DebugStop{.kind = DebugStop::Kind::Ended};
    return "OK";
  case 'v':
    if (take(packet, "vCont;"))
      return vCont(packet);
    if (packet == "vCont?")
      return "vCont;c;C;s;S;r";
    if (packet.starts_with("vKill")) {
      end_ = DebugStop{.kind = DebugStop::Kind::Ended};
      return "OK";
    }
    return "";
  case 'q': case 'Q': return query(packet);
  default: return "";
  }
}

// --- Queries ---

std::string Session::query(std::string_view packet) {
  if (packet.starts_with("qSupported"))
    return format("PacketSize=%zx;QStartNoAckMode+;qXfer:features:read+;swbreak+;hwbreak+;"
                  "vContSupported+;QPassSignals+",
                  GdbConnection::kPacketSize);
  if (packet == "QStartNoAckMode")
    return "OK";
  if (take(packet, "qXfer:features:read:target.xml:"))
    return transferFeatures(packet);
  if (take(packet, "QPassSignals:"))
    return passSignals(packet);
  if (take(packet, "qRcmd,"))
    return monitor(packet);
  if (packet == "qC")
    return "QC1";
  if (packet == "qfThreadInfo")
    return "m1";
  if (packet == "qsThreadInfo")
    return "l";
  if (packet.starts_with("qAttached"))
    return "0"; // quitting gdb ends the simulation
  if (packet.starts_with("qSymbol"))
    return "OK";
  return "";
}

std::string Session::transferFeatures(std::string_view range) {
  const auto offset = takeHexNumber(range);
  const auto size = offset && take(range, ",") ? takeHexNumber(range) : std::nullopt;
  const std::string &text = gdbTargetDescription();
  if (!size || *offset > text.size())
    return "E01";
  const size_t bytes = std::min<size_t>(*size, GdbConnection::kPacketSize / 2);
  const bool last = *offset + bytes >= text.size();
  return (last ? "l" : "m") + text.substr(*offset, bytes);
}

std::string Session::monitor(std::string_view hexCommand) {
  const auto command = fromHex(hexCommand);
  if (command == "cycles")
    return toHex(format("%" PRIu64 " cycles\n", machine_.cycles()));
  return toHex("commands of this simulator:\n  monitor cycles   cycles since reset\n");
}

std::string Session::passSignals(std::string_view list) {
  passedSignals_.clear();
  while (const auto signal = takeHexNumber(list)) {
    passedSignals_.insert(*signal);
    take(list, ";");
  }
  return "OK";
}

// --- State ---

std::string Session::readRegisters() {
  std::string bytes;
  for (unsigned number = 0; number < kGdbCoreRegisters; ++number)
    bytes += readGdbRegister(machine_, number);
  if (failed_ && failed_->pc)
    std::memcpy(bytes.data() + bytes.size() - 4, &*failed_->pc, 4);
  return toHex(bytes);
}

std::string Session::writeRegisters(std::string_view hexBytes) {
  const auto bytes = fromHex(hexBytes);
  if (!bytes || bytes->size() < 4 * kGdbCoreRegisters)
    return "E01";
  for (unsigned number = 0; number < kGdbCoreRegisters; ++number)
    writeGdbRegister(machine_, number, bytes->substr(4 * number, 4));
  return "OK";
}

std::string Session::readMemory(std::string_view arguments) {
  const auto address = takeHexNumber(arguments);
  const auto size = address && take(arguments, ",") ? takeHexNumber(arguments) : std::nullopt;
  if (!size || *size > GdbConnection::kPacketSize / 2)
    return "E01";
  std::string bytes(*size, '\0');
  return machine_.readMemory(*address, bytes.data(), bytes.size()) ? toHex(bytes) : "E0e";
}

std::string Session::writeMemory(std::string_view arguments, bool binary) {
  const auto address = takeHexNumber(arguments);
  const auto size = address && take(arguments, ",") ? takeHexNumber(arguments) : std::nullopt;
  if (!size || !take(arguments, ":"))
    return "E01";
  const auto bytes = binary ? std::string(arguments) : fromHex(arguments);
  if (!bytes || bytes->size() != *size)
    return "E01";
  if (!machine_.writeMemory(*address, bytes->data(), bytes->size()))
    return "E0e";
  refreshWatchpoints();
  return "OK";
}

std::string Session::changePoint(std::string_view arguments, bool present) {
  const auto type = takeHexNumber(arguments);
  const auto address = type && take(arguments, ",") ? takeHexNumber(arguments) : std::nullopt;
  const auto size = address && take(arguments, ",") ? takeHexNumber(arguments) : std::nullopt;
  if (!size)
    return "E01";
  switch (*type) {
  case 0: case 1:
    machine_.setBreakpoint(*address, present);
    if (present)
      breakpoints_.insert(*address);
    else
      breakpoints_.erase(*address);
    return "OK";
  case 2: case 3: case 4: {
    const Watchpoint watchpoint{*address, *size, *type != 2, *type != 3, {}};
    std::erase(watchpoints_, watchpoint);
    if (present)
      watchpoints_.push_back(watchpoint);
    refreshWatchpoints();
    return "OK";
  }
  default: return "";
  }
}

// --- Execution ---

std::string Session::vCont(std::string_view actions) {
  const char action = actions.empty() ? '\0' : actions[0];
  actions.remove_prefix(actions.empty() ? 0 : 1);
  switch (action) {
  case 'c': case 'C': return resume(false);
  case 's': case 'S': return resume(true);
  case 'r': {
    const auto begin = takeHexNumber(actions);
    const auto end = begin && take(actions, ",") ? takeHexNumber(actions) : std::nullopt;
    return end ? resume(true, *begin, *end) : "E01";
  }
  default: return "E01";
  }
}

std::string Session::resume(bool step, uint32_t rangeBegin, uint32_t rangeEnd) {
  if (failed_) {
    end_ = failed_;
    return failed_->cause ? format("X%02x", signalOf(*failed_->cause))
                          : format("W%02x", static_cast<unsigned>(failed_->status) & 255);
  }
  Reply reply = step ? stepRange(rangeBegin, rangeEnd) : goOn();
  return lastStop_ = *reply;
}

Session::Reply Session::goOn() {
  if (atBreakpoint())
    if (Reply reply = stepInstruction())
      return reply;
  for (;;) {
    if (connection_.interrupted())
      return interrupted();
    Reply reply = watchpoints_.empty() ? report(machine_.run()) : observedSlice();
    if (reply)
      return reply;
  }
}

Session::Reply Session::observedSlice() {
  for (unsigned i = 0; i < kPollInterval; ++i) {
    if (atBreakpoint())
      return report({.kind = DebugStop::Kind::Breakpoint});
    std::optional<RetireEvent> event;
    if (Reply reply = stepOnce(event))
      return reply;
  }
  return {};
}

Session::Reply Session::stepRange(uint32_t begin, uint32_t end) {
  for (unsigned steps = 1;; ++steps) {
    if (Reply reply = stepInstruction())
      return reply;
    if (atBreakpoint())
      return report({.kind = DebugStop::Kind::Breakpoint});
    if (const uint32_t pc = machine_.pc(); pc < begin || pc >= end)
      return signalReply(kSigTrap);
    if (steps % kPollInterval == 0 && connection_.interrupted())
      return interrupted();
  }
}

// One instruction of the program in hand: an interrupt that comes first runs its handler.
Session::Reply Session::stepInstruction() {
  for (;;) {
    const uint32_t stackPointer = machine_.readRegister(2);
    std::optional<RetireEvent> event;
    if (Reply reply = stepOnce(event))
      return reply;
    if (event->kind != RetireEvent::Kind::Interrupt)
      return {};
    if (Reply reply = runHandler(event->pc, stackPointer))
      return reply;
  }
}

Session::Reply Session::runHandler(uint32_t returnPc, uint32_t stackPointer) {
  for (unsigned steps = 1;; ++steps) {
    if (atBreakpoint())
      return report({.kind = DebugStop::Kind::Breakpoint});
    std::optional<RetireEvent> event;
    if (Reply reply = stepOnce(event))
      return reply;
    if (machine_.pc() == returnPc && machine_.readRegister(2) == stackPointer)
      return {};
    if (steps % kPollInterval == 0 && connection_.interrupted())
      return interrupted();
  }
}

Session::Reply Session::stepOnce(std::optional<RetireEvent> &event) {
  for (;;) {
    if (Reply reply = report(machine_.step(event)))
      return reply;
    if (event)
      return watchpoints_.empty() ? Reply{} : watched(*event);
    if (connection_.interrupted())
      return interrupted();
  }
}

Session::Reply Session::interrupted() {
  if (Reply reply = report(machine_.settle()))
    return reply;
  return signalReply(kSigInt);
}

Session::Reply Session::report(DebugStop &&stop) {
  switch (stop.kind) {
  case DebugStop::Kind::None: return {};
  case DebugStop::Kind::Breakpoint: return signalReply(kSigTrap, "swbreak:;");
  case DebugStop::Kind::Trap: {
    const unsigned signal = signalOf(*stop.cause);
    return passedSignals_.contains(signal) ? Reply{} : signalReply(signal);
  }
  case DebugStop::Kind::Failed:
    connection_.send("O" + toHex(stop.report));
    failed_ = std::move(stop);
    return signalReply(failed_->cause ? signalOf(*failed_->cause) : unsigned{kSigAbrt});
  case DebugStop::Kind::Ended: break;
  }
  end_ = std::move(stop);
  return format("W%02x", static_cast<unsigned>(end_->status) & 255);
}

// --- Watchpoints ---

// A store of the core counts even if it leaves the value as it is. What the vector unit, the DMA and
// the matrix unit write shows as a change of the contents.
Session::Reply Session::watched(const RetireEvent &event) {
  const auto touches = [&](const Watchpoint &watchpoint, uint8_t mask) {
    const uint32_t size = mask == 15 ? 4 : mask == 3 ? 2 : mask; // bytes from memAddress
    return size != 0 && event.memAddress - watchpoint.address + size - 1 < watchpoint.size + size - 1;
  };
  Reply reply;
  for (Watchpoint &watchpoint : watchpoints_) {
    bool hit = (watchpoint.reads && touches(watchpoint, event.memReadMask)) ||
               (watchpoint.writes && touches(watchpoint, event.memWriteMask));
    if (watchpoint.writes) {
      std::string now(watchpoint.size, '\0');
      machine_.readMemory(watchpoint.address, now.data(), now.size());
      hit |= now != watchpoint.contents;
      watchpoint.contents = std::move(now);
    }
    if (hit && !reply)
      reply = signalReply(kSigTrap, format("%s:%x;",
                                           !watchpoint.reads   ? "watch"
                                           : watchpoint.writes ? "awatch"
                                                               : "rwatch",
                                           watchpoint.address));
  }
  return reply;
}

void Session::refreshWatchpoints() {
  for (Watchpoint &watchpoint : watchpoints_) {
    watchpoint.contents.assign(watchpoint.size, '\0');
    machine_.readMemory(watchpoint.address, watchpoint.contents.data(), watchpoint.size);
  }
}

} // namespace

std::optional<GdbServer> GdbServer::listen(const char *tool, uint16_t port) {
  FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  sockaddr_in address{};
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto *const generic = reinterpret_cast<sockaddr *>(&address);
  if (!listener ||
      ::setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(listener.get(), generic, length) != 0 || ::listen(listener.get(), 1) != 0 ||
      ::getsockname(listener.get(), generic, &length) != 0) {
    std::fprintf(stderr, "%s: --gdb %u: cannot listen on 127.0.0.1:%u: %s\n", tool, port, port,
                 std::strerror(errno));
    return {};
  }
  std::fprintf(stderr, "%s: waiting for gdb on 127.0.0.1:%u\n", tool, ntohs(address.sin_port));
  return GdbServer(std::move(listener));
}

std::optional<DebugStop> GdbServer::serve(DebugMachine &machine) {
  pollfd request{listener_.get(), POLLIN, 0};
  int ready;
  do
    ready = ::poll(&request, 1, kConnectTimeout);
  while (ready < 0 && errno == EINTR);
  FileDescriptor socket(ready > 0 ? ::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC) : -1);
  listener_.reset();
  if (!socket)
    return DebugStop{.kind = DebugStop::Kind::Failed,
                     .status = kStatusUsage,
                     .report = format("--gdb: no debugger has connected within %d seconds\n",
                                      kConnectTimeout / 1000)};
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  GdbConnection connection(std::move(socket));
  return Session(connection, machine).run();
}

} // namespace npu
