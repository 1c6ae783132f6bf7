// SPDX-License-Identifier: Apache-2.0
// What the keys of an estimator's tables leave out of each setting must not matter to the entries.
#include "railwright/simulation/estimator/knobs.hpp"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "configurations.hpp"

namespace railwright::simulation {
namespace {

constexpr double kLastDigits = 1e-12;

/// Some numbers of a knob: the least, and others that often divide.
template <class T, class Place>
std::vector<std::int64_t> some_numbers(const Knob<T, Place>& knob) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : {0, 1, 2, 4, 8, 64}) {
    const bool has_row = knob.kind != KnobKind::kSchedule || number < 2;
    if (number >= knob.least && number <= knob.most && has_row) numbers.push_back(number);
  }
  return numbers;
}

struct Estimated {
  Estimate estimate;
  MemoryEstimate memory;
};

Estimated prepared(Estimator& estimator, const Configuration& c) {
  estimator.prepare(c);
  estimator.prepare_calls(std::span(&c, 1));
  return {.estimate = estimator.estimate(c), .memory = estimator.memory(c)};
}

void expect_same(const Estimated& shared, const Estimated& alone, const std::string& where) {
  ASSERT_EQ(shared.estimate.status, alone.estimate.status) << where;
  if (alone.estimate.status != EstimateStatus::kOk) return;
  EXPECT_NEAR(shared.estimate.step_time / alone.estimate.step_time, 1.0, kLastDigits) << where;
  EXPECT_EQ(shared.estimate.memory, alone.estimate.memory) << where;
  EXPECT_NEAR(shared.memory.min_step_time / alone.memory.min_step_time, 1.0, kLastDigits) << where;
}

/// A setting that is forgotten in a key gets the entry of another value.
TEST(Knobs, AreInTheKeysOfAllThatDependsOnThem) {
  core::RandomStream random(23);
  int num_estimates = 0;
  for (const test::Job& job : test::jobs()) {
    for (int draw = 0; draw < 3; ++draw) {
      const Configuration first = test::draw_configuration(job.base, random);
      Estimator shared(job.base);
      prepared(shared, first);
      for_each_knob([&](const auto& knob) {
        for (const std::int64_t number : some_numbers(knob)) {
          Configuration c = first;
          knob.set_number(c, number);
          Estimator alone(job.base);
          const Estimated expected = prepared(alone, c);
          expect_same(prepared(shared, c), expected, job.name + ":" + test::to_text(c));
          num_estimates += expected.estimate.status == EstimateStatus::kOk ? 1 : 0;
        }
      });
    }
  }
  EXPECT_GT(num_estimates, 500);
}

TEST(Knobs, AreCopiedBetweenScenariosAndConfigurations) {
  const CheckedScenario base = test::scenario({"workload.model=mixtral-8x7b"});
  for_each_knob([&](const auto& knob) {
    for (const std::int64_t number : some_numbers(knob)) {
      Configuration c = configuration_of(base);
      knob.set_number(c, number);
      Scenario scenario = base.scenario;
      knob.copy(c, scenario);
      Configuration again;
      knob.copy(scenario, again);
      EXPECT_EQ(knob.number(again), number) << knob.key;
      KnobNumbers expected = numbers_of(configuration_of(base));
      KnobNumbers got = numbers_of(configuration_of(
          {.scenario = scenario, .layout = {}, .topology = {}, .traits = {}, .basis = {}}));
      int num_different = 0;
      for (std::size_t i = 0; i < kNumKnobs; ++i) num_different += got[i] == expected[i] ? 0 : 1;
      // An etp that is not given follows tp.
      EXPECT_LE(num_different, knob.key == "parallelism.tp" ? 2 : 1) << knob.setting(c);
    }
  });
}

}  // namespace
}  // namespace railwright::simulation
