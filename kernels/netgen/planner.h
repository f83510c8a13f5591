// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static memory planner: places buffers with known lifetimes into one memory so that no two that
// live at the same time overlap.

#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace npu::netgen {

struct Buffer {
  std::string name;
  uint32_t bytes;
  int first, last; // steps in which it lives, both included
  uint32_t offset = 0;
};

class Planner {
public:
  Planner(std::string memory, uint32_t capacity)
      : memory_(std::move(memory)), capacity_(capacity) {}

  // Places the buffer into the smallest gap that it fits during its life (best fit), at its start
  // or its end, and returns true; false if there is none.
  bool place(Buffer &buffer, bool atEnd = false);

  // Places all of them, the largest first. Throws NetworkError that says which does not fit and how
  // many bytes are missing.
  void placeAll(std::vector<Buffer> &buffers);

  // Bytes that the buffer lacks in the largest gap during its life.
  uint32_t missing(const Buffer &buffer) const;

  [[noreturn]] void fail(const Buffer &buffer) const;

  uint32_t capacity() const { return capacity_; }
  uint32_t used() const; // the highest byte in use at any time

  // One line a buffer, by offset: offset, bytes, life, name.
  void print(std::ostream &out) const;

private:
  struct Gap {
    uint32_t offset, bytes;
  };
  std::vector<Gap> gaps(const Buffer &buffer) const;

  std::string memory_;
  uint32_t capacity_;
  std::vector<Buffer> placed_;
};

} // namespace npu::netgen
