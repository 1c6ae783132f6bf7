// SPDX-License-Identifier: Apache-2.0
// Cost of a cluster, and of a run on it, by the prices of a scenario.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/workloads/training/run_power.hpp"

namespace railwright::simulation {

struct Scenario;

/// The run on rented nodes, spares too, by their price an hour.
struct RentedRun {
  std::string_view way;  ///< "on_demand", "reserved" or "spot"
  core::Duration time;   ///< of the run; spot nodes are taken back meanwhile
  core::Money cost;
};

struct RunCost {
  std::string prices;  ///< source and date of the prices; "" if they do not say
  models::Ownership ownership;
  core::Money run;                 ///< the run's share of `ownership`
  core::Money run_electricity;     ///< cost of the run's own energy, included in `run`
  core::Money per_million_tokens;  ///< 0 for images
  core::Money per_million_samples;
  std::vector<RentedRun> rented;  ///< ways that have a price
};

/// Computes the cost; `scenario` must have prices. While no job runs, nodes idle.
RunCost run_cost(const Scenario& scenario, const core::PartsList& parts, const RunPower& power);

/// Returns the rent prices of the scenario's node; null if there are none.
const models::RentPrices* rent_of(const Scenario& scenario);

/// Returns the scenario with nodes that are taken back as often as spot nodes are, a failure of a
/// node each; nothing if its node has no spot price, or none is ever taken back.
std::optional<Scenario> with_spot_nodes(const Scenario& scenario);

/// Adds the run on spot nodes, which takes `time`; needs their price.
void add_spot(const Scenario& scenario, core::Duration time, RunCost& cost);

}  // namespace railwright::simulation
