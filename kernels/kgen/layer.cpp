// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "layer.h"

#include "c_name.h"
#include "npu_platform.h"
#include "read_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>

namespace npu::kgen {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMaxExtent = 65535;

class Reader {
public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  Layer read();

private:
  [[noreturn]] void fail(const std::string &field, const std::string &value,
                         const std::string &rule) const {
    throw LayerError{path_ + ": field '" + field + "': " + value + ": " + rule};
  }

  const Json &member(const Json &object, const std::string &prefix, const char *name) const {
    const auto found = object.find(name);
    if (found == object.end())
      throw LayerError{path_ + ": field '" + prefix + name + "' is missing"};
    return *found;
  }

  // Every member of the object is one of the names.
  void allow(const Json &object, const std::string &field,
             std::initializer_list<const char *> names) const {
    if (!object.is_object() && field.empty())
      throw LayerError{path_ + ": must hold an object"};
    if (!object.is_object())
      fail(field, object.dump(), "must be an object");
    for (const auto &[key, value] : object.items())
      if (std::none_of(names.begin(), names.end(), [&](const char *n) { return key == n; }))
        fail(field.empty() ? key : field + "." + key, value.dump(), "is not a field of a layer");
  }

  int32_t integer(const Json &value, const std::string &field, int64_t low, int64_t high) const {
    const std::string range =
        "must be an integer in " + std::to_string(low) + ".." + std::to_string(high);
    if (!value.is_number_integer())
      fail(field, value.dump(), range);
    // An unsigned number beyond int64 would otherwise wrap into the range.
    const bool huge = value.is_number_unsigned() && value.get<uint64_t>() > uint64_t(INT64_MAX);
    const int64_t number = value.get<int64_t>();
    if (huge || number < low || number > high)
      fail(field, value.dump(), range);
    return static_cast<int32_t>(number);
  }

  std::vector<int32_t> integers(const Json &value, const std::string &field, size_t count,
                                int64_t low, int64_t high) const {
    if (!value.is_array() || value.size() != count)
      fail(field, value.is_array() ? std::to_string(value.size()) + " values" : value.dump(),
           "must be an array of " + std::to_string(count) + " integers");
    std::vector<int32_t> numbers;
    for (size_t i = 0; i < count; ++i)
      numbers.push_back(integer(value[i], field + "[" + std::to_string(i) + "]", low, high));
    return numbers;
  }

  npu_dims shape(const Json &tensor, const std::string &prefix) const {
    const auto v =
        integers(member(tensor, prefix + ".", "shape"), prefix + ".shape", 4, 1, kMaxExtent);
    return {v[0], v[1], v[2], v[3]};
  }

  // A tensor of one byte an element fits into the memory that it comes from or goes to.
  void fitsDram(const std::string &field, const npu_dims &d) const {
    uint64_t bytes = 1;
    for (const int32_t extent : {d.n, d.h, d.w, d.c}) {
      bytes *= static_cast<uint64_t>(extent);
      if (bytes > NPU_DEFAULT_DRAM_SIZE)
        fail(field, Json{d.n, d.h, d.w, d.c}.dump(),
             "more than the " + std::to_string(NPU_DEFAULT_DRAM_SIZE) + " bytes of DRAM");
    }
  }

  npu_tile pair(const Json &root, const char *name, npu_tile otherwise) const {
    if (!root.contains(name))
      return otherwise;
    const auto v = integers(root[name], name, 2, 1, 255);
    return {v[0], v[1]};
  }

  void readPadding(const Json &padding, npu_conv_problem &problem) const;
  void readMemory(const Json &tensor, const std::string &field, uint32_t operand,
                  npu_conv_problem &problem, int32_t *pixel, int32_t *pitch) const;
  int32_t outputExtent(const char *axis, int32_t padded, int32_t window, int32_t stride) const;

  std::string path_;
};

int32_t windowExtent(int32_t taps, int32_t dilation) {
  return (taps - 1) * dilation + 1;
}

int32_t Reader::outputExtent(const char *axis, int32_t padded, int32_t window,
                             int32_t stride) const {
  if (window > padded)
    fail("filter.shape", "a window of " + std::to_string(window) + " " + axis,
         "does not fit into the padded input's " + std::to_string(padded));
  return (padded - window) / stride + 1;
}

// Sets the padding and the output's extents.
void Reader::readPadding(const Json &padding, npu_conv_problem &layer) const {
  const npu_tile window = {windowExtent(layer.filter.h, layer.params.dilation.h),
                           windowExtent(layer.filter.w, layer.params.dilation.w)};
  const npu_tile stride = layer.params.stride;
  npu_tile before = {0, 0}, after = {0, 0};
  if (padding == "same") {
    // TFLite: the output has ceil(input / stride) lines; the odd one of the padding comes last.
    const auto split = [](int32_t extent, int32_t step, int32_t taps, int32_t &first,
                          int32_t &last) {
      const int32_t lines = (extent + step - 1) / step;
      const int32_t total = std::max((lines - 1) * step + taps - extent, 0);
      first = total / 2;
      last = total - first;
    };
    split(layer.input.h, stride.h, window.h, before.h, after.h);
    split(layer.input.w, stride.w, window.w, before.w, after.w);
    if (before.h > 255 || before.w > 255)
      fail("padding", padding.dump(), "would add more than 255 lines or columns on a side");
  } else if (padding.is_object()) {
    allow(padding, "padding", {"top", "left", "bottom", "right"});
    before.h = integer(member(padding, "padding.", "top"), "padding.top", 0, 255);
    before.w = integer(member(padding, "padding.", "left"), "padding.left", 0, 255);
    after.h = integer(member(padding, "padding.", "bottom"), "padding.bottom", 0, 255);
    after.w = integer(member(padding, "padding.", "right"), "padding.right", 0, 255);
  } else if (padding != "valid") {
    fail("padding", padding.dump(),
         "must be \"same\", \"valid\" or an object with top, left, bottom and right");
  }
  layer.params.padding = before;
  layer.output.n = layer.input.n;
  layer.output.c = layer.filter.n;
  layer.output.h = outputExtent("lines", layer.input.h + before.h + after.h, window.h, stride.h);
  layer.output.w = outputExtent("columns", layer.input.w + before.w + after.w, window.w, stride.w);
}

// Where a tensor lies; in the scratchpad, how far apart its pixels and lines are.
void Reader::readMemory(const Json &tensor, const std::string &field, uint32_t operand,
                        npu_conv_problem &problem, int32_t *pixel, int32_t *pitch) const {
  if (tensor.contains("memory")) {
    const Json &memory = tensor["memory"];
    if (memory != "dram" && memory != "tcm")
      fail(field + ".memory", memory.dump(), "must be \"dram\" or \"tcm\"");
    if (memory == "tcm")
      problem.placement |= operand;
  }
  const auto distance = [&](const char *name, int64_t least, int32_t *to) {
    if (!tensor.contains(name))
      return;
    if ((problem.placement & operand) == 0)
      fail(field + "." + name, tensor[name].dump(), "is for tensors in \"tcm\"");
    *to = integer(tensor[name], field + "." + name, least, 1 << 24);
  };
  if (pixel == nullptr)
    return;
  const npu_dims &d = operand == NPU_CONV_INPUT_TCM ? problem.input : problem.output;
  distance("pixel", d.c, pixel);
  distance("pitch", int64_t(*pixel != 0 ? *pixel : d.c) * d.w, pitch);
}

Layer Reader::read() {
  std::ifstream file(path_);
  if (!file)
    throw LayerError{path_ + ": cannot be opened"};
  const Json root = readJson<LayerError>(file, path_);
  allow(root, "",
        {"name", "input", "filter", "output", "stride", "dilation", "padding", "activation",
         "multiplier", "shift", "scratch_bytes"});
  Layer result = {};
  npu_conv_problem &layer = result.problem;
  const Json &name = member(root, "", "name");
  result.name = name.is_string() ? name.get<std::string>() : "";
  if (const std::string fault = cNameFault(result.name); !fault.empty())
    fail("name", name.dump(), fault);

  const Json &input = member(root, "", "input");
  const Json &filter = member(root, "", "filter");
  const Json &output = member(root, "", "output");
  allow(input, "input", {"shape", "zero_point", "memory", "pixel", "pitch"});
  allow(filter, "filter", {"shape", "type", "memory"});
  allow(output, "output", {"shape", "zero_point", "memory", "pixel", "pitch"});
  layer.input = shape(input, "input");
  layer.filter = shape(filter, "filter");
  if (layer.filter.h > 255 || layer.filter.w > 255)
    fail("filter.shape", filter["shape"].dump(), "height and width must be in 1..255");
  if (layer.input.c % layer.filter.c != 0)
    fail("filter.shape[3]", std::to_string(layer.filter.c),
         "must divide the input's channels, " + std::to_string(layer.input.c));
  layer.params.groups = layer.input.c / layer.filter.c;
  if (layer.filter.n % layer.params.groups != 0)
    fail("filter.shape[0]", std::to_string(layer.filter.n),
         "must be a multiple of the groups, " + std::to_string(layer.params.groups));
  layer.weight_bits = 8;
  if (filter.contains("type")) {
    if (filter["type"] != "int8" && filter["type"] != "int4")
      fail("filter.type", filter["type"].dump(), "must be \"int8\" or \"int4\"");
    layer.weight_bits = filter["type"] == "int4" ? 4 : 8;
  }

  layer.params.input_offset =
      -integer(member(input, "input.", "zero_point"), "input.zero_point", -128, 127);
  layer.params.output_offset =
      integer(member(output, "output.", "zero_point"), "output.zero_point", -128, 127);
  layer.params.stride = pair(root, "stride", {1, 1});
  layer.params.dilation = pair(root, "dilation", {1, 1});
  readPadding(member(root, "", "padding"), layer);
  fitsDram("input.shape", layer.input);
  fitsDram("filter.shape", layer.filter);
  fitsDram("output.shape", layer.output);
  if (output.contains("shape")) {
    const npu_dims given = shape(output, "output");
    const std::array<std::array<int32_t, 2>, 4> sides = {{{given.n, layer.output.n},
                                                          {given.h, layer.output.h},
                                                          {given.w, layer.output.w},
                                                          {given.c, layer.output.c}}};
    for (size_t i = 0; i < sides.size(); ++i)
      if (sides[i][0] != sides[i][1])
        fail("output.shape[" + std::to_string(i) + "]", std::to_string(sides[i][0]),
             "the other fields give " + std::to_string(sides[i][1]));
  }

  readMemory(input, "input", NPU_CONV_INPUT_TCM, layer, &layer.in_pixel, &layer.in_pitch);
  readMemory(output, "output", NPU_CONV_OUTPUT_TCM, layer, &layer.out_pixel, &layer.out_pitch);
  readMemory(filter, "filter", NPU_CONV_WEIGHTS_TCM, layer, nullptr, nullptr);

  layer.params.activation_min = -128;
  layer.params.activation_max = 127;
  if (root.contains("activation")) {
    const auto v = integers(root["activation"], "activation", 2, -128, 127);
    if (v[0] > v[1])
      fail("activation", root["activation"].dump(), "the minimum is above the maximum");
    layer.params.activation_min = v[0];
    layer.params.activation_max = v[1];
  }
  const auto channels = static_cast<size_t>(layer.filter.n);
  result.multiplier =
      integers(member(root, "", "multiplier"), "multiplier", channels, INT32_MIN, INT32_MAX);
  result.shift = integers(member(root, "", "shift"), "shift", channels, -31, 31);
  layer.scratch_bytes = static_cast<uint32_t>(
      integer(member(root, "", "scratch_bytes"), "scratch_bytes", 0, INT32_MAX));
  if (npu_conv_check(&layer) != NPU_OK)
    fail("filter.shape", filter["shape"].dump(),
         "window rows of more than 65535 bytes, tensors of more than 2^31, or pixels of the input "
         "apart "
         "while a step of the array spans two");
  return result;
}

} // namespace

Layer readLayer(const std::string &path) {
  return Reader(path).read();
}

} // namespace npu::kgen
