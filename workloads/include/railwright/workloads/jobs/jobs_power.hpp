// SPDX-License-Identifier: Apache-2.0
// Power of a cluster that several jobs share.
#pragma once

#include <optional>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/power/node_power.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/workloads/training/power_series.hpp"

namespace railwright::simulation {

/// Power from the start of the clock until the last job ends; means over replications. Powers by
/// part are the equipment's; powers of the whole, and the energy, are the building's: `pue` times
/// the equipment's. The nodes' mean has three terms, which add up to it.
struct JobsPower {
  core::Duration time;
  double pue = 1.0;
  double carbon_intensity = 0.0;  ///< g of CO2 a kilowatt-hour
  double clock = 1.0;             ///< of accelerators while computing, under a cap
  models::PowerByPart mean;
  models::PowerByPart peak;              ///< all nodes compute that have a job at the same time
  models::PowerByPart idle;              ///< no node computes
  core::Power in_steps;                  ///< of the mean: nodes whose job makes steps
  core::Power waiting;                   ///< nodes whose job waits: for data, storage, a restart
  core::Power without_job;               ///< spares, and nodes before, after or beside their jobs
  std::optional<PowerSeries> over_time;  ///< of the building, first replication, if traced

  [[nodiscard]] core::Power mean_power() const { return mean.equipment() * pue; }
  [[nodiscard]] core::Power peak_power() const { return peak.equipment() * pue; }
  [[nodiscard]] core::Power idle_power() const { return idle.equipment() * pue; }
  [[nodiscard]] core::Energy energy() const { return mean_power() * time; }
  [[nodiscard]] double carbon_kg() const { return models::carbon_kg(energy(), carbon_intensity); }
};

}  // namespace railwright::simulation
