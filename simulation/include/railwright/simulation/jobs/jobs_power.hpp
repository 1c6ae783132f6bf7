// SPDX-License-Identifier: Apache-2.0
// Power of a cluster that several jobs share.
#pragma once

#include <optional>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/training/power_series.hpp"

namespace railwright::simulation {

/// Power of the equipment, from the start of the clock until the last job ends; means over
/// replications. The nodes' mean has three terms, which add up to it.
struct JobsPower {
  core::Duration time;
  models::PowerByPart mean;
  models::PowerByPart peak;              ///< all nodes compute that have a job at the same time
  models::PowerByPart idle;              ///< no node computes
  core::Power in_steps;                  ///< of the mean: nodes whose job makes steps
  core::Power waiting;                   ///< nodes whose job waits: for data, storage, a restart
  core::Power without_job;               ///< spares, and nodes before, after or beside their jobs
  std::optional<PowerSeries> over_time;  ///< of the first replication, in a traced run

  [[nodiscard]] core::Energy energy() const { return mean.equipment() * time; }
};

}  // namespace railwright::simulation
