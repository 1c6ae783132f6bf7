// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/reliability/failure_process.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "railwright/core/units/literals.hpp"

namespace railwright::models {
namespace {

using namespace core::literals;  // NOLINT(google-build-using-namespace)
using core::Duration;

constexpr double kDay = 86400.0;

/// Of many runs at a fixed seed, tests ask for less than this many standard deviations of chance.
constexpr double kSigmas = 4.0;

FailureRate rate_of(double mtbf_days, double shape = 1.0, double age_days = 0.0) {
  FailureRate rate;
  rate.mtbf.value = Duration::from_base(mtbf_days * kDay);
  rate.shape.value = shape;
  rate.age.value = Duration::from_base(age_days * kDay);
  return rate;
}

std::vector<double> first_times(const FailureRate& rate, std::int64_t count, std::uint64_t seed,
                                std::uint64_t stream, int how_many) {
  FailureProcess process(rate, count, seed, stream);
  std::vector<double> times;
  for (int i = 0; i < how_many; ++i) times.push_back(process.next().base());
  return times;
}

int failures_until(const FailureRate& rate, std::int64_t count, std::uint64_t seed, double days) {
  FailureProcess process(rate, count, seed, 0);
  int failures = 0;
  while (process.next().base() <= days * kDay) ++failures;
  return failures;
}

TEST(FailureProcess, GapsOfAConstantRateAverageMtbfByComponents) {
  // A sum of m exponential gaps of mean g has the standard deviation g * sqrt(m).
  constexpr int kGaps = 40'000;
  const double gap = 3300.0 * kDay / 2048.0;
  const double last = first_times(rate_of(3300.0), 2048, 5, 1, kGaps).back();
  EXPECT_NEAR(last, kGaps * gap, kSigmas * gap * std::sqrt(kGaps));
}

TEST(FailureProcess, GapsOfAConstantRateAreExponential) {
  // Of 40,000 gaps, a share exp(-x) is longer than x times the mean: binomial deviation.
  constexpr int kGaps = 40'000;
  const std::vector<double> times = first_times(rate_of(1.0), 1, 6, 1, kGaps);
  for (const double x : {0.1, 0.5, 1.0, 2.0, 4.0}) {
    int longer = times.front() > x * kDay ? 1 : 0;
    for (int i = 1; i < kGaps; ++i) longer += times[i] - times[i - 1] > x * kDay ? 1 : 0;
    const double share = std::exp(-x);
    EXPECT_NEAR(longer, kGaps * share, kSigmas * std::sqrt(kGaps * share * (1.0 - share))) << x;
  }
}

TEST(FailureProcess, CountsFollowThePowerLaw) {
  // The count after t is a Poisson number of mean m, so that of r runs deviates by sqrt(r * m).
  constexpr int kRuns = 400;
  for (const double shape : {0.6, 1.0, 1.8, 3.0}) {
    for (const double age : {0.0, 200.0, 900.0}) {
      const FailureRate rate = rate_of(1000.0, shape, age);
      for (const double days : {30.0, 365.0}) {
        const double mean =
            64.0 * (std::pow((age + days) / 1000.0, shape) - std::pow(age / 1000.0, shape));
        EXPECT_NEAR(expected_failures(rate, 64, Duration::from_base(days * kDay)), mean,
                    1e-10 * mean);
        double sum = 0.0;
        for (int run = 0; run < kRuns; ++run) sum += failures_until(rate, 64, 100 + run, days);
        EXPECT_NEAR(sum, kRuns * mean, kSigmas * std::sqrt(kRuns * mean))
            << "shape " << shape << ", age " << age << ", days " << days;
      }
    }
  }
}

TEST(FailureProcess, AFirstFailureOfNewPartsIsAWeibullTime) {
  // One component, new: its first failure has the median eta * (ln 2)^(1/k).
  constexpr int kRuns = 10'000;
  for (const double shape : {0.5, 2.0}) {
    const double median = 10.0 * kDay * std::pow(std::log(2.0), 1.0 / shape);
    int earlier = 0;
    for (int run = 0; run < kRuns; ++run) {
      earlier += FailureProcess(rate_of(10.0, shape), 1, run, 7).next().base() < median ? 1 : 0;
    }
    EXPECT_NEAR(earlier, kRuns / 2.0, kSigmas * std::sqrt(kRuns / 4.0)) << shape;
  }
}

TEST(FailureProcess, TimesNeverGoBack) {
  for (const double shape : {0.3, 1.0, 2.5}) {
    // Old parts and short gaps: differences of large numbers.
    const std::vector<double> times =
        first_times(rate_of(500.0, shape, 4000.0), 100'000, 3, 1, 5000);
    double last = 0.0;
    for (const double time : times) {
      ASSERT_GE(time, last);
      last = time;
    }
    EXPECT_GT(last, 0.0);
  }
}

TEST(FailureProcess, SeedsAndStreamsAreIndependent) {
  constexpr int kTimes = 20'000;
  const auto gaps = [](std::uint64_t seed, std::uint64_t stream) {
    std::vector<double> times = first_times(rate_of(1.0), 1, seed, stream, kTimes);
    for (int i = kTimes - 1; i > 0; --i) times[i] -= times[i - 1];
    return times;
  };
  const std::vector<double> base = gaps(1, 1);
  EXPECT_EQ(base, gaps(1, 1));
  // A product of two independent exponential deviations has mean 0 and deviation 1 (in days^2).
  for (const auto& [seed, stream] : {std::array{1, 2}, std::array{2, 1}, std::array{2, 2}}) {
    const std::vector<double> other = gaps(seed, stream);
    double sum = 0.0;
    for (int i = 0; i < kTimes; ++i) sum += (base[i] / kDay - 1.0) * (other[i] / kDay - 1.0);
    EXPECT_LT(std::abs(sum), kSigmas * std::sqrt(kTimes)) << seed << ", " << stream;
  }
}

// Written down once: a change here changes the failures of every simulated run.
TEST(FailureProcess, KnownTimes) {
  EXPECT_EQ(first_times(rate_of(3300.0), 2048, 1, 0, 3),
            (std::vector<double>{80363.734005976672, 131688.81673246526, 408219.55261276278}));
  EXPECT_EQ(first_times(rate_of(1000.0, 1.5, 100.0), 256, 1, 0, 3),
            (std::vector<double>{405986.55913018435, 660559.73402465507, 1977176.0275011398}));
}

TEST(FailureProcess, NothingFailsWithoutComponentsOrWithoutEnd) {
  FailureRate never = rate_of(1.0);
  never.mtbf.value = Duration::infinity();
  never.shape.value = 0.5;
  EXPECT_EQ(FailureProcess(never, 10, 1, 1).next(), Duration::infinity());
  EXPECT_EQ(FailureProcess(rate_of(1.0), 0, 1, 1).next(), Duration::infinity());
  EXPECT_EQ(expected_failures(never, 10, 1.0_s), 0.0);
  Reliability fleet;
  EXPECT_EQ(mean_time_to_interruption(fleet, {4, 8, 8, 0}), Duration::infinity());
  fleet.failures = {never};
  EXPECT_EQ(mean_time_to_interruption(fleet, {4, 8, 8, 0}), Duration::infinity());
}

TEST(Interruptions, CountsOfComponents) {
  const FleetSize fleet{
      .num_nodes = 24, .accelerators_per_node = 8, .nics_per_node = 4, .num_storage_nodes = 10};
  EXPECT_EQ(num_components(Component::kAccelerator, fleet), 192);
  EXPECT_EQ(num_components(Component::kNic, fleet), 96);
  EXPECT_EQ(num_components(Component::kLink, fleet), 96);
  EXPECT_EQ(num_components(Component::kNode, fleet), 24);
  EXPECT_EQ(num_components(Component::kSoftware, fleet), 24);
  EXPECT_EQ(num_components(Component::kStorageNode, fleet), 10);
  const FleetSize huge{
      .num_nodes = 65536, .accelerators_per_node = 72, .nics_per_node = 72, .num_storage_nodes = 0};
  EXPECT_EQ(num_components(Component::kAccelerator, huge), 4'718'592);
}

TEST(Interruptions, AFleetHasAllPartsOfItsNodes) {
  core::ComputeNode rack;
  rack.num_accelerators.value = 72;
  rack.nics.count = 36;
  rack.num_trays = 18;
  const FleetSize fleet = fleet_of(rack, 10);
  EXPECT_EQ(num_components(Component::kAccelerator, fleet), 720);
  EXPECT_EQ(num_components(Component::kNic, fleet), 360);
  EXPECT_EQ(num_components(Component::kNode, fleet), 180);
  EXPECT_EQ(num_components(Component::kSoftware, fleet), 180);
  EXPECT_EQ(num_components(Component::kStorageNode, fleet), 0);
}

TEST(Interruptions, RatesAddUpAndStorageNodesDoNotCount) {
  Reliability fleet;
  fleet.failures = {rate_of(100.0), rate_of(400.0), rate_of(1.0)};
  fleet.failures[0].component = Component::kNode;
  fleet.failures[1].component = Component::kAccelerator;
  fleet.failures[2].component = Component::kStorageNode;
  const FleetSize job{
      .num_nodes = 10, .accelerators_per_node = 8, .nics_per_node = 8, .num_storage_nodes = 50};
  // 10 / 100 + 80 / 400 a day.
  EXPECT_NEAR(interruptions_per_second(fleet, job) * kDay, 0.3, 1e-15);
  EXPECT_NEAR(mean_time_to_interruption(fleet, job).base(), kDay / 0.3, 1e-9);
  EXPECT_NEAR(expected_interruptions(fleet, job, Duration::from_base(30.0 * kDay)), 9.0, 1e-13);
}

TEST(Interruptions, AgeingPartsFailAtTheRateOfTheirAge) {
  Reliability fleet;
  fleet.failures = {rate_of(1000.0, 2.0, 250.0)};
  const FleetSize job{
      .num_nodes = 100, .accelerators_per_node = 8, .nics_per_node = 8, .num_storage_nodes = 0};
  // 100 * (2 / 1000) * (250 / 1000) a day; over 500 days 100 * (0.75^2 - 0.25^2).
  EXPECT_NEAR(interruptions_per_second(fleet, job) * kDay, 0.05, 1e-14);
  EXPECT_NEAR(expected_interruptions(fleet, job, Duration::from_base(500.0 * kDay)), 50.0, 1e-10);
}

TEST(LemonNodes, AreAShareOfAllNodes) {
  const LemonNodes lemons{.share = {0.012, "test", true},
                          .mtbf = {Duration::from_base(2.5 * kDay), "test", true}};
  const FleetSize job{.num_nodes = 1000};
  double sum = 0.0;
  for (std::uint64_t stream = 0; stream < 400; ++stream) {
    sum += static_cast<double>(draw_lemons(lemons, job, 1, stream).size());
  }
  EXPECT_NEAR(sum / 400, 12.0, 4 * std::sqrt(12.0 / 400));
  EXPECT_TRUE(draw_lemons(lemons, {.num_nodes = 0}, 1, 0).empty());
}

/// A lemon that is removed behind its second failure: E min(N, 2) = 2 - (2 + m) exp(-m).
TEST(LemonNodes, AddTheirFailuresUntilTheyAreRemoved) {
  Reliability fleet;
  fleet.lemon_nodes = {.share = {0.5, "test", true},
                       .mtbf = {Duration::from_base(10 * kDay), "test", true}};
  const FleetSize job{.num_nodes = 8};
  const Duration month = Duration::from_base(30 * kDay);
  EXPECT_NEAR(interruptions_per_second(fleet, job) * kDay, 0.4, 1e-15);
  EXPECT_NEAR(expected_interruptions(fleet, job, month), 12.0, 1e-12);
  fleet.lemon_nodes->removed_after.value = 2;
  EXPECT_NEAR(expected_interruptions(fleet, job, month), 4 * (2 - 5 * std::exp(-3.0)), 1e-12);
  EXPECT_NEAR(expected_interruptions(fleet, job, month * 100.0), 8.0, 1e-12);
}

/// Ten nodes are in three racks of four; each rack fails once in 1,000 days.
TEST(FailureRate, OfRacksCountsRacks) {
  Reliability fleet;
  fleet.failures = {{.component = Component::kRack,
                     .mtbf = {Duration::from_base(1000 * kDay), "test", true},
                     .num_nodes = 4}};
  const FleetSize job{.num_nodes = 10, .trays_per_node = 18};
  EXPECT_EQ(num_components(fleet.failures[0], job), 3);
  EXPECT_NEAR(interruptions_per_second(fleet, job) * kDay, 3.0 / 1000, 1e-15);
  fleet.failures[0].num_nodes = 16;
  EXPECT_EQ(num_components(fleet.failures[0], job), 1);
  // A burst that takes several nodes is of as many parts as ever.
  fleet.failures[0].component = Component::kNode;
  EXPECT_EQ(num_components(fleet.failures[0], job), 180);
}

}  // namespace
}  // namespace railwright::models
