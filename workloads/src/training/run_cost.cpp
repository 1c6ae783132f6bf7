// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/run_cost.hpp"

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

RunCost run_cost(const Scenario& scenario, const core::PartsList& parts, const RunPower& power) {
  const models::Prices& prices = *scenario.prices;
  const double busy = prices.utilization;
  RunCost cost;
  cost.prices = prices.description;
  cost.ownership = models::cost_of_ownership(
      prices, models::purchases(parts, scenario.cluster.node, scenario.run.num_spares),
      power.mean_power() * busy + power.idle_power() * (1.0 - busy));
  cost.run = models::share_of_ownership(prices, cost.ownership.total(), power.time);
  if (prices.electricity) cost.run_electricity = *prices.electricity * power.total_energy();
  if (power.tokens > 0.0) cost.per_million_tokens = cost.run * (1e6 / power.tokens);
  if (power.samples > 0.0) cost.per_million_samples = cost.run * (1e6 / power.samples);
  return cost;
}

}  // namespace railwright::simulation
