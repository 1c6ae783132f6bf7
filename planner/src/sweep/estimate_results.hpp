// SPDX-License-Identifier: Apache-2.0
// Turns estimates of configurations of one job into results.
#pragma once

#include <vector>

#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/workloads/training/step_facts.hpp"

namespace railwright::planner {

/// Makes the results of `simulate --estimate`, without sentences and offload. Thread-safe.
class EstimateResults {
 public:
  /// Both arguments must outlive this.
  EstimateResults(const simulation::CheckedScenario& checked,
                  const topologies::BuiltCluster& built);

  /// Returns the result that all configurations share, for `set` to complete.
  [[nodiscard]] simulation::SimulationResult base() const { return base_; }
  /// Writes a configuration's numbers into a result of `base`. Throws core::Error.
  void set(const simulation::Configuration& c, const simulation::Estimate& estimate, bool with_run,
           simulation::SimulationResult& result) const;

 private:
  void set_work(const simulation::Configuration& c, simulation::SimulationResult& result) const;
  void set_run(const simulation::Configuration& c, simulation::SimulationResult& result) const;

  const simulation::CheckedScenario& checked_;
  const topologies::BuiltCluster& built_;
  simulation::SimulationResult base_;
  std::vector<simulation::StepWork> work_;  ///< per sample, by recompute mode
  std::int64_t tokens_per_sample_ = 0;
  bool is_plain_run_ = false;  ///< steps and nothing else
};

}  // namespace railwright::planner
