// SPDX-License-Identifier: Apache-2.0
// A node without accelerators: control plane, data preparation, login.
#pragma once

#include <string>
#include <string_view>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/hardware/node.hpp"

namespace railwright::core {

struct CpuNode {
  static constexpr std::string_view kKind = "cpu_nodes";

  std::string name;
  std::string description;
  NicSet front_end;
  Sourced<int> rack_units;
  Sourced<Power> power;

  static constexpr auto fields() {
    return field_list(field("name", &CpuNode::name, "Name in the catalogue."),
                      field("description", &CpuNode::description, "The node in words."),
                      field("front_end", &CpuNode::front_end, "Its NICs on the front-end network."),
                      field("rack_units", &CpuNode::rack_units, "Height.", at_least(1)),
                      field("power", &CpuNode::power, "Mean power in use.", positive));
  }
};

}  // namespace railwright::core
