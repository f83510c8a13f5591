// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the generators leave their output: all of it or nothing.

#ifndef NPU_GENERATOR_WRITE_FILES_H
#define NPU_GENERATOR_WRITE_FILES_H

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace npu {

// Writes the contents (second) to the files of these names (first). If one cannot be written,
// removes what has been written and throws an Error of one line that names it.
template <typename Error>
void writeFiles(const std::vector<std::pair<std::string, std::string>> &files) {
  for (size_t i = 0; i < files.size(); ++i) {
    std::ofstream file(files[i].first, std::ios::binary);
    const bool opened = file.is_open();
    file << files[i].second;
    file.close();
    if (file)
      continue;
    // A file that did not open is someone else's; a device is not ours to remove.
    const size_t written = opened ? i + 1 : i;
    std::error_code ignored;
    for (size_t j = 0; j < written; ++j)
      if (std::filesystem::is_regular_file(files[j].first, ignored))
        std::filesystem::remove(files[j].first, ignored);
    throw Error{files[i].first + ": cannot be written"};
  }
}

} // namespace npu

#endif
