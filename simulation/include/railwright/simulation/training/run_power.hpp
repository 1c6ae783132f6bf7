// SPDX-License-Identifier: Apache-2.0
// Power and energy of a cluster that one job runs on.
#pragma once

#include <array>

#include "railwright/core/parts_list.hpp"
#include "railwright/models/power/node_power.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/breakdown.hpp"

namespace railwright::simulation {

/// What a node does while a step spends time on a cause. Gaps between kernels are too short for
/// its power to fall; a pipeline bubble is spent in a receive that polls.
models::Activity activity_of(Cause cause);

/// Means over replicas. Powers by part are of the equipment; those of the whole, and energies, are
/// the building's: `pue` times the equipment's.
struct RunPower {
  models::NodePower node;
  core::Power node_step;  ///< mean of one node over a step
  models::PowerByPart mean;
  models::PowerByPart peak;  ///< all nodes compute
  models::PowerByPart idle;  ///< none does
  double pue = 1.0;
  std::array<core::Energy, kNumRunCauses> energy{};  ///< by what the run does
  core::Duration time;
  double tokens = 0.0;   ///< that the run trains on; 0 of images
  double samples = 0.0;  ///< sequences or images

  [[nodiscard]] core::Energy total_energy() const;
  [[nodiscard]] core::Power mean_power() const { return mean.equipment() * pue; }
  [[nodiscard]] core::Power peak_power() const { return peak.equipment() * pue; }
  [[nodiscard]] core::Power idle_power() const { return idle.equipment() * pue; }
};

/// Steps, lost and slow ones too, and evaluations draw the mean of a step; all else of a run, and
/// spare nodes, what an idle node draws.
RunPower run_power(const Scenario& scenario, const core::PartsList& parts,
                   const Breakdown& breakdown, const JobRun& run);

/// As run_power, of a run that is its steps alone.
RunPower power_of_steps(const Scenario& scenario, const core::PartsList& parts,
                        const Breakdown& breakdown);

}  // namespace railwright::simulation
