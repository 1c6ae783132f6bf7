// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/reliability/checkpoint_interval.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "../../support/checkpoint_waste.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/core/units/literals.hpp"

namespace railwright::models {
namespace {

using namespace core::literals;  // NOLINT(google-build-using-namespace)
using core::Duration;

Duration seconds(double value) { return Duration::from_base(value); }

/// Expected time of one second of work, with tau of it between checkpoints of delta, restarts of
/// `restart` and exponential failures of mean 1 (Daly's expression).
double time_of_a_second(double tau, double delta, double restart) {
  return std::exp(restart) * std::expm1(tau + delta) / tau;
}

/// The interval of the least expected time, by scanning.
double best_by_scan(double delta) {
  double best = 0.0;
  double least = 1e300;
  for (int i = 1; i < 30'000; ++i) {
    const double tau = i * 1e-4;
    const double time = time_of_a_second(tau, delta, 0.1);
    if (time < least) {
      least = time;
      best = tau;
    }
  }
  return best;
}

/// Time of a job that computes for `work` under exponential failures of mean 1, drawn.
double drawn_time(double work, double interval, double restart, core::RandomStream& random) {
  double time = 0.0;
  double done = 0.0;
  double overhead = 0.0;
  while (done < work) {
    const double failure = random.exponential(1.0);
    const double left = work - done;
    if (failure >= overhead + left) return time + overhead + left;
    time += failure;
    const double computed = std::max(0.0, failure - overhead);
    done += std::floor(computed / interval) * interval;
    overhead = restart;
  }
  return time;
}

TEST(ExpectedTime, IsTheMeanOfDraws) {
  core::RandomStream random(7);
  for (const auto& [work, interval, restart] :
       {std::array{3.0, 1.0, 0.5}, std::array{2.7, 0.4, 0.0}, std::array{0.6, 5.0, 1.0}}) {
    constexpr int kDraws = 40'000;
    double sum = 0.0;
    for (int i = 0; i < kDraws; ++i) sum += drawn_time(work, interval, restart, random);
    const double expected =
        expected_time(seconds(work), seconds(interval), seconds(restart), 1.0_s).base();
    EXPECT_NEAR(sum / kDraws / expected, 1.0, 0.03) << work;
  }
}

TEST(ExpectedTime, KnowsItsLimits) {
  const Duration never = Duration::infinity();
  EXPECT_EQ(expected_time(10.0_s, 3.0_s, 1.0_s, never), 10.0_s);
  EXPECT_EQ(expected_time(0.0_s, 3.0_s, 1.0_s, seconds(1e-9)), 0.0_s);
  EXPECT_EQ(expected_time(10.0_s, 3.0_s, 1.0_s, seconds(1e-9)), never);
  EXPECT_EQ(expected_time(10.0_s, seconds(3e9), 0.0_s, seconds(1e-9)), never);
}

TEST(CheckpointInterval, YoungByHand) {
  // 208 s and 44 days: sqrt(2 * 208 * 3,801,600) = 39,767.645 s.
  EXPECT_NEAR(young_interval(208.0_s, seconds(44.0 * 86400.0)).base(), 39767.645, 0.001);
  EXPECT_NEAR(young_interval(2.0_s, 100.0_s).base(), 20.0, 1e-12);
}

TEST(CheckpointInterval, DalyByHand) {
  // 20 * (1 + 0.1 / 3 + 0.02 / 18) - 2.
  EXPECT_NEAR(daly_interval(2.0_s, 100.0_s).base(), 18.688888888888889, 1e-12);
  EXPECT_EQ(daly_interval(200.0_s, 100.0_s), 100.0_s);
  EXPECT_EQ(daly_interval(500.0_s, 100.0_s), 100.0_s);
}

// The minimum by scanning in steps of 1e-4 of the mean time to interruption.
TEST(CheckpointInterval, DalyIsTheMinimumOfTheExpectedTime) {
  for (const double ratio : {0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5}) {
    const double best = best_by_scan(ratio);
    const double mtti = 11000.0;
    const double daly = daly_interval(seconds(ratio * mtti), seconds(mtti)).base() / mtti;
    EXPECT_NEAR(daly / best, 1.0, 0.01) << ratio;
  }
}

TEST(CheckpointInterval, YoungIsTheMinimumOfTheFirstOrderWaste) {
  const Duration best = young_interval(60.0_s, 10000.0_s);
  const auto waste = [](Duration interval) {
    return expected_waste(interval, 60.0_s, 300.0_s, 10000.0_s);
  };
  EXPECT_LT(waste(best), waste(best * 1.01));
  EXPECT_LT(waste(best), waste(best * 0.99));
  // sqrt(2 * 60 / 10,000) of checkpoints and lost training, 300 / 10,000 of restarts.
  EXPECT_NEAR(waste(best), std::sqrt(0.012) + 0.03, 1e-15);
}

TEST(CheckpointInterval, EffectiveTrainingTimeHasItsLimits) {
  const Duration never = Duration::infinity();
  EXPECT_EQ(effective_training_time_ratio(100.0_s, 0.0_s, 600.0_s, never), 1.0);
  // Nothing fails: checkpoints alone, 25 of 125 s.
  EXPECT_NEAR(effective_training_time_ratio(100.0_s, 25.0_s, 600.0_s, never), 0.8, 1e-15);
  // Free checkpoints: (600 + 100 / 2) of 13,000 s are lost.
  EXPECT_NEAR(effective_training_time_ratio(100.0_s, 0.0_s, 600.0_s, 13000.0_s), 0.95, 1e-15);
  EXPECT_NEAR(effective_training_time_ratio(100.0_s, 25.0_s, 600.0_s, 13000.0_s), 0.76, 1e-15);
  EXPECT_EQ(effective_training_time_ratio(100.0_s, 25.0_s, 600.0_s, 300.0_s), 0.0);
}

TEST(CheckpointInterval, RatioAndWasteAgreeWhereLittleIsLost) {
  const double waste = expected_waste(1000.0_s, 1.0_s, 10.0_s, seconds(1e6));
  const double ratio = effective_training_time_ratio(1000.0_s, 1.0_s, 10.0_s, seconds(1e6));
  EXPECT_NEAR(1.0 - ratio, waste, waste * waste);
}

}  // namespace
}  // namespace railwright::models
