// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/compute/orthogonalization.hpp"

#include <gtest/gtest.h>

#include "../../support/scenario.hpp"
#include "../memory_line.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::models {
namespace {

using test::line;

const test::Settings kMuon{"software.optimizer=muon"};

Orthogonalization of_first_stage(const simulation::CheckedScenario& checked) {
  const simulation::Scenario& s = checked.scenario;
  return orthogonalization_of_stage(s.running_accelerator(), s.workload, checked.layout, s.software,
                                    0);
}

/// Matrices of a layer of Llama 2 7B on one of two ranks of tensor parallelism, smaller side first.
TEST(Muon, TakesFiveStepsOfThreeProducts) {
  const auto operations = [](double m, double n) { return 5.0 * (4 * m * m * n + 2 * m * m * m); };
  const double of_layer = operations(4096, 6144) + operations(2048, 4096) +
                          operations(4096, 11008) + operations(4096, 5504);
  const auto checked = test::scenario(kMuon);
  const Orthogonalization all = of_first_stage(checked);
  const double at_peak = 32 * of_layer / 989.4e12;
  EXPECT_GT(all.dense.base(), at_peak);
  EXPECT_LT(all.dense.base(), 2.0 * at_peak) << "little else, and not far from the peak";
  EXPECT_EQ(all.expert, core::Duration{});
  EXPECT_GT(all.longest.base(), operations(4096, 11008) / 989.4e12);
  EXPECT_EQ(of_first_stage(test::scenario()).dense, core::Duration{}) << "Adam has none";
}

TEST(Muon, ReplicasDivideWholeMatrices) {
  const auto checked = test::scenario(kMuon);
  const Orthogonalization all = of_first_stage(checked);
  const Layout& layout = checked.layout;
  EXPECT_EQ(on_fullest_rank(all, layout, false), all.dense);
  EXPECT_DOUBLE_EQ(on_fullest_rank(all, layout, true).base(), all.dense.base() / layout.dp);
  Layout many = layout;
  many.zero_group = 10'000;
  EXPECT_EQ(on_fullest_rank(all, many, true), all.longest);
}

TEST(Muon, ItsTimeIsPartOfTheStep) {
  const test::Settings even{"software.compute_efficiency=1", "software.jitter=0"};
  const test::BuiltScenario adam(even);
  const test::BuiltScenario muon(test::join(kMuon, even));
  const core::Duration beyond = muon.costs.stages[0].optimizer - adam.costs.stages[0].optimizer;
  EXPECT_NEAR(beyond / on_fullest_rank(of_first_stage(muon.checked), muon.checked.layout, true),
              1.0, 1e-9);
}

/// An fp32 weight and one moment of matrices, a second moment of embedding, head and norms.
TEST(Muon, KeepsOneNumberBesideAMatrix) {
  const auto checked = test::scenario(kMuon);
  const double matrices = 32.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) / 2;
  const double others = (2.0 * 32000 * 4096) / 2 + 65 * 4096;
  const MemoryUse use =
      memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software, 0);
  EXPECT_DOUBLE_EQ(line(use, "optimizer_state"), (8 * matrices + 12 * others) / 8);
}

TEST(Muon, ExpertsComeOneAfterAnother) {
  const auto with = [](const std::string& ep) {
    return of_first_stage(
        test::scenario({"software.optimizer=muon", "workload.model=mixtral-8x7b", "cluster.nodes=4",
                        "parallelism.tp=1", "parallelism.pp=4", "parallelism.ep=" + ep}));
  };
  EXPECT_DOUBLE_EQ(with("1").expert.base(), 8 * with("8").expert.base());
  EXPECT_EQ(with("1").dense, with("8").dense);
}

TEST(Muon, RefusesWhatMegatronDoes) {
  for (const char* setting :
       {"software.zero_stage={value: 2, source: test}",
        "software.precision={value: fp16, source: test}", "workload.lora={rank: 8}"}) {
    EXPECT_THROW(test::scenario(test::join(kMuon, {setting})), core::ConfigError) << setting;
  }
}

}  // namespace
}  // namespace railwright::models
