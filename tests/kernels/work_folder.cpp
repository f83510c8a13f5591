// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "work_folder.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <iostream>
#include <string>
#include <system_error>

namespace npu::test {
namespace {

namespace fs = std::filesystem;

fs::path path() {
  return fs::path(NPU_SOURCE_DIR) / "build/tests/kernels" / ("work_" + std::to_string(getpid()));
}

class CleanUp : public testing::Environment {
public:
  void TearDown() override {
    std::error_code error;
    if (!testing::UnitTest::GetInstance()->Failed())
      fs::remove_all(path(), error);
    else if (fs::exists(path(), error))
      std::cout << "Files of the failed tests are in " << path().string() << std::endl;
  }
};

const testing::Environment *const kCleanUp = testing::AddGlobalTestEnvironment(new CleanUp);

} // namespace

const fs::path &workFolder() {
  static const fs::path folder = [] {
    fs::create_directories(path());
    return path();
  }();
  return folder;
}

} // namespace npu::test
