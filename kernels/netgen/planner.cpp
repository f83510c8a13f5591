// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "planner.h"

#include "network.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

namespace npu::netgen {
namespace {

constexpr uint32_t kAlign = 64; // once around the banks

uint32_t align(uint32_t bytes) {
  return (bytes + kAlign - 1) / kAlign * kAlign;
}

} // namespace

std::vector<Planner::Gap> Planner::gaps(const Buffer &buffer) const {
  std::vector<const Buffer *> alive;
  for (const Buffer &other : placed_)
    if (other.first <= buffer.last && buffer.first <= other.last)
      alive.push_back(&other);
  std::sort(alive.begin(), alive.end(),
            [](const Buffer *a, const Buffer *b) { return a->offset < b->offset; });
  std::vector<Gap> result;
  uint32_t at = 0;
  for (const Buffer *other : alive) {
    if (other->offset > at)
      result.push_back({at, other->offset - at});
    at = std::max(at, align(other->offset + other->bytes));
  }
  if (at < capacity_)
    result.push_back({at, capacity_ - at});
  return result;
}

bool Planner::place(Buffer &buffer, bool atEnd) {
  const Gap *best = nullptr;
  const std::vector<Gap> all = gaps(buffer);
  for (const Gap &gap : all)
    if (gap.bytes >= buffer.bytes && (best == nullptr || gap.bytes < best->bytes))
      best = &gap;
  if (best == nullptr)
    return false;
  buffer.offset = best->offset + (atEnd ? (best->bytes - buffer.bytes) / kAlign * kAlign : 0);
  placed_.push_back(buffer);
  return true;
}

uint32_t Planner::missing(const Buffer &buffer) const {
  uint32_t largest = 0;
  for (const Gap &gap : gaps(buffer))
    largest = std::max(largest, gap.bytes);
  return buffer.bytes > largest ? buffer.bytes - largest : 0;
}

void Planner::fail(const Buffer &buffer) const {
  throw NetworkError(memory_ + " is full: " + buffer.name + " (" + std::to_string(buffer.bytes) +
                     " bytes) misses " + std::to_string(missing(buffer)) + " bytes of " +
                     std::to_string(capacity_));
}

void Planner::placeAll(std::vector<Buffer> &buffers) {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return buffers[a].bytes > buffers[b].bytes; });
  for (const size_t i : order)
    if (!place(buffers[i]))
      fail(buffers[i]);
}

uint32_t Planner::used() const {
  uint32_t top = 0;
  for (const Buffer &buffer : placed_)
    top = std::max(top, buffer.offset + buffer.bytes);
  return top;
}

void Planner::print(std::ostream &out) const {
  std::vector<Buffer> sorted = placed_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Buffer &a, const Buffer &b) {
    return a.first != b.first ? a.first < b.first : a.offset < b.offset;
  });
  char line[160];
  std::snprintf(line, sizeof line, "%s: %u of %u bytes\n", memory_.c_str(), used(), capacity_);
  out << line << "   steps    offset     bytes  buffer\n";
  for (const Buffer &b : sorted) {
    std::snprintf(line, sizeof line, "%3d..%-3d %9u %9u  %s\n", b.first, b.last, b.offset, b.bytes,
                  b.name.c_str());
    out << line;
  }
}

} // namespace npu::netgen
