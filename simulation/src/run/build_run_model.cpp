// SPDX-License-Identifier: Apache-2.0
#include "build_run_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "job_transfers.hpp"
#include "local_tier.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/reliability/checkpoint_interval.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/models/storage/storage.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "step_loads.hpp"

namespace railwright::simulation {

namespace {

using core::DataSize;
using core::Duration;
using models::Direction;
using models::StorageNetwork;
using models::TransferLoads;

/// A job's time beyond which it gives up, whatever its steps take. Runs are shorter than a century,
/// so the clock ends later.
constexpr Duration kMaxPatience = Duration::from_base(150 * 365.25 * 86400);

/// Returns the most data-parallel replicas with a rank among the `size` accelerators of one node.
int replicas_of_node(const models::Layout& layout, int size) {
  std::vector<std::set<int>> of_node;
  for (int stage = 0; stage < layout.pp; ++stage) {
    for (int replica = 0; replica < layout.num_replicas(); ++replica) {
      for (int t = 0; t < layout.tp; ++t) {
        const auto node = static_cast<std::size_t>(layout.accelerator(t, replica, stage) / size);
        if (node >= of_node.size()) of_node.resize(node + 1);
        of_node[node].insert(replica / layout.cp);
      }
    }
  }
  std::size_t most = 1;
  for (const std::set<int>& replicas : of_node) most = std::max(most, replicas.size());
  return static_cast<int>(most);
}

/// Returns the bytes of samples that a step of all parts of a job takes.
DataSize data_of_step(const RunJob& job) {
  DataSize sum = models::data_per_step(job.checked->scenario.workload);
  for (const RunPart& part : job.others) {
    sum += models::data_per_step(part.checked->scenario.workload);
  }
  return sum;
}

JobModel job_model(const RunJob& job) {
  const Scenario& scenario = job.checked->scenario;
  const models::Training& training = scenario.workload;
  JobModel model{
      .start = ticks(job.start),
      .num_steps = training.steps,
      .step_seconds = job.step_time.base(),
      .patience = ticks(std::min(
          kMaxPatience, job.step_time * (models::kPatience * static_cast<double>(training.steps)))),
      .has_storage = scenario.cluster.storage.has_value(),
      .writes_checkpoints = scenario.cluster.storage || scenario.checkpoint.local,
      .checkpoint = scenario.checkpoint,
      .plan = scenario.run,
      .snapshot = {},
      .steps_per_epoch = 0,
      .epoch_start_up = scenario.cluster.storage ? scenario.data.epoch_start_up : std::nullopt,
      .fleet = models::fleet_of(scenario.cluster.node, scenario.cluster.num_nodes),
      .pool = job.pool,
      .num_replicas = job.checked->layout.dp,
      .replicas_of_node = 1,
      .degraded_link_speed = job.degraded_link_speed,
      .write_speed = 1.0 / scenario.software.checkpoint.write_slowdown.value,
      .write_peak_factor = 1.0,
      .room_per_byte = 1.0,
      .transfers = {}};
  if (scenario.data.size &&
      (scenario.data.page_cache.base() > 0.0 || scenario.data.epoch_start_up)) {
    model.steps_per_epoch =
        std::max<std::int64_t>(1, std::llround(std::ceil(*scenario.data.size / data_of_step(job))));
  }
  if (scenario.reliability) {
    model.seconds_to_interruption =
        models::mean_time_to_interruption(*scenario.reliability, model.fleet).base();
  }
  if (model.plan.min_replicas) {
    const core::ComputeNode& node = scenario.cluster.node;
    model.replicas_of_node = replicas_of_node(
        job.checked->layout, std::max(1, node.num_accelerators.value / node.num_trays));
  }
  if (model.has_storage) {
    model.room_per_byte =
        room_per_byte(*scenario.cluster.storage, scenario.checkpoint.data_reduction);
  }
  return model;
}

/// Returns the number of storage states: none to as many nodes down as the protection survives.
int num_states(const RunModel& model, const core::StorageNode& node) {
  const auto fails = [](const auto& one) {
    return one.component == models::Component::kStorageNode;
  };
  const bool may_fail =
      std::ranges::any_of(model.plan.incidents, fails) ||
      (model.reliability && std::ranges::any_of(model.reliability->failures, fails));
  if (!may_fail) return 1;
  return 1 + std::min(models::node_losses_survived(node.protection.value, model.num_storage_nodes),
                      model.num_storage_nodes - 1);
}

/// Returns the transfer that rebuilds a lost node's data: the others write it at their rebuild
/// rate.
Transfer rebuild(const StorageNetwork& network, const core::StorageNode& node) {
  const double drive_rate =
      node.write_rate.value.base() *
      models::write_amplification(node.protection.value, node.rated_nodes.value);
  TransferLoads loads;
  for (std::size_t i = 0; i < network.links().size(); ++i) {
    if (network.links()[i].kind != models::StorageLinkKind::kDrives) continue;
    loads.uses.push_back({static_cast<core::LinkId>(i), 1.0 / drive_rate});
  }
  return {.bytes = 0,
          .uses = std::move(loads.uses),
          .ceiling = node.rebuild_rate.value.base() * network.num_nodes()};
}

/// Lengthens a batch to the time of mounts and links, if samples are not prefetched: all workers
/// then read a step's samples at once, with nothing else on the links.
void add_links_of_own(std::span<const models::StorageLink> links, StepReads& reads) {
  if (reads.loader.prefetch > 0) return;
  double seconds = 1.0 / reads.ceiling;
  for (const core::LinkUse& use : reads.uses) {
    const double capacity = links[static_cast<std::size_t>(use.link)].capacity;
    seconds = std::max(seconds, use.coefficient / capacity * kUnitsPerStep);
  }
  double& batch = reads.loader.batch_seconds;
  batch = std::max(batch, seconds * reads.loader.num_workers);
}

/// Sets the periods of steps that wait for workers, at the speed of the step alone.
void add_waits(std::span<const models::StorageLink> links, std::int64_t seed, JobModel& job) {
  JobTransfers& transfers = job.transfers.back();
  StepReads& first = transfers.first_epoch;
  StepReads& later = transfers.later_epochs;
  add_links_of_own(links, first);
  add_links_of_own(links, later);
  const auto period = [&](const StepReads& reads) {
    return models::step_period(reads.loader, job.step_seconds, static_cast<std::uint64_t>(seed));
  };
  first.period = period(first);
  later.period = later.loader == first.loader ? first.period : period(later);
}

/// Returns the uses of the links that hold bursts back, which the drives do not.
std::vector<core::LinkUse> without_drives(std::vector<core::LinkUse> uses,
                                          std::span<const models::StorageLink> links) {
  std::erase_if(uses, [&](const core::LinkUse& use) {
    return links[static_cast<std::size_t>(use.link)].kind == models::StorageLinkKind::kDrives;
  });
  return uses;
}

/// Replaces the storage's links, those that bursts share and the storage nodes each by the few that
/// matter, links numbered from `first`; returns how many links.
std::int32_t fold_state(std::span<const models::StorageLink> links, int num_nodes,
                        std::vector<JobModel>& jobs, std::size_t state,
                        std::span<Transfer* const> others, std::int32_t first) {
  std::vector<std::vector<core::LinkUse>*> columns;
  std::vector<std::vector<core::LinkUse>*> bursts;
  std::vector<std::vector<core::LinkUse>*> shares;
  const auto add = [&](auto& moved) {
    moved.burst_uses = without_drives(moved.uses, links);
    columns.push_back(&moved.uses);
    bursts.push_back(&moved.burst_uses);
    shares.push_back(&moved.node_shares);
  };
  for (Transfer* transfer : others) add(*transfer);
  for (JobModel& job : jobs) job.transfers[state].for_each(add);
  const std::int32_t num_links = fold_links(links, columns);
  for (auto* column : columns) {
    for (core::LinkUse& use : *column) use.link += first;
  }
  fold_links(links, bursts);
  const std::vector<models::StorageLink> nodes(static_cast<std::size_t>(num_nodes),
                                               {models::StorageLinkKind::kStorageNode, 1.0});
  fold_links(nodes, shares);
  return num_links;
}

/// Returns the number of nodes up to the last that has a job.
int num_nodes_of(std::span<const RunJob> jobs) {
  int last = 0;
  for (const RunJob& job : jobs) {
    last = std::max(last, job.first_node + job.checked->scenario.cluster.num_nodes);
  }
  return last;
}

/// Adds the transfers of jobs while `down` storage nodes are down; `network` is null without
/// storage.
void add_state(std::span<const RunJob> jobs, const core::Fabric& fabric,
               const StorageNetwork* network, int down, RunModel& model, RunResult& result) {
  std::vector<models::StorageLink> links;
  if (network != nullptr) links = network->links();
  const auto first_local = static_cast<core::LinkId>(links.size());
  const bool has_local = std::ranges::any_of(
      model.jobs, [](const JobModel& job) { return job.checkpoint.local.has_value(); });
  if (network == nullptr && !has_local) return;
  if (has_local) {
    links.insert(links.end(), static_cast<std::size_t>(num_nodes_of(jobs)),
                 {models::StorageLinkKind::kLocalTier, 1.0});
  }
  const Ways ways{.network = network, .links = links, .first_local = first_local};
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    JobRun unused;
    JobRun& run = down == 0 ? result.jobs[j] : unused;
    JobTransfers& transfers =
        model.jobs[j].transfers.emplace_back(job_transfers(jobs[j], ways, run));
    // Copies of a job bring the one dataset that they share, each its part.
    const auto num_copies = std::ranges::count(jobs, jobs[j].checked, &RunJob::checked);
    transfers.staging.bytes /= num_copies;
    transfers.staging.ceiling /= static_cast<double>(num_copies);
  }
  std::vector<Transfer*> others;
  if (network != nullptr) {
    const topologies::StorageCluster& storage = *jobs.front().checked->scenario.cluster.storage;
    Transfer& of_lost = model.rebuilds.emplace_back(rebuild(*network, storage.node));
    auto& outside = model.outside.emplace_back();
    for (const Direction direction : {Direction::kRead, Direction::kWrite}) {
      const TransferLoads loads = network->loads_from_outside(direction);
      Transfer& one = outside[static_cast<std::size_t>(direction)];
      one.uses = loads.uses;
      one.node_shares = loads.node_shares;
    }
    others = {&of_lost, &outside[0], &outside[1]};
    for (JobModel& job : model.jobs) add_waits(links, model.plan.seed, job);
    add_step_loads(jobs, fabric, links, model.jobs);
  }
  const int num_nodes = network == nullptr ? 0 : network->num_nodes();
  model.num_links += fold_state(links, num_nodes, model.jobs, static_cast<std::size_t>(down),
                                others, model.num_links);
}

/// Sets the room of a job on its local tier; state offloaded to the same tier counts as used.
void add_local_room(const RunJob& job, JobModel& model, JobRun& run) {
  const Scenario& scenario = job.checked->scenario;
  const auto files = models::checkpoint_files(job.accelerators_per_node(), scenario.workload,
                                              job.checked->layout, scenario.software.checkpoint);
  model.local_bytes =
      bytes_of_fullest(files) *
      parts_of_fullest(files, scenario.checkpoint.local->copies, scenario.cluster.num_nodes);
  run.local->capacity = scenario.checkpoint.local->tier.capacity.value;
  for (const models::TierUse& use :
       models::node_tier_uses(scenario.workload, job.checked->layout, scenario.software,
                              scenario.cluster.node.num_accelerators.value)) {
    if (use.tier == scenario.checkpoint.local->tier.name) run.local->max_used = use.total();
  }
}

/// Sets the snapshot in host memory that an asynchronous checkpoint is written from.
void add_snapshot(const RunJob& job, JobModel& model, JobRun& run) {
  const Scenario& scenario = job.checked->scenario;
  if (scenario.checkpoint.mode != CheckpointMode::kAsynchronous) return;
  const CheckpointResult& checkpoint = run.first_checkpoint();
  const models::CheckpointFormat& format = scenario.software.checkpoint;
  const core::ComputeNode& node = scenario.cluster.node;
  const auto largest = DataSize::from_base(
      std::ceil(static_cast<double>(checkpoint.bytes) / checkpoint.num_writers));
  run.snapshot_time =
      largest / models::accelerator_host_rate(node) + format.snapshot_overhead.value;
  model.snapshot = ticks(run.snapshot_time);
  run.snapshot = DataSize::from_base(bytes_of_fullest(models::checkpoint_files(
      job.accelerators_per_node(), scenario.workload, job.checked->layout, format)));
  if (node.host_memory) run.host_memory = node.host_memory->value;
}

void add_intervals(const RunJob& job, const JobModel& model, JobRun& run) {
  const auto& reliability = job.checked->scenario.reliability;
  if (!reliability) return;
  run.mean_time_to_interruption = Duration::from_base(model.seconds_to_interruption);
  const CheckpointResult& checkpoint = run.first_checkpoint();
  if (checkpoint.bytes == 0 || run.mean_time_to_interruption == Duration::infinity()) return;
  const bool waits = model.checkpoint.mode == CheckpointMode::kSynchronous;
  const Duration write = waits ? checkpoint.time : model.snapshot.duration();
  run.young_interval = models::young_interval(write, run.mean_time_to_interruption);
  run.daly_interval = models::daly_interval(write, run.mean_time_to_interruption);
}

/// Returns the bytes/s that each destination of copies takes, 0 where there is none.
std::array<double, kNumCopyDestinations> copy_rates(const topologies::StorageCluster& storage) {
  std::array<double, kNumCopyDestinations> rates{};
  double& to_other_site = rates[static_cast<std::size_t>(CopyDestination::kOtherSite)];
  double& to_archive = rates[static_cast<std::size_t>(CopyDestination::kArchive)];
  if (storage.replication_rate) to_other_site = storage.replication_rate->base();
  if (const auto& archive = storage.archive) {
    to_archive = models::pool_write_rate(archive->node, archive->count).base();
  }
  return rates;
}

/// Sets what happens to files on storage beside their reads and writes.
void set_life_of_files(const topologies::StorageCluster& storage, RunModel& model) {
  model.growth = storage.growth.base();
  model.snapshot_retention = ticks(storage.snapshot_retention);
  model.copy_rates = copy_rates(storage);
  model.held_per_byte = models::write_amplification(storage.node.protection.value, storage.count) /
                        (storage.data_reduction * storage.count);
}

/// Returns what stands by in each pool: nodes, or of nodes with trays these, those in the jobs'
/// racks too. The plan's are of the first.
std::vector<int> spares_of(std::span<const RunJob> jobs, const RunPlan& plan) {
  std::vector<int> spares{plan.num_spares * jobs.front().checked->scenario.cluster.node.num_trays};
  for (const RunJob& job : jobs) {
    const topologies::Cluster& cluster = job.checked->scenario.cluster;
    spares.resize(std::max(spares.size(), job.pool + 1));
    spares[job.pool] += cluster.num_nodes * cluster.node.spare_trays;
  }
  return spares;
}

}  // namespace

double room_of_datasets(std::span<const RunJob> jobs, const topologies::StorageCluster& storage) {
  double room = 0.0;
  std::set<const CheckedScenario*> counted;
  for (const RunJob& job : jobs) {
    const DataPlan& data = job.checked->scenario.data;
    if (!data.size || !counted.insert(job.checked).second) continue;
    room += data.size->base() * room_per_byte(storage, data.data_reduction);
  }
  return room;
}

RunModel run_model(std::span<const RunJob> jobs, const core::Fabric& fabric, const RunPlan& plan,
                   RunResult& result) {
  const Scenario& first = jobs.front().checked->scenario;
  RunModel model{.jobs = {},
                 .reliability = first.reliability,
                 .plan = plan,
                 .num_spares = spares_of(jobs, plan),
                 .struck = {},
                 .num_storage_nodes = first.cluster.storage ? first.cluster.storage->count : 0,
                 .rebuilds = {},
                 .outside = {},
                 .num_links = 0,
                 .used_before = 0.0,
                 .growth = 0.0,
                 .copy_rates = {},
                 .snapshot_retention = {},
                 .held_per_byte = 0.0};
  for (const RunJob& job : jobs) {
    JobRun& run = result.jobs.emplace_back();
    run.name = job.checked->scenario.name;
    model.jobs.push_back(job_model(job));
    if (job.step_time.base() > 0.0) {
      const double num_readers = job.checked->layout.pp > 1 ? 2.0 : 1.0;
      run.peak_read = data_of_step(job) * num_readers / job.step_time;
    }
  }
  for (const Incident& incident : plan.incidents) {
    const auto named = std::ranges::find_if(
        jobs, [&](const RunJob& job) { return job.checked->scenario.name == incident.job; });
    model.struck.push_back(incident.job.empty() ? 0
                                                : static_cast<std::size_t>(named - jobs.begin()));
  }
  if (first.cluster.storage) {
    const topologies::StorageCluster& storage = *first.cluster.storage;
    const int states = num_states(model, storage.node);
    model.used_before = storage.used.base() + room_of_datasets(jobs, storage);
    set_life_of_files(storage, model);
    for (int down = 0; down < states; ++down) {
      const StorageNetwork network(fabric, storage.node, storage.mount, down);
      add_state(jobs, fabric, &network, down, model, result);
    }
  } else {
    add_state(jobs, fabric, nullptr, 0, model, result);
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    JobRun& run = result.jobs[j];
    JobModel& job = model.jobs[j];
    const CheckpointResult& checkpoint = run.first_checkpoint();
    if (checkpoint.bytes > 0) {
      add_snapshot(jobs[j], job, run);
    }
    if (run.checkpoint.bytes > 0) {
      job.write_peak_factor = run.checkpoint.peak_write / run.checkpoint.mean_write;
    }
    if (run.local) add_local_room(jobs[j], job, run);
    add_intervals(jobs[j], job, run);
  }
  return model;
}

}  // namespace railwright::simulation
