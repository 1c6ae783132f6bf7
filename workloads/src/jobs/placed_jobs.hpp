// SPDX-License-Identifier: Apache-2.0
// Places of jobs in the fabric of the whole cluster.
#pragma once

#include <cstddef>
#include <vector>

#include "railwright/workloads/jobs/jobs.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::simulation {

/// One job of an entry of `jobs`, on the nodes from `first_node` on.
struct PlacedJob {
  std::size_t entry = 0;
  int first_node = 0;
};

/// Returns each job of each entry on nodes of its own, in their order.
std::vector<PlacedJob> placed_jobs(const CheckedJobs& checked);

/// Returns the job as a scenario whose nodes stand in the fabric of the whole cluster, with those
/// of the cluster's faults that are between switches or at its own nodes.
CheckedScenario scenario_in_place(const CheckedJobs& checked, const PlacedJob& job);

}  // namespace railwright::simulation
