// SPDX-License-Identifier: Apache-2.0
#include "run_model.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/reliability/checkpoint_interval.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/models/storage/storage.hpp"
#include "step_loads.hpp"

namespace railwright::planner {

namespace {

using core::Bandwidth;
using core::DataSize;
using core::Duration;
using models::CheckpointFile;
using models::Direction;
using models::StorageNetwork;
using models::StorageStream;
using models::TransferLoads;

std::int64_t total_bytes(std::span<const CheckpointFile> files) {
  std::int64_t sum = 0;
  for (const CheckpointFile& file : files) sum += file.bytes;
  return sum;
}

std::vector<StorageStream> streams_of(std::span<const CheckpointFile> files, int first_node) {
  std::vector<StorageStream> streams;
  streams.reserve(files.size());
  for (const CheckpointFile& file : files) {
    streams.push_back({.client = first_node + file.node, .bytes = static_cast<double>(file.bytes)});
  }
  return streams;
}

/// Who reads samples: one tensor-parallel rank of the first stage, for inputs, and of the last one,
/// for labels, in each replica.
std::vector<StorageStream> readers_of(const RunJob& job, const core::Fabric& fabric) {
  const models::Layout& layout = job.checked->layout;
  const double bytes = models::data_per_step(job.checked->scenario.workload).base() / layout.dp;
  std::vector<StorageStream> readers;
  for (int replica = 0; replica < layout.dp; ++replica) {
    for (const int stage : {0, layout.pp - 1}) {
      const int rank = layout.accelerator(0, replica * layout.cp, stage);
      readers.push_back({.client = job.first_node + fabric.endpoint(rank).node, .bytes = bytes});
      if (layout.pp == 1) break;
    }
  }
  return readers;
}

/// One stream from each server of the job.
std::vector<StorageStream> servers_of(const RunJob& job, DataSize bytes) {
  std::vector<StorageStream> streams;
  for (int node = 0; node < job.checked->scenario.cluster.num_nodes; ++node) {
    streams.push_back({.client = job.first_node + node, .bytes = bytes.base()});
  }
  return streams;
}

/// Builds the transfers of one job on one state of the storage.
class TransferBuilder {
 public:
  TransferBuilder(const RunJob& job, const core::Fabric& fabric, const StorageNetwork& network)
      : job_(job), scenario_(job.checked->scenario), fabric_(fabric), network_(network) {}

  JobTransfers transfers(JobRun& run) {
    JobTransfers transfers{.checkpoint = checkpoint(run.checkpoint),
                           .restore = restore(run.restore),
                           .index = index(),
                           .first_epoch = reads(),
                           .later_epochs = {}};
    transfers.later_epochs = cached(transfers.first_epoch);
    return transfers;
  }

 private:
  [[nodiscard]] const core::Mount& mount() const { return scenario_.cluster.storage->mount; }

  Transfer checkpoint(CheckpointResult& result) const {
    const models::CheckpointFormat& format = scenario_.software.checkpoint;
    const auto files =
        models::checkpoint_files(fabric_, scenario_.workload, job_.checked->layout, format);
    const TransferLoads loads =
        network_.loads(streams_of(files, job_.first_node), Direction::kWrite);
    const models::FreeRate burst = models::free_rate_to_nodes(loads, network_.links());
    const models::FreeRate sustained = models::free_rate_of_drives(loads, network_.links());

    const double serialized = loads.largest_stream / format.serialization_rate.value.base();
    const double by_writers = loads.largest_stream / format.writer_rate.value.base();
    const double by_mounts = loads.largest_client / mount().largest_write_rate().base();
    const double by_links = loads.bytes / burst.rate;
    const double written = std::max({by_writers, by_mounts, by_links});
    const double alone = serialized + written;
    const double time = std::max(alone, loads.bytes / sustained.rate);

    result.bytes = total_bytes(files);
    result.num_files = static_cast<int>(files.size());
    result.time = Duration::from_base(time);
    result.mean_write = Bandwidth::from_base(loads.bytes / time);
    result.peak_write = Bandwidth::from_base(loads.bytes / written);
    if (time > alone) {
      result.limit = name_of(sustained.kind);
    } else if (written == by_writers) {
      result.limit = "writers";
    } else {
      result.limit = written == by_mounts ? "mounts of the clients" : name_of(burst.kind);
    }
    return {.bytes = result.bytes,
            .uses = loads.uses,
            .ceiling = loads.bytes / alone,
            .busiest_node = loads.busiest_node};
  }

  Transfer restore(RestoreResult& result) const {
    const models::CheckpointFormat& format = scenario_.software.checkpoint;
    const auto files = models::restored_files(fabric_, scenario_.workload, job_.checked->layout,
                                              scenario_.software,
                                              scenario_.checkpoint.restore == Restore::kBroadcast);
    const TransferLoads loads =
        network_.loads(streams_of(files, job_.first_node), Direction::kRead);
    const models::FreeRate to_nodes = models::free_rate_to_nodes(loads, network_.links());
    const models::FreeRate of_drives = models::free_rate_of_drives(loads, network_.links());
    const models::FreeRate& free = of_drives.rate < to_nodes.rate ? of_drives : to_nodes;
    const Bandwidth reader_rate =
        format.reader_rate ? format.reader_rate->value : format.writer_rate.value;
    const double by_readers = loads.largest_stream / reader_rate.base();
    const double by_mounts = loads.largest_client / mount().largest_read_rate().base();
    const double by_links = loads.bytes / free.rate;

    result.bytes = total_bytes(files);
    result.num_readers = static_cast<int>(files.size());
    result.time = Duration::from_base(std::max({by_readers, by_mounts, by_links}));
    if (by_readers >= std::max(by_mounts, by_links)) {
      result.limit = "readers";
    } else {
      result.limit = by_mounts > by_links ? "mounts of the clients" : name_of(free.kind);
    }
    return {.bytes = result.bytes,
            .uses = loads.uses,
            .ceiling = loads.bytes / std::max(by_readers, by_mounts),
            .busiest_node = loads.busiest_node};
  }

  Transfer index() const {
    const DataSize bytes = scenario_.run.dataset_index;
    if (bytes.base() == 0.0) return {};
    const TransferLoads loads = network_.loads(servers_of(job_, bytes), Direction::kRead);
    return {.bytes = std::llround(loads.bytes),
            .uses = loads.uses,
            .ceiling = mount().largest_read_rate().base() * loads.bytes / loads.largest_client,
            .busiest_node = loads.busiest_node};
  }

  [[nodiscard]] DataSize request() const {
    if (scenario_.data.request) return *scenario_.data.request;
    if (!scenario_.data.shuffled) return DataSize::from_base(kTransferSize);
    const models::Training& training = scenario_.workload;
    return models::data_per_step(training) / static_cast<double>(training.global_batch);
  }

  /// By Little's law a reader takes in num_workers requests in the time of one; each waits for its
  /// operations one by one.
  StepReads reads() const {
    const auto readers = readers_of(job_, fabric_);
    const double operations = 1.0 + scenario_.data.metadata_operations;
    TransferLoads loads = network_.loads(readers, Direction::kRead, request() / operations);
    for (core::LinkUse& use : loads.uses) use.coefficient *= loads.bytes / kUnitsPerStep;
    const Duration latency = scenario_.cluster.storage->node.latency.value + mount().latency.value;
    const double reader_rate =
        scenario_.data.num_workers * request().base() / (operations * latency.base());
    return {.uses = std::move(loads.uses),
            .ceiling = std::min(reader_rate / loads.largest_stream,
                                mount().largest_read_rate().base() / loads.largest_client),
            .alone_seconds = 0.0,
            .bytes = loads.bytes,
            .shared_bytes = loads.bytes,
            .request = request().base() / operations,
            .busiest_node = loads.busiest_node,
            .prefetch = scenario_.data.prefetch};
  }

  /// Samples are drawn anew each epoch: a server finds as many in memory as it keeps of the
  /// dataset.
  StepReads cached(StepReads reads) const {
    const DataPlan& data = scenario_.data;
    if (!data.size) return reads;
    const double read = 1.0 - std::min(1.0, data.page_cache / *data.size);
    if (read == 0.0) return {};
    for (core::LinkUse& use : reads.uses) use.coefficient *= read;
    reads.ceiling /= read;
    reads.bytes *= read;
    reads.shared_bytes *= read;
    return reads;
  }

  [[nodiscard]] static std::string_view name_of(models::StorageLinkKind kind) {
    return models::kStorageLinkNames[static_cast<std::size_t>(kind)];
  }

  const RunJob& job_;
  const Scenario& scenario_;
  const core::Fabric& fabric_;
  const StorageNetwork& network_;
};

/// A job that has taken so many times the time of its steps gets nowhere. Of runs that are shorter
/// than a century, so that the clock does not end before.
constexpr double kPatience = 100.0;
constexpr Duration kMostPatience = Duration::from_base(150 * 365.25 * 86400);

JobModel job_model(const RunJob& job) {
  const Scenario& scenario = job.checked->scenario;
  const models::Training& training = scenario.workload;
  JobModel model{
      .start = ticks(job.start),
      .num_steps = training.steps,
      .step_seconds = job.step_time.base(),
      .patience = ticks(std::min(
          kMostPatience, job.step_time * (kPatience * static_cast<double>(training.steps)))),
      .has_storage = scenario.cluster.storage.has_value(),
      .checkpoint = scenario.checkpoint,
      .plan = scenario.run,
      .snapshot = {},
      .steps_per_epoch = 0,
      .fleet = {.num_nodes = scenario.cluster.num_nodes,
                .accelerators_per_node = scenario.cluster.node.num_accelerators.value,
                .nics_per_node = scenario.cluster.node.nics.count,
                .num_storage_nodes = 0},
      .write_peak_factor = 1.0,
      .transfers = {}};
  if (scenario.data.size && scenario.data.page_cache.base() > 0.0) {
    model.steps_per_epoch = std::max<std::int64_t>(
        1, std::llround(std::ceil(*scenario.data.size / models::data_per_step(training))));
  }
  return model;
}

/// Failed storage nodes that matter: as many as are survived, and one more.
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

/// A byte of what a lost node held, written by the others at their rebuild rate.
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

void add_alone_seconds(std::span<const models::StorageLink> links, StepReads& reads) {
  reads.alone_seconds = 1.0 / reads.ceiling;
  for (const core::LinkUse& use : reads.uses) {
    const double capacity = links[static_cast<std::size_t>(use.link)].capacity;
    reads.alone_seconds = std::max(reads.alone_seconds, use.coefficient / capacity * kUnitsPerStep);
  }
}

/// Replaces the storage's links by the few that matter, counted on from `first`.
std::int32_t fold_state(std::span<const models::StorageLink> links, std::vector<JobModel>& jobs,
                        std::size_t state, std::span<Transfer* const> others, std::int32_t first) {
  std::vector<std::vector<core::LinkUse>*> columns;
  for (Transfer* transfer : others) columns.push_back(&transfer->uses);
  for (JobModel& job : jobs) {
    JobTransfers& transfers = job.transfers[state];
    columns.insert(columns.end(),
                   {&transfers.checkpoint.uses, &transfers.restore.uses, &transfers.index.uses,
                    &transfers.first_epoch.uses, &transfers.later_epochs.uses});
  }
  const std::int32_t num_links = fold_links(links, columns);
  for (auto* column : columns) {
    for (core::LinkUse& use : *column) use.link += first;
  }
  return num_links;
}

void add_intervals(const RunJob& job, const JobModel& model, JobRun& run) {
  const auto& reliability = job.checked->scenario.reliability;
  if (!reliability) return;
  run.mean_time_to_interruption = models::mean_time_to_interruption(*reliability, model.fleet);
  if (run.checkpoint.bytes == 0 || run.mean_time_to_interruption == Duration::infinity()) return;
  const bool waits = model.checkpoint.mode == CheckpointMode::kSynchronous;
  const Duration write = waits ? run.checkpoint.time : model.snapshot.duration();
  run.young_interval = models::young_interval(write, run.mean_time_to_interruption);
  run.daly_interval = models::daly_interval(write, run.mean_time_to_interruption);
}

}  // namespace

RunModel run_model(std::span<const RunJob> jobs, const core::Fabric& fabric, const RunPlan& plan,
                   RunResult& result) {
  const Scenario& first = jobs.front().checked->scenario;
  RunModel model{.jobs = {},
                 .reliability = first.reliability,
                 .plan = plan,
                 .num_storage_nodes = first.cluster.storage ? first.cluster.storage->count : 0,
                 .rebuilds = {},
                 .outside = {},
                 .num_links = 0,
                 .used_before = 0.0,
                 .growth = 0.0,
                 .held_per_byte = 0.0};
  for (const RunJob& job : jobs) {
    JobRun& run = result.jobs.emplace_back();
    run.name = job.checked->scenario.name;
    model.jobs.push_back(job_model(job));
    if (job.step_time.base() > 0.0) {
      const double num_readers = job.checked->layout.pp > 1 ? 2.0 : 1.0;
      run.peak_read =
          models::data_per_step(job.checked->scenario.workload) * num_readers / job.step_time;
    }
  }
  if (first.cluster.storage) {
    const topologies::StorageCluster& storage = *first.cluster.storage;
    const int states = num_states(model, storage.node);
    model.used_before = storage.used.base();
    model.growth = storage.growth.base();
    model.held_per_byte =
        models::write_amplification(storage.node.protection.value, storage.count) /
        (storage.data_reduction * storage.count);
    for (int down = 0; down < states; ++down) {
      const StorageNetwork network(fabric, storage.node, storage.mount, down);
      for (std::size_t j = 0; j < jobs.size(); ++j) {
        JobRun unused;
        JobRun& run = down == 0 ? result.jobs[j] : unused;
        model.jobs[j].transfers.push_back(TransferBuilder(jobs[j], fabric, network).transfers(run));
      }
      Transfer& of_lost = model.rebuilds.emplace_back(rebuild(network, storage.node));
      auto& outside = model.outside.emplace_back();
      outside[0].uses = network.loads_from_outside(Direction::kRead).uses;
      outside[1].uses = network.loads_from_outside(Direction::kWrite).uses;
      for (std::size_t j = 0; j < jobs.size(); ++j) {
        JobTransfers& transfers = model.jobs[j].transfers.back();
        add_alone_seconds(network.links(), transfers.first_epoch);
        add_alone_seconds(network.links(), transfers.later_epochs);
      }
      add_step_loads(jobs, fabric, network.links(), model.jobs);
      model.num_links +=
          fold_state(network.links(), model.jobs, static_cast<std::size_t>(down),
                     std::array{&of_lost, &outside[0], &outside[1]}, model.num_links);
    }
  }
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    JobRun& run = result.jobs[j];
    JobModel& job = model.jobs[j];
    if (run.checkpoint.bytes > 0) {
      const core::Accelerator& accelerator = jobs[j].checked->scenario.cluster.node.accelerator;
      const double largest =
          std::ceil(static_cast<double>(run.checkpoint.bytes) / run.checkpoint.num_files);
      job.snapshot = ticks(DataSize::from_base(largest) / accelerator.pcie_bandwidth.value);
      job.write_peak_factor = run.checkpoint.peak_write / run.checkpoint.mean_write;
    }
    add_intervals(jobs[j], job, run);
  }
  return model;
}

}  // namespace railwright::planner
