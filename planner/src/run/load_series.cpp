// SPDX-License-Identifier: Apache-2.0
#include "load_series.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::planner {

namespace {

using core::Bandwidth;

/// Of the bins' rates, the one that 95 % of them do not exceed.
Bandwidth percentile_95(std::vector<double> rates) {
  if (rates.empty()) return {};
  const std::size_t rank = (rates.size() * 95 + 99) / 100 - 1;
  std::ranges::nth_element(rates, rates.begin() + static_cast<std::ptrdiff_t>(rank));
  return Bandwidth::from_base(rates[rank]);
}

}  // namespace

void LoadSeries::add(core::RunTime start, core::RunTime end, double read, double written,
                     double peak_write) {
  if (end <= start) return;
  const auto length = static_cast<double>((end - start).count);
  const double seconds = (end - start).duration().base();
  peak_cost_ = std::max(peak_cost_, read / seconds * read_cost_ + peak_write * write_cost_);
  while (static_cast<std::size_t>((end.count - 1) / width_) >= kMostBins) widen();
  const auto last = static_cast<std::size_t>((end.count - 1) / width_);
  if (last >= bins_.size()) bins_.resize(last + 1);
  for (auto i = static_cast<std::size_t>(start.count / width_); i <= last; ++i) {
    const auto from = std::max(start.count, static_cast<std::int64_t>(i) * width_);
    const auto to = std::min(end.count, static_cast<std::int64_t>(i + 1) * width_);
    const double share = static_cast<double>(to - from) / length;
    LoadBin& bin = bins_[i];
    bin.read_bytes += read * share;
    bin.written_bytes += written * share;
    bin.peak_read = std::max(bin.peak_read, read / seconds);
    bin.peak_write = std::max(bin.peak_write, peak_write);
  }
}

void LoadSeries::widen() {
  const std::size_t half = (bins_.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    LoadBin sum = bins_[2 * i];
    if (2 * i + 1 < bins_.size()) {
      const LoadBin& next = bins_[2 * i + 1];
      sum = {.read_bytes = sum.read_bytes + next.read_bytes,
             .written_bytes = sum.written_bytes + next.written_bytes,
             .peak_read = std::max(sum.peak_read, next.peak_read),
             .peak_write = std::max(sum.peak_write, next.peak_write)};
    }
    bins_[i] = sum;
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
  double read = 0.0;
  double written = 0.0;
  for (const LoadBin& bin : storage.bins) {
    reads.push_back(bin.read_bytes / storage.bin_width.base());
    writes.push_back(bin.written_bytes / storage.bin_width.base());
    read += bin.read_bytes;
    written += bin.written_bytes;
    storage.peak_read = std::max(storage.peak_read, Bandwidth::from_base(bin.peak_read));
    storage.peak_write = std::max(storage.peak_write, Bandwidth::from_base(bin.peak_write));
  }
  storage.percentile_95_read = percentile_95(std::move(reads));
  storage.percentile_95_write = percentile_95(std::move(writes));
  if (end.count == 0) return;
  storage.mean_read = Bandwidth::from_base(read / end.duration().base());
  storage.mean_write = Bandwidth::from_base(written / end.duration().base());
}

}  // namespace railwright::planner
