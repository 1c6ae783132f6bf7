// SPDX-License-Identifier: Apache-2.0
#include "sample_reads.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

using core::DataSize;
using core::Duration;
using models::Direction;
using models::StorageStream;
using models::TransferLoads;

namespace {

/// Adds the readers of samples: in each replica, one tensor-parallel rank of the first stage,
/// for inputs, and one of the last stage, for labels.
void add_readers(const RunPart& job, std::vector<StorageStream>& readers) {
  const models::Layout& layout = job.checked->layout;
  const double bytes = models::data_per_step(job.checked->scenario.workload).base() / layout.dp;
  for (int replica = 0; replica < layout.dp; ++replica) {
    for (const int stage : {0, layout.pp - 1}) {
      const int rank = layout.accelerator(0, replica * layout.cp, stage);
      readers.push_back(
          {.client = job.first_node + rank / job.accelerators_per_node(), .bytes = bytes});
      if (layout.pp == 1) break;
    }
  }
}

std::vector<StorageStream> readers_of(const RunJob& job) {
  std::vector<StorageStream> readers;
  add_readers({.checked = job.checked, .first_node = job.first_node}, readers);
  for (const RunPart& part : job.others) add_readers(part, readers);
  return readers;
}

}  // namespace

SampleReads::SampleReads(const RunJob& job, const Ways& ways)
    : job_(job),
      scenario_(job.checked->scenario),
      ways_(ways),
      readers_(readers_of(job)),
      loads_(
          ways.network->loads(readers_, Direction::kRead,
                              {.request = request() / (1.0 + scenario_.data.metadata_operations)})),
      stream_rate_(stream_rate()),
      most_readers_(most_readers()) {}

DataSize SampleReads::request() const {
  if (scenario_.data.request) return *scenario_.data.request;
  if (!scenario_.data.shuffled) return DataSize::from_base(kTransferSize);
  const models::Training& training = scenario_.workload;
  return models::data_per_step(training) / static_cast<double>(training.global_batch);
}

/// Returns the bytes/s that one worker of a reader reads while nothing else reads.
double SampleReads::stream_rate() const {
  const TransferLoads loads = ways_.network->loads(std::span(readers_).first(1), Direction::kRead);
  return std::min({models::free_rate_to_nodes(loads, ways_.links).rate,
                   models::free_rate_of_drives(loads, ways_.links).rate,
                   scenario_.cluster.storage->mount.largest_read_rate().base()});
}

/// Returns the time to decode the samples that a reader brings to a step.
double SampleReads::decode_seconds() const {
  return scenario_.data.decode.base() * static_cast<double>(scenario_.workload.global_batch) /
         job_.checked->layout.dp;
}

/// Returns the loader of samples: a worker waits for each request's operations one by one, unless
/// it reads ahead in long runs, and for its bytes, which a core moves; then it decodes.
models::DataLoader SampleReads::loader(double share) const {
  const DataPlan& data = scenario_.data;
  const core::Mount& mount = scenario_.cluster.storage->mount;
  const double bytes = readers_.front().bytes;
  const double in_flight =
      data.shuffled || !mount.requests_in_flight ? 1.0 : mount.requests_in_flight->value;
  const double operations = bytes / request().base() * (1.0 + data.metadata_operations) / in_flight;
  const double read =
      bytes > 0.0
          ? operations * models::access_latency(scenario_.cluster.storage->node, mount).base() +
                bytes / stream_rate_ + bytes / mount.processor_rate.value.base()
          : 0.0;
  return {.num_readers = static_cast<int>(readers_.size()),
          .num_workers = data.num_workers,
          .prefetch = data.prefetch,
          .batch_seconds = read * share + decode_seconds(),
          .hand_over_seconds = hand_over().base(),
          .jitter = data.jitter.value_or(data.reader ? data.reader->jitter.value : 0.0)};
}

/// Returns the time that a step waits for a batch that is ready: stated, or by the library that
/// loads it.
Duration SampleReads::hand_over() const {
  const DataPlan& data = scenario_.data;
  if (data.hand_over || !data.reader) return data.hand_over.value_or(Duration{});
  const double samples =
      static_cast<double>(scenario_.workload.global_batch) / job_.checked->layout.dp;
  return models::hand_over_time(*data.reader, samples, DataSize::from_base(readers_.front().bytes));
}

/// Returns the readers of the node with the most of them.
int SampleReads::most_readers() const {
  std::map<int, int> readers_of_node;
  int most = 0;
  for (const StorageStream& reader : readers_) {
    most = std::max(most, ++readers_of_node[reader.client]);
  }
  return most;
}

/// Returns the seconds of a core that a step takes on the node with the most readers.
double SampleReads::core_seconds(double share) const {
  const core::Bandwidth rate = scenario_.cluster.storage->mount.processor_rate.value;
  return most_readers_ * (readers_.front().bytes * share / rate.base() + decode_seconds());
}

Duration SampleReads::core_time() const { return Duration::from_base(core_seconds(1.0)); }

StepReads SampleReads::reads(double share) const {
  const auto& num_cores = scenario_.cluster.node.num_cores;
  const double by_cores = num_cores ? core_seconds(share) / num_cores->value : 0.0;
  const double by_mounts =
      loads_.largest_client * share / scenario_.cluster.storage->mount.largest_read_rate().base();
  StepReads reads{.uses = {},
                  .ceiling = 1.0 / std::max(by_cores, by_mounts),
                  .bytes = loads_.bytes * share,
                  .shared_bytes = loads_.bytes * share,
                  .loader = loader(share)};
  if (share == 0.0) return reads;
  reads.uses = loads_.uses;
  for (core::LinkUse& use : reads.uses) use.coefficient *= reads.bytes / kUnitsPerStep;
  reads.request = request().base() / (1.0 + scenario_.data.metadata_operations);
  reads.node_shares = loads_.node_shares;
  return reads;
}

/// Returns the largest share of the dataset that one node reads in an epoch.
double SampleReads::largest_part() const {
  const models::Layout& layout = job_.checked->layout;
  std::map<int, std::set<int>> replicas_of_node;
  for (int replica = 0; replica < layout.dp; ++replica) {
    for (const int stage : {0, layout.pp - 1}) {
      const int rank = layout.accelerator(0, replica * layout.cp, stage);
      replicas_of_node[rank / job_.accelerators_per_node()].insert(replica);
    }
  }
  std::size_t most = 1;
  for (const auto& [compute_node, replicas] : replicas_of_node) {
    most = std::max(most, replicas.size());
  }
  int num_replicas = layout.dp;
  for (const RunPart& part : job_.others) num_replicas += part.checked->layout.dp;
  return static_cast<double>(most) / num_replicas;
}

StepReads SampleReads::later_epochs() const {
  const DataPlan& data = scenario_.data;
  if (!data.size) return first_epoch();
  const double part = data.fixed_shards ? largest_part() : 1.0;
  return reads(1.0 - std::min(1.0, data.page_cache / (*data.size * part)));
}

}  // namespace railwright::simulation
