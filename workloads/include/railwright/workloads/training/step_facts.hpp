// SPDX-License-Identifier: Apache-2.0
// Facts of a step that a simulation and a sweep of estimates both state.
#pragma once

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/parallelism/parallelism.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::topologies {
struct BuiltCluster;
}  // namespace railwright::topologies

namespace railwright::models {
struct SoftwareProfile;
}  // namespace railwright::models

namespace railwright::simulation {

/// Work of a step, by what is counted.
struct StepWork {
  core::Work model;
  core::Work causal;    ///< attention counted half
  core::Work hardware;  ///< with recomputation
};
StepWork step_work(const models::Training& training, const models::Layout& layout,
                   const models::SoftwareProfile& software);

/// Returns the facts of a design that do not depend on its step, except memory and bisection.
SimulationResult facts_of_design(const CheckedScenario& checked,
                                 const topologies::BuiltCluster& built);

/// Sets interval, throughput and utilization of a result that has its step time, its batch and its
/// accelerators.
void set_step_facts(const Scenario& scenario, const StepWork& work, SimulationResult& result);

/// Adds what does not fit in the run of a result, and the run's power and cost.
void finish_run(const Scenario& scenario, const core::PartsList& parts, SimulationResult& result);

}  // namespace railwright::simulation
