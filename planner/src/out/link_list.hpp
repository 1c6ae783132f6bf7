// SPDX-License-Identifier: Apache-2.0
// The busiest links, the same way wherever they are handed out.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "railwright/planner/step/link_loads.hpp"

namespace railwright::planner {

/// "node 3 NIC 2 -> leaf 1 and 7 alike".
inline std::string with_alike(const LinkLoad& link) {
  if (link.multiplicity == 1) return link.name;
  return fmt::format("{} and {} alike", link.name, link.multiplicity - 1);
}

inline nlohmann::ordered_json links_json(const std::vector<LinkLoad>& links) {
  auto list = nlohmann::ordered_json::array();
  for (const LinkLoad& link : links) {
    list.push_back({{"name", link.name},
                    {"tier", core::to_string(link.tier)},
                    {"utilization", link.utilization},
                    {"bytes", link.bytes.base()},
                    {"multiplicity", link.multiplicity}});
  }
  return list;
}

}  // namespace railwright::planner
