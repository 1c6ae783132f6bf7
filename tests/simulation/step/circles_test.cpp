// SPDX-License-Identifier: Apache-2.0
// Ranks that call each other begin together and end together, however fast each of them computes.
#include <gtest/gtest.h>

#include <string>

#include "../../support/scenario.hpp"
#include "fold_checks.hpp"
#include "railwright/simulation/step/step.hpp"

namespace railwright::simulation {
namespace {

using test::BuiltScenario;

/// Mixtral on four nodes, with nothing hidden behind computation.
test::Settings mixtral(const std::string& parallelism, const std::string& faults = {}) {
  test::Settings settings =
      test::join({"workload={model: mixtral-8x7b, sequence_length: 4096, global_batch: 128, "
                  "micro_batch: 1, steps: 1}",
                  "cluster.nodes=4", "cluster.node.accelerator.memory={value: 1 TB, source: test}",
                  "parallelism={" + parallelism + "}"},
                 test::overlaps(false));
  if (!faults.empty()) settings.push_back("cluster.faults={nodes_slow: [" + faults + "]}");
  return settings;
}

double computation(const Breakdown& breakdown) {
  return (breakdown[Cause::kMatrixProducts] + breakdown[Cause::kAttention] +
          breakdown[Cause::kElementwise] + breakdown[Cause::kKernelGaps] +
          breakdown[Cause::kOptimizer])
      .base();
}

class Circles : public ::testing::TestWithParam<std::string> {};

// Each pass computes twice as long on the slow node, and nobody goes on without it.
TEST_P(Circles, WaitForTheirSlowestMember) {
  const StepResult sound = simulate_step(BuiltScenario(mixtral(GetParam())).costs);
  const StepResult slow =
      simulate_step(BuiltScenario(mixtral(GetParam(), "{node: 1, speed: 0.5}")).costs);
  const double more = computation(sound.breakdown);
  EXPECT_NEAR((slow.step_time - sound.step_time).base(), more, 0.02 * more);
}

TEST_P(Circles, WaitAlikeFoldedAndUnfolded) {
  test_fold::expect_same_step(BuiltScenario(mixtral(GetParam(), "{node: 1, speed: 0.5}")),
                              GetParam());
}

INSTANTIATE_TEST_SUITE_P(Step, Circles,
                         ::testing::Values("ep: 8", "ep: 8, rank_order: ep-dp-tp-cp-pp",
                                           "tp: 2, ep: 8, etp: 1, sequence_parallel: true",
                                           "tp: 2, cp: 4, ep: 8, etp: 1, sequence_parallel: true",
                                           "cp: 8, ep: 2"));

/// What experts compute and exchange grows with the fullest rank; all else stays.
TEST(ExpertImbalance, CostsWhatExpertsTakeAndNothingElse) {
  const auto step = [](const std::string& imbalance) {
    return simulate_step(BuiltScenario(test::join(mixtral("ep: 8"),
                                                  {"workload.expert_imbalance=" + imbalance}))
                             .costs)
        .breakdown;
  };
  const Breakdown even = step("1");
  const Breakdown half = step("1.5");
  const Breakdown twice = step("2");
  const auto more = [&](Cause cause, const Breakdown& than) {
    return (than[cause] - even[cause]).base();
  };
  EXPECT_NEAR(more(Cause::kExpertParallel, twice) / even[Cause::kExpertParallel].base(), 0.9, 0.1);
  EXPECT_NEAR(more(Cause::kExpertParallel, half) / more(Cause::kExpertParallel, twice), 0.5, 0.05);
  EXPECT_GT(more(Cause::kMatrixProducts, twice), more(Cause::kMatrixProducts, half));
  EXPECT_GT(more(Cause::kMatrixProducts, half), 0.0);
  EXPECT_LT(more(Cause::kMatrixProducts, twice), even[Cause::kMatrixProducts].base());
  EXPECT_NEAR(more(Cause::kAttention, twice), 0.0, 1e-9);
  // One rank gets at most what all eight do.
  EXPECT_EQ(step("20").total(), step("8").total());
}

TEST(CirclesOfClasses, OneOperationMovesThePartsOfAll) {
  const BuiltScenario built(mixtral("ep: 8", "{node: 1, speed: 0.5}"));
  const Program program = make_program(built.costs);
  const GroupCalls& calls = built.costs.calls[static_cast<std::size_t>(LayerCall::kExpert)];
  std::size_t num_parts = 0;
  for (const Op& op : program.ops) {
    if (op.kind != OpKind::kExpertParallel) continue;
    EXPECT_EQ(program.groups_of(op).size(), 8U);
    const std::int32_t own = calls.circles[static_cast<std::size_t>(op.group)];
    for (const std::int32_t group : program.groups_of(op)) {
      EXPECT_EQ(calls.circles[static_cast<std::size_t>(group)], own);
    }
    ++num_parts;
  }
  EXPECT_GT(num_parts, 0U);
}

}  // namespace
}  // namespace railwright::simulation
