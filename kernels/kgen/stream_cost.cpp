// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stream_cost.h"

#include <algorithm>
#include <vector>

namespace npu::kgen {
namespace {

// A piece of a depthwise layer as src/depthwise_stream.c cuts it.
struct Piece {
  double loadBeats = 0, storeBeats = 0, pixels = 0;
  int runs = 0, runLines = 0;
  uint32_t strip = 0, strips = 0; // the strip it begins, or 0; strips complete with it
  bool first = false;             // of its strip
};

std::vector<Piece> cutPieces(const npu_dw_plan &p) {
  std::vector<Piece> pieces;
  int32_t mostLines = p.edge_lines, mostGroup = p.edge_group;
  uint32_t strips = 0;
  for (int32_t image = 0; image < p.images; ++image)
    for (int32_t block = 0; block < p.blocks;) {
      int32_t group = 1;
      for (int32_t band = 0; band < p.bands; ++band) {
        const int32_t y = band * p.band_h;
        const int32_t height = std::min(p.band_h, p.out_h - y);
        int32_t top = y * p.stride_h - p.pad_h;
        const int32_t start = std::min(std::max(top, 0), p.in_h), rows = p.in_h - start;
        top -= start;
        int32_t loaded = 0;
        for (int32_t left = height; left > 0;) {
          const int32_t blocksLeft = p.blocks - block;
          int32_t lines = std::min({p.lines, left, mostLines});
          group = std::min({p.group, blocksLeft, mostGroup});
          if (image + 1 == p.images && band + 1 == p.bands) {
            if (blocksLeft <= 2 * p.group && p.group > 1)
              group = std::min(group, std::max((blocksLeft + 1) / 2, p.edge_group));
            else if (blocksLeft == 1)
              lines = std::min(lines, std::max((left + 1) / 2, p.edge_lines));
          }
          if (mostLines < p.lines)
            mostLines *= 2;
          if (mostGroup < p.group)
            mostGroup *= 2;
          const int32_t end =
              std::max(std::min(top + (lines - 1) * p.stride_h + p.window_h, rows), loaded);
          Piece piece;
          piece.first = left == height;
          piece.strip = strips;
          piece.loadBeats = double(p.dense ? p.in_h : end - loaded) * p.in_w * group;
          if (p.constant_bytes != 0 && image == 0 && band == 0 && piece.first)
            piece.loadBeats += double(group) * p.block_bytes / 16;
          piece.pixels = double(lines) * p.out_w * group;
          piece.storeBeats = piece.pixels;
          const int32_t across = (p.out_w + p.run_w - 1) / p.run_w;
          piece.runLines = lines * across * group;
          piece.runs = (lines + p.run_h - 1) / p.run_h * across * group;
          left -= lines;
          loaded = end;
          top += lines * p.stride_h;
          piece.strips = strips + (left == 0 ? 1 : 0);
          pieces.push_back(piece);
        }
        ++strips;
      }
      block += group;
    }
  return pieces;
}

// Plays a depthwise layer.
class Play {
public:
  Play(const npu_dw_plan &plan, const DepthwiseTimes &times)
      : p_(plan), t_(times), pieces_(cutPieces(plan)) {}

  double run() {
    now_ = t_.start;
    load();
    load();
    for (computed_ = 0; computed_ < pieces_.size();) {
      const size_t i = computed_;
      while (loads_ <= i) { // nothing is under way: its place has to become free
        finish();
        load();
      }
      if (unfinished_ && done_[i - 1] < loaded_[i])
        finish();
      wait(loaded_[i]);
      if (i >= NPU_DW_RESULTS)
        wait(stored_[i - NPU_DW_RESULTS]);
      compute(pieces_[i]);
    }
    finish();
    for (const double end : stored_)
      wait(end);
    return now_ + t_.end;
  }

private:
  void wait(double until) { now_ = std::max(now_, until); }

  void load() {
    if (loads_ == pieces_.size() || loads_ - computed_ > NPU_DW_AHEAD ||
        (pieces_[loads_].first && pieces_[loads_].strip - complete_ >= p_.in_slots))
      return;
    now_ += t_.issueLoad;
    const double beats = pieces_[loads_].loadBeats * t_.beat;
    double &channel =
        loads_ < 4 && (loads_ & 1) != 0 && p_.lines < p_.band_h ? channel_[1] : channel_[0];
    channel = std::max(channel + beats, now_ + t_.latency + beats);
    loaded_.push_back(channel);
    ++loads_;
  }

  void finish() {
    if (!unfinished_)
      return;
    const size_t i = stored_.size();
    wait(done_[i]);
    const bool both = loads_ == pieces_.size() && (computed_ & 1) != 0;
    double &channel = channel_[both ? 0 : 1];
    channel = std::max(channel, now_) + pieces_[i].storeBeats * t_.beat;
    stored_.push_back(channel + t_.stored);
    unfinished_ = false;
    complete_ = pieces_[i].strips;
    load();
  }

  void compute(const Piece &piece) {
    const double array = piece.pixels * (p_.stride_h > 1 ? t_.strided : t_.pixel) +
                         piece.runLines * t_.line + piece.runs * t_.run;
    const double core = piece.runs * t_.issueRun;
    const double begin = std::max(now_ + t_.issueRun, array_);
    array_ = begin + std::max(array, core);
    now_ += core + t_.issuePiece;
    done_.push_back(array_);
    ++computed_;
    finish();
    unfinished_ = true;
    if (loads_ - computed_ < 2)
      load();
  }

  const npu_dw_plan &p_;
  const DepthwiseTimes &t_;
  std::vector<Piece> pieces_;
  double now_ = 0, array_ = 0, channel_[2] = {0, 0};
  size_t loads_ = 0, computed_ = 0;
  uint32_t complete_ = 0;
  bool unfinished_ = false;
  std::vector<double> loaded_, done_, stored_;
};

// Cycles of fully connected layers, measured as those above.
constexpr double kFewRows = 1090;  // before the first run and behind the last byte
constexpr double kManyRows = 1520; // the same where the inputs come first
constexpr double kWide = 850;     // of int16: splits the inputs, makes the outputs
constexpr double kBlock = 82;      // of the core and of the array between two blocks
constexpr double kLeastRun = 26;   // of the core for a step, where runs are shorter
constexpr double kTail = 0.012;    // of the array for a byte of the last chunk
// Chunks of few rows: so much besides a part of their beats, if the next ones are under way and if
// they wait for the array.
constexpr double kChunk = 130, kChunkPart = 0.6, kWaiting = 300, kWaitingPart = 0.765;

} // namespace

uint64_t depthwiseCycles(const npu_dw_plan &plan, const DepthwiseTimes &times) {
  return static_cast<uint64_t>(Play(plan, times).run());
}

uint64_t connectedBytes(const npu_fc_plan &p) {
  const uint64_t tiles = uint64_t((p.batches + p.rows - 1) / p.rows);
  uint64_t bytes = 0;
  if (!p.weights_in_place)
    bytes += tiles * p.blocks * p.block_bytes;
  if (!p.in_place)
    bytes += uint64_t(p.batches) * uint64_t(p.inputs) * uint64_t(p.element);
  if (!p.out_in_place)
    bytes += uint64_t(p.batches) * uint64_t(p.outputs) * uint64_t(p.element);
  return bytes;
}

uint64_t connectedCycles(const npu_fc_plan &p) {
  const double tiles = (p.batches + p.rows - 1) / p.rows, blocks = tiles * p.blocks;
  const double chunkBytes = p.chunk_blocks != 0 ? double(p.chunk_blocks) * p.block_bytes
                                                : double(p.chunk_steps) * p.layout.step_bytes;
  const double chunks =
      p.chunk_blocks != 0 ? blocks / p.chunk_blocks
                          : blocks * ((p.steps + p.chunk_steps - 1) / std::max(p.chunk_steps, 1u));
  const double beats = p.weights_in_place ? 0 : blocks * p.block_bytes / 16;
  const double array =
      blocks * p.steps * p.element * std::max(double(p.rows), p.many_rows ? kLeastRun : 8.0);
  if (!p.many_rows) {
    const bool waits = p.with_scales || p.element == 2;
    const double chunk =
        waits ? kWaiting + kWaitingPart * chunkBytes / 16 : kChunk + kChunkPart * chunkBytes / 16;
    const double stream = p.weights_in_place ? 0 : chunks * chunk;
    return static_cast<uint64_t>(std::max({array, beats, stream}) + kFewRows + kTail * chunkBytes +
                                 (p.element == 2 ? kWide : 0));
  }
  // The first two blocks run while the inputs and their weights come, others when they are there.
  const double inputs = p.in_place ? 0 : double(std::min(p.rows, p.batches)) * p.inputs / 16;
  const double first = p.pair_chunks != 0 ? 2.0 * p.steps * p.rows : 0;
  const double late =
      std::max(0.0, inputs + (p.weights_in_place ? 0 : 2.0 * p.block_bytes / 16) - first);
  const double stream = p.weights_in_place ? 0 : chunks * (kChunk + kChunkPart * chunkBytes / 16);
  return static_cast<uint64_t>(std::max({array, beats, stream}) + kBlock * blocks + kManyRows +
                               late);
}

} // namespace npu::kgen
