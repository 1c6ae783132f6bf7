// SPDX-License-Identifier: Apache-2.0
// What a training row is, read from its scenario.
#pragma once

#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::validation {

/// `tree` is the scenario that `checked` was read from, `source` where its figure stands.
TrainingFacts training_facts(const simulation::CheckedScenario& checked, core::Node tree,
                             const std::string& source);

/// A row's model-FLOPs utilization if a step takes `seconds`.
double utilization(const TrainingFacts& facts, double seconds);

/// Whether a row is of the time of a training step, not of a difference or ratio of two.
bool is_training_step(const ValidationCase& c);

/// What a draw takes as one: rows of a model on a device are near-duplicates of one another.
std::string configuration_of(const std::string& model, const std::string& device);

}  // namespace railwright::validation
