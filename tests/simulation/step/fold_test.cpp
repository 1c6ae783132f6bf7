// SPDX-License-Identifier: Apache-2.0
// A step of one replica and link of each class against the step of all of them.
#include "railwright/simulation/step/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fold_checks.hpp"
#include "grid.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;
using test_fold::Cluster;
using test_fold::cluster;
using test_fold::expect_equitable;
using test_fold::expect_folds;
using test_fold::expect_same_step;
using test_fold::nics;
using test_fold::slow;

/// Rails of two nodes under a leaf, so that most traffic crosses spines.
test::Settings rails_routed(const std::string& policy) {
  return {"cluster.fabric={topology: rail_optimized, switch: qm9790, nodes_per_group: 2}",
          "cluster.routing={policy: " + policy + "}"};
}

std::vector<Cluster> clusters() {
  const test::Settings uneven_70b = test::llama_2_70b();
  return {
      {"one node", cluster(1, 2, 1, 144), 4, 1},
      {"two nodes", {}, 8, 1},
      {"four nodes, four NICs", cluster(4, 2, 1, 144, nics(4)), 16, 1},
      {"three nodes", cluster(3, 2, 1, 144), 12, 1},
      {"five nodes, one NIC", cluster(5, 1, 1, 160, nics(1)), 40, 1},
      {"seven nodes, tp 8", cluster(7, 8, 1, 140), 7, 1},
      {"eight nodes, pp 4", cluster(8, 2, 4, 144), 8, 1},
      {"eight nodes, pp 4, four NICs", cluster(8, 2, 4, 144, nics(4)), 8, 1},
      {"sixteen nodes, pp 8, tp 8", cluster(16, 8, 8, 144), 2, 1},
      {"six nodes, stages of half a node", cluster(6, 2, 4, 144), 6, 6},
      {"six nodes, pp 2", cluster(6, 4, 2, 144), 6, 3},
      {"three nodes, pp 4", cluster(3, 2, 4, 144), 3, 3},
      {"70B, six nodes", uneven_70b, 3, 3},
      {"70B, six nodes, four NICs", test::join(uneven_70b, nics(4)), 3, 3},
      {"70B, six nodes, one NIC", test::join(uneven_70b, nics(1)), 3, 3},
      {"70B, eight nodes", test::join(uneven_70b, {"cluster.nodes=8"}), 4, 1},
      {"two switches", cluster(4, 2, 2, 144, test::dual_switch(8)), 8, 8},
      {"two switches, thin bundle", cluster(6, 2, 1, 144, test::dual_switch(2)), 24, 1},
      {"tensor groups over two nodes", cluster(8, 16, 2, 144), 2, 1},
      {"tree all-reduce",
       cluster(8, 2, 2, 144,
               {"software.zero_stage={value: 0, source: test}",
                "software.collectives.all_reduce_algorithm={value: tree, source: test}"}),
       16, 16},
      {"tree all-reduce, one stage",
       cluster(7, 2, 1, 140,
               {"software.zero_stage={value: 0, source: test}",
                "software.collectives.all_reduce_algorithm={value: tree, source: test}"}),
       28, 1},
      {"a slow node", cluster(8, 2, 1, 160, slow(3, 0.5)), 32, 2},
      {"a slow node under a pipeline", cluster(8, 2, 4, 144, slow(3, 0.8)), 8, 8},
      {"rails, ecmp", cluster(8, 2, 4, 144, rails_routed("ecmp")), 8, 8},
      {"rails, adaptive", cluster(8, 2, 4, 144, rails_routed("adaptive")), 8, 8},
      {"rails, static", cluster(8, 2, 4, 144, rails_routed("static")), 8, 8},
      {"a NIC down", cluster(8, 2, 4, 144, {"cluster.faults={nics: [{node: 3, nic: 1}]}"}), 8, 8},
      {"interleaved, four replicas", cluster(8, 4, 4, 144, {"parallelism.virtual_stages=8"}), 4, 1},
  };
}

TEST(Fold, GivesTheTimesOfTheWholeCluster) {
  EXPECT_GE(clusters().size(), 20U);
  for (const Cluster& cluster : clusters()) expect_folds(cluster);
}

TEST(Fold, GivesTheTimesOfTheGrid) {
  for (const auto& point : test::grid()) {
    for (const bool overlap : {true, false}) {
      expect_same_step(BuiltScenario(test::join(point.settings, test::overlaps(overlap))),
                       point.name);
    }
  }
}

/// A link that only one replica needs, made narrow, takes that replica out of its class.
TEST(Fold, TellsApartWhatOneNarrowLinkMakesDifferent) {
  BuiltScenario built(cluster(8, 2, 4, 144));
  EXPECT_EQ(fold(built.costs).costs.num_replicas, 1);
  const core::LinkId link = built.costs.send_forward[5].route.front().link;
  built.costs.capacity[static_cast<std::size_t>(link)] /= 50;
  const FoldedCosts folded = fold(built.costs);
  EXPECT_GT(folded.costs.num_replicas, 1);
  expect_equitable(built.costs, folded, "narrow link");
  expect_same_step(built, "narrow link");
}

TEST(Fold, TellsApartReplicasByLatency) {
  BuiltScenario built({});
  built.costs.calls[0].flows[3].latency *= 3.0;
  const FoldedCosts folded = fold(built.costs);
  EXPECT_EQ(folded.costs.num_replicas, 2);
  EXPECT_EQ(std::ranges::count(folded.replica_class, folded.replica_class[3]), 1);
  expect_same_step(built, "latency");
}

}  // namespace
}  // namespace railwright::simulation
