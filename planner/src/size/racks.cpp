// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/racks.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

namespace {

int racks_of(double amount, double of_one) { return static_cast<int>(std::ceil(amount / of_one)); }

}  // namespace

Racks racks_for(const simulation::Scenario& scenario, const simulation::SimulationResult& result,
                const simulation::Rack& rack) {
  const core::ComputeNode& node = scenario.cluster.node;
  const int num_nodes = scenario.cluster.num_nodes + scenario.run.num_spares;
  const models::PowerByPart& peak = result.power->peak;
  const core::Power each = result.power->node.of(models::Activity::kCompute);
  Racks racks;
  const auto by_power = static_cast<int>(rack.power / each);
  racks.nodes_per_rack = std::min(rack.units / std::max(1, node.rack_units.value), by_power);
  if (racks.nodes_per_rack == 0) return racks;
  racks.of_nodes = racks_of(num_nodes, racks.nodes_per_rack);
  const int units_left =
      result.parts.rack_units() - scenario.cluster.num_nodes * node.rack_units.value;
  const core::Power power_left = peak.equipment() - peak.nodes.total();
  racks.of_others =
      std::max(racks_of(units_left, rack.units), racks_of(power_left / rack.power, 1.0));
  racks.largest = each * static_cast<double>(std::min(racks.nodes_per_rack, num_nodes));
  if (racks.of_others > 0) {
    racks.largest = std::max(racks.largest, power_left / static_cast<double>(racks.of_others));
  }
  return racks;
}

}  // namespace railwright::planner
