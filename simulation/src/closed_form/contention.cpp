// SPDX-License-Identifier: Apache-2.0
#include "contention.hpp"

#include <algorithm>
#include <span>

#include "traffic.hpp"

namespace railwright::simulation {

namespace {

constexpr std::array<std::array<Traffic, kNumSyncs>, kNumBackgrounds> kTrafficOf{
    {{Traffic::kDenseReduce, Traffic::kExpertReduce},
     {Traffic::kDenseGather, Traffic::kExpertGather}}};

/// Rates of concurrent kinds of traffic.
class Rates {
 public:
  Rates(const LinkRows& links, const std::vector<double>& ceilings)
      : links_(links), ceilings_(ceilings) {}

  /// Returns the rate of one kind in isolation.
  double alone(Traffic traffic) {
    kinds_ = {traffic_index(0, traffic)};
    return links_.fair_rates(kinds_, ceilings_).front();
  }
  void clear() { kinds_.clear(); }
  void add(Traffic traffic) { kinds_.push_back(traffic_index(0, traffic)); }
  [[nodiscard]] std::vector<double> fair() const { return links_.fair_rates(kinds_, ceilings_); }

 private:
  const LinkRows& links_;
  const std::vector<double>& ceilings_;
  std::vector<std::size_t> kinds_;
};

double share_of(double rate, double alone) { return rate < alone ? rate / alone : 1.0; }

}  // namespace

Contention::Contention(const LinkRows& links, const std::vector<double>& ceilings) {
  Rates rates(links, ceilings);
  std::array<double, kNumLayerCalls> calls{};
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    calls[call] = rates.alone(static_cast<Traffic>(call));
  }
  std::array<std::vector<double>, kNumBackgrounds> backgrounds;
  for (std::size_t b = 0; b < kNumBackgrounds; ++b) {
    rates.clear();
    for (const Traffic traffic : kTrafficOf[b]) rates.add(traffic);
    backgrounds[b] = rates.fair();
  }
  for (std::size_t call = 0; call <= kNumLayerCalls; ++call) {
    for (std::size_t set = 1; set < kNumSets; ++set) {
      rates.clear();
      if (call < kNumLayerCalls) rates.add(static_cast<Traffic>(call));
      for (std::size_t b = 0; b < kNumBackgrounds; ++b) {
        if ((set >> b & 1U) == 0) continue;
        for (const Traffic traffic : kTrafficOf[b]) rates.add(traffic);
      }
      const std::vector<double> fair = rates.fair();
      Shares& shares = shares_[call][set];
      std::size_t i = 0;
      if (call < kNumLayerCalls) shares.call = share_of(fair[i++], calls[call]);
      for (std::size_t b = 0; b < kNumBackgrounds; ++b) {
        if ((set >> b & 1U) == 0) continue;
        for (const double alone : backgrounds[b]) {
          shares.background[b] = std::min(shares.background[b], share_of(fair[i++], alone));
        }
      }
    }
  }
}

}  // namespace railwright::simulation
