// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "conv_case.h"
#include "npu/conv_plan.h"
#include "work_folder.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace npu::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = NPU_SOURCE_DIR;
constexpr uint32_t kScratch = 80 << 10;
constexpr size_t kNear = 32 << 10; // bytes of an operand in the scratchpad

int32_t window(int32_t taps, int32_t dilation) { return (taps - 1) * dilation + 1; }

size_t volume(const npu_dims &d) {
  return size_t(d.n) * size_t(d.h) * size_t(d.w) * size_t(d.c);
}

// Runs a shell command; what it printed, if it failed.
std::string shell(const std::string &command) {
  const fs::path log = workFolder() / "log.txt";
  const int status = std::system(("(" + command + ") > " + log.string() + " 2>&1").c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return "";
  return "'" + command + "' ended with status " +
         std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + ":\n" + readBytes(log);
}

void writeCase(const ConvCase &c, const fs::path &path) {
  std::ofstream file(path, std::ios::binary);
  const auto put = [&](const auto *data, size_t count) {
    file.write(reinterpret_cast<const char *>(data),
               static_cast<std::streamsize>(count * sizeof *data));
  };
  put(&c.input, 1);
  put(&c.filter, 1);
  put(&c.output, 1);
  put(&c.params, 1);
  put(&c.scratch, 1);
  put(&c.weightBits, 1);
  put(&c.placement, 1);
  for (const int32_t *distance : {&c.inPixel, &c.inPitch, &c.outPixel, &c.outPitch})
    put(distance, 1);
  put(c.multiplier.data(), c.multiplier.size());
  put(c.shift.data(), c.shift.size());
  put(c.bias.data(), c.bias.size());
  put(c.weights.data(), c.weights.size());
  put(c.pixels.data(), c.pixels.size());
}

template <class T> std::string join(const std::vector<T> &values) {
  std::ostringstream text;
  for (size_t i = 0; i < values.size(); ++i)
    text << (i > 0 ? ", " : "") << values[i];
  return text.str();
}

void writeLayer(const ConvCase &c, const fs::path &path) {
  const npu_conv_params &p = c.params;
  const auto behind = [](int32_t out, int32_t stride, int32_t taps, int32_t in, int32_t before) {
    return std::max((out - 1) * stride + taps - in - before, 0);
  };
  const int32_t bottom = behind(c.output.h, p.stride.h, window(c.filter.h, p.dilation.h),
                                c.input.h, p.padding.h);
  const int32_t right = behind(c.output.w, p.stride.w, window(c.filter.w, p.dilation.w),
                               c.input.w, p.padding.w);
  const auto shape = [](const npu_dims &d) {
    return "[" + join(std::vector<int32_t>{d.n, d.h, d.w, d.c}) + "]";
  };
  const auto memory = [&](uint32_t operand, int32_t pixel, int32_t pitch) {
    std::string text = std::string(", \"memory\": \"") + ((c.placement & operand) != 0 ? "tcm" : "dram") + "\"";
    if (pixel != 0)
      text += ", \"pixel\": " + std::to_string(pixel);
    return pitch != 0 ? text + ", \"pitch\": " + std::to_string(pitch) : text;
  };
  std::ofstream(path) << "{\"name\": \"layer\",\n \"input\": {\"shape\": " << shape(c.input)
                      << ", \"zero_point\": " << -p.input_offset
                      << memory(NPU_CONV_INPUT_TCM, c.inPixel, c.inPitch) << "},\n \"filter\": {\"shape\": "
                      << shape(c.filter) << ", \"type\": \"int" << c.weightBits << "\""
                      << memory(NPU_CONV_WEIGHTS_TCM, 0, 0) << "},\n \"output\": {\"shape\": " << shape(c.output)
                      << ", \"zero_point\": " << p.output_offset
                      << memory(NPU_CONV_OUTPUT_TCM, c.outPixel, c.outPitch) << "},\n \"stride\": ["
                      << p.stride.h << ", " << p.stride.w << "],\n \"dilation\": [" << p.dilation.h
                      << ", " << p.dilation.w << "],\n \"padding\": {\"top\": " << p.padding.h
                      << ", \"left\": " << p.padding.w << ", \"bottom\": " << bottom
                      << ", \"right\": " << right << "},\n \"activation\": [" << p.activation_min
                      << ", " << p.activation_max << "],\n \"multiplier\": [" << join(c.multiplier)
                      << "],\n \"shift\": [" << join(c.shift) << "],\n \"scratch_bytes\": "
                      << (c.scratch != 0 ? c.scratch : kScratch) << "}\n";
}

std::string compile(const std::string &flags, const fs::path &program,
                    const std::string &source = "conv_layer.c") {
  return shell((kRoot / "build/toolchain/bin/clang").string() + " --target=npu -O2 -Wall -Werror " +
               (kRoot / "tests/kernels/Inputs" / source).string() + " " + flags +
               " -T npu-large.ld -lnpukernels -Wl,--gc-sections -o " + program.string());
}

Outcome simulate(const fs::path &program, const fs::path &caseFile, Simulator simulator) {
  const fs::path output = workFolder() / "output.bin";
  fs::remove(output);
  const char *command = simulator == Simulator::Iss ? "npu-iss --check-races" : "npu-rtl";
  Outcome outcome;
  outcome.error = shell((kRoot / "build/bin" / command).string() + " --config large --max-cycles 400000000 " +
                        program.string() + " " + caseFile.string() + " " + output.string());
  if (outcome.error.empty()) {
    const std::string bytes = readBytes(output);
    outcome.output.assign(bytes.begin(), bytes.end());
  }
  return outcome;
}

} // namespace

std::string readBytes(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

ConvCase readCase(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  const auto get = [&](auto *data, size_t count) {
    file.read(reinterpret_cast<char *>(data), static_cast<std::streamsize>(count * sizeof *data));
  };
  ConvCase c = {};
  c.name = path;
  get(&c.input, 1);
  get(&c.filter, 1);
  get(&c.output, 1);
  get(&c.params, 1);
  get(&c.scratch, 1);
  get(&c.weightBits, 1);
  get(&c.placement, 1);
  for (int32_t *distance : {&c.inPixel, &c.inPitch, &c.outPixel, &c.outPitch})
    get(distance, 1);
  for (std::vector<int32_t> *values : {&c.multiplier, &c.shift, &c.bias}) {
    values->resize(static_cast<size_t>(c.filter.n));
    get(values->data(), values->size());
  }
  c.weights.resize(volume(c.filter));
  get(c.weights.data(), c.weights.size());
  c.pixels.resize(volume(c.input));
  get(c.pixels.data(), c.pixels.size());
  // The file's writer has another idea of the header?
  if (!file || file.peek() != std::ifstream::traits_type::eof())
    throw std::runtime_error(path + ": not a convolution case: its sizes do not add up to the file's");
  return c;
}

void fill(ConvCase &c, std::mt19937 &random, int32_t bottom, int32_t right) {
  const npu_conv_params &p = c.params;
  const auto lines = [](int32_t padded, int32_t taps, int32_t stride) {
    return (padded - taps) / stride + 1;
  };
  c.output.n = c.input.n;
  c.output.c = c.filter.n;
  c.output.h = lines(c.input.h + p.padding.h + bottom, window(c.filter.h, p.dilation.h), p.stride.h);
  c.output.w = lines(c.input.w + p.padding.w + right, window(c.filter.w, p.dilation.w), p.stride.w);

  const auto channels = static_cast<size_t>(c.filter.n);
  const int32_t taps = c.filter.h * c.filter.w * c.filter.c;
  c.multiplier.resize(channels);
  c.shift.resize(channels);
  c.bias.resize(channels);
  for (size_t i = 0; i < channels; ++i) {
    c.multiplier[i] = static_cast<int32_t>((1u << 30) + random() % (1u << 30));
    // Around what brings the sum into eight bits; now and then far off, to the left too.
    int32_t shift = -5;
    for (int32_t n = taps; n > 1; n /= 4)
      --shift;
    c.shift[i] = random() % 8 == 0 ? static_cast<int32_t>(random() % 63) - 31
                                   : shift - static_cast<int32_t>(random() % 3);
    c.bias[i] = static_cast<int32_t>(random() % 65536) - 32768;
  }
  const auto bytes = [&](std::vector<int8_t> &to, size_t count) {
    to.resize(count);
    for (int8_t &value : to)
      value = static_cast<int8_t>(random());
  };
  bytes(c.weights, volume(c.filter));
  bytes(c.pixels, volume(c.input));
}

ConvCase randomCase(std::mt19937 &random, int32_t scale) {
  const auto between = [&](int32_t low, int32_t high) {
    return low + static_cast<int32_t>(random() % static_cast<uint32_t>(high - low + 1));
  };
  ConvCase c = {};
  npu_conv_params &p = c.params;
  c.name = "random";
  c.input = {between(1, 2), between(1, scale), between(1, scale * (between(0, 4) == 0 ? 6 : 1)),
             between(0, 2) == 0 ? between(1, scale) : between(1, 5)};
  c.filter = {between(1, between(0, 3) == 0 ? 2 * scale : 18), between(1, 5), between(1, 5),
              c.input.c};
  if (between(0, 4) == 0) {
    p.groups = between(2, 4);
    c.input.c *= p.groups;
    c.filter.n *= p.groups;
  }
  p.input_offset = between(-127, 128);
  p.output_offset = between(-128, 127);
  p.activation_min = between(-128, -64);
  p.activation_max = between(64, 127);
  p.stride = {between(1, 3), between(1, 3)};
  p.dilation = {between(0, 3) == 0 ? between(2, 3) : 1, between(0, 3) == 0 ? between(2, 3) : 1};
  p.padding = {between(0, 3), between(0, 3)};
  // Enough behind the image for one window at least.
  const int32_t bottom = std::max(
      between(0, 3), window(c.filter.h, p.dilation.h) - c.input.h - p.padding.h);
  const int32_t right = std::max(
      between(0, 3), window(c.filter.w, p.dilation.w) - c.input.w - p.padding.w);
  c.scratch = between(0, 2) == 0 ? 0 : kScratch;
  fill(c, random, bottom, right);
  return c;
}

ConvCase randomPlacedCase(std::mt19937 &random, int32_t scale, bool apart) {
  ConvCase c = randomCase(random, scale);
  const auto chance = [&](uint32_t of) { return random() % of == 0; };
  c.weightBits = chance(2) ? 4 : 8;
  if (c.weightBits == 4)
    for (int8_t &weight : c.weights)
      weight = static_cast<int8_t>(weight >> 4);
  npu_conv_problem problem = {.input = c.input, .filter = c.filter, .output = c.output, .params = c.params,
                              .weight_bits = c.weightBits, .placement = 0, .in_pixel = 0, .in_pitch = 0,
                              .out_pixel = 0, .out_pitch = 0, .scratch_bytes = 0};
  problem.params.groups = std::max(c.params.groups, 1);
  const auto place = [&](uint32_t operand, size_t bytes) {
    if (bytes <= kNear && !chance(3))
      c.placement |= operand;
    return (c.placement & operand) != 0;
  };
  // Pixels apart, lines apart, both or none, with up to 20 bytes between them.
  const auto spread = [&](const npu_dims &d, bool pixels, int32_t &pixel, int32_t &pitch) {
    const int32_t gap = pixels && chance(2) ? static_cast<int32_t>(random() % 20) : 0;
    pixel = gap != 0 ? d.c + gap : 0;
    if (chance(2))
      pitch = (d.c + gap) * d.w + static_cast<int32_t>(random() % 20);
    const size_t bytes = size_t(pitch != 0 ? pitch : (d.c + gap) * d.w) * size_t(d.h) * size_t(d.n);
    if (bytes > kNear)
      pixel = pitch = 0;
  };
  if (place(NPU_CONV_INPUT_TCM, volume(c.input)) && apart)
    spread(c.input, npu_conv_may_pad_pixels(&problem) != 0, c.inPixel, c.inPitch);
  if (place(NPU_CONV_OUTPUT_TCM, volume(c.output)) && apart)
    spread(c.output, true, c.outPixel, c.outPitch);
  place(NPU_CONV_WEIGHTS_TCM, npu_conv_packed_size(&problem));
  return c;
}

std::vector<int8_t> reference(const ConvCase &c) {
  std::vector<int8_t> output(volume(c.output));
  const npu_per_channel_quant quant = {c.multiplier.data(), c.shift.data()};
  npu_reference_conv_s8(&c.params, &quant, &c.input, c.pixels.data(), &c.filter, c.weights.data(),
                        c.bias.data(), &c.output, output.data());
  return output;
}

Outcome runLibrary(const ConvCase &c, Simulator simulator) {
  const fs::path file = workFolder() / "case.bin", program = workFolder() / "conv_layer.elf";
  writeCase(c, file);
  static const std::string compileError = compile("", program);
  if (!compileError.empty())
    return {{}, compileError};
  return simulate(program, file, simulator);
}

Outcome runGenerated(const ConvCase &c, Simulator simulator) {
  const fs::path file = workFolder() / "case.bin", layer = workFolder() / "layer.json",
                 program = workFolder() / "generated_layer.elf";
  writeCase(c, file);
  writeLayer(c, layer);
  std::string error = shell((kRoot / "build/bin/npu-kgen").string() + " " + layer.string() +
                            " -o " + workFolder().string());
  if (error.empty())
    error = compile("-DGENERATED -I" + workFolder().string() + " " + (workFolder() / "layer.c").string(), program);
  if (!error.empty())
    return {{}, error};
  return simulate(program, file, simulator);
}

std::string runProgram(const std::string &source) {
  const fs::path program = workFolder() / "program.elf";
  const std::string error = compile("", program, source);
  return !error.empty() ? error
                        : shell((kRoot / "build/bin/npu-iss").string() +
                                " --check-races --config large --max-cycles 400000000 " + program.string());
}

std::string describe(const ConvCase &c) {
  const auto dims = [](const npu_dims &d) {
    return "[" + join(std::vector<int32_t>{d.n, d.h, d.w, d.c}) + "]";
  };
  const npu_conv_params &p = c.params;
  return c.name + ": input " + dims(c.input) + " filter " + dims(c.filter) + " output " +
         dims(c.output) + " stride " + std::to_string(p.stride.h) + "x" +
         std::to_string(p.stride.w) + " dilation " + std::to_string(p.dilation.h) + "x" +
         std::to_string(p.dilation.w) + " padding " + std::to_string(p.padding.h) + "," +
         std::to_string(p.padding.w) + " groups " + std::to_string(p.groups) + " scratch " +
         std::to_string(c.scratch) + " weights of " + std::to_string(c.weightBits) + " bits, placement " +
         std::to_string(c.placement) + " distances " + std::to_string(c.inPixel) + "," +
         std::to_string(c.inPitch) + " " + std::to_string(c.outPixel) + "," + std::to_string(c.outPitch);
}

} // namespace npu::test
