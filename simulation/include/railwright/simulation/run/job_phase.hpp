// SPDX-License-Identifier: Apache-2.0
// Phases of a job's life.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "railwright/simulation/run/run.hpp"

namespace railwright::simulation::replication {

enum class Phase : std::uint8_t {
  kWaiting,
  kStartUp,
  kStaging,
  kIndex,
  kEpochStart,
  kSteps,
  kEvaluation,
  kDrainWait,  ///< the last copy in host memory is still being written
  kSnapshot,
  kCheckpoint,
  kDetection,
  kNoSpare,
  kReplacement,
  kRestart,
  kRestore,
  kDone,
};

/// Names in the order of Phase.
inline constexpr std::array<std::string_view, 16> kPhaseNames{"waiting",
                                                              "start-up",
                                                              "staging of the dataset",
                                                              "index of the dataset",
                                                              "start of an epoch",
                                                              "steps",
                                                              "evaluation",
                                                              "wait for the last checkpoint",
                                                              "snapshot",
                                                              "checkpoint",
                                                              "detection",
                                                              "no spare",
                                                              "replacement",
                                                              "restart",
                                                              "restore",
                                                              "done"};
static_assert(kPhaseNames.size() == static_cast<std::size_t>(Phase::kDone) + 1);

/// Returns the cause that a phase's time counts as. Steps are counted separately.
RunCause cause_of(Phase phase);

}  // namespace railwright::simulation::replication
