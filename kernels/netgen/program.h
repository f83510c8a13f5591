// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network made ready for code: where tensors lie in the scratchpad, how each layer is cut into
// what the matrix unit executes, when which constants are loaded, and who waits for whom.
//
// A *part* is what the program issues at once: a layer, or some of its blocks of 16 output
// channels, with the constants for them. Parts are the steps of the memory planner. The constants
// of a part are loaded some parts ahead, as early as the scratchpad has room, on the two DMA
// channels in turn.

#pragma once

#include "network.h"
#include "planner.h"

#include <map>

namespace npu::netgen {

// Bytes from pixel to pixel, from line to line, and from 16 channels to the next. Those are 16
// where a pixel's channels lie together; otherwise the tensor is made of planes of 16 channels.
struct Layout {
  int32_t pixel, line, block;
  uint32_t bytes;
  bool planes() const { return block > 16; }
};

// Output pixels of one run, at most half of the accumulators.
struct Rect {
  int32_t y, x, h, w;
};

// One load of weights and one run of the array.
struct Step {
  int32_t ky, kx, byte; // tap and byte of it where the step begins
  int32_t k, first;     // bytes, and those of the first window row (0 = all)
  int32_t rows;         // depthwise: window rows
  int32_t weights() const { return rows > 0 ? rows * taps : k; } // rows of the array
  int32_t taps = 0;
};

struct LayerPlan {
  std::vector<Rect> rects;
  std::vector<Step> steps;
  int32_t blocks = 0;
  bool padded = false;
  // For each group (rect, block) of a depthwise layer, for each rect and step of others: how many
  // tickets before the producer's last one the data are complete.
  std::vector<uint32_t> waits;
  int producer = -1; // the layer whose tickets are meant; -1: the load of the network's input
  bool waitsForTickets = false;
  // Average pooling: value of the weights.
  int32_t poolWeight = 0;
  // Fully connected: bits to the left before scaling; exact multipliers and shifts, none if the
  // layer's own doubles are needed.
  int32_t extraShift = 0;
  bool perChannel = true;
  std::vector<int32_t> multiplier, shift;
  // Add: tables, multiple and offset of npu_net_add; no tables: none were found.
  std::vector<int8_t> addTables;
  int32_t addMultiple = 0, addOffset = 0;
  // Add: the layer before makes an operand, and the core adds while the array works on that layer
  // and the next one. Its regions are the rectangles of the layer before.
  bool beside = false;
  // Two for each step and the drain; and the table, which of a single block is loaded once.
  uint32_t ticketsPerGroup() const {
    return 2 * static_cast<uint32_t>(steps.size()) + (blocks > 1 ? 2 : 1);
  }
};

struct Part {
  int layer;
  int32_t firstBlock, endBlock;
  uint32_t group;            // number of the layer's groups before it, for the accumulators' halves
  uint32_t constants, bytes; // in DRAM and in the file of constants; bytes = 0: none
  Buffer buffer;
  int issue = -1; // the part at whose start the load begins
  int channel = 0;
};

struct Options {
  uint32_t tcmBytes, dramBytes;
};

struct Program {
  Network network;
  std::vector<int> root;        // of each tensor: the one whose memory it shares
  std::vector<Layout> layouts;  // of each root
  std::vector<Buffer> buffers;  // of each root; bytes = 0: not in use
  std::vector<LayerPlan> plans; // of each layer
  std::vector<Part> parts;
  std::vector<Rect> inputPieces; // lines of the input that are loaded one by one
  std::vector<uint8_t> constants;
  Planner tcm, dram;
  Buffer inputInDram,
      outputInDram;        // for a caller that lets all lie in one block behind the constants
  uint64_t expectedCycles; // of core, array and bus together, roughly

  const Tensor &tensor(int number) const { return network.tensors[static_cast<size_t>(number)]; }
  const Layout &layout(int number) const {
    return layouts[static_cast<size_t>(root[static_cast<size_t>(number)])];
  }
  const Buffer &buffer(int number) const {
    return buffers[static_cast<size_t>(root[static_cast<size_t>(number)])];
  }
};

// Cycles that the array needs for one block of 16 output channels of a layer.
uint64_t arrayCyclesOfBlock(const Program &program, size_t layer);

// Whether the addition behind the layer goes on beside it.
bool makesSum(const Program &program, size_t layer);

// Throws NetworkError.
Program makeProgram(Network network, const Options &options);

// NAME.c, NAME.h; the constants lie beside them in NAME.bin.
void emitSource(std::ostream &out, const Program &program);
void emitHeader(std::ostream &out, const Program &program);

inline bool usesWindow(Operator op) {
  return op == Operator::Conv || op == Operator::Depthwise || op == Operator::AveragePool;
}

inline int32_t divideUp(int32_t a, int32_t b) {
  return (a + b - 1) / b;
}

} // namespace npu::netgen
