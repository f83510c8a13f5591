// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host side of the demo.
//
//   npu-demo-report prepare PHOTO.ppm INPUT       photograph -> int8 [240, 320, 3]
//   npu-demo-report check INPUT OUTPUT...         compares every byte with the reference
//   npu-demo-report sheet INPUT OUTPUT SHEET.png  the photograph and the 16 feature maps

#include "conv_s8_reference.h"
#include "photo_filters.h"

#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kPixels = size_t(PHOTO_H) * PHOTO_W;

struct Error {
  std::string text;
};

Bytes readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw Error{path + ": cannot be opened"};
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

Bytes readTensor(const std::string &path, size_t bytes) {
  Bytes data = readFile(path);
  if (data.size() != bytes)
    throw Error{path + ": has " + std::to_string(data.size()) + " bytes: must be " +
                std::to_string(bytes)};
  return data;
}

void writeFile(const std::string &path, const Bytes &data) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char *>(data.data()),
             static_cast<std::streamsize>(data.size()));
  file.close();
  if (!file)
    throw Error{path + ": cannot be written"};
}

// A number of the header of a binary portable pixmap; comments run from # to the line's end.
unsigned readNumber(const Bytes &data, size_t &at) {
  for (; at < data.size() && (std::isspace(data[at]) || data[at] == '#'); ++at)
    if (data[at] == '#')
      while (at + 1 < data.size() && data[at + 1] != '\n')
        ++at;
  unsigned number = 0;
  for (; at < data.size() && std::isdigit(data[at]) && number < 100000; ++at)
    number = number * 10 + (data[at] - '0');
  return number;
}

void prepare(const std::string &photo, const std::string &input) {
  const Bytes data = readFile(photo);
  if (data.size() < 2 || data[0] != 'P' || data[1] != '6')
    throw Error{photo + ": must be a binary portable pixmap (P6)"};
  size_t at = 2;
  const unsigned width = readNumber(data, at), height = readNumber(data, at);
  const unsigned maximum = readNumber(data, at);
  ++at; // the one white space behind the header
  if (width != PHOTO_W || height != PHOTO_H || maximum != 255)
    throw Error{photo + ": is " + std::to_string(width) + " x " + std::to_string(height) +
                " with maximum " + std::to_string(maximum) + ": must be 320 x 240 with 255"};
  if (data.size() < at + kPixels * PHOTO_C)
    throw Error{photo + ": is truncated"};
  Bytes pixels(data.begin() + static_cast<std::ptrdiff_t>(at),
               data.begin() + static_cast<std::ptrdiff_t>(at + kPixels * PHOTO_C));
  for (uint8_t &value : pixels)
    value ^= 0x80; // 0..255 -> -128..127
  writeFile(input, pixels);
}

// True if the file holds exactly what the reference computes.
bool check(const Bytes &expected, const std::string &path) {
  const Bytes output = readTensor(path, expected.size());
  size_t wrong = 0, first = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    if (output[i] != expected[i] && wrong++ == 0)
      first = i;
  if (wrong == 0) {
    std::cout << path << ": all " << expected.size() << " bytes equal the reference\n";
    return true;
  }
  const size_t pixel = first / PHOTO_FILTERS;
  std::cout << path << ": " << wrong << " of " << expected.size()
            << " bytes differ from the reference; first at y " << pixel / PHOTO_W << ", x "
            << pixel % PHOTO_W << ", channel " << first % PHOTO_FILTERS << ": "
            << int(int8_t(output[first])) << ", must be " << int(int8_t(expected[first])) << "\n";
  return false;
}

Bytes reference(const std::string &inputPath) {
  const Bytes input = readTensor(inputPath, kPixels * PHOTO_C);
  Bytes expected(kPixels * PHOTO_FILTERS);
  npu_reference_conv_s8(&photo_params, &photo_quant, &photo_input_dims,
                        reinterpret_cast<const int8_t *>(input.data()), &photo_filter_dims,
                        &photo_filters[0][0][0][0], photo_bias, &photo_output_dims,
                        reinterpret_cast<int8_t *>(expected.data()));
  return expected;
}

class Image {
public:
  Image(size_t width, size_t height)
      : width_(width), height_(height), rgb_(width * height * 3, 255) {}

  void set(size_t x, size_t y, uint8_t r, uint8_t g, uint8_t b) {
    uint8_t *at = &rgb_[(y * width_ + x) * 3];
    at[0] = r;
    at[1] = g;
    at[2] = b;
  }

  // PNG: signature, IHDR, one IDAT, IEND.
  Bytes png() const {
    Bytes lines;
    for (size_t y = 0; y < height_; ++y) {
      lines.push_back(0); // no filter
      const auto from = rgb_.begin() + static_cast<std::ptrdiff_t>(y * width_ * 3);
      lines.insert(lines.end(), from, from + static_cast<std::ptrdiff_t>(width_ * 3));
    }
    uLongf length = compressBound(lines.size());
    Bytes packed(length);
    if (compress2(packed.data(), &length, lines.data(), lines.size(), 9) != Z_OK)
      throw Error{"the image cannot be compressed"};
    packed.resize(length);

    Bytes header;
    word(header, uint32_t(width_));
    word(header, uint32_t(height_));
    header.insert(header.end(), {8, 2, 0, 0, 0}); // 8 bits, RGB, deflate, no interlace
    Bytes file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    chunk(file, "IHDR", header);
    chunk(file, "IDAT", packed);
    chunk(file, "IEND", {});
    return file;
  }

private:
  static void word(Bytes &to, uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8)
      to.push_back(static_cast<uint8_t>(value >> shift));
  }

  static void chunk(Bytes &to, const std::string &type, const Bytes &data) {
    word(to, uint32_t(data.size()));
    const size_t start = to.size();
    to.insert(to.end(), type.begin(), type.end());
    to.insert(to.end(), data.begin(), data.end());
    word(to, uint32_t(crc32(0, &to[start], uInt(to.size() - start))));
  }

  size_t width_, height_;
  Bytes rgb_;
};

// Four columns: the photograph leads, the maps follow in the order of the filters; int8 -> gray.
void sheet(const std::string &inputPath, const std::string &outputPath, const std::string &png) {
  constexpr size_t columns = 4, gap = 4, tiles = PHOTO_FILTERS + 1;
  constexpr size_t rows = (tiles + columns - 1) / columns;
  const Bytes input = readTensor(inputPath, kPixels * PHOTO_C);
  const Bytes output = readTensor(outputPath, kPixels * PHOTO_FILTERS);
  Image image(columns * (PHOTO_W + gap) - gap, rows * (PHOTO_H + gap) - gap);
  for (size_t tile = 0; tile < tiles; ++tile) {
    const size_t left = tile % columns * (PHOTO_W + gap), top = tile / columns * (PHOTO_H + gap);
    for (size_t y = 0; y < PHOTO_H; ++y)
      for (size_t x = 0; x < PHOTO_W; ++x) {
        const size_t pixel = y * PHOTO_W + x;
        const auto level = [&](const Bytes &from, size_t channels, size_t channel) {
          return static_cast<uint8_t>(from[pixel * channels + channel] ^ 0x80);
        };
        if (tile == 0) {
          image.set(left + x, top + y, level(input, PHOTO_C, 0), level(input, PHOTO_C, 1),
                    level(input, PHOTO_C, 2));
        } else {
          const uint8_t gray = level(output, PHOTO_FILTERS, tile - 1);
          image.set(left + x, top + y, gray, gray, gray);
        }
      }
  }
  writeFile(png, image.png());
}

int run(const std::vector<std::string> &arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "prepare" && arguments.size() == 3) {
    prepare(arguments[1], arguments[2]);
    return 0;
  }
  if (command == "check" && arguments.size() >= 3) {
    const Bytes expected = reference(arguments[1]);
    bool ok = true;
    for (size_t i = 2; i < arguments.size(); ++i)
      ok = check(expected, arguments[i]) && ok;
    return ok ? 0 : 1;
  }
  if (command == "sheet" && arguments.size() == 4) {
    sheet(arguments[1], arguments[2], arguments[3]);
    return 0;
  }
  std::cerr << "usage: npu-demo-report prepare PHOTO.ppm INPUT\n"
               "       npu-demo-report check INPUT OUTPUT...\n"
               "       npu-demo-report sheet INPUT OUTPUT SHEET.png\n";
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const Error &error) {
    std::cerr << "npu-demo-report: " << error.text << "\n";
    return 1;
  }
}
