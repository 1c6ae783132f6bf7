// SPDX-License-Identifier: Apache-2.0
// Whether the kind of a scenario may have nodes of several kinds.
#pragma once

#include <string>

#include "railwright/core/config/tree.hpp"

namespace railwright::simulation {

/// Throws ConfigError for a cluster of several kinds of nodes (`cluster.pools`) unless the scenario
/// is of several jobs. The message says what to ask instead: `instead_of_training` of a training
/// job, or if that is empty, the job as one of a list.
void check_kind_has_pools(const core::Node& tree, std::string instead_of_training = {});

}  // namespace railwright::simulation
