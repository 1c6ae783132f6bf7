// SPDX-License-Identifier: Apache-2.0
// Changes of one key of a training job that keep its model, batch and number of accelerators.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

struct Change {
  std::string setting;  ///< as for `--set`
  std::function<void(simulation::Scenario&)> apply;
};

/// Returns the changes to try, of which some may be illegal: twice and half the micro-batch and
/// each dimension of parallelism, other ZeRO stages, less recompute, overlaps that are off.
std::vector<Change> changes_of_job(const simulation::Scenario& scenario);

/// Returns twice the NICs of a node, if there are accelerators for them; else nothing.
std::vector<Change> changes_of_nics(const simulation::Scenario& scenario);

}  // namespace railwright::planner
