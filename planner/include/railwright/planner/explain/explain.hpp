// SPDX-License-Identifier: Apache-2.0
// `explain`: what limits a step, by how much, and what comes next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/training/simulate.hpp"

namespace railwright::planner {

/// How a step time T follows one rate or one latency of the scenario, all else as it is.
struct Elasticity {
  std::string path;      ///< "cluster.node.nics.nic.line_rate"
  bool is_time = false;  ///< a latency: faster is shorter
  double gain = 0.0;     ///< share of T that 1 % faster saves
  double loss = 0.0;     ///< share of T that 1 % slower adds
  /// ln(T slower / T faster) / (2 ln 1.01): over all rates and latencies they add up to 1, since T
  /// halves where all of them are twice as fast. Of two rates that both bound the same transfer,
  /// neither gains alone and either loses: each has half.
  double elasticity = 0.0;

  /// Whether 1 % faster saves less than a tenth of what 1 % slower adds: something else limits
  /// then.
  [[nodiscard]] bool gains_nothing_alone() const;
};

/// The step once what limits it most is no limit any more.
struct NextLimit {
  std::vector<std::string> lifted;  ///< made a thousand times faster; several where they tie
  core::Duration step_time;
  std::string next;  ///< the largest elasticity then
  double elasticity = 0.0;

  /// Whether 1 % faster saves less than a tenth of what 1 % slower adds: something else limits
  /// then.
  [[nodiscard]] bool gains_nothing_alone() const;
};

/// One piece of equipment down from the start.
struct Outage {
  std::string what;
  std::string why_not;  ///< empty where the job still runs
  core::Duration step_time;
  core::Duration training_time;
};

struct Explanation {
  std::string name;
  simulation::Method method = simulation::Method::kSimulate;
  std::vector<std::string> infeasible;
  std::string limit;  ///< in words, as `simulate` says it
  core::Duration step_time;
  core::Duration training_time;
  simulation::Breakdown breakdown;
  std::vector<Elasticity> elasticities;  ///< that are not zero; the largest first
  double sum = 0.0;                      ///< of all elasticities
  std::optional<NextLimit> next;
  std::vector<Outage> outages;

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  /// What a sum that is more than 2 % off 1 means; empty of any other.
  [[nodiscard]] std::string sum_note() const;
  /// Why rates of an elasticity of at least `least` save nothing alone; empty where none is such.
  [[nodiscard]] std::string tie_note(double least) const;
};

/// Runs the scenario again with each rate and latency of cluster, software and installation 1 %
/// faster and 1 % slower: by the estimate for all of them, by `method` for those that matter, and
/// by events for the others together and then by halves, so that none is missed that the closed
/// form calls nothing. Throws ConfigError.
Explanation explain(const core::Node& tree, const core::Catalogue& catalogue,
                    simulation::Method method = simulation::Method::kSimulate, int num_threads = 0,
                    const ProgressFunction& progress = {});

}  // namespace railwright::planner
