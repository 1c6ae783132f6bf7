// SPDX-License-Identifier: Apache-2.0
#include "job_transfers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "local_tier.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "sample_reads.hpp"

namespace railwright::simulation {

namespace {

using core::Bandwidth;
using core::DataSize;
using core::Duration;
using models::CheckpointFile;
using models::Direction;
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

/// Returns one stream from each node of the job.
std::vector<StorageStream> nodes_of(const RunJob& job, DataSize bytes) {
  std::vector<StorageStream> streams;
  for (int node = 0; node < job.checked->scenario.cluster.num_nodes; ++node) {
    streams.push_back({.client = job.first_node + node, .bytes = bytes.base()});
  }
  return streams;
}

/// Builds the transfers of one job on one state of the storage.
class TransferBuilder {
 public:
  TransferBuilder(const RunJob& job, const Ways& ways)
      : job_(job),
        scenario_(job.checked->scenario),
        ways_(ways),
        files_(models::checkpoint_files(job.accelerators_per_node(), scenario_.workload,
                                        job.checked->layout, scenario_.software.checkpoint)) {
    if (scenario_.checkpoint.local) local_.emplace(job, files_, ways.first_local);
  }

  JobTransfers transfers(JobRun& run) {
    JobTransfers transfers;
    if (local_) {
      run.local.emplace();
      transfers.local_checkpoint = local_->checkpoint(run.local->checkpoint);
      transfers.local_restore = local_->restore(run.local->restore);
      transfers.peer_restore = local_->peer_restore(run.local->peer_restore_time);
    }
    if (ways_.network == nullptr) return transfers;
    transfers.checkpoint = checkpoint(run.checkpoint);
    transfers.restore = restore(run.restore);
    transfers.staging = staging();
    transfers.index = index();
    const SampleReads samples(job_, ways_);
    run.reader_cores = samples.core_time() / job_.step_time;
    run.hand_over = samples.hand_over();
    if (const auto& reader = scenario_.data.reader) run.reader = reader->name;
    run.assumes_reader = scenario_.data.assumes_reader;
    transfers.first_epoch = samples.first_epoch();
    transfers.later_epochs = samples.later_epochs();
    return transfers;
  }

 private:
  [[nodiscard]] const core::Mount& mount() const { return scenario_.cluster.storage->mount; }

  /// Returns the time that a writer takes to open its files, one operation after another.
  [[nodiscard]] double opened_seconds() const {
    const CheckpointPlan& plan = scenario_.checkpoint;
    return plan.files_per_writer * plan.metadata_operations *
           models::access_latency(scenario_.cluster.storage->node, mount()).base();
  }

  /// Returns the bytes of a checkpoint per metadata operation on its files.
  [[nodiscard]] DataSize bytes_of_operation() const {
    const CheckpointPlan& plan = scenario_.checkpoint;
    if (plan.metadata_operations == 0.0) return DataSize::infinity();
    const double num_files = static_cast<double>(files_.size()) * plan.files_per_writer;
    return DataSize::from_base(static_cast<double>(total_bytes(files_)) / num_files /
                               plan.metadata_operations);
  }

  /// Returns the bytes/s of one stream whose requests wait for storage, some at a time.
  [[nodiscard]] double rate_of_requests() const {
    return models::rate_of_requests(scenario_.cluster.storage->node, mount());
  }

  /// Returns the bytes on drives for a byte of a checkpoint, over those of a large file: small
  /// files are mirrored.
  [[nodiscard]] double mirrored() const {
    const topologies::StorageCluster& storage = *scenario_.cluster.storage;
    const double file = static_cast<double>(total_bytes(files_)) /
                        static_cast<double>(files_.size()) / scenario_.checkpoint.files_per_writer;
    if (file > models::kLargestSmallFile.base()) return 1.0;
    const core::Protection protection = storage.node.protection.value;
    return models::small_file_amplification(protection) /
           models::write_amplification(protection, storage.count);
  }

  /// Returns the share of a restore that drives read.
  [[nodiscard]] double read_once(std::span<const CheckpointFile> files) const {
    const topologies::StorageCluster& storage = *scenario_.cluster.storage;
    return models::share_from_drives(storage.node, storage.count,
                                     static_cast<double>(total_bytes(files_)),
                                     static_cast<double>(total_bytes(files)));
  }

  /// Returns the mean bytes of an operation, metadata operations included.
  [[nodiscard]] double request_with_metadata() const {
    return 1.0 / (1.0 / kTransferSize + 1.0 / bytes_of_operation().base());
  }

  Transfer checkpoint(CheckpointResult& result) const {
    const models::CheckpointFormat& format = scenario_.software.checkpoint;
    TransferLoads loads =
        ways_.network->loads(streams_of(files_, job_.first_node), Direction::kWrite,
                             {.request = bytes_of_operation(), .on_drives = mirrored()});
    if (local_) std::ranges::copy(local_->drain_uses(), std::back_inserter(loads.uses));
    const models::FreeRate burst = models::free_rate_to_nodes(loads, ways_.links);
    const models::FreeRate sustained = models::free_rate_of_drives(loads, ways_.links);

    const double serialized =
        local_ ? 0.0 : loads.largest_stream / format.serialization_rate.value.base();
    const double by_writers = loads.largest_stream / format.writer_rate.value.base();
    const double by_mounts = std::max(loads.largest_client / mount().largest_write_rate().base(),
                                      loads.largest_stream / rate_of_requests());
    const double by_links = loads.bytes / burst.rate;
    const double written = std::max({by_writers, by_mounts, by_links});
    const double alone = serialized + opened_seconds() + written;
    const double time = std::max(alone, loads.bytes / sustained.rate);

    result.bytes = total_bytes(files_);
    result.num_writers = static_cast<int>(files_.size());
    result.num_files = result.num_writers * std::int64_t{scenario_.checkpoint.files_per_writer};
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
            .node_shares = loads.node_shares,
            .ceiling = loads.bytes / alone,
            .request = request_with_metadata()};
  }

  Transfer restore(RestoreResult& result) const {
    const models::CheckpointFormat& format = scenario_.software.checkpoint;
    const auto files = models::restored_files(job_.accelerators_per_node(), scenario_.workload,
                                              job_.checked->layout, scenario_.software,
                                              scenario_.checkpoint.restore == Restore::kBroadcast);
    const TransferLoads loads =
        ways_.network->loads(streams_of(files, job_.first_node), Direction::kRead,
                             {.request = bytes_of_operation(), .on_drives = read_once(files)});
    const Bandwidth reader_rate =
        format.reader_rate ? format.reader_rate->value : format.writer_rate.value;
    const double by_readers = loads.largest_stream / reader_rate.base();
    const double by_mounts = std::max(loads.largest_client / mount().largest_read_rate().base(),
                                      loads.largest_stream / rate_of_requests());
    const models::ReadTime time = models::read_time(loads, ways_.links, by_readers, by_mounts);

    result.bytes = total_bytes(files);
    result.num_readers = static_cast<int>(files.size());
    result.time = Duration::from_base(opened_seconds() + time.seconds);
    result.limit = time.limit;
    return {.bytes = result.bytes,
            .uses = loads.uses,
            .node_shares = loads.node_shares,
            .ceiling = loads.bytes / (opened_seconds() + std::max(by_readers, by_mounts)),
            .request = request_with_metadata()};
  }

  /// Returns the dataset's way from an object store or another site.
  Transfer staging() const {
    const DataPlan& data = scenario_.data;
    if (!data.staging_rate) return {};
    const TransferLoads loads = ways_.network->loads_from_outside(Direction::kWrite);
    return {.bytes = std::llround(data.size->base()),
            .uses = loads.uses,
            .node_shares = loads.node_shares,
            .ceiling = data.staging_rate->base()};
  }

  Transfer index() const {
    const DataSize bytes = scenario_.run.dataset_index;
    if (bytes.base() == 0.0) return {};
    const TransferLoads loads = ways_.network->loads(nodes_of(job_, bytes), Direction::kRead);
    return {.bytes = std::llround(loads.bytes),
            .uses = loads.uses,
            .node_shares = loads.node_shares,
            .ceiling = mount().largest_read_rate().base() * loads.bytes / loads.largest_client};
  }

  [[nodiscard]] static std::string_view name_of(models::StorageLinkKind kind) {
    return models::kStorageLinkNames[static_cast<std::size_t>(kind)];
  }

  const RunJob& job_;
  const Scenario& scenario_;
  const Ways& ways_;
  std::vector<CheckpointFile> files_;
  std::optional<LocalTier> local_;
};

}  // namespace

JobTransfers job_transfers(const RunJob& job, const Ways& ways, JobRun& run) {
  return TransferBuilder(job, ways).transfers(run);
}

}  // namespace railwright::simulation
