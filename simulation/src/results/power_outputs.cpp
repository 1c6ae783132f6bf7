// SPDX-License-Identifier: Apache-2.0
#include "power_outputs.hpp"

#include <string>

namespace railwright::simulation {

namespace {

template <class D>
Output output(const std::string& path, core::Quantity<D> value) {
  return {.path = path, .value = value.base()};
}

void add_parts(const std::string& path, const models::PowerByPart& power,
               std::vector<Output>& all) {
  all.push_back(output(path + ".nodes_w", power.nodes));
  all.push_back(output(path + ".switches_w", power.switches));
  all.push_back(output(path + ".transceivers_w", power.transceivers));
  all.push_back(output(path + ".storage_nodes_w", power.storage_nodes));
  all.push_back(output(path + ".cpu_nodes_w", power.cpu_nodes));
}

}  // namespace

std::vector<Output> outputs(const RunPower& power) {
  std::vector<Output> all;
  all.push_back(output("power.mean_power_w", power.mean_power()));
  all.push_back(output("power.peak_power_w", power.peak_power()));
  all.push_back(output("power.idle_power_w", power.idle_power()));
  all.push_back(output("power.node_step_w", power.node_step));
  all.push_back({.path = "power.clock", .value = power.node.clock});
  add_parts("power.mean", power.mean, all);
  add_parts("power.peak", power.peak, all);
  all.push_back(output("energy.energy_j", power.total_energy()));
  for (std::size_t i = 0; i < kNumRunCauses; ++i) {
    const std::string_view cause = kRunCauseNames[i];
    const std::string name(cause.substr(0, cause.size() - 2));
    all.push_back(output("energy." + name + "_j", power.energy[i]));
  }
  if (power.samples > 0.0) {
    all.push_back(output("energy.per_sample_j", power.total_energy() / power.samples));
  }
  if (power.tokens > 0.0) {
    all.push_back(output("energy.per_token_j", power.total_energy() / power.tokens));
  }
  return all;
}

std::vector<Output> outputs(const RunCost& cost) {
  const models::Ownership& ownership = cost.ownership;
  std::vector<Output> all = {output("cost.capital_usd", ownership.capital),
                             output("cost.electricity_usd", ownership.electricity),
                             output("cost.maintenance_usd", ownership.maintenance),
                             output("cost.staff_usd", ownership.staff),
                             output("cost.ownership_usd", ownership.total()),
                             output("cost.run_usd", cost.run),
                             output("cost.run_electricity_usd", cost.run_electricity),
                             output("cost.usd_per_million_samples", cost.per_million_samples)};
  if (cost.per_million_tokens > core::Money{}) {
    all.push_back(output("cost.usd_per_million_tokens", cost.per_million_tokens));
  }
  return all;
}

}  // namespace railwright::simulation
