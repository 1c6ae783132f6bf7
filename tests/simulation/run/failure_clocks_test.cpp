// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/failure_clocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace railwright::simulation::replication {
namespace {

constexpr double kDay = 86400.0;

models::FailureRate rate_of(models::Component component, double mtbf) {
  models::FailureRate rate;
  rate.component = component;
  rate.mtbf = {core::Duration::from_base(mtbf), "test", true};
  return rate;
}

/// Jobs of ten nodes each, beside storage, whose nodes fail too.
RunModel two_kinds(std::size_t num_jobs, int num_storage_nodes) {
  RunModel model;
  model.jobs.resize(num_jobs);
  for (JobModel& job : model.jobs) job.fleet.num_nodes = 10;
  model.num_storage_nodes = num_storage_nodes;
  model.plan.seed = 3;
  model.reliability.emplace();
  model.reliability->failures = {rate_of(models::Component::kNode, 100 * kDay),
                                 rate_of(models::Component::kStorageNode, 200 * kDay)};
  model.reliability->slow_nodes.emplace();
  model.reliability->slow_nodes->mtbf = {core::Duration::from_base(50 * kDay), "test", true};
  return model;
}

std::vector<std::int64_t> times(FailureClocks& clocks, std::size_t owner, std::size_t rate,
                                int count = 20) {
  std::vector<std::int64_t> drawn;
  for (int i = 0; i < count; ++i) {
    const auto time = clocks.next_failure(owner, rate);
    drawn.push_back(time ? time->count : -1);
  }
  return drawn;
}

TEST(FailureClocks, TimesBeyondTheClockAreDropped) {
  EXPECT_EQ(within_clock(core::Duration::from_base(1.5e-9)), core::RunTime{2});
  EXPECT_EQ(within_clock(core::Duration{}), core::RunTime{0});
  EXPECT_TRUE(within_clock(core::Duration::from_base(8.999e9)));
  EXPECT_FALSE(within_clock(core::Duration::from_base(9e9)));
  EXPECT_FALSE(within_clock(core::Duration::infinity()));
  EXPECT_FALSE(within_clock(core::Duration::from_base(std::numeric_limits<double>::quiet_NaN())));
}

TEST(FailureClocks, JobsAndStorageFailApart) {
  const RunModel model = two_kinds(2, 4);
  FailureClocks clocks(model, 0);
  ASSERT_EQ(clocks.num_rates(0), 2U);
  ASSERT_EQ(clocks.num_rates(2), 2U);
  EXPECT_TRUE(clocks.next_failure(0, 0));
  EXPECT_FALSE(clocks.next_failure(0, 1));
  EXPECT_FALSE(clocks.next_failure(2, 0));
  EXPECT_TRUE(clocks.next_failure(2, 1));
}

TEST(FailureClocks, NothingFailsWithoutAFleetOrStorage) {
  RunModel model = two_kinds(1, 0);
  EXPECT_EQ(FailureClocks(model, 0).num_rates(0), 2U);
  FailureClocks of_cluster(model, 0);
  for (std::size_t rate = 0; rate < of_cluster.num_rates(1); ++rate) {
    EXPECT_FALSE(of_cluster.next_failure(1, rate)) << "no storage node that fails";
  }
  EXPECT_TRUE(FailureClocks(model, 0).has_slow(SlowPart::kNode));
  model.reliability.reset();
  EXPECT_EQ(FailureClocks(model, 0).num_rates(0), 0U);
  EXPECT_FALSE(FailureClocks(model, 0).has_slow(SlowPart::kNode));
}

TEST(FailureClocks, DrawsOfOneOwnerLeaveTheOthersAlone) {
  const RunModel model = two_kinds(2, 4);
  FailureClocks first(model, 7);
  FailureClocks second(model, 7);
  times(second, 0, 0, 1000);
  second.until_slow(SlowPart::kNode, 0);
  EXPECT_EQ(times(first, 1, 0), times(second, 1, 0));
  EXPECT_EQ(first.until_slow(SlowPart::kNode, 1).base(),
            second.until_slow(SlowPart::kNode, 1).base());
  EXPECT_NE(times(first, 0, 0), times(second, 1, 0));
}

TEST(FailureClocks, AnotherJobChangesNoTimeOfTheFirst) {
  const RunModel one = two_kinds(1, 4);
  const RunModel three = two_kinds(3, 4);
  FailureClocks alone(one, 7);
  FailureClocks among(three, 7);
  EXPECT_EQ(times(alone, 0, 0), times(among, 0, 0));
}

TEST(FailureClocks, ReplicationsDiffer) {
  const RunModel model = two_kinds(1, 4);
  FailureClocks first(model, 0);
  FailureClocks again(model, 0);
  FailureClocks second(model, 1);
  const auto expected = times(first, 0, 0);
  EXPECT_EQ(expected, times(again, 0, 0));
  EXPECT_NE(expected, times(second, 0, 0));
}

TEST(FailureClocks, MeansAreThoseOfTheFleet) {
  const RunModel model = two_kinds(1, 4);
  FailureClocks clocks(model, 0);
  constexpr int kDraws = 10000;  // of an exponential distribution: a mean within 1 %, one sigma
  double sum = 0.0;
  for (int i = 0; i < kDraws; ++i) sum += clocks.until_slow(SlowPart::kNode, 0).base();
  EXPECT_NEAR(sum / kDraws, 50 * kDay / 10, 0.04 * 5 * kDay);
  const auto until_thousandth = times(clocks, 0, 0, 1000).back();
  EXPECT_NEAR(core::RunTime{until_thousandth}.duration().base() / 1000, 10 * kDay, 1.2 * kDay);
  const auto of_storage = times(clocks, 1, 1, 100).back();
  EXPECT_NEAR(core::RunTime{of_storage}.duration().base() / 100, 50 * kDay, 20 * kDay);
}

}  // namespace
}  // namespace railwright::simulation::replication
