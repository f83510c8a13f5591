// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "emit.h"

#include "npu/conv.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace npu::kgen {
namespace {

// Longer windows become a loop over a table, so that the code stays small.
constexpr size_t kUnrolledSteps = 48;

// What does not depend on the layer but through the constants in front of it.
constexpr std::string_view kTransfers = R"(
typedef struct slot {
  npu_dma_descriptor load[5]; // the input, and the border above, below, left and right
  npu_dma_descriptor store;
} slot;

typedef struct job {
  npu_double_buffer buffers; // first: the callbacks get its address
  const int8_t *input;
  int8_t *output;
  uint8_t *scratch;
  int32_t first_channel, channels; // of the group in work
  uint32_t half;                   // first accumulator row of the half to fill next
} job;

typedef struct region {
  int32_t image, y, x, h, w;
} region;

static inline int32_t min(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t max(int32_t a, int32_t b) { return a > b ? a : b; }

static region region_of(uint32_t tile) {
  const int32_t line = (int32_t)tile / TILES_X;
  region r;
  r.image = line / TILES_Y;
  r.y = (line - r.image * TILES_Y) * TILE_H;
  r.x = ((int32_t)tile - line * TILES_X) * TILE_W;
  r.h = OUT_H % TILE_H == 0 ? TILE_H : min(TILE_H, OUT_H - r.y);
  r.w = OUT_W % TILE_W == 0 ? TILE_W : min(TILE_W, OUT_W - r.x);
  return r;
}

static slot *slot_of(const job *j, uint32_t number) { return (slot *)j->scratch + number; }
static int8_t *input_of(const job *j, uint32_t number) {
  return (int8_t *)j->scratch + INPUT_AT + number * INPUT_BYTES;
}
static int8_t *output_of(const job *j, uint32_t number) {
  return (int8_t *)j->scratch + OUTPUT_AT + number * OUTPUT_BYTES;
}

static npu_ticket_t load(npu_double_buffer *buffers, uint32_t tile, uint32_t number) {
  const job *j = (const job *)buffers;
  const region r = region_of(tile);
  const int32_t h = (r.h - 1) * STRIDE_H + WINDOW_H, w = (r.w - 1) * STRIDE_W + WINDOW_W;
  const int32_t y = r.y * STRIDE_H - PAD_TOP, x = r.x * STRIDE_W - PAD_LEFT;
  const int32_t top = min(max(-y, 0), h), bottom = min(max(y + h - IN_H, 0), h - top);
  const int32_t left = min(max(-x, 0), w), right = min(max(x + w - IN_W, 0), w - left);
  const int32_t rows = h - top - bottom, columns = w - left - right;

  int8_t *const at = input_of(j, number);
  npu_dma_descriptor *d = slot_of(j, number)->load;
  const npu_dma_descriptor *const first = d;
  *d = npu_dma_2d(at + top * PITCH + left * IN_C, PITCH,
                  j->input + ((r.image * IN_H + y + top) * IN_W + x + left) * IN_C, IN_W * IN_C,
                  (uint32_t)(columns * IN_C), (uint32_t)rows);
  if (top > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at, PITCH, ZERO_POINT & 255, (uint32_t)(w * IN_C), (uint32_t)top);
  }
  if (bottom > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at + (top + rows) * PITCH, PITCH, ZERO_POINT & 255,
                           (uint32_t)(w * IN_C), (uint32_t)bottom);
  }
  if (left > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at + top * PITCH, PITCH, ZERO_POINT & 255, (uint32_t)(left * IN_C),
                           (uint32_t)rows);
  }
  if (right > 0) {
    npu_dma_chain(d, d + 1);
    *++d = npu_dma_fill_2d(at + top * PITCH + (left + columns) * IN_C, PITCH, ZERO_POINT & 255,
                           (uint32_t)(right * IN_C), (uint32_t)rows);
  }
  return npu_dma_submit(0, first);
}

static npu_ticket_t store(npu_double_buffer *buffers, uint32_t tile, uint32_t number) {
  const job *j = (const job *)buffers;
  const region r = region_of(tile);
  npu_dma_descriptor *d = &slot_of(j, number)->store;
  int8_t *to = j->output + ((r.image * OUT_H + r.y) * OUT_W + r.x) * OUT_C + j->first_channel;
  if (GROUPS == 1) {
    *d = npu_dma_2d(to, OUT_W * OUT_C, output_of(j, number), OUT_PITCH,
                    (uint32_t)(r.w * OUT_C), (uint32_t)r.h);
  } else {
    *d = npu_dma_2d(to, OUT_C, output_of(j, number), j->channels, (uint32_t)j->channels,
                    (uint32_t)r.w);
    npu_dma_add_planes(d, (uint32_t)r.h, OUT_W * OUT_C, OUT_PITCH);
  }
  return npu_dma_submit(1, d);
}
)";

constexpr std::string_view kCompute = R"(
static npu_ticket_t compute(npu_double_buffer *buffers, uint32_t tile, uint32_t number) {
  job *j = (job *)buffers;
  const region r = region_of(tile);
  const int32_t channels = GROUPS == 1 ? OUT_C : j->channels;
  uint32_t half = j->half;
  npu_ticket_t ticket = NPU_TICKET_DONE;
  for (int32_t y = 0; y < r.h; y += RECT_H)
    for (int32_t x = 0; x < r.w; x += RECT_W) {
      const int32_t h = min(RECT_H, r.h - y), w = min(RECT_W, r.w - x);
      const int8_t *in = input_of(j, number) + y * (STRIDE_H * PITCH) + x * (STRIDE_W * IN_C);
      int8_t *out = output_of(j, number) + y * OUT_PITCH + x * channels;
      const uint8_t *constants = j->scratch + CONSTANTS_AT;
      npu_csr_write(NPU_CSR_NXCOUNT, (uint32_t)h); // pixels run down the columns
      for (int32_t channel = 0; channel < channels; channel += 16) {
        const uint32_t rows = npu_mac_run_ctl(half, (uint32_t)(w * h), 0, 0, 0);
        if (GROUP_CHANNELS > 16) // otherwise loaded once for the group
          npu_mac_ldq(constants);
        run_window(in, constants + TABLE_BYTES, rows | NPU_MAC_SWAP);
        const uint32_t stored = OUT_C % 16 == 0 ? 16 : (uint32_t)min(16, channels - channel);
        ticket = npu_mac_drain(out + channel, rows | npu_mac_drain_ctl(0, 0, stored, 0));
        constants += TABLE_BYTES + STEPS * STEP_BYTES;
        half ^= 128;
        npu_double_buffer_service(buffers);
      }
    }
  j->half = half;
  return ticket;
}
)";

constexpr std::string_view kEntry = R"({
  const uint32_t offset = (uint32_t)context->buffer - NPU_TCM_BASE;
  const uint32_t tcm = npu_csr_read(NPU_CSR_NTCMSIZE);
  if (offset % 16 != 0 || offset >= tcm || context->size > tcm - offset ||
      context->size < SCRATCH_BYTES)
    return NPU_ERROR_BUFFER;

  job j = {.buffers = {.load = load, .compute = compute, .store = store},
           .input = input,
           .output = output,
           .scratch = context->buffer};
  npu_csr_write(NPU_CSR_NSTATUS, NPU_STATUS_ERRORS);
  npu_csr_write(NPU_CSR_NROWLEN, ROW_BYTES);
  npu_csr_write(NPU_CSR_NROWSTRIDE, ROW_STRIDE);
  npu_csr_write(NPU_CSR_NXSTRIDE, STRIDE_H * PITCH);
  npu_csr_write(NPU_CSR_NYSTRIDE, STRIDE_W * IN_C);
  npu_csr_write(NPU_CSR_NOXSTRIDE, OUT_PITCH);
  npu_csr_write(NPU_CSR_NOQUANT, npu_oquant(OUTPUT_ZERO_POINT, CLAMP_MIN, CLAMP_MAX));

  const uint32_t block_bytes = TABLE_BYTES + STEPS * STEP_BYTES;
  const uint8_t *constants = packed;
  for (; j.first_channel < OUT_C; j.first_channel += GROUP_CHANNELS) {
    j.channels = min(GROUP_CHANNELS, OUT_C - j.first_channel);
    const uint32_t bytes = (uint32_t)(j.channels + 15) / 16 * block_bytes;
    if (npu_dma_copy(j.scratch + CONSTANTS_AT, constants, bytes) != 0)
      return NPU_ERROR_TRANSFER;
    constants += bytes;
    npu_csr_write(NPU_CSR_NOYSTRIDE, (uint32_t)j.channels);
    npu_mac_ldq(j.scratch + CONSTANTS_AT);
    npu_double_buffer_run(&j.buffers, IMAGES * TILES_Y * TILES_X);
  }

  const uint32_t errors = npu_csr_read(NPU_CSR_NSTATUS) & NPU_STATUS_ERRORS;
  if ((errors & (NPU_STATUS_DMA0_ERROR | NPU_STATUS_DMA1_ERROR)) != 0)
    return NPU_ERROR_TRANSFER;
  return errors != 0 ? NPU_ERROR_MATRIX_UNIT : NPU_OK;
}
)";

std::string list(std::initializer_list<int32_t> values) {
  std::string text = "[";
  for (const int32_t value : values)
    text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "]";
}

std::string list(const npu_dims &d) { return list({d.n, d.h, d.w, d.c}); }
std::string list(const npu_tile &t) { return list({t.h, t.w}); }

// INT32_MIN has no literal in C.
std::string literal(int32_t value) {
  return value == INT32_MIN ? "INT32_MIN" : std::to_string(value);
}

std::string upper(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

void emitTitle(std::ostream &out, const Layer &layer, const Plan &plan, const std::string &source) {
  const npu_conv_params &p = layer.params;
  out << "// Generated by npu-kgen from " << source << "; edit that file instead.\n//\n"
      << "// input " << list(layer.input) << ", filter " << list(layer.filter) << ", output "
      << list(layer.output) << "\n"
      << "// stride " << list(p.stride) << ", dilation " << list(p.dilation)
      << ", padding above and left " << list(p.padding) << "\n"
      << "// tiles of " << plan.tileH << " x " << plan.tileW << " pixels, runs of " << plan.rectH
      << " x " << plan.rectW << ", " << plan.steps.size() << " steps a window, " << plan.blocks
      << " block(s) of 16 channels in " << plan.groups << " group(s)\n"
      << "// expected cycles: " << plan.cycles << " (the array alone: " << plan.arrayCycles
      << ")\n";
}

void emitArray(std::ostream &out, const char *name, const std::vector<int32_t> &values) {
  out << "static const int32_t " << name << "[] = {";
  for (size_t i = 0; i < values.size(); ++i)
    out << (i % 8 == 0 ? "\n    " : " ") << literal(values[i]) << ",";
  out << "\n};\n";
}

void emitConstants(std::ostream &out, const Layer &layer, const Plan &plan) {
  const npu_conv_params &p = layer.params;
  const auto rows = [](int32_t taps, int32_t dilation) { return (taps - 1) * dilation + 1; };
  const std::initializer_list<std::pair<const char *, int64_t>> values = {
      {"IMAGES", layer.input.n},
      {"IN_H", layer.input.h},
      {"IN_W", layer.input.w},
      {"IN_C", layer.input.c},
      {"OUT_H", layer.output.h},
      {"OUT_W", layer.output.w},
      {"OUT_C", layer.output.c},
      {"STRIDE_H", p.stride.h},
      {"STRIDE_W", p.stride.w},
      {"PAD_TOP", p.padding.h},
      {"PAD_LEFT", p.padding.w},
      {"WINDOW_H", rows(layer.filter.h, p.dilation.h)},
      {"WINDOW_W", rows(layer.filter.w, p.dilation.w)},
      {"ZERO_POINT", -p.input_offset},
      {"OUTPUT_ZERO_POINT", p.output_offset},
      {"CLAMP_MIN", p.activation_min},
      {"CLAMP_MAX", p.activation_max},
      {"TILE_H", plan.tileH},
      {"TILE_W", plan.tileW},
      {"TILES_Y", plan.tilesY},
      {"TILES_X", plan.tilesX},
      {"RECT_H", plan.rectH},
      {"RECT_W", plan.rectW},
      {"PITCH", plan.pitch},
      {"OUT_PITCH", plan.outPitch},
      {"ROW_BYTES", npu_conv_row_bytes(&layer.filter, &p)},
      {"ROW_STRIDE", int64_t(p.dilation.h) * plan.pitch},
      {"STEPS", int64_t(plan.steps.size())},
      {"STEP_BYTES", NPU_STEP_BYTES},
      {"TABLE_BYTES", NPU_TABLE_BYTES},
      {"GROUPS", plan.groups},
      {"GROUP_CHANNELS", std::min(plan.groupBlocks * NPU_BLOCK_CHANNELS, layer.output.c)},
      {"CONSTANTS_AT", plan.constantsAt},
      {"INPUT_AT", plan.inputAt},
      {"INPUT_BYTES", plan.inputBytes},
      {"OUTPUT_AT", plan.outputAt},
      {"OUTPUT_BYTES", plan.outputBytes},
      {"SCRATCH_BYTES", plan.scratchBytes},
  };
  out << "enum {\n";
  for (const auto &[name, value] : values)
    out << "  " << name << " = " << value << ",\n";
  out << "};\n";
}

// The array's steps over one window position: constants but for the addresses and accumulator rows.
void emitWindow(std::ostream &out, const Plan &plan) {
  const auto control = [](const Step &step) {
    return "npu_mac_run_ctl(0, 0, " + std::to_string(step.k) + ", " + std::to_string(step.first) +
           ", 0)";
  };
  if (plan.steps.size() > kUnrolledSteps) {
    out << "\nstatic const struct {\n  int32_t offset;\n  uint32_t ctl;\n} window[STEPS] = {\n";
    for (const Step &step : plan.steps)
      out << "    {" << step.offset << ", " << step.k << "u << 17 | " << step.first << "u << 23},\n";
    out << "};\n\n"
           "static inline void run_window(const int8_t *in, const uint8_t *weights, uint32_t ctl) {\n"
           "  for (int32_t step = 0; step < STEPS; ++step, weights += STEP_BYTES) {\n"
           "    npu_mac_ldw(weights, 16);\n"
           "    npu_mac_run(in + window[step].offset, ctl | window[step].ctl);\n"
           "    ctl |= NPU_MAC_ACC;\n"
           "  }\n"
           "}\n";
    return;
  }
  out << "\nstatic inline void run_window(const int8_t *in, const uint8_t *weights, uint32_t ctl) {\n";
  for (size_t i = 0; i < plan.steps.size(); ++i) {
    const Step &step = plan.steps[i];
    out << "  npu_mac_ldw(weights + " << i << " * STEP_BYTES, " << step.k << ");\n"
        << "  npu_mac_run(in + " << step.offset << ", ctl | " << (i > 0 ? "NPU_MAC_ACC | " : "")
        << control(step) << ");\n";
  }
  out << "}\n";
}

void emitPack(std::ostream &out, const Layer &layer) {
  const npu_conv_params &p = layer.params;
  out << "\nstatic const npu_conv_params params = {\n"
      << "    .input_offset = -(ZERO_POINT),\n    .output_offset = OUTPUT_ZERO_POINT,\n"
      << "    .stride = {STRIDE_H, STRIDE_W},\n    .padding = {PAD_TOP, PAD_LEFT},\n"
      << "    .dilation = {" << p.dilation.h << ", " << p.dilation.w << "},\n"
      << "    .activation_min = CLAMP_MIN,\n    .activation_max = CLAMP_MAX,\n};\n";
  emitArray(out, "multiplier", layer.multiplier);
  emitArray(out, "shift", layer.shift);
  out << "\nnpu_status " << layer.name
      << "_pack(const int8_t *filter, const int32_t *bias, void *packed) {\n"
      << "  const npu_dims dims = {" << layer.filter.n << ", " << layer.filter.h << ", "
      << layer.filter.w << ", " << layer.filter.c << "};\n"
      << "  const npu_per_channel_quant quant = {multiplier, shift};\n"
      << "  return npu_conv_s8_pack(&params, &quant, &dims, filter, bias, packed);\n}\n";
}

} // namespace

void emitHeader(std::ostream &out, const Layer &layer, const Plan &plan,
                const std::string &source) {
  const std::string prefix = upper(layer.name);
  out << "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n";
  emitTitle(out, layer, plan, source);
  out << "\n#ifndef " << prefix << "_H\n#define " << prefix << "_H\n\n#include <npu/nn_types.h>\n\n"
      << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
      << "// Bytes of the packed constants and of the scratch buffer.\n#define " << prefix
      << "_PACKED_BYTES " << npu_conv_s8_get_packed_size(&layer.filter, &layer.params)
      << "\n#define " << prefix << "_SCRATCH_BYTES " << plan.scratchBytes << "\n\n"
      << "// Packs filter " << list(layer.filter)
      << " and bias (may be null) with the layer's quantization.\nnpu_status " << layer.name
      << "_pack(const int8_t *filter, const int32_t *bias, void *packed);\n\n"
      << "// Runs the layer: input " << list(layer.input) << " to output " << list(layer.output)
      << ", both\n// in TCM or DRAM; the context's buffer in TCM, 16-byte aligned.\nnpu_status "
      << layer.name
      << "(const npu_context *context, const int8_t *input, const void *packed,\n"
      << std::string(12 + layer.name.size(), ' ') << "int8_t *output);\n\n"
      << "#ifdef __cplusplus\n}\n#endif\n\n#endif // " << prefix << "_H\n";
}

void emitKernel(std::ostream &out, const Layer &layer, const Plan &plan,
                const std::string &source) {
  out << "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n";
  emitTitle(out, layer, plan, source);
  out << "\n#include \"" << layer.name << ".h\"\n\n#include <npu/conv.h>\n"
      << "#include <npu/double_buffer.h>\n#include <npu_platform.h>\n\n";
  emitConstants(out, layer, plan);
  emitPack(out, layer);
  out << kTransfers;
  emitWindow(out, plan);
  out << kCompute << "\nnpu_status " << layer.name
      << "(const npu_context *context, const int8_t *input, const void *packed,\n"
      << std::string(12 + layer.name.size(), ' ') << "int8_t *output) " << kEntry;
}

} // namespace npu::kgen
