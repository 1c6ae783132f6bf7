// SPDX-License-Identifier: Apache-2.0
// Kind of scenario: one training job.
#pragma once

#include "railwright/core/config/writer.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/step_range.hpp"

namespace railwright::simulation {

struct TrainingKind {
  using Result = SimulationResult;
  using Scenario = simulation::Scenario;
  struct Checked {
    const core::Node* tree;
    const core::Catalogue* catalogue;
    CheckedScenario scenario;
  };

  static constexpr KindFacts kFacts{
      .key = "workload",
      .says = "a training job",
      .goals = {
          {{"shortest_step", "shortest step", "step_time_s", NumberFormat::kTime, true},
           {"max_throughput", "most samples/s", "samples_per_s", NumberFormat::kPlain, false}}}};

  static Checked read(const core::Node& tree, const core::Catalogue& catalogue) {
    return {&tree, &catalogue, read_scenario(tree, catalogue)};
  }
  static Result simulate(const Checked& checked, const SimulateOptions& how) {
    Result result = simulate_with_unstated(checked.scenario, *checked.catalogue, how);
    if (result.feasible()) {
      widen_by(step_ranges(*checked.tree, *checked.catalogue, checked.scenario, result), result);
    }
    return result;
  }
  static Result simulate_point(const Checked& checked, const PointOptions& how) {
    const CheckedScenario& scenario = checked.scenario;
    const SimulateOptions options{.method = how.method};
    if (how.with_run) return simulation::simulate(scenario, options);
    return simulate_without_run(scenario, scenario.topology->build(scenario.scenario.cluster),
                                options);
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return core::to_node(read_scenario(tree, catalogue).scenario);
  }
  static const Numbers<Result>& numbers() { return result_numbers(); }
};

}  // namespace railwright::simulation
