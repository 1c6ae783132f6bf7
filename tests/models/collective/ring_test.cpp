// SPDX-License-Identifier: Apache-2.0
// Rings against their own execution, chunk by chunk.
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

struct System {
  System(int num_nodes, int num_nics, const std::string& wiring)
      : nodes(num_nodes),
        nics(num_nics),
        built({"cluster.nodes=" + std::to_string(num_nodes), "workload.global_batch=480",
               "cluster.node.nics.count=" + std::to_string(num_nics),
               "cluster.node.nics.wiring=" + wiring}) {}

  [[nodiscard]] std::string disagreement(CollectiveOp op, const std::vector<int>& members) const {
    Wires wires(nodes, 8, nics);
    Ranks ranks(members, wires);
    bool right = false;
    if (op == CollectiveOp::kReduceScatter) {
      ranks.reduce_scatter();
      right = ranks.shards_are_summed();
    } else if (op == CollectiveOp::kBroadcast) {
      ranks.broadcast();
      right = ranks.all_equal_the_first();
    } else if (op == CollectiveOp::kAllGather) {
      ranks.all_gather();
      right = ranks.all_is_gathered();
    } else {
      ranks.all_reduce();
      right = ranks.all_is_summed();
    }
    if (!right) return "the execution itself is wrong";
    const CollectiveFlow flow =
        test::flow_by(CollectiveAlgorithm("ring"), built.built.fabric, members,
                      built.checked.scenario.software.collectives, op);
    return wires.difference(built.built.fabric,
                            test::loads(built.built.fabric, flow, ranks.buffer_size()), 1e-12);
  }

  int nodes;
  int nics;
  test::BuiltScenario built;
};

constexpr CollectiveOp kRingOps[] = {CollectiveOp::kReduceScatter, CollectiveOp::kAllGather,
                                     CollectiveOp::kAllReduce, CollectiveOp::kBroadcast};

TEST(Ring, CarriesWhatItsExecutionCarriesForDataParallelGroups) {
  for (const auto& [nics, wiring] : test::kWirings) {
    for (int nodes = 2; nodes <= 6; ++nodes) {
      const System system(nodes, nics, wiring);
      for (const int tp : {1, 2, 4, 8}) {
        for (int tensor = 0; tensor < tp; tensor += 3) {
          for (const CollectiveOp op : kRingOps) {
            EXPECT_EQ(system.disagreement(op, test::data_parallel_group(nodes, tp, tensor)), "")
                << nics << " NICs " << wiring << ", " << nodes << " nodes, tp " << tp;
          }
        }
      }
    }
  }
}

TEST(Ring, CarriesWhatItsExecutionCarriesForUnequalNodes) {
  for (const auto& [nics, wiring] : test::kWirings) {
    const System system(4, nics, wiring);
    for (const auto& members : test::unequal_groups()) {
      for (const CollectiveOp op : kRingOps) {
        EXPECT_EQ(system.disagreement(op, members), "") << nics << " NICs " << wiring;
      }
    }
  }
}

TEST(Ring, CarriesWhatItsExecutionCarriesInsideANode) {
  const System system(2, 8, "shared");
  for (const int tp : {2, 4, 8}) {
    for (int first = 0; first < 16; first += tp) {
      std::vector<int> members;
      for (int i = 0; i < tp; ++i) members.push_back(first + i);
      for (const CollectiveOp op : kRingOps) EXPECT_EQ(system.disagreement(op, members), "") << tp;
    }
  }
}

TEST(Ring, CrossesEachNodeBoundaryWithTwoNMinusOneOverN) {
  for (int nodes = 2; nodes <= 6; ++nodes) {
    const System system(nodes, 4, "shared");
    const auto members = test::data_parallel_group(nodes, 2, 1);
    const CollectiveFlow flow =
        test::flow_by(CollectiveAlgorithm("ring"), system.built.built.fabric, members,
                      system.built.checked.scenario.software.collectives);
    const auto size = static_cast<double>(members.size());
    for (int node = 0; node < nodes; ++node) {
      EXPECT_NEAR(test::out_of_node(system.built.built.fabric, flow, node), 2.0 * (size - 1) / size,
                  1e-12);
    }
  }
}

TEST(Ring, UsesTheNicsOfItsMembersOnly) {
  const System system(3, 8, "shared");
  const auto& fabric = system.built.built.fabric;
  const CollectiveFlow flow =
      test::flow_by(CollectiveAlgorithm("ring"), fabric, test::data_parallel_group(3, 4, 1),
                    system.built.checked.scenario.software.collectives);
  for (const core::LinkUse& use : flow.route) {
    const core::Link& link = fabric.links()[static_cast<std::size_t>(use.link)];
    if (link.tier != core::Tier::kInjection) continue;
    const auto& ends = fabric.vertices();
    const core::Vertex& from = ends[static_cast<std::size_t>(link.from)];
    const core::Vertex& nic =
        from.role == core::Role::kNic ? from : ends[static_cast<std::size_t>(link.to)];
    EXPECT_TRUE(nic.local_index == 1 || nic.local_index == 5) << nic.label;
  }
}

// Eight members a node, each with a link to the seven others: 8 channels of 8 edges in a node, the
// hand-over to the gate included, over 56 links.
TEST(Ring, UsesAllLinksOfAMeshInEveryNode) {
  const test::BuiltScenario built({"cluster.node.model=xe9680-mi300x",
                                   "cluster.fabric.switch=z9664f-on", "software.collectives=rccl"});
  const auto& fabric = built.built.fabric;
  const CollectiveFlow flow =
      test::flow_by(CollectiveAlgorithm("ring"), fabric, test::data_parallel_group(2, 1, 0),
                    built.checked.scenario.software.collectives, CollectiveOp::kAllGather);
  int num_links = 0;
  for (const core::LinkUse& use : flow.route) {
    if (fabric.links()[static_cast<std::size_t>(use.link)].tier != core::Tier::kScaleUp) continue;
    EXPECT_NEAR(use.coefficient, 15.0 / 16.0 * 8 / 56, 1e-12);
    ++num_links;
  }
  EXPECT_EQ(num_links, 2 * 56);
}

}  // namespace
}  // namespace railwright::models
