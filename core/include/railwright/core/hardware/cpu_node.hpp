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

  static constexpr auto fields();
};

}  // namespace railwright::core
