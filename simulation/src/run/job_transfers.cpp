// SPDX-License-Identifier: Apache-2.0
#include "job_transfers.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "local_tier.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"

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

/// Returns the readers of samples: in each replica, one tensor-parallel rank of the first stage,
/// for inputs, and one of the last stage, for labels.
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
  TransferBuilder(const RunJob& job, const core::Fabric& fabric, const Ways& ways)
      : job_(job),
        scenario_(job.checked->scenario),
        fabric_(fabric),
        ways_(ways),
        files_(models::checkpoint_files(fabric, scenario_.workload, job.checked->layout,
                                        scenario_.software.checkpoint)) {
    if (scenario_.checkpoint.local) local_.emplace(job, files_, ways.first_local);
  }

  JobTransfers transfers(JobRun& run) {
    JobTransfers transfers;
    if (local_) {
      run.local.emplace();
      transfers.local_checkpoint = local_->checkpoint(run.local->checkpoint);
      transfers.local_restore = local_->restore(run.local->restore);
    }
    if (ways_.network == nullptr) return transfers;
    transfers.checkpoint = checkpoint(run.checkpoint);
    transfers.restore = restore(run.restore);
    transfers.index = index();
    transfers.first_epoch = reads();
    transfers.later_epochs = cached(transfers.first_epoch);
    return transfers;
  }

 private:
  [[nodiscard]] const core::Mount& mount() const { return scenario_.cluster.storage->mount; }

  /// Returns the latency of an operation between a reader or writer and storage.
  [[nodiscard]] Duration latency() const {
    return scenario_.cluster.storage->node.latency.value + mount().latency.value;
  }

  /// Returns the time that a writer takes to open its files, one operation after another.
  [[nodiscard]] double opened_seconds() const {
    const CheckpointPlan& plan = scenario_.checkpoint;
    return plan.files_per_writer * plan.metadata_operations * latency().base();
  }

  /// Returns the bytes of a checkpoint per metadata operation on its files.
  [[nodiscard]] DataSize bytes_of_operation() const {
    const CheckpointPlan& plan = scenario_.checkpoint;
    if (plan.metadata_operations == 0.0) return DataSize::infinity();
    const double num_files = static_cast<double>(files_.size()) * plan.files_per_writer;
    return DataSize::from_base(static_cast<double>(total_bytes(files_)) / num_files /
                               plan.metadata_operations);
  }

  /// Returns the mean bytes of an operation, metadata operations included.
  [[nodiscard]] double request_with_metadata() const {
    return 1.0 / (1.0 / kTransferSize + 1.0 / bytes_of_operation().base());
  }

  Transfer checkpoint(CheckpointResult& result) const {
    const models::CheckpointFormat& format = scenario_.software.checkpoint;
    TransferLoads loads = ways_.network->loads(streams_of(files_, job_.first_node),
                                               Direction::kWrite, bytes_of_operation());
    if (local_) std::ranges::copy(local_->drain_uses(), std::back_inserter(loads.uses));
    const models::FreeRate burst = models::free_rate_to_nodes(loads, ways_.links);
    const models::FreeRate sustained = models::free_rate_of_drives(loads, ways_.links);

    const double serialized =
        local_ ? 0.0 : loads.largest_stream / format.serialization_rate.value.base();
    const double by_writers = loads.largest_stream / format.writer_rate.value.base();
    const double by_mounts = loads.largest_client / mount().largest_write_rate().base();
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
            .ceiling = loads.bytes / alone,
            .busiest_node = loads.busiest_node,
            .request = request_with_metadata()};
  }

  Transfer restore(RestoreResult& result) const {
    const models::CheckpointFormat& format = scenario_.software.checkpoint;
    const auto files = models::restored_files(fabric_, scenario_.workload, job_.checked->layout,
                                              scenario_.software,
                                              scenario_.checkpoint.restore == Restore::kBroadcast);
    const TransferLoads loads = ways_.network->loads(streams_of(files, job_.first_node),
                                                     Direction::kRead, bytes_of_operation());
    const models::FreeRate to_nodes = models::free_rate_to_nodes(loads, ways_.links);
    const models::FreeRate of_drives = models::free_rate_of_drives(loads, ways_.links);
    const models::FreeRate& free = of_drives.rate < to_nodes.rate ? of_drives : to_nodes;
    const Bandwidth reader_rate =
        format.reader_rate ? format.reader_rate->value : format.writer_rate.value;
    const double by_readers = loads.largest_stream / reader_rate.base();
    const double by_mounts = loads.largest_client / mount().largest_read_rate().base();
    const double by_links = loads.bytes / free.rate;

    result.bytes = total_bytes(files);
    result.num_readers = static_cast<int>(files.size());
    result.time =
        Duration::from_base(opened_seconds() + std::max({by_readers, by_mounts, by_links}));
    if (by_readers >= std::max(by_mounts, by_links)) {
      result.limit = "readers";
    } else {
      result.limit = by_mounts > by_links ? "mounts of the clients" : name_of(free.kind);
    }
    return {.bytes = result.bytes,
            .uses = loads.uses,
            .ceiling = loads.bytes / (opened_seconds() + std::max(by_readers, by_mounts)),
            .busiest_node = loads.busiest_node,
            .request = request_with_metadata()};
  }

  Transfer index() const {
    const DataSize bytes = scenario_.run.dataset_index;
    if (bytes.base() == 0.0) return {};
    const TransferLoads loads = ways_.network->loads(nodes_of(job_, bytes), Direction::kRead);
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

  /// Returns the bytes/s that one worker of a reader reads while nothing else reads.
  [[nodiscard]] double stream_rate(const StorageStream& reader) const {
    const TransferLoads loads = ways_.network->loads(std::span(&reader, 1), Direction::kRead);
    return std::min({models::free_rate_to_nodes(loads, ways_.links).rate,
                     models::free_rate_of_drives(loads, ways_.links).rate,
                     mount().largest_read_rate().base()});
  }

  /// Returns the loader of samples: a worker waits for each request's operations one by one and for
  /// its bytes, then decodes.
  [[nodiscard]] models::DataLoader loader(std::span<const StorageStream> readers) const {
    const DataPlan& data = scenario_.data;
    const double bytes = readers.front().bytes;
    const double operations = bytes / request().base() * (1.0 + data.metadata_operations);
    const double read =
        bytes > 0.0 ? operations * latency().base() + bytes / stream_rate(readers.front()) : 0.0;
    return {.num_readers = static_cast<int>(readers.size()),
            .num_workers = data.num_workers,
            .prefetch = data.prefetch,
            .batch_seconds = read + decode_seconds(),
            .hand_over_seconds = data.hand_over.base(),
            .jitter = data.jitter};
  }

  /// Returns the time to decode the samples that a reader brings to a step.
  [[nodiscard]] double decode_seconds() const {
    return scenario_.data.decode.base() * static_cast<double>(scenario_.workload.global_batch) /
           job_.checked->layout.dp;
  }

  StepReads reads() const {
    const auto readers = readers_of(job_, fabric_);
    const double operations = 1.0 + scenario_.data.metadata_operations;
    TransferLoads loads = ways_.network->loads(readers, Direction::kRead, request() / operations);
    for (core::LinkUse& use : loads.uses) use.coefficient *= loads.bytes / kUnitsPerStep;
    return {.uses = std::move(loads.uses),
            .ceiling = mount().largest_read_rate().base() / loads.largest_client,
            .bytes = loads.bytes,
            .shared_bytes = loads.bytes,
            .request = request().base() / operations,
            .busiest_node = loads.busiest_node,
            .loader = loader(readers)};
  }

  /// Returns the largest share of the dataset that one node reads in an epoch.
  [[nodiscard]] double largest_part() const {
    const models::Layout& layout = job_.checked->layout;
    std::map<int, std::set<int>> replicas_of_node;
    for (int replica = 0; replica < layout.dp; ++replica) {
      for (const int stage : {0, layout.pp - 1}) {
        const int rank = layout.accelerator(0, replica * layout.cp, stage);
        replicas_of_node[fabric_.endpoint(rank).node].insert(replica);
      }
    }
    std::size_t most = 1;
    for (const auto& [compute_node, replicas] : replicas_of_node) {
      most = std::max(most, replicas.size());
    }
    return static_cast<double>(most) / layout.dp;
  }

  /// Returns the reads of later epochs. The first epoch fills the nodes' page cache; later a node
  /// finds the samples there that it keeps of the dataset, or of its own part with fixed shards.
  StepReads cached(StepReads reads) const {
    const DataPlan& data = scenario_.data;
    if (!data.size) return reads;
    const double part = data.fixed_shards ? largest_part() : 1.0;
    const double read = 1.0 - std::min(1.0, data.page_cache / (*data.size * part));
    const double decode = decode_seconds();
    reads.loader.batch_seconds = decode + (reads.loader.batch_seconds - decode) * read;
    if (read == 0.0) return {.uses = {}, .loader = reads.loader};
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
  const Ways& ways_;
  std::vector<CheckpointFile> files_;
  std::optional<LocalTier> local_;
};

}  // namespace

JobTransfers job_transfers(const RunJob& job, const core::Fabric& fabric, const Ways& ways,
                           JobRun& run) {
  return TransferBuilder(job, fabric, ways).transfers(run);
}

}  // namespace railwright::simulation
