// SPDX-License-Identifier: Apache-2.0
#include "service_files.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/storage/storage.hpp"

namespace railwright::simulation {

using core::Bandwidth;
using core::DataSize;
using core::Duration;
using models::Direction;
using models::StorageNetwork;
using models::StorageStream;
using models::TransferLoads;

namespace {

/// One storage cluster as a service's clients see it.
class Files {
 public:
  Files(const CheckedInference& checked, const core::Fabric& fabric)
      : inference_(checked.inference),
        node_(checked.cluster.cluster.node),
        storage_(*checked.cluster.cluster.storage),
        network_(fabric, storage_.node, storage_.mount) {}

  /// Returns the bytes of keys and values of so many tokens.
  [[nodiscard]] DataSize cache_of(double tokens) const {
    return models::kv_cache_per_token(inference_.model, 1, inference_.kv_cache) *
           models::kept_tokens(inference_.model, tokens);
  }
  [[nodiscard]] DataSize prefix() const {
    return cache_of(inference_.cached_prompt(inference_.prompt_tokens));
  }
  /// Returns the bytes that a request adds: the rest of its prompt, and its answer.
  [[nodiscard]] DataSize added() const {
    return cache_of(static_cast<double>(inference_.prompt_tokens) + inference_.output_tokens) -
           prefix();
  }

  /// Returns the share of the time that the storage nodes are busy with prefixes at a load.
  [[nodiscard]] double busy_fraction(double requests_per_s) const {
    std::vector<double> busy(network_.links().size(), 0.0);
    const auto add = [&](Direction direction, DataSize bytes) {
      for (const core::LinkUse& use : network_.loads_from_outside(direction).uses) {
        const auto link = static_cast<std::size_t>(use.link);
        busy[link] +=
            use.coefficient * bytes.base() * requests_per_s / network_.links()[link].capacity;
      }
    };
    add(Direction::kRead, prefix());
    add(Direction::kWrite, added());
    return std::ranges::max(busy);
  }

  /// Returns the time until all streams have read their bytes; each process of an accelerator reads
  /// one file after another. `once` is the share that drives read.
  [[nodiscard]] Duration read_time(const std::vector<StorageStream>& streams, double once,
                                   std::string_view& limit) const {
    const TransferLoads loads = network_.loads(streams, Direction::kRead, {.on_drives = once});
    const core::Mount& mount = storage_.mount;
    const double of_stream =
        std::min({models::rate_of_requests(storage_.node, mount), mount.processor_rate.value.base(),
                  node_.accelerator.pcie_bandwidth.value.base()});
    const models::ReadTime time =
        models::read_time(loads, network_.links(), loads.largest_stream / of_stream,
                          loads.largest_client / mount.largest_read_rate().base());
    limit = time.limit;
    return models::access_latency(storage_.node, mount) + Duration::from_base(time.seconds);
  }

  /// Returns the share of reads of the same weights by `num_replicas` that drives make.
  [[nodiscard]] double read_once(DataSize weights, std::int64_t num_replicas) const {
    return models::share_from_drives(storage_.node, storage_.count, weights.base(),
                                     weights.base() * static_cast<double>(num_replicas));
  }

 private:
  const models::Inference& inference_;
  const core::ComputeNode& node_;
  const topologies::StorageCluster& storage_;
  StorageNetwork network_;
};

/// Returns the accelerators of each replica, the largest first, as they fill nodes.
std::vector<int> sizes_of_replicas(const InferenceResult& result) {
  if (!result.disaggregated) {
    return std::vector<int>(static_cast<std::size_t>(result.num_replicas),
                            result.replica_size().num_accelerators());
  }
  const Disaggregated& apart = *result.disaggregated;
  std::vector<int> sizes(static_cast<std::size_t>(apart.prefill_replicas), apart.prefill_tp);
  sizes.insert(sizes.end(), static_cast<std::size_t>(apart.decode_replicas), result.tp);
  std::ranges::sort(sizes, std::ranges::greater{});
  return sizes;
}

/// Adds a stream for each accelerator of a replica from the `first` of the cluster on, which reads
/// its share of `bytes`.
void add_streams(int size, int first, const core::Fabric& fabric, DataSize bytes,
                 std::vector<StorageStream>& streams) {
  for (int i = first; i < first + size; ++i) {
    const int node = i / fabric.accelerators_per_node() % fabric.num_nodes();
    streams.push_back({.client = node, .bytes = bytes.base() / size});
  }
}

int largest_replica(const CheckedInference& checked) {
  return checked.inference.tp.value_or(checked.cluster.cluster.node.num_accelerators.value) *
         checked.inference.pp;
}

}  // namespace

Duration prefix_read_time(const CheckedInference& checked, const core::Fabric& fabric) {
  const Files files(checked, fabric);
  if (!(files.prefix().base() > 0.0)) return {};
  const double busy = files.busy_fraction(checked.inference.wanted_requests_per_s());
  std::vector<StorageStream> streams;
  add_streams(largest_replica(checked), 0, fabric, files.prefix(), streams);
  std::string_view limit;
  const Duration alone = files.read_time(streams, 1.0, limit);
  return busy < 1.0 ? alone / (1.0 - busy) : alone;
}

Duration replica_start_time(const CheckedInference& checked, const core::Fabric& fabric, int size) {
  const models::Inference& inference = checked.inference;
  if (!checked.cluster.cluster.storage) return inference.start_up;
  std::vector<StorageStream> streams;
  add_streams(size, 0, fabric, models::weights_size(inference.model, inference.weights), streams);
  std::string_view limit;
  return inference.start_up + Files(checked, fabric).read_time(streams, 1.0, limit);
}

ServiceFiles service_files(const CheckedInference& checked, const core::Fabric& fabric,
                           const InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  const Files files(checked, fabric);
  const int per_node = checked.cluster.cluster.node.num_accelerators.value;
  std::vector<StorageStream> all;
  int used = 0;
  const std::vector<int> sizes = sizes_of_replicas(result);
  for (const int size : sizes) {
    if (used % per_node + size > per_node) used = (used / per_node + 1) * per_node;
    add_streams(size, used, fabric, result.weights, all);
    used += size;
  }
  ServiceFiles use;
  use.start_of_one = replica_start_time(checked, fabric, sizes.front());
  use.start_of_all =
      inference.start_up +
      files.read_time(all, files.read_once(result.weights, std::ssize(sizes)), use.limit);
  if (!inference.prefix_on_storage) return use;
  const double rate = inference.wanted_requests_per_s();
  use.prefix = files.prefix();
  use.prefix_read = inference.prefix_read;
  use.read = Bandwidth::from_base(files.prefix().base() * rate);
  use.written = Bandwidth::from_base(files.added().base() * rate);
  use.busy_fraction = files.busy_fraction(rate);
  return use;
}

}  // namespace railwright::simulation
