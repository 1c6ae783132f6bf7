// SPDX-License-Identifier: Apache-2.0
// Places of jobs in the fabric of the whole cluster.
#pragma once

#include <cstddef>
#include <vector>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {

/// A part of one job of an entry of `jobs`, on the nodes of its pool from `first_node` on.
struct PlacedJob {
  std::size_t entry = 0;
  int first_node = 0;
  std::size_t job = 0;   ///< among all jobs
  std::size_t part = 0;  ///< 0: its first pool
};

/// Returns each part of each job of each entry on nodes of its own, in their order.
std::vector<PlacedJob> placed_jobs(const CheckedJobs& checked);

/// Return the scenario of a part, and the index of its pool.
const CheckedScenario& scenario_of(const CheckedJobs& checked, const PlacedJob& part);
std::size_t pool_of(const CheckedJobs& checked, const PlacedJob& part);

/// Returns the job as a scenario whose nodes stand in the fabric of its whole pool, with those
/// of the cluster's faults that are between switches or at its own nodes.
CheckedScenario scenario_in_place(const CheckedJobs& checked, const PlacedJob& job);

}  // namespace railwright::simulation
