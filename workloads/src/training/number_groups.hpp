// SPDX-License-Identifier: Apache-2.0
// The groups of numbers that the table of numbers consists of.
#pragma once

#include <vector>

#include "railwright/simulation/results/result_number.hpp"

namespace railwright::simulation {

/// Accelerators, batch, layout, bubble.
std::vector<ResultNumber> work_numbers();
/// Memory of an accelerator, and state that a node keeps outside it.
std::vector<ResultNumber> memory_numbers();
/// Switches, ports, oversubscription; storage's capacity.
std::vector<ResultNumber> cluster_numbers();

/// The step's time and its interval.
std::vector<ResultNumber> step_time_numbers();
/// Throughput, utilization, the step by cause, the loads of links.
std::vector<ResultNumber> step_numbers();

/// The time of the run by cause, failures, checkpoint intervals.
std::vector<ResultNumber> run_numbers();
/// Checkpoints, restores and reads of samples.
std::vector<ResultNumber> transfer_numbers();
/// Checkpoints on the nodes' local tiers.
std::vector<ResultNumber> local_numbers();

/// Load of the storage cluster over a run.
std::vector<ResultNumber> storage_numbers();
/// Storage nodes that each target needs.
std::vector<ResultNumber> need_numbers();

std::vector<ResultNumber> power_numbers();
std::vector<ResultNumber> cost_numbers();

}  // namespace railwright::simulation
