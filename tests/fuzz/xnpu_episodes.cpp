// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Episodes of the matrix unit and the DMA. Operands are constants, so that the generator knows
// which bytes an operation touches and can keep races out.

#include "generator.h"

#include "generated/npu_platform.h"

#include <algorithm>
#include <cstring>

namespace npu::fuzz {

namespace {

constexpr Csr kParams[] = {Csr::nrowlen,  Csr::nrowstride, Csr::nxcount,   Csr::nxstride,
                           Csr::nystride, Csr::noxstride,  Csr::noystride, Csr::noquant,
                           Csr::npad,     Csr::nvalid,     Csr::npos,      Csr::npxstep,
                           Csr::npystep,  Csr::ntapstride};

// The smallest interval around bytes of TCM; bytes outside are not accessed.
class Hull {
public:
  explicit Hull(uint32_t tcmEnd) : tcmEnd_(tcmEnd) {}
  void add(uint32_t address, uint32_t bytes) {
    for (uint32_t i : {0u, bytes - 1})
      if (const uint32_t at = address + i; bytes != 0 && at - NPU_TCM_BASE < tcmEnd_ - NPU_TCM_BASE) {
        low_ = std::min(low_, at);
        high_ = std::max(high_, at + 1);
      }
  }
  std::vector<Interval> intervals() const {
    return low_ < high_ ? std::vector<Interval>{{low_, high_}} : std::vector<Interval>{};
  }

private:
  const uint32_t tcmEnd_;
  uint32_t low_ = ~0u, high_ = 0;
};

uint32_t pixelOffset(uint32_t p, uint32_t xCount, uint32_t xStride, uint32_t yStride) {
  return xCount == 0 ? p * xStride : p % xCount * xStride + p / xCount * yStride;
}

} // namespace

// --- Registers, parameters, order ---

void Generator::setParam(Csr csr, uint32_t value) {
  const unsigned index = static_cast<unsigned>(csr) - static_cast<unsigned>(Csr::nrowlen);
  if (params_[index] == value && !random_.oneIn(4))
    return;
  params_[index] = value;
  if (value < 32 && random_.oneIn(2)) {
    code().csr(Insn::CSRRWI, anyReg(), csr, value);
    return;
  }
  code().li(kTemp0, value);
  code().csr(Insn::CSRRW, anyReg(), csr, kTemp0);
}

uint32_t Generator::param(Csr csr) const {
  return *params_[static_cast<unsigned>(csr) - static_cast<unsigned>(Csr::nrowlen)];
}

uint32_t Generator::arenaAddress(uint32_t room) {
  const uint32_t span = layout_.tcmEnd - layout_.arena;
  if (random_.oneIn(40)) // at the end of TCM, possibly beyond
    return layout_.tcmEnd - random_.below(std::min(room + 64, span));
  return layout_.arena + random_.below(span - std::min(room, span - 1));
}

// Below the arena are the zones that the core uses without looking at what is outstanding.
bool Generator::leavesArena(const std::vector<Interval> &intervals) const {
  return std::any_of(intervals.begin(), intervals.end(),
                     [&](const Interval &interval) { return interval.begin < layout_.arena; });
}

void Generator::waitForUnits(unsigned mask) {
  if (inLoop_) { // a ticket's number depends on the iteration
    fence(mask);
    return;
  }
  for (unsigned unit = 0; unit < issued_.size(); ++unit) {
    if (!(mask >> unit & 1))
      continue;
    Section &s = code();
    const uint32_t ticket = issued_[unit] << 2 | unit;
    switch (random_.below(3)) {
    case 0:
      fence(1u << unit);
      break;
    case 1:
      s.li(kTemp0, ticket);
      if (random_.oneIn(4))
        passThrough(kTemp0, kTemp1);
      s.r(Insn::NPU_WAIT, 0, kTemp0, 0);
      break;
    default:
      s.li(kTemp0, ticket);
      s.r(Insn::NPU_POLL, kTemp1, kTemp0, 0);
      s.branch(Insn::BEQ, kTemp1, 0, -4);
      break;
    }
    hazards_.completed(unit, issued_[unit]);
  }
}

void Generator::fence(unsigned mask) {
  code().r(Insn::NPU_FENCE, 0, 0, mask | (random_.oneIn(4) ? 24 : 0)); // bits 3 and 4: ignored
  for (unsigned unit = 0; unit < issued_.size(); ++unit)
    if (mask >> unit & 1)
      hazards_.completed(unit, issued_[unit]);
}

void Generator::order(Agent agent, const Footprint &footprint) {
  if (const unsigned mask = hazards_.unitsToWaitFor(agent, footprint))
    waitForUnits(mask);
}

void Generator::issue(Agent agent, Insn insn, uint32_t rs1, uint32_t rs2, Footprint footprint) {
  order(agent, footprint);
  const unsigned unit = unitOf(agent);
  ++issued_[unit];
  Section &s = code();
  s.li(kTemp1, rs1);
  const unsigned rd = anyReg();
  if (random_.oneIn(4))
    passThrough(kTemp1, kTemp0);
  if (insn == Insn::DMA_START || insn == Insn::MAC_LDQ) {
    s.r(insn, rd, kTemp1, rs2);
  } else {
    s.li(kTemp2, rs2);
    if (random_.oneIn(4))
      passThrough(kTemp2, kTemp0);
    s.r(insn, rd, kTemp1, kTemp2);
  }
  hazards_.issued(agent, issued_[unit], std::move(footprint));
  if (rd != 0 && random_.oneIn(8)) { // the ticket is used at once
    s.r(Insn::NPU_WAIT, 0, rd, 0);
    hazards_.completed(unit, issued_[unit]);
  } else if (rd != 0 && random_.oneIn(8)) {
    s.r(Insn::NPU_POLL, anyReg(), rd, 0);
  }
}

// --- Matrix unit ---

void Generator::macLoadWeights() {
  const bool int4 = random_.oneIn(3);
  const uint32_t most = int4 ? 32 : 16;
  const uint32_t rows = random_.oneIn(3) ? random_.below(most + 1) : most;
  uint32_t rs1 = arenaAddress(256) & ~3u, rs2 = rows | (int4 ? 1u << 8 : 0);
  Footprint footprint;
  if (random_.oneIn(25)) { // does nothing
    if (random_.oneIn(2))
      rs1 |= 1 + random_.below(3);
    else
      rs2 |= 1u << (9 + random_.below(23));
  } else {
    shadowInt4_ = int4;
    Hull hull(layout_.tcmEnd);
    hull.add(rs1, (int4 ? 8 : 16) * rows);
    footprint.reads = hull.intervals();
  }
  issue(Agent::Array, Insn::MAC_LDW, rs1, rs2, std::move(footprint));
}

void Generator::pixelParams() {
  if (params_[2] && params_[3] && params_[4] && random_.oneIn(2))
    return;
  setParam(Csr::nxcount, random_.below(20));
  setParam(Csr::nxstride,
           static_cast<uint32_t>(random_.oneIn(40) ? random_.between(-20000, 20000)
                                                   : random_.between(-8, 40)));
  setParam(Csr::nystride, static_cast<uint32_t>(random_.between(-200, 400)));
}

// A valid region around which the window moves, mostly in step with the addresses.
void Generator::paddingParams() {
  const auto position = [](int32_t column, int32_t line) {
    return (static_cast<uint32_t>(column) & 0xffff) | static_cast<uint32_t>(line) << 16;
  };
  if (params_[9] && random_.oneIn(2))
    return;
  if (random_.oneIn(2)) {
    setParam(Csr::nvalid, random_.oneIn(2) ? 0 : random_.below(8) << 16);
    return;
  }
  setParam(Csr::npad, random_.below(256) | random_.below(4) << 8);
  setParam(Csr::nvalid, random_.oneIn(20) ? random_.bits()
                                          : (1 + random_.below(200)) | random_.below(12) << 16);
  setParam(Csr::npos, random_.oneIn(20) ? random_.bits()
                                        : position(random_.between(-60, 100),
                                                   random_.between(-4, 8)));
  setParam(Csr::npxstep, random_.oneIn(4)
                             ? position(random_.between(-20, 40), random_.between(-1, 1))
                             : position(static_cast<int32_t>(param(Csr::nxstride)), 0));
  setParam(Csr::npystep, position(random_.between(-2, 2), random_.between(-1, 2)));
}

void Generator::macRun() {
  if (!params_[0] || random_.oneIn(2)) {
    setParam(Csr::nrowlen, random_.oneIn(20) ? 0 : 1 + random_.below(40));
    setParam(Csr::nrowstride, static_cast<uint32_t>(random_.between(-100, 300)));
  }
  if (!params_[1])
    setParam(Csr::nrowstride, static_cast<uint32_t>(random_.between(-100, 300)));
  pixelParams();
  paddingParams();
  const uint32_t count = random_.oneIn(10) ? random_.below(257) : random_.below(40);
  const uint32_t row = random_.below(257 - count) & 255;
  const uint32_t most = shadowInt4_ || random_.oneIn(20) ? 32 : 16;
  const uint32_t k = random_.oneIn(2) ? most : random_.below(most + 1);
  const uint32_t first = random_.oneIn(2) ? 0 : random_.below(random_.oneIn(8) ? 64 : most + 1);
  const uint32_t swap = k > 16 || random_.oneIn(2); // K may depend on it
  uint32_t rs2 = row | count << 8 | k << 17 | first << 23 | random_.below(2) << 29 | swap << 30;
  if (random_.oneIn(25))
    rs2 = random_.oneIn(2) ? rs2 | 1u << 31 : random_.bits();
  const uint32_t rs1 = arenaAddress(2000);

  // As in chapter 4, to find the bytes that may be read.
  Footprint footprint;
  Hull hull(layout_.tcmEnd);
  const uint32_t rowLen = param(Csr::nrowlen), pixels = std::min(rs2 >> 8 & 511, 256u);
  const uint32_t vector = std::min(rs2 >> 17 & 63, 32u), taken = rs2 >> 23 & 63;
  const uint32_t head = taken == 0 || taken > vector ? vector : taken;
  for (uint32_t p = 0; p < pixels; ++p) {
    const uint32_t pixel =
        rs1 + pixelOffset(p, param(Csr::nxcount), param(Csr::nxstride), param(Csr::nystride));
    hull.add(pixel, head);
    for (uint32_t j = 1; j < 4 && head < vector; ++j)
      hull.add(pixel + head - rowLen + j * param(Csr::nrowstride), std::min(rowLen, vector));
  }
  footprint.reads = hull.intervals();
  if (leavesArena(footprint.reads))
    return;
  issue(Agent::Array, Insn::MAC_RUN, rs1, rs2, std::move(footprint));
}

void Generator::macDepthwise() {
  if (!params_[1] || random_.oneIn(2))
    setParam(Csr::nrowstride, static_cast<uint32_t>(random_.between(-100, 300)));
  if (!params_[13] || random_.oneIn(2))
    setParam(Csr::ntapstride,
             static_cast<uint32_t>(random_.oneIn(2) ? 16 : random_.between(-20, 40)));
  pixelParams();
  if (random_.oneIn(2)) // windows that slide
    setParam(Csr::nxstride, param(Csr::ntapstride) * (1 + random_.below(2)));
  paddingParams();
  // Lines that follow each other by one or two window rows, some longer than the line buffer.
  if (random_.oneIn(2)) {
    const uint32_t advance = 1 + random_.below(2);
    setParam(Csr::nystride, param(Csr::nrowstride) * advance);
    setParam(Csr::npystep, (param(Csr::npad) >> 8 & 255) * advance << 16);
    if (random_.oneIn(4))
      setParam(Csr::nxcount, random_.below(70));
  }
  const uint32_t count = random_.oneIn(10) ? random_.below(257) : random_.below(40);
  const uint32_t row = random_.below(257 - count) & 255;
  uint32_t kw = 1 + random_.below(5), kh = 1 + random_.below(16 / kw);
  if (random_.oneIn(5))
    std::swap(kw, kh);
  const uint32_t swap = !shadowInt4_ && !random_.oneIn(3); // int4 weights have no taps
  uint32_t rs2 = row | count << 8 | kw << 17 | kh << 22 | random_.below(2) << 29 | swap << 30;
  if (random_.oneIn(25))
    rs2 = random_.oneIn(2) ? rs2 | 1u << (27 + random_.below(2)) : random_.bits();
  const uint32_t rs1 = arenaAddress(2000);

  Footprint footprint;
  Hull hull(layout_.tcmEnd);
  const uint32_t pixels = std::min(rs2 >> 8 & 511, 256u);
  for (uint32_t p = 0; p < pixels; ++p) {
    const uint32_t pixel =
        rs1 + pixelOffset(p, param(Csr::nxcount), param(Csr::nxstride), param(Csr::nystride));
    for (uint32_t i = 0; i < std::min(rs2 >> 17 & 31, 16u); ++i)
      for (uint32_t j = 0; j < std::min(rs2 >> 22 & 31, 16u); ++j)
        hull.add(pixel + i * param(Csr::ntapstride) + j * param(Csr::nrowstride), 16);
  }
  footprint.reads = hull.intervals();
  if (leavesArena(footprint.reads))
    return;
  issue(Agent::Array, Insn::MAC_DW, rs1, rs2, std::move(footprint));
}

// What a layer uses, which lets values through the clamp; corners, where roundings are ties and
// products saturate; or whatever is there.
void Generator::quantTable(uint8_t *table) {
  static constexpr int kShifts[] = {-128, -32, -31, -30, -2, -1, 0, 1, 30, 31, 32, 127};
  const unsigned kind = random_.below(3);
  for (uint32_t n = 0; n < 16 && kind < 2; ++n) {
    uint32_t bias = static_cast<uint32_t>(random_.between(-5000, 5000));
    uint32_t multiplier = 1u << 30 | random_.bits() >> 2;
    int shift = random_.between(-14, 1);
    if (kind == 1) {
      const bool saturates = random_.oneIn(4); // where the accumulator is zero
      bias = saturates ? 1u << 31 : anyValue();
      multiplier = saturates ? 1u << 31 : random_.oneIn(3) ? 1u << 30 : anyValue();
      shift = random_.pick(kShifts);
    }
    std::memcpy(table + 4 * n, &bias, 4);
    std::memcpy(table + 64 + 4 * n, &multiplier, 4);
    table[128 + n] = static_cast<uint8_t>(shift);
  }
}

void Generator::macLoadQuant() {
  uint32_t rs1 = arenaAddress(144) & ~3u;
  Footprint footprint;
  if (random_.oneIn(25)) {
    rs1 |= 1 + random_.below(3);
  } else {
    if (rs1 + 144 <= layout_.tcmEnd)
      quantTable(tcmImage_.data() + (rs1 - layout_.descriptors));
    Hull hull(layout_.tcmEnd);
    hull.add(rs1, 144);
    footprint.reads = hull.intervals();
  }
  issue(Agent::Drain, Insn::MAC_LDQ, rs1, 0, std::move(footprint));
}

void Generator::macDrain(bool wholeUnit) {
  uint32_t rs1, rs2;
  if (wholeUnit) {
    setParam(Csr::nxcount, 0);
    setParam(Csr::noxstride, 64);
    setParam(Csr::noystride, 0);
    setParam(Csr::noquant, 0);
    rs1 = layout_.arena;
    rs2 = 256u << 8 | 16u << 17 | 1u << 22;
  } else {
    if (!params_[2] || random_.oneIn(3))
      setParam(Csr::nxcount, random_.below(20));
    if (!params_[5] || !params_[6] || random_.oneIn(2)) {
      setParam(Csr::noxstride, static_cast<uint32_t>(random_.between(-20, 80)));
      setParam(Csr::noystride, static_cast<uint32_t>(random_.between(-300, 600)));
    }
    if (!params_[7] || random_.oneIn(2)) // usual clamps and crossed ones
      setParam(Csr::noquant, random_.oneIn(3) ? random_.bits() & 0xffffff
                                              : 0x7f8000u | random_.below(256));
    const uint32_t count = random_.oneIn(10) ? random_.below(257) : random_.below(40);
    rs2 = (random_.below(257 - count) & 255) | count << 8 |
          (random_.oneIn(2) ? 16 : random_.below(17)) << 17 |
          random_.pick({0u, 0u, 1u << 22, 1u << 23});
    if (random_.oneIn(25))
      rs2 = random_.oneIn(2) ? rs2 | 1u << (22 + random_.below(10)) : random_.bits() & 0xffffff;
    rs1 = arenaAddress(2000);
  }
  Footprint footprint;
  Hull hull(layout_.tcmEnd);
  const uint32_t pixels = std::min(rs2 >> 8 & 511, 256u);
  const uint32_t bytes = std::min(rs2 >> 17 & 31, 16u) * (rs2 >> 22 & 1 ? 4 : 1);
  for (uint32_t p = 0; p < pixels; ++p)
    hull.add(rs1 + pixelOffset(p, param(Csr::nxcount), param(Csr::noxstride),
                               param(Csr::noystride)),
             bytes);
  footprint.writes = hull.intervals();
  if (leavesArena(footprint.writes))
    return;
  issue(Agent::Drain, Insn::MAC_DRAIN, rs1, rs2, std::move(footprint));
}

// The usual order of a layer: weights and table, then stream and drain in turn.
void Generator::matrixPipeline() {
  macLoadWeights();
  if (random_.oneIn(2))
    macLoadQuant();
  for (unsigned n = 1 + random_.below(4); n > 0; --n) {
    random_.oneIn(3) ? macDepthwise() : macRun();
    if (random_.oneIn(3))
      macLoadWeights();
    if (random_.oneIn(2))
      macDrain();
    if (random_.oneIn(4))
      computation();
  }
}

void Generator::xnpuOperation() {
  switch (random_.below(5)) {
  case 0: macLoadWeights(); break;
  case 1: macRun(); break;
  case 2: macLoadQuant(); break;
  case 3: macDepthwise(); break;
  default: macDrain(); break;
  }
}

// Many operations in a row, so that queues fill and issue has to wait.
void Generator::storm() {
  for (unsigned n = 6 + random_.below(10); n > 0; --n)
    random_.oneIn(4) ? dma() : xnpuOperation();
}

// --- DMA ---

Generator::DescriptorSlot Generator::makeDescriptor(Footprint &footprint) {
  enum : unsigned { kSrc, kDst, kLen, kReps1, kSrc1, kDst1, kReps2, kSrc2, kDst2, kFlags };
  DescriptorSlot slot{nextDescriptor_, {}};
  nextDescriptor_ += NPU_DMA_DESCRIPTOR_BYTES;
  auto &w = slot.words;
  const auto place = [&] {
    if (random_.oneIn(2))
      return arenaAddress(1500);
    if (random_.oneIn(40)) // at the end of DRAM, possibly beyond
      return layout_.dramEnd - random_.below(600);
    return layout_.dramArena + random_.below(layout_.dramArenaEnd - layout_.dramArena - 3000);
  };
  // Only arenas take part; what lies outside every memory ends the chain.
  const auto mayTransfer = [&](uint32_t address, uint32_t bytes) {
    const bool inTcm = address - NPU_TCM_BASE < layout_.tcmEnd - NPU_TCM_BASE;
    const bool inDram = address - NPU_DRAM_BASE < layout_.dramEnd - NPU_DRAM_BASE;
    return !(inTcm && address < layout_.arena) && !(inDram && address < layout_.dramArena) &&
           address + bytes >= address;
  };
  // A source that is also written is a race: try until there is none.
  for (;;) {
    w = {};
    w[kSrc] = place();
    w[kDst] = place();
    w[kLen] = random_.oneIn(12)  ? 0
              : random_.oneIn(3) ? random_.below(600)
                                 : 1 + random_.below(64);
    w[kReps1] = random_.oneIn(2) ? 1 : random_.below(6);
    w[kReps2] = random_.oneIn(2) ? 1 : random_.below(4);
    for (unsigned stride : {kSrc1, kDst1, kSrc2, kDst2})
      w[stride] = static_cast<uint32_t>(random_.oneIn(4) ? random_.between(-700, 700)
                                                         : random_.between(0, 200) +
                                                               static_cast<int32_t>(w[kLen]));
    w[kFlags] = (random_.oneIn(5) ? 1 : 0) | (random_.oneIn(3) ? 2 : 0);
    if (random_.oneIn(40))
      w[random_.oneIn(2) ? kSrc : kDst] = random_.bits(); // nowhere
    const bool fill = w[kFlags] & 1;
    Footprint own;
    bool harmful = false;
    for (uint32_t r2 = 0; r2 < w[kReps2]; ++r2) {
      for (uint32_t r1 = 0; r1 < w[kReps1] && w[kLen] != 0; ++r1) {
        const uint32_t src = w[kSrc] + r1 * w[kSrc1] + r2 * w[kSrc2];
        const uint32_t dst = w[kDst] + r1 * w[kDst1] + r2 * w[kDst2];
        own.writes.push_back({dst, dst + w[kLen]});
        if (!fill)
          own.reads.push_back({src, src + w[kLen]});
        harmful |= !mayTransfer(dst, w[kLen]) || (!fill && !mayTransfer(src, w[kLen]));
      }
    }
    // Within a chain a source must be no destination; destinations may meet.
    HazardTracker sources, destinations;
    sources.issued(Agent::Dma0, 1, {footprint.reads, {}});
    sources.issued(Agent::Dma0, 1, {own.reads, {}});
    destinations.issued(Agent::Dma0, 1, {{}, footprint.writes});
    destinations.issued(Agent::Dma0, 1, {{}, own.writes});
    if (harmful || sources.unitsToWaitFor(Agent::Core, {{}, own.writes}) != 0 ||
        destinations.unitsToWaitFor(Agent::Core, {own.reads, {}}) != 0)
      continue;
    footprint.reads.insert(footprint.reads.end(), own.reads.begin(), own.reads.end());
    footprint.writes.insert(footprint.writes.end(), own.writes.begin(), own.writes.end());
    break;
  }
  return slot;
}

uint32_t Generator::makeChain(Footprint &footprint) {
  constexpr unsigned kNext = 10, kFlags = 9, kLen = 2, kReps1 = 3;
  uint32_t next = 0;
  std::vector<Interval> descriptors;
  for (unsigned n = 1 + (random_.oneIn(3) ? random_.below(3) : 0); n > 0; --n) {
    DescriptorSlot slot = makeDescriptor(footprint);
    slot.words[kNext] = next;
    if (random_.oneIn(12)) { // not a legal descriptor
      static constexpr uint32_t kReserved[] = {kFlags, 11, 15};
      switch (random_.below(4)) {
      case 0: slot.words[random_.pick(kReserved)] |= 4u << random_.below(30); break;
      case 1: slot.words[kLen] |= 1u << (24 + random_.below(8)); break;
      case 2: slot.words[kReps1] |= 0x10000; break;
      default: slot.words[kNext] = slot.address + 2; break;
      }
    }
    if (random_.oneIn(5)) { // the program writes it just before
      Section &s = code();
      s.li(kTemp0, slot.address);
      for (unsigned i = 0; i < slot.words.size(); ++i) {
        s.li(kTemp1, slot.words[i]);
        s.store(Insn::SW, kTemp1, kTemp0, static_cast<int32_t>(4 * i));
      }
    } else {
      std::memcpy(tcmImage_.data() + (slot.address - layout_.descriptors), slot.words.data(),
                  NPU_DMA_DESCRIPTOR_BYTES);
    }
    next = slot.address;
  }
  return next;
}

void Generator::dma() {
  const Agent agent = random_.oneIn(2) ? Agent::Dma0 : Agent::Dma1;
  if (random_.oneIn(30)) { // not a descriptor's address
    const uint32_t addresses[] = {layout_.descriptors + 1 + random_.below(3), layout_.tcmEnd - 60,
                                  layout_.dramArena, 0};
    issue(agent, Insn::DMA_START, random_.pick(addresses), unitOf(agent), {});
    return;
  }
  if (nextDescriptor_ + 3 * NPU_DMA_DESCRIPTOR_BYTES > layout_.descriptorsEnd)
    return;
  Footprint footprint;
  const uint32_t chain = makeChain(footprint);
  issue(agent, Insn::DMA_START, chain, unitOf(agent), std::move(footprint));
}

// Code that the DMA puts into DRAM, where other code has been executed before.
void Generator::dmaCode() {
  constexpr uint32_t kBytes = NPU_DMA_DESCRIPTOR_BYTES;
  if (inLoop_ || nextDescriptor_ + 2 * kBytes > layout_.descriptorsEnd)
    return;
  const uint32_t source = nextDescriptor_, descriptor = source + kBytes;
  nextDescriptor_ += 2 * kBytes;
  const uint32_t target = layout_.dramDmaCode + kBytes * random_.below(4);
  Section snippet(target);
  while (snippet.words().size() < kBytes / 4 - 1)
    snippet.i(Insn::ADDI, anyReg(), anyReg(), random_.between(-2048, 2047));
  snippet.i(Insn::JALR, 0, kTemp2, 0);
  const std::array<uint32_t, 16> words{source, target, kBytes, 1, 0, 0, 1};
  std::memcpy(tcmImage_.data() + (source - layout_.descriptors), snippet.words().data(), kBytes);
  std::memcpy(tcmImage_.data() + (descriptor - layout_.descriptors), words.data(), kBytes);

  const Agent agent = random_.oneIn(2) ? Agent::Dma0 : Agent::Dma1;
  issue(agent, Insn::DMA_START, descriptor, unitOf(agent),
        {{{source, source + 2 * kBytes}}, {{target, target + kBytes}}});
  waitForUnits(1u << unitOf(agent));
  Section &s = code();
  s.emit(Insn::FENCE_I);
  s.li(kTemp0, target);
  s.i(Insn::JALR, kTemp2, kTemp0, 0);
}

// Copies the zones of DRAM that the core stores to into TCM.
void Generator::copyOutDram() {
  constexpr uint32_t kScratchBytes = 0x1000;
  const uint32_t chain = layout_.descriptorsEnd, second = chain + NPU_DMA_DESCRIPTOR_BYTES;
  const uint32_t to = second + NPU_DMA_DESCRIPTOR_BYTES;
  const std::array<uint32_t, 32> words{
      layout_.dramScratch, to, kScratchBytes, 1, 0, 0, 1, 0, 0, 0, second, 0, 0, 0, 0, 0,
      layout_.dramArena, to + kScratchBytes, layout_.dramArenaEnd - layout_.dramArena, 1, 0, 0, 1};
  Section &s = code();
  s.li(kTemp0, chain);
  for (unsigned i = 0; i < words.size(); ++i) {
    s.li(kTemp1, words[i]);
    s.store(Insn::SW, kTemp1, kTemp0, static_cast<int32_t>(4 * i));
  }
  issue(Agent::Dma0, Insn::DMA_START, chain, 0, {});
  fence(7);
}

// --- The core among the units ---

// Loads and stores where the units work.
void Generator::arenaAccess() {
  const uint32_t address =
      (random_.oneIn(2) ? layout_.arena + random_.below(layout_.tcmEnd - layout_.arena - 64)
                        : layout_.dramArena +
                              random_.below(layout_.dramArenaEnd - layout_.dramArena - 64)) &
      ~3u;
  const bool stores = random_.oneIn(2);
  Footprint footprint;
  (stores ? footprint.writes : footprint.reads).push_back({address, address + 32});
  order(Agent::Core, footprint);
  Section &s = code();
  s.li(kTemp0, address);
  for (unsigned n = 1 + random_.below(6); n > 0; --n) {
    const int32_t word = random_.between(0, 7) * 4;
    switch (random_.below(3)) {
    case 0:
      stores ? s.store(Insn::SW, anyReg(), kTemp0, word) : s.i(Insn::LW, anyReg(), kTemp0, word);
      break;
    case 1:
      stores ? s.store(Insn::SH, anyReg(), kTemp0, word + 2)
             : s.i(Insn::LH, anyReg(), kTemp0, word + 2);
      break;
    default:
      stores ? s.store(Insn::SB, anyReg(), kTemp0, word + random_.between(0, 3))
             : s.i(Insn::LBU, anyReg(), kTemp0, word + random_.between(0, 3));
      break;
    }
  }
}

void Generator::synchronise() {
  Section &s = code();
  const unsigned unit = random_.below(3);
  if (inLoop_ || random_.oneIn(4)) {
    fence(random_.below(8));
    return;
  }
  // An old ticket, the newest, one that nobody has issued, or one of the unit that is not there.
  const uint32_t issued = issued_[unit];
  uint32_t number = random_.below(issued + 1), covered = number;
  switch (random_.below(4)) {
  case 0: number = covered = issued; break;
  case 1:
    number = issued + 1 + random_.below(1000);
    covered = issued;
    break;
  default: break;
  }
  const bool nobody = random_.oneIn(12);
  s.li(kTemp0, number << 2 | (nobody ? 3 : unit));
  if (random_.oneIn(4))
    passThrough(kTemp0, kTemp1);
  if (random_.oneIn(3)) {
    s.r(Insn::NPU_POLL, anyReg(), kTemp0, 0);
    return;
  }
  s.r(Insn::NPU_WAIT, 0, kTemp0, 0);
  if (!nobody)
    hazards_.completed(unit, covered);
}

void Generator::statusAccess() {
  static constexpr Csr kStatus[] = {Csr::nstatus, Csr::nstatus, Csr::nfault0, Csr::nfault1,
                                    Csr::nfault2, Csr::nfault3, Csr::mip,     Csr::ninfo,
                                    Csr::ntcmsize, Csr::nitcmsize};
  static constexpr Insn kClear[] = {Insn::CSRRW, Insn::CSRRS, Insn::CSRRC, Insn::CSRRWI,
                                    Insn::CSRRSI};
  Section &s = code();
  for (unsigned n = 1 + random_.below(3); n > 0; --n) {
    if (random_.oneIn(3)) {
      s.emit(random_.pick(kClear), {anyReg(), anyReg(), 0, static_cast<int32_t>(Csr::nstatus)});
    } else if (random_.oneIn(4)) {
      s.csr(Insn::CSRRS, anyReg(), random_.pick(kParams), 0);
    } else {
      s.csr(Insn::CSRRS, anyReg(), random_.pick(kStatus), 0);
    }
  }
}

} // namespace npu::fuzz
