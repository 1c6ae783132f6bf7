// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/run/job_phase.hpp"

#include <gtest/gtest.h>

#include <set>

namespace railwright::simulation::replication {
namespace {

TEST(JobPhase, NamesDiffer) {
  const std::set<std::string_view> names(kPhaseNames.begin(), kPhaseNames.end());
  EXPECT_EQ(names.size(), kPhaseNames.size());
}

TEST(JobPhase, TheWayBackIsARestartUpToTheCheckpoint) {
  for (const Phase phase :
       {Phase::kDetection, Phase::kNoSpare, Phase::kReplacement, Phase::kRestart}) {
    EXPECT_EQ(cause_of(phase), RunCause::kRestart);
  }
  EXPECT_EQ(cause_of(Phase::kRestore), RunCause::kRestore);
}

TEST(JobPhase, TrainingThatStandsStillForACheckpointIsStalled) {
  for (const Phase phase : {Phase::kDrainWait, Phase::kSnapshot, Phase::kCheckpoint}) {
    EXPECT_EQ(cause_of(phase), RunCause::kCheckpointStall);
  }
  EXPECT_EQ(cause_of(Phase::kEpochStart), RunCause::kDataStall);
  EXPECT_EQ(cause_of(Phase::kEvaluation), RunCause::kEvaluation);
}

TEST(JobPhase, JobStartsUpOnce) {
  EXPECT_EQ(cause_of(Phase::kStartUp), RunCause::kStartUp);
  EXPECT_EQ(cause_of(Phase::kIndex), RunCause::kStartUp);
}

}  // namespace
}  // namespace railwright::simulation::replication
