// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "program.h"

#include "constants.h"

#include <algorithm>
#include <optional>
#include <random>

namespace npu::netgen {
namespace {

constexpr int32_t kBlock = 16;        // output channels that the array makes at once
constexpr int32_t kRunPixels = 128;   // accumulators of a half
constexpr int32_t kShortRun = 32;     // at least, where the core adds beside it
constexpr int32_t kFinePixels = 64;   // the same for an operand of an addition
constexpr int32_t kMaxWindowRows = 4; // window rows in one activation vector
constexpr int32_t kBankRow = 64;      // bytes once around the banks
constexpr uint32_t kOverread = 16;    // the array may fetch a vector from the last pixel on
constexpr uint32_t kPartBytes[] = {
    8192, 17408};                   // constants of a part, where a layer can be cut: what is faster
constexpr int kAhead = 10;          // parts whose constants may be on their way
constexpr int32_t kInputPieces = 4; // what a DMA channel takes without a wait
constexpr uint32_t kMaxWait = 16383; // tickets; the tables hold 16 bits of four times that

[[noreturn]] void unsupported(const Layer &layer, const std::string &what) {
  throw NetworkError("layer " + layer.name + ": " + what);
}

class Maker {
public:
  Maker(Network network, const Options &options, uint32_t partBytes)
      : p_{std::move(network),
           {},
           {},
           {},
           {},
           {},
           {},
           {},
           Planner("scratchpad", options.tcmBytes),
           Planner("DRAM", options.dramBytes),
           {},
           {},
           UINT64_MAX},
        partBytes_(partBytes) {}

  Program make() {
    orderLayers();
    shareMemory();
    chooseLayouts();
    for (size_t i = 0; i < p_.network.layers.size(); ++i)
      p_.plans.push_back(planLayer(i));
    cutInput();
    for (size_t i = 0; i < p_.plans.size(); ++i)
      planWaits(i);
    makeParts();
    placeInDram();
    placeTensors();
    placeConstants();
    return std::move(p_);
  }

private:
  const Layer &layer(size_t i) const { return p_.network.layers[i]; }
  size_t rootOf(int tensor) const {
    return static_cast<size_t>(p_.root[static_cast<size_t>(tensor)]);
  }
  Shape shapeOf(int tensor) const { return p_.tensor(tensor).shape; }

  int makerOf(int tensor) const {
    for (size_t i = 0; i < p_.network.layers.size(); ++i)
      if (layer(i).output == tensor)
        return static_cast<int>(i);
    return -1;
  }

  // Of the two layers that make an addition's operands the longer one comes last, if nothing
  // between them depends on the other: the core adds while the array works on it.
  void orderLayers() {
    std::vector<Layer> &layers = p_.network.layers;
    for (size_t i = 2; i < layers.size(); ++i) {
      if (layers[i].op != Operator::Add)
        continue;
      const int a = makerOf(layers[i].inputs[0]), b = makerOf(layers[i].inputs[1]);
      const int early = std::min(a, b), late = std::max(a, b);
      if (early < 0 || late != early + 1 || late + 1 != static_cast<int>(i))
        continue;
      Layer &first = layers[static_cast<size_t>(early)],
            &second = layers[static_cast<size_t>(late)];
      if (second.inputs[0] != first.output && second.macs < first.macs)
        std::swap(first, second);
    }
  }

  // Whether the layer slides a window and its output is an operand of the addition.
  bool makesOperand(size_t index, const Layer &add) const {
    return add.op == Operator::Add && usesWindow(layer(index).op) &&
           (layer(index).output == add.inputs[0] || layer(index).output == add.inputs[1]);
  }

  // Reshaped tensors are the same bytes.
  void shareMemory() {
    for (size_t i = 0; i < p_.network.tensors.size(); ++i)
      p_.root.push_back(static_cast<int>(i));
    for (const Layer &l : p_.network.layers)
      if (l.op == Operator::Reshape)
        p_.root[static_cast<size_t>(l.output)] = p_.root[static_cast<size_t>(l.inputs[0])];
  }

  // A multiple of 16 channels lies in planes of 16, and lines begin 16 bytes behind a multiple of
  // 64, so that neither neighbours nor window rows meet in a bank. Where something other than the
  // matrix unit and additions takes the bytes as they come they lie densely.
  void chooseLayouts() {
    std::vector<bool> dense(p_.network.tensors.size()), whole(p_.network.tensors.size());
    whole[rootOf(p_.network.input)] = whole[rootOf(p_.network.output)] = true;
    for (const Layer &l : p_.network.layers)
      if (l.op == Operator::Reshape || l.op == Operator::FullyConnected ||
          l.op == Operator::Softmax)
        for (const int tensor : {l.inputs[0], l.output})
          dense[rootOf(tensor)] = true;
    // The three tensors of an addition lie alike.
    for (size_t changes = 1; changes != 0;) {
      changes = 0;
      for (const Layer &l : p_.network.layers)
        if (l.op == Operator::Add)
          for (std::vector<bool> *which : {&dense, &whole})
            for (const int from : {l.inputs[0], l.inputs[1], l.output})
              for (const int to : {l.inputs[0], l.inputs[1], l.output})
                if ((*which)[rootOf(from)] && !(*which)[rootOf(to)]) {
                  (*which)[rootOf(to)] = true;
                  ++changes;
                }
    }
    for (size_t i = 0; i < p_.network.tensors.size(); ++i) {
      const Shape s = p_.network.tensors[i].shape;
      const size_t root = rootOf(static_cast<int>(i));
      Layout layout = {s.c, s.c * s.w, kBlock, 0};
      int64_t planes = 1;
      if (!dense[root] && s.h * s.w > 1) {
        if (s.c % kBlock == 0 && !whole[root]) {
          layout.pixel = kBlock;
          planes = s.c / kBlock;
        }
        const int32_t line = layout.pixel * s.w;
        layout.line = divideUp(std::max(line - 16, 0), kBankRow) * kBankRow + 16;
      }
      const int64_t plane = int64_t(layout.line) * s.h;
      const int64_t bytes = plane * planes - layout.line + int64_t(layout.pixel) * s.w + kOverread;
      if (bytes > INT32_MAX)
        throw NetworkError("tensor " + std::to_string(i) + ": " + std::to_string(bytes) +
                           " bytes: too large");
      if (planes > 1)
        layout.block = static_cast<int32_t>(plane);
      layout.bytes = static_cast<uint32_t>(bytes);
      p_.layouts.push_back(layout);
    }
  }

  // Whole lines; as few rectangles as that allows, of about the same height.
  static std::vector<Rect> cutOutput(Shape out, int32_t pixels) {
    const int32_t w = divideUp(out.w, divideUp(out.w, pixels));
    const int32_t most = std::max(1, pixels / w);
    const int32_t h = divideUp(out.h, divideUp(out.h, most));
    std::vector<Rect> rects;
    for (int32_t y = 0; y < out.h; y += h)
      for (int32_t x = 0; x < out.w; x += w)
        rects.push_back({y, x, std::min(h, out.h - y), std::min(w, out.w - x)});
    return rects;
  }

  // The bytes of a window row are one string where pixels touch; otherwise each tap is one.
  std::vector<Step> convSteps(const Layer &l) const {
    const Shape in = shapeOf(l.inputs[0]);
    const bool joined = p_.layout(l.inputs[0]).pixel == in.c && l.dilation[1] == 1;
    const int32_t row = joined ? l.window[1] * in.c : in.c, columns = joined ? 1 : l.window[1];
    std::vector<Step> steps;
    for (int32_t ky = 0, kx = 0, byte = 0; ky < l.window[0];) {
      const int32_t left = row - byte;
      int32_t k = left;
      if (joined)
        k += (std::min(l.window[0] - ky, kMaxWindowRows) - 1) * row;
      k = std::min(k, kBlock);
      steps.push_back({ky, kx, byte, k, k > left ? left : 0, 0, 0});
      for (byte += k; byte >= row;) {
        byte -= row;
        if (++kx == columns) {
          kx = 0;
          ++ky;
        }
      }
    }
    return steps;
  }

  static std::vector<Step> depthwiseSteps(const Layer &l) {
    if (l.window[1] > kBlock)
      unsupported(l, "window of " + std::to_string(l.window[1]) +
                         " columns: at most 16 are supported");
    const int32_t most = kBlock / l.window[1];
    std::vector<Step> steps;
    for (int32_t ky = 0; ky < l.window[0]; ky += most)
      steps.push_back({ky, 0, 0, 0, 0, std::min(most, l.window[0] - ky), l.window[1]});
    return steps;
  }

  LayerPlan planLayer(size_t index) const {
    const Layer &l = layer(index);
    LayerPlan plan;
    const Shape in = shapeOf(l.inputs[0]), out = shapeOf(l.output);
    plan.blocks = divideUp(out.c, kBlock);
    if (usesWindow(l.op)) {
      plan.rects = cutOutput(out, kRunPixels);
      // An operand of an addition comes in several rectangles: only the last one has nothing to
      // hide behind.
      if (plan.rects.size() < 4 && index + 1 < p_.network.layers.size() &&
          makesOperand(index, layer(index + 1)))
        plan.rects = cutOutput(out, kFinePixels);
      // The first of several rectangles does not wait for the last lines of a sum.
      if (plan.rects.size() == 1 && index > 0 && p_.plans[index - 1].beside &&
          l.op == Operator::Conv)
        plan.rects = cutOutput(out, std::max(kShortRun, out.h * out.w / 2));
      plan.steps = l.op == Operator::Conv ? convSteps(l) : depthwiseSteps(l);
      const int32_t extents[2][2] = {{in.h, out.h}, {in.w, out.w}};
      for (size_t i = 0; i < 2; ++i) {
        const int32_t end =
            (extents[i][1] - 1) * l.stride[i] + (l.window[i] - 1) * l.dilation[i] + 1;
        plan.padded |= l.padding[i] > 0 || end - l.padding[i] > extents[i][0];
      }
      const Layout &layout = p_.layout(l.inputs[0]);
      if (plan.padded && (layout.pixel * in.w > INT16_MAX || in.h > INT16_MAX))
        unsupported(l, "lines of " + std::to_string(layout.pixel * in.w) + " bytes: at most 32767");
      if (l.op == Operator::AveragePool && plan.padded)
        unsupported(l, "average pooling with padding is not supported");
    }
    if (l.op == Operator::FullyConnected) {
      for (int32_t byte = 0; byte < in.c; byte += kBlock)
        plan.steps.push_back({0, 0, byte, std::min(kBlock, in.c - byte), 0, 0, 0});
      planFullyConnected(l, p_.tensor(l.inputs[0]).zeroPoint, p_.tensor(l.output).zeroPoint, plan);
    }
    if (l.op == Operator::Add) {
      plan.beside =
          index > 0 && makesOperand(index - 1, l) && p_.plans[index - 1].rects[0].w == out.w;
      findAddTables(l, p_.tensor(l.inputs[0]).zeroPoint, p_.tensor(l.inputs[1]).zeroPoint,
                    p_.tensor(l.output).zeroPoint, plan);
    }
    return plan;
  }

  // The input comes in a few pieces, and the first layer begins with the first one.
  void cutInput() {
    const Shape in = shapeOf(p_.network.input);
    const int32_t h = divideUp(in.h, std::min(in.h, kInputPieces));
    for (int32_t y = 0; y < in.h; y += h)
      p_.inputPieces.push_back({y, 0, std::min(h, in.h - y), in.w});
  }

  // The last piece of the producer's output, in the order in which it is made, that holds one of
  // the lines [y, end) and of the blocks [block, endBlock).
  int32_t lastPiece(const std::vector<Rect> &rects, int32_t blocks, int32_t y, int32_t end,
                    int32_t endBlock) const {
    int32_t last = 0;
    for (size_t r = 0; r < rects.size(); ++r)
      if (rects[r].y < end && y < rects[r].y + rects[r].h)
        last = static_cast<int32_t>(r) * blocks + endBlock - 1;
    return last;
  }

  void planWaits(size_t index) {
    const Layer &l = layer(index);
    LayerPlan &plan = p_.plans[index];
    for (size_t i = 0; i < index; ++i)
      if (rootOf(layer(i).output) == rootOf(l.inputs[0]) && layer(i).op != Operator::Reshape)
        plan.producer = static_cast<int>(i);
    const bool fromInput = plan.producer < 0;
    if (usesWindow(l.op) && addedBeside(index)) {
      planNeeds(l, plan, static_cast<size_t>(plan.producer));
      return;
    }
    const LayerPlan *from = fromInput ? nullptr : &p_.plans[static_cast<size_t>(plan.producer)];
    plan.waitsForTickets = fromInput || usesWindow(layer(static_cast<size_t>(plan.producer)).op);
    if (!usesWindow(l.op) || !plan.waitsForTickets)
      return;
    const std::vector<Rect> &rects = fromInput ? p_.inputPieces : from->rects;
    const int32_t blocks = fromInput ? 1 : from->blocks;
    const uint32_t tickets = fromInput ? 1 : from->ticketsPerGroup();
    const auto pieces = static_cast<int32_t>(rects.size()) * blocks;
    const auto add = [&](int32_t y, int32_t end, int32_t endBlock) {
      const int32_t piece = lastPiece(rects, blocks, y, end, std::min(endBlock, blocks));
      plan.waits.push_back(std::min(kMaxWait, tickets * static_cast<uint32_t>(pieces - 1 - piece)));
    };
    const Shape in = shapeOf(l.inputs[0]);
    for (const Rect &rect : plan.rects) {
      const int32_t y = rect.y * l.stride[0] - l.padding[0];
      const auto lines = [&](int32_t ky, int32_t rows, int32_t endBlock) {
        const int32_t first = y + ky * l.dilation[0];
        add(first, first + (rect.h - 1) * l.stride[0] + (rows - 1) * l.dilation[0] + 1, endBlock);
      };
      if (l.op == Operator::Conv) {
        const bool byBlock = in.c % kBlock == 0;
        for (const Step &step : plan.steps) {
          // A step that takes bytes of several window rows begins in ky.
          const int32_t rows = std::min(kMaxWindowRows, l.window[0] - step.ky);
          lines(step.ky, step.first > 0 ? rows : 1,
                byBlock ? step.byte % in.c / kBlock + 1 : blocks);
        }
      } else {
        for (int32_t block = 0; block < plan.blocks; ++block)
          lines(0, l.window[0], in.c % kBlock == 0 ? block + 1 : blocks);
      }
    }
  }

  // Whether the layer before adds beside this one and this one reads the sum.
  bool addedBeside(size_t index) const {
    return index > 0 && p_.plans[index - 1].beside &&
           rootOf(layer(index - 1).output) == rootOf(layer(index).inputs[0]) &&
           !makesSum(p_, index);
  }

  // Regions of the sum that have to be there: for each rectangle, or group of a depthwise layer.
  void planNeeds(const Layer &l, LayerPlan &plan, size_t add) {
    const LayerPlan &from = p_.plans[add - 1];
    const int32_t planes = p_.layout(layer(add).output).planes() ? from.blocks : 1;
    for (const Rect &rect : plan.rects)
      for (int32_t block = 0; block < (l.op == Operator::Conv ? 1 : plan.blocks); ++block) {
        const int32_t first = rect.y * l.stride[0] - l.padding[0];
        const int32_t end =
            first + (rect.h - 1) * l.stride[0] + (l.window[0] - 1) * l.dilation[0] + 1;
        const int32_t needed = l.op == Operator::Conv || planes == 1 ? planes : block + 1;
        plan.waits.push_back(
            static_cast<uint32_t>(lastPiece(from.rects, planes, first, end, needed) + 1));
      }
    if (plan.waits.back() > UINT16_MAX)
      unsupported(l, std::to_string(plan.waits.back()) + " regions of the sum: at most 65535");
  }

  // A layer is cut into parts where each of its weights is used once.
  void makeParts() {
    for (size_t i = 0; i < p_.plans.size(); ++i) {
      const Layer &l = layer(i);
      const LayerPlan &plan = p_.plans[i];
      if (l.op == Operator::Reshape)
        continue;
      if (!usesWindow(l.op) && l.op != Operator::FullyConnected) {
        addPart(i, 0, plan.blocks, {});
        continue;
      }
      const auto whole = packBlocks(p_, l, plan, 0, plan.blocks);
      const uint32_t blockBytes =
          static_cast<uint32_t>(whole.size()) /
          static_cast<uint32_t>(l.op == Operator::AveragePool ? 1 : plan.blocks);
      const bool cut = plan.rects.size() <= 1 && l.op != Operator::AveragePool;
      const int32_t some =
          cut ? std::max<int32_t>(1, static_cast<int32_t>(partBytes_ / blockBytes)) : plan.blocks;
      // The whole program waits for the very first constants: few of them.
      for (int32_t first = 0; first < plan.blocks;) {
        const int32_t count = p_.parts.empty() && cut ? 1 : some;
        const int32_t end = std::min(first + count, plan.blocks);
        addPart(i, first, end, packBlocks(p_, l, plan, first, end));
        first = end;
      }
    }
  }

  void addPart(size_t index, int32_t first, int32_t end, std::vector<uint8_t> constants) {
    p_.parts.push_back({static_cast<int>(index),
                        first,
                        end,
                        static_cast<uint32_t>(first),
                        0,
                        static_cast<uint32_t>(constants.size()),
                        {},
                        -1,
                        0});
    packed_.push_back(std::move(constants));
  }

  // Constants stay; the network's input ends with the first layers that read it, the output begins
  // with the last part.
  void placeInDram() {
    const int last = static_cast<int>(p_.parts.size()) - 1;
    for (size_t i = 0; i < packed_.size(); ++i) {
      if (packed_[i].empty())
        continue;
      Part &part = p_.parts[i];
      Buffer buffer = {"constants of " + layer(static_cast<size_t>(part.layer)).name, part.bytes, 0,
                       last};
      placeOrFail(buffer);
      part.constants = buffer.offset;
      p_.constants.resize(std::max<size_t>(p_.constants.size(), buffer.offset + part.bytes));
      std::copy(packed_[i].begin(), packed_[i].end(), p_.constants.begin() + buffer.offset);
    }
    int read = 0;
    for (int i = 0; i <= last; ++i)
      for (const int input :
           layer(static_cast<size_t>(p_.parts[static_cast<size_t>(i)].layer)).inputs)
        if (rootOf(input) == rootOf(p_.network.input))
          read = i;
    p_.inputInDram = {"input", volumeOf(p_.network.input), 0, read};
    p_.outputInDram = {"output", volumeOf(p_.network.output), last, last};
    placeOrFail(p_.inputInDram);
    placeOrFail(p_.outputInDram);
  }

  void placeOrFail(Buffer &buffer) {
    if (!p_.dram.place(buffer))
      p_.dram.fail(buffer);
  }

  uint32_t volumeOf(int tensor) const {
    const Shape s = shapeOf(tensor);
    return static_cast<uint32_t>(s.h * s.w * s.c);
  }

  // Accesses of the array and the drain are not ordered with each other, so what a part reads stays
  // alive until the next part has been issued, whose own reads were waited for.
  void placeTensors() {
    p_.buffers.resize(p_.network.tensors.size());
    const int last = static_cast<int>(p_.parts.size()) - 1;
    for (size_t i = 0; i < p_.buffers.size(); ++i)
      p_.buffers[i] = {"tensor " + std::to_string(i), 0, last, 0, 0};
    const auto use = [&](int tensor, int part, const std::string &name) {
      Buffer &buffer = p_.buffers[rootOf(tensor)];
      if (buffer.bytes == 0)
        buffer = {name, p_.layouts[rootOf(tensor)].bytes, part, part, 0};
      buffer.last = std::max(buffer.last, std::min(last, part + 1));
    };
    use(p_.network.input, 0, "input");
    for (size_t part = 0; part < p_.parts.size(); ++part) {
      const Layer &l = layer(static_cast<size_t>(p_.parts[part].layer));
      for (const int input : l.inputs)
        use(input, static_cast<int>(part), "");
      use(l.output, static_cast<int>(part), "output of " + l.name);
      // What is added beside other layers lives as long as they work.
      if (p_.plans[static_cast<size_t>(p_.parts[part].layer)].beside) {
        const auto partsOf = [&](int layer, bool first) {
          int found = static_cast<int>(part);
          for (size_t i = 0; i < p_.parts.size(); ++i)
            if (p_.parts[i].layer == layer && (!first || found == static_cast<int>(part)))
              found = static_cast<int>(i);
          return found;
        };
        Buffer &sum = p_.buffers[rootOf(l.output)];
        sum.first = partsOf(p_.parts[part].layer - 1, true);
        for (const int input : l.inputs)
          use(input, partsOf(p_.parts[part].layer + 1, false), "");
      }
    }
    use(p_.network.output, last, "");
    std::vector<Buffer *> alive;
    for (Buffer &buffer : p_.buffers)
      if (buffer.bytes > 0)
        alive.push_back(&buffer);
    std::vector<Buffer> all;
    for (const Buffer *buffer : alive)
      all.push_back(*buffer);
    p_.tcm.placeAll(all);
    for (size_t i = 0; i < alive.size(); ++i)
      *alive[i] = all[i];
  }

  // Constants go to one end or the other of the gap that fits them best, at once or a little later.
  // That decides how early the ones behind them find room: of many tries the one that is expected
  // to run fastest.
  void placeConstants() {
    constexpr int kTries = 5000;
    std::mt19937 random(1);
    const std::vector<Part> parts = p_.parts;
    const Planner tcm = p_.tcm;
    std::vector<Part> best;
    Planner bestTcm = tcm;
    for (int i = 0; i < kTries; ++i) {
      p_.parts = parts;
      p_.tcm = tcm;
      const Part *failed =
          tryConstants([&] { return i == 0 ? 0 : static_cast<uint32_t>(random()); });
      if (failed != nullptr) {
        if (i + 1 == kTries && best.empty())
          p_.tcm.fail(failed->buffer);
        continue;
      }
      if (const uint64_t cycles = expectedCycles(); cycles < p_.expectedCycles) {
        p_.expectedCycles = cycles;
        best = p_.parts;
        bestTcm = p_.tcm;
      }
    }
    p_.parts = best;
    p_.tcm = bestTcm;
  }

  // The memory of a part that has ended is free from the second part behind it on: then its tickets
  // have been waited for. Returns a part that finds no room, or null.
  template <class Random> const Part *tryConstants(Random random) {
    const int last = static_cast<int>(p_.parts.size()) - 1;
    int issue = 0, channel = 1; // the input comes on channel 0
    for (int i = 0; i <= last; ++i) {
      Part &part = p_.parts[static_cast<size_t>(i)];
      if (part.bytes == 0)
        continue;
      const uint32_t choice = random();
      const bool end = choice % 2 == 0;
      const int later = choice % 8 == 7 ? static_cast<int>(choice / 8 % 4) : 0;
      bool placed = false;
      for (int at = std::min(i, std::max(issue, i - kAhead) + later); at <= i && !placed; ++at) {
        part.buffer = {"constants of " + layer(static_cast<size_t>(part.layer)).name, part.bytes,
                       at, std::min(i + 1, last), 0};
        placed = p_.tcm.place(part.buffer, end);
        part.issue = issue = at;
      }
      if (!placed)
        return &part;
      part.channel = channel;
      channel ^= 1;
    }
    return nullptr;
  }

  // Core, array and bus beside each other: when the last part ends if loads begin when they are
  // issued.
  uint64_t expectedCycles() const {
    constexpr uint64_t kBusWidth = 16, kStep = 9, kPart = 100; // cycles of the core
    std::vector<uint64_t> loaded(p_.parts.size());
    uint64_t now = 0, bus = 0;
    for (size_t step = 0; step < p_.parts.size(); ++step) {
      for (size_t i = step; i < p_.parts.size(); ++i)
        if (p_.parts[i].bytes > 0 && p_.parts[i].issue == static_cast<int>(step))
          loaded[i] = bus = std::max(bus, now) + p_.parts[i].bytes / kBusWidth;
      const Part &part = p_.parts[step];
      const LayerPlan &plan = p_.plans[static_cast<size_t>(part.layer)];
      const auto blocks = static_cast<uint64_t>(part.endBlock - part.firstBlock);
      const uint64_t array = arrayCyclesOfBlock(p_, static_cast<size_t>(part.layer)) * blocks;
      const uint64_t core =
          kPart + kStep * blocks * plan.steps.size() * std::max<size_t>(1, plan.rects.size());
      now = std::max(now, loaded[step]) + std::max(array, core);
    }
    return now;
  }

  Program p_;
  uint32_t partBytes_;
  std::vector<std::vector<uint8_t>> packed_; // constants of each part
};

} // namespace

bool makesSum(const Program &program, size_t layer) {
  return layer + 1 < program.plans.size() && program.plans[layer + 1].beside;
}

// One pixel a cycle and step; a depthwise window takes one for each new column and four of its
// rows. Fully connected: four cycles for each load of weights.
uint64_t arrayCyclesOfBlock(const Program &program, size_t index) {
  const Layer &l = program.network.layers[index];
  const Shape out = program.tensor(l.output).shape;
  if (!usesWindow(l.op) && l.op != Operator::FullyConnected)
    return 0;
  uint64_t cycles = 0;
  for (const Step &step : program.plans[index].steps)
    cycles += l.op == Operator::FullyConnected ? 4
              : l.op == Operator::Conv
                  ? 1
                  : uint64_t(std::min(l.stride[1], step.taps)) * uint64_t(divideUp(step.rows, 4));
  return cycles * uint64_t(out.h) * uint64_t(out.w);
}

Program makeProgram(Network network, const Options &options) {
  std::optional<Program> best;
  std::string why;
  for (const uint32_t partBytes : kPartBytes) {
    try {
      Program program = Maker(network, options, partBytes).make();
      if (!best || program.expectedCycles <= best->expectedCycles)
        best = std::move(program);
    } catch (const NetworkError &error) {
      if (why.empty())
        why = error.what();
    }
  }
  if (!best)
    throw NetworkError(why);
  return std::move(*best);
}

} // namespace npu::netgen
