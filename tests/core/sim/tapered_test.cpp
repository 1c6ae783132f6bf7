// SPDX-License-Identifier: Apache-2.0
// Random traffic over tapered leaves and spines: many links saturate at levels that rounding alone
// tells apart.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

#include "../../support/water_filling.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/sim/random.hpp"

namespace railwright::core {
namespace {

using testing::ReferenceFlow;
using testing::water_filling;

constexpr double kNic = 50e9;

enum class Policy { kSpread, kStatic, kHashed };

/// Leaves and spines: each host has a link in and out, each leaf one up to and down from each
/// spine.
class TaperedCase {
 public:
  explicit TaperedCase(std::uint64_t seed) : random_(seed) {
    constexpr std::array kTapers{1.0, 1.5, 2.0, 3.0, 7.0};
    policy_ = static_cast<Policy>(random_.below(3));
    num_leaves_ = 2 + random_.below(5);
    num_hosts_ = 2 + random_.below(12);
    num_spines_ = 1 + random_.below(6);
    const double taper = kTapers[random_.below(kTapers.size())];
    const double up =
        kNic * static_cast<double>(num_hosts_) / static_cast<double>(num_spines_) / taper;
    for (std::size_t i = 0; i < 2 * num_leaves_ * num_hosts_; ++i) add_link(kNic);
    for (std::size_t i = 0; i < 2 * num_leaves_ * num_spines_; ++i) add_link(up);
  }

  /// A few rings over some of the hosts start together, or some flows end.
  void change() {
    if (random_.below(3) == 0 && !flows_.empty()) {
      for (std::size_t n = 1 + random_.below(flows_.size()); n > 0 && !flows_.empty(); --n) {
        remove(random_.below(flows_.size()));
      }
      return;
    }
    const std::size_t stride = 1 + random_.below(num_leaves_ * num_hosts_ - 1);
    const std::size_t every = 1 + random_.below(4);
    for (std::size_t from = random_.below(every); from < num_leaves_ * num_hosts_; from += every) {
      add(from, (from + stride) % (num_leaves_ * num_hosts_));
    }
  }

  void check() {
    network_.solve();
    const std::vector<long double> expected = water_filling(capacities_, flows_);
    for (std::size_t f = 0; f < flows_.size(); ++f) {
      EXPECT_NEAR(network_.rate(ids_[f]), static_cast<double>(expected[f]),
                  1e-9 * static_cast<double>(expected[f]));
    }
  }

 private:
  void add_link(double capacity) {
    capacities_.push_back(capacity);
    network_.add_link(capacity);
  }

  void use(ReferenceFlow& flow, std::size_t link, double coefficient) {
    flow.route.push_back({static_cast<LinkId>(link), coefficient});
  }

  void add(std::size_t from, std::size_t to) {
    constexpr std::array kCoefficients{1.0, 2.0, 7.0 / 8.0, 63.0 / 32.0, 1.0 / 3.0};
    const double bytes = kCoefficients[random_.below(3) == 0 ? random_.below(5) : 0];
    const std::size_t hosts = num_leaves_ * num_hosts_;
    ReferenceFlow flow;
    use(flow, from, bytes);
    use(flow, hosts + to, bytes);
    const std::size_t up = 2 * hosts + from / num_hosts_ * num_spines_;
    const std::size_t down = 2 * hosts + (num_leaves_ + to / num_hosts_) * num_spines_;
    const std::size_t first = policy_ == Policy::kStatic ? to : random_.below(num_spines_);
    const std::size_t ways = policy_ == Policy::kSpread   ? num_spines_
                             : policy_ == Policy::kStatic ? 1
                                                          : 1 + random_.below(num_spines_);
    if (from / num_hosts_ != to / num_hosts_) {
      for (std::size_t way = 0; way < ways; ++way) {
        const std::size_t spine = (first + way) % num_spines_;
        use(flow, up + spine, bytes / static_cast<double>(ways));
        use(flow, down + spine, bytes / static_cast<double>(ways));
      }
    }
    if (random_.below(8) == 0) flow.multiplicity = 1 + static_cast<int>(random_.below(8));
    ids_.push_back(
        network_.add({.route = flow.route, .size = 1, .multiplicity = flow.multiplicity}));
    flows_.push_back(flow);
  }

  void remove(std::size_t i) {
    network_.remove(ids_[i]);
    ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(i));
    flows_.erase(flows_.begin() + static_cast<std::ptrdiff_t>(i));
  }

  RandomStream random_;
  FlowNetwork network_;
  Policy policy_ = Policy::kSpread;
  std::size_t num_leaves_ = 0;
  std::size_t num_hosts_ = 0;
  std::size_t num_spines_ = 0;
  std::vector<double> capacities_;
  std::vector<ReferenceFlow> flows_;
  std::vector<FlowId> ids_;
};

TEST(TaperedFabrics, AgreeWithTextbookWaterFillingWhateverTheTaper) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    TaperedCase random_case(seed);
    for (int round = 0; round < 8; ++round) {
      random_case.change();
      random_case.check();
    }
    if (::testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace railwright::core
