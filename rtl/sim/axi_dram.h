// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DRAM behind the AXI4 port: requests of all masters are served in order of arrival, a read's
// first beat comes a fixed number of cycles after its address, and each direction moves a
// configured number of bytes a cycle.

#pragma once

#include "memory.h"

#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <vector>

namespace npu::rtl {

constexpr unsigned kAxiBytes = 16;
constexpr unsigned kAxiMasters = 4;

enum AxiResponse : uint8_t { kAxiOkay = 0, kAxiSlaveError = 2, kAxiDecodeError = 3 };

// Signals that the DRAM drives, and those that it samples at the end of a cycle.
struct AxiFromDram {
  bool arReady = false, awReady = false, wReady = false;
  bool rValid = false, rLast = false, bValid = false;
  uint8_t rId = 0, rResponse = 0, bId = 0, bResponse = 0;
  std::array<uint32_t, 4> rData{};
};

struct AxiToDram {
  bool arValid, awValid, wValid, wLast, rReady, bReady;
  uint8_t arId, arLength, awId, awLength;
  uint32_t arAddress, awAddress;
  uint16_t wStrobe;
  std::array<uint32_t, 4> wData;
};

struct DramTiming {
  unsigned readLatency, bytesPerCycle;
};

class AxiDram {
public:
  AxiDram(Region &memory, DramTiming timing) : memory_(memory), timing_(timing) {
    drive(false);
  }

  const AxiFromDram &outputs() const { return out_; }

  // Ends a cycle in which the design showed these signals. False when nothing happened and
  // nothing is under way, so that outputs() stayed as they were.
  bool cycle(const AxiToDram &in);

  // Accesses to these bytes end with this error response.
  void fail(ByteRange range, AxiResponse response = kAxiSlaveError) {
    failing_.push_back({range, response});
  }
  void failNoMore() { failing_.clear(); }

  uint64_t readBytes() const { return std::accumulate(readBytes_.begin(), readBytes_.end(), uint64_t{0}); }
  uint64_t writtenBytes() const { return std::accumulate(writtenBytes_.begin(), writtenBytes_.end(), uint64_t{0}); }
  // The same of one master (ID).
  uint64_t readBytesOf(size_t master) const { return readBytes_[master]; }
  uint64_t writtenBytesOf(size_t master) const { return writtenBytes_[master]; }

private:
  struct Burst {
    uint8_t id;
    uint32_t address;
    unsigned beats; // left
    uint64_t ready; // cycle of the first beat
    uint8_t response;
  };
  struct Response {
    uint8_t id, response;
    uint64_t ready;
  };

  uint8_t responseFor(uint32_t address) const;
  void write(const AxiToDram &in, Burst &burst);
  void driveRead();
  void drive(bool holdRead);

  static constexpr size_t kOutstanding = 64;
  static constexpr uint64_t kWriteResponseLatency = 4; // into the controller's write buffer

  Region &memory_;
  DramTiming timing_;
  uint64_t now_ = 0;
  // Bytes that the read and the write bus may move now; a beat waits until its 16 are there.
  unsigned readCredit_ = kAxiBytes, writeCredit_ = kAxiBytes;
  std::deque<Burst> reads_, writes_;
  std::deque<Response> responses_;
  AxiFromDram out_;
  struct Failing {
    ByteRange range;
    AxiResponse response;
  };
  std::vector<Failing> failing_;
  std::array<uint64_t, kAxiMasters> readBytes_{}, writtenBytes_{};
};

} // namespace npu::rtl
