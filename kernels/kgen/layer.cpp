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

  // The member is not there.
  void absent(const Json &object, const std::string &prefix, const char *name,
              const std::string &rule) const {
    if (object.contains(name))
      fail(prefix + name, object[name].dump(), rule);
  }

  Operator readOperator(const Json &root) const;
  void readActivation(const Json &root, int32_t low, int32_t high, int32_t &min,
                      int32_t &max) const;
  void readMultipliers(const Json &root, int32_t channels, int64_t left, Layer &layer) const;
  void makeDepthwise(const Json &root, const npu_dims &taps, Layer &layer) const;
  void readConnected(const Json &root, Layer &layer) const;
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

Operator Reader::readOperator(const Json &root) const {
  if (!root.contains("operator") || root["operator"] == "conv")
    return Operator::Conv;
  if (root["operator"] == "depthwise_conv")
    return Operator::DepthwiseConv;
  if (root["operator"] != "fully_connected")
    fail("operator", root["operator"].dump(),
         "must be \"conv\", \"depthwise_conv\" or \"fully_connected\"");
  return Operator::FullyConnected;
}

void Reader::readActivation(const Json &root, int32_t low, int32_t high, int32_t &min,
                            int32_t &max) const {
  min = low;
  max = high;
  if (!root.contains("activation"))
    return;
  const auto v = integers(root["activation"], "activation", 2, low, high);
  if (v[0] > v[1])
    fail("activation", root["activation"].dump(), "the minimum is above the maximum");
  min = v[0];
  max = v[1];
}

// Shifts up to `left` places to the left.
void Reader::readMultipliers(const Json &root, int32_t channels, int64_t left, Layer &layer) const {
  const auto count = static_cast<size_t>(channels);
  layer.multiplier =
      integers(member(root, "", "multiplier"), "multiplier", count, INT32_MIN, INT32_MAX);
  layer.shift = integers(member(root, "", "shift"), "shift", count, -31, left);
}

// A depthwise convolution from what has been read of a convolution.
void Reader::makeDepthwise(const Json &root, const npu_dims &taps, Layer &layer) const {
  const npu_conv_problem &conv = layer.problem;
  npu_dw_problem &problem = layer.depthwise;
  const npu_conv_params &p = conv.params;
  problem.input = conv.input;
  problem.filter = taps;
  problem.output = conv.output;
  problem.params = {.input_offset = p.input_offset,
                    .output_offset = p.output_offset,
                    .channel_multiplier = taps.c / conv.input.c,
                    .stride = p.stride,
                    .padding = p.padding,
                    .dilation = p.dilation,
                    .activation_min = p.activation_min,
                    .activation_max = p.activation_max,
                    .input_pixel = 0,
                    .input_line = 0,
                    .output_pixel = 0,
                    .output_line = 0};
  problem.constants_in_tcm = (conv.placement & NPU_CONV_WEIGHTS_TCM) != 0;
  problem.scratch_bytes = conv.scratch_bytes;
  layer.problem.weight_bits = 8; // depthwise constants are bytes
  if (problem.params.channel_multiplier > 1) {
    layer.kind = Operator::Conv;
    return;
  }
  for (const char *tensor : {"input", "output"})
    if (root[tensor].contains("memory") && root[tensor]["memory"] != "dram")
      fail(std::string(tensor) + ".memory", root[tensor]["memory"].dump(),
           "depthwise convolutions have kernels from DRAM to DRAM; the library runs this layer in "
           "place");
}

void Reader::readConnected(const Json &root, Layer &layer) const {
  for (const char *name : {"stride", "dilation", "padding"})
    absent(root, "", name, "is not a field of a fully connected layer");
  npu_fc_problem &problem = layer.connected;
  const Json &input = member(root, "", "input");
  const Json &filter = member(root, "", "filter");
  const Json &output = member(root, "", "output");
  allow(input, "input", {"shape", "type", "zero_point", "memory"});
  allow(filter, "filter", {"shape", "type", "memory"});
  allow(output, "output", {"zero_point", "memory"});
  problem.input = shape(input, "input");
  problem.filter = shape(filter, "filter");
  if (problem.filter.h != 1 || problem.filter.w != 1)
    fail("filter.shape", filter["shape"].dump(), "must be [outputs, 1, 1, inputs]");
  if (problem.filter.c != problem.input.c)
    fail("filter.shape[3]", std::to_string(problem.filter.c),
         "must be the input's channels, " + std::to_string(problem.input.c));
  fitsDram("input.shape", problem.input);
  fitsDram("filter.shape", problem.filter);
  const Json type = filter.contains("type") ? filter["type"] : Json("int8");
  const bool wide = input.contains("type") && input["type"] == "int16";
  if (input.contains("type") && !wide && input["type"] != "int8")
    fail("input.type", input["type"].dump(), "must be \"int8\" or \"int16\"");
  if (type != "int8" && type != "int4" && type != "int4_block")
    fail("filter.type", type.dump(), "must be \"int8\", \"int4\" or \"int4_block\"");
  if (wide && type != "int8")
    fail("filter.type", type.dump(), "must be \"int8\" where the input is int16");
  if (type == "int4_block" && problem.filter.c % NPU_FC_BLOCK != 0)
    fail("filter.shape[3]", std::to_string(problem.filter.c),
         "must be a multiple of 32, the inputs that share a scale");
  problem.form = wide             ? NPU_FC_S16
                 : type == "int8" ? NPU_FC_S8
                 : type == "int4" ? NPU_FC_S4
                                  : NPU_FC_S4_BLOCK;
  const auto memory = [&](const Json &tensor, const char *name, uint32_t operand) {
    if (!tensor.contains("memory"))
      return;
    if (tensor["memory"] != "dram" && tensor["memory"] != "tcm")
      fail(std::string(name) + ".memory", tensor["memory"].dump(), "must be \"dram\" or \"tcm\"");
    if (tensor["memory"] == "tcm")
      problem.placement |= operand;
  };
  memory(input, "input", NPU_CONV_INPUT_TCM);
  memory(output, "output", NPU_CONV_OUTPUT_TCM);
  memory(filter, "filter", NPU_CONV_WEIGHTS_TCM);
  const int32_t low = wide ? 0 : -128, high = wide ? 0 : 127;
  problem.params.input_offset =
      -integer(member(input, "input.", "zero_point"), "input.zero_point", low, high);
  problem.params.output_offset =
      integer(member(output, "output.", "zero_point"), "output.zero_point", low, high);
  readActivation(root, wide ? INT16_MIN : -128, wide ? INT16_MAX : 127,
                 problem.params.activation_min, problem.params.activation_max);
  if (problem.form == NPU_FC_S4_BLOCK) {
    absent(root, "", "scale", "is for layers whose outputs have one scale");
    readMultipliers(root, problem.filter.n, 30, layer);
  } else {
    absent(root, "", "multiplier", "fully connected layers have a scale instead");
    absent(root, "", "shift", "fully connected layers have a scale instead");
    const Json &scale = member(root, "", "scale");
    const double limit = wide ? 8192 : 536870912;
    if (!scale.is_array() || scale.size() != static_cast<size_t>(problem.filter.n))
      fail("scale", scale.is_array() ? std::to_string(scale.size()) + " values" : scale.dump(),
           "must be an array of " + std::to_string(problem.filter.n) + " numbers");
    for (size_t i = 0; i < scale.size(); ++i) {
      if (!scale[i].is_number() || !(scale[i].get<double>() >= 0) ||
          scale[i].get<double>() >= limit)
        fail("scale[" + std::to_string(i) + "]", scale[i].dump(),
             "must be a number in 0.." + std::to_string(static_cast<int64_t>(limit)));
      layer.scale.push_back(scale[i].get<double>());
    }
  }
  problem.scratch_bytes = static_cast<uint32_t>(
      integer(member(root, "", "scratch_bytes"), "scratch_bytes", 0, INT32_MAX));
  layer.filterBits = type == "int8" ? 8 : 4;
  npu_fc_plan plan;
  if (npu_fc_plan_make(&plan, &problem) == NPU_ERROR_ARGUMENT)
    fail("input.shape", input["shape"].dump(), "an input or an output of 2^31 bytes and more");
}

Layer Reader::read() {
  std::ifstream file(path_);
  if (!file)
    throw LayerError{path_ + ": cannot be opened"};
  const Json root = readJson<LayerError>(file, path_);
  allow(root, "",
        {"name", "operator", "input", "filter", "output", "stride", "dilation", "padding",
         "activation", "multiplier", "shift", "scale", "scratch_bytes"});
  Layer result = {};
  result.kind = readOperator(root);
  npu_conv_problem &layer = result.problem;
  const Json &name = member(root, "", "name");
  result.name = name.is_string() ? name.get<std::string>() : "";
  if (const std::string fault = cNameFault(result.name); !fault.empty())
    fail("name", name.dump(), fault);

  if (result.kind == Operator::FullyConnected) {
    readConnected(root, result);
    return result;
  }
  absent(root, "", "scale", "is for fully connected layers");
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
  const npu_dims taps = layer.filter;
  if (result.kind == Operator::DepthwiseConv) {
    if (taps.n != 1)
      fail("filter.shape[0]", std::to_string(taps.n), "must be 1 of a depthwise convolution");
    if (taps.c % layer.input.c != 0)
      fail("filter.shape[3]", std::to_string(taps.c),
           "must be a multiple of the input's channels, " + std::to_string(layer.input.c));
    layer.filter = {taps.c, taps.h, taps.w, layer.input.c}; // with zeros
  }
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
  result.filterBits = layer.weight_bits;

  layer.params.input_offset =
      -integer(member(input, "input.", "zero_point"), "input.zero_point", -128, 127);
  layer.params.output_offset =
      integer(member(output, "output.", "zero_point"), "output.zero_point", -128, 127);
  layer.params.stride = pair(root, "stride", {1, 1});
  layer.params.dilation = pair(root, "dilation", {1, 1});
  readPadding(member(root, "", "padding"), layer);
  fitsDram("input.shape", layer.input);
  fitsDram("filter.shape", taps);
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

  readActivation(root, -128, 127, layer.params.activation_min, layer.params.activation_max);
  readMultipliers(root, layer.filter.n, 31, result);
  layer.scratch_bytes = static_cast<uint32_t>(
      integer(member(root, "", "scratch_bytes"), "scratch_bytes", 0, INT32_MAX));
  if (result.kind == Operator::DepthwiseConv)
    makeDepthwise(root, taps, result);
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
