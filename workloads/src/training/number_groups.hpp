// SPDX-License-Identifier: Apache-2.0
// The groups of numbers that the table of numbers consists of, and the parts of a result that they
// are about.
#pragma once

#include "railwright/simulation/results/result_number.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::simulation {

/// Finds a part of the result of training.
template <class Part>
using PartOfTraining = PartOf<SimulationResult, Part>;

/// A design, even an infeasible one.
inline constexpr PartOfTraining<SimulationResult> kDesign{
    [](const SimulationResult& result) { return &result; }};
/// A step, or all steps.
inline constexpr PartOfTraining<SimulationResult> kStep{
    [](const SimulationResult& result) { return result.feasible() ? &result : nullptr; }};
/// The run of the job.
inline constexpr PartOfTraining<JobRun> kJob{
    [](const SimulationResult& result) {
      return result.feasible() && !result.run.jobs.empty() ? &result.run.job() : nullptr;
    },
    true};
/// The storage cluster.
inline constexpr PartOfTraining<StorageRun> kStorage{
    [](const SimulationResult& result) {
      const bool has_storage = result.feasible() && result.run.storage.num_nodes > 0;
      return has_storage ? &result.run.storage : nullptr;
    },
    true};
/// A design with its run.
inline constexpr PartOfTraining<SimulationResult> kRun{
    [](const SimulationResult& result) {
      return result.feasible() && !result.run.jobs.empty() ? &result : nullptr;
    },
    true};

/// Accelerators, batch, layout, bubble.
Numbers<SimulationResult> work_numbers();
/// Memory of an accelerator, and state that a node keeps outside it.
Numbers<SimulationResult> memory_numbers();
/// Switches, ports, oversubscription; storage's capacity.
Numbers<SimulationResult> cluster_numbers();

/// The step's time and its interval.
Numbers<SimulationResult> step_time_numbers();
/// Throughput, utilization, the step by cause, the loads of links.
Numbers<SimulationResult> step_numbers();

/// The time of the run by cause, failures, checkpoint intervals.
Numbers<JobRun> run_numbers();
/// Checkpoints, restores and reads of samples.
Numbers<JobRun> transfer_numbers();
/// Checkpoints on the nodes' local tiers.
Numbers<JobRun> local_numbers();

/// Storage nodes that each target needs.
Numbers<SimulationResult> need_numbers();

Numbers<SimulationResult> power_numbers();

}  // namespace railwright::simulation
