// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/run_cost.hpp"

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

core::Money rent_for(const Scenario& scenario, models::MoneyRate each, core::Duration time) {
  return each * time * (scenario.cluster.num_nodes + scenario.run.num_spares);
}

}  // namespace

const models::RentPrices* rent_of(const Scenario& scenario) {
  if (!scenario.prices) return nullptr;
  const auto found = scenario.prices->rent.find(scenario.cluster.node.name);
  return found == scenario.prices->rent.end() ? nullptr : &found->second;
}

std::optional<Scenario> with_spot_nodes(const Scenario& scenario) {
  const models::RentPrices* rent = rent_of(scenario);
  if (rent == nullptr || !rent->spot || !rent->spot_interruption || !scenario.reliability)
    return {};
  Scenario spot = scenario;
  spot.reliability->failures.push_back({.component = models::Component::kNode,
                                        .mtbf = {*rent->spot_interruption, "prices.rent", false}});
  return spot;
}

void add_spot(const Scenario& scenario, core::Duration time, RunCost& cost) {
  const models::RentPrices& rent = *rent_of(scenario);
  cost.rented.push_back({"spot", time, rent_for(scenario, *rent.spot, time)});
}

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
  if (const models::RentPrices* rent = rent_of(scenario)) {
    const auto add = [&](std::string_view way, const std::optional<models::MoneyRate>& each) {
      if (each) cost.rented.push_back({way, power.time, rent_for(scenario, *each, power.time)});
    };
    add("on_demand", rent->on_demand);
    add("reserved", rent->reserved);
    if (rent->spot && !rent->spot_interruption) add("spot", rent->spot);
  }
  return cost;
}

}  // namespace railwright::simulation
