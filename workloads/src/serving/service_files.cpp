// SPDX-License-Identifier: Apache-2.0
#include "service_files.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include "railwright/core/sim/flow_network.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/offload/tier.hpp"
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

/// Keys and values of a mean request: the part of its prompt that was left there by an earlier one,
/// and what it adds, what no place has of its prompt and its answer.
struct CachedParts {
  DataSize prefix;
  DataSize added;
};

CachedParts cached_parts(const models::Inference& inference) {
  const auto cache_of = [&](double tokens) {
    return models::kv_cache_per_token(inference.model, 1, inference.kv_cache) *
           models::kept_tokens(inference.model, tokens);
  };
  const DataSize known = cache_of(inference.cached_prompt(inference.prompt_tokens));
  const double all = static_cast<double>(inference.prompt_tokens) + inference.output_tokens;
  DataSize prefix = known;
  if (inference.prefix_from_storage) {
    const double nearer = inference.prefix_hit_rate - *inference.prefix_from_storage;
    prefix = known - cache_of(inference.prompt_tokens * nearer);
  }
  return {.prefix = std::max(prefix, DataSize{}), .added = cache_of(all) - known};
}

/// Share of a link that others leave at least; a service beside a load that takes all is
/// infeasible.
constexpr double kMinLeft = 1e-3;

/// One storage cluster as a service's clients see it.
class Files {
 public:
  Files(const CheckedInference& checked, const core::Fabric& fabric)
      : inference_(checked.inference),
        node_(checked.cluster.cluster.node),
        storage_(*checked.cluster.cluster.storage),
        parts_(cached_parts(inference_)),
        network_(fabric, storage_.node, storage_.mount),
        links_(network_.links()),
        others_(links_.size(), 0.0) {
    add_busy(Direction::kRead, inference_.others_read.base(), others_);
    add_busy(Direction::kWrite, inference_.others_write.base(), others_);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      links_[i].capacity *= std::max(1.0 - others_[i], kMinLeft);
    }
  }

  [[nodiscard]] DataSize prefix() const { return parts_.prefix; }
  [[nodiscard]] DataSize added() const { return parts_.added; }

  /// Returns the share of the time that the storage nodes are busy with prefixes at a load, and
  /// with what others do.
  [[nodiscard]] double busy_fraction(double requests_per_s) const {
    std::vector<double> busy = others_;
    if (inference_.prefix_on_storage) {
      add_busy(Direction::kRead, prefix().base() * requests_per_s, busy);
      add_busy(Direction::kWrite, added().base() * requests_per_s, busy);
    }
    return std::ranges::max(busy);
  }

  /// Returns the time until all streams have read their bytes; each process of an accelerator reads
  /// one file after another. `once` is the share that drives read; others take their part.
  [[nodiscard]] Duration read_time(const std::vector<StorageStream>& streams, double once,
                                   std::string_view& limit) const {
    return time_over(links_, streams, once, limit);
  }
  /// Returns the time of a read that has storage to itself.
  [[nodiscard]] Duration time_alone(const std::vector<StorageStream>& streams) const {
    std::string_view limit;
    return time_over(network_.links(), streams, 1.0, limit);
  }

  /// Returns the share of reads of the same weights by `num_replicas` that drives make.
  [[nodiscard]] double read_once(DataSize weights, std::int64_t num_replicas) const {
    return models::share_from_drives(storage_.node, storage_.count, weights.base(),
                                     weights.base() * static_cast<double>(num_replicas));
  }

 private:
  [[nodiscard]] Duration time_over(std::span<const models::StorageLink> links,
                                   const std::vector<StorageStream>& streams, double once,
                                   std::string_view& limit) const {
    const TransferLoads loads = network_.loads(streams, Direction::kRead, {.on_drives = once});
    const core::Mount& mount = storage_.mount;
    const double of_stream =
        std::min({models::rate_of_requests(storage_.node, mount), mount.processor_rate.value.base(),
                  models::accelerator_host_rate(node_).base()});
    const models::ReadTime time =
        models::read_time(loads, links, loads.largest_stream / of_stream,
                          loads.largest_client / mount.largest_read_rate().base());
    limit = time.limit;
    return models::access_latency(storage_.node, mount) + Duration::from_base(time.seconds);
  }

  /// Adds the share of the time that a rate in bytes/s takes of each link.
  void add_busy(Direction direction, double rate, std::vector<double>& busy) const {
    for (const core::LinkUse& use : network_.loads_from_outside(direction).uses) {
      const auto link = static_cast<std::size_t>(use.link);
      busy[link] += use.coefficient * rate / network_.links()[link].capacity;
    }
  }

  const models::Inference& inference_;
  const core::ComputeNode& node_;
  const topologies::StorageCluster& storage_;
  CachedParts parts_;
  StorageNetwork network_;
  std::vector<models::StorageLink> links_;  ///< with what others leave
  std::vector<double> others_;              ///< share of each link that they take
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

double answered_requests_per_s(const models::Inference& inference, const InferenceResult& result) {
  const double wanted = inference.wanted_requests_per_s();
  if (wanted > 0.0) return wanted;
  return result.run ? result.run->requests_per_s : result.requests_per_s();
}

Duration prefix_read_time(const CheckedInference& checked, const core::Fabric& fabric,
                          double requests_per_s) {
  const Files files(checked, fabric);
  if (!(files.prefix().base() > 0.0)) return {};
  const double busy = files.busy_fraction(requests_per_s);
  std::vector<StorageStream> streams;
  add_streams(largest_replica(checked), 0, fabric, files.prefix(), streams);
  const Duration alone = files.time_alone(streams);
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
  const double rate = inference.prefix_cache ? answered_requests_per_s(inference, result)
                                             : inference.wanted_requests_per_s();
  use.busy_fraction = files.busy_fraction(rate);
  if (!inference.prefix_on_storage) return use;
  use.prefix = files.prefix();
  use.prefix_read = prefix_read_time(checked, fabric, rate);
  use.read = Bandwidth::from_base(files.prefix().base() * rate);
  use.written = Bandwidth::from_base(files.added().base() * rate);
  return use;
}

HostCache host_cache(const CheckedInference& checked, double requests_per_s_of_node) {
  const models::Inference& inference = checked.inference;
  const core::ComputeNode& node = checked.cluster.cluster.node;
  const CachedParts parts = cached_parts(inference);
  HostCache cache{.prefix = parts.prefix};
  const Bandwidth rate = models::host_link_rate(node);
  const double of_replica =
      std::min(static_cast<double>(largest_replica(checked)) / node.num_accelerators.value, 1.0);
  // PCIe moves both ways at a time.
  cache.busy_fraction =
      std::max(parts.prefix, parts.added).base() * requests_per_s_of_node / rate.base();
  cache.prefix_read = cache.prefix / (rate * of_replica);
  if (cache.busy_fraction < 1.0) {
    cache.prefix_read = cache.prefix_read / (1.0 - cache.busy_fraction);
  }
  if (node.host_memory && cache.prefix.base() > 0.0) {
    cache.prompts_per_node = node.host_memory->value / cache.prefix;
  }
  return cache;
}

}  // namespace railwright::simulation
