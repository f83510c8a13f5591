// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "streams.h"

#include "emit.h"
#include "stream_cost.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <iomanip>
#include <sstream>
#include <tuple>
#include <utility>

namespace npu::kgen {
namespace {

using Values = std::initializer_list<std::pair<const char *, int64_t>>;

void members(std::ostream &out, const Values &values) {
  for (const auto &[name, value] : values)
    out << "    ." << name << " = " << value << (value > INT32_MAX ? "u" : "") << ",\n";
}

std::string braces(const npu_dims &d) {
  return "{" + std::to_string(d.n) + ", " + std::to_string(d.h) + ", " + std::to_string(d.w) +
         ", " + std::to_string(d.c) + "}";
}
std::string braces(const npu_tile &t) {
  return "{" + std::to_string(t.h) + ", " + std::to_string(t.w) + "}";
}

template <class Value> std::string words(const Value *values, size_t count) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i)
    text += (i > 0 ? ", " : "") + std::to_string(values[i]) + (values[i] > INT32_MAX ? "u" : "");
  return text + "}";
}

// The best one first, each plan once: different choices can give the same.
template <class Candidate> void rank(std::vector<Candidate> &found) {
  std::vector<Candidate> once;
  for (const Candidate &candidate : found)
    if (std::none_of(once.begin(), once.end(), [&](const Candidate &other) {
          return std::memcmp(&other.plan, &candidate.plan, sizeof candidate.plan) == 0;
        }))
      once.push_back(candidate);
  found = std::move(once);
  std::stable_sort(found.begin(), found.end(), [](const Candidate &a, const Candidate &b) {
    return std::tuple(a.cycles, a.dramBytes, a.plan.scratch_bytes) <
           std::tuple(b.cycles, b.dramBytes, b.plan.scratch_bytes);
  });
}

template <class Candidate>
std::string rankingOf(const std::vector<Candidate> &candidates,
                      std::string (*describe)(const Candidate &)) {
  std::ostringstream out;
  out << std::setw(6) << "rank" << std::setw(12) << "cycles" << std::setw(12) << "DRAM bytes"
      << std::setw(10) << "scratch" << "  plan\n";
  for (size_t i = 0; i < candidates.size(); ++i)
    out << std::setw(6) << i + 1 << std::setw(12) << candidates[i].cycles << std::setw(12)
        << candidates[i].dramBytes << std::setw(10) << candidates[i].plan.scratch_bytes << "  "
        << describe(candidates[i]) << "\n";
  return out.str();
}

// What both kinds of kernels have in common.
struct Kernel {
  std::string title, packParameters, packBody, types[2], record, plan, include, kind, run;
  uint64_t packed, scratch, cycles;
};

Generated write(const Layer &layer, const Kernel &k) {
  const std::string prefix = upperCase(layer.name);
  const std::string license = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n";
  const std::string arguments = "(const npu_context *context, const " + k.types[0] +
                                " *input, const void *packed,\n" +
                                std::string(12 + layer.name.size(), ' ') + k.types[1] + " *output)";
  std::ostringstream h, c;
  h << license << k.title << "\n#ifndef " << prefix << "_H\n#define " << prefix
    << "_H\n\n#include <npu/nn_types.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
    << "// Bytes of the packed constants and of the scratch buffer.\n#define " << prefix
    << "_PACKED_BYTES " << k.packed << "\n#define " << prefix << "_SCRATCH_BYTES " << k.scratch
    << "\n// Expected cycles.\n#define " << prefix << "_CYCLES " << k.cycles
    << "\n\n// Packs filter and bias (may be null) with the layer's quantization.\nnpu_status "
    << layer.name << "_pack(" << k.packParameters << ", void *packed);\n\n"
    << "// Runs the layer from where the title says. The context's buffer is in TCM, 16-byte "
       "aligned.\nnpu_status "
    << layer.name << arguments << ";\n\n#ifdef __cplusplus\n}\n#endif\n\n#endif // " << prefix
    << "_H\n";
  c << license << k.title << "\n#include \"" << layer.name << ".h\"\n\n#include <npu/generated.h>\n"
    << "\nstatic const npu_" << k.kind << "_plan plan = {\n"
    << k.plan << "};\n\nnpu_status " << layer.name << arguments << " {\n  return npu_" << k.kind
    << "_plan_run(&plan, context, input, packed, output);\n}\n\n"
    << k.run << "NPU_GENERATED(" << k.kind << ") static const npu_generated_" << k.kind
    << " record = {\n    .problem = {\n"
    << k.record << "        .scratch_bytes = " << k.scratch
    << ",\n    },\n    .run = " << (k.run.empty() ? layer.name : "run") << ",\n};\n\nnpu_status "
    << layer.name << "_pack(" << k.packParameters << ", void *packed) {\n"
    << k.packBody << "}\n";
  return {h.str(), c.str(), ""};
}

const char *place(bool tcm) {
  return tcm ? "TCM" : "DRAM";
}

std::string title(const Layer &layer, const std::string &source, const char *what,
                  const std::string &shapes, const std::string &plan, uint64_t cycles) {
  return "// Generated by npu-kgen from " + source + "; edit that file instead.\n//\n// " + what +
         " \"" + layer.name + "\": " + shapes + "\n// " + plan +
         "\n// expected cycles: " + std::to_string(cycles) + "\n";
}

std::string integers(const char *name, const std::vector<int32_t> &values) {
  return std::string("  static const int32_t ") + name + "[] = " + [&] {
    std::string text = "{";
    for (size_t i = 0; i < values.size(); ++i)
      text += (i % 8 == 0 ? "\n      " : " ") +
              (values[i] == INT32_MIN ? "INT32_MIN" : std::to_string(values[i])) + ",";
    return text + "\n  };\n";
  }();
}

// ---- depthwise convolutions -------------------------------------------------------------------

std::string describeDepthwise(const DepthwiseCandidate &c) {
  const npu_dw_plan &p = c.plan;
  std::string text = p.bands > 1 ? std::to_string(p.bands) + " bands a block, " : "";
  if (c.choice.strips)
    text += "pieces of " + std::to_string(p.group) + " blocks of channels, " +
            std::to_string(p.edge_group) + " at the ends";
  else
    text += "pieces of " + std::to_string(p.lines) + " lines, " + std::to_string(p.edge_lines) +
            " at the ends";
  return text + ", runs of " + std::to_string(p.run_h) + " x " + std::to_string(p.run_w);
}

uint64_t volume(const npu_dims &d) {
  return uint64_t(d.n) * uint64_t(d.h) * uint64_t(d.w) * uint64_t(d.c);
}

std::string planOf(const npu_dw_plan &p) {
  // Every member stands here.
  static_assert(sizeof(npu_dw_plan) == 4 * (44 + 2 * 16), "a member of the plan is not written");
  std::ostringstream out;
  members(out, {{"images", p.images},
                {"blocks", p.blocks},
                {"in_h", p.in_h},
                {"in_w", p.in_w},
                {"out_h", p.out_h},
                {"out_w", p.out_w},
                {"stride_h", p.stride_h},
                {"window_h", p.window_h},
                {"pad_h", p.pad_h},
                {"pad_w", p.pad_w},
                {"group", p.group},
                {"lines", p.lines},
                {"edge_group", p.edge_group},
                {"edge_lines", p.edge_lines},
                {"band_h", p.band_h},
                {"bands", p.bands},
                {"run_h", p.run_h},
                {"run_w", p.run_w},
                {"in_line", p.in_line},
                {"plane_bytes", p.plane_bytes},
                {"in_slots", p.in_slots},
                {"in_slot", p.in_slot},
                {"out_slot", p.out_slot},
                {"block_bytes", p.block_bytes},
                {"constant_bytes", p.constant_bytes},
                {"piece_bytes", p.piece_bytes},
                {"constants_at", p.constants_at},
                {"out_at", p.out_at},
                {"in_at", p.in_at},
                {"scratch_bytes", p.scratch_bytes},
                {"loads", p.loads},
                {"dense", p.dense},
                {"taps", p.taps},
                {"tap_rows", p.tap_rows},
                {"xstride", p.xstride},
                {"ystride", p.ystride},
                {"rowstride", p.rowstride},
                {"tapstride", p.tapstride},
                {"pxstep", p.pxstep},
                {"pystep", p.pystep},
                {"pad", p.pad},
                {"valid", p.valid},
                {"oystride", p.oystride},
                {"oquant", p.oquant}});
  out << "    .load = " << words(p.load, 16) << ",\n    .store = " << words(p.store, 16) << ",\n";
  return out.str();
}

std::string recordOf(const npu_dw_problem &problem) {
  const npu_dw_conv_params &p = problem.params;
  std::ostringstream out;
  out << "        .input = " << braces(problem.input)
      << ",\n        .filter = " << braces(problem.filter)
      << ",\n        .output = " << braces(problem.output)
      << ",\n        .params = {\n            .input_offset = " << p.input_offset
      << ",\n            .output_offset = " << p.output_offset
      << ",\n            .channel_multiplier = 1,\n            .stride = " << braces(p.stride)
      << ",\n            .padding = " << braces(p.padding)
      << ",\n            .dilation = " << braces(p.dilation)
      << ",\n            .activation_min = " << p.activation_min
      << ",\n            .activation_max = " << p.activation_max
      << ",\n        },\n        .constants_in_tcm = " << problem.constants_in_tcm << ",\n";
  return out.str();
}

// ---- fully connected layers -------------------------------------------------------------------

// Of NPU_FC_...: the end of the functions' names, and one of them.
constexpr struct {
  const char *name;
  uint32_t (*packedSize)(const npu_dims *filter);
} kForms[] = {{"s8", npu_fully_connected_s8_get_packed_size},
              {"s4", npu_fully_connected_s4_get_packed_size},
              {"s4_block", npu_fully_connected_s4_block_get_packed_size},
              {"s16", npu_fully_connected_s16_get_packed_size}};

std::string describeConnected(const ConnectedCandidate &c) {
  const npu_fc_plan &p = c.plan;
  std::string text =
      "tiles of " + std::to_string(p.rows) + " batches" + (p.tiles == 2 ? " in two buffers" : "");
  if (!p.weights_in_place)
    text += p.chunk_blocks != 0 ? ", " + std::to_string(p.chunk_blocks) + " of " +
                                      std::to_string(p.blocks) + " blocks a chunk"
                                : ", " + std::to_string(p.chunk_steps) + " of " +
                                      std::to_string(p.steps) + " steps of a block a chunk";
  if (p.pair_chunks != 0)
    text += ", the first two blocks side by side";
  return text + ", outputs of " + std::to_string(p.group) + " blocks stored together";
}

std::string planOf(const npu_fc_plan &p) {
  static_assert(sizeof(npu_fc_plan) == 4 * 38, "a member of the plan is not written");
  std::ostringstream out;
  members(out, {{"layout.step_rows", p.layout.step_rows},
                {"layout.step_shift", p.layout.step_shift},
                {"layout.table_bytes", p.layout.table_bytes},
                {"layout.step_bytes", p.layout.step_bytes},
                {"params.input_offset", p.params.input_offset},
                {"params.output_offset", p.params.output_offset},
                {"params.activation_min", p.params.activation_min},
                {"params.activation_max", p.params.activation_max},
                {"element", p.element},
                {"with_scales", p.with_scales},
                {"inputs", p.inputs},
                {"outputs", p.outputs},
                {"batches", p.batches},
                {"int4", p.int4},
                {"steps", p.steps},
                {"full_steps", p.full_steps},
                {"blocks", p.blocks},
                {"block_bytes", p.block_bytes},
                {"in_place", p.in_place},
                {"out_in_place", p.out_in_place},
                {"weights_in_place", p.weights_in_place},
                {"rows", p.rows},
                {"pitch", p.pitch},
                {"plane", p.plane},
                {"tile_bytes", p.tile_bytes},
                {"tiles", p.tiles},
                {"steps_of_half", p.steps_of_half},
                {"chunk_blocks", p.chunk_blocks},
                {"chunk_steps", p.chunk_steps},
                {"group", p.group},
                {"slot_bytes", p.slot_bytes},
                {"out_bytes", p.out_bytes},
                {"out_step", p.out_step},
                {"late", p.late},
                {"many_rows", p.many_rows},
                {"streamed", p.streamed},
                {"pair_chunks", p.pair_chunks},
                {"scratch_bytes", p.scratch_bytes}});
  return out.str();
}

std::string recordOf(const npu_fc_problem &problem) {
  const npu_fc_params &p = problem.params;
  std::ostringstream out;
  out << "        .input = " << braces(problem.input)
      << ",\n        .filter = " << braces(problem.filter) << ",\n        .params = {"
      << p.input_offset << ", " << p.output_offset << ", " << p.activation_min << ", "
      << p.activation_max << "},\n        .form = " << problem.form
      << ",\n        .placement = " << problem.placement << ",\n";
  return out.str();
}

} // namespace

std::vector<DepthwiseCandidate> rankDepthwise(const Layer &layer, const std::string &path) {
  const npu_dw_problem &problem = layer.depthwise;
  const uint64_t bytes = volume(problem.input) + volume(problem.output);
  std::vector<DepthwiseCandidate> found;
  npu_dw_choice c = {};
  for (const int32_t pixels : {128, 196, 256, 392, 512, 784, 1024, 1568, 2352, 3136})
    for (c.strips = 0; c.strips < 2; ++c.strips)
      for (c.edge = 0; c.edge < 4; ++c.edge) {
        c.pixels = pixels;
        DepthwiseCandidate candidate = {c, {}, 0, bytes};
        if (npu_dw_plan_fill(&candidate.plan, &problem, &c) != NPU_OK)
          continue;
        candidate.cycles = depthwiseCycles(candidate.plan);
        candidate.dramBytes += uint64_t(candidate.plan.blocks) *
                               (problem.constants_in_tcm ? 0 : candidate.plan.block_bytes);
        found.push_back(candidate);
      }
  if (found.empty()) {
    npu_dw_problem unbound = problem;
    npu_dw_plan plan;
    unbound.scratch_bytes = INT32_MAX;
    if (npu_dw_plan_make(&plan, &unbound) == NPU_ERROR_ARGUMENT)
      throw LayerError{path +
                       ": field 'operator': \"depthwise_conv\": channels in whole blocks of 16 "
                       "and windows of up to 16 taps have kernels; the library runs this "
                       "layer"};
    throw LayerError{path + ": field 'scratch_bytes': " + std::to_string(problem.scratch_bytes) +
                     ": no plan fits"};
  }
  rank(found);
  return found;
}

Generated generateDepthwise(const Layer &layer, const std::string &path,
                            const std::string &source) {
  const std::vector<DepthwiseCandidate> candidates = rankDepthwise(layer, path);
  const DepthwiseCandidate &best = candidates.front();
  const npu_dw_problem &problem = layer.depthwise;
  const bool int4 = layer.filterBits == 4;
  std::ostringstream shapes, pack;
  shapes << "input " << braces(problem.input) << " in DRAM, filter " << braces(problem.filter)
         << " int" << layer.filterBits << " in " << place(problem.constants_in_tcm != 0)
         << ", output " << braces(problem.output) << " in DRAM,\n// stride "
         << braces(problem.params.stride) << ", dilation " << braces(problem.params.dilation)
         << ", padding above and left " << braces(problem.params.padding);
  pack << integers("multiplier", layer.multiplier) << integers("shift", layer.shift)
       << "  const npu_per_channel_quant quant = {multiplier, shift};\n  return "
          "npu_depthwise_conv_"
       << (int4 ? "s4" : "s8")
       << "_pack(&record.problem.params, &quant, &record.problem.filter, filter, bias,\n"
          "                                    packed);\n";
  Kernel k = {};
  k.title = title(layer, source, "depthwise convolution", shapes.str(), describeDepthwise(best),
                  best.cycles);
  k.packParameters =
      std::string("const ") + (int4 ? "uint8_t" : "int8_t") + " *filter, const int32_t *bias";
  k.packBody = pack.str();
  k.types[0] = k.types[1] = "int8_t";
  k.record = recordOf(problem);
  k.plan = planOf(best.plan);
  k.kind = "dw";
  k.packed = npu_depthwise_conv_s8_get_packed_size(&problem.params, &problem.filter);
  k.scratch = best.plan.scratch_bytes;
  k.cycles = best.cycles;
  Generated result = write(layer, k);
  result.ranking = rankingOf<DepthwiseCandidate>(candidates, describeDepthwise);
  return result;
}

std::vector<ConnectedCandidate> rankConnected(const Layer &layer, const std::string &path) {
  const npu_fc_problem &problem = layer.connected;
  const int32_t batches = problem.input.n * problem.input.h * problem.input.w;
  const int32_t most = std::min(batches, problem.form == NPU_FC_S16 ? 64 : 128);
  std::vector<ConnectedCandidate> found;
  npu_fc_choice c = {};
  for (c.rows = most; c.rows > 0; c.rows /= 2)
    for (c.tiles = 1; c.tiles < 3; ++c.tiles)
      for (const uint32_t slot :
           {2u << 10, 4u << 10, (8u << 10) + 256, 12u << 10, 16u << 10, 20u << 10, 32u << 10}) {
        c.slot_bytes = slot;
        ConnectedCandidate candidate = {c, {}, 0, 0};
        if (npu_fc_plan_fill(&candidate.plan, &problem, &c) != NPU_OK)
          continue;
        candidate.cycles = connectedCycles(candidate.plan);
        candidate.dramBytes = connectedBytes(candidate.plan);
        found.push_back(candidate);
      }
  if (found.empty())
    throw LayerError{path + ": field 'scratch_bytes': " + std::to_string(problem.scratch_bytes) +
                     ": no plan fits"};
  rank(found);
  return found;
}

Generated generateConnected(const Layer &layer, const std::string &path,
                            const std::string &source) {
  const std::vector<ConnectedCandidate> candidates = rankConnected(layer, path);
  const ConnectedCandidate &best = candidates.front();
  const npu_fc_problem &problem = layer.connected;
  const auto &form = kForms[problem.form];
  const bool wide = problem.form == NPU_FC_S16, blocks = problem.form == NPU_FC_S4_BLOCK,
             int4 = blocks || problem.form == NPU_FC_S4;
  std::ostringstream shapes, pack;
  shapes << "input " << braces(problem.input) << (wide ? " int16 in " : " in ")
         << place((problem.placement & NPU_CONV_INPUT_TCM) != 0) << ", filter "
         << braces(problem.filter) << (int4 ? " int4" : " int8")
         << (blocks ? " with a scale for each 32 inputs" : "") << " in "
         << place((problem.placement & NPU_CONV_WEIGHTS_TCM) != 0) << ", output in "
         << place((problem.placement & NPU_CONV_OUTPUT_TCM) != 0);
  if (blocks) {
    pack << integers("multiplier", layer.multiplier) << integers("shift", layer.shift)
         << "  const npu_per_channel_quant quant = {multiplier, shift};\n";
  } else {
    pack << "  static const double scale[] = {";
    for (size_t i = 0; i < layer.scale.size(); ++i) {
      char text[64];
      std::snprintf(text, sizeof text, "%a", layer.scale[i]);
      pack << (i % 4 == 0 ? "\n      " : " ") << text << ",";
    }
    pack << "\n  };\n  const npu_fc_quant quant = {scale};\n";
  }
  pack << "  return npu_fully_connected_" << form.name << "_pack(&record.problem.params, &quant, "
       << (blocks ? "block_scales, " : "") << "&record.problem.filter,\n"
       << "                                    filter, bias, packed);\n";
  Kernel k = {};
  k.title = title(layer, source, "fully connected layer", shapes.str(), describeConnected(best),
                  best.cycles);
  k.packParameters = std::string("const ") + (int4 ? "uint8_t" : "int8_t") + " *filter, const " +
                     (wide ? "int64_t" : "int32_t") + " *bias" +
                     (blocks ? ", const int16_t *block_scales" : "");
  k.packBody = pack.str();
  k.types[0] = k.types[1] = wide ? "int16_t" : "int8_t";
  k.record = recordOf(problem);
  k.plan = planOf(best.plan);
  k.kind = "fc";
  k.run =
      "static npu_status run(const npu_context *context, const void *input, const void *packed,\n"
      "                      void *output) {\n  return " +
      layer.name + "(context, input, packed, output);\n}\n\n";
  k.packed = form.packedSize(&problem.filter);
  k.scratch = best.plan.scratch_bytes;
  k.cycles = best.cycles;
  Generated result = write(layer, k);
  result.ranking = rankingOf<ConnectedCandidate>(candidates, describeConnected);
  return result;
}

} // namespace npu::kgen
