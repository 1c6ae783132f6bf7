// SPDX-License-Identifier: Apache-2.0
// Jobs on their nodes of the cluster.
#pragma once

#include <vector>

#include "nic_bytes.hpp"
#include "railwright/simulation/jobs/jobs.hpp"

namespace railwright::simulation {

/// Step times, bytes and speeds of each entry of `jobs` alone on its nodes.
struct StepsAlone {
  std::vector<core::Duration> times;
  std::vector<NicBytes> bytes;
  std::vector<double> degraded_link_speeds;
};

/// Returns each job of each entry on nodes of its own, in their order. They refer to `checked`.
std::vector<RunJob> run_jobs(const CheckedJobs& checked, const core::Fabric& fabric,
                             const StepsAlone& steps);

}  // namespace railwright::simulation
