// SPDX-License-Identifier: Apache-2.0
// The lower bound that clusters of any size share against the estimator of each.
#include "railwright/simulation/estimator/least_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>

#include "configurations.hpp"
#include "railwright/simulation/estimator/knobs.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {
namespace {

/// A bound made on one number of nodes is asked on others, in an order in which most entries come
/// from another number than the one that asks.
TEST(LeastWork, IsALowerBoundOnAnyNumberOfNodes) {
  core::RandomStream random(46);
  int num_compared = 0;
  double closest = 0.0;
  double closest_filled = 0.0;
  for (const test::Job& job : test::jobs()) {
    LeastWork least(job.base);
    const int given = job.base.scenario.cluster.num_nodes;
    for (const int num_nodes : {given, 2 * given, std::max(1, given / 2)}) {
      CheckedScenario base = job.base;
      base.scenario.cluster.num_nodes = num_nodes;
      Estimator estimator(base);
      for (int i = 0; i < 60; ++i) {
        const Configuration c = test::draw_configuration(base, random);
        estimator.prepare_memory(std::span(&c, 1), 1);
        const MemoryEstimate exact = estimator.memory(c);
        if (exact.status != EstimateStatus::kOk) continue;
        const core::Duration per_sample = exact.min_step_time / static_cast<double>(c.global_batch);
        const core::Duration bound = least.time_per_sample(c, num_nodes);
        EXPECT_LE(bound, per_sample) << job.name << ": " << test::to_text(c);
        if (bound > core::Duration()) {
          const std::int64_t dp = base.scenario.num_accelerators() / ranks_of_replica(c);
          const auto samples = static_cast<double>(dp * c.micro_batch);
          const double microbatches = static_cast<double>(c.global_batch) / samples;
          const core::Duration filled = bound * least_bubble_factor(c, microbatches);
          EXPECT_LE(filled, per_sample) << job.name << ": " << test::to_text(c);
          closest_filled = std::max(closest_filled, c.pp > 1 ? filled / per_sample : 0.0);
        }
        Configuration alone;
        alone.pp = c.pp;
        EXPECT_TRUE(least.may_divide(alone, num_nodes)) << job.name << ": " << test::to_text(c);
        alone = {};
        alone.tp = c.tp;
        EXPECT_TRUE(least.may_divide(alone, num_nodes)) << job.name << ": " << test::to_text(c);
        alone = {};
        alone.cp = c.cp;
        EXPECT_TRUE(least.may_divide(alone, num_nodes)) << job.name << ": " << test::to_text(c);
        EXPECT_TRUE(least.divides(c, num_nodes)) << job.name << ": " << test::to_text(c);
        closest = std::max(closest, bound / per_sample);
        ++num_compared;
      }
    }
  }
  EXPECT_GT(num_compared, 200);
  EXPECT_GT(closest, 0.9);
  EXPECT_GT(closest_filled, 0.9);
}

/// An entry that another number of nodes has made is that of an object that has never seen it; the
/// slowest of twice as many nodes is slower by chance, and has an entry of its own.
TEST(LeastWork, EntriesOfAnotherNumberOfNodesAreTheSame) {
  core::RandomStream random(47);
  int num_compared = 0;
  for (const test::Job& job : test::jobs()) {
    LeastWork shared(job.base);
    const int given = job.base.scenario.cluster.num_nodes;
    for (int i = 0; i < 40; ++i) {
      const Configuration c = test::draw_configuration(job.base, random);
      if (!shared.divides(c, given)) continue;
      for (const int num_nodes : {given, 3 * given, 2 * given, 6 * given, 4 * given}) {
        LeastWork alone(job.base);
        EXPECT_EQ(alone.time_per_sample(c, num_nodes), shared.time_per_sample(c, num_nodes))
            << job.name << " on " << num_nodes << ": " << test::to_text(c);
      }
      ++num_compared;
    }
  }
  EXPECT_GT(num_compared, 50);
}

}  // namespace
}  // namespace railwright::simulation
