// SPDX-License-Identifier: Apache-2.0
// Taking something away never makes the estimate faster, unless the collective library then chooses
// another protocol. It chooses by its own model and for a whole bucket: a slower link can tip it
// from Simple to LL128, whose shorter latency the last bucket, partly filled and hidden by nothing,
// gains more by than it loses in bandwidth. And it takes a node whose scale-up links are slow for
// one of an older generation, with that one's limits and latencies. The worst of these is printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <tuple>
#include <vector>

#include "railwright/models/collective/communicator.hpp"
#include "railwright/planner/estimate/estimate.hpp"
#include "random_scenario.hpp"

namespace railwright::planner {
namespace {

core::Duration estimate(const test::RandomSystem& system) {
  return estimate_step(system.checked, *system.checked.topology).total();
}

using Choices = std::vector<std::tuple<models::CollectiveAlgorithm, models::CollectiveProtocol>>;

/// Of the data-parallel groups of the first tensor rank, for a bucket.
Choices choices(const test::RandomSystem& system) {
  const Scenario& scenario = system.checked.scenario;
  const models::Layout& layout = system.checked.layout;
  const auto built = system.checked.topology->build(scenario.cluster);
  Choices choices;
  for (int stage = 0; stage < layout.pp && layout.dp > 1; ++stage) {
    std::vector<int> members;
    for (int data = 0; data < layout.dp; ++data) {
      members.push_back(layout.accelerator(0, data, stage));
    }
    const models::Communicator group(built.fabric, members, scenario.software.collectives);
    for (const auto op : {models::CollectiveOp::kReduceScatter, models::CollectiveOp::kAllGather,
                          models::CollectiveOp::kAllReduce}) {
      const models::CollectiveChoice choice =
          group.choice(op, scenario.software.bucket.value.base());
      choices.emplace_back(choice.algorithm, choice.protocol);
    }
  }
  return choices;
}

constexpr int kScenarios = 10'010;
constexpr double kRounding = 1e-12;
constexpr double kOtherProtocol = 0.03;

TEST(Estimate, IsNeverFasterWithLess) {
  test::RandomScenarios scenarios(20240501);
  core::RandomStream random(7);
  const auto& worsenings = test::worsenings();
  int num_slower = 0;
  int num_same_choices = 0;
  int num_faster = 0;
  double most = 0.0;
  for (int i = 0; i < kScenarios; ++i) {
    const test::RandomSystem system = scenarios.next();
    const core::Duration base = estimate(system);
    const auto& worsening = worsenings[static_cast<std::size_t>(i) % worsenings.size()];
    test::RandomSystem worse = system;
    worsening.apply(worse, random);
    const core::Duration time = estimate(worse);
    const bool same_choices = choices(system) == choices(worse);
    EXPECT_GE(time / base, 1.0 - (same_choices ? kRounding : kOtherProtocol))
        << "less " << worsening.name << ": " << system.describe() << "; now " << worse.describe();
    if (time > base) ++num_slower;
    if (time < base * (1.0 - kRounding)) ++num_faster;
    most = std::max(most, 1.0 - time / base);
    if (same_choices) ++num_same_choices;
  }
  std::cout << num_faster << " of " << kScenarios
            << " designs faster by another protocol, the most by " << 100.0 * most << " %\n";
  EXPECT_LE(num_faster, kScenarios / 200);
  // The property would hold of a constant too.
  EXPECT_GT(num_slower, kScenarios / 3);
  EXPECT_GT(num_same_choices, kScenarios * 9 / 10);
}

}  // namespace
}  // namespace railwright::planner
