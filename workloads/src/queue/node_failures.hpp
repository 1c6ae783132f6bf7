// SPDX-License-Identifier: Apache-2.0
// Failures of the nodes of a queue's cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/core/sim/random.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "scheduler.hpp"

namespace railwright::simulation {

/// Failures of all components of a cluster, each on a node drawn at random, and of its lemon nodes.
/// What takes several nodes down takes those of a group, side by side, at one time.
class NodeFailures {
 public:
  NodeFailures(const std::optional<models::Reliability>& reliability,
               const models::FleetSize& fleet, std::uint64_t seed);

  /// Returns the next failure, never before the last one; an infinite time once there are none.
  NodeFailure next();

 private:
  struct Source {
    models::FailureProcess process;
    bool needs_repair = true;
    int num_nodes = 1;  ///< that one failure takes, side by side
    std::optional<double> repair;
    double next = 0.0;
  };

  struct Lemon {
    models::LemonNode lemon;
    double next = 0.0;
  };

  NodeFailure next_of(Lemon& lemon) const;

  core::RandomStream nodes_;
  int num_nodes_;
  int trays_per_node_;
  std::vector<Source> sources_;
  NodeFailure together_;  ///< the last failure, of nodes that fail together
  int num_together_ = 0;  ///< further nodes of it
  models::LemonNodes lemon_nodes_;
  std::vector<Lemon> lemons_;
};

}  // namespace railwright::simulation
