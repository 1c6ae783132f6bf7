// SPDX-License-Identifier: Apache-2.0
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace railwright::test {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr double kTogether = 1.0 + 1e-12;

bool is_same_rate(double rate, double old) {
  return rate == old || (rate < kInfinity && std::abs(rate - old) <= 1e-14 * rate);
}

double ceiling_level(const Transfer& transfer) { return transfer.ceiling / transfer.weight; }

/// The level at which each link fills up; infinity for one that no open flow crosses.
std::vector<double> link_levels(const Traffic& traffic, const std::vector<double>& capacities,
                                const std::vector<std::size_t>& under_way,
                                const std::vector<double>& rates) {
  std::vector<long double> taken(capacities.size(), 0.0L);
  std::vector<long double> asked(capacities.size(), 0.0L);
  std::vector<double> floor(capacities.size(), 0.0);
  for (const std::size_t t : under_way) {
    const Transfer& transfer = traffic.transfers[t];
    for (const core::LinkUse& hop : transfer.route) {
      const auto l = static_cast<std::size_t>(hop.link);
      const double use = hop.coefficient * transfer.multiplicity;
      if (rates[t] < 0.0) {
        asked[l] += use * transfer.weight;
      } else {
        taken[l] += use * rates[t];
        if (use > 0.0) floor[l] = std::max(floor[l], rates[t] / transfer.weight);
      }
    }
  }
  std::vector<double> levels(capacities.size(), kInfinity);
  for (std::size_t l = 0; l < capacities.size(); ++l) {
    if (asked[l] == 0.0L || capacities[l] == kInfinity) continue;
    const auto left = static_cast<double>(capacities[l] - taken[l]);
    levels[l] = std::max(floor[l], left / static_cast<double>(asked[l]));
  }
  return levels;
}

}  // namespace

std::vector<double> textbook_rates(const Traffic& traffic, const std::vector<double>& capacities,
                                   const std::vector<std::size_t>& under_way) {
  std::vector<double> rates(traffic.transfers.size(), 0.0);
  for (const std::size_t t : under_way) rates[t] = -1.0;
  std::vector<std::size_t> open = under_way;
  while (!open.empty()) {
    const std::vector<double> levels = link_levels(traffic, capacities, under_way, rates);
    double lowest = kInfinity;
    for (const double level : levels) lowest = std::min(lowest, level);
    for (const std::size_t t : open) lowest = std::min(lowest, ceiling_level(traffic.transfers[t]));
    for (const std::size_t t : open) {
      const Transfer& transfer = traffic.transfers[t];
      const bool is_filled = std::ranges::any_of(transfer.route, [&](const core::LinkUse& hop) {
        return hop.coefficient > 0.0 &&
               levels[static_cast<std::size_t>(hop.link)] <= lowest * kTogether;
      });
      if (ceiling_level(transfer) <= lowest * kTogether) {
        rates[t] = transfer.ceiling;
      } else if (is_filled) {
        rates[t] = lowest * transfer.weight;
      }
    }
    std::erase_if(open, [&](std::size_t t) { return rates[t] >= 0.0; });
  }
  return rates;
}

namespace {

struct Progress {
  long double left = 0.0L;  // at `since`
  double rate = 0.0;        // from `since` on
  std::int64_t since = 0;
  std::int64_t start = kNever;
  std::int64_t end = kNever;
  bool has_begun = false;
};

class Simulation {
 public:
  Simulation(const Traffic& traffic, double ticks_per_second)
      : traffic_(traffic),
        ticks_per_second_(ticks_per_second),
        capacities_(traffic.capacities),
        flows_(traffic.transfers.size()),
        waiting_(traffic) {
    for (std::size_t t = 0; t < flows_.size(); ++t) {
      if (traffic.transfers[t].after.empty()) flows_[t].start = traffic.transfers[t].start;
    }
  }

  std::vector<std::int64_t> run() {
    while (now_ < kNever) {
      while (change_capacities() || end_flows() || start_flows()) is_stale_ = true;
      if (is_stale_) {
        solve();  // may end flows at once, which belong to this tick still
      } else {
        now_ = next_tick();
      }
    }
    return ends_;
  }

 private:
  bool change_capacities() {
    bool any = false;
    for (const CapacityChange& change : traffic_.changes) {
      double& capacity = capacities_[static_cast<std::size_t>(change.link)];
      if (change.when != now_ || capacity == change.capacity) continue;
      capacity = change.capacity;
      any = true;
    }
    return any;
  }

  bool end_flows() {
    return std::erase_if(under_way_, [&](std::size_t t) {
             if (flows_[t].end != now_) return false;
             end(t);
             return true;
           }) > 0;
  }

  bool start_flows() {
    bool any = false;
    for (std::size_t t = 0; t < flows_.size(); ++t) {
      Progress& flow = flows_[t];
      if (flow.start != now_ || flow.has_begun) continue;
      flow.has_begun = true;
      any = true;
      if (traffic_.transfers[t].size == 0) {
        end(t);
        continue;
      }
      flow.left = static_cast<long double>(traffic_.transfers[t].size);
      flow.since = now_;
      under_way_.push_back(t);
    }
    return any;
  }

  void end(std::size_t t) {
    flows_[t].end = now_;
    ends_[t] = now_;
    waiting_.end(
        t, [&](std::size_t next) { flows_[next].start = now_ + traffic_.transfers[next].start; });
  }

  void solve() {
    is_stale_ = false;
    const std::vector<double> rates = textbook_rates(traffic_, capacities_, under_way_);
    for (const std::size_t t : under_way_) {
      Progress& flow = flows_[t];
      if (is_same_rate(rates[t], flow.rate)) continue;
      if (flow.rate > 0.0) {
        const auto ticks = static_cast<long double>(now_ - flow.since);
        flow.left = std::max(0.0L, flow.left - flow.rate * (ticks / ticks_per_second_));
      }
      flow.since = now_;
      flow.rate = rates[t];
      flow.end = end_tick(flow, traffic_.transfers[t].size);
    }
  }

  [[nodiscard]] std::int64_t end_tick(const Progress& flow, std::int64_t size) const {
    constexpr long double kNoise = 8.0L * std::numeric_limits<double>::epsilon();
    const long double left = flow.left - kNoise * static_cast<long double>(size);
    if (left <= 0.0L) return now_;
    const long double ticks = std::ceil(left / flow.rate * ticks_per_second_);
    if (!(ticks < static_cast<long double>(kNever - now_) * 0.999L)) return kNever;
    return now_ + static_cast<std::int64_t>(ticks);
  }

  [[nodiscard]] std::int64_t next_tick() const {
    std::int64_t next = kNever;
    for (const Progress& flow : flows_) {
      if (!flow.has_begun) next = std::min(next, flow.start);
    }
    for (const std::size_t t : under_way_) next = std::min(next, flows_[t].end);
    for (const CapacityChange& change : traffic_.changes) {
      if (change.when > now_) next = std::min(next, change.when);
    }
    return next;
  }

  const Traffic& traffic_;
  double ticks_per_second_;
  std::vector<double> capacities_;
  std::vector<Progress> flows_;
  Waiting waiting_;
  std::vector<std::size_t> under_way_;
  std::vector<std::int64_t> ends_ = std::vector<std::int64_t>(flows_.size(), -1);
  std::int64_t now_ = 0;
  bool is_stale_ = false;
};

}  // namespace

std::vector<std::int64_t> textbook_ends(const Traffic& traffic, std::int64_t ticks_per_second) {
  return Simulation(traffic, static_cast<double>(ticks_per_second)).run();
}

}  // namespace railwright::test
