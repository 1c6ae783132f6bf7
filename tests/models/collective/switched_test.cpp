// SPDX-License-Identifier: Apache-2.0
// Collectives through switches, rails and relays against their own execution, and sharing of NICs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "../../support/ranks.hpp"
#include "../../support/scenario.hpp"
#include "members.hpp"
#include "railwright/core/sim/engine.hpp"

namespace railwright::models {
namespace {

using test::Ranks;
using test::Wires;

struct Cluster {
  Cluster(int num_nodes, int num_nics)
      : nodes(num_nodes),
        nics(num_nics),
        built({"cluster.nodes=" + std::to_string(num_nodes), "workload.global_batch=480",
               "cluster.node.nics.count=" + std::to_string(num_nics)}) {}

  [[nodiscard]] const core::Fabric& fabric() const { return built.built.fabric; }
  [[nodiscard]] const CollectiveTuning& tuning() const {
    return built.checked.scenario.software.collectives;
  }
  [[nodiscard]] CollectiveFlow flow(CollectiveAlgorithm algorithm, const std::vector<int>& members,
                                    CollectiveOp op = CollectiveOp::kAllReduce) const {
    return test::flow_by(algorithm, fabric(), members, tuning(), op);
  }
  /// Where an execution and the model differ.
  template <class Execution>
  [[nodiscard]] std::string disagreement(CollectiveAlgorithm algorithm,
                                         const std::vector<int>& members,
                                         const Execution& execution,
                                         CollectiveOp op = CollectiveOp::kAllReduce) const {
    Wires wires(nodes, 8, nics);
    Ranks ranks(members, wires);
    if (!execution(ranks)) return "the execution itself is wrong";
    return wires.difference(
        fabric(), test::loads(fabric(), flow(algorithm, members, op), ranks.buffer_size()), 1e-12);
  }

  int nodes;
  int nics;
  test::BuiltScenario built;
};

template <class Check>
void for_data_parallel_groups(const Check& check) {
  for (const int nics : {8, 4}) {
    for (int nodes = 2; nodes <= 5; ++nodes) {
      const Cluster cluster(nodes, nics);
      for (const int tp : {1, 2, 4, 8}) {
        EXPECT_EQ(check(cluster, test::data_parallel_group(nodes, tp, tp - 1)), "")
            << nics << " NICs, " << nodes << " nodes, tp " << tp;
      }
    }
  }
}

TEST(Hierarchical, CarriesWhatItsExecutionCarries) {
  for_data_parallel_groups([](const Cluster& cluster, const std::vector<int>& members) {
    return cluster.disagreement(CollectiveAlgorithm("hierarchical"), members, [](Ranks& ranks) {
      ranks.hierarchical_all_reduce();
      return ranks.all_is_summed();
    });
  });
}

TEST(Nvls, CarriesWhatItsExecutionCarriesBetweenNodes) {
  for (const int nics : {8, 4}) {
    for (int nodes = 2; nodes <= 5; ++nodes) {
      const Cluster cluster(nodes, nics);
      EXPECT_EQ(cluster.disagreement(CollectiveAlgorithm("nvls_tree"),
                                     test::data_parallel_group(nodes, 1, 0),
                                     [](Ranks& ranks) {
                                       ranks.nvls_all_reduce();
                                       return ranks.all_is_summed();
                                     }),
                "")
          << nics << " NICs, " << nodes << " nodes";
    }
  }
}

TEST(Nvls, CarriesWhatItsExecutionCarriesInANode) {
  const Cluster cluster(2, 8);
  for (int size = 2; size <= 8; ++size) {
    std::vector<int> members;
    for (int i = 0; i < size; ++i) members.push_back(8 + i);
    EXPECT_EQ(cluster.disagreement(CollectiveAlgorithm("nvls"), members,
                                   [](Ranks& ranks) {
                                     ranks.nvls_all_reduce();
                                     return ranks.all_is_summed();
                                   }),
              "")
        << size;
  }
}

TEST(CollNet, CarriesWhatItsExecutionCarries) {
  for_data_parallel_groups([](const Cluster& cluster, const std::vector<int>& members) {
    return cluster.disagreement(CollectiveAlgorithm("collnet"), members, [](Ranks& ranks) {
      ranks.collnet_all_reduce();
      return ranks.all_is_summed();
    });
  });
}

TEST(AllToAll, CarriesWhatItsExecutionCarries) {
  for_data_parallel_groups([](const Cluster& cluster, const std::vector<int>& members) {
    return cluster.disagreement(
        CollectiveAlgorithm("pairwise"), members,
        [](Ranks& ranks) {
          ranks.all_to_all();
          return ranks.all_is_exchanged();
        },
        CollectiveOp::kAllToAll);
  });
}

// Ranks 1 and 5 of each node: what 1 sends to 5 of another node goes through 5's NIC, not through
// that of a stranger.
TEST(AllToAll, RelaysThroughMembersOnly) {
  const Cluster cluster(2, 8);
  const CollectiveFlow flow =
      cluster.flow(CollectiveAlgorithm("pairwise"), {1, 5, 9, 13}, CollectiveOp::kAllToAll);
  for (const core::LinkUse& use : flow.route) {
    const core::Link& link = cluster.fabric().links()[static_cast<std::size_t>(use.link)];
    for (const core::VertexId end : {link.from, link.to}) {
      const core::Vertex& vertex = cluster.fabric().vertices()[static_cast<std::size_t>(end)];
      if (vertex.role == core::Role::kAccelerator || vertex.role == core::Role::kNic) {
        EXPECT_EQ(vertex.local_index % 4, 1) << vertex.label;
      }
    }
  }
}

// Two data-parallel groups of four accelerators a node behind four NICs: each NIC serves both.
TEST(Sharing, TwoCommunicatorsOnOneNicTakeTwiceTheTime) {
  const Cluster cluster(2, 4);
  const auto ring = [&](int tensor) {
    return cluster.flow(CollectiveAlgorithm("ring"), test::data_parallel_group(2, 2, tensor));
  };
  const auto time = [&](const std::vector<CollectiveFlow>& flows) {
    core::Engine<core::StepTime> engine(cluster.fabric().make_network());
    for (const CollectiveFlow& flow : flows) {
      engine.start({.route = flow.route, .size = 1'000'000'000}, 0);
    }
    core::EventId event = 0;
    while (engine.next(event)) {
    }
    return engine.now().duration().base();
  };
  const double alone = time({ring(0)});
  EXPECT_NEAR(time({ring(1)}), alone, 1e-11);
  EXPECT_NEAR(time({ring(0), ring(1)}), 2.0 * alone, 1e-10);
}

}  // namespace
}  // namespace railwright::models
