// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/tree.hpp"

namespace railwright::planner {

struct FrontEndSwitches {
  std::vector<std::string> settings;  ///< none if the scenario's own switches suffice
  std::string missing;                ///< the shortfall that remains; "" if all can be plugged in
};

/// Returns the fewest front-end switches that all nodes and storage nodes can be plugged into; if
/// no number suffices, as many as help.
FrontEndSwitches front_end_switches(const core::Node& tree, const core::Catalogue& catalogue);

}  // namespace railwright::planner
