// SPDX-License-Identifier: Apache-2.0
// Kind of scenario: post-training.
#pragma once

#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"
#include "railwright/workloads/post_training/post_training_scenario_fields.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

struct PostTrainingKind {
  using Scenario = PostTrainingScenario;
  using Result = PostTrainingResult;

  static constexpr KindFacts kFacts{
      .key = "post_training",
      .says = "post-training",
      .goals = {
          {{"shortest_step", "shortest step", "step_time_s", NumberFormat::kTime, true},
           {"min_idle", "least idle accelerators", "idle_fraction", NumberFormat::kShare, true}}}};

  static auto read(const core::Node& tree, const core::Catalogue& catalogue) {
    return read_post_training(tree, catalogue);
  }
  static Result simulate(const CheckedPostTraining& checked, const SimulateOptions& how) {
    return simulation::simulate(checked, how);
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return complete_post_training(tree, catalogue);
  }
  static const Numbers<Result>& numbers() { return post_training_numbers(); }
};

}  // namespace railwright::simulation
