// SPDX-License-Identifier: Apache-2.0
#include "load_series.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/storage/protection.hpp"

namespace railwright::simulation {

namespace {

using core::Bandwidth;

/// Returns the rate that 95 % of the bins do not exceed.
Bandwidth percentile_95(std::vector<double> rates) {
  if (rates.empty()) return {};
  const std::size_t rank = (rates.size() * 95 + 99) / 100 - 1;
  std::ranges::nth_element(rates, rates.begin() + static_cast<std::ptrdiff_t>(rank));
  return Bandwidth::from_base(rates[rank]);
}

/// Returns `bin` plus `share` of the sums of `other`, and the higher peaks.
LoadBin sum(const LoadBin& bin, const LoadBin& other, double share) {
  return {.read_bytes = bin.read_bytes + other.read_bytes * share,
          .written_bytes = bin.written_bytes + other.written_bytes * share,
          .operations = bin.operations + other.operations * share,
          .peak_read = std::max(bin.peak_read, other.peak_read),
          .peak_write = std::max(bin.peak_write, other.peak_write),
          .peak_node_read = std::max(bin.peak_node_read, other.peak_node_read),
          .peak_node_write = std::max(bin.peak_node_write, other.peak_node_write),
          .peak_operations = std::max(bin.peak_operations, other.peak_operations),
          .peak_processor_load = std::max(bin.peak_processor_load, other.peak_processor_load),
          .used = std::max(bin.used, other.used)};
}

}  // namespace

LoadBin LoadSeries::bin_of(const LoadSample& sample) const {
  const double seconds = (sample.end - sample.start).duration().base();
  const double read = sample.read_bytes / seconds;
  const auto of_node = [&](double rate) { return Bandwidth::from_base(rate / num_nodes_); };
  return {.read_bytes = sample.read_bytes,
          .written_bytes = sample.written_bytes,
          .operations = sample.operations,
          .peak_read = read,
          .peak_write = sample.peak_write,
          .peak_node_read = sample.peak_node_read,
          .peak_node_write = sample.peak_node_write,
          .peak_operations = sample.operations / seconds,
          .peak_processor_load =
              models::processor_load(node_, of_node(read), of_node(sample.peak_write)),
          .used = sample.used};
}

void LoadSeries::add(const LoadSample& sample) {
  if (sample.end <= sample.start) return;
  const LoadBin whole = bin_of(sample);
  const auto length = static_cast<double>((sample.end - sample.start).count);
  while (static_cast<std::size_t>((sample.end.count - 1) / width_) >= kMaxBins) widen();
  const auto last = static_cast<std::size_t>((sample.end.count - 1) / width_);
  if (last >= bins_.size()) bins_.resize(last + 1);
  for (auto i = static_cast<std::size_t>(sample.start.count / width_); i <= last; ++i) {
    const auto from = std::max(sample.start.count, static_cast<std::int64_t>(i) * width_);
    const auto to = std::min(sample.end.count, static_cast<std::int64_t>(i + 1) * width_);
    bins_[i] = sum(bins_[i], whole, static_cast<double>(to - from) / length);
  }
}

void LoadSeries::widen() {
  const std::size_t half = (bins_.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const bool has_next = 2 * i + 1 < bins_.size();
    bins_[i] = sum(bins_[2 * i], has_next ? bins_[2 * i + 1] : LoadBin{}, 1.0);
  }
  bins_.resize(half);
  width_ *= 2;
}

void summarize(const LoadSeries& series, core::RunTime end, StorageRun& storage) {
  storage.bins = series.bins();
  storage.bin_width = series.bin_width();
  const auto num_bins = static_cast<std::size_t>(
      std::max<double>(1.0, std::ceil(end.duration() / storage.bin_width)));
  storage.bins.resize(num_bins);
  std::vector<double> reads;
  std::vector<double> writes;
  LoadBin whole;
  for (const LoadBin& bin : storage.bins) {
    reads.push_back(bin.read_bytes / storage.bin_width.base());
    writes.push_back(bin.written_bytes / storage.bin_width.base());
    whole = sum(whole, bin, 1.0);
  }
  storage.peak_read = Bandwidth::from_base(whole.peak_read);
  storage.peak_write = Bandwidth::from_base(whole.peak_write);
  storage.peak_node_read = Bandwidth::from_base(whole.peak_node_read);
  storage.peak_node_write = Bandwidth::from_base(whole.peak_node_write);
  storage.peak_operations_per_s = whole.peak_operations;
  storage.peak_processor_load = whole.peak_processor_load;
  storage.percentile_95_read = percentile_95(std::move(reads));
  storage.percentile_95_write = percentile_95(std::move(writes));
  if (end.count == 0) return;
  storage.mean_read = Bandwidth::from_base(whole.read_bytes / end.duration().base());
  storage.mean_write = Bandwidth::from_base(whole.written_bytes / end.duration().base());
}

}  // namespace railwright::simulation
