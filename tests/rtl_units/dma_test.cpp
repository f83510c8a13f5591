// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A DMA channel against the scalar reference: random chains over both memories with random
// alignment, back-pressure and latency; every error rule; and cycle counts.

#include "Vdma_bench.h"
#include "Vdma_bench___024root.h"
#include "bench_seed.h"
#include "dma_reference.h"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <random>

namespace npu::test {
namespace {

// Another unit of higher priority that moves rows of `length` bytes, `pitch` apart, 16 bytes a cycle as a
// DMA channel does: a word that two beats of a row share is accessed with the second one.
struct Stream {
  uint32_t at, length, pitch;
  uint32_t done = 0;   // bytes of the row

  uint16_t next_banks() {
    const bool last = length - done <= 16;
    const uint32_t begin = at + done, end = last ? at + length + 3 : begin + 16;
    uint16_t banks = 0;
    for (uint32_t word = begin / 4; word < end / 4; word++)
      banks |= uint16_t(1 << word % 16);
    done += 16;
    if (last) {
      done = 0;
      at += pitch;
    }
    return banks;
  }
};

class Bench {
public:
  explicit Bench(uint32_t seed) : rng(seed) {
    top.clk_i = 0;
    top.rst_ni = 0;
    top.issue_valid_i = 0;
    top.hold_i = 0;
    cycle();
    cycle();
    top.rst_ni = 1;
    cycle();
  }

  void load(const DmaMemory &memory) {
    std::memcpy(&top.rootp->dma_bench__DOT__u_tcm__DOT__mem[0], memory.tcm.data(), kTcmSize);
    dram = memory.dram;
  }
  void compare(const DmaMemory &want) const {
    int shown = 0;
    auto differ = [&](const char *name, uint32_t at, uint8_t got, uint8_t expected) {
      if (got != expected && shown++ < 6)
        ADD_FAILURE() << name << " byte 0x" << std::hex << at << ": got " << unsigned(got)
                      << " want " << unsigned(expected);
    };
    const auto *tcm = reinterpret_cast<const uint8_t *>(&top.rootp->dma_bench__DOT__u_tcm__DOT__mem[0]);
    for (uint32_t i = 0; i < kTcmSize; i++)
      differ("TCM", kTcmBase + i, tcm[i], want.tcm[i]);
    for (uint32_t i = 0; i < kDramBacked; i++)
      differ("DRAM", kDramBase + i, dram[i], want.dram[i]);
  }

  void cycle() {
    top.hold_i = 0;
    for (int b = 0; b < 16 && hold_percent; b++)
      if (rng() % 100 < hold_percent)
        top.hold_i |= uint16_t(1 << b);
    if (other)
      top.hold_i |= other->next_banks();
    drive_axi();
    top.eval();
    sample_axi();
    if (top.error_o)
      faults.push_back(top.error_addr_o);
    done_pulses += top.dmadone_o;
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
    cycles++;
  }

  void issue(uint32_t descriptor) {
    top.issue_valid_i = 1;
    top.issue_addr_i = descriptor;
    top.eval();
    for (int wait = 0; !top.issue_ready_o; wait++) {
      if (wait >= 100000)
        FAIL() << "the queue stays full";
      cycle();
    }
    cycle();
    top.issue_valid_i = 0;
    issued++;
  }

  void finish(int limit = 200000) {
    for (int wait = 0; top.done_o != issued; wait++) {
      if (wait >= limit)
        FAIL() << "only " << top.done_o << " of " << issued << " operations complete";
      cycle();
    }
    EXPECT_EQ(top.issued_o, issued);
    EXPECT_FALSE(top.busy_o);
    EXPECT_TRUE(reads.empty() && writes.empty() && responses.empty());
  }

  Vdma_bench top;
  std::mt19937 rng;
  std::vector<uint8_t> dram = std::vector<uint8_t>(kDramBacked);
  unsigned hold_percent = 0, stall_percent = 0, latency = 60, bytes_per_cycle = 16;
  // Beats at these addresses answer with an error.
  uint32_t bad_read = 0, bad_write = 0, bad_read_too = 0, bad_write_too = 0;
  uint64_t cycles = 0;
  uint32_t issued = 0;
  unsigned done_pulses = 0;
  size_t deepest_read = 0;
  std::optional<Stream> other;
  std::vector<uint32_t> faults;

private:
  struct Burst {
    uint32_t addr;
    unsigned beats, at;
    uint64_t ready;
    bool bad;
  };
  bool stalls() { return stall_percent && rng() % 100 < stall_percent; }
  uint32_t offset(uint32_t addr) const {
    EXPECT_LE(addr - kDramBase, kDramBacked - 16);
    return std::min(addr - kDramBase, kDramBacked - 16);
  }

  // A response keeps its place until it is taken; the address channels stall at random.
  void drive_axi() {
    top.ar_ready_i = !stalls();
    top.aw_ready_i = !stalls();
    // A beat needs 16 bytes of credit in its direction.
    read_credit = std::min(read_credit, 15u) + bytes_per_cycle;
    write_credit = std::min(write_credit, 15u) + bytes_per_cycle;
    top.w_ready_i = write_credit >= 16 && !stalls();
    if (!read_shown)
      read_shown = !reads.empty() && reads.front().ready <= cycles && read_credit >= 16 && !stalls();
    top.r_valid_i = read_shown;
    if (read_shown) {
      const Burst &r = reads.front();
      uint32_t addr = r.addr + 16 * r.at;
      std::memcpy(&top.r_data_i, &dram[offset(addr)], 16);
      top.r_resp_i = is_bad(addr, bad_read, bad_read_too) ? 2 : 0;
      top.r_last_i = r.at + 1 == r.beats;
    }
    if (!response_shown)
      response_shown = !responses.empty() && responses.front().ready <= cycles && !stalls();
    top.b_valid_i = response_shown;
    if (response_shown)
      top.b_resp_i = responses.front().bad ? 2 : 0;
  }

  void sample_axi() {
    if (top.r_valid_i && top.r_ready_o) {
      read_shown = false;
      read_credit -= 16;
      if (top.r_last_i)
        reads.pop_front();
      else
        reads.front().at++;
    }
    if (top.b_valid_i && top.b_ready_o) {
      response_shown = false;
      responses.pop_front();
    }
    if (top.ar_valid_o && top.ar_ready_i) {
      check_burst(top.ar_addr_o, top.ar_len_o);
      reads.push_back({top.ar_addr_o, top.ar_len_o + 1u, 0, cycles + latency, false});
      deepest_read = std::max(deepest_read, reads.size());
    }
    if (top.w_valid_o && top.w_ready_i) {
      ASSERT_FALSE(writes.empty()) << "data before their address";
      write_credit -= 16;
      Burst &w = writes.front();
      uint32_t addr = w.addr + 16 * w.at;
      const auto *data = reinterpret_cast<const uint8_t *>(&top.w_data_o);
      for (uint32_t i = 0; i < 16; i++)
        if (top.w_strb_o & (1 << i))
          dram[offset(addr) + i] = data[i];
      w.bad |= is_bad(addr, bad_write, bad_write_too);
      EXPECT_EQ(bool(top.w_last_o), w.at + 1 == w.beats);
      if (++w.at == w.beats) {
        responses.push_back({w.addr, w.beats, 0, cycles + latency / 2 + 1, w.bad});
        writes.pop_front();
      }
    }
    if (top.aw_valid_o && top.aw_ready_i) {
      check_burst(top.aw_addr_o, top.aw_len_o);
      writes.push_back({top.aw_addr_o, top.aw_len_o + 1u, 0, 0, false});
    }
  }

  static bool is_bad(uint32_t addr, uint32_t bad, uint32_t too) {
    return (bad && addr == (bad & ~15u)) || (too && addr == (too & ~15u));
  }

  static void check_burst(uint32_t addr, uint32_t len) {
    EXPECT_EQ(addr % 16, 0u);
    EXPECT_LE(len, 15u);
    EXPECT_LE(addr % 4096 + 16 * (len + 1), 4096u) << "a burst crosses 4 KiB";
  }

  std::deque<Burst> reads, writes, responses;
  bool read_shown = false, response_shown = false;
  unsigned read_credit = 0, write_credit = 0;
};

// ------------------------------------------------------------------ random chains

struct RandomCase {
  uint32_t seed;
  unsigned hold_percent, stall_percent, latency;
};

class DmaRandom : public testing::TestWithParam<RandomCase> {};

class Generator {
public:
  explicit Generator(std::mt19937 &rng) : rng_(rng) {}
  uint32_t below(uint32_t n) { return uint32_t(rng_()) % n; }
  bool chance(uint32_t percent) { return below(100) < percent; }

  // Sources lie in the lower parts of the memories and destinations in the upper ones, so
  // that the rows of a descriptor do not race.
  Descriptor next() {
    Descriptor d{};
    uint32_t kind = below(10);
    d[Len] = kind < 5 ? below(64) : kind < 9 ? below(600) : below(5000);
    uint32_t budget = 16000 / (d[Len] + 1) + 1;
    d[Reps1] = chance(40) ? 1 : below(std::min(budget, 40u) + 1);
    d[Reps2] = chance(60) ? 1 : below(std::min(budget / (d[Reps1] + 1) + 1, 8u) + 1);
    bool src_tcm = chance(50), dst_tcm = chance(50);
    d[Src] = src_tcm ? kTcmBase + 0x4000 + below(0x4000) : kDramBase + 0x10000 + below(0x10000);
    d[Dst] = dst_tcm ? kTcmBase + 0x14000 + below(0x3000) : kDramBase + 0x90000 + below(0x10000);
    d[SrcStride1] = d[Len] + below(40) - 10;
    d[SrcStride2] = below(4000) - 2000;
    d[DstStride1] = d[Len] + below(40) - (chance(10) ? 10 : 0);
    d[DstStride2] = d[DstStride1] * d[Reps1] + below(30);
    if (chance(15))
      d[Flags] |= kFill;
    if (chance(30))
      d[Flags] |= kDone;
    return d;
  }

  // Reads what the descriptor before it writes, in the same operation or the one before, while that
  // may still be under way.
  Descriptor behind(const Descriptor &before) {
    Descriptor d = before;
    d[Src] = before[Dst];
    d[SrcStride1] = before[DstStride1];
    d[SrcStride2] = before[DstStride2];
    d[Dst] = chance(50) ? kTcmBase + 0x1000 + below(64) : kDramBase + 0x2000 + below(0x1000);
    d[Flags] &= ~kFill;
    return d;
  }

  // Writes where the descriptor before it reads, from the other memory.
  Descriptor over(const Descriptor &before) {
    Descriptor d = before;
    d[Dst] = before[Flags] & kFill ? kTcmBase + 0x4000 + below(0x4000) : before[Src];
    d[DstStride1] = before[SrcStride1];
    d[DstStride2] = below(2000);
    d[Src] = d[Dst] < kDramBase ? kDramBase + 0x2000 + below(0x1000) : kTcmBase + 0x1000 + below(64);
    d[SrcStride1] = before[DstStride1];
    d[SrcStride2] = before[DstStride2];
    return d;
  }

private:
  std::mt19937 &rng_;
};

TEST_P(DmaRandom, MatchesReference) {
  auto [seed, hold, stall, latency] = GetParam();
  seed += seed_offset();
  auto bench = std::make_unique<Bench>(seed);
  bench->hold_percent = hold;
  bench->stall_percent = stall;
  bench->latency = latency;
  std::mt19937 rng(seed);
  Generator generate(rng);
  for (int round = 0; round < 25 && !testing::Test::HasFailure(); round++) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    DmaMemory memory;
    for (auto &byte : memory.tcm)
      byte = uint8_t(rng());
    for (uint32_t i = 0; i < kDramBacked; i += 4) {
      uint32_t value = uint32_t(rng());
      std::memcpy(&memory.dram[i], &value, 4);
    }
    // Up to six operations of chains of one to four descriptors, in the first 2 KiB.
    std::vector<uint32_t> heads;
    uint32_t at = kTcmBase + 4 * generate.below(16);
    Descriptor d{};
    bool related = true;   // to the descriptor before
    for (uint32_t op = 1 + generate.below(6); op > 0; op--) {
      heads.push_back(at);
      uint32_t chain = 1 + generate.below(4);
      for (uint32_t i = 0; i < chain; i++) {
        related = !related && generate.chance(50);
        d = !related ? generate.next() : generate.chance(70) ? generate.behind(d) : generate.over(d);
        uint32_t next = at + 64 + 4 * generate.below(4);
        d[Next] = i + 1 < chain ? next : 0;
        // A reserved word, or a next that leaves TCM or is misaligned; none that would loop.
        if (generate.chance(2))
          d[11 + generate.below(5)] ^= 1u << generate.below(32);
        if (generate.chance(2))
          d[Next] ^= generate.chance(50) ? 1u << generate.below(2) : 1u << (20 + generate.below(8));
        if (generate.chance(2))
          d[generate.below(2)] = generate.chance(50) ? kTcmBase + kTcmSize - 100 : uint32_t(rng()) & 0x6fffffff;
        memory.put(at, d);
        at = next;
      }
    }
    bench->load(memory);
    bench->faults.clear();
    bench->done_pulses = 0;
    std::vector<uint32_t> want;
    unsigned pulses = 0;
    for (uint32_t head : heads) {
      bench->issue(head);
      DmaResult r = run_dma(memory, head);
      if (r.fault)
        want.push_back(*r.fault);
      pulses += r.done_pulses;
    }
    bench->finish();
    EXPECT_EQ(bench->faults, want);
    EXPECT_EQ(bench->done_pulses, pulses);
    bench->compare(memory);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Chains, DmaRandom,
    testing::Values(RandomCase{1, 0, 0, 60}, RandomCase{2, 0, 0, 1}, RandomCase{3, 30, 0, 60},
                    RandomCase{4, 0, 50, 10}, RandomCase{5, 60, 30, 5}, RandomCase{6, 10, 80, 30},
                    RandomCase{7, 0, 10, 200}, RandomCase{8, 20, 20, 20}),
    [](const auto &test) { return "seed" + std::to_string(test.param.seed); });

// Every combination of alignments, on short rows where first and last beat meet.
TEST(DmaAlignment, AllOffsetsAndShortLengths) {
  for (bool src_tcm : {false, true})
    for (bool dst_tcm : {false, true}) {
      auto bench = std::make_unique<Bench>(1);
      bench->latency = 3;
      for (uint32_t len : {1u, 2u, 15u, 16u, 17u, 31u, 32u, 33u, 50u}) {
        DmaMemory memory;
        for (auto &byte : memory.tcm)
          byte = uint8_t(bench->rng());
        for (auto &byte : memory.dram)
          byte = uint8_t(bench->rng());
        Descriptor d{};
        d[Src] = src_tcm ? kTcmBase + 0x1000 : kDramBase + 0x1ff8;
        d[Dst] = dst_tcm ? kTcmBase + 0x10000 : kDramBase + 0x10ff8;
        d[Len] = len;
        d[Reps1] = d[Reps2] = 16;
        d[SrcStride1] = 1;
        d[DstStride1] = 64;
        d[SrcStride2] = 2;
        d[DstStride2] = 1024 + 1;
        memory.put(kTcmBase, d);
        bench->load(memory);
        bench->issue(kTcmBase);
        run_dma(memory, kTcmBase);
        bench->finish();
        bench->compare(memory);
        if (testing::Test::HasFailure())
          FAIL() << "length " << len << " src_tcm " << src_tcm << " dst_tcm " << dst_tcm;
      }
      EXPECT_TRUE(bench->faults.empty());
    }
}

// ------------------------------------------------------------------ errors

struct ErrorCase {
  const char *name;
  DescriptorWord word;
  uint32_t value;
  uint32_t fault;   // 0: none
};

class DmaError : public testing::TestWithParam<ErrorCase> {};

constexpr uint32_t kDesc = kTcmBase + 0x100;

Descriptor plain() {
  Descriptor d{};
  d[Src] = kDramBase + 0x100;
  d[Dst] = kTcmBase + 0x8003;
  d[Len] = 100;
  d[Reps1] = 3;
  d[SrcStride1] = 128;
  d[DstStride1] = 160;
  d[Reps2] = 1;
  return d;
}

TEST_P(DmaError, EndsTheChainAtTheNamedAddress) {
  const ErrorCase &c = GetParam();
  auto bench = std::make_unique<Bench>(1);
  DmaMemory memory;
  for (auto &byte : memory.dram)
    byte = uint8_t(bench->rng());
  Descriptor d = plain();
  d[Flags] = kDone;
  d[Next] = kDesc + 64;
  d[c.word] = c.value;
  memory.put(kDesc, d);
  Descriptor second = plain();
  second[Dst] = kTcmBase + 0x9000;
  memory.put(kDesc + 64, second);
  second[Dst] = kTcmBase + 0xa000;   // a later operation of the channel runs normally
  memory.put(kDesc + 128, second);
  bench->load(memory);
  bench->issue(kDesc);
  bench->issue(kDesc + 128);
  DmaResult want = run_dma(memory, kDesc);
  run_dma(memory, kDesc + 128);
  bench->finish();
  EXPECT_EQ(want.fault.value_or(0), c.fault);
  EXPECT_EQ(bench->faults, c.fault ? std::vector<uint32_t>{c.fault} : std::vector<uint32_t>{});
  EXPECT_EQ(bench->done_pulses, want.done_pulses);
  bench->compare(memory);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, DmaError,
    testing::Values(ErrorCase{"Length", Len, 1u << 24, kDesc},
                    ErrorCase{"LengthLimit", Len, (1u << 24) - 1, kTcmBase + 0x8003},
                    ErrorCase{"Reps1", Reps1, 65536, kDesc}, ErrorCase{"Reps2", Reps2, 65536, kDesc},
                    ErrorCase{"FlagReserved", Flags, 4, kDesc},
                    ErrorCase{"WordReserved", DescriptorWord(15), 1, kDesc},
                    ErrorCase{"LenZero", Len, 0, 0}, ErrorCase{"Reps1Zero", Reps1, 0, 0},
                    ErrorCase{"Reps2Zero", Reps2, 0, 0},
                    ErrorCase{"SourceUnmapped", Src, 0x1000, 0x1000},
                    ErrorCase{"SourceWrapsAround", Src, 0xffffffc0, 0xffffffc0},
                    ErrorCase{"SourceItcm", Src, 0x10000000, 0x10000000},
                    ErrorCase{"SourceThirdRow", SrcStride1, 0x20000000, kDramBase + 0x20000100},
                    ErrorCase{"DestinationEnd", Dst, kTcmBase + kTcmSize - 99,
                              kTcmBase + kTcmSize - 99},
                    ErrorCase{"DestinationSecondRow", DstStride1, 0x18000, kTcmBase + 0x20003},
                    ErrorCase{"NextMisaligned", Next, kDesc + 66, kDesc + 66},
                    ErrorCase{"NextAtTheEnd", Next, kTcmBase + kTcmSize - 60,
                              kTcmBase + kTcmSize - 60},
                    ErrorCase{"NextOutside", Next, kDramBase, kDramBase}),
    [](const auto &test) { return test.param.name; });

TEST(DmaError, BusErrorsNameTheRow) {
  for (bool read : {true, false}) {
    auto bench = std::make_unique<Bench>(1);
    DmaMemory memory;
    // Row 30 leaves TCM: the walk finds that long before the bus answers for row 4.
    Descriptor d{};
    d[Src] = read ? kDramBase + 0x203 : kTcmBase + 0x8003;
    d[Dst] = read ? kTcmBase + 0x8003 : kDramBase + 0x301;
    d[Len] = 20;
    d[Reps1] = 40;
    d[SrcStride1] = read ? 1000 : 3277;
    d[DstStride1] = read ? 3277 : 1000;
    d[Reps2] = 1;
    d[Flags] = kDone;
    d[Next] = kDesc + 64;
    memory.put(kDesc, d);
    memory.put(kDesc + 64, plain());
    bench->load(memory);
    if (read)
      bench->bad_read = d[Src] + 4 * 1000;
    else
      bench->bad_write = d[Dst] + 4 * 1000;
    bench->issue(kDesc);
    bench->finish();
    EXPECT_EQ(bench->faults, std::vector<uint32_t>{(read ? d[Src] : d[Dst]) + 4000});
    EXPECT_EQ(bench->done_pulses, 0u);
    // The channel works on.
    bench->bad_read = bench->bad_write = 0;
    bench->faults.clear();
    bench->issue(kDesc + 64);
    bench->finish();
    EXPECT_TRUE(bench->faults.empty());
  }
}

// The next operation begins while the one before ends: each has its own error, or none.
TEST(DmaError, BelongsToItsOperation) {
  enum { None, Bus, Row, Address };
  for (bool read : {true, false})
    for (int before : {None, Bus, Row})
      for (int behind : {None, Bus, Row, Address}) {
        SCOPED_TRACE(testing::Message() << "read " << read << ", errors " << before << ", " << behind);
        auto bench = std::make_unique<Bench>(1);
        DmaMemory memory;
        for (auto &byte : memory.tcm)
          byte = uint8_t(bench->rng());
        for (auto &byte : memory.dram)
          byte = uint8_t(bench->rng());
        const uint32_t in_dram = kDramBase + 0x1000, in_tcm = kTcmBase + 0x8000;
        const auto operation = [&](uint32_t at, int error) {
          Descriptor d{};
          d[Src] = (read ? in_dram : in_tcm) + at;
          d[Dst] = (read ? in_tcm : in_dram) + at;
          d[Len] = 16;
          d[Reps1] = 20;
          d[SrcStride1] = d[DstStride1] = 16;
          d[Reps2] = error == Row ? 2 : 1;
          d[read ? SrcStride2 : DstStride2] = 0x30000000;   // nowhere
          return d;
        };
        // The last row of the first operation, or the first one of the second.
        const uint32_t last = 19 * 16, first = 0x400;
        memory.put(kDesc, operation(0, before));
        memory.put(kDesc + 64, operation(first, behind));
        bench->load(memory);
        uint32_t &bad = read ? bench->bad_read : bench->bad_write;
        const uint32_t dram_row = in_dram + (before == Bus ? last : first);
        bad = before == Bus || behind == Bus ? dram_row : 0;
        if (before == Bus && behind == Bus)
          (read ? bench->bad_read_too : bench->bad_write_too) = in_dram + first;
        const uint32_t descriptors[] = {kDesc, behind == Address ? kDesc + 66 : kDesc + 64, kDesc + 64};
        for (uint32_t descriptor : descriptors)
          bench->issue(descriptor);
        bench->finish();
        std::vector<uint32_t> want;
        const auto faults = [&](int error, uint32_t at) {
          if (error == Bus)
            want.push_back(in_dram + (at == 0 ? last : at));
          else if (error == Row)
            want.push_back(in_dram + at + 0x30000000);
        };
        faults(before, 0);
        if (behind == Address)
          want.push_back(kDesc + 66);
        else
          faults(behind, first);
        faults(behind == Address ? None : behind, first);
        EXPECT_EQ(bench->faults, want);
        if (before == Bus || behind == Bus)
          continue; // bytes are unspecified
        run_dma(memory, kDesc);
        run_dma(memory, kDesc + 64);
        bench->compare(memory);
      }
}

TEST(DmaError, EndlessChainIsBounded) {
  auto bench = std::make_unique<Bench>(1);
  DmaMemory memory;
  Descriptor d{};
  d[Next] = kDesc;
  memory.put(kDesc, d);
  bench->load(memory);
  bench->issue(kDesc);
  bench->finish(1000000);
  EXPECT_EQ(bench->faults, std::vector<uint32_t>{kDesc});
}

// ------------------------------------------------------------------ throughput

// A transfer as `chain` descriptors of `rows` rows, `len` bytes each; cycles from the issue until it
// is complete. What a bus can move is a beat of 16 bytes in 16 / bandwidth cycles.
struct SpeedCase {
  const char *name;
  uint32_t src, dst, len, rows, chain;
};

class DmaSpeed : public testing::TestWithParam<std::tuple<SpeedCase, unsigned>> {};

constexpr uint32_t kTcmData = kTcmBase + 0x4000;

// Beats of all rows in DRAM, of the busier direction; in TCM 16 bytes a cycle.
uint64_t busBeats(const SpeedCase &c, uint32_t pitch) {
  auto beats = [&](uint32_t addr) -> uint64_t {
    if (addr < kDramBase)
      return 0;
    uint64_t sum = 0;
    for (uint32_t n = 0; n < c.rows * c.chain; n++)
      sum += ((addr + n * pitch) % 16 + c.len + 15) / 16;
    return sum;
  };
  uint64_t most = std::max(beats(c.src), beats(c.dst));
  return most ? most : uint64_t(c.rows) * c.chain * ((c.len + 15) / 16);
}

// Moves the data of the case, checks them, and gives the share of the bandwidth once the latency and the
// fetch of the first descriptor are over.
double share_of_bandwidth(Bench &bench, const SpeedCase &c, bool show = true, bool operations = false) {
  DmaMemory memory;
  for (auto &byte : memory.tcm)
    byte = uint8_t(bench.rng());
  for (auto &byte : memory.dram)
    byte = uint8_t(bench.rng());
  // Rows keep their alignment; those in TCM are close together.
  const uint32_t pitch = (c.len + 15) / 16 * 16 + 16;
  for (uint32_t n = 0; n < c.chain; n++) {
    Descriptor d{};
    d[Src] = c.src + n * c.rows * pitch;
    d[Dst] = c.dst + n * c.rows * pitch;
    d[Len] = c.len;
    d[Reps1] = c.rows;
    d[SrcStride1] = d[DstStride1] = pitch;
    d[Reps2] = 1;
    d[Next] = !operations && n + 1 < c.chain ? kTcmBase + 64 * (n + 1) : 0;
    memory.put(kTcmBase + 64 * n, d);
  }
  bench.load(memory);
  uint64_t start = bench.cycles;
  for (uint32_t n = 0; n < (operations ? c.chain : 1); n++)
    bench.issue(kTcmBase + 64 * n);
  bench.finish();
  EXPECT_TRUE(bench.faults.empty());
  for (uint32_t n = 0; n < (operations ? c.chain : 1); n++)
    run_dma(memory, kTcmBase + 64 * n);
  bench.compare(memory);
  const uint64_t cycles = bench.cycles - start;
  const double ideal = double(busBeats(c, pitch))
                       * (c.src < kDramBase && c.dst < kDramBase ? 1 : 16.0 / bench.bytes_per_cycle);
  if (show)
    std::printf("%s at %u: %u x %u x %u bytes in %lu cycles, %.1f %%, %zu reads outstanding\n", c.name,
                bench.bytes_per_cycle, c.chain, c.rows, c.len, cycles, 100 * ideal / double(cycles),
                bench.deepest_read);
  EXPECT_LE(ideal, double(cycles)) << "the bench is faster than its bus";
  return ideal / double(cycles - bench.latency - 15);
}

TEST_P(DmaSpeed, ShareOfTheBandwidth) {
  const auto &[c, bandwidth] = GetParam();
  auto bench = std::make_unique<Bench>(1);
  bench->bytes_per_cycle = bandwidth;
  EXPECT_GE(share_of_bandwidth(*bench, c), 0.95);
}

constexpr uint32_t kFar = kDramBase + 0x40000;

INSTANTIATE_TEST_SUITE_P(
    Transfers, DmaSpeed,
    testing::Combine(
        testing::Values(
            SpeedCase{"Load", kDramBase, kTcmData, 65536, 1, 1},
            SpeedCase{"Store", kTcmData, kDramBase, 65536, 1, 1},
            SpeedCase{"LoadUnaligned", kDramBase + 9, kTcmData + 3, 65536, 1, 1},
            SpeedCase{"StoreUnaligned", kTcmData + 3, kDramBase + 9, 65536, 1, 1},
            SpeedCase{"DramToDram", kDramBase, kFar + 8, 65536, 1, 1},
            SpeedCase{"TcmToTcm", kTcmData + 1, kTcmBase + 0x12013, 32768, 1, 1},
            SpeedCase{"LoadRows16", kDramBase, kTcmData, 16, 1024, 1},
            SpeedCase{"LoadRows16Unaligned", kDramBase + 1, kTcmData + 6, 16, 1024, 1},
            SpeedCase{"LoadRows16Spread", kDramBase, kTcmData + 7, 16, 1024, 1},
            SpeedCase{"LoadRows32", kDramBase + 15, kTcmData + 2, 32, 1024, 1},
            SpeedCase{"LoadRows64", kDramBase, kTcmData + 13, 64, 512, 1},
            SpeedCase{"LoadRows100", kDramBase + 12, kTcmData + 11, 100, 512, 1},
            SpeedCase{"LoadRows256", kDramBase + 3, kTcmData, 256, 256, 1},
            SpeedCase{"StoreRows16", kTcmData, kDramBase, 16, 1024, 1},
            SpeedCase{"StoreRows16Unaligned", kTcmData + 9, kDramBase + 1, 16, 1024, 1},
            SpeedCase{"StoreRows16Spread", kTcmData + 7, kDramBase, 16, 1024, 1},
            SpeedCase{"StoreRows32", kTcmData + 2, kDramBase + 15, 32, 1024, 1},
            SpeedCase{"StoreRows100", kTcmData + 11, kDramBase + 12, 100, 512, 1},
            SpeedCase{"CopyRows16", kDramBase + 5, kFar + 2, 16, 1024, 1},
            SpeedCase{"CopyRows16Back", kDramBase + 2, kFar + 5, 16, 1024, 1},
            SpeedCase{"CopyRows100", kDramBase + 14, kFar + 13, 100, 512, 1},
            SpeedCase{"LoadChain", kDramBase, kTcmData, 512, 1, 96},
            SpeedCase{"LoadChainOfRows", kDramBase + 3, kTcmData + 2, 20, 8, 128},
            SpeedCase{"StoreChain", kTcmData, kDramBase, 512, 1, 96},
            SpeedCase{"CopyChain", kDramBase + 3, kFar, 512, 1, 96},
            SpeedCase{"CopyChainOfRows", kDramBase, kFar + 9, 48, 4, 96},
            SpeedCase{"LoadChain64", kDramBase, kTcmData, 64, 1, 255},
            SpeedCase{"StoreChain64", kTcmData, kDramBase, 64, 1, 255}),
        testing::Values(8u, 16u)),
    [](const auto &test) {
      return std::string(std::get<0>(test.param).name) + "At" + std::to_string(std::get<1>(test.param));
    });

// Queued operations that are longer than the latency follow each other as the descriptors of a chain do.
TEST(DmaSpeed, OfQueuedOperations) {
  for (const SpeedCase &c : {SpeedCase{"Loads2048", kDramBase, kTcmData, 2048, 1, 32},
                             SpeedCase{"LoadsOfRows16", kDramBase, kTcmData, 16, 100, 16},
                             SpeedCase{"Stores1024", kTcmData, kDramBase, 1024, 1, 64},
                             SpeedCase{"StoresOfRows16", kTcmData, kDramBase, 16, 100, 16},
                             SpeedCase{"Copies2048", kDramBase, kFar, 2048, 1, 64}})
    for (unsigned bandwidth : {8u, 16u}) {
      auto bench = std::make_unique<Bench>(1);
      bench->bytes_per_cycle = bandwidth;
      EXPECT_GE(share_of_bandwidth(*bench, c, true, true), 0.95);
    }
}

// Beside the other channel, which takes four or five banks each cycle and whose rows make the two
// streams drift through all distances.
TEST(DmaBeside, AnotherStreamCostsNoBandwidth) {
  const SpeedCase cases[] = {{"Load", kDramBase, kTcmData + 13, 16384, 1, 1},
                             {"LoadRows64", kDramBase, kTcmData + 13, 64, 256, 1},
                             {"LoadRows16", kDramBase, kTcmData + 3, 16, 1024, 1},
                             {"LoadRows100", kDramBase + 12, kTcmData + 7, 100, 160, 1},
                             {"Store", kTcmData + 3, kDramBase, 16384, 1, 1},
                             {"StoreRows64", kTcmData + 13, kDramBase + 13, 64, 256, 1},
                             {"StoreRows64Shifted", kTcmData + 13, kDramBase, 64, 256, 1},
                             {"StoreRows16", kTcmData + 3, kDramBase, 16, 1024, 1},
                             {"StoreRows100", kTcmData + 7, kDramBase + 12, 100, 160, 1}};
  const Stream streams[] = {{0, 65536, 65536}, {13, 65536, 65536}, {13, 64, 80}, {0, 64, 80},
                            {7, 16, 32},       {2, 32, 64},        {7, 100, 112}, {5, 100, 128}};
  for (const SpeedCase &c : cases)
    for (const Stream &stream : streams) {
      double least = 1;
      for (uint32_t phase = 0; phase < 64; phase += 12) {
        auto bench = std::make_unique<Bench>(1);
        bench->other = stream;
        bench->other->at += phase;
        least = std::min(least, share_of_bandwidth(*bench, c, false));
      }
      std::printf("%s beside rows of %u bytes, %u apart, offset %u: %.1f %%\n", c.name, stream.length,
                  stream.pitch, stream.at, 100 * least);
      EXPECT_GE(least, 0.95);
    }
}

} // namespace
} // namespace npu::test
