// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Real networks against TFLite's reference kernels, byte for byte: each layer with its own weights and activations,
// and the whole network as the program of npu-netgen. The models (MLPerf Tiny, int8) are read from the folder that the environment variable NPU_MODELS names,
// ../shared/models beside the checkout unless it is set; skips where they or TFLite are absent.

#include "golden.h"
#include "work_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <ostream>

namespace npu::test {
namespace {

namespace fs = std::filesystem;

struct Network {
  const char *name, *file;
  int layers;

  friend void PrintTo(const Network &network, std::ostream *out) { *out << network.name; }
};

const Network kNetworks[] = {
    {"KWS", "kws_ref_model.tflite", 13},
    {"VWW", "vww_96_int8.tflite", 31},
    {"IC", "pretrainedResnet_quant.tflite", 16},
    {"AD", "ad01_int8.tflite", 10},
};

const std::map<std::string, std::string> kFamilies = {
#define GOLDEN(family, operator_name, cases, all, rtl) {#operator_name, #family},
#include "golden_operators.def"
#undef GOLDEN
};

constexpr uintmax_t kSmallCase = 10 << 10; // bytes of a case file: what the RTL runs without --all

fs::path modelFolder() {
  const char *folder = std::getenv("NPU_MODELS");
  return folder != nullptr ? fs::path(folder) : fs::path(NPU_SOURCE_DIR) / ".." / "shared" / "models";
}

class Layers : public testing::TestWithParam<Network> {
protected:
  void SetUp() override {
    if (const std::string why = goldenMissing(); !why.empty())
      GTEST_SKIP() << why;
    const fs::path model = modelFolder() / GetParam().file;
    if (!fs::exists(model))
      GTEST_SKIP() << model << " is not there; NPU_MODELS names the folder of the MLPerf Tiny models";
    folder_ = workFolder() / GetParam().name;
    ASSERT_EQ(makeGolden("capture_model.py", model.string() + " " + GetParam().name + " -o " +
                                                 folder_.string() + " --photo " NPU_SOURCE_DIR
                                                                    "/build/demo/photo.ppm"),
              "");
  }

  void expectSame(Simulator simulator, uintmax_t largest, const std::string &place) {
    std::ifstream list(folder_ / "layers.txt");
    std::string name, operatorName;
    int layers = 0;
    for (; list >> name >> operatorName; ++layers) {
      const auto family = kFamilies.find(operatorName);
      if (family == kFamilies.end()) {
        ADD_FAILURE() << name << ": no kernel runs it";
        continue;
      }
      const fs::path file = folder_ / (name + ".bin");
      if (fs::file_size(file) > largest)
        continue;
      const GoldenRun run = runGolden(family->second, file, simulator, place);
      for (const std::string &failure : run.failures)
        ADD_FAILURE() << name << ": " << failure;
      EXPECT_GE(run.passed + int(run.failures.size()), 1) << name;
    }
    EXPECT_EQ(layers, GetParam().layers);
  }

  // The network as one program; the program compares its output itself.
  void expectSameNetwork(const std::string &simulator) {
    const std::string upper = GetParam().name, lower = lowerCase(upper), folder = folder_.string() + "/";
    const std::string bin = NPU_SOURCE_DIR "/build/bin/", elf = folder + lower + ".elf";
    ASSERT_EQ(goldenShell(bin + "npu-netgen " + folder + "network.json -o " + folder), "");
    ASSERT_EQ(goldenShell(NPU_SOURCE_DIR "/build/toolchain/bin/clang --target=npu -O2 -Wall -Wextra -Werror -I" +
                          folder + " '-DNETWORK_HEADER=\"" + lower + ".h\"' '-DNETWORK(x)=" + lower +
                          "##x' '-DNETWORK_UPPER(x)=" + upper + "##x' " NPU_SOURCE_DIR
                          "/kernels/netgen/run_network.c " + folder + lower +
                          ".c -lnpukernels -Wl,--defsym=__stack_size=4096 -o " + elf),
              "");
    EXPECT_EQ(goldenShell(bin + simulator + " --max-cycles 100000000 " + elf + " " + folder + lower + ".bin " +
                          folder + "input.bin " + folder + "output.bin"),
              "");
  }

  static std::string lowerCase(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
  }

  fs::path folder_;
};

std::string nameOf(const testing::TestParamInfo<Network> &info) { return info.param.name; }

TEST_P(Layers, SameAsTfliteOnModel) { expectSame(Simulator::Iss, UINTMAX_MAX, ""); }

TEST_P(Layers, SameAsTfliteOnRtl) {
  expectSame(Simulator::Rtl, std::getenv("NPU_TEST_ALL") != nullptr ? UINTMAX_MAX : kSmallCase, "dram");
}

TEST_P(Layers, WholeNetworkSameAsTfliteOnModel) { expectSameNetwork("npu-iss --check-races"); }

TEST_P(Layers, WholeNetworkSameAsTfliteOnRtlInLockstep) { expectSameNetwork("npu-rtl --lockstep"); }

TEST(DamagedModels, AreTakenOrRefusedByOneLine) {
  if (const std::string why = goldenMissing(); !why.empty())
    GTEST_SKIP() << why;
  EXPECT_EQ(makeGolden("damaged_models.py", NPU_SOURCE_DIR "/build/bin/npu-netgen " + (workFolder() / "damaged").string() +
                                                (std::getenv("NPU_TEST_ALL") != nullptr ? " --count 3000" : " --count 150")),
            "");
}

INSTANTIATE_TEST_SUITE_P(Models, Layers, testing::ValuesIn(kNetworks), nameOf);

} // namespace
} // namespace npu::test
