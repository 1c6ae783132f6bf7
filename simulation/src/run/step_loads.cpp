// SPDX-License-Identifier: Apache-2.0
#include "step_loads.hpp"

#include <algorithm>

#include "railwright/core/arithmetic.hpp"

namespace railwright::simulation {

namespace {

using core::index;

std::vector<bool> links_of_transfers(std::size_t num_links, std::span<JobModel> models) {
  std::vector<bool> is_used(num_links);
  for (JobModel& model : models) {
    model.transfers.back().for_each([&](const auto& moved) {
      for (const core::LinkUse& use : moved.uses) is_used[index(use.link)] = true;
    });
  }
  return is_used;
}

void add(std::span<const core::LinkUse> more, std::vector<core::LinkUse>& uses) {
  std::vector<core::LinkUse> sum;
  auto next = uses.begin();
  for (const core::LinkUse& use : more) {
    while (next != uses.end() && next->link < use.link) sum.push_back(*next++);
    sum.push_back(use);
    if (next != uses.end() && next->link == use.link) sum.back().coefficient += next++->coefficient;
  }
  sum.insert(sum.end(), next, uses.end());
  uses = std::move(sum);
}

/// Returns the bytes that a step sends from the NICs that the job's checkpoint uses.
double sent_beside_checkpoint(const RunJob& job, const core::Fabric& fabric,
                              const Transfer& checkpoint) {
  double bytes = 0.0;
  for (const core::LinkUse& use : checkpoint.uses) {
    if (index(use.link) >= fabric.links().size()) break;
    const bool is_nic = fabric.links()[index(use.link)].tier == core::Tier::kInjection;
    if (is_nic) bytes += job.link_bytes[index(use.link)];
  }
  return bytes;
}

}  // namespace

void add_step_loads(std::span<const RunJob> jobs, const core::Fabric& fabric,
                    std::span<const models::StorageLink> links, std::vector<JobModel>& models) {
  if (std::ranges::all_of(jobs, [](const RunJob& job) { return job.link_bytes.empty(); })) return;
  const std::vector<bool> is_used = links_of_transfers(links.size(), models);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const RunJob& job = jobs[j];
    std::vector<core::LinkUse> of_step;
    for (std::size_t link = 0; link < job.link_bytes.size(); ++link) {
      if (!is_used[link] || job.link_bytes[link] == 0.0) continue;
      const double most = links[link].capacity * job.step_time.base();
      of_step.push_back(
          {static_cast<core::LinkId>(link), std::min(job.link_bytes[link], most) / kUnitsPerStep});
    }
    if (of_step.empty()) continue;
    JobTransfers& transfers = models[j].transfers.back();
    const double sent = sent_beside_checkpoint(job, fabric, transfers.checkpoint);
    for (StepReads* reads : {&transfers.first_epoch, &transfers.later_epochs}) {
      add(of_step, reads->uses);
      reads->shared_bytes = std::max(reads->shared_bytes, sent);
    }
  }
}

}  // namespace railwright::simulation
