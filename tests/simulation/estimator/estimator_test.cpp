// SPDX-License-Identifier: Apache-2.0
// Estimates from tables against those of the costs of each step.
#include "railwright/simulation/estimator/estimator.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "configurations.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {
namespace {

constexpr double kRounding = 1e-9;

bool divides(const CheckedScenario& base, const Configuration& configuration) {
  Scenario scenario = with_configuration(base, configuration).scenario;
  models::Layout layout;
  return models::make_layout(scenario.workload, scenario.parallelism, scenario.num_accelerators(),
                             layout)
      .empty();
}

TEST(Estimator, IsTheEstimateOfTheStepAndItsMemory) {
  core::RandomStream random(11);
  int num_estimates = 0;
  int num_refused = 0;
  for (const test::Job& job : test::jobs()) {
    Estimator estimator(job.base);
    const auto built = job.base.topology->build(job.base.scenario.cluster);
    for (int i = 0; i < 120; ++i) {
      const Configuration configuration = test::draw_configuration(job.base, random);
      const std::string where = job.name + ":" + test::to_text(configuration);
      const EstimateStatus status = estimator.prepare(configuration);
      const Estimate estimate = estimator.estimate(configuration);
      ASSERT_EQ(status, estimate.status) << where;
      ASSERT_NE(status, EstimateStatus::kNotPrepared) << where;
      if (status == EstimateStatus::kNotTogether) continue;
      EXPECT_EQ(status == EstimateStatus::kOk, divides(job.base, configuration)) << where;
      if (status != EstimateStatus::kOk) {
        ++num_refused;
        continue;
      }
      ++num_estimates;
      const CheckedScenario checked = with_configuration(job.base, configuration);
      const Breakdown expected = estimate_step(step_costs(checked, built.fabric));
      EXPECT_NEAR(estimate.step_time / expected.total(), 1.0, kRounding) << where;
      const auto& software = checked.scenario.software;
      const models::MemoryUse memory =
          models::largest_memory_use(checked.scenario.workload, checked.layout, software);
      EXPECT_NEAR(estimate.memory / memory.total(), 1.0, kRounding) << where;
      EXPECT_EQ(estimate.memory_stage, memory.stage) << where;
      estimator.prepare_calls(std::span(&configuration, 1));
      const MemoryEstimate before = estimator.memory(configuration);
      EXPECT_EQ(before.memory, estimate.memory) << where;
      EXPECT_EQ(before.fits, estimate.fits) << where;
      EXPECT_LE(before.min_step_time / estimate.step_time, 1.0 + kRounding) << where;
      for (const Transfers transfers : {Transfers::kSyncs, Transfers::kFewReplicas}) {
        estimator.prepare_least(transfers, std::span(&configuration, 1));
        const core::Duration least = estimator.least_step_time(transfers, configuration);
        EXPECT_GT(least, core::Duration()) << where;
        EXPECT_LE(least / estimate.step_time, 1.0 + kRounding) << where;
      }
      EXPECT_GE(estimator.least_step_time(Transfers::kFewReplicas, configuration) /
                    estimator.least_step_time(Transfers::kSyncs, configuration),
                1.0 - kRounding)
          << where;
    }
  }
  EXPECT_GT(num_estimates, 400);
  EXPECT_GT(num_refused, 200);
}

/// Collectives that keep replicas alike are shared between bounds: none may take another's.
TEST(Estimator, BoundsDoNotHangOnThoseBefore) {
  constexpr int kConfigurations = 24;
  core::RandomStream random(5);
  int num_bounds = 0;
  for (const test::Job& job : test::jobs()) {
    Estimator shared(job.base);
    for (int i = 0; i < kConfigurations; ++i) {
      const Configuration configuration = test::draw_configuration(job.base, random);
      Estimator fresh(job.base);
      for (const Transfers transfers : {Transfers::kFewReplicas, Transfers::kSyncs}) {
        for (Estimator* one : {&shared, &fresh}) {
          one->prepare_least(transfers, std::span(&configuration, 1));
        }
        const core::Duration least = fresh.least_step_time(transfers, configuration);
        if (least == core::Duration()) continue;
        ++num_bounds;
        EXPECT_NEAR(shared.least_step_time(transfers, configuration) / least, 1.0, kRounding)
            << job.name << ":" << test::to_text(configuration);
      }
    }
  }
  EXPECT_GT(num_bounds, 100);
}

TEST(Estimator, SharesItsEntriesBetweenConfigurations) {
  Estimator estimator(test::scenario(test::llama_2_70b()));
  Configuration configuration = configuration_of(test::scenario(test::llama_2_70b()));
  int num_configurations = 0;
  for (const int virtual_stages : {1, 2, 4, 5, 10, 20}) {
    for (const int zero_stage : {0, 1, 2}) {
      for (const auto recompute : {models::Recompute::kNone, models::Recompute::kFull}) {
        configuration.virtual_stages = virtual_stages;
        configuration.zero_stage = zero_stage;
        configuration.recompute = recompute;
        EXPECT_EQ(estimator.prepare(configuration), EstimateStatus::kOk);
        ++num_configurations;
      }
    }
  }
  estimator.prepare_calls(std::span(&configuration, 1));
  // Two of layers, six divisions, one layout, transfers of each stage of ZeRO, interleaved and not,
  // one of calls.
  EXPECT_EQ(num_configurations, 36);
  EXPECT_EQ(estimator.num_entries(), 2U + 6U + 1U + 6U + 1U);
  EXPECT_EQ(estimator.num_transfer_entries(), 6U);
}

/// Under ZeRO-3 weights are cast to fp8 in each micro-batch, else once a step.
TEST(Estimator, KeepsCastsOfZeroStagesApart) {
  const CheckedScenario base = test::scenario(test::join(
      {"software.precision=fp8", "software.reshard_after_forward=true"}, test::overlaps(false)));
  const auto built = base.topology->build(base.scenario.cluster);
  Configuration configuration = configuration_of(base);
  for (const auto& stages : {std::array{1, 3}, std::array{3, 1}}) {
    Estimator estimator(base);
    for (const int zero_stage : stages) {
      configuration.zero_stage = zero_stage;
      ASSERT_EQ(estimator.prepare(configuration), EstimateStatus::kOk);
      const auto checked = with_configuration(base, configuration);
      const Breakdown expected = estimate_step(step_costs(checked, built.fabric));
      EXPECT_NEAR(estimator.estimate(configuration).step_time / expected.total(), 1.0, kRounding)
          << zero_stage;
    }
  }
}

TEST(Estimator, KnowsTheMemoryBeforeAnyTransfer) {
  const CheckedScenario base = test::scenario(test::llama_2_70b());
  const Configuration configuration = configuration_of(base);
  Estimator estimator(base);
  EXPECT_EQ(estimator.memory(configuration).status, EstimateStatus::kNotPrepared);
  estimator.prepare_memory(std::span(&configuration, 1));
  const MemoryEstimate memory = estimator.memory(configuration);
  EXPECT_EQ(memory.status, EstimateStatus::kOk);
  EXPECT_TRUE(estimator.needs_transfers(configuration));
  EXPECT_TRUE(estimator.needs_least(Transfers::kSyncs, configuration));
  EXPECT_EQ(estimator.least_step_time(Transfers::kSyncs, configuration), core::Duration());
  EXPECT_EQ(estimator.estimate(configuration).status, EstimateStatus::kNotPrepared);
  estimator.prepare(std::span(&configuration, 1));
  EXPECT_FALSE(estimator.needs_transfers(configuration));
  EXPECT_EQ(estimator.estimate(configuration).memory, memory.memory);
}

TEST(Estimator, TakesNoLessThanComputationAndCallsAlone) {
  // One stage, nothing hidden: what is left keeps replicas alike.
  CheckedScenario base = test::scenario(test::overlaps(false));
  Configuration configuration = configuration_of(base);
  Estimator estimator(base);
  ASSERT_EQ(estimator.prepare(configuration), EstimateStatus::kOk);
  const Estimate estimate = estimator.estimate(configuration);
  Breakdown computation = estimate.breakdown;
  for (const Cause cause : {Cause::kGradientReduce, Cause::kParameterGather,
                            Cause::kPipelineTransfer, Cause::kOverhead}) {
    computation[cause] = {};
  }
  const auto min_time = [&] { return estimator.memory(configuration).min_step_time; };
  EXPECT_NEAR(min_time() / (computation.total() - computation[Cause::kTensorParallel]), 1.0,
              kRounding);
  estimator.prepare_calls(std::span(&configuration, 1));
  EXPECT_NEAR(min_time() / computation.total(), 1.0, kRounding);
}

TEST(Estimator, SaysWhyItCannot) {
  const CheckedScenario base = test::scenario(test::llama_2_70b());
  const Configuration sound = configuration_of(base);
  Estimator estimator(base);
  EXPECT_EQ(estimator.estimate(sound).status, EstimateStatus::kNotPrepared);
  EXPECT_EQ(estimator.prepare(sound), EstimateStatus::kOk);
  const auto status = [&](auto change) {
    Configuration configuration = sound;
    change(configuration);
    return estimator.prepare(configuration);
  };
  EXPECT_EQ(status([](Configuration& c) { c.pp = 3; }), EstimateStatus::kDoesNotDivide);
  EXPECT_EQ(status([](Configuration& c) { c.tp = 0; }), EstimateStatus::kDoesNotDivide);
  EXPECT_EQ(status([](Configuration& c) { c.tp = 5; }), EstimateStatus::kDoesNotDivide);
  EXPECT_EQ(status([](Configuration& c) { c.global_batch += 1; }), EstimateStatus::kDoesNotDivide);
  EXPECT_EQ(status([](Configuration& c) { c.virtual_stages = 3; }), EstimateStatus::kDoesNotDivide);
  EXPECT_EQ(status([](Configuration& c) { c.zero_stage = 3; }), EstimateStatus::kNotTogether);
  EXPECT_EQ(estimator.estimate(sound).status, EstimateStatus::kOk);
}

TEST(Estimator, FitsWhereTheMemoryOfTheDeviceIsEnough) {
  const CheckedScenario base = test::scenario();
  Configuration configuration = configuration_of(base);
  Estimator estimator(base);
  ASSERT_EQ(estimator.prepare(configuration), EstimateStatus::kOk);
  EXPECT_TRUE(estimator.estimate(configuration).fits);
  configuration.micro_batch = 9;
  ASSERT_EQ(estimator.prepare(configuration), EstimateStatus::kOk);
  const Estimate large = estimator.estimate(configuration);
  EXPECT_EQ(large.fits, large.memory <= base.scenario.cluster.node.accelerator.memory.value);
}

}  // namespace
}  // namespace railwright::simulation
