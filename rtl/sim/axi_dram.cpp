// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "axi_dram.h"

#include <algorithm>
#include <cstring>

namespace npu::rtl {

uint8_t AxiDram::responseFor(uint32_t address) const {
  if (!memory_.contains(address, kAxiBytes))
    return kAxiDecodeError;
  // A failing range may begin or end inside the beat.
  for (const auto &[range, response] : failing_)
    if (address + kAxiBytes > range.begin && address < range.begin + range.size)
      return response;
  return kAxiOkay;
}

void AxiDram::write(const AxiToDram &in, Burst &burst) {
  const uint8_t response = responseFor(burst.address);
  if (response == kAxiOkay) {
    uint8_t *to = memory_.at(burst.address);
    const auto *from = reinterpret_cast<const uint8_t *>(in.wData.data());
    if (in.wStrobe == 0xFFFF)
      std::memcpy(to, from, kAxiBytes);
    else
      for (unsigned i = 0; i < kAxiBytes; ++i)
        if (in.wStrobe >> i & 1)
          to[i] = from[i];
  }
  burst.response = std::max(burst.response, response);
  burst.address += kAxiBytes;
  writtenBytes_[burst.id] += static_cast<unsigned>(__builtin_popcount(in.wStrobe));
}

bool AxiDram::cycle(const AxiToDram &in) {
  ++now_;
  if (reads_.empty() && writes_.empty() && responses_.empty() && !in.arValid && !in.awValid) {
    readCredit_ = writeCredit_ = kAxiBytes;
    return false;
  }

  const auto refill = [this](unsigned credit) {
    return std::min(credit, kAxiBytes - 1) + timing_.bytesPerCycle;
  };

  if (out_.rValid && in.rReady) {
    Burst &burst = reads_.front();
    readCredit_ -= kAxiBytes;
    readBytes_[burst.id] += kAxiBytes;
    burst.address += kAxiBytes;
    if (--burst.beats == 0)
      reads_.pop_front();
  }
  readCredit_ = refill(readCredit_);

  if (out_.bValid && in.bReady)
    responses_.pop_front();

  if (out_.wReady && in.wValid) {
    Burst &burst = writes_.front();
    writeCredit_ -= kAxiBytes;
    write(in, burst);
    if (--burst.beats == 0) {
      responses_.push_back({burst.id, burst.response, now_ + kWriteResponseLatency});
      writes_.pop_front();
    }
  }
  writeCredit_ = refill(writeCredit_);

  if (out_.arReady && in.arValid)
    reads_.push_back({in.arId, in.arAddress, in.arLength + 1u, now_ + timing_.readLatency - 1,
                      kAxiOkay});
  if (out_.awReady && in.awValid)
    writes_.push_back({in.awId, in.awAddress, in.awLength + 1u, 0, kAxiOkay});

  drive(out_.rValid && !in.rReady);
  return true;
}

void AxiDram::driveRead() {
  out_.rValid = !reads_.empty() && now_ >= reads_.front().ready && readCredit_ >= kAxiBytes;
  if (!out_.rValid)
    return;
  const Burst &burst = reads_.front();
  out_.rId = burst.id;
  out_.rLast = burst.beats == 1;
  out_.rResponse = responseFor(burst.address);
  out_.rData = {};
  if (out_.rResponse == kAxiOkay)
    std::memcpy(out_.rData.data(), memory_.at(burst.address), kAxiBytes);
}

void AxiDram::drive(bool holdRead) {
  out_.arReady = reads_.size() < kOutstanding;
  out_.awReady = writes_.size() + responses_.size() < kOutstanding;
  out_.wReady = !writes_.empty() && writeCredit_ >= kAxiBytes;

  if (!holdRead) // else the beat stays as it is
    driveRead();

  out_.bValid = !responses_.empty() && now_ >= responses_.front().ready;
  if (out_.bValid) {
    out_.bId = responses_.front().id;
    out_.bResponse = responses_.front().response;
  }
}

} // namespace npu::rtl
