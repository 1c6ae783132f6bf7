// SPDX-License-Identifier: Apache-2.0
#include "shared_storage_needs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "railwright/core/units/text.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/jobs/jobs_storage_needs.hpp"

namespace railwright::simulation {

namespace {

using core::DataSize;
using core::Duration;

/// Waits of all jobs together for a number of storage nodes, and the room that these have.
struct Shared {
  /// Largest share of a job's time in which it waits for checkpoints, or a load for its writes and
  /// the reads that it is behind.
  double stall = 0.0;
  bool is_of_load = false;
  std::string stall_limit;
  Duration restore;  ///< of all jobs at once
  std::string restore_limit;
  DataSize usable;
};

/// A job that waits longer than this many times what it would alone waits for the others.
constexpr double kWaited = 1.01;
constexpr std::string_view kAllShare = "storage that all share";

/// Returns the time halfway between the moment at which all jobs that write checkpoints have
/// written one and the next end of a job; nothing if no job writes any.
std::optional<core::RunTime> time_of_power_loss(const RunResult& run) {
  std::map<int, core::RunTime> saved;
  std::map<int, core::RunTime> ended;
  for (const RunSpan& span : run.spans) {
    if (span.is_behind || span.what == "checkpoint") saved.try_emplace(span.job, span.end);
    ended[span.job] = std::max(ended[span.job], span.end);
  }
  if (saved.empty()) return std::nullopt;
  core::RunTime from;
  for (const auto& [job, end] : saved) from = std::max(from, end);
  core::RunTime to = core::RunTime::never();
  for (const auto& [job, end] : ended) {
    if (end > from) to = std::min(to, end);
  }
  if (to == core::RunTime::never()) return from;
  return core::RunTime{from.count + (to - from).count / 2};
}

/// The cluster with other numbers of storage nodes.
class OtherStorage {
 public:
  OtherStorage(const CheckedJobs& checked, std::span<const JobStep> steps)
      : checked_(checked), steps_(steps) {
    checked_.run.targets.reset();
    checked_.run.incidents.clear();
    checked_.run.optimize_interval = false;
    for (CheckedJob& job : checked_.jobs) job.checked.scenario.reliability.reset();
  }

  const Shared& with(int num_nodes) {
    auto [entry, is_new] = known_.try_emplace(num_nodes);
    if (is_new) entry->second = simulate_with(num_nodes);
    return entry->second;
  }

 private:
  Shared simulate_with(int num_nodes) {
    checked_.change_storage([&](topologies::StorageCluster& all) { all.count = num_nodes; });
    const topologies::BuiltCluster built = topologies::build(checked_.pools);
    const std::vector<RunJob> jobs = run_jobs(checked_, built.fabric, steps_);
    const RunResult run = simulate_run(jobs, built.fabric, checked_.run, {.trace = true});
    Shared shared{.usable = run.storage.usable};
    std::vector<PlacedJob> placed = placed_jobs(checked_);
    std::erase_if(placed, [](const PlacedJob& one) { return one.part > 0; });
    for (std::size_t j = 0; j < run.jobs.size(); ++j) {
      const JobRun& job = run.jobs[j];
      const bool is_load = checked_.jobs[placed[j].entry].load.has_value();
      const double all = job.training_time_s.mean;
      const double stalled = is_load
                                 ? busy_share(job) * all
                                 : job.time_s[static_cast<std::size_t>(RunCause::kCheckpointStall)];
      const double share = stalled / all;
      if (share < shared.stall) continue;
      shared.stall = share;
      shared.is_of_load = is_load;
      const CheckpointResult& alone = job.first_checkpoint();
      const bool waits = stalled > job.num_checkpoints * alone.time.base() * kWaited;
      shared.stall_limit = waits ? kAllShare : alone.limit;
    }
    if (const auto time = time_of_power_loss(run)) {
      RunPlan plan = checked_.run;
      plan.incidents = {
          {.time = time->duration(), .component = models::Component::kPower, .job = {}}};
      add_restores(simulate_run(jobs, built.fabric, plan, {.trace = true}), *time, shared);
    }
    return shared;
  }

  static void add_restores(const RunResult& run, core::RunTime since, Shared& shared) {
    core::RunTime end = since;
    Duration longest;
    for (const RunSpan& span : run.spans) {
      if (span.what != "restore" || span.start < since) continue;
      end = std::max(end, span.end);
      const RestoreResult& alone = run.jobs[static_cast<std::size_t>(span.job)].restore;
      if (alone.time < longest) continue;
      longest = alone.time;
      shared.restore_limit = alone.limit;
    }
    shared.restore = (end - since).duration();
    if (shared.restore > longest * kWaited) shared.restore_limit = kAllShare;
  }

  CheckedJobs checked_;
  std::span<const JobStep> steps_;
  std::map<int, Shared> known_;
};

DataSize room_of_all(const CheckedJobs& checked, std::span<const JobStep> steps,
                     int checkpoints_kept) {
  const topologies::BuiltCluster built = topologies::build(checked.pools);
  return room_needed(run_jobs(checked, built.fabric, steps), built.fabric, checked.run,
                     *checked.storage(), checkpoints_kept);
}

}  // namespace

std::vector<StorageNeed> shared_storage_needs(const CheckedJobs& checked,
                                              std::span<const JobStep> steps,
                                              const KnownNeeds* known) {
  const StorageTargets& targets = *checked.run.targets;
  const topologies::StorageCluster& storage = *checked.storage();
  const int fewest = min_storage_nodes(storage);
  const int most =
      max_storage_nodes(*checked.pools.front().topology, checked.pools.front().cluster);
  OtherStorage other(checked, steps);
  const DataSize room = room_of_all(checked, steps, targets.checkpoints_kept);
  const auto need = [&](std::string_view target, const auto& holds, const auto& limit,
                        const auto& says) {
    int near = 0;
    if (known != nullptr) {
      const std::optional<int> moved = need_nearby(*known, target, storage.node);
      if (!moved) return *std::ranges::find(known->needs, target, &StorageNeed::target);
      near = *moved;
    }
    const int found = smallest(fewest, most, [&](int n) { return holds(other.with(n)); }, near);
    const Shared& at = other.with(found > 0 ? found : most);
    const int tried = found > 0 ? found - 1 : most;
    return StorageNeed{.target = target,
                       .num_nodes = found,
                       .limit = limit(at),
                       .missed = tried < fewest ? std::string() : says(other.with(tried))};
  };
  return {
      need(
          "checkpoint stall", [&](const Shared& s) { return s.stall <= targets.checkpoint_stall; },
          [](const Shared& s) { return s.stall_limit; },
          [&](const Shared& s) {
            const std::string_view what = s.is_of_load ? "a load writes or is behind its reads for"
                                                       : "a job waits for checkpoints for";
            return fmt::format("{} {:.1f} % of its time, at most {:g} %", what, 100.0 * s.stall,
                               100.0 * targets.checkpoint_stall);
          }),
      need(
          "restore", [&](const Shared& s) { return s.restore <= targets.restore; },
          [](const Shared& s) { return s.restore_limit; },
          [&](const Shared& s) {
            return fmt::format("all jobs are back after {}, at most {}", core::to_text(s.restore),
                               core::to_text(targets.restore));
          }),
      need(
          "capacity", [&](const Shared& s) { return room <= s.usable; },
          [](const Shared&) { return std::string("drives"); },
          [&](const Shared& s) {
            return fmt::format("{} of room for {}", core::to_text(s.usable), core::to_text(room));
          })};
}

std::vector<StorageNeed> jobs_storage_needs(const CheckedJobs& checked, const JobsResult& result,
                                            const KnownNeeds& known) {
  std::vector<JobStep> steps;
  for (const PlacedJob& part : placed_jobs(checked)) {
    steps.push_back({.alone = result.step_times_alone[part.job],
                     .time = result.step_times[part.job],
                     .breakdown = {},
                     .bytes = {}});
  }
  return shared_storage_needs(checked, steps, &known);
}

}  // namespace railwright::simulation
