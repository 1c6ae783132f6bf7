// SPDX-License-Identifier: Apache-2.0
// Load over time in a bounded number of bins: beyond it, each two bins become one.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/core/sim/time.hpp"
#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation {

/// Bytes that storage moved from `start` to `end`, at an even rate.
struct LoadSample {
  core::RunTime start;
  core::RunTime end;
  double read_bytes = 0.0;
  double written_bytes = 0.0;
  double operations = 0.0;
  double peak_write = 0.0;  ///< bytes/s; above the mean where writers pause together
  double peak_node_read = 0.0;
  double peak_node_write = 0.0;
  double used = 0.0;  ///< bytes of files
};

class LoadSeries {
 public:
  LoadSeries(const core::StorageNode& node, int num_nodes) : node_(node), num_nodes_(num_nodes) {}

  /// Adds a sample; times must not decrease.
  void add(const LoadSample& sample);

  [[nodiscard]] const std::vector<LoadBin>& bins() const { return bins_; }
  [[nodiscard]] core::Duration bin_width() const { return core::RunTime{width_}.duration(); }

 private:
  [[nodiscard]] LoadBin bin_of(const LoadSample& sample) const;
  void widen();

  static constexpr std::size_t kMaxBins = 2048;
  const core::StorageNode& node_;
  int num_nodes_;
  std::vector<LoadBin> bins_;
  std::int64_t width_ = 1'000'000'000;  // ticks
};

/// Sets peaks, means and percentiles of the bins up to `end`.
void summarize(const LoadSeries& series, core::RunTime end, StorageRun& storage);

}  // namespace railwright::simulation
