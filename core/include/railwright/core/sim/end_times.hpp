// SPDX-License-Identifier: Apache-2.0
// End times of flows, as a tree of minima instead of a queue.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace railwright::core {

/// Keeps one time per flow and returns the earliest. Setting a time only marks its block of flows,
/// which is cheap whether few flows change or nearly all.
class EndTimes {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  void set(std::int32_t flow, std::int64_t time) {
    const auto i = static_cast<std::size_t>(flow);
    if (i >= num_used_) use(i);
    levels_[0].minima[i] = time;
    is_stale_ = true;
    if (top_ > 0) note(1, i / kBlock);
  }

  /// Sets the time of one of many flows; the caller then calls note_all().
  void set_quietly(std::int32_t flow, std::int64_t time) {
    const auto i = static_cast<std::size_t>(flow);
    if (i >= num_used_) use(i);
    levels_[0].minima[i] = time;
  }
  void note_all() { is_all_noted_ = true; }

  [[nodiscard]] std::int64_t earliest() {
    if (!is_all_noted_ && !is_stale_) return earliest_;
    if (is_all_noted_) find_all();
    is_stale_ = false;
    for (std::size_t level = 1; level <= top_; ++level) bring_up_to_date(level);
    const auto first = levels_[top_].minima.begin();
    earliest_ = *std::min_element(first, first + static_cast<std::ptrdiff_t>(num_at_top_));
    return earliest_;
  }

  /// Removes all flows that end at `time`, the earliest, and passes them to `receive`, by id.
  template <class Receiver>
  void take(std::int64_t time, Receiver receive) {
    for (std::size_t i = 0; i < num_at_top_; ++i) take_below(top_, i, time, receive);
  }

 private:
  static constexpr std::size_t kBlock = 16;
  static constexpr std::size_t kNumLevels = 5;
  static constexpr std::size_t kAhead = 256;  // so that growing is rare

  struct Level {
    std::vector<std::int64_t> minima;  // of blocks of the level below; level 0: times of flows
    std::vector<std::uint8_t> is_noted;
    std::vector<std::uint32_t> noted;  // blocks with changes
  };

  static std::size_t num_blocks(std::size_t size) { return (size + kBlock - 1) / kBlock; }

  /// Counts the flow in and sets the top: the lowest level that fits one block, so that few flows
  /// have few levels.
  void use(std::size_t flow) {
    if (flow >= levels_[0].minima.size()) grow(flow);
    num_used_ = flow + 1;
    num_at_top_ = num_used_;
    const std::size_t top = top_;
    for (top_ = 0; num_at_top_ > kBlock && top_ + 1 < kNumLevels; ++top_) {
      num_at_top_ = num_blocks(num_at_top_);
    }
    if (top_ != top) is_all_noted_ = true;
  }

  void grow(std::size_t flow) {
    std::size_t size = flow + kAhead;
    for (Level& level : levels_) {
      // Whole blocks, so that every minimum is over kBlock times.
      size = num_blocks(size) * kBlock;
      level.minima.resize(std::max(size, level.minima.size()), kNever);
      level.is_noted.resize(level.minima.size());
      size /= kBlock;
    }
  }
  void note(std::size_t level, std::size_t block) {
    std::uint8_t& is_noted = levels_[level].is_noted[block];
    if (is_noted != 0) return;
    is_noted = 1;
    levels_[level].noted.push_back(static_cast<std::uint32_t>(block));
  }
  static std::int64_t min_of(const std::int64_t* times) {
    std::int64_t least = times[0];
    for (std::size_t i = 1; i < kBlock; ++i) least = times[i] < least ? times[i] : least;
    return least;
  }
  void find_all() {
    is_all_noted_ = false;
    std::size_t num = num_used_;
    for (std::size_t level = 1; level <= top_; ++level) {
      const std::int64_t* times = levels_[level - 1].minima.data();
      num = num_blocks(num);
      for (std::size_t block = 0; block < num; ++block) {
        levels_[level].minima[block] = min_of(times + block * kBlock);
      }
    }
  }
  void bring_up_to_date(std::size_t level) {
    Level& l = levels_[level];
    for (const std::uint32_t block : l.noted) {
      l.is_noted[block] = 0;
      const std::int64_t least = min_of(levels_[level - 1].minima.data() + block * kBlock);
      if (least == l.minima[block]) continue;
      l.minima[block] = least;
      if (level < top_) note(level + 1, block / kBlock);
    }
    l.noted.clear();
  }
  template <class Receiver>
  void take_below(std::size_t level, std::size_t i, std::int64_t time, Receiver& receive) {
    if (levels_[level].minima[i] != time) return;
    if (level == 0) {
      receive(static_cast<std::int32_t>(i));
      set(static_cast<std::int32_t>(i), kNever);
      return;
    }
    for (std::size_t c = i * kBlock; c < (i + 1) * kBlock; ++c) {
      take_below(level - 1, c, time, receive);
    }
  }

  std::array<Level, kNumLevels> levels_;
  std::size_t num_used_ = 0;    // one more than the highest flow
  std::size_t top_ = 0;         // level
  std::size_t num_at_top_ = 0;  // number of minima there
  std::int64_t earliest_ = kNever;
  bool is_stale_ = false;
  bool is_all_noted_ = false;
};

}  // namespace railwright::core
