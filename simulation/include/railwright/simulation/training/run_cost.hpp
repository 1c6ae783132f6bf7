// SPDX-License-Identifier: Apache-2.0
// What a cluster costs, and a run on it, by the prices of a scenario.
#pragma once

#include <string>

#include "railwright/core/parts_list.hpp"
#include "railwright/models/cost/ownership.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/training/run_power.hpp"

namespace railwright::simulation {

struct RunCost {
  std::string prices;  ///< whose they are, and of when; "" where the prices do not say
  models::Ownership ownership;
  core::Money run;                 ///< the run's share of it
  core::Money run_electricity;     ///< of the run's own energy, which is part of that
  core::Money per_million_tokens;  ///< 0 of images
  core::Money per_million_samples;
};

/// `scenario` has prices. While no job runs, nodes idle.
RunCost run_cost(const Scenario& scenario, const core::PartsList& parts, const RunPower& power);

}  // namespace railwright::simulation
