// SPDX-License-Identifier: Apache-2.0
// Phrases about a training job that its verdict and its tables share.
#pragma once

#include <string>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::output {

/// "16 accelerators = tp 2 x dp 8".
std::string division_text(const simulation::SimulationResult& result);
/// "2 x xe9680-h100, "; empty without nodes of a catalogue entry.
std::string nodes_text(const core::PartsList& parts);
/// Returns the name of the first kind of node; empty without any.
std::string node_name(const core::PartsList& parts);
/// "with            576 x connectx-7, 12 x qm9700": the line of the parts that people count; empty
/// without any.
std::string other_parts(const core::PartsList& parts);
/// "500 steps and 5 checkpoints".
std::string work_done(const simulation::SimulationResult& result);
/// "3.78 s (simulated), 156,146 tokens/s, MFU 45.5 %".
std::string step_text(const simulation::SimulationResult& result);
/// Returns the 80 % interval of the training time: the spread between sites combined with that of
/// failures.
std::string training_interval(const simulation::SimulationResult& result);
/// Does so for one of several jobs; `step` is the interval of its step.
std::string training_interval(const simulation::JobRun& run, const simulation::StepInterval& step);
/// "estimated: 360 published runs of h100-sxm, ...".
std::string basis_text(const simulation::Basis& basis);

}  // namespace railwright::output
