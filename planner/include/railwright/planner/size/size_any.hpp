// SPDX-License-Identifier: Apache-2.0
// `size` for whatever is asked of in nodes or storage nodes alone.
#pragma once

#include <optional>

#include "railwright/planner/size/sized_scenario.hpp"

namespace railwright::planner {

/// Sizes a service, a queue of jobs or the storage of several jobs, as the keys tell; nothing for
/// other kinds of scenario.
std::optional<SizedScenario> size_any(const core::Node& tree, const core::Catalogue& catalogue,
                                      const SizeOptions& options = {});

}  // namespace railwright::planner
