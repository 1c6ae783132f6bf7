// SPDX-License-Identifier: Apache-2.0
// The double binary tree against its own execution.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/ranks.hpp"
#include "../../support/scenario.hpp"
#include "members.hpp"

namespace railwright::models {
namespace {

using test::Ranks;
using test::Wires;

test::Settings cluster(int nodes, int nics, const std::string& wiring) {
  return {"cluster.nodes=" + std::to_string(nodes),
          "workload.global_batch=" + std::to_string(nodes * 8),
          "cluster.node.nics.count=" + std::to_string(nics), "cluster.node.nics.wiring=" + wiring};
}

std::string disagreement(const test::BuiltScenario& system, const std::vector<int>& members) {
  const core::Fabric& fabric = system.built.fabric;
  Wires wires(fabric.num_nodes(), 8, system.checked.scenario.cluster.node.nics.count);
  Ranks ranks(members, wires);
  ranks.tree_all_reduce();
  if (!ranks.all_is_summed()) return "the execution itself is wrong";
  const CollectiveFlow flow = test::flow_by(CollectiveAlgorithm("tree"), fabric, members,
                                            system.checked.scenario.software.collectives);
  return wires.difference(fabric, test::loads(fabric, flow, ranks.buffer_size()), 1e-12);
}

TEST(Tree, CarriesWhatItsExecutionCarries) {
  for (const auto& [nics, wiring] : test::kWirings) {
    for (int nodes = 2; nodes <= 9; ++nodes) {
      const test::BuiltScenario system(cluster(nodes, nics, wiring));
      for (const int tp : {1, 2, 4, 8}) {
        EXPECT_EQ(disagreement(system, test::data_parallel_group(nodes, tp, tp - 1)), "")
            << nics << " NICs " << wiring << ", " << nodes << " nodes, tp " << tp;
      }
    }
  }
}

TEST(Tree, CarriesWhatItsExecutionCarriesForUnequalNodes) {
  for (const auto& [nics, wiring] : test::kWirings) {
    const test::BuiltScenario system(cluster(4, nics, wiring));
    for (const auto& members : test::unequal_groups()) {
      EXPECT_EQ(disagreement(system, members), "") << nics << " NICs " << wiring;
    }
  }
}

TEST(Tree, SendsTwoKMinusOneOverKPerNodeOnAverageAndNoNodeMoreThanTwiceTheBuffer) {
  for (int nodes = 2; nodes <= 9; ++nodes) {
    const test::BuiltScenario system(cluster(nodes, 8, "shared"));
    const CollectiveFlow flow = test::flow_by(CollectiveAlgorithm("tree"), system.built.fabric,
                                              test::data_parallel_group(nodes, 2, 0),
                                              system.checked.scenario.software.collectives);
    double sum = 0.0;
    for (int node = 0; node < nodes; ++node) {
      const double out = test::out_of_node(system.built.fabric, flow, node);
      // Inner in one tree (a parent and two children, half of the buffer each), leaf in the other.
      EXPECT_LE(out, 2.0 + 1e-12) << node << " of " << nodes;
      sum += out;
    }
    EXPECT_NEAR(sum / nodes, 2.0 * (nodes - 1) / nodes, 1e-12);
  }
}

TEST(Tree, TakesStepsInTheLogarithmOfTheNodes) {
  const auto latency = [](int nodes) {
    const test::BuiltScenario system(cluster(nodes, 8, "shared"));
    return test::flow_by(CollectiveAlgorithm("tree"), system.built.fabric,
                         test::data_parallel_group(nodes, 8, 0),
                         system.checked.scenario.software.collectives)
        .latency.base();
  };
  const double level = latency(3) - latency(2);
  // NCCL 2.19 takes a step between nodes for 28 us; up and down, and the way itself on top.
  EXPECT_GT(level, 2 * 28e-6);
  EXPECT_LT(level, 2 * 32e-6);
  EXPECT_NEAR(latency(4), latency(3), 1e-9);
  EXPECT_NEAR(latency(5) - latency(4), level, 1e-9);
}

}  // namespace
}  // namespace railwright::models
