// SPDX-License-Identifier: Apache-2.0
// Settings that differ between the configurations of a job.
#pragma once

#include <cstdint>

#include "railwright/models/parallelism/schedule_kind.hpp"
#include "railwright/models/software/recompute.hpp"

namespace railwright::simulation {

struct CheckedScenario;

/// Each member has a row in knobs.hpp, in the same order.
struct Configuration {
  int tp = 1;
  int cp = 1;
  int ep = 1;
  int etp = 1;  ///< 1 without experts
  int pp = 1;
  int virtual_stages = 1;
  models::Schedule schedule;
  bool sequence_parallel = false;
  int micro_batch = 1;
  std::int64_t global_batch = 1;
  int zero_stage = 0;
  models::Recompute recompute = models::Recompute::kNone;
};
Configuration configuration_of(const CheckedScenario& checked);
/// Returns the scenario with this configuration; its layout is unchanged if the numbers do not
/// divide.
CheckedScenario with_configuration(const CheckedScenario& checked,
                                   const Configuration& configuration);

}  // namespace railwright::simulation
