// SPDX-License-Identifier: Apache-2.0
#include "run_jobs.hpp"

namespace railwright::simulation {

std::vector<RunJob> run_jobs(const CheckedJobs& checked, const core::Fabric& fabric,
                             std::span<const JobStep> steps) {
  const auto& storage = checked.storage();
  const bool shares_storage_links =
      storage && storage->network == topologies::StorageAttachment::kScaleOut;
  std::vector<RunJob> jobs;
  const std::vector<PlacedJob> all = placed_jobs(checked);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const PlacedJob& placed = all[i];
    const CheckedJob& job = checked.jobs[placed.entry];
    const JobStep& step = steps[i];
    const int first_node = checked.pools[pool_of(checked, placed)].first_node + placed.first_node;
    if (placed.part > 0) {
      jobs.back().others.push_back(
          {.checked = &scenario_of(checked, placed), .first_node = first_node});
      continue;
    }
    jobs.push_back({.checked = &job.checked,
                    .step_time = step.time,
                    .start = job.start,
                    .first_node = first_node,
                    .link_bytes = shares_storage_links ? link_bytes(fabric, first_node, step.bytes)
                                                       : std::vector<double>{},
                    .degraded_link_speed = step.degraded_link_speed,
                    .pool = pool_of(checked, placed)});
  }
  return jobs;
}

}  // namespace railwright::simulation
