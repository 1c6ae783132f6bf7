// SPDX-License-Identifier: Apache-2.0
// Rows that are made apart from the table they go into.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>

#include "railwright/core/stop.hpp"
#include "sweep_support.hpp"

namespace railwright::test {
namespace {

using planner::Sweep;
using planner::SweepOptions;
using planner::SweepRow;
using planner::SweepRun;
using simulation::Method;

/// 36 points on six groups; some are infeasible, some are errors.
Sweep small_sweep(const core::Catalogue& catalogue, SweepOptions options) {
  return {example("neutral-llama-2-7b"), catalogue,
          simulation::read_variations({"workload.micro_batch=1,2,3", "cluster.nodes=2,3,4",
                                       "parallelism.tp=1,2", "software.recompute=none,full"}),
          std::move(options)};
}

std::vector<std::int64_t> all_points(const Sweep& sweep) {
  std::vector<std::int64_t> points(static_cast<std::size_t>(sweep.question().num_points));
  std::iota(points.begin(), points.end(), 0);
  return points;
}

TEST(SweepMake, GivesTheRowsOfTheTableInTheOrderAsked) {
  const core::Catalogue catalogue = source_catalogue();
  for (const simulation::Method method :
       {simulation::Method::kEstimate, simulation::Method::kSimulate}) {
    const Sweep sweep = small_sweep(catalogue, {.method = method, .num_threads = 2});
    MemoryTable whole;
    sweep.run(whole);
    std::vector<std::int64_t> points = all_points(sweep);
    std::ranges::reverse(points);
    const std::vector<SweepRow> rows = sweep.make(points);
    MemoryTable apart;
    SweepRun run(sweep, apart);
    ASSERT_TRUE(run.put(rows));
    EXPECT_EQ(run.finish().made, 36);
    EXPECT_EQ(apart.rows, whole.rows);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].point, points[i]);
    EXPECT_EQ(sweep.inputs(35).size(), 4U);
  }
}

TEST(SweepMake, StopsWhenItIsTold) {
  const core::Catalogue catalogue = source_catalogue();
  const std::atomic<bool> stop = true;
  const Sweep sweep =
      small_sweep(catalogue, {.method = simulation::Method::kEstimate, .stop = &stop});
  EXPECT_THROW((void)sweep.make(all_points(sweep)), core::Interrupted);
}

TEST(SweepRun, HandsOutEachMissingPointOnce) {
  const core::Catalogue catalogue = source_catalogue();
  for (const bool in_order : {false, true}) {
    const Sweep sweep = small_sweep(
        catalogue, {.method = simulation::Method::kEstimate, .shard = {2, 3}, .num_threads = 1});
    MemoryTable table(in_order);
    SweepRun run(sweep, table);
    std::vector<std::vector<SweepRow>> made;
    std::vector<std::int64_t> asked;
    for (auto points = run.next(5); !points.empty(); points = run.next(5)) {
      asked.insert(asked.end(), points.begin(), points.end());
      made.push_back(sweep.make(points));
    }
    // The last first: an ordered table waits.
    for (std::size_t i = made.size(); i-- > 0;) ASSERT_TRUE(run.put(made[i]));
    const planner::SweepSummary summary = run.finish();
    EXPECT_EQ(summary.made, 12);
    EXPECT_FALSE(summary.interrupted);
    std::ranges::sort(asked);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      EXPECT_EQ(asked[i], static_cast<std::int64_t>(3 * i + 1));
    }
    EXPECT_TRUE(!in_order || std::ranges::is_sorted(table.came));
  }
}

TEST(SweepRun, WhatWasNotPutIsMissing) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep =
      small_sweep(catalogue, {.method = simulation::Method::kEstimate, .num_threads = 1});
  MemoryTable table;
  SweepRun run(sweep, table);
  ASSERT_TRUE(run.put(sweep.make(run.next(10))));
  const planner::SweepSummary summary = run.finish();
  EXPECT_TRUE(summary.interrupted);
  EXPECT_EQ(summary.made, 10);
  EXPECT_EQ(table.rows.size(), 10U);
}

}  // namespace
}  // namespace railwright::test
