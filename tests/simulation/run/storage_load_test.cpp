// SPDX-License-Identifier: Apache-2.0
// What storage sees: by routes, by node, over time, and until it is full.
#include <gtest/gtest.h>

#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "run_of.hpp"

namespace railwright::simulation {
namespace {

using test::kLlama7bBytes;

/// Sixteen writers, on two nodes, whose files the ports of the storage nodes hold back.
test::Settings through_narrow_ports(const test::Settings& more) {
  return test::join({"parallelism.tp=8", "parallelism.pp=2", "cluster.storage.count=4",
                     "checkpoint.interval_steps=100", "workload.steps=100",
                     "software.checkpoint.serialization_rate={value: 1e6 GB/s, source: test}",
                     "cluster.storage.node.write_rate={value: 100 GB/s, source: test}",
                     "cluster.storage.node.num_back_end_ports={value: 0, source: test}",
                     "cluster.storage.node.num_front_end_ports={value: 2, source: test}",
                     "cluster.storage.node.front_end_efficiency={value: 1, source: test}",
                     "cluster.storage.node.front_end_port_rate={value: 8 Gb/s, source: test}"},
                    more);
}

double peak(const test::Settings& more) {
  return test::run_of(through_narrow_ports(more), 1.0).storage.peak_write.base();
}

TEST(Routes, PortsOfAllStorageNodesFillTogether) {
  // Four files each: eight ports of 1 GB/s.
  EXPECT_NEAR(peak({}) / 8e9, 1.0, 1e-9);
}

TEST(Routes, WithoutAPortItsNodeHoldsAllBack) {
  EXPECT_NEAR(peak({"cluster.faults.links=[{from: storage node 1, to: front-end switch 0}]"}) / 4e9,
              1.0, 1e-9);
}

TEST(Routes, WithoutAStorageNodeTheOthersTakeItsFiles) {
  // Six of sixteen files meet in one of three nodes.
  EXPECT_NEAR(peak({"cluster.storage.count=3"}) / (2e9 * 16 / 6), 1.0, 1e-9);
}

TEST(Routes, WithoutASwitchHalfOfThePortsAreLeft) {
  EXPECT_NEAR(peak({"cluster.faults.switches=[front-end switch 1]"}) / 4e9, 1.0, 1e-9);
}

TEST(StorageLoad, BusiestNodeTakesWhatItsClientsSend) {
  // Two writers on one node: one to each of two of three nodes.
  const RunResult result = test::run_of({"checkpoint.interval_steps=100"}, 7.0);
  EXPECT_NEAR(result.storage.peak_node_write / result.storage.peak_write, 0.5, 1e-9);
}

TEST(StorageLoad, OperationsAreBytesOverRequests) {
  const test::Settings images = {
      "workload={model: resnet-50, global_batch: 1600, micro_batch: 100, steps: 100, "
      "bytes_per_image: 100000}",
      "parallelism={}", "data.request=20 kB"};
  const RunResult result = test::run_of(images, 1.0);
  EXPECT_NEAR(result.storage.peak_operations_per_s, 1600 * 5, 1e-3);
  double operations = 0.0;
  for (const LoadBin& bin : result.storage.bins) operations += bin.operations;
  EXPECT_NEAR(operations / (100 * 1600 * 5), 1.0, 1e-6);
}

TEST(StorageLoad, ColumnsAreOneNumberABin) {
  const RunResult result = test::run_of({"checkpoint.interval_steps=100"}, 7.0);
  const std::vector<ResultColumn> columns = load_columns(result.storage);
  ASSERT_EQ(columns.size(), 11U);
  for (const ResultColumn& column : columns) {
    EXPECT_EQ(column.values.size(), result.storage.bins.size()) << column.name;
  }
  EXPECT_EQ(columns[0].values[1], result.storage.bin_width.base());
  EXPECT_NEAR(columns[10].values.back() / (5 * kLlama7bBytes), 1.0, 1e-9);
  EXPECT_TRUE(load_columns({}).empty());
}

TEST(StorageLoad, GrowsByWhatOthersAdd) {
  const test::Settings plan = {"checkpoint={interval_steps: 100, retention: 1}",
                               "cluster.storage.used=1 TB", "cluster.storage.growth=10 GB/s"};
  const RunResult result = test::run_of(plan, 7.0);
  const double time = result.job().training_time().base();
  // The newest checkpoint and the one that is being written.
  EXPECT_NEAR(result.storage.max_used.base(), 1e12 + 2 * kLlama7bBytes + 10e9 * time, 10e9 * 100);
  const double free = result.storage.usable.base() - 1e12 - 2 * kLlama7bBytes;
  EXPECT_NEAR(result.storage.full_after.base() / (free / 10e9), 1.0, 1e-9);
}

TEST(StorageLoad, ThatOverflowsDoesNotFit) {
  const SimulationResult result =
      simulate(test::scenario({"cluster.storage.growth=1000 GB/s", "workload.steps=500"}));
  ASSERT_FALSE(result.feasible());
  EXPECT_NE(result.infeasible.front().what.find("too much"), std::string::npos);
  EXPECT_LT(result.run.storage.full_after, result.run.job().training_time());
}

TEST(RunSpans, CoverTheTimeOfTheRun) {
  const test::Settings plan = {"checkpoint={interval_steps: 30, mode: asynchronous}",
                               "workload.steps=100",
                               "run={start_up: 60 s, incidents: [{time: 400 s, component: node}]}"};
  const test::BuiltScenario built(plan);
  const RunJob job{.checked = &built.checked,
                   .step_time = core::Duration::from_base(7.0),
                   .start = core::Duration::from_base(5.0),
                   .first_node = 0};
  const RunResult result = simulate_run(std::span(&job, 1), built.built.fabric,
                                        built.checked.scenario.run, {.trace = true});
  core::RunTime end = core::ticks_at_or_after<core::RunTime>(job.start);
  int num_behind = 0;
  for (const RunSpan& span : result.spans) {
    if (span.is_behind) {
      ++num_behind;
      EXPECT_EQ(span.what, "checkpoint");
      continue;
    }
    EXPECT_EQ(span.start, end) << span.what;
    end = span.end;
  }
  EXPECT_NEAR((end.duration() - job.start).base(), result.job().training_time().base(), 1e-8);
  EXPECT_GE(num_behind, 3);
  EXPECT_TRUE(test::run_of(plan, 7.0).spans.empty()) << "nobody asked";
}

}  // namespace
}  // namespace railwright::simulation
