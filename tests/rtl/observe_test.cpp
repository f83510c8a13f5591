// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run shows of the machine: counters, the trace for Perfetto, the log for Konata.

#include "program.h"
#include "simulator.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

namespace npu::rtl::test {
namespace {

constexpr uint32_t kDescriptor = NPU_TCM_BASE + 0x400;
constexpr uint32_t kWorker = NPU_ITCM_BASE + 0x1000;
constexpr uint32_t kPixels = 40, kBytes = 4096, kRow = 16;

class File {
public:
  std::FILE *get() { return file_.get(); }
  std::string text() {
    std::string result(static_cast<size_t>(std::ftell(get())), '\0');
    std::rewind(get());
    EXPECT_EQ(std::fread(result.data(), 1, result.size(), get()), result.size());
    return result;
  }

private:
  OutputFile file_{std::tmpfile()};
};

// One DMA load, one run and drain of 40 pixels, a division, a DRAM load, a call of `worker`, which
// multiplies and loads, and a branch that is taken.
Program everything() {
  Section code(NPU_ITCM_BASE);
  code.li(a0, kDescriptor);
  code.r(Insn::DMA_START, s0, a0, 1);
  code.li(a1, kData);
  code.li(a2, 16);
  code.r(Insn::MAC_LDW, zero, a1, a2);
  code.r(Insn::MAC_LDQ, zero, a1, 0);
  code.li(a3, kRow);
  code.csr(Insn::CSRRW, zero, Csr::nxstride, a3);
  code.csr(Insn::CSRRW, zero, Csr::noxstride, a3);
  code.li(a2, kPixels << 8 | 16u << 17 | 1u << 30);
  code.r(Insn::MAC_RUN, zero, a1, a2);
  code.li(a1, kData + 0x2000);
  code.li(a2, kPixels << 8 | 16u << 17);
  code.r(Insn::MAC_DRAIN, zero, a1, a2);
  code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
  code.r(Insn::DIV, a4, a3, a2);
  code.li(a1, NPU_DRAM_BASE);
  code.i(Insn::LW, a4, a1, 0);
  const uint32_t call = code.pc();
  code.jal(ra, static_cast<int32_t>(kWorker - call));
  code.branch(Insn::BEQ, zero, zero, 8);
  code.emit(Insn::ECALL);
  exitWith(code, 7);
  Section worker(kWorker);
  worker.r(Insn::MUL, a4, a3, a3);
  worker.i(Insn::ADDI, a4, a4, 1);
  worker.li(a5, kData);
  worker.i(Insn::LW, a4, a5, 0);
  worker.i(Insn::ADDI, a4, a4, 1);
  worker.emit(Insn::JALR, {0, ra, 0, 0});
  const std::array<uint32_t, 16> words = {NPU_DRAM_BASE, kData + 0x4000, kBytes, 1, 0, 0, 1};
  fuzz::Data descriptor{kDescriptor, std::vector<uint8_t>(sizeof words)};
  std::memcpy(descriptor.bytes.data(), words.data(), sizeof words);
  return {{code, worker}, {descriptor}, code.base()};
}

struct Traced {
  nlohmann::json perfetto, statistics;
  std::string konata;
  uint64_t cycles = 0, retired = 0;
};

Traced trace(const Program &program) {
  File perfetto, konata;
  ElfImage image = program.image();
  image.functions = {{NPU_ITCM_BASE, "main"}, {kWorker, "worker \"quoted\""}};
  SimulationOptions options{.dram = {NPU_DRAM_MODEL_READ_LATENCY, NPU_DRAM_MODEL_BYTES_PER_CYCLE}};
  options.maxCycles = 100'000;
  options.perfetto = perfetto.get();
  options.konata = konata.get();
  options.statsFunction = kWorker;
  Simulation simulation(*MachineConfig::find("default"), options, image, {"test"});
  const SimulationResult result = simulation.runToEnd();
  EXPECT_EQ(result.outcome, Outcome::Exited) << result.report;
  EXPECT_EQ(result.status, 7);
  simulation.finishTraces();
  Traced traced;
  traced.perfetto = nlohmann::json::parse(perfetto.text());
  traced.statistics = nlohmann::json::parse(simulation.statistics(result.status));
  traced.konata = konata.text();
  traced.cycles = simulation.machine().cycles();
  traced.retired = simulation.machine().counters().retired;
  return traced;
}

TEST(Statistics, AccountForEveryCycleAndByte) {
  const Traced traced = trace(everything());
  const nlohmann::json &stats = traced.statistics;
  uint64_t stalled = 0;
  for (const auto &[cause, cycles] : stats["stalls"].items())
    stalled += cycles.get<uint64_t>();
  // In a cycle an instruction leaves or the core stalls; the last one is on its way, and the EBREAK
  // of the exit leaves without retiring.
  EXPECT_NEAR(static_cast<double>(stalled + traced.retired), static_cast<double>(traced.cycles), 2);
  EXPECT_EQ(stats["stalls"]["load_use"], 1);
  EXPECT_EQ(stats["stalls"]["mul_use"], 1);
  EXPECT_EQ(stats["stalls"]["div"], NPU_TIMING_DIV_LATENCY - 1);
  EXPECT_GE(stats["stalls"]["memory"], NPU_DRAM_MODEL_READ_LATENCY);
  EXPECT_GE(stats["stalls"]["fence"], kBytes / 16);
  EXPECT_EQ(stats["stalls"]["icache"], 0);
  EXPECT_EQ(stats["array_busy_cycles"], kPixels);
  EXPECT_EQ(stats["drain_busy_cycles"], kPixels);
  EXPECT_EQ(stats["macs"], kPixels * 256);
  EXPECT_EQ(stats["dma"][0]["busy_cycles"], 0);
  EXPECT_EQ(stats["dma"][1]["dram_read_bytes"], kBytes);
  EXPECT_EQ(stats["dma"][1]["busy_cycles"].get<uint64_t>() +
                stats["dma"][1]["idle_cycles"].get<uint64_t>(),
            traced.cycles);
  EXPECT_EQ(stats["dram_read_bytes"], kBytes + 16);
}

// The worker's own instructions and stalls, and nothing of what runs around it.
TEST(Statistics, CallsOfAFunction) {
  const nlohmann::json stats = trace(everything()).statistics;
  ASSERT_EQ(stats["calls"].size(), 1u);
  const nlohmann::json &call = stats["calls"][0];
  EXPECT_EQ(call["stalls"]["load_use"], 1);
  EXPECT_EQ(call["stalls"]["mul_use"], 1);
  EXPECT_EQ(call["stalls"]["div"], 0);
  EXPECT_EQ(call["stalls"]["memory"], 0);
  EXPECT_GE(call["instret"], 6);
  EXPECT_LE(call["instret"], 8);
  uint64_t stalled = 0;
  for (const auto &[cause, cycles] : call["stalls"].items())
    stalled += cycles.get<uint64_t>();
  EXPECT_EQ(stalled + call["instret"].get<uint64_t>(), call["cycles"].get<uint64_t>());
}

// Code in DRAM: the refills are the instruction cache's, not the jumps'.
TEST(Statistics, RefillsOfTheInstructionCache) {
  Section code(NPU_DRAM_BASE + 0x1000);
  exitWith(code, 7);
  Program program{{code}, {}, code.base()};
  const nlohmann::json stats = trace(program).statistics;
  EXPECT_GE(stats["stalls"]["icache"], NPU_DRAM_MODEL_READ_LATENCY);
  EXPECT_LE(stats["stalls"]["fetch"], 8);
}

// Words that two requesters want at once: the run's activations and the DMA's destination.
TEST(Statistics, BankConflicts) {
  Section code(NPU_ITCM_BASE);
  code.li(a0, kDescriptor);
  code.r(Insn::DMA_START, s0, a0, 0);
  code.li(a1, kData);
  code.li(a2, 256u << 8 | 16u << 17);
  for (int n = 0; n < 4; ++n)
    code.r(Insn::MAC_RUN, zero, a1, a2); // all pixels in the same banks
  code.emit(Insn::NPU_FENCE, {0, 0, 7, 0});
  exitWith(code, 7);
  Program program = everything();
  program.sections = {code};
  const nlohmann::json stats = trace(program).statistics;
  EXPECT_GT(stats["bank_conflicts"]["dma0"], 0);
  EXPECT_EQ(stats["bank_conflicts"]["activation"], 0);
  EXPECT_EQ(stats["bank_conflicts"]["dma1"], 0);
}

TEST(Perfetto, RowsOfSlicesInOrder) {
  const Traced traced = trace(everything());
  std::map<int, std::string> rows;
  std::map<int, uint64_t> ends;
  std::map<std::string, std::vector<nlohmann::json>> slices;
  for (const nlohmann::json &event : traced.perfetto["traceEvents"]) {
    if (event["ph"] == "M") {
      if (event["name"] == "thread_name")
        rows[event["tid"]] = event["args"]["name"];
      continue;
    }
    ASSERT_EQ(event["ph"], "X") << event;
    const uint64_t begin = event["ts"], end = begin + event["dur"].get<uint64_t>();
    ASSERT_TRUE(rows.contains(event["tid"])) << event;
    EXPECT_GE(begin, ends[event["tid"]]) << "overlaps the slice before it: " << event;
    EXPECT_GT(end, begin) << event;
    EXPECT_LE(end, traced.cycles) << event;
    ends[event["tid"]] = end;
    slices[rows[event["tid"]]].push_back(event);
  }

  std::vector<std::string> functions;
  uint64_t covered = 0;
  for (const nlohmann::json &slice : slices["core: function"]) {
    functions.push_back(slice["name"]);
    covered += slice["dur"].get<uint64_t>();
  }
  EXPECT_EQ(functions, (std::vector<std::string>{"main", "worker \"quoted\"", "main"}));
  EXPECT_GE(covered + 8, traced.cycles);

  ASSERT_EQ(slices["array: run"].size(), 1u);
  EXPECT_EQ(slices["array: run"][0]["args"]["pixels"], kPixels);
  EXPECT_GE(slices["array: run"][0]["dur"], kPixels);
  std::vector<std::string> loads;
  for (const nlohmann::json &slice : slices["array: load"])
    loads.push_back(slice["name"]);
  EXPECT_EQ(loads, (std::vector<std::string>{"weights", "table"}));
  ASSERT_EQ(slices["drain"].size(), 1u);
  EXPECT_GE(slices["drain"][0]["dur"], kPixels);
  ASSERT_EQ(slices["DMA channel 1"].size(), 1u);
  EXPECT_GE(slices["DMA channel 1"][0]["dur"], kBytes / 16 + NPU_DRAM_MODEL_READ_LATENCY);
  EXPECT_TRUE(slices["DMA channel 0"].empty());
  EXPECT_TRUE(slices["vector unit"].empty());

  std::set<std::string> stalls;
  for (const nlohmann::json &slice : slices["core: stall"])
    stalls.insert(slice["name"]);
  EXPECT_EQ(stalls, (std::set<std::string>{"fence", "div", "memory"}));
  EXPECT_EQ(traced.perfetto["otherData"]["truncated"], false);
}

TEST(Perfetto, SaysWhereItEndsEarly) {
  File file;
  PerfettoTrace trace(file.get(), {}, 3);
  for (uint64_t now = 0; now < 100; ++now) {
    Observation seen;
    seen.stall = now / 10 % 2 ? Stall::Fence : Stall::None;
    trace.cycle(now, seen, nullptr);
  }
  trace.finish();
  const auto json = nlohmann::json::parse(file.text());
  size_t slices = 0;
  for (const nlohmann::json &event : json["traceEvents"])
    slices += event["ph"] == "X";
  EXPECT_EQ(slices, 3u);
  EXPECT_EQ(json["otherData"]["truncated"], true);
  EXPECT_EQ(json["otherData"]["truncated_at_cycle"], 70);
}

// Reads a log back: stages by instruction, checked for order.
struct Logged {
  std::string text;
  std::map<std::string, uint64_t> stages; // first cycle
  std::optional<int> end;                 // 0 retired, 1 dropped
  uint64_t last = 0;
};

std::map<uint64_t, Logged> parseKonata(const std::string &log) {
  std::istringstream lines(log);
  std::string line;
  EXPECT_TRUE(std::getline(lines, line) && line == "Kanata\t0004") << line;
  std::map<uint64_t, Logged> all;
  uint64_t cycle = 0, retired = 0;
  while (std::getline(lines, line)) {
    std::vector<std::string> fields;
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, '\t');)
      fields.push_back(word);
    const auto number = [&](size_t field) { return std::stoull(fields.at(field)); };
    if (fields[0] == "C=") {
      cycle = number(1);
    } else if (fields[0] == "C") {
      EXPECT_GT(number(1), 0u);
      cycle += number(1);
    } else if (fields[0] == "I") {
      EXPECT_EQ(number(1), all.size());
      all[number(1)];
    } else if (fields[0] == "L") {
      all.at(number(1)).text += fields[3];
    } else if (fields[0] == "S") {
      Logged &logged = all.at(number(1));
      EXPECT_FALSE(logged.end) << line;
      EXPECT_TRUE(logged.stages.emplace(fields[3], cycle).second) << line;
      EXPECT_TRUE(logged.stages.size() == 1 || cycle > logged.last) << line;
      logged.last = cycle;
    } else {
      EXPECT_EQ(fields[0], "R") << line;
      Logged &logged = all.at(number(1));
      EXPECT_FALSE(logged.end) << line;
      logged.end = static_cast<int>(number(3));
      if (logged.end == 0) {
        EXPECT_EQ(number(2), retired++);
      }
    }
  }
  return all;
}

TEST(Konata, StagesOfEachInstruction) {
  const Traced traced = trace(everything());
  const std::map<uint64_t, Logged> all = parseKonata(traced.konata);
  uint64_t retired = 0, dropped = 0;
  std::map<std::string, Logged> byText;
  for (const auto &[id, logged] : all) {
    ASSERT_TRUE(logged.end) << id << ' ' << logged.text;
    if (logged.end == 0) {
      ++retired;
      for (const char *stage : {"F", "D", "X", "W"})
        EXPECT_TRUE(logged.stages.contains(stage)) << logged.text;
      byText[logged.text.substr(9)] = logged;
    } else {
      ++dropped;
    }
  }
  EXPECT_EQ(retired, traced.retired);
  EXPECT_GE(dropped, 4u); // behind the call, the return and the branch
  for (const auto &[text, logged] : byText)
    if (text.starts_with("div ")) {
      EXPECT_EQ(logged.stages.at("W") - logged.stages.at("X"), NPU_TIMING_DIV_LATENCY) << text;
    }
  // The instruction behind the load waits a cycle in decode.
  const Logged &load = byText.at("lw a4, 0(a5)");
  const Logged *user = nullptr;
  for (const auto &[id, logged] : all)
    if (logged.end == 0 && logged.stages.at("X") == load.stages.at("X") + 2)
      user = &logged;
  ASSERT_NE(user, nullptr);
  EXPECT_EQ(user->text.substr(9), "addi a4, a4, 1");
  EXPECT_EQ(user->stages.at("X") - user->stages.at("D"), 2u);
}

// Misses of the instruction cache drop what was asked for behind them.
TEST(Konata, CodeInDram) {
  Section code(NPU_DRAM_BASE + 0x1000);
  for (int n = 0; n < 20; ++n)
    code.i(Insn::ADDI, a2, a2, 1);
  exitWith(code, 7);
  const Traced traced = trace({{code}, {}, code.base()});
  uint64_t retired = 0;
  for (const auto &[id, logged] : parseKonata(traced.konata))
    retired += logged.end == 0;
  EXPECT_EQ(retired, traced.retired);
}

} // namespace
} // namespace npu::rtl::test
