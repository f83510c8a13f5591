// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the generators read JSON: an Error of one line for every file that is none.

#ifndef NPU_GENERATOR_READ_JSON_H
#define NPU_GENERATOR_READ_JSON_H

#include <nlohmann/json.hpp>

#include <istream>
#include <set>
#include <string>
#include <vector>

namespace npu {

// `path` is for the messages. Of two members of the same name one would be lost, so that is an error; so is what is
// nested deeper than any description, which would take a stack frame a level to print.
template <typename Error> nlohmann::json readJson(std::istream &file, const std::string &path) {
  using Json = nlohmann::json;
  constexpr int kDepth = 32;
  std::vector<std::set<std::string>> names;
  const auto check = [&](int depth, Json::parse_event_t event, Json &value) {
    if (depth > kDepth)
      throw Error{path + ": is nested deeper than " + std::to_string(kDepth) + " levels"};
    if (event == Json::parse_event_t::object_start)
      names.emplace_back();
    else if (event == Json::parse_event_t::object_end)
      names.pop_back();
    else if (event == Json::parse_event_t::key && !names.back().insert(value.get<std::string>()).second)
      throw Error{path + ": field " + value.dump() + " stands twice"};
    return true;
  };
  try {
    return Json::parse(file, check);
  } catch (const Json::parse_error &error) {
    throw Error{path + ": byte " + std::to_string(error.byte) + ": is not valid JSON"};
  } catch (const Json::out_of_range &) {
    throw Error{path + ": a number is too large"};
  } catch (const std::ios_base::failure &) {
    throw Error{path + ": cannot be read"};
  }
}

} // namespace npu

#endif
