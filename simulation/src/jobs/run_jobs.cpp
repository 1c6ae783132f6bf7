// SPDX-License-Identifier: Apache-2.0
#include "run_jobs.hpp"

namespace railwright::simulation {

std::vector<RunJob> run_jobs(const CheckedJobs& checked, const core::Fabric& fabric,
                             const StepsAlone& steps) {
  std::vector<RunJob> jobs;
  int first_node = 0;
  for (std::size_t j = 0; j < checked.jobs.size(); ++j) {
    const CheckedJob& job = checked.jobs[j];
    for (int i = 0; i < job.count; ++i) {
      jobs.push_back({.checked = &job.checked,
                      .step_time = steps.times[j],
                      .start = job.start,
                      .first_node = first_node,
                      .link_bytes = link_bytes(fabric, first_node, steps.bytes[j]),
                      .degraded_link_speed = steps.degraded_link_speeds[j]});
      first_node += job.checked.scenario.cluster.num_nodes;
    }
  }
  return jobs;
}

}  // namespace railwright::simulation
