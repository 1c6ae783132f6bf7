// SPDX-License-Identifier: Apache-2.0
// Sweeps of a queue: rows are those of `simulate`.
#include <gtest/gtest.h>

#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "sweep_support.hpp"

namespace railwright::test {
namespace {

using planner::Sweep;

constexpr const char* kMonth = "queue-month-2000-gpus";
// Carbon, so that every number of a queue is there.
const std::vector<std::string> kFewJobs{"queue.drawn.jobs=500", "power.carbon_intensity=380"};

TEST(QueueSweep, RowsAreThoseOfEachPointByItself) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(
      example(kMonth, kFewJobs), catalogue,
      simulation::read_variations({"cluster.nodes=230,250", "queue.policy=fifo,backfill"}), {});
  MemoryTable table;
  const planner::SweepSummary summary = sweep.run(table);
  EXPECT_EQ(summary.errors, 0);
  ASSERT_EQ(table.rows.size(), 4U);
  for (const auto& [point, cells] : table.rows) {
    auto row = named(sweep, cells);
    const auto nodes = static_cast<int>(number_in(row["cluster.nodes"]));
    std::vector<std::string> settings = kFewJobs;
    settings.push_back("cluster.nodes=" + std::to_string(nodes));
    settings.push_back("queue.policy=" + std::get<std::string>(row["queue.policy"]));
    const auto result =
        simulation::simulate(simulation::read_queue(example(kMonth, settings), catalogue));
    std::size_t num_held = 0;
    for (const simulation::Output& output : outputs(result)) {
      ASSERT_TRUE(row.contains(output.path)) << output.path;
      EXPECT_EQ(number_in(row[output.path]), output.number()) << output.path;
      ++num_held;
    }
    EXPECT_EQ(num_held, planner::num_sweep_numbers(simulation::kind_named("queue")));
  }
  EXPECT_EQ(sweep.question().goals[0].column, "wait_mean_s");
}

TEST(QueueSweep, APointThatDoesNotFitSaysWhy) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(example(kMonth, kFewJobs), catalogue,
                    simulation::read_variations({"cluster.nodes=4,250"}), {});
  MemoryTable table;
  sweep.run(table);
  auto small = named(sweep, table.rows.at(0));
  EXPECT_EQ(std::get<bool>(small["feasible"]), false);
  EXPECT_FALSE(std::get<std::string>(small["reason"]).empty());
  EXPECT_EQ(std::get<bool>(named(sweep, table.rows.at(1))["feasible"]), true);
}

TEST(CollectiveSweep, APointIsItsSimulation) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(example("all-reduce-8-h100-nodes"), catalogue,
                    simulation::read_variations({"cluster.nodes=4,8"}), {});
  MemoryTable table;
  sweep.run(table);
  ASSERT_EQ(table.rows.size(), 2U);
  for (const auto& [point, cells] : table.rows) {
    auto row = named(sweep, cells);
    const auto nodes = static_cast<int>(number_in(row["cluster.nodes"]));
    const auto result = simulation::simulate(simulation::read_benchmark(
        example("all-reduce-8-h100-nodes", {"cluster.nodes=" + std::to_string(nodes)}), catalogue));
    const auto numbers = outputs(result);
    ASSERT_FALSE(numbers.empty());
    for (const simulation::Output& output : numbers) {
      ASSERT_TRUE(row.contains(output.path)) << output.path;
      EXPECT_EQ(number_in(row[output.path]), output.number()) << output.path;
    }
  }
}

}  // namespace
}  // namespace railwright::test
