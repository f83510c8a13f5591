// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hazards.h"

#include <algorithm>

namespace npu::fuzz {

namespace {

bool overlap(const std::vector<Interval> &a, const std::vector<Interval> &b) {
  return std::any_of(a.begin(), a.end(), [&](const Interval &x) {
    return std::any_of(b.begin(), b.end(), [&](const Interval &y) {
      return x.begin < y.end && y.begin < x.end;
    });
  });
}

} // namespace

unsigned HazardTracker::unitsToWaitFor(Agent agent, const Footprint &footprint) const {
  unsigned mask = 0;
  for (const Running &running : running_)
    if (running.agent != agent && (overlap(running.footprint.writes, footprint.reads) ||
                                   overlap(running.footprint.writes, footprint.writes) ||
                                   overlap(running.footprint.reads, footprint.writes)))
      mask |= 1u << unitOf(running.agent);
  return mask;
}

void HazardTracker::issued(Agent agent, uint32_t ticketNumber, Footprint footprint) {
  running_.push_back({agent, ticketNumber, std::move(footprint)});
}

void HazardTracker::completed(unsigned unit, uint32_t ticketNumber) {
  std::erase_if(running_, [&](const Running &running) {
    return unitOf(running.agent) == unit && running.ticketNumber <= ticketNumber;
  });
}

} // namespace npu::fuzz
