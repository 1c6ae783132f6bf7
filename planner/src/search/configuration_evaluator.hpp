// SPDX-License-Identifier: Apache-2.0
// Evaluates configurations of a scenario under one variant and one rank order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "shapes.hpp"

namespace railwright::planner {

/// A shape without the points that are left out.
struct ShapePart {
  const Shape& shape;
  const std::vector<bool>& left_out;  ///< by point of one batch; empty: none
};

/// Evaluates configurations of one base scenario, from the tables of an Estimator if these cover
/// it. Else computes the costs of each step: offload, prompts, vision models, split backward
/// passes.
class ConfigurationEvaluator {
 public:
  ConfigurationEvaluator(simulation::CheckedScenario base, std::string variant,
                         std::vector<std::string> settings);

  [[nodiscard]] const simulation::CheckedScenario& base() const { return base_; }
  [[nodiscard]] const std::string& variant() const { return variant_; }
  /// Changes to the scenario, as for `--set`.
  [[nodiscard]] const std::vector<std::string>& settings() const { return settings_; }

  void prepare_memory(std::span<const ShapePart> shapes, int num_threads);
  [[nodiscard]] simulation::MemoryEstimate memory(
      const simulation::Configuration& configuration) const;
  /// Makes calls, which raise the lower bound of step times that `memory` returns.
  void prepare_calls(std::span<const simulation::Configuration> configurations, int num_threads);
  /// Makes these transfers, for `least_step_time`.
  void prepare_least(simulation::Transfers transfers,
                     std::span<const simulation::Configuration> configurations, int num_threads);
  [[nodiscard]] bool needs_least(simulation::Transfers transfers,
                                 const simulation::Configuration& configuration) const;
  /// Returns a lower bound of the estimate's step time; zero if it is not prepared.
  [[nodiscard]] core::Duration least_step_time(
      simulation::Transfers transfers, const simulation::Configuration& configuration) const;
  [[nodiscard]] bool needs_transfers(const simulation::Configuration& configuration) const;
  void prepare(std::span<const simulation::Configuration> configurations, int num_threads);
  [[nodiscard]] simulation::Estimate estimate(const simulation::Configuration& configuration) const;
  [[nodiscard]] std::int64_t num_transfers() const;

 private:
  simulation::CheckedScenario base_;
  std::string variant_;
  std::vector<std::string> settings_;
  std::optional<simulation::Estimator> tables_;  // or `built_` alone
  std::optional<topologies::BuiltCluster> built_;
};

}  // namespace railwright::planner
