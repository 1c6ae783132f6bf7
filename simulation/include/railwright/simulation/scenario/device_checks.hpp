// SPDX-License-Identifier: Apache-2.0
// Checks of what the scenario, its stack or its site expects and an accelerator does not do.
#pragma once

#include <vector>

#include "railwright/core/config/tree.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/models/software/collectives.hpp"
#include "railwright/models/software/recompute.hpp"

namespace railwright::models {
struct SoftwareProfile;
}  // namespace railwright::models

namespace railwright::simulation {

struct Scenario;

/// Tells the stack the accelerators that it runs on.
void tell_accelerator(const core::Accelerator& accelerator, models::CollectiveTuning& library);
void tell_accelerator(const core::Accelerator& accelerator, models::SoftwareProfile& software);

/// Checks that the library at `key` has numbers for the accelerators, and that the algorithm it
/// names can run on them.
std::vector<core::Problem> library_problems(const std::string& key,
                                            const core::ComputeNode& compute_node,
                                            const models::CollectiveTuning& library);

/// Returns the installation's compute_efficiency at which products run at the peak of the
/// accelerator.
double fastest_site(const Scenario& scenario);

/// Reports the keys of a cluster in `tree` that change nothing.
std::vector<core::Problem> idle_keys(const core::Node& tree);

/// Checks a scenario; `tree` has its keys as they were written.
std::vector<core::Problem> device_problems(const core::Node& tree, const Scenario& scenario);

/// Checks `software` with `zero_stage` and `recompute` in place of its own.
std::vector<core::Problem> software_problems(const models::SoftwareProfile& software,
                                             int zero_stage, models::Recompute recompute, int pp);

}  // namespace railwright::simulation
