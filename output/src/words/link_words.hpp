// SPDX-License-Identifier: Apache-2.0
// A busy link in words.
#pragma once

#include <fmt/format.h>

#include <string>

#include "railwright/simulation/step/link_loads.hpp"

namespace railwright::output {

/// Returns "node 3 NIC 2 -> leaf 1 (and 7 identical links)".
inline std::string with_alike(const simulation::LinkLoad& link) {
  if (link.multiplicity == 1) return link.name;
  return fmt::format("{} (and {} identical links)", link.name, link.multiplicity - 1);
}

}  // namespace railwright::output
