// SPDX-License-Identifier: Apache-2.0
// Training times of a job under changes, in closed form, which say which of them to simulate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "changes.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/progress.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::planner {

/// A change and the training time that it is estimated to give.
struct RankedChange {
  std::string setting;
  core::Duration training_time;
};

/// Changes that are estimated to shorten the training, the shortest first.
struct RankedChanges {
  int num_tried = 0;   ///< legal changes that fit into memory
  core::Duration now;  ///< training time without a change, estimated as theirs
  std::vector<RankedChange> faster;
};

/// Estimates a job as it is and with changes: its step in closed form, and the run of such steps
/// with its checkpoints and reads of data but without failures, whose times are drawn by chance.
class ChangeTrials {
 public:
  /// `catalogue` must outlive this object. Throws ConfigError.
  ChangeTrials(const core::Node& tree, const core::Catalogue& catalogue);

  [[nodiscard]] const simulation::Scenario& scenario() const { return own_.scenario; }
  [[nodiscard]] RankedChanges ranked(const std::vector<simulation::Change>& changes,
                                     const ProgressFunction& progress) const;

 private:
  [[nodiscard]] std::optional<core::Duration> estimate(const simulation::Change& change) const;
  [[nodiscard]] bool has_other_cluster(const simulation::Scenario& scenario) const;

  simulation::ScenarioSource source_;
  simulation::CheckedScenario own_;
  topologies::BuiltCluster built_;
};

}  // namespace railwright::planner
