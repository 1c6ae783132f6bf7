// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/run/storage_needs.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "build_run_model.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;

constexpr std::string_view kStall = "checkpoint stall";
constexpr std::string_view kRestore = "restore";
constexpr std::string_view kCapacity = "capacity";

/// One checkpoint and one restore in isolation, with other numbers of storage nodes.
class OtherSizes {
 public:
  OtherSizes(const RunJob& job, BuiltByCount& built) : job_(job), built_(built) {}

  const JobRun& with(int num_nodes) {
    auto [entry, is_new] = known_.try_emplace(num_nodes);
    if (is_new) {
      CheckedScenario changed = *job_.checked;
      changed.scenario.cluster.storage->count = num_nodes;
      const topologies::BuiltCluster& built =
          built_.with(num_nodes, *changed.topology, changed.scenario.cluster);
      RunJob job = job_;
      job.checked = &changed;
      job.link_bytes.clear();
      job.first_node = 0;
      RunResult result;
      run_model(std::span(&job, 1), built.fabric, changed.scenario.run, result);
      entry->second = result.job();
    }
    return entry->second;
  }

 private:
  const RunJob& job_;
  BuiltByCount& built_;
  std::map<int, JobRun> known_;
};

/// Returns the time between checkpoints, without the wait for them.
Duration between_checkpoints(const RunJob& job) {
  const CheckpointPlan& plan = job.checked->scenario.checkpoint;
  if (plan.interval) return *plan.interval;
  if (plan.interval_steps > 0) return job.step_time * static_cast<double>(plan.interval_steps);
  return Duration::infinity();
}

/// Returns the share of time that training waits: for the whole checkpoint, or for the part that is
/// not written while training continues.
double stall_share(const RunJob& job, const JobRun& run) {
  const Duration between = between_checkpoints(job);
  const Duration time = run.first_checkpoint().time;
  if (job.checked->scenario.checkpoint.mode == CheckpointMode::kAsynchronous) {
    return time > between ? 1.0 - between / time : 0.0;
  }
  return time / (time + between);
}

bool holds_stall(const RunJob& job, const StorageTargets& targets, const JobRun& run) {
  return stall_share(job, run) <= targets.checkpoint_stall;
}

bool holds_capacity(const RunJob& job, const StorageTargets& targets, const JobRun& run,
                    int num_nodes) {
  const topologies::StorageCluster& storage = *job.checked->scenario.cluster.storage;
  const double bytes = static_cast<double>(run.checkpoint.bytes) *
                       room_per_byte(storage, job.checked->scenario.checkpoint.data_reduction);
  const double used = storage.used.base() + room_of_datasets(std::span(&job, 1), storage);
  return used + targets.checkpoints_kept * bytes <=
         models::usable_capacity(storage.node, num_nodes, storage.data_reduction, storage.hot_spare)
             .base();
}

}  // namespace

int min_storage_nodes(const topologies::StorageCluster& storage) {
  return std::max(storage.node.min_nodes.value, models::min_nodes(storage.node.protection.value));
}

int max_storage_nodes(const topologies::Topology& topology, topologies::Cluster cluster) {
  topologies::StorageCluster& storage = *cluster.storage;
  int most = storage.node.max_nodes.value;
  if (storage.network == topologies::StorageAttachment::kFrontEnd) return most;
  int fewest = storage.count;
  while (fewest < most) {
    storage.count = fewest + (most - fewest + 1) / 2;
    const bool fits = topology.build(cluster).parts.shortfalls.empty();
    (fits ? fewest : most) = fits ? storage.count : storage.count - 1;
  }
  return most;
}

const topologies::BuiltCluster& BuiltByCount::with(int num_nodes,
                                                   const topologies::Topology& topology,
                                                   topologies::Cluster cluster) {
  const std::scoped_lock lock(mutex_);
  const auto known = built_.find(num_nodes);
  if (known != built_.end()) return known->second;
  cluster.storage->count = num_nodes;
  return built_.emplace(num_nodes, topology.build(cluster)).first->second;
}

std::optional<int> need_nearby(const KnownNeeds& known, std::string_view target,
                               const core::StorageNode& node) {
  const auto need = std::ranges::find(known.needs, target, &StorageNeed::target);
  const auto scaled = [&](core::Bandwidth before, core::Bandwidth after) {
    return static_cast<int>(std::ceil(need->num_nodes * (before / after) * (1.0 - 1e-9)));
  };
  if (target == kStall && (node.write_rate.value != known.node.write_rate.value ||
                           node.burst_write_rate.value != known.node.burst_write_rate.value)) {
    return scaled(known.node.write_rate.value, node.write_rate.value);
  }
  if (target == kRestore && node.read_rate.value != known.node.read_rate.value) {
    return scaled(known.node.read_rate.value, node.read_rate.value);
  }
  return {};
}

std::optional<StorageNeed> unheld_need(const RunJob& job, const StorageTargets& targets,
                                       BuiltByCount& built) {
  OtherSizes sizes(job, built);
  const JobRun& most =
      sizes.with(max_storage_nodes(*job.checked->topology, job.checked->scenario.cluster));
  if (!holds_stall(job, targets, most)) {
    return StorageNeed{
        .target = kStall, .num_nodes = 0, .limit = std::string(most.first_checkpoint().limit)};
  }
  if (most.restore.time > targets.restore) {
    return StorageNeed{
        .target = kRestore, .num_nodes = 0, .limit = std::string(most.restore.limit)};
  }
  return {};
}

bool holds_targets(const RunJob& job, const StorageTargets& targets, int num_nodes,
                   BuiltByCount& built) {
  OtherSizes sizes(job, built);
  const JobRun& run = sizes.with(num_nodes);
  return holds_stall(job, targets, run) && run.restore.time <= targets.restore &&
         holds_capacity(job, targets, run, num_nodes);
}

std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets) {
  BuiltByCount built;
  return storage_needs(job, targets, built);
}

std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets,
                                       BuiltByCount& built) {
  const topologies::StorageCluster& storage = *job.checked->scenario.cluster.storage;
  const int fewest = min_storage_nodes(storage);
  const int most = max_storage_nodes(*job.checked->topology, job.checked->scenario.cluster);
  OtherSizes sizes(job, built);
  const int for_stall =
      smallest(fewest, most, [&](int n) { return holds_stall(job, targets, sizes.with(n)); });
  const int for_restore =
      smallest(fewest, most, [&](int n) { return sizes.with(n).restore.time <= targets.restore; });
  const JobRun& on_fewest = sizes.with(fewest);
  const int for_capacity =
      smallest(fewest, most, [&](int n) { return holds_capacity(job, targets, on_fewest, n); });
  const auto at = [&](int found) { return sizes.with(found > 0 ? found : most); };
  return {{.target = kStall,
           .num_nodes = for_stall,
           .limit = std::string(at(for_stall).first_checkpoint().limit)},
          {.target = kRestore,
           .num_nodes = for_restore,
           .limit = std::string(at(for_restore).restore.limit)},
          {.target = kCapacity, .num_nodes = for_capacity, .limit = "drives"}};
}

std::vector<StorageNeed> storage_needs(const RunJob& job, const StorageTargets& targets,
                                       const KnownNeeds& known, BuiltByCount& built) {
  const topologies::StorageCluster& storage = *job.checked->scenario.cluster.storage;
  const int fewest = min_storage_nodes(storage);
  const int most = max_storage_nodes(*job.checked->topology, job.checked->scenario.cluster);
  OtherSizes sizes(job, built);
  const auto holds = [&](std::string_view target, const JobRun& run) {
    return target == kStall ? holds_stall(job, targets, run) : run.restore.time <= targets.restore;
  };
  std::vector<StorageNeed> needs = known.needs;
  for (StorageNeed& need : needs) {
    const std::optional<int> near = need_nearby(known, need.target, storage.node);
    if (!near) continue;
    need.num_nodes =
        smallest(fewest, most, [&](int n) { return holds(need.target, sizes.with(n)); }, *near);
  }
  return needs;
}

core::DataSize room_needed(std::span<const RunJob> jobs, const core::Fabric& fabric,
                           const RunPlan& plan, const topologies::StorageCluster& storage,
                           int checkpoints_kept) {
  RunResult sizes;
  run_model(jobs, fabric, plan, sizes);
  double bytes = storage.used.base() + room_of_datasets(jobs, storage);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    bytes += checkpoints_kept * static_cast<double>(sizes.jobs[j].checkpoint.bytes) *
             room_per_byte(storage, jobs[j].checked->scenario.checkpoint.data_reduction);
  }
  return core::DataSize::from_base(bytes);
}

}  // namespace railwright::simulation
