// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C program of a network: constant tables, a function for each layer, and NAME_run that issues
// the parts and the loads of their constants.

#include "constants.h"
#include "exponentials.h"
#include "plan_words.h"
#include "program.h"

#include <algorithm>
#include <bit>
#include <ostream>
#include <set>
#include <sstream>

namespace npu::netgen {
namespace {

class Emitter {
public:
  Emitter(std::ostream &out, const Program &program)
      : out_(out), p_(program), name_(program.network.name) {}

  void source();

private:
  const Layer &layer(const Part &part) const {
    return p_.network.layers[static_cast<size_t>(part.layer)];
  }
  const LayerPlan &plan(const Part &part) const {
    return p_.plans[static_cast<size_t>(part.layer)];
  }

  // Where a tensor lies in the arena, as text.
  std::string place(int tensor) const {
    return "arena + " + std::to_string(p_.buffer(tensor).offset);
  }

  uint64_t dramBytes(size_t index) const;
  int32_t runPixels(size_t index) const;
  int32_t runsLeft(size_t index) const;
  bool isCut(size_t index) const;
  int32_t regionsOf(size_t add) const;
  void windowLayer(size_t index);
  void denseLayer(size_t index);
  void addLayer(size_t index);
  void softmaxLayer(size_t index);
  void descriptors();
  void run();
  void loads(size_t step);
  void check(int layer);
  void call(size_t step);
  std::string ticketOf(int layer);
  void finishSums(int layer);
  static std::string sum(int layer) { return "sum_" + std::to_string(layer); }

  // The name of a part's last ticket, and the start of its declaration if anything waits for it.
  std::string done(size_t part) {
    waitedFor_.insert(part);
    return "done_" + std::to_string(part);
  }
  std::string declareDone(size_t part) const {
    return waitedFor_.count(part) > 0 ? "const npu_ticket_t done_" + std::to_string(part) + " = "
                                      : "";
  }

  std::ostream &out_;
  const Program &p_;
  const std::string &name_;
  std::ostringstream text_; // of NAME_run, which is written twice: the first pass finds waitedFor_
  std::set<size_t> waitedFor_;
  std::set<int> finished_; // additions
};

uint64_t Emitter::dramBytes(size_t index) const {
  const auto volume = [&](int tensor) {
    const Shape s = p_.tensor(tensor).shape;
    return uint64_t(s.h) * uint64_t(s.w) * uint64_t(s.c);
  };
  uint64_t bytes = index == 0 ? volume(p_.network.input) : 0;
  if (index + 1 == p_.network.layers.size())
    bytes += volume(p_.network.output);
  for (const Part &part : p_.parts)
    if (part.layer == static_cast<int>(index))
      bytes += part.bytes;
  return bytes;
}

int32_t Emitter::runPixels(size_t index) const {
  const Rect &rect = p_.plans[index].rects[0];
  return rect.h * rect.w;
}

// How many runs before the last one an addition beside this layer ends: what is left has to last
// until the core has added a pair of vectors and issued the next one. None goes on beside runs that
// are too short for that.
int32_t Emitter::runsLeft(size_t index) const {
  constexpr int32_t kReturn = 65, kShort = 30; // cycles of one run, of each of two
  return runPixels(index) >= kReturn ? 1 : runPixels(index) >= kShort ? 2 : 0;
}

// Whether the layer has several parts.
bool Emitter::isCut(size_t index) const {
  return std::count_if(p_.parts.begin(), p_.parts.end(),
                       [&](const Part &part) { return part.layer == static_cast<int>(index); }) > 1;
}

// Regions of an addition.
int32_t Emitter::regionsOf(size_t add) const {
  const LayerPlan &plan = p_.plans[add];
  const auto rows = static_cast<int32_t>(plan.beside ? p_.plans[add - 1].rects.size() : 1);
  return p_.layout(p_.network.layers[add].output).planes() ? rows * plan.blocks : rows;
}

void Emitter::windowLayer(size_t index) {
  const Layer &l = p_.network.layers[index];
  const LayerPlan &plan = p_.plans[index];
  const Layout in = p_.layout(l.inputs[0]), to = p_.layout(l.output);
  const Shape shape = p_.tensor(l.inputs[0]).shape;
  const bool depthwise = l.op != Operator::Conv;
  const auto inAt = static_cast<int32_t>(p_.buffer(l.inputs[0]).offset),
             outAt = static_cast<int32_t>(p_.buffer(l.output).offset);
  bool wholeLines = true, uniform = true;
  for (const Rect &r : plan.rects)
    wholeLines &= r.x == 0;
  const auto control = [&](const Step &s) {
    return depthwise ? static_cast<uint32_t>(s.taps) << 17 | static_cast<uint32_t>(s.rows) << 22
                     : static_cast<uint32_t>(s.k) << 17 | static_cast<uint32_t>(s.first) << 23;
  };
  for (const Step &step : plan.steps)
    uniform &= step.weights() == plan.steps[0].weights() && control(step) == control(plan.steps[0]);
  const bool joined = !depthwise && in.pixel == shape.c && l.dilation[1] == 1;

  out_ << "// " << l.name << "\nstatic const npu_net_rect rects_" << index << "[] = {\n";
  for (const Rect &r : plan.rects) {
    const int32_t y = r.y * l.stride[0], x = r.x * l.stride[1];
    out_ << "  {" << inAt + (y - l.padding[0]) * in.line + (x - l.padding[1]) * in.pixel << ", "
         << outAt + r.y * to.line + r.x * to.pixel << ", "
         << static_cast<uint32_t>(y) * 65536u + static_cast<uint32_t>(x * in.pixel) << "u, "
         << r.h * r.w << ", " << r.w << "},\n";
  }
  out_ << "};\nstatic const npu_net_step steps_" << index << "[] = {\n";
  for (const Step &s : plan.steps) {
    const int32_t line = s.ky * l.dilation[0], tap = s.kx * l.dilation[1] * in.pixel;
    const int32_t column = tap + (in.planes() ? s.byte % 16 : s.byte);
    const int32_t at =
        line * in.line + tap + s.byte / 16 * (in.planes() ? in.block : 16) + s.byte % 16;
    out_ << "  {" << at << ", 0x" << std::hex
         << npu_plan_position(column - l.padding[1] * in.pixel, line - l.padding[0]) << ", 0x"
         << control(s) << std::dec << ", " << s.weights() << "},\n";
  }
  out_ << "};\n";
  // An addition beside this layer: one that takes its output, or one whose sum it may read.
  const bool makes = makesSum(p_, index),
             goesOn = index > 0 && p_.plans[index - 1].beside && !makes;
  const bool needs = goesOn && !plan.waitsForTickets && !plan.waits.empty();
  if (!plan.waits.empty()) {
    out_ << "static const uint16_t " << (needs ? "needs_" : "waits_") << index << "[] = {";
    for (size_t i = 0; i < plan.waits.size(); ++i)
      out_ << (i % 20 == 0 ? "\n  " : " ") << (needs ? plan.waits[i] : 4 * plan.waits[i]) << ",";
    out_ << "\n};\n";
  }
  if (makes || goesOn) {
    const std::string name = sum(static_cast<int>(makes ? index + 1 : index - 1));
    out_ << "static const npu_net_beside beside_" << index << " = {.sum = &" << name
         << ", .state = &" << name << "_state, .runs = " << runsLeft(index)
         << ", .makes = " << makes;
    if (needs)
      out_ << ", .needs = needs_" << index;
    out_ << "};\n";
  }
  // The first part of a convolution has waited for all of its input.
  const std::string later = !depthwise && isCut(index) ? "first > 0 ? 0 : " : "";
  const int32_t zeroIn = p_.tensor(l.inputs[0]).zeroPoint;
  const int32_t zeroOut = l.op == Operator::AveragePool ? 0 : p_.tensor(l.output).zeroPoint;
  out_ << "static __attribute__((noinline)) npu_ticket_t layer_" << index
       << "(npu_ticket_t producer, const uint8_t *packed, int32_t first, int32_t end, uint32_t "
          "half) {\n"
       << "  static const npu_net_window window = {\n"
       << "    .row_length = " << (joined ? l.window[1] * shape.c : 16)
       << ", .row_stride = " << l.dilation[0] * in.line
       << ",\n    .x_stride = " << l.stride[1] * in.pixel
       << ", .y_stride = " << l.stride[0] * in.line << ", .out_x_stride = " << to.pixel
       << ", .out_y_stride = " << to.line << ",\n    .tap_stride = " << l.dilation[1] * in.pixel
       << std::hex << ", .quant = 0x" << npu_plan_oquant(zeroOut, l.activation[0], l.activation[1])
       << ", .pad = 0x" << npu_plan_pad(zeroIn, l.dilation[0])
       << ", .valid = 0x" << (plan.padded ? npu_plan_position(shape.w * in.pixel, shape.h) : 0)
       << ",\n    .px_step = 0x" << npu_plan_position(l.stride[1] * in.pixel, 0) << ", .py_step = 0x"
       << npu_plan_position(0, l.stride[0]) << std::dec
       << ", .channels = " << p_.tensor(l.output).shape.c
       << ", .in_block = " << in.block << ", .out_block = " << to.block
       << ",\n    .rects = " << plan.rects.size() << ", .steps = " << plan.steps.size()
       << ", .rows = " << (uniform ? plan.steps[0].weights() : 0)
       << ", .ctl = " << (uniform ? control(plan.steps[0]) : 0) << ", .padded = " << plan.padded
       << ", .whole_lines = " << wholeLines << ", .depthwise = " << depthwise
       << ", .shared = " << (l.op == Operator::AveragePool) << "};\n"
       << "  return npu_net_window_run(&window, rects_" << index << ", steps_" << index << ", "
       << (plan.waits.empty() || needs ? "0" : later + "waits_" + std::to_string(index))
       << ", producer, arena, packed, first, end, half, "
       << (makes || goesOn ? "&beside_" + std::to_string(index) : "0") << ");\n}\n\n";
}

void Emitter::denseLayer(size_t index) {
  const Layer &l = p_.network.layers[index];
  const LayerPlan &plan = p_.plans[index];
  const bool exact = !plan.multiplier.empty();
  out_ << "// " << l.name << "\n";
  if (!exact) {
    out_ << "static const uint64_t scales_" << index << "[] = {" << std::hex;
    for (size_t n = 0; n < l.scale.size(); ++n)
      out_ << (n % 4 == 0 ? "\n  0x" : " 0x") << std::bit_cast<uint64_t>(l.scale[n]) << ",";
    out_ << std::dec << "\n};\n";
  }
  out_ << "static __attribute__((noinline)) void layer_" << index
       << "(const uint8_t *packed, int32_t first, int32_t end) {\n"
       << "  static const npu_net_dense dense = {\n    .outputs = " << p_.tensor(l.output).shape.c
       << ", .inputs = " << p_.tensor(l.inputs[0]).shape.c << ", .per_channel = " << plan.perChannel
       << ", .multiplier = " << (exact ? plan.multiplier[0] : 0)
       << ",\n    .down_shift = " << (exact ? plan.extraShift - 1 - plan.shift[0] : 0)
       << ", .extra_shift = " << plan.extraShift
       << ", .scales = " << (exact ? "0" : "scales_" + std::to_string(index))
       << ", .zero_point = " << p_.tensor(l.output).zeroPoint << ", .min = " << l.activation[0]
       << ", .max = " << l.activation[1] << "};\n"
       << "  npu_net_dense_run(&dense, (const int8_t *)" << place(l.inputs[0])
       << ", packed, (int8_t *)" << place(l.output) << ", first, end);\n}\n\n";
}

// Declared before the layers, since the one before the addition calls it.
void Emitter::addLayer(size_t index) {
  const Layer &l = p_.network.layers[index];
  const LayerPlan &plan = p_.plans[index];
  const auto zero = [&](int tensor) { return p_.tensor(tensor).zeroPoint; };
  const auto offset = [&](int tensor) { return static_cast<int32_t>(p_.buffer(tensor).offset); };
  const Shape shape = p_.tensor(l.output).shape;
  const Layout layout = p_.layout(l.output);
  const LayerPlan *before = plan.beside ? &p_.plans[index - 1] : nullptr;
  const auto rows = static_cast<int32_t>(before != nullptr ? before->rects.size() : 1);
  const int32_t planes = layout.planes() ? divideUp(shape.c, 16) : 1;
  const int32_t lines = before != nullptr ? before->rects[0].h : shape.h;
  // The gaps between the lines belong to the lines before them.
  const int32_t last = (shape.h - (rows - 1) * lines - 1) * layout.line + shape.w * layout.pixel;
  const uint32_t tickets =
      before != nullptr
          ? 4 * before->ticketsPerGroup() * static_cast<uint32_t>(planes > 1 ? 1 : before->blocks)
          : 0;
  const std::string name = sum(static_cast<int>(index));
  out_ << "// " << l.name << "\n";
  if (!plan.addTables.empty()) {
    out_ << "static _Alignas(64) const int8_t tables_" << index << "[] = {";
    for (size_t i = 0; i < plan.addTables.size(); ++i)
      out_ << (i % 24 == 0 ? "\n  " : " ") << int(plan.addTables[i]) << ",";
    out_ << "\n};\n";
  }
  out_ << "static const npu_net_sum " << name << " = {\n  .add = {.tables = "
       << (plan.addTables.empty() ? "0" : "(const npu_int8x64_t *)tables_" + std::to_string(index))
       << ", .multiple = " << plan.addMultiple << ", .offset = " << plan.addOffset
       << ", .zero_a = " << zero(l.inputs[0]) << ", .zero_b = " << zero(l.inputs[1])
       << ", .zero_out = " << zero(l.output) << ", .min = " << l.activation[0]
       << ", .max = " << l.activation[1] << ",\n    .left_shift = " << l.leftShift
       << ", .multiplier_a = " << l.inMultiplier[0] << ", .shift_a = " << l.inShift[0]
       << ", .multiplier_b = " << l.inMultiplier[1] << ", .shift_b = " << l.inShift[1]
       << ",\n    .multiplier_out = " << l.outMultiplier << ", .shift_out = " << l.outShift
       << "},\n  .b = " << offset(l.inputs[1]) - offset(l.inputs[0])
       << ", .out = " << offset(l.output) - offset(l.inputs[0])
       << ", .region = " << lines * layout.line << ", .last = " << last << ", .rows = " << rows
       << ", .planes = " << planes << ", .plane = " << layout.block << ", .tickets = " << tickets
       << "};\n"
       << "static npu_net_sum_state " << name << "_state;\n"
       << "static __attribute__((noinline)) void " << name
       << "_need(int32_t regions) {\n  npu_net_sum_state state = " << name
       << "_state;\n  npu_net_sum_need(&" << name << ", &state, regions);\n  " << name
       << "_state = state;\n}\n";
  out_ << "\n";
}

void Emitter::softmaxLayer(size_t index) {
  const Layer &l = p_.network.layers[index];
  out_ << "// " << l.name << "\nstatic _Alignas(64) const int8_t exponentials_" << index
       << "[] = {";
  for (int32_t byte = 0; byte < 4; ++byte)
    for (int32_t d = 0; d < 256; ++d) {
      const int32_t value = exponential(-d, l.outMultiplier, l.outShift, l.diffMin);
      out_ << (d % 24 == 0 ? "\n  " : " ") << int(static_cast<int8_t>(value >> (8 * byte))) << ",";
    }
  out_ << "\n};\n\n";
}

void Emitter::descriptors() {
  out_ << "// Loads of constants; the sources are set when they begin.\nstatic npu_dma_descriptor "
          "load[] = {\n";
  size_t number = 0;
  for (const Part &part : p_.parts)
    if (part.bytes > 0) {
      out_ << "  {.dst = (uint32_t)arena + " << part.buffer.offset << ", .len = " << part.bytes
           << ", .reps1 = 1, .reps2 = 1},\n";
      ++number;
    }
  const Layout in = p_.layout(p_.network.input);
  const Shape shape = p_.tensor(p_.network.input).shape;
  out_ << "};\nstatic npu_dma_descriptor load_input[] = {\n";
  for (const Rect &piece : p_.inputPieces)
    out_ << "  {.dst = (uint32_t)arena + "
         << static_cast<int32_t>(p_.buffer(p_.network.input).offset) + piece.y * in.line
         << ", .len = " << shape.w * shape.c << ", .reps1 = " << piece.h
         << ", .src_stride1 = " << shape.w * shape.c << ", .dst_stride1 = " << in.line
         << ", .reps2 = 1},\n";
  const Layout to = p_.layout(p_.network.output);
  const Shape shapeOut = p_.tensor(p_.network.output).shape;
  out_ << "};\nstatic npu_dma_descriptor store_output = {.src = (uint32_t)arena + "
       << p_.buffer(p_.network.output).offset << ", .len = " << shapeOut.c
       << ", .reps1 = " << shapeOut.w << ", .src_stride1 = " << to.pixel
       << ", .dst_stride1 = " << shapeOut.c << ", .reps2 = " << shapeOut.h
       << ", .src_stride2 = " << to.line << ", .dst_stride2 = " << shapeOut.w * shapeOut.c
       << "};\n\n"
       << "static __attribute__((noinline)) npu_status stopped(int32_t layer, const char **failed) "
          "{\n"
       << "  static const uint16_t layers[] = {";
  for (const Part &part : p_.parts)
    if (part.bytes > 0)
      out_ << part.layer << ", ";
  out_ << "};\n  return npu_net_failed(load, layers, " << number << ", " << name_
       << "_layers, layer, failed);\n}\n\n";
}

// The loads that begin with this part. Their memory belonged to parts before the last one.
void Emitter::loads(size_t step) {
  bool first = true;
  size_t number = 0;
  for (size_t i = 0; i < p_.parts.size(); ++i) {
    const Part &part = p_.parts[i];
    if (part.bytes == 0)
      continue;
    if (part.issue == static_cast<int>(step)) {
      if (first && step >= 2)
        text_ << "  npu_wait(" << done(step - 2) << ");\n";
      first = false;
      text_ << "  load[" << number << "].src = (uint32_t)from + " << part.constants
            << ";\n  const npu_ticket_t loaded_" << i << " = npu_dma_start(&load[" << number
            << "], " << part.channel << ");\n";
    }
    ++number;
  }
}

// Ends the network if a unit has reported an error until now, in this layer unless a load tells
// another.
void Emitter::check(int layer) {
  text_ << "  if (npu_unit_errors(NPU_STATUS_ERRORS) != 0)\n    return stopped(" << layer
        << ", failed);\n";
}

// The ticket of the last part of a layer.
std::string Emitter::ticketOf(int layer) {
  for (size_t i = p_.parts.size(); i-- > 0;)
    if (p_.parts[i].layer == layer)
      return done(i);
  return "input";
}

// Completes the additions that cannot go on beside this layer: only the one of the layer before
// can, if this one slides a window and, where it reads the sum, knows what it needs of it.
void Emitter::finishSums(int layer) {
  for (int add = 0; add < layer; ++add) {
    const LayerPlan &plan = p_.plans[static_cast<size_t>(add)];
    if (!plan.beside || finished_.count(add) > 0)
      continue;
    if (add + 1 == layer && static_cast<size_t>(layer) < p_.plans.size() &&
        usesWindow(p_.network.layers[static_cast<size_t>(layer)].op) &&
        !makesSum(p_, static_cast<size_t>(layer)))
      continue;
    finished_.insert(add);
    text_ << "  " << sum(add) << "_need(" << regionsOf(static_cast<size_t>(add)) << ");\n";
  }
}

void Emitter::call(size_t step) {
  const Part &part = p_.parts[step];
  const Layer &l = layer(part);
  const LayerPlan &plan = this->plan(part);
  const std::string function = "layer_" + std::to_string(part.layer);
  const std::string packed = "arena + " + std::to_string(part.buffer.offset);
  const std::string blocks = std::to_string(part.firstBlock) + ", " + std::to_string(part.endBlock);
  const bool firstPart = step == 0 || p_.parts[step - 1].layer != part.layer;
  if (firstPart) {
    // The sum of an addition beside other layers: started with the layer before, complete behind
    // the next one.
    const auto index = static_cast<size_t>(part.layer);
    if (index + 1 < p_.plans.size() && p_.plans[index + 1].beside) {
      const int add = part.layer + 1;
      text_ << "  npu_net_sum_start(&" << sum(add) << ", &" << sum(add) << "_state, "
            << place(p_.network.layers[index + 1].inputs[0]) << ");\n";
    }
    finishSums(part.layer);
  }
  if (part.bytes > 0)
    text_ << "  npu_wait(loaded_" << step << ");\n";
  if (usesWindow(l.op)) {
    text_ << "  " << declareDone(step) << function << "("
          << (plan.waitsForTickets ? ticketOf(plan.producer) : "NPU_TICKET_DONE") << ", " << packed
          << ", " << blocks << ", " << (part.group % 2) * 128 << ");\n";
    return;
  }
  for (const int input : plan.beside ? std::vector<int>() : l.inputs)
    for (size_t i = 0; i < static_cast<size_t>(part.layer); ++i) {
      const Layer &from = p_.network.layers[i];
      if (p_.root[static_cast<size_t>(from.output)] == p_.root[static_cast<size_t>(input)] &&
          usesWindow(from.op))
        text_ << "  npu_wait(" << ticketOf(static_cast<int>(i)) << ");\n";
    }
  if (p_.root[static_cast<size_t>(l.inputs[0])] == p_.root[static_cast<size_t>(p_.network.input)])
    text_ << "  npu_wait(input);\n";
  switch (l.op) {
  case Operator::FullyConnected:
    text_ << "  " << function << "(" << packed << ", " << blocks << ");\n";
    break;
  case Operator::Softmax:
    text_ << "  npu_net_softmax((const npu_int8x64_t *)exponentials_" << part.layer
          << ", (const int8_t *)" << place(l.inputs[0]) << ", " << p_.tensor(l.output).shape.c
          << ", (int8_t *)" << place(l.output) << ");\n";
    break;
  case Operator::Add:
    if (!plan.beside)
      text_ << "  npu_net_sum_start(&" << sum(part.layer) << ", &" << sum(part.layer) << "_state, "
            << place(l.inputs[0]) << ");\n  npu_net_sum_issued(&" << sum(part.layer)
            << "_state, NPU_TICKET_DONE);\n  " << sum(part.layer) << "_need("
            << regionsOf(static_cast<size_t>(part.layer)) << ");\n";
    break;
  default:
    break;
  }
  if (!declareDone(step).empty())
    text_ << "  " << declareDone(step) << "NPU_TICKET_DONE;\n";
}

void Emitter::run() {
  text_ << "npu_status " << name_
        << "_run(const int8_t *input_values, const void *constants, int8_t *output_values,\n    "
           "const char **failed) {\n"
        << "  npu_unit_errors_clear(NPU_STATUS_ERRORS);\n"
        << "  const uint8_t *from = constants;\n  " << name_
        << "_cycles[0] = npu_csr_read(0xC00);\n";
  const Shape shape = p_.tensor(p_.network.input).shape;
  text_ << "  npu_ticket_t input = NPU_TICKET_DONE;\n";
  for (size_t i = 0; i < p_.inputPieces.size(); ++i)
    text_ << "  load_input[" << i << "].src = (uint32_t)input_values + "
          << p_.inputPieces[i].y * shape.w * shape.c << ";\n  input = npu_dma_start(&load_input["
          << i << "], 0);\n";
  int current = -1;
  for (size_t step = 0; step < p_.parts.size(); ++step) {
    const Part &part = p_.parts[step];
    if (part.layer != current) {
      // Layers without a part of their own take no time.
      for (int i = std::max(current + 1, 1); i <= part.layer; ++i)
        text_ << "  " << name_ << "_cycles[" << i << "] = npu_csr_read(0xC00);\n";
      current = part.layer;
    }
    loads(step);
    call(step);
    check(part.layer);
  }
  const size_t last = p_.parts.size() - 1;
  finishSums(static_cast<int>(p_.plans.size()));
  text_ << "  store_output.dst = (uint32_t)output_values;\n  npu_wait(" << done(last) << ");\n"
        << "  npu_wait(npu_dma_start(&store_output, 0));\n";
  for (size_t i = static_cast<size_t>(current) + 1; i <= p_.network.layers.size(); ++i)
    text_ << "  " << name_ << "_cycles[" << i << "] = npu_csr_read(0xC00);\n";
  check(p_.parts[last].layer);
  text_ << "  return NPU_OK;\n}\n";
}

void Emitter::source() {
  out_ << "// Generated by npu-netgen; " << name_ << ".h tells how to use it.\n\n#include \""
       << name_ << ".h\"\n\n#include <npu/placement.h>\n\n"
       << "static NPU_TCM _Alignas(64) uint8_t arena[" << p_.tcm.used() + 64 << "];\n\n"
       << "const npu_net_layer " << name_ << "_layers[] = {\n";
  for (size_t i = 0; i < p_.network.layers.size(); ++i)
    out_ << "  {\"" << p_.network.layers[i].name << "\", " << p_.network.layers[i].macs << ", "
         << arrayCyclesOfBlock(p_, i) * uint64_t(p_.plans[i].blocks) << ", " << dramBytes(i)
         << "},\n";
  out_ << "};\nuint32_t " << name_ << "_cycles[" << p_.network.layers.size() + 1 << "];\n\n";
  for (size_t i = 0; i < p_.network.layers.size(); ++i)
    if (p_.network.layers[i].op == Operator::Add)
      addLayer(i);
  for (size_t i = 0; i < p_.network.layers.size(); ++i) {
    const Operator op = p_.network.layers[i].op;
    if (usesWindow(op))
      windowLayer(i);
    else if (op == Operator::FullyConnected)
      denseLayer(i);
    else if (op == Operator::Softmax)
      softmaxLayer(i);
  }
  descriptors();
  run();
  text_.str("");
  finished_.clear();
  run();
  out_ << text_.str();
}

} // namespace

void emitSource(std::ostream &out, const Program &program) {
  Emitter(out, program).source();
}

void emitHeader(std::ostream &out, const Program &program) {
  const std::string &name = program.network.name;
  std::string upper;
  for (const char c : name)
    upper += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  out << "// Generated by npu-netgen.\n\n#ifndef NPU_NETWORK_" << upper
      << "_H\n#define NPU_NETWORK_" << upper << "_H\n\n#include <npu/network.h>\n\n#define "
      << upper << "_LAYERS " << program.network.layers.size() << "\n#define " << upper
      << "_INPUT_BYTES "
      << program.tensor(program.network.input).shape.h *
             program.tensor(program.network.input).shape.w *
             program.tensor(program.network.input).shape.c
      << "\n#define " << upper << "_OUTPUT_BYTES "
      << program.tensor(program.network.output).shape.h *
             program.tensor(program.network.output).shape.w *
             program.tensor(program.network.output).shape.c
      << "\n#define " << upper << "_CONSTANT_BYTES " << program.constants.size()
      << "\n\n// One block of DRAM for all: the constants at its start, input and output at these "
         "offsets.\n#define "
      << upper << "_DRAM_BYTES " << program.dram.used() << "\n#define " << upper << "_INPUT_OFFSET "
      << program.inputInDram.offset << "\n#define " << upper << "_OUTPUT_OFFSET "
      << program.outputInDram.offset << "\n\n// Runs the network. input, constants (the bytes of "
      << name
      << ".bin) and output lie in DRAM or TCM. If the status is\n// not NPU_OK, *failed is the "
         "name of the layer.\n"
      << "npu_status " << name
      << "_run(const int8_t *input, const void *constants, int8_t *output, const char "
         "**failed);\n\n"
      << "// The layers; the cycle counter when the issue of each began in the last run, and at "
         "the end.\n"
         "extern const npu_net_layer "
      << name << "_layers[];\nextern uint32_t " << name << "_cycles[];\n\n#endif\n";
}

} // namespace npu::netgen
