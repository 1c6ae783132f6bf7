// SPDX-License-Identifier: Apache-2.0
// Cost of a cluster, and of a run on it, by the prices of a scenario.
#pragma once

#include <string>

#include "railwright/core/parts_list.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/workloads/training/run_power.hpp"

namespace railwright::simulation {

struct Scenario;

struct RunCost {
  std::string prices;  ///< source and date of the prices; "" if they do not say
  models::Ownership ownership;
  core::Money run;                 ///< the run's share of `ownership`
  core::Money run_electricity;     ///< cost of the run's own energy, included in `run`
  core::Money per_million_tokens;  ///< 0 for images
  core::Money per_million_samples;
};

/// Computes the cost; `scenario` must have prices. While no job runs, nodes idle.
RunCost run_cost(const Scenario& scenario, const core::PartsList& parts, const RunPower& power);

}  // namespace railwright::simulation
