// SPDX-License-Identifier: Apache-2.0
// The course of each job of a queue: what all of them add up to.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/workloads/queue/queue.hpp"

namespace railwright::simulation {
namespace {

constexpr int kOfNode = 4;
constexpr int kAccelerators = 6 * kOfNode;

/// Six nodes of four accelerators, 300 jobs of up to five nodes.
QueueResult queue_of(const std::string& policy, int seed, const std::string& more = "") {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  const std::string text =
      "name: q\n"
      "queue: {policy: " +
      policy +
      ", checkpoint_interval: 20 min, drawn: {jobs: 300, jobs_per_hour: 6, sizes: "
      "[{accelerators: 1, share: 3}, {accelerators: 3, share: 1}, {accelerators: 6, share: 1}, "
      "{accelerators: 20, share: 0.3}], duration: 1 h, seed: " +
      std::to_string(seed) +
      "}}\n"
      "cluster: {nodes: 6, node: {model: xe8640, nics: {nic: connectx-7, count: 1}}, fabric: "
      "{topology: single_switch, switch: qm9790}}\n" +
      more;
  return simulate(read_queue(core::parse_yaml(text, "q.yaml"), kCatalogue));
}

int held_by(const JobHistory& past) {
  const int asked = past.job.accelerators;
  return asked <= kOfNode ? asked : (asked + kOfNode - 1) / kOfNode * kOfNode;
}

/// Returns the most accelerators with a job at a time, from starts and ends alone.
int most_occupied(const QueueResult& result) {
  std::map<double, int> changes;
  for (const JobHistory& past : result.histories) {
    changes[past.start] += held_by(past);
    changes[past.end] -= held_by(past);
  }
  int occupied = 0;
  int most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, occupied += change);
  return most;
}

TEST(JobTimes, NeverTakeMoreAcceleratorsThanThereAre) {
  int fullest = 0;
  for (int seed = 0; seed < 20; ++seed) {
    for (const char* policy : {"fifo", "backfill"}) {
      const QueueResult result = queue_of(policy, seed);
      ASSERT_EQ(std::ssize(result.histories), 300);
      const int most = most_occupied(result);
      EXPECT_LE(most, kAccelerators) << policy << ", seed " << seed;
      fullest = std::max(fullest, most);
      double used = 0.0;
      double last = 0.0;
      for (const JobHistory& past : result.histories) {
        EXPECT_GE(past.start, past.job.submit);
        EXPECT_NEAR(past.end - past.start, past.job.duration, 1e-6);
        EXPECT_EQ(past.ran, past.end - past.start);
        used += past.ran * held_by(past);
        last = std::max(last, past.end);
      }
      EXPECT_NEAR(result.duration.base(), last - result.histories.front().job.submit, 1e-6);
      double occupied = 0.0;
      for (const QueueSample& one : result.over_time) occupied += one.occupied;
      occupied *= result.duration.base() / static_cast<double>(result.over_time.size());
      EXPECT_NEAR(occupied / used, 1.0, 1e-9);
    }
  }
  EXPECT_EQ(fullest, kAccelerators);
}

TEST(JobTimes, OfFifoStartInTheOrderOfSubmission) {
  for (int seed = 0; seed < 20; ++seed) {
    const QueueResult in_order = queue_of("fifo", seed);
    EXPECT_TRUE(std::ranges::is_sorted(in_order.histories, {}, &JobHistory::start));
    const QueueResult filled = queue_of("backfill", seed);
    EXPECT_FALSE(std::ranges::is_sorted(filled.histories, {}, &JobHistory::start));
  }
}

/// An interruption costs what came after a checkpoint, and 6.5 min before the job computes again.
TEST(JobTimes, AreLongerByWhatInterruptionsCost) {
  std::int64_t num_interrupted = 0;
  for (int seed = 0; seed < 10; ++seed) {
    const QueueResult result =
        queue_of("backfill", seed,
                 "reliability: {model: rsc-1, failures: [{component: node, mtbf: 20 h}]}\n");
    ASSERT_TRUE(result.feasible());
    std::int64_t interruptions = 0;
    for (const JobHistory& past : result.histories) {
      const double cost = past.ran - past.job.duration;
      EXPECT_GE(cost, -1e-6);
      EXPECT_LE(cost, past.num_interruptions * (20 + 6.5) * 60.0 + 1e-6);
      EXPECT_GE(past.end - past.start, past.ran - 1e-6) << "it may wait between two attempts";
      interruptions += past.num_interruptions;
      num_interrupted += past.num_interruptions > 0 ? 1 : 0;
    }
    EXPECT_EQ(interruptions, result.num_interruptions);
  }
  EXPECT_GT(num_interrupted, 100);
}

TEST(JobTimes, AreColumnsOfOneNumberAJob) {
  const QueueResult result = queue_of("backfill", 1);
  const std::vector<ResultColumn> columns = job_columns(result);
  ASSERT_EQ(columns.size(), 9U);
  for (const ResultColumn& column : columns) EXPECT_EQ(column.values.size(), 300U) << column.name;
  EXPECT_EQ(columns[4].name, "start_s");
  EXPECT_EQ(columns[4].values[17], result.histories[17].start);
  EXPECT_TRUE(job_columns({}).empty());
}

}  // namespace
}  // namespace railwright::simulation
