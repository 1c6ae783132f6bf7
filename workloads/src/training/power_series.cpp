// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/power_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "railwright/simulation/step/step_trace.hpp"

namespace railwright::simulation {

namespace {

using models::Activity;

constexpr double kMinWidth = 0.01;
constexpr double kMaxWindows = 512.0;

/// Amounts by window, of what goes on at a constant rate between two times.
class Windows {
 public:
  Windows(std::size_t num_windows, double width) : amount_(num_windows), width_(width) {}

  void add(double start, double end, double rate) {
    for (auto i = static_cast<std::size_t>(start / width_); i < amount_.size(); ++i) {
      const double begin = width_ * static_cast<double>(i);
      if (begin >= end) break;
      amount_[i] += rate * (std::min(end, begin + width_) - std::max(start, begin));
    }
  }

  [[nodiscard]] const std::vector<double>& amounts() const { return amount_; }

 private:
  std::vector<double> amount_;
  double width_;
};

bool is_kernel(const Span& span) {
  return span.kind == OpKind::kCompute || span.kind == OpKind::kOptimizer;
}

}  // namespace

core::Power PowerSeries::swing() const {
  if (mean.empty()) return {};
  const auto [least, most] = std::ranges::minmax_element(mean);
  return *most - *least;
}

double PowerSeries::ramp_w_per_s() const {
  double largest = 0.0;
  for (std::size_t i = 1; i < mean.size(); ++i) {
    largest = std::max(largest, std::abs((mean[i] - mean[i - 1]).base()));
  }
  return width > core::Duration{} ? largest / width.base() : 0.0;
}

PowerSeries& PowerSeries::operator*=(double factor) {
  for (core::Power& one : mean) one *= factor;
  return *this;
}

PowerSeries power_over(std::span<const PowerSpan> spans, core::Duration end, core::Power idle) {
  PowerSeries series{.width = end / kMaxWindows, .mean = {}};
  Windows added(static_cast<std::size_t>(kMaxWindows), series.width.base());
  for (const PowerSpan& span : spans) {
    added.add(span.start.base(), span.end.base(), span.above.base());
  }
  for (const double energy : added.amounts()) {
    series.mean.push_back(idle + core::Energy::from_base(energy) / series.width);
  }
  return series;
}

PowerSeries power_over_step(const StepTrace& trace, core::Duration step_time,
                            const models::NodePower& node, int accelerators_per_node,
                            core::Power idle) {
  const double end = step_time.base();
  const double windows = std::clamp(std::floor(end / kMinWidth), 1.0, kMaxWindows);
  PowerSeries series{.width = step_time / windows, .mean = {}};
  const auto num_windows = static_cast<std::size_t>(windows);
  Windows added(num_windows, series.width.base());

  const double talks = (node.of(Activity::kCommunication) - node.of(Activity::kIdle)).base();
  const double computes = (node.of(Activity::kCompute) - node.of(Activity::kCommunication)).base();
  double operations_end = 0.0;
  for (const Span& span : trace.spans) {
    operations_end = std::max(operations_end, span.end.duration().base());
  }
  double num_ranks = 0.0;
  for (const RankClass& one : trace.rank_classes) num_ranks += static_cast<double>(one.num_ranks);
  added.add(0.0, operations_end, talks * num_ranks / accelerators_per_node);
  for (const Span& span : trace.spans) {
    if (!is_kernel(span)) continue;
    const auto ranks = static_cast<double>(
        trace.rank_classes[static_cast<std::size_t>(span.rank_class)].num_ranks);
    const double start = span.start.duration().base();
    added.add(start, start + span.delay.duration().base(),
              computes * ranks / accelerators_per_node);
  }

  for (const double energy : added.amounts()) {
    series.mean.push_back(idle + core::Energy::from_base(energy) / series.width);
  }
  return series;
}

}  // namespace railwright::simulation
