// SPDX-License-Identifier: Apache-2.0
// What must hold of every fleet of the catalogue, of every component that can fail, and of a run
// with every way of writing, reading back and standing by. All come from their lists.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "../../support/checkpoint_waste.hpp"
#include "../../support/scenario.hpp"
#include "entries.hpp"
#include "railwright/models/reliability/checkpoint_interval.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/models/reliability/reliability_fields.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::models {
namespace {

using core::Duration;

constexpr double kDay = 86400.0;
constexpr FleetSize kSmall{
    .num_nodes = 100, .accelerators_per_node = 8, .nics_per_node = 4, .num_storage_nodes = 10};
constexpr FleetSize kLarge{
    .num_nodes = 200, .accelerators_per_node = 8, .nics_per_node = 4, .num_storage_nodes = 20};

Duration days(double number) { return Duration::from_base(number * kDay); }

/// Each rate of each fleet as it is, and as one that ages.
template <class Check>
void for_each_rate(Check check) {
  for (const Reliability& fleet : test::entries<Reliability>()) {
    for (FailureRate rate : fleet.failures) {
      for (const double shape : {1.0, 0.7, 2.0}) {
        rate.shape.value = shape;
        rate.age.value = days(shape == 1.0 ? 0.0 : 100.0);
        SCOPED_TRACE(fleet.name + " " + std::string(core::to_string(rate.component)) + " shape " +
                     std::to_string(shape));
        check(rate);
      }
    }
  }
}

TEST(ReliabilityContract, FailuresStartAtNoneAndGrowWithTimeAndParts) {
  for_each_rate([](const FailureRate& rate) {
    const auto failures = [&](std::int64_t parts, double time) {
      return expected_failures(rate, parts, days(time));
    };
    EXPECT_EQ(failures(100, 0.0), 0.0);
    EXPECT_EQ(failures(0, 30.0), 0.0);
    EXPECT_GT(failures(100, 30.0), 0.0);
    EXPECT_NEAR(failures(200, 30.0), 2.0 * failures(100, 30.0), 1e-9 * failures(200, 30.0));
    const double first = failures(100, 30.0);
    const double second = failures(100, 60.0) - first;
    // Of what ages the second month has more, of what settles fewer.
    if (rate.shape.value > 1.0) {
      EXPECT_GT(second, first);
    } else if (rate.shape.value < 1.0) {
      EXPECT_LT(second, first);
    } else {
      EXPECT_NEAR(second, first, 1e-9 * first);
    }
  });
}

// So many parts that a month has 2000 failures in the mean: five deviations are 224 of them.
TEST(ReliabilityContract, DrawnFailuresComeInOrderRepeatAndAverageWhatIsExpected) {
  for_each_rate([](const FailureRate& rate) {
    const auto parts =
        static_cast<std::int64_t>(2000.0 / expected_failures(rate, 1'000'000, days(30.0)) * 1e6);
    FailureProcess process(rate, parts, 7, 1);
    FailureProcess again(rate, parts, 7, 1);
    int count = 0;
    Duration before;
    for (Duration time = process.next(); time < days(30.0); time = process.next()) {
      ASSERT_GE(time, before);
      ASSERT_EQ(time, again.next());
      before = time;
      ++count;
    }
    EXPECT_NEAR(count, expected_failures(rate, parts, days(30.0)), 5.0 * std::sqrt(2000.0));
    EXPECT_FALSE(std::isfinite(FailureProcess(rate, 0, 7, 1).next().base()));
  });
}

TEST(ReliabilityContract, EveryComponentIsCountedAndAFleetTwiceAsLargeFailsTwiceAsOften) {
  for (const auto& [name, component] : core::kWordsOf<Component>) {
    SCOPED_TRACE(name);
    if (component == Component::kPower) {
      EXPECT_EQ(num_components(component, kSmall), 1);
      EXPECT_EQ(num_components(component, kLarge), 1) << "one supply, however many nodes";
      continue;
    }
    EXPECT_GT(num_components(component, kSmall), 0);
    EXPECT_EQ(num_components(component, kLarge), 2 * num_components(component, kSmall));
    EXPECT_EQ(num_components(component, FleetSize{}), 0);
  }
  for (const Reliability& fleet : test::entries<Reliability>()) {
    SCOPED_TRACE(fleet.name);
    const Duration small = mean_time_to_interruption(fleet, kSmall);
    EXPECT_GT(small.base(), 0.0);
    EXPECT_TRUE(std::isfinite(small.base()));
    EXPECT_NEAR(mean_time_to_interruption(fleet, kLarge) / small, 0.5, 1e-12);
    EXPECT_FALSE(std::isfinite(mean_time_to_interruption(fleet, FleetSize{}).base()));
    EXPECT_NEAR(expected_interruptions(fleet, kSmall, small), 1.0, 1e-9);
    EXPECT_GT(fleet.restart.value.base(), 0.0);
    EXPECT_GE(fleet.detection.value.base(), 0.0);
    EXPECT_GE(fleet.replacement.value.base(), 0.0);
    EXPECT_GT(fleet.repair.value.base(), 0.0);
  }
}

// Young's interval is the minimum of the waste it was derived from; Daly's, of higher order, is
// no worse than half or twice as long in the ratio of effective time.
TEST(ReliabilityContract, IntervalsLoseLeastForEveryFleetAndEveryCheckpoint) {
  for (const Reliability& fleet : test::entries<Reliability>()) {
    const Duration mtti = mean_time_to_interruption(fleet, kLarge);
    for (const double seconds : {0.1, 1.0, 10.0, 100.0, 1000.0}) {
      SCOPED_TRACE(fleet.name + " " + std::to_string(seconds));
      const Duration write = Duration::from_base(seconds);
      const Duration restart = fleet.detection.value + fleet.restart.value;
      const Duration young = young_interval(write, mtti);
      const auto waste = [&](Duration interval) {
        return expected_waste(interval, write, restart, mtti);
      };
      EXPECT_LT(waste(young), waste(young * 0.9));
      EXPECT_LT(waste(young), waste(young * 1.1));
      const Duration daly = daly_interval(write, mtti);
      EXPECT_LE(daly, mtti);
      const auto ratio = [&](Duration interval) {
        return effective_training_time_ratio(interval, write, restart, mtti);
      };
      for (const double factor : {0.5, 2.0}) EXPECT_GE(ratio(daly), ratio(daly * factor));
      EXPECT_GE(ratio(daly), 0.0);
      EXPECT_LE(ratio(daly), 1.0);
      // Rarer failures and faster checkpoints never cost more.
      EXPECT_GE(daly_interval(write, mtti * 2.0), daly);
      EXPECT_LE(daly_interval(write * 0.5, mtti), daly);
      EXPECT_LE(expected_waste(young, write * 0.5, restart, mtti), waste(young));
      EXPECT_LE(expected_waste(young, write, restart, mtti * 2.0), waste(young));
    }
  }
}

/// 10,000 steps of an hour on 16 accelerators: long enough for every fleet to fail.
simulation::RunResult run(const test::Settings& settings) {
  const simulation::CheckedScenario checked = test::scenario(
      test::join({"workload.steps=10000", "workload.global_batch=1152", "run.step_time=1 h",
                  "run.replicas=20", "checkpoint.interval_steps=48"},
                 settings));
  const auto built = checked.topology->build(checked.scenario.cluster);
  const simulation::RunJob job{.checked = &checked, .step_time = *checked.scenario.run.step_time};
  return simulation::simulate_run({&job, 1}, built.fabric, checked.scenario.run);
}

TEST(ReliabilityContract, RunsOfEveryFleetAddUpInEveryModeWithAnyNumberOfSpares) {
  const core::Catalogue catalogue = test::catalogue();
  for (const std::string& fleet : catalogue.names(Reliability::kKind)) {
    for (const auto& [mode, unused_mode] : core::kWordsOf<simulation::CheckpointMode>) {
      for (const auto& [restore, unused_restore] : core::kWordsOf<simulation::Restore>) {
        double without_spares = 0.0;
        for (const int spares : {0, 2}) {
          test::Settings settings{"reliability=" + fleet,
                                  "run.num_spares=" + std::to_string(spares)};
          settings.push_back("checkpoint.mode=" + std::string(mode));
          settings.push_back("checkpoint.restore=" + std::string(restore));
          SCOPED_TRACE(fleet + " " + settings[1] + " " + settings[2] + " " + settings[3]);
          const simulation::JobRun job = run(settings).job();
          const double total = std::accumulate(job.time_s.begin(), job.time_s.end(), 0.0);
          const double time = job.training_time_s.mean;
          EXPECT_NEAR(total, time, 1e-6 * time);
          for (const double part : job.time_s) EXPECT_GE(part, 0.0);
          EXPECT_NEAR(job.time_s[0], 1e4 * 3600.0, 1.0);
          EXPECT_EQ(job.num_given_up, 0);
          EXPECT_GT(job.num_interruptions, 0.0);
          EXPECT_GT(job.effective_training_time.mean, 0.0);
          EXPECT_LT(job.effective_training_time.mean, 1.0);
          EXPECT_LE(job.training_time_s.low, job.training_time_s.high);
          if (spares == 0) without_spares = time;
          EXPECT_LE(time, without_spares * (1.0 + 1e-9));
        }
      }
    }
  }
}

TEST(ReliabilityContract, ALongerRestartAndMoreFailuresNeverShortenARun) {
  const core::Catalogue catalogue = test::catalogue();
  for (const std::string& fleet : catalogue.names(Reliability::kKind)) {
    SCOPED_TRACE(fleet);
    const std::string setting = "reliability=" + fleet;
    const double time = run({setting}).job().training_time_s.mean;
    EXPECT_GT(run({setting, "reliability.restart=1 d"}).job().training_time_s.mean, time);
    EXPECT_GT(run({setting, "cluster.nodes=16"}).job().num_interruptions,
              run({setting}).job().num_interruptions);
    EXPECT_GE(time, run({}).job().training_time_s.mean);
  }
}

}  // namespace
}  // namespace railwright::models
