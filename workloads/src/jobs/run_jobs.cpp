// SPDX-License-Identifier: Apache-2.0
#include "run_jobs.hpp"

namespace railwright::simulation {

std::vector<RunJob> run_jobs(const CheckedJobs& checked, const core::Fabric& fabric,
                             std::span<const JobStep> steps) {
  const auto& storage = checked.cluster.cluster.storage;
  const bool shares_storage_links =
      storage && storage->network == topologies::StorageAttachment::kScaleOut;
  std::vector<RunJob> jobs;
  for (const PlacedJob& placed : placed_jobs(checked)) {
    const CheckedJob& job = checked.jobs[placed.entry];
    const JobStep& step = steps[jobs.size()];
    jobs.push_back({.checked = &job.checked,
                    .step_time = step.time,
                    .start = job.start,
                    .first_node = placed.first_node,
                    .link_bytes = shares_storage_links
                                      ? link_bytes(fabric, placed.first_node, step.bytes)
                                      : std::vector<double>{},
                    .degraded_link_speed = step.degraded_link_speed});
  }
  return jobs;
}

}  // namespace railwright::simulation
