// SPDX-License-Identifier: Apache-2.0
// A busy link in words.
#pragma once

#include <fmt/format.h>

#include <string>

#include "railwright/planner/step/link_loads.hpp"

namespace railwright::planner {

/// "node 3 NIC 2 -> leaf 1 and 7 alike".
inline std::string with_alike(const LinkLoad& link) {
  if (link.multiplicity == 1) return link.name;
  return fmt::format("{} and {} alike", link.name, link.multiplicity - 1);
}

}  // namespace railwright::planner
