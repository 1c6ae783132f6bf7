// SPDX-License-Identifier: Apache-2.0
// Bounds that the goals of a cluster set to its steps and nodes, before anything is simulated.
#pragma once

#include <cstdint>
#include <optional>

#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/goals.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::simulation {
struct Scenario;
}  // namespace railwright::simulation

namespace railwright::planner {

/// Returns the steps that the tokens of the goals take, or those of the workload.
std::int64_t steps_of(const simulation::Goals& goals, const models::Training& workload);

/// Whether variants differ in samples or sites, so that they share no limit per sample.
bool changes_samples(const simulation::Scenario& scenario);

/// Returns the factor on the time of the predicted steps that is not exceeded at the confidence of
/// the goals.
double site_factor_of(const simulation::Scenario& scenario);

/// Returns the longest step time per sample that keeps the deadline without checkpoints and
/// failures. Below a confidence of 0.5 there is no such limit, since their spread helps there.
std::optional<core::Duration> max_time_per_sample(const simulation::Scenario& scenario);

/// Returns a lower bound: fewer nodes take longer than that per sample even at the highest rate.
/// Variants of anything but the layout share no bound.
double min_nodes_for(core::Duration time_per_sample, const simulation::CheckedScenario& checked);

}  // namespace railwright::planner
