// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/power/power_by_part.hpp"

namespace railwright::models {

PowerByPart power_by_part(const core::PartsList& parts, const core::NodePowerByPart& nodes) {
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

}  // namespace railwright::models
