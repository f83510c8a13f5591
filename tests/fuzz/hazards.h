// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps generated programs free of races: which operations may still be running, what they read
// and write, and so what has to be waited for before the next access (chapter 3 of the manual).

#pragma once

#include <cstdint>
#include <vector>

namespace npu::fuzz {

struct Interval {
  uint32_t begin, end; // end is exclusive
};

struct Footprint {
  std::vector<Interval> reads, writes;
};

// Who performs an access. Accesses of one agent take effect in order.
enum class Agent : uint8_t { Dma0, Dma1, Array, Drain, Core };

// Unit of a ticket.
constexpr unsigned unitOf(Agent agent) {
  return agent == Agent::Dma0 ? 0 : agent == Agent::Dma1 ? 1 : 2;
}

class HazardTracker {
public:
  // Mask of units to wait for before the agent may do this.
  unsigned unitsToWaitFor(Agent agent, const Footprint &footprint) const;
  void issued(Agent agent, uint32_t ticketNumber, Footprint footprint);
  // Everything of the unit up to the number is complete.
  void completed(unsigned unit, uint32_t ticketNumber);
  bool idle() const { return running_.empty(); }

private:
  struct Running {
    Agent agent;
    uint32_t ticketNumber;
    Footprint footprint;
  };
  std::vector<Running> running_;
};

} // namespace npu::fuzz
