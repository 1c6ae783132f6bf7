// SPDX-License-Identifier: Apache-2.0
// Reads the properties of a training row from its scenario.
#pragma once

#include "railwright/core/config/tree.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::simulation {
struct CheckedScenario;
}  // namespace railwright::simulation

namespace railwright::validation {

/// Reads the facts. `tree` is the source of `checked`, `source` the reference of the figure.
TrainingFacts training_facts(const simulation::CheckedScenario& checked, core::Node tree,
                             const std::string& source);

/// Returns a row's model-FLOPs utilization if a step takes `seconds`.
double utilization(const TrainingFacts& facts, double seconds);

/// Whether a row is the time of a training step, predicted or calibrated; not a derived figure, a
/// bound or an input.
bool is_training_step(const ValidationCase& c);

/// Names rows that a draw keeps together: those of a model on a device are near-duplicates.
std::string configuration_of(const std::string& model, const std::string& device);

}  // namespace railwright::validation
