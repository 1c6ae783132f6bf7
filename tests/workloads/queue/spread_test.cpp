// SPDX-License-Identifier: Apache-2.0
// Jobs of a queue that take longer on more leaves than they need.
#include <gtest/gtest.h>

#include <limits>

#include "railwright/core/sim/random.hpp"
#include "railwright/workloads/queue/queue.hpp"
#include "slow_schedule.hpp"

namespace railwright::simulation {
namespace {

NodeFailure no_failure() { return {.time = std::numeric_limits<double>::infinity()}; }

/// Two leaves of two nodes of four accelerators, the first ones with room first.
ScheduleResult on_two_leaves(const std::vector<QueuedJob>& jobs, double slowdown,
                             const FailureSource& failures = no_failure) {
  const LeafNodes leaves = LeafNodes::of({0, 0, 1, 1});
  return run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kFirstFit),
                      {.checkpoint_interval = 20.0, .restart = 5.0, .spread_slowdown = slowdown},
                      failures);
}

QueuedJob job_of(double submit, int accelerators, double duration, double slack = 0.0) {
  return {.submit = submit,
          .accelerators = accelerators,
          .duration = duration,
          .limit = duration + slack};
}

TEST(SpreadQueue, AJobOnTwoLeavesTakesLongerAndItsLimitGrows) {
  // The first job leaves nodes 1 to 3: the second one is on both leaves. The third needs all four.
  const auto with_last = [](double slack) {
    return std::vector{job_of(0, 4, 10), job_of(0, 8, 100, 20), job_of(1, 16, 10),
                       job_of(2, 4, 170, slack)};
  };
  const ScheduleResult made = on_two_leaves(with_last(8), 1.5);
  EXPECT_EQ(made.histories[1].end, 150.0);
  EXPECT_EQ(made.histories[1].ran, 150.0);
  EXPECT_EQ(made.num_spread, 1);
  // Reserved at 180, where the limit of the spread job ends: the last job ends by then, or waits.
  EXPECT_EQ(made.histories[3].start, 2.0);
  EXPECT_EQ(on_two_leaves(with_last(9), 1.5).histories[3].start, 160.0);
  // Reserved at 120 without a slowdown: the last job is too long.
  EXPECT_EQ(on_two_leaves(with_last(8), 1.0).histories[1].end, 100.0);
  EXPECT_EQ(on_two_leaves(with_last(8), 1.0).histories[3].start, 110.0);
}

TEST(SpreadQueue, AJobPassesOnlyIfItEndsInTimeWhereItWouldRun) {
  const std::vector jobs{job_of(0, 4, 100), job_of(0, 16, 10), job_of(0, 8, 60)};
  EXPECT_EQ(on_two_leaves(jobs, 1.5).histories[2].end, 90.0);
  EXPECT_EQ(on_two_leaves(jobs, 1.5).histories[1].start, 100.0);
  const ScheduleResult slow = on_two_leaves(jobs, 2.0);  // 120 s would delay the reservation
  EXPECT_EQ(slow.histories[2].start, 110.0);
  EXPECT_EQ(slow.histories[2].end, 170.0) << "on one leaf";
}

TEST(SpreadQueue, CheckpointsKeepWhatASpreadJobComputed) {
  int count = 0;
  const auto once = [&]() -> NodeFailure {
    return count++ == 0 ? NodeFailure{.time = 47, .node = 2, .needs_repair = false} : no_failure();
  };
  // 40 s of 47 are kept, of the 150 s that it takes on two leaves.
  const std::vector beside{job_of(0, 4, 1000), job_of(0, 8, 100)};
  EXPECT_NEAR(on_two_leaves(beside, 1.5, once).histories[1].end, 47 + 5 + (150 - 40), 1e-9);
  // The rest is 100 - 40 / 1.5 s on one leaf.
  count = 0;
  const std::vector alone_later{job_of(0, 4, 20), job_of(0, 8, 100)};
  EXPECT_NEAR(on_two_leaves(alone_later, 1.5, once).histories[1].end, 47 + 5 + 100 - 40 / 1.5,
              1e-9);
}

/// Jobs in whole seconds.
std::vector<QueuedJob> drawn_jobs(std::uint64_t seed, int num_nodes) {
  core::RandomStream random(seed);
  std::vector<QueuedJob> jobs;
  double time = 0.0;
  for (int i = 0; i < 60; ++i) {
    time += static_cast<double>(random.below(12));
    jobs.push_back(job_of(
        time,
        static_cast<int>(
            1 + random.below(static_cast<unsigned>(random.uniform() < 0.5 ? 4 : 4 * num_nodes))),
        static_cast<double>(1 + random.below(40)), static_cast<double>(random.below(20))));
  }
  return jobs;
}

std::vector<int> leaves_of_two(int num_nodes) {
  std::vector<int> leaves;
  for (int node = 0; node < num_nodes; ++node) leaves.push_back(node / 2);
  return leaves;
}

TEST(SpreadQueue, StartsEachJobWhenASecondSimulationDoes) {
  std::int64_t num_spread = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const int num_nodes = 3 + static_cast<int>(seed % 5);
    const auto jobs = drawn_jobs(seed, num_nodes);
    const LeafNodes leaves = LeafNodes::of(leaves_of_two(num_nodes));
    for (const QueuePolicy policy : {QueuePolicy::kFifo, QueuePolicy::kBackfill}) {
      for (const double slowdown : {1.0, 2.0, 3.0}) {
        const auto fast = run_schedule(jobs, FreeNodes(leaves, 4, NodeChoice::kFirstFit),
                                       {.policy = policy, .spread_slowdown = slowdown}, no_failure);
        test::SlowSchedule second(jobs, num_nodes, 4);
        second.slow_down(leaves_of_two(num_nodes), slowdown);
        const auto slow = second.run(policy);
        for (std::size_t job = 0; job < jobs.size(); ++job) {
          ASSERT_EQ(fast.histories[job].start, slow[job].start) << seed << ", job " << job;
          ASSERT_EQ(fast.histories[job].end, slow[job].end) << seed << ", job " << job;
        }
        num_spread += fast.num_spread;
      }
    }
  }
  EXPECT_GT(num_spread, 1000);
}

TEST(SpreadQueue, NoJobByItselfIsFasterWithALargerSlowdown) {
  int count = 0;
  const auto now_and_then = [&]() -> NodeFailure {
    return {.time = 90.0 * ++count, .node = count % 4, .needs_repair = false};
  };
  for (int accelerators : {4, 8, 12}) {
    double before = 0.0;
    for (const double slowdown : {1.0, 1.1, 1.5, 2.0, 10.0}) {
      count = 0;
      const std::vector jobs{job_of(0, 4, 1e6), job_of(0, accelerators, 700)};
      const double end = on_two_leaves(jobs, slowdown, now_and_then).histories[1].end;
      EXPECT_GE(end, before) << accelerators << ", " << slowdown;
      before = end;
    }
  }
}

const core::Catalogue& all_devices() {
  static const core::Catalogue kCatalogue({RAILWRIGHT_SOURCE_DIR "/models/catalogue"});
  return kCatalogue;
}

/// Nodes of four H100 in leaves of up to 32; a job keeps node 0 busy.
QueueResult result_with(const std::vector<std::string>& settings) {
  core::Node tree = core::parse_yaml(
      "name: test\n"
      "queue:\n"
      "  placement: first_fit\n"
      "  trace: \"submit_s,accelerators,duration_s\\n0,4,1000\\n0,128,100\\n300,4,100\"\n"
      "cluster:\n"
      "  nodes: 64\n"
      "  node: {model: xe8640, nics: {nic: connectx-7, count: 1}}\n"
      "  fabric: {topology: rail_optimized, switch: qm9790}\n",
      "q.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return simulate(read_queue(tree, all_devices()));
}

TEST(SpreadQueue, AddedTimeIsNotUseful) {
  const QueueResult even = result_with({});
  const QueueResult slow = result_with({"queue.spread_slowdown=1.5"});
  EXPECT_EQ(even.spread_fraction, 1.0);
  EXPECT_EQ(slow.spread_fraction, 1.0);
  EXPECT_EQ(slow.histories[1].end, 150.0);
  EXPECT_DOUBLE_EQ(even.useful_fraction, even.occupied_fraction);
  const double ran = 4 * 1000 + 128 * 150 + 4 * 100;
  EXPECT_DOUBLE_EQ(slow.useful_fraction, slow.occupied_fraction * (ran - 128 * 50) / ran);
  const QueueResult whole = result_with({"queue.spread_slowdown=1.5", "queue.placement=best_fit"});
  EXPECT_EQ(whole.histories[1].end, 100.0) << "on one leaf of its own";
  EXPECT_THROW(result_with({"queue.spread_slowdown=0.9"}), core::ConfigError);
}

}  // namespace
}  // namespace railwright::simulation
