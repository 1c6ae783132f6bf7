// SPDX-License-Identifier: Apache-2.0
// Lower bounds by few replicas: known syncs and links that carry the same change nothing.
#include "../../../simulation/src/step/few_replicas.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "grid.hpp"
#include "railwright/simulation/step/known_steps.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {
namespace {

TEST(FewReplicas, KnownSyncsAreThoseThatAreMadeAnew) {
  std::size_t num_found = 0;
  for (const test::GridPoint& point : test::grid()) {
    const CheckedScenario checked = test::scenario(point.settings);
    const auto built = checked.topology->build(checked.scenario.cluster);
    const auto capacity = link_capacities(checked.scenario, built.fabric);
    KnownSyncs none;
    const StepCosts anew = least_costs(checked, built.fabric, capacity, none);
    KnownSyncs known;
    (void)costs_of_syncs(checked, built.fabric, capacity, known);
    const std::size_t before = known.num_found();
    const StepCosts again = least_costs(checked, built.fabric, capacity, known);
    EXPECT_EQ(content_of(again), content_of(anew)) << point.name;
    num_found += known.num_found() - before;
  }
  EXPECT_GT(num_found, 0U);
}

TEST(FewReplicas, NoTwoLinksCarryTheSame) {
  for (const test::GridPoint& point : test::grid()) {
    const CheckedScenario checked = test::scenario(point.settings);
    const auto built = checked.topology->build(checked.scenario.cluster);
    KnownSyncs known;
    const StepCosts costs =
        least_costs(checked, built.fabric, link_capacities(checked.scenario, built.fabric), known);
    std::vector<std::vector<std::pair<int, double>>> carried(costs.capacity.size());
    int num_flows = 0;
    const auto add = [&](const models::CollectiveFlow& flow) {
      for (const core::LinkUse& use : flow.route) {
        carried.at(static_cast<std::size_t>(use.link)).emplace_back(num_flows, use.coefficient);
      }
      ++num_flows;
    };
    for (const GroupCalls& calls : costs.calls) {
      for (const models::CollectiveFlow& flow : calls.flows) add(flow);
    }
    for (const models::CollectiveFlow& flow : costs.send_forward) add(flow);
    for (const models::CollectiveFlow& flow : costs.send_backward) add(flow);
    for (const StageCosts& stage : costs.stages) {
      for (const ParameterSync& sync : stage.syncs) {
        add(sync.gradient_sync);
        add(sync.parameter_gather);
      }
    }
    std::map<std::pair<double, std::vector<std::pair<int, double>>>, int> kinds;
    for (std::size_t link = 0; link < carried.size(); ++link) {
      EXPECT_FALSE(carried[link].empty()) << point.name;
      const int others = kinds[{costs.capacity[link], carried[link]}]++;
      EXPECT_EQ(others, 0) << point.name << ": " << link;
    }
  }
}

}  // namespace
}  // namespace railwright::simulation
