// SPDX-License-Identifier: Apache-2.0
// A step of one replica and link of each class against the step of all of them.
#include "railwright/planner/step/fold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "grid.hpp"
#include "railwright/planner/step/step.hpp"

namespace railwright::planner {
namespace {

using test::BuiltScenario;

constexpr double kTick = 1e-12;

void expect_same_step(const BuiltScenario& built, const std::string& name) {
  const StepResult folded = simulate_step(built.costs);
  const StepResult unfolded = simulate_step(built.costs, Symmetry::kUnfolded);
  const double time = unfolded.step_time.base();
  EXPECT_NEAR(folded.step_time.base(), time, std::max(1e-9 * time, 2 * kTick)) << name;
  ASSERT_EQ(folded.link_bytes.size(), unfolded.link_bytes.size());
  for (std::size_t link = 0; link < folded.link_bytes.size(); ++link) {
    EXPECT_NEAR(folded.link_bytes[link], unfolded.link_bytes[link],
                1e-9 * unfolded.link_bytes[link])
        << name << " " << link;
  }
}

/// What makes rates of a class equal, checked one link and one replica at a time.
void expect_equitable(const StepCosts& costs, const FoldedCosts& folded, const std::string& name) {
  using Kind = std::vector<models::CollectiveFlow> StepCosts::*;
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  const auto classes = static_cast<std::size_t>(folded.costs.num_replicas);
  for (const Kind kind : {Kind{&StepCosts::tensor_flows}, Kind{&StepCosts::send_forward},
                          Kind{&StepCosts::send_backward}}) {
    for (std::size_t stage = 0; stage * n < (costs.*kind).size(); ++stage) {
      std::vector<std::map<core::LinkId, double>> sums(classes);
      for (std::size_t replica = 0; replica < n; ++replica) {
        const auto own = static_cast<std::size_t>(folded.replica_class[replica]);
        std::set<std::int32_t> used;
        for (const core::LinkUse& use : (costs.*kind)[stage * n + replica].route) {
          sums[own][use.link] += use.coefficient;
          used.insert(folded.link_class[static_cast<std::size_t>(use.link)]);
        }
        std::set<std::int32_t> expected;
        for (const auto& use : (folded.costs.*kind)[stage * classes + own].route) {
          expected.insert(use.link);
        }
        EXPECT_EQ(used, expected) << name;
      }
      for (std::size_t own = 0; own < classes; ++own) {
        for (const core::LinkUse& use : (folded.costs.*kind)[stage * classes + own].route) {
          for (std::size_t link = 0; link < folded.link_class.size(); ++link) {
            if (folded.link_class[link] != use.link) continue;
            EXPECT_NEAR(sums[own][static_cast<core::LinkId>(link)], use.coefficient, 1e-11) << name;
          }
        }
      }
    }
  }
}

struct Cluster {
  const char* name;
  test::Settings settings;
  int num_replicas;
  int most_classes;  ///< of replicas, by the symmetry that the cluster plainly has
};

test::Settings cluster(int nodes, int tp, int pp, int batch, const test::Settings& more = {}) {
  return test::join(
      {"cluster.nodes=" + std::to_string(nodes), "parallelism.tp=" + std::to_string(tp),
       "parallelism.pp=" + std::to_string(pp), "workload.global_batch=" + std::to_string(batch)},
      more);
}

test::Settings nics(int count) { return {"cluster.node.nics.count=" + std::to_string(count)}; }

test::Settings slow(int node, double speed) {
  return {"cluster.faults={nodes_slow: [{node: " + std::to_string(node) +
          ", speed: " + std::to_string(speed) + "}]}"};
}

/// Rails of two nodes under a leaf, so that most traffic crosses spines.
test::Settings rails(const std::string& policy) {
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
               {"software.gradient_sync={value: all_reduce, source: test}",
                "software.collectives.all_reduce_algorithm={value: tree, source: test}"}),
       16, 16},
      {"tree all-reduce, one stage",
       cluster(7, 2, 1, 140,
               {"software.gradient_sync={value: all_reduce, source: test}",
                "software.collectives.all_reduce_algorithm={value: tree, source: test}"}),
       28, 1},
      {"a slow node", cluster(8, 2, 1, 160, slow(3, 0.5)), 32, 2},
      {"a slow node under a pipeline", cluster(8, 2, 4, 144, slow(3, 0.8)), 8, 8},
      {"rails, ecmp", cluster(8, 2, 4, 144, rails("ecmp")), 8, 8},
      {"rails, adaptive", cluster(8, 2, 4, 144, rails("adaptive")), 8, 8},
      {"rails, static", cluster(8, 2, 4, 144, rails("static")), 8, 8},
      {"a NIC down", cluster(8, 2, 4, 144, {"cluster.faults={nics: [{node: 3, nic: 1}]}"}), 8, 8},
      {"interleaved, four replicas", cluster(8, 4, 4, 144, {"parallelism.virtual_stages=8"}), 4, 1},
  };
}

TEST(Fold, GivesTheTimesOfTheWholeCluster) {
  EXPECT_GE(clusters().size(), 20U);
  for (const Cluster& cluster : clusters()) {
    for (const bool overlap : {true, false}) {
      const BuiltScenario built(test::join(cluster.settings, test::overlaps(overlap)));
      EXPECT_EQ(built.costs.num_replicas, cluster.num_replicas) << cluster.name;
      const FoldedCosts folded = fold(built.costs);
      EXPECT_LE(folded.costs.num_replicas, cluster.most_classes) << cluster.name;
      EXPECT_LT(folded.costs.capacity.size(), built.costs.capacity.size()) << cluster.name;
      expect_equitable(built.costs, folded, cluster.name);
      expect_same_step(built, cluster.name);
    }
  }
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
  built.costs.tensor_flows[3].latency *= 3.0;
  const FoldedCosts folded = fold(built.costs);
  EXPECT_EQ(folded.costs.num_replicas, 2);
  EXPECT_EQ(std::ranges::count(folded.replica_class, folded.replica_class[3]), 1);
  expect_same_step(built, "latency");
}

}  // namespace
}  // namespace railwright::planner
