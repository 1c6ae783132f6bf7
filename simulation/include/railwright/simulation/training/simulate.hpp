// SPDX-License-Identifier: Apache-2.0
// `simulate`: one scenario in, its times, memory, storage load and limits out.
#pragma once

#include "railwright/simulation/training/simulation_result.hpp"

namespace railwright::simulation {

struct SimulateOptions {
  Method method = Method::kSimulate;
  Symmetry symmetry = Symmetry::kFolded;
  bool trace = false;  ///< of kSimulate: a trace of the step, and spans of the run
};

SimulationResult simulate(const CheckedScenario& checked, const SimulateOptions& options = {});

/// The same but for `run`: what does not fit, and the step.
SimulationResult simulate_without_run(const CheckedScenario& checked,
                                      const topologies::BuiltCluster& built,
                                      const SimulateOptions& options = {});

}  // namespace railwright::simulation
