// SPDX-License-Identifier: Apache-2.0
// What an accelerator does not do, though the scenario, its stack or its site says so.
#pragma once

#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

/// Lets the stack know the accelerators that it runs on.
void tell_accelerator(const core::Accelerator& accelerator, models::CollectiveTuning& library);
void tell_accelerator(const core::Accelerator& accelerator, models::SoftwareProfile& software);

/// The library at `key` has numbers for the accelerators, and the algorithm that it names can run
/// on them.
std::vector<models::LayoutProblem> library_problems(const std::string& key,
                                                    const core::ComputeNode& compute_node,
                                                    const models::CollectiveTuning& library);

/// The installation's compute_efficiency at which products run at the peak of the accelerator.
double fastest_site(const Scenario& scenario);

/// Keys of a cluster in `tree` that change nothing.
std::vector<models::LayoutProblem> idle_keys(const core::Node& tree);

/// Of a scenario whose keys are in `tree`, as it was written.
std::vector<models::LayoutProblem> device_problems(const core::Node& tree,
                                                   const Scenario& scenario);

}  // namespace railwright::simulation
