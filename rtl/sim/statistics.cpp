// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "statistics.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace npu::rtl {

namespace {

constexpr size_t kFirstDmaMaster = 2; // on AXI, behind fetch and the load/store unit
constexpr unsigned kReturnAddress = 1, kStackPointer = 2;

template <size_t N>
std::array<uint64_t, N> operator-(const std::array<uint64_t, N> &a,
                                  const std::array<uint64_t, N> &b) {
  std::array<uint64_t, N> difference;
  for (size_t i = 0; i < N; ++i)
    difference[i] = a[i] - b[i];
  return difference;
}

void add(nlohmann::ordered_json &json, const Snapshot &s) {
  const Counters &counters = s.counters;
  const auto peak = static_cast<double>(s.cycles * NPU_MAC_ROWS * NPU_MAC_COLS);
  json["cycles"] = s.cycles;
  json["instret"] = counters.retired;
  json["macs"] = counters.macs;
  json["utilization"] =
      peak == 0 ? 0.0 : std::round(static_cast<double>(counters.macs) / peak * 1e4) / 1e4;
  json["array_busy_cycles"] = counters.arrayBusy;
  json["drain_busy_cycles"] = counters.drainBusy;
  json["matrix_busy_cycles"] = counters.matrixBusy;
  json["dma_busy_cycles"] = counters.dmaBusy;
  json["dma_exposed_cycles"] = counters.dmaExposed;
  json["dram_read_bytes"] = s.dramRead;
  json["dram_write_bytes"] = s.dramWritten;
  for (size_t i = 1; i < kStalls; ++i)
    json["stalls"][kStallNames[i]] = counters.stalls[i];
  for (size_t i = 0; i < kTcmUnits; ++i)
    json["bank_conflicts"][kTcmUnitNames[i]] = counters.refused[i];
  for (size_t i = 0; i < counters.channelBusy.size(); ++i)
    json["dma"].push_back({{"busy_cycles", counters.channelBusy[i]},
                           {"idle_cycles", s.cycles - counters.channelBusy[i]},
                           {"dram_read_bytes", s.channelRead[i]},
                           {"dram_write_bytes", s.channelWritten[i]}});
}

} // namespace

Snapshot Snapshot::of(const Machine &machine) {
  const AxiDram &dram = machine.dram();
  Snapshot s{machine.cycles(), machine.counters(), dram.readBytes(), dram.writtenBytes(), {}, {}};
  for (size_t i = 0; i < s.channelRead.size(); ++i) {
    s.channelRead[i] = dram.readBytesOf(kFirstDmaMaster + i);
    s.channelWritten[i] = dram.writtenBytesOf(kFirstDmaMaster + i);
  }
  return s;
}

Snapshot Snapshot::operator-(const Snapshot &earlier) const {
  Snapshot s;
  const Counters &a = counters, &b = earlier.counters;
  s.cycles = cycles - earlier.cycles;
  s.counters = {a.stalls - b.stalls,
                a.retired - b.retired,
                a.macs - b.macs,
                a.arrayBusy - b.arrayBusy,
                a.matrixBusy - b.matrixBusy,
                a.dmaBusy - b.dmaBusy,
                a.channelBusy - b.channelBusy,
                a.drainBusy - b.drainBusy,
                a.dmaExposed - b.dmaExposed,
                a.refused - b.refused};
  s.dramRead = dramRead - earlier.dramRead;
  s.dramWritten = dramWritten - earlier.dramWritten;
  s.channelRead = channelRead - earlier.channelRead;
  s.channelWritten = channelWritten - earlier.channelWritten;
  return s;
}

void CallStatistics::onRetire(const Machine &machine, uint32_t pc,
                              const std::array<uint32_t, 32> &registers) {
  if (open_ && pc == open_->returnsTo && registers[kStackPointer] == open_->stack) {
    calls_.push_back(Snapshot::of(machine) - open_->before);
    open_.reset();
  }
  if (!open_ && pc == function_)
    open_ = {Snapshot::of(machine), registers[kReturnAddress], registers[kStackPointer]};
}

std::string statisticsJson(const Machine &machine, int exitStatus, const CallStatistics *calls) {
  nlohmann::ordered_json json{{"sim", "rtl"}, {"config", std::string(machine.config().name)}};
  add(json, Snapshot::of(machine));
  if (calls) {
    json["calls"] = nlohmann::ordered_json::array();
    for (const Snapshot &call : calls->calls())
      add(json["calls"].emplace_back(nlohmann::ordered_json::object()), call);
  }
  json["exit"] = exitStatus;
  return json.dump() + "\n";
}

} // namespace npu::rtl
