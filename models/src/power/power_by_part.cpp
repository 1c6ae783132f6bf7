// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/power/power_by_part.hpp"

namespace railwright::models {

PowerByPart power_by_part(const core::PartsList& parts, const NodePowerByPart& nodes) {
  PowerByPart power;
  power.nodes = nodes;
  for (const core::SwitchTier& tier : parts.fabric.switches) power.switches += tier.power;
  for (const core::CableRun& run : parts.fabric.cables) power.transceivers += run.power;
  for (const core::Part& part : parts.parts) {
    if (part.kind == "storage_node") power.storage_nodes += part.power;
    if (part.kind == "cpu_node") power.cpu_nodes += part.power;
    // Switches of the network between storage nodes; all others are in a tier of the fabric.
    if (part.kind == "switch") power.switches += part.power;
  }
  return power;
}

void add_node_power(const core::ComputeNode& node, core::PartsList& parts) {
  const core::Power each = node_power_by_part(node, Activity::kCompute).total();
  for (core::Part& part : parts.parts) {
    if (part.kind == "node") part.power = each * part.count;
  }
}

}  // namespace railwright::models
