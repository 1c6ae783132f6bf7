// SPDX-License-Identifier: Apache-2.0
// `explain`: what limits a step, by how much, and what comes next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::planner {

/// Sensitivity of a step time T to one rate or latency of the scenario, all else unchanged.
struct Elasticity {
  std::string path;      ///< "cluster.node.nics.nic.line_rate"
  bool is_time = false;  ///< a latency: faster is shorter
  double gain = 0.0;     ///< share of T saved by 1 % faster
  double loss = 0.0;     ///< share of T added by 1 % slower
  /// ln(T slower / T faster) / (2 ln 1.01). The elasticities of all rates and latencies add up to
  /// 1, since T halves if all of them are twice as fast. Two rates that bound the same transfer
  /// gain nothing alone but both lose: each has half.
  double elasticity = 0.0;

  /// Whether 1 % faster saves less than a tenth of what 1 % slower adds: then something else
  /// limits.
  [[nodiscard]] bool gains_nothing_alone() const;
};

/// The step after its largest limit is lifted.
struct NextLimit {
  std::vector<std::string> lifted;  ///< made a thousand times faster; several where they tie
  core::Duration step_time;
  std::string next;  ///< the largest elasticity then
  double elasticity = 0.0;
};

/// A run with one piece of equipment down from the start.
struct Outage {
  std::string what;
  std::string why_not;  ///< empty where the job still runs
  core::Duration step_time;
  core::Duration training_time;
};

/// Smaller elasticities are not listed.
inline constexpr double kMinListed = 5e-4;

struct Explanation {
  std::string name;
  simulation::Method method = simulation::Method::kSimulate;
  std::vector<std::string> infeasible;
  std::string limit;  ///< the limit in words, as in `simulate`
  core::Duration step_time;
  core::Duration training_time;
  simulation::Breakdown breakdown;
  std::vector<Elasticity> elasticities;  ///< without zeros, largest first
  double sum = 0.0;                      ///< sum of all elasticities
  std::optional<NextLimit> next;
  std::vector<Outage> outages;

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  /// Explains a sum that is more than 2 % off 1; empty for any other.
  [[nodiscard]] std::string sum_note() const;
  /// Explains why rates with an elasticity of at least `least` save nothing alone; empty if none
  /// do.
  [[nodiscard]] std::string tie_note(double least) const;
};

/// Runs the step again with rates and latencies of cluster, software and installation 1 % faster
/// and 1 % slower: first with those of a whole part of the scenario, then, where that matters to
/// the closed form or to `method`, with those of its parts. Throws ConfigError.
Explanation explain(const core::Node& tree, const core::Catalogue& catalogue,
                    simulation::Method method = simulation::Method::kSimulate, int num_threads = 0,
                    const ProgressFunction& progress = {});

}  // namespace railwright::planner
