// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DRAM model by itself: latency, bandwidth, order, strobes and errors.

#include "axi_dram.h"

#include "generated/npu_platform.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace npu::rtl {
namespace {

class AxiDramTest : public ::testing::Test {
protected:
  AxiToDram idle() const {
    AxiToDram in{};
    in.rReady = in.bReady = true;
    return in;
  }

  struct Beat {
    uint64_t cycle;
    uint8_t id, response;
    bool last;
    uint32_t word;
  };

  // One cycle; collects the beat that it transfers.
  void cycle(AxiDram &dram, const AxiToDram &in) {
    const AxiFromDram &out = dram.outputs();
    if (out.rValid && in.rReady)
      beats.push_back({now, out.rId, out.rResponse, out.rLast, out.rData[0]});
    if (out.bValid && in.bReady)
      responses.push_back({now, out.bId, out.bResponse, true, 0});
    dram.cycle(in);
    ++now;
  }

  void read(AxiDram &dram, uint8_t id, uint32_t address, unsigned beatCount) {
    AxiToDram in = idle();
    in.arValid = true;
    in.arId = id;
    in.arAddress = address;
    in.arLength = static_cast<uint8_t>(beatCount - 1);
    cycle(dram, in);
  }

  void wait(AxiDram &dram, unsigned cycles) {
    for (unsigned n = 0; n < cycles; ++n)
      cycle(dram, idle());
  }

  Region memory{RegionId::Dram, "dram", NPU_DRAM_BASE, 1 << 16};
  std::vector<Beat> beats, responses;
  uint64_t now = 0;
};

TEST_F(AxiDramTest, LatencyThenFullRate) {
  AxiDram dram(memory, {60, 16});
  read(dram, 2, NPU_DRAM_BASE, 8);
  wait(dram, 100);
  ASSERT_EQ(beats.size(), 8u);
  for (unsigned n = 0; n < 8; ++n) {
    EXPECT_EQ(beats[n].cycle, 60 + n);
    EXPECT_EQ(beats[n].id, 2);
    EXPECT_EQ(beats[n].last, n == 7);
  }
}

TEST_F(AxiDramTest, OutstandingBurstsHideTheLatency) {
  AxiDram dram(memory, {60, 16});
  for (uint8_t n = 0; n < 4; ++n)
    read(dram, n & 1, NPU_DRAM_BASE + n * 256u, 16);
  wait(dram, 200);
  ASSERT_EQ(beats.size(), 64u);
  EXPECT_EQ(beats.back().cycle - beats.front().cycle, 63u);
}

TEST_F(AxiDramTest, BandwidthBelowTheBus) {
  for (const unsigned bytes : {8u, 4u, 3u}) {
    beats.clear();
    AxiDram dram(memory, {10, bytes});
    read(dram, 0, NPU_DRAM_BASE, 33);
    wait(dram, 400);
    ASSERT_EQ(beats.size(), 33u);
    const uint64_t cycles = beats.back().cycle - beats.front().cycle;
    EXPECT_NEAR(static_cast<double>(cycles), 32.0 * 16 / bytes, 1.5) << bytes;
  }
}

TEST_F(AxiDramTest, StrobesAndResponses) {
  AxiDram dram(memory, {10, 16});
  AxiToDram in = idle();
  in.awValid = true;
  in.awId = 3;
  in.awAddress = NPU_DRAM_BASE + 32;
  cycle(dram, in);
  in = idle();
  in.wValid = in.wLast = true;
  in.wData = {0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C};
  in.wStrobe = 0x8421;
  ASSERT_TRUE(dram.outputs().wReady);
  cycle(dram, in);
  wait(dram, 10);
  const uint8_t expected[16] = {0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 15};
  EXPECT_EQ(std::memcmp(memory.at(NPU_DRAM_BASE + 32), expected, 16), 0);
  ASSERT_EQ(responses.size(), 1u);
  EXPECT_EQ(responses[0].id, 3);
  EXPECT_EQ(responses[0].response, kAxiOkay);
  EXPECT_EQ(dram.writtenBytes(), 4u);
}

TEST_F(AxiDramTest, ErrorsOutsideAndInTheFailingRange) {
  AxiDram dram(memory, {5, 16});
  dram.fail({NPU_DRAM_BASE + 24, 4});
  read(dram, 0, NPU_DRAM_BASE, 3);
  read(dram, 0, NPU_DRAM_BASE + (1 << 16) - 16, 2);
  wait(dram, 30);
  ASSERT_EQ(beats.size(), 5u);
  const uint8_t expected[] = {kAxiOkay, kAxiSlaveError, kAxiOkay, kAxiOkay, kAxiDecodeError};
  for (unsigned n = 0; n < 5; ++n)
    EXPECT_EQ(beats[n].response, expected[n]) << n;
}

TEST_F(AxiDramTest, ABeatWaitsForItsMaster) {
  AxiDram dram(memory, {5, 16});
  read(dram, 1, NPU_DRAM_BASE, 1);
  AxiToDram busy = idle();
  busy.rReady = false;
  for (unsigned n = 0; n < 20; ++n)
    cycle(dram, busy);
  EXPECT_TRUE(beats.empty());
  EXPECT_TRUE(dram.outputs().rValid);
  wait(dram, 1);
  EXPECT_EQ(beats.size(), 1u);
}

} // namespace
} // namespace npu::rtl
