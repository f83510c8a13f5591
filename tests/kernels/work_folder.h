// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a test program puts its files.

#ifndef NPU_TESTS_WORK_FOLDER_H
#define NPU_TESTS_WORK_FOLDER_H

#include <filesystem>

namespace npu::test {

// A folder under build/tests/kernels of this process alone: test programs run side by side. It goes when the program
// ends; when a test failed it stays, and the program says where.
const std::filesystem::path &workFolder();

} // namespace npu::test

#endif // NPU_TESTS_WORK_FOLDER_H
