// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/fit_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "railwright/core/units/text.hpp"

namespace railwright::simulation {

namespace {

/// Says what an interruption costs a job that never finishes.
std::string checkpoints_text(const JobRun& job) {
  const CheckpointResult& written = job.first_checkpoint();
  if (written.bytes == 0) {
    return "each time from step 0 again: no checkpoint is written, since `cluster.storage` is "
           "missing and there is no `checkpoint.local`";
  }
  const RestoreResult& read = job.local ? job.local->restore : job.restore;
  return fmt::format("with {} of checkpoint to write and {} to read back",
                     core::to_text(written.time), core::to_text(read.time));
}

}  // namespace

void check_memory(const models::MemoryUse& use, core::DataSize capacity,
                  std::vector<Infeasibility>& infeasible) {
  const core::DataSize total = use.total();
  if (total <= capacity) return;
  const auto largest = std::ranges::max_element(
      use.lines, {}, [](const models::MemoryLine& line) { return line.size.base(); });
  infeasible.push_back({fmt::format(
      "an accelerator of stage {} needs {} of its {} memory, {} too much; most of it {}, {}",
      use.stage, core::memory_text(total), core::memory_text(capacity),
      core::memory_text(total - capacity), largest->name, core::memory_text(largest->size))});
}

void check_tiers(const std::vector<models::TierUse>& tiers,
                 std::vector<Infeasibility>& infeasible) {
  for (const models::TierUse& use : tiers) {
    if (use.total() <= use.capacity) continue;
    infeasible.push_back({fmt::format(
        "a node keeps {} in {} of {}, {} too much: parameters {}, gradients {}, optimizer state "
        "{}, activations {}",
        core::to_text(use.total()), use.tier, core::to_text(use.capacity),
        core::to_text(use.total() - use.capacity), core::to_text(use.parameters),
        core::to_text(use.gradients), core::to_text(use.optimizer_state),
        core::to_text(use.activations))});
  }
}

void check_run(const RunResult& run, std::vector<Infeasibility>& reasons) {
  if (run.is_beyond_clock) {
    core::Duration longest;
    for (const JobRun& job : run.jobs) longest = std::max(longest, job.training_time());
    reasons.push_back(
        {fmt::format("the run takes {} in steps and checkpoints alone; what storage, failures and "
                     "incidents do to it is simulated for 100 years at most",
                     core::to_text(longest))});
    return;
  }
  for (const JobRun& job : run.jobs) {
    if (job.num_given_up == 0) continue;
    const std::string name = run.jobs.size() > 1 ? job.name + ": " : std::string();
    if (!(job.mean_time_to_interruption > core::Duration{}) ||
        job.mean_time_to_interruption == core::Duration::infinity()) {
      reasons.push_back(
          {fmt::format("{}{} of {} simulated runs never finish: more storage nodes are down than "
                       "their protection "
                       "survives, and reliability.repair does not bring them back in time",
                       name, job.num_given_up, run.num_replicas)});
      continue;
    }
    reasons.push_back({fmt::format(
        "{}{} of {} simulated runs never finish: interrupted every {}, {}", name, job.num_given_up,
        run.num_replicas, core::to_text(job.mean_time_to_interruption), checkpoints_text(job))});
  }
  for (const JobRun& job : run.jobs) {
    if (!job.local || job.local->max_used <= job.local->capacity) continue;
    const std::string name = run.jobs.size() > 1 ? job.name + ": " : std::string();
    reasons.push_back({fmt::format(
        "{}checkpoints and what is offloaded take {} of a node's local tier that holds {}, {} "
        "too much; fewer are kept with checkpoint.local.retention",
        name, core::to_text(job.local->max_used), core::to_text(job.local->capacity),
        core::to_text(job.local->max_used - job.local->capacity))});
  }
  for (const JobRun& job : run.jobs) {
    if (job.host_memory == core::DataSize{} || job.snapshot <= job.host_memory) continue;
    reasons.push_back({fmt::format(
        "{}the snapshot of an asynchronous checkpoint takes {} of a node's host memory of {}, {} "
        "too much; checkpoint.mode synchronous needs none",
        run.jobs.size() > 1 ? job.name + ": " : std::string(), core::to_text(job.snapshot),
        core::to_text(job.host_memory), core::to_text(job.snapshot - job.host_memory))});
  }
  const StorageRun& storage = run.storage;
  const auto check_room = [&](const char* what, core::DataSize used, core::DataSize usable) {
    if (used <= usable) return;
    reasons.push_back({fmt::format(
        "{} that holds {}, {} too much; fewer checkpoints are kept with checkpoint.retention",
        fmt::format(fmt::runtime(what), core::to_text(used)), core::to_text(usable),
        core::to_text(used - usable))});
  };
  check_room("files and checkpoints take {} of storage", storage.max_used, storage.usable);
  check_room("older checkpoints take {} of an archive", storage.max_archived,
             storage.archive_usable);
}

}  // namespace railwright::simulation
