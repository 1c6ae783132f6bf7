// SPDX-License-Identifier: Apache-2.0
// Sweeps of several jobs on one storage: rows are those of `simulate`.
#include <gtest/gtest.h>

#include <algorithm>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"
#include "railwright/workloads/kinds.hpp"
#include "sweep_support.hpp"

namespace railwright::test {
namespace {

using planner::Sweep;
using simulation::JobsResult;

constexpr const char* kThreeJobs = "three-jobs-one-powerscale";
constexpr const char* kSweptJobs = "sweep-jobs-on-storage";

JobsResult jobs_result(const std::vector<std::string>& settings,
                       const simulation::SimulateOptions& options = {}) {
  return simulate(simulation::read_jobs(example(kThreeJobs, settings), source_catalogue()),
                  options);
}

/// Expects the row of a sweep to hold the numbers of `simulate` that have a column, and no others.
void expect_row_of(const JobsResult& result, std::map<std::string, planner::SweepValue> row) {
  std::size_t num_columns = 0;
  for (const auto& one : simulation::jobs_numbers()) {
    if (one.column.empty()) continue;
    ++num_columns;
    ASSERT_TRUE(row.contains(one.column)) << one.column;
    const simulation::NumberValue value = one.of(result);
    const double held = number_in(row[one.column]);
    EXPECT_EQ(static_cast<bool>(value), !std::isnan(held)) << one.path;
    if (!value) continue;
    EXPECT_EQ(held, value.number()) << one.path;
  }
  EXPECT_EQ(num_columns, planner::num_sweep_numbers(simulation::kind_named("jobs")));
}

TEST(JobsSweep, RowsAreThoseOfEachPointByItself) {
  const core::Catalogue catalogue = source_catalogue();
  for (const auto method : {simulation::Method::kSimulate, simulation::Method::kEstimate}) {
    const Sweep sweep(example(kThreeJobs), catalogue,
                      simulation::read_variations(
                          {"cluster.storage.count=3,6", "jobs.1.workload.steps=500,2000"}),
                      {.method = method});
    MemoryTable table;
    EXPECT_EQ(sweep.run(table).feasible, 4);
    ASSERT_EQ(table.rows.size(), 4U);
    for (const auto& [point, cells] : table.rows) {
      auto row = named(sweep, cells);
      std::vector<std::string> settings;
      for (const char* key : {"cluster.storage.count", "jobs.1.workload.steps"}) {
        settings.push_back(std::string(key) + "=" +
                           std::to_string(static_cast<int>(number_in(row[key]))));
      }
      expect_row_of(jobs_result(settings, {.method = method}), row);
    }
  }
}

TEST(JobsSweep, MoreStorageAndFewerCheckpointsDelayNobody) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(example(kSweptJobs), catalogue, {}, {});
  MemoryTable table;
  const planner::SweepSummary summary = sweep.run(table);
  ASSERT_EQ(summary.feasible, 12);
  EXPECT_EQ(summary.goals[0].column, "makespan_s");
  EXPECT_EQ(summary.goals[1].column, "max_slowdown");
  ASSERT_TRUE(summary.best[0]);
  EXPECT_EQ(summary.best[0]->point, 11) << "the most storage nodes and the fewest checkpoints";
  const auto time_of = [&](std::int64_t point) {
    return number_in(named(sweep, table.rows.at(point))["makespan_s"]);
  };
  for (std::int64_t point = 0; point < 12; ++point) {
    if (point % 3 < 2) {
      EXPECT_GT(time_of(point), time_of(point + 1));
    }
    if (point + 3 < 12) {
      EXPECT_GT(time_of(point), time_of(point + 3));
    }
  }
}

TEST(JobsSweep, WhatDoesNotFitSaysWhy) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep full(example(kThreeJobs), catalogue,
                   simulation::read_variations({"cluster.storage.used=1 TB,1000 TB"}), {});
  MemoryTable table;
  full.run(table);
  auto row = named(full, table.rows.at(1));
  EXPECT_EQ(std::get<bool>(row["feasible"]), false);
  EXPECT_FALSE(std::get<std::string>(row["reason"]).empty());
  EXPECT_EQ(number_in(row["num_accelerators"]), 80);
  EXPECT_TRUE(std::isnan(number_in(row["makespan_s"])));
  const Sweep narrow(
      example(kThreeJobs), catalogue,
      simulation::read_variations({"cluster.nodes=8,10", "jobs.0.parallelism.tp=3,4"}), {});
  MemoryTable cells;
  EXPECT_EQ(narrow.run(cells).errors, 2);
  EXPECT_EQ(std::get<std::string>(named(narrow, cells.rows.at(1))["reason"]),
            "the jobs take 10 nodes, the cluster has 8: 2 too few");
  const std::string error = std::get<std::string>(named(narrow, cells.rows.at(2))["error"]);
  EXPECT_NE(error.find("jobs[0].parallelism.tp: tp 3 does not divide"), std::string::npos) << error;
}

TEST(JobsSweep, UnknownKeysOfAJobAreRefused) {
  const core::Catalogue catalogue = source_catalogue();
  for (const char* key : {"jobs.0.nods=1,2", "jobs.3.nodes=1,2"}) {
    EXPECT_THROW(Sweep(example(kThreeJobs), catalogue, simulation::read_variations({key}), {}),
                 core::ConfigError)
        << key;
  }
}

TEST(JobsSweep, NumbersAreThoseOfHandArithmetic) {
  const JobsResult result = jobs_result({"jobs.1.start=6 h"});
  ASSERT_EQ(result.run.jobs.size(), 3U);
  double last = 0.0;
  double worst = 0.0;
  double sum = 0.0;
  double waited = 0.0;
  double useful = 0.0;
  double node_time = 0.0;
  const double starts[] = {0.0, 6 * 3600.0, 1800.0};
  const double nodes[] = {6, 2, 2};
  for (std::size_t j = 0; j < 3; ++j) {
    const simulation::JobRun& job = result.run.jobs[j];
    const double time = job.training_time().base();
    last = std::max(last, starts[j] + time);
    worst = std::max(worst, time / result.alone[j].base());
    sum += time / result.alone[j].base();
    waited +=
        nodes[j] * job.time_s[static_cast<std::size_t>(simulation::RunCause::kCheckpointStall)];
    useful += nodes[j] * time * job.effective_training_time.mean;
    node_time += nodes[j] * time;
  }
  std::map<std::string, double> numbers;
  for (const simulation::Output& one : outputs(result)) numbers[one.path] = one.number();
  EXPECT_DOUBLE_EQ(numbers["makespan_s"], last);
  EXPECT_GT(last, result.run.jobs[0].training_time().base()) << "the second job ends last";
  EXPECT_DOUBLE_EQ(numbers["max_slowdown"], worst);
  EXPECT_DOUBLE_EQ(numbers["mean_slowdown"], sum / 3);
  EXPECT_DOUBLE_EQ(numbers["checkpoint_stall_fraction"], waited / node_time);
  EXPECT_DOUBLE_EQ(numbers["effective_training_time"], useful / node_time);
  EXPECT_EQ(numbers["num_jobs"], 3);
  EXPECT_EQ(numbers["storage.run_peak_read_bytes_per_s"], result.run.storage.peak_read.base());
}

TEST(JobsSweep, EachJobOfACountCounts) {
  const JobsResult two = jobs_result({"cluster.nodes=12", "jobs.2.count=2"});
  EXPECT_EQ(two.num_jobs, 4);
  EXPECT_EQ(two.places.size(), 4U);
  EXPECT_EQ(slowdowns(two).size(), 4U);
  EXPECT_GE(makespan(two), makespan(jobs_result({"cluster.nodes=12"})));
}

}  // namespace
}  // namespace railwright::test
