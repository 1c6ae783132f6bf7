// SPDX-License-Identifier: Apache-2.0
// Power and energy of a cluster that one job runs on.
#pragma once

#include <array>
#include <optional>

#include "railwright/core/parts_list.hpp"
#include "railwright/models/power/node_power.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/step/breakdown.hpp"
#include "railwright/workloads/training/power_series.hpp"

namespace railwright::simulation {

struct Scenario;

/// Returns the activity of a node while a step spends time on a cause. Gaps between kernels are too
/// short for its power to fall; a pipeline bubble is spent in a receive that polls.
models::Activity activity_of(Cause cause);

/// Whether nodes draw the power of a step meanwhile; else they idle.
bool is_like_steps(RunCause cause);

/// Returns the mean power of a node over a step.
models::NodePowerByPart power_in_a_step(const models::NodePower& node, const Breakdown& breakdown);

/// Means over replications. Powers by part are the equipment's; powers of the whole, and energies,
/// are the building's: `pue` times the equipment's.
struct RunPower {
  models::NodePower node;
  core::Power node_step;     ///< mean of one node over a step
  models::PowerByPart step;  ///< mean over a step
  models::PowerByPart mean;
  models::PowerByPart peak;              ///< all nodes compute
  models::PowerByPart idle;              ///< no node computes
  std::optional<PowerSeries> over_step;  ///< of the building, in a traced step
  double pue = 1.0;
  double liquid_cooled_share = 0.0;                  ///< of the heat of nodes
  double carbon_intensity = 0.0;                     ///< g of CO2 a kilowatt-hour
  std::array<core::Energy, kNumRunCauses> energy{};  ///< indexed by RunCause
  core::Duration time;
  double tokens = 0.0;   ///< tokens that the run trains on; 0 for images
  double samples = 0.0;  ///< sequences or images

  [[nodiscard]] core::Energy total_energy() const;
  [[nodiscard]] core::Power mean_power() const { return mean.equipment() * pue; }
  [[nodiscard]] core::Power peak_power() const { return peak.equipment() * pue; }
  [[nodiscard]] core::Power idle_power() const { return idle.equipment() * pue; }
  /// Returns by how much the power falls where training stops: for a checkpoint or by a failure.
  [[nodiscard]] core::Power stop_swing() const { return step.equipment() * pue - idle_power(); }
  /// Returns what liquid takes away while all nodes compute.
  [[nodiscard]] core::Power to_liquid() const { return peak.nodes.total() * liquid_cooled_share; }
  [[nodiscard]] double carbon_kg() const;
};

/// Computes power and energy. Steps, including lost and slow ones, and evaluations draw the mean
/// power of a step; the rest of a run, and spare nodes, draw idle power.
RunPower run_power(const Scenario& scenario, const core::PartsList& parts,
                   const Breakdown& breakdown, const JobRun& run);

/// Computes power and energy of a run that consists of its steps alone.
RunPower power_of_steps(const Scenario& scenario, const core::PartsList& parts,
                        const Breakdown& breakdown);

}  // namespace railwright::simulation
