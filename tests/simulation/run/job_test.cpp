// SPDX-License-Identifier: Apache-2.0
#include "../../../simulation/src/run/job.hpp"

#include <gtest/gtest.h>

namespace railwright::simulation::replication {
namespace {

TEST(Job, WritesToItsLocalTierFirst) {
  JobModel model;
  EXPECT_EQ(Job(0, model).first_checkpoint(), &JobTransfers::checkpoint);
  EXPECT_FALSE(Job(0, model).tier.has_value());
  model.checkpoint.local.emplace();
  EXPECT_EQ(Job(0, model).first_checkpoint(), &JobTransfers::local_checkpoint);
}

TEST(Job, WritesUntilItsCopyAndItsDrainAreDone) {
  JobModel model;
  model.has_storage = true;
  model.checkpoint.local.emplace();
  Job job(0, model);
  EXPECT_FALSE(job.is_writing());
  job.copy.flow.id = 4;
  EXPECT_TRUE(job.is_writing());
  job.tier->drain().flow.id = 0;
  job.copy.flow.end();
  EXPECT_TRUE(job.is_writing());
  job.tier->drain().flow.end();
  EXPECT_FALSE(job.is_writing());
}

TEST(Job, CommittedStepsCountByCause) {
  const JobModel model;
  Job job(0, model);
  for (int i = 0; i < 2; ++i) {
    StepTicks ticks{5, 3, 2};
    job.commit(ticks);
    EXPECT_EQ(ticks, StepTicks{});
  }
  EXPECT_EQ(job.ticks_of(RunCause::kSteps), 10);
  EXPECT_EQ(job.ticks_of(RunCause::kSlowSteps), 6);
  EXPECT_EQ(job.ticks_of(RunCause::kDataStall), 4);
}

}  // namespace
}  // namespace railwright::simulation::replication
