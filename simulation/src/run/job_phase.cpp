// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/run/job_phase.hpp"

namespace railwright::simulation::replication {

RunCause cause_of(Phase phase) {
  switch (phase) {
    case Phase::kEvaluation:
      return RunCause::kEvaluation;
    case Phase::kEpochStart:
      return RunCause::kDataStall;
    case Phase::kDrainWait:
    case Phase::kSnapshot:
    case Phase::kCheckpoint:
      return RunCause::kCheckpointStall;
    case Phase::kDetection:
    case Phase::kNoSpare:
    case Phase::kReplacement:
    case Phase::kRestart:
      return RunCause::kRestart;
    case Phase::kRestore:
      return RunCause::kRestore;
    default:
      return RunCause::kStartUp;
  }
}

}  // namespace railwright::simulation::replication
