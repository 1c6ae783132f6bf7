// SPDX-License-Identifier: Apache-2.0
// The keys of cpu_node.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/cpu_node.hpp"
#include "railwright/core/hardware/node_fields.hpp"

namespace railwright::core {

constexpr auto CpuNode::fields() {
  return field_list(field("name", &CpuNode::name, "Name in the catalogue."),
                    field("description", &CpuNode::description, "The node in words."),
                    field("front_end", &CpuNode::front_end, "Its NICs on the front-end network."),
                    field("rack_units", &CpuNode::rack_units, "Height.", at_least(1)),
                    field("power", &CpuNode::power, "Mean power in use.", positive));
}

}  // namespace railwright::core
