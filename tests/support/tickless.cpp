// SPDX-License-Identifier: Apache-2.0
// Slack. Each end that is rounded up to a tick comes at most one tick late, and everything it
// changes is as late as it is. A flow whose rate an event changed from r to s has by then moved
// |s - r| * slack(event) more or less than without ticks; at its last rate that takes
// |s - r| / rate times as long. So along the chain of events that a flow's end depends on
//   slack(end) = 1 tick + sum over its events of |change of rate| / last rate * slack(event),
// which is a tick per event where a rate changes by no more than its own last value.
#include "tickless.hpp"

#include <algorithm>
#include <cmath>

#include "water_filling.hpp"

namespace railwright::test {

namespace {

constexpr long double kNotYet = std::numeric_limits<long double>::infinity();
constexpr long double kTiny = 1e-17L;  // of a size: nothing left of it

struct ExactProgress {
  long double left = 0.0L;
  long double rate = 0.0L;
  long double start = kNotYet;
  long double start_slack = 0.0L;
  long double displaced = 0.0L;  // units moved too early or too late, times ticks
  bool has_begun = false;
};

class ExactSimulation {
 public:
  ExactSimulation(const Traffic& traffic, long double ticks_per_second)
      : traffic_(traffic),
        ticks_per_second_(ticks_per_second),
        capacities_(traffic.capacities),
        flows_(traffic.transfers.size()),
        waiting_(traffic),
        ends_(traffic.transfers.size()) {
    for (std::size_t t = 0; t < flows_.size(); ++t) {
      const Transfer& transfer = traffic.transfers[t];
      if (transfer.after.empty()) flows_[t].start = static_cast<long double>(transfer.start);
    }
  }

  std::vector<TicklessEnd> run() {
    for (;;) {
      while (change_capacities() || end_flows() || start_flows()) is_stale_ = true;
      if (is_stale_) {
        solve();
        continue;
      }
      const long double next = next_instant();
      if (next == kNotYet) return ends_;
      for (const std::size_t t : under_way_) {
        ExactProgress& flow = flows_[t];
        if (flow.rate < kNotYet) {
          flow.left -= flow.rate * ((next - now_) / ticks_per_second_);
        }
      }
      now_ = next;
      slack_ = 0.0L;
    }
  }

 private:
  bool change_capacities() {
    bool any = false;
    for (const CapacityChange& change : traffic_.changes) {
      double& capacity = capacities_[static_cast<std::size_t>(change.link)];
      if (static_cast<long double>(change.when) != now_ || capacity == change.capacity) continue;
      capacity = change.capacity;
      any = true;
    }
    return any;
  }

  [[nodiscard]] long double end_of(std::size_t t) const {
    const ExactProgress& flow = flows_[t];
    const auto size = static_cast<long double>(traffic_.transfers[t].size);
    if (flow.left <= size * kTiny || flow.rate == kNotYet) return now_;
    return now_ + flow.left / flow.rate * ticks_per_second_;
  }

  bool end_flows() {
    return std::erase_if(under_way_, [&](std::size_t t) {
             // Closer than a long double can tell.
             if (end_of(t) > now_ * (1.0L + 1e-18L)) return false;
             const ExactProgress& flow = flows_[t];
             end(t, flow.rate == kNotYet ? flow.start_slack : 1.0L + flow.displaced / flow.rate);
             return true;
           }) > 0;
  }

  bool start_flows() {
    bool any = false;
    for (std::size_t t = 0; t < flows_.size(); ++t) {
      ExactProgress& flow = flows_[t];
      if (flow.start > now_ || flow.has_begun) continue;
      flow.has_begun = true;
      any = true;
      slack_ = std::max(slack_, flow.start_slack);
      if (traffic_.transfers[t].size == 0) {
        end(t, flow.start_slack);
        continue;
      }
      flow.left = static_cast<long double>(traffic_.transfers[t].size);
      under_way_.push_back(t);
    }
    return any;
  }

  void end(std::size_t t, long double slack) {
    ends_[t] = {now_, slack};
    slack_ = std::max(slack_, slack);
    waiting_.end(t, [&](std::size_t next) {
      ExactProgress& flow = flows_[next];
      flow.start = now_ + static_cast<long double>(traffic_.transfers[next].start);
      for (const std::size_t before : traffic_.transfers[next].after) {
        flow.start_slack = std::max(flow.start_slack, ends_[before].slack);
      }
    });
  }

  void solve() {
    is_stale_ = false;
    std::vector<core::testing::ReferenceFlow> flows;
    for (const std::size_t t : under_way_) {
      const Transfer& transfer = traffic_.transfers[t];
      flows.push_back({transfer.route, transfer.ceiling, transfer.multiplicity, transfer.weight});
    }
    const std::vector<long double> rates = core::testing::water_filling(capacities_, flows);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      ExactProgress& flow = flows_[under_way_[i]];
      if (std::abs(rates[i] - flow.rate) > 1e-15L * rates[i] && rates[i] < kNotYet) {
        flow.displaced += std::abs(rates[i] - flow.rate) * slack_;
      }
      flow.rate = rates[i];
    }
  }

  [[nodiscard]] long double next_instant() const {
    long double next = kNotYet;
    for (const ExactProgress& flow : flows_) {
      if (!flow.has_begun) next = std::min(next, flow.start);
    }
    for (const std::size_t t : under_way_) {
      if (flows_[t].rate > 0.0L) next = std::min(next, end_of(t));
    }
    for (const CapacityChange& change : traffic_.changes) {
      const auto when = static_cast<long double>(change.when);
      if (when > now_) next = std::min(next, when);
    }
    return next;
  }

  const Traffic& traffic_;
  long double ticks_per_second_;
  std::vector<double> capacities_;
  std::vector<ExactProgress> flows_;
  Waiting waiting_;
  std::vector<std::size_t> under_way_;
  std::vector<TicklessEnd> ends_;
  long double now_ = 0.0L;
  long double slack_ = 0.0L;  // of what happens now
  bool is_stale_ = false;
};

}  // namespace

std::vector<TicklessEnd> tickless_ends(const Traffic& traffic, std::int64_t ticks_per_second) {
  return ExactSimulation(traffic, static_cast<long double>(ticks_per_second)).run();
}

}  // namespace railwright::test
