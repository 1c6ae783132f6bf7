// SPDX-License-Identifier: Apache-2.0
#include "interval_load.hpp"

#include <algorithm>

namespace railwright::simulation::replication {

namespace {

/// Adds a rate to each node's by its share.
void add_shares(std::span<const core::LinkUse> shares, double rate, std::vector<double>& of_node) {
  for (const core::LinkUse& use : shares) {
    const auto node = static_cast<std::size_t>(use.link);
    if (node >= of_node.size()) of_node.resize(node + 1);
    of_node[node] += use.coefficient * rate;
  }
}

double largest(const std::vector<double>& rates) {
  return rates.empty() ? 0.0 : std::ranges::max(rates);
}

}  // namespace

IntervalLoad::IntervalLoad(core::RunTime start, core::RunTime end, double used)
    : sum_{.start = start, .end = end, .used = used}, seconds_((end - start).duration().base()) {}

void IntervalLoad::add(ActiveFlow& flow, double left, double peak_factor) {
  const double moved = static_cast<double>(flow.size) - left;
  const double units = moved - flow.sampled;
  const double bytes = units * flow.bytes_per_unit;
  flow.sampled = moved;
  sum_.operations += bytes / flow.request;
  (flow.is_write ? sum_.written_bytes : sum_.read_bytes) += bytes;
  moved_.push_back({flow.node_shares, bytes / seconds_, flow.is_write});
  bursts_.push_back({.uses = flow.burst_uses,
                     .rate = units / seconds_,
                     .more = flow.is_write ? peak_factor - 1.0 : 0.0});
}

LoadSample IntervalLoad::sample() const {
  LoadSample sample = sum_;
  const std::vector<double> shares = burst_shares(bursts_);
  std::vector<double> read;
  std::vector<double> written;
  for (std::size_t i = 0; i < moved_.size(); ++i) {
    const Moved& one = moved_[i];
    const double peak = one.rate * (1.0 + bursts_[i].more * shares[i]);
    if (one.is_write) sample.peak_write += peak;
    add_shares(one.node_shares, peak, one.is_write ? written : read);
  }
  sample.peak_node_read = largest(read);
  sample.peak_node_write = largest(written);
  return sample;
}

}  // namespace railwright::simulation::replication
