// SPDX-License-Identifier: Apache-2.0
// Load over time in a bounded number of bins: where they would be too many, two become one.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/sim/time.hpp"
#include "railwright/planner/run/run.hpp"

namespace railwright::planner {

class LoadSeries {
 public:
  /// `read_cost` and `write_cost`: seconds of all processors of the storage for a byte.
  LoadSeries(double read_cost, double write_cost)
      : read_cost_(read_cost), write_cost_(write_cost) {}

  /// What was read and written from `start` to `end` at an even rate; `peak_write` is above the
  /// mean where writers pause together. Times never go back.
  void add(core::RunTime start, core::RunTime end, double read, double written, double peak_write);

  [[nodiscard]] const std::vector<LoadBin>& bins() const { return bins_; }
  /// Largest share of the processors that reads and writes took together.
  [[nodiscard]] double peak_cost() const { return peak_cost_; }
  [[nodiscard]] core::Duration bin_width() const { return core::RunTime{width_}.duration(); }

 private:
  void widen();

  static constexpr std::size_t kMostBins = 2048;
  double read_cost_;
  double write_cost_;
  double peak_cost_ = 0.0;
  std::vector<LoadBin> bins_;
  std::int64_t width_ = 1'000'000'000;  // ticks
};

/// Peaks, means and percentiles of the bins up to `end`.
void summarize(const LoadSeries& series, core::RunTime end, StorageRun& storage);

}  // namespace railwright::planner
