// SPDX-License-Identifier: Apache-2.0
// `simulate` for whatever a scenario describes.
#pragma once

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::simulation {

/// Returns the keys of the kind of scenario that `tree` describes.
core::Description describe_any(const core::Node& tree);

/// Simulates the kind of scenario that its keys tell. Throws ConfigError with every problem.
AnyResult simulate(const core::Node& tree, const core::Catalogue& catalogue,
                   const SimulateOptions& options = {});

}  // namespace railwright::simulation
