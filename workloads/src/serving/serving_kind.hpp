// SPDX-License-Identifier: Apache-2.0
// Kind of scenario: a model that answers requests.
#pragma once

#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "railwright/workloads/serving/serving_fields.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

struct ServingKind {
  using Scenario = InferenceScenario;
  using Result = InferenceResult;

  static constexpr KindFacts kFacts{
      .key = "inference",
      .says = "nodes that answer requests",
      .goals = {{{"min_nodes", "fewest nodes", "num_nodes", NumberFormat::kCount, true},
                 {"max_throughput", "most tokens/s an accelerator", "accelerator_tokens_per_s",
                  NumberFormat::kPlain, false}}},
      .has_fabric = false};

  static auto read(const core::Node& tree, const core::Catalogue& catalogue) {
    return read_inference(tree, catalogue);
  }
  static Result simulate(const CheckedInference& checked, const SimulateOptions&) {
    return simulation::simulate(checked);
  }
  static Result simulate_point(CheckedInference& checked, const PointOptions& how) {
    if (!how.with_run) checked.inference.load.reset();
    return simulation::simulate(checked);
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return complete_inference(tree, catalogue);
  }
  static const Numbers<Result>& numbers() { return serving_numbers(); }
};

}  // namespace railwright::simulation
