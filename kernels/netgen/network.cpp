// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "network.h"

#include "c_name.h"
#include "read_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <map>
#include <sstream>

namespace npu::netgen {
namespace {

using Json = nlohmann::json;

constexpr int64_t kMaxExtent = 65535;
constexpr int32_t kMaxScale = 1 << 29;  // of sums of fully connected layers
constexpr int64_t kMaxValues = 1 << 24; // of a tensor: more than any scratchpad holds

const std::map<std::string, Operator> kOperators = {
    {"conv_2d", Operator::Conv},
    {"depthwise_conv_2d", Operator::Depthwise},
    {"fully_connected", Operator::FullyConnected},
    {"average_pool_2d", Operator::AveragePool},
    {"add", Operator::Add},
    {"softmax", Operator::Softmax},
    {"reshape", Operator::Reshape},
};

class Reader {
public:
  explicit Reader(const std::string &path) : path_(path) {}

  Network read();

private:
  [[noreturn]] void fail(const std::string &field, const std::string &value,
                         const std::string &rule) const {
    throw NetworkError(path_ + ": field '" + field + "': " + value + ": " + rule);
  }

  const Json &member(const Json &object, const std::string &where, const char *name) const {
    if (!object.is_object())
      fail(where, object.dump(), "must be an object");
    const auto found = object.find(name);
    if (found == object.end())
      throw NetworkError(path_ + ": field '" + where + "." + name + "' is missing");
    return *found;
  }

  // Every member of the object is one of the names.
  void allow(const Json &object, const std::string &where,
             std::initializer_list<const char *> names) const {
    if (!object.is_object())
      fail(where, object.dump(), "must be an object");
    for (const auto &[key, value] : object.items())
      if (std::none_of(names.begin(), names.end(), [&](const char *n) { return key == n; }))
        fail(where.empty() ? key : where + "." + key, value.dump(), "is not a field of a network");
  }

  int32_t integer(const Json &value, const std::string &field, int64_t low, int64_t high) const {
    if (value.is_number_integer() &&
        (!value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t(INT64_MAX)))
      if (const int64_t number = value.get<int64_t>(); number >= low && number <= high)
        return static_cast<int32_t>(number);
    fail(field, value.dump(),
         "must be an integer in " + std::to_string(low) + ".." + std::to_string(high));
  }

  std::array<int32_t, 2> pair(const Json &layer, const std::string &where, const char *name,
                              int64_t low, int64_t high) const {
    const Json &value = member(layer, where, name);
    const std::string field = where + "." + name;
    if (!value.is_array() || value.size() != 2)
      fail(field, value.dump(), "must be an array of 2 integers");
    return {integer(value[0], field + "[0]", low, high),
            integer(value[1], field + "[1]", low, high)};
  }

  Shape shape(const Json &value, const std::string &field) const {
    if (!value.is_array() || value.empty() || value.size() > 4)
      fail(field, value.dump(), "must be an array of 1 to 4 integers");
    int32_t d[4] = {1, 1, 1, 1};
    const size_t missing = 4 - value.size();
    // [batch, c] is a row of batches.
    for (size_t i = 0; i < value.size(); ++i)
      d[missing + i] = integer(value[i], field + "[" + std::to_string(i) + "]", 1, kMaxExtent);
    int64_t values = 1;
    for (const int32_t extent : d)
      if ((values *= extent) > kMaxValues)
        fail(field, value.dump(), "must have at most " + std::to_string(kMaxValues) + " values");
    return {d[0], d[1], d[2], d[3]};
  }

  template <class T>
  std::vector<T> constants(const Json &layer, const std::string &where, const char *name,
                           size_t count) const {
    const Json &place = member(layer, where, name);
    const std::string field = where + "." + name;
    allow(place, field, {"shape", "offset", "bytes"});
    const int64_t size = static_cast<int64_t>(blob_.size());
    const auto offset =
        static_cast<size_t>(integer(member(place, field, "offset"), field + ".offset", 0, size));
    const int32_t bytes = integer(member(place, field, "bytes"), field + ".bytes", 0,
                                  size - static_cast<int64_t>(offset));
    if (static_cast<size_t>(bytes) != count * sizeof(T))
      fail(field + ".bytes", std::to_string(bytes),
           "the other fields give " + std::to_string(count * sizeof(T)));
    std::vector<T> values(count);
    std::memcpy(values.data(), blob_.data() + offset, count * sizeof(T));
    return values;
  }

  int tensor(const Json &value, const std::string &field) const {
    return integer(value, field, 0, static_cast<int64_t>(network_.tensors.size()) - 1);
  }

  void readWindow(const Json &json, const std::string &where, Layer &layer) const;
  Layer readLayer(const Json &json, const std::string &where) const;
  void checkShapes(const Layer &layer, const std::string &where) const;

  std::string path_;
  std::string blob_;
  Network network_;
};

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw NetworkError(path + ": cannot be opened");
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void Reader::readWindow(const Json &json, const std::string &where, Layer &layer) const {
  layer.stride = pair(json, where, "stride", 1, 255);
  layer.padding = pair(json, where, "padding", 0, 255);
  layer.dilation = pair(json, where, "dilation", 1, 255);
}

Layer Reader::readLayer(const Json &json, const std::string &where) const {
  Layer layer = {};
  allow(json, where,
        {"name", "operator", "inputs", "outputs", "macs", "activation", "filter", "bias",
         "multiplier", "shift", "scale", "stride", "padding", "dilation", "window", "left_shift",
         "input_multiplier", "input_shift", "diff_min"});
  const Json &name = member(json, where, "name");
  if (!name.is_string())
    fail(where + ".name", name.dump(), "must be a string");
  layer.name = name.get<std::string>();
  // It becomes a string and comments of the program.
  const auto plain = [](unsigned char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (layer.name.empty() || !std::all_of(layer.name.begin(), layer.name.end(), plain))
    fail(where + ".name", name.dump(), "must be printable ASCII without \" and \\");
  const Json &op = member(json, where, "operator");
  const auto known = op.is_string() ? kOperators.find(op.get<std::string>()) : kOperators.end();
  if (known == kOperators.end()) {
    std::string names;
    for (const auto &[text, number] : kOperators)
      names += (names.empty() ? "" : ", ") + text;
    fail(where + ".operator", op.dump(), "must be one of " + names);
  }
  layer.op = known->second;

  const Json &inputs = member(json, where, "inputs"), &outputs = member(json, where, "outputs");
  const size_t wanted = layer.op == Operator::Add ? 2 : 1;
  if (!inputs.is_array() || inputs.size() != wanted)
    fail(where + ".inputs", inputs.dump(),
         "must be an array of " + std::to_string(wanted) + " tensors");
  for (const Json &input : inputs)
    layer.inputs.push_back(tensor(input, where + ".inputs"));
  if (!outputs.is_array() || outputs.size() != 1)
    fail(where + ".outputs", outputs.dump(), "must be an array of 1 tensor");
  layer.output = tensor(outputs[0], where + ".outputs");
  if (json.contains("macs"))
    layer.macs = static_cast<uint64_t>(integer(json["macs"], where + ".macs", 0, INT32_MAX));
  if (json.contains("activation")) {
    layer.activation = pair(json, where, "activation", -128, 127);
    if (layer.activation[0] > layer.activation[1])
      fail(where + ".activation", json["activation"].dump(), "the minimum is above the maximum");
  }

  const Shape in = network_.tensors[static_cast<size_t>(layer.inputs[0])].shape;
  const Shape out = network_.tensors[static_cast<size_t>(layer.output)].shape;
  switch (layer.op) {
  case Operator::Conv:
  case Operator::Depthwise:
  case Operator::FullyConnected: {
    const Json &filter = member(json, where, "filter");
    const Shape f = shape(member(filter, where + ".filter", "shape"), where + ".filter.shape");
    const bool dense = layer.op == Operator::FullyConnected;
    if (!dense) {
      readWindow(json, where, layer);
      layer.window = {f.h, f.w};
    }
    const Shape rule = layer.op == Operator::Conv        ? Shape{out.c, f.h, f.w, in.c}
                       : layer.op == Operator::Depthwise ? Shape{1, f.h, f.w, in.c}
                                                         : Shape{1, 1, out.c, in.c};
    if (f.n != rule.n || f.h != rule.h || f.w != rule.w || f.c != rule.c)
      fail(where + ".filter.shape", filter["shape"].dump(),
           "does not belong to these tensors (groups and channel multipliers are not supported)");
    const auto channels = static_cast<size_t>(out.c);
    layer.filter = constants<int8_t>(json, where, "filter",
                                     size_t(f.n) * size_t(f.h) * size_t(f.w) * size_t(f.c));
    layer.bias = constants<int32_t>(json, where, "bias", channels);
    if (dense) {
      layer.scale = constants<double>(json, where, "scale", channels);
      for (const double scale : layer.scale)
        if (!(scale >= 0 && scale < kMaxScale))
          fail(where + ".scale", Json(scale).dump(),
               "must be at least 0 and less than " + std::to_string(kMaxScale));
      break;
    }
    layer.multiplier = constants<int32_t>(json, where, "multiplier", channels);
    layer.shift = constants<int32_t>(json, where, "shift", channels);
    for (const int32_t shift : layer.shift)
      if (shift < -31 || shift > 31)
        fail(where + ".shift", std::to_string(shift), "must be in -31..31");
    break;
  }
  case Operator::AveragePool:
    readWindow(json, where, layer);
    layer.window = pair(json, where, "window", 1, 255);
    break;
  case Operator::Add:
    // TFLite's scales of an addition are below 1.
    layer.leftShift = integer(member(json, where, "left_shift"), where + ".left_shift", 0, 20);
    layer.inMultiplier = pair(json, where, "input_multiplier", 0, INT32_MAX);
    layer.inShift = pair(json, where, "input_shift", -31, 0);
    layer.outMultiplier =
        integer(member(json, where, "multiplier"), where + ".multiplier", 0, INT32_MAX);
    layer.outShift = integer(member(json, where, "shift"), where + ".shift", -31, 0);
    break;
  case Operator::Softmax:
    layer.outMultiplier =
        integer(member(json, where, "multiplier"), where + ".multiplier", 0, INT32_MAX);
    layer.outShift = integer(member(json, where, "shift"), where + ".shift", -31, 31);
    layer.diffMin = integer(member(json, where, "diff_min"), where + ".diff_min", INT32_MIN, 0);
    break;
  case Operator::Reshape:
    break;
  }
  checkShapes(layer, where);
  return layer;
}

void Reader::checkShapes(const Layer &layer, const std::string &where) const {
  const auto shapeOf = [&](int number) {
    return network_.tensors[static_cast<size_t>(number)].shape;
  };
  const auto text = [](Shape s) { return Json{s.n, s.h, s.w, s.c}.dump(); };
  const auto volume = [](Shape s) {
    return uint64_t(s.n) * uint64_t(s.h) * uint64_t(s.w) * uint64_t(s.c);
  };
  const Shape in = shapeOf(layer.inputs[0]), out = shapeOf(layer.output);
  const std::string field = where + ".outputs";
  if (in.n != 1 || out.n != 1)
    fail(where + ".inputs", text(in), "batches are not supported");
  switch (layer.op) {
  case Operator::Conv:
  case Operator::Depthwise:
  case Operator::AveragePool: {
    if (layer.op != Operator::Conv && out.c != in.c)
      fail(field, text(out), "must have the input's channels");
    const int32_t extents[2][2] = {{in.h, out.h}, {in.w, out.w}};
    for (size_t i = 0; i < 2; ++i) {
      const int32_t last = (extents[i][1] - 1) * layer.stride[i] - layer.padding[i];
      if (last >= extents[i][0])
        fail(field, text(out), "its last window lies outside the input " + text(in));
    }
    break;
  }
  case Operator::FullyConnected:
    if (in.h != 1 || in.w != 1 || out.h != 1 || out.w != 1)
      fail(where + ".inputs", text(in), "must be a vector");
    break;
  case Operator::Add:
    if (text(shapeOf(layer.inputs[1])) != text(in) || text(out) != text(in))
      fail(field, text(out), "broadcasting is not supported");
    break;
  case Operator::Softmax:
  case Operator::Reshape:
    if (volume(in) != volume(out))
      fail(field, text(out), "must have as many values as the input");
    break;
  }
}

Network Reader::read() {
  std::istringstream file(bytesOf(path_));
  const Json root = readJson<NetworkError>(file, path_);
  if (!root.is_object())
    throw NetworkError(path_ + ": must hold an object");
  allow(root, "", {"name", "constants", "tensors", "input", "output", "layers"});
  const Json &name = member(root, "network", "name");
  network_.name = name.is_string() ? name.get<std::string>() : "";
  if (const std::string fault = cNameFault(network_.name); !fault.empty())
    fail("name", name.dump(), fault);

  const Json &blob = member(root, "network", "constants");
  if (!blob.is_string() || blob.get<std::string>().empty() ||
      blob.get<std::string>().find('\0') != std::string::npos)
    fail("constants", blob.dump(), "must be the name of a file");
  blob_ = bytesOf((std::filesystem::path(path_).parent_path() / blob.get<std::string>()).string());

  const Json &tensors = member(root, "network", "tensors"),
             &layers = member(root, "network", "layers");
  if (!tensors.is_array() || !layers.is_array() || layers.empty())
    throw NetworkError(path_ + ": 'tensors' and 'layers' must be arrays with elements");
  for (size_t i = 0; i < tensors.size(); ++i) {
    const std::string where = "tensors[" + std::to_string(i) + "]";
    allow(tensors[i], where, {"shape", "zero_point"});
    network_.tensors.push_back(
        {shape(member(tensors[i], where, "shape"), where + ".shape"),
         integer(member(tensors[i], where, "zero_point"), where + ".zero_point", -128, 127)});
  }
  network_.input = tensor(member(root, "network", "input"), "input");
  network_.output = tensor(member(root, "network", "output"), "output");
  std::vector<bool> known(network_.tensors.size());
  known[static_cast<size_t>(network_.input)] = true;
  for (size_t i = 0; i < layers.size(); ++i) {
    const std::string where = "layers[" + std::to_string(i) + "]";
    Layer layer = readLayer(layers[i], where);
    for (const int input : layer.inputs)
      if (!known[static_cast<size_t>(input)])
        fail(where + ".inputs", std::to_string(input), "no earlier layer makes this tensor");
    if (known[static_cast<size_t>(layer.output)])
      fail(where + ".outputs", std::to_string(layer.output), "an earlier layer makes this tensor");
    known[static_cast<size_t>(layer.output)] = true;
    network_.layers.push_back(std::move(layer));
  }
  if (!known[static_cast<size_t>(network_.output)] || network_.output == network_.input)
    fail("output", std::to_string(network_.output), "no layer makes this tensor");
  return std::move(network_);
}

} // namespace

Network readNetwork(const std::string &path) {
  return Reader(path).read();
}

} // namespace npu::netgen
