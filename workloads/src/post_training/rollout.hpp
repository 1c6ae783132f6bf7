// SPDX-License-Identifier: Apache-2.0
// The rollout: samples that replicas generate all at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/workloads/post_training/post_training.hpp"
#include "railwright/workloads/post_training/post_training_scenario.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

/// Simulates the samples on all replicas of the rollout's nodes, with the division that takes the
/// shortest time. `held` is what the trainer keeps on each accelerator meanwhile. Adds why none
/// fits to `reasons`.
std::optional<Rollout> simulate_rollout(const CheckedPostTraining& checked,
                                        const core::Fabric& fabric, core::DataSize held,
                                        std::vector<std::string>& reasons);

}  // namespace railwright::simulation
