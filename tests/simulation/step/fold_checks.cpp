// SPDX-License-Identifier: Apache-2.0
#include "fold_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation::test_fold {

using test::BuiltScenario;

namespace {

constexpr double kTick = 1e-12;

}  // namespace

test::Settings cluster(int nodes, int tp, int pp, int batch, const test::Settings& more) {
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

void expect_equitable(const StepCosts& costs, const FoldedCosts& folded, const std::string& name) {
  using Kind = std::function<const std::vector<models::CollectiveFlow>&(const StepCosts&)>;
  std::vector<Kind> kinds{[](const StepCosts& c) -> auto& { return c.send_forward; },
                          [](const StepCosts& c) -> auto& { return c.send_backward; }};
  for (std::size_t call = 0; call < kNumLayerCalls; ++call) {
    kinds.emplace_back([call](const StepCosts& c) -> auto& { return c.calls[call].flows; });
  }
  const auto n = static_cast<std::size_t>(costs.num_replicas);
  const auto classes = static_cast<std::size_t>(folded.costs.num_replicas);
  for (const Kind& kind : kinds) {
    for (std::size_t stage = 0; stage * n < kind(costs).size(); ++stage) {
      std::vector<std::map<core::LinkId, double>> sums(classes);
      for (std::size_t replica = 0; replica < n; ++replica) {
        const auto own = static_cast<std::size_t>(folded.replica_class[replica]);
        std::set<std::int32_t> used;
        for (const core::LinkUse& use : kind(costs)[stage * n + replica].route) {
          sums[own][use.link] += use.coefficient;
          used.insert(folded.link_class[static_cast<std::size_t>(use.link)]);
        }
        std::set<std::int32_t> expected;
        for (const auto& use : kind(folded.costs)[stage * classes + own].route) {
          expected.insert(use.link);
        }
        EXPECT_EQ(used, expected) << name;
      }
      for (std::size_t own = 0; own < classes; ++own) {
        for (const core::LinkUse& use : kind(folded.costs)[stage * classes + own].route) {
          for (std::size_t link = 0; link < folded.link_class.size(); ++link) {
            if (folded.link_class[link] != use.link) continue;
            EXPECT_NEAR(sums[own][static_cast<core::LinkId>(link)], use.coefficient, 1e-11) << name;
          }
        }
      }
    }
  }
}

void expect_folds(const Cluster& cluster) {
  for (const bool overlap : {true, false}) {
    const BuiltScenario built(test::join(cluster.settings, test::overlaps(overlap)));
    EXPECT_EQ(built.costs.num_replicas, cluster.num_replicas) << cluster.name;
    const FoldedCosts folded = fold(built.costs);
    EXPECT_LE(folded.costs.num_replicas, cluster.max_classes) << cluster.name;
    EXPECT_LT(folded.costs.capacity.size(), built.costs.capacity.size()) << cluster.name;
    expect_equitable(built.costs, folded, cluster.name);
    expect_same_step(built, cluster.name);
  }
}

}  // namespace railwright::simulation::test_fold
