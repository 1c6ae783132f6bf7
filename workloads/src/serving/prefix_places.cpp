// SPDX-License-Identifier: Apache-2.0
#include "prefix_places.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/offload/tier.hpp"
#include "railwright/models/storage/protection.hpp"
#include "railwright/simulation/run/storage_needs.hpp"
#include "service_files.hpp"

namespace railwright::simulation {

namespace {

using core::Bandwidth;
using core::DataSize;
using core::Duration;

/// Keys and values of so many tokens of one sequence, on all accelerators.
DataSize bytes_of_sequence(const models::Inference& inference, double tokens) {
  return models::kv_cache_per_token(inference.model, 1, inference.kv_cache) *
         models::kept_tokens(inference.model, tokens);
}

/// A request of mean length in the middle of its answer.
double tokens_under_way(const models::Inference& inference) {
  return inference.prompt_tokens + 0.5 * inference.output_tokens;
}

DataSize bytes_of_token(const models::Inference& inference) {
  const double tokens = tokens_under_way(inference);
  return bytes_of_sequence(inference, tokens) / tokens;
}

DataSize usable_storage(const topologies::StorageCluster& storage, int num_nodes) {
  const DataSize usable =
      models::usable_capacity(storage.node, num_nodes, storage.data_reduction, storage.hot_spare);
  return std::max(usable - storage.used, DataSize{});
}

/// Returns the fewest storage nodes that hold so much; one more than the largest cluster has where
/// none do.
int nodes_that_hold(const topologies::StorageCluster& storage, DataSize wanted) {
  const int most = storage.node.max_nodes.value;
  int count = min_storage_nodes(storage);
  while (count <= most && usable_storage(storage, count) < wanted) ++count;
  return count;
}

/// Adds the places one after another.
class Places {
 public:
  Places(const CheckedInference& checked, const PrefixHolders& holders)
      : inference_(checked.inference),
        cache_(*inference_.prefix_cache),
        node_(checked.cluster.cluster.node),
        holders_(holders),
        load_(holders.requests_per_s) {}

  /// Adds a place that holds `tokens` in all, as one of `num_alike` that do not know each other.
  PrefixPlace& add(std::string name, double tokens, std::int64_t num_alike) {
    largest_ = std::max(largest_, tokens);
    const double alike =
        cache_.routed ? 1.0 : static_cast<double>(std::max<std::int64_t>(num_alike, 1));
    const double found = std::max(found_in(cache_, largest_, load_) / alike, found_);
    PrefixPlace& place = places_.emplace_back(
        PrefixPlace{.name = std::move(name), .tokens = tokens, .hit_rate = found - found_});
    const double prompt = inference_.prompt_tokens;
    const DataSize before = bytes_of_sequence(inference_, prompt * found_);
    const DataSize until = bytes_of_sequence(inference_, prompt * found);
    const DataSize all = bytes_of_sequence(inference_, prompt + inference_.output_tokens);
    place.read = Bandwidth::from_base((until - before).base() * load_);
    place.written = Bandwidth::from_base((all - until).base() * load_);
    found_ = found;
    return place;
  }

  /// Adds a tier of the nodes. Links to host memory move both ways at a time, drives do not.
  void add_tier(const models::OffloadTier& tier) {
    const auto nodes = static_cast<double>(holders_.nodes);
    const double tokens = tier.capacity.value.base() * nodes / bytes_of_token(inference_).base();
    PrefixPlace& place = add(tier.name, tokens, std::min(holders_.nodes, holders_.replicas));
    const double reads = place.read.base() / (models::stream_rate(tier, node_).base() * nodes);
    const double writes = place.written.base() / (models::send_rate(tier, node_).base() * nodes);
    const bool moves_both = tier.medium == models::OffloadMedium::kMemory;
    place.busy_fraction = moves_both ? std::max(reads, writes) : reads + writes;
  }

  [[nodiscard]] std::vector<PrefixPlace> take() { return std::move(places_); }
  [[nodiscard]] double found() const { return found_; }

 private:
  const models::Inference& inference_;
  const models::PrefixCache& cache_;
  const core::ComputeNode& node_;
  const PrefixHolders& holders_;
  double load_ = 0.0;
  double largest_ = 0.0;  ///< tokens of the places so far
  double found_ = 0.0;    ///< share of a prompt that they hold
  std::vector<PrefixPlace> places_;
};

/// Returns how many times the sizes of the cache are at a load.
double stretch_of(const models::PrefixCache& cache, double requests_per_s) {
  const bool is_known = cache.requests_per_s && requests_per_s > 0.0;
  return is_known ? requests_per_s / *cache.requests_per_s : 1.0;
}

}  // namespace

PrefixHolders holders_of_all(const CheckedInference& checked) {
  const models::PrefixCache& cache = *checked.inference.prefix_cache;
  const double load = checked.inference.wanted_requests_per_s();
  return {.tokens_of_replica = cache.sizes.back() * stretch_of(cache, load),
          .requests_per_s = load};
}

PrefixHolders holders_of(const CheckedInference& checked, const InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  PrefixHolders holders{.replicas = std::max<std::int64_t>(result.num_replicas, 1),
                        .nodes = std::max<std::int64_t>(result.nodes_for_load, 1),
                        .requests_per_s = answered_requests_per_s(inference, result)};
  if (result.disaggregated) return holders;
  const double at_most = result.requests_per_s();
  const double busy = at_most > 0.0 ? std::min(holders.requests_per_s / at_most, 1.0) : 1.0;
  const double under_way = result.run ? result.run->mean_batch : result.cycle.batch * busy;
  holders.tokens_of_replica = std::max(static_cast<double>(result.largest_batch) - under_way, 0.0) *
                              tokens_under_way(inference);
  return holders;
}

double found_in(const models::PrefixCache& cache, double tokens, double requests_per_s) {
  const double size = tokens / stretch_of(cache, requests_per_s);
  double size_before = 0.0;
  double rate_before = 0.0;
  for (std::size_t i = 0; i < cache.sizes.size(); ++i) {
    if (size < cache.sizes[i]) {
      return rate_before + (cache.hit_rates[i] - rate_before) * (size - size_before) /
                               (cache.sizes[i] - size_before);
    }
    size_before = cache.sizes[i];
    rate_before = cache.hit_rates[i];
  }
  return rate_before;
}

PrefixCacheUse prefix_cache_use(const CheckedInference& checked, const PrefixHolders& holders) {
  const models::Inference& inference = checked.inference;
  const models::PrefixCache& cache = *inference.prefix_cache;
  PrefixCacheUse use;
  Places places(checked, holders);
  places.add(std::string(PrefixPlace::kAccelerators),
             holders.tokens_of_replica * static_cast<double>(holders.replicas), holders.replicas);
  for (const models::OffloadTier& tier : cache.tiers) places.add_tier(tier);
  use.wanted_tokens = cache.sizes.back() * stretch_of(cache, holders.requests_per_s);
  use.wanted = bytes_of_token(inference) * use.wanted_tokens;
  if (cache.on_storage) {
    const topologies::StorageCluster& storage = *checked.cluster.cluster.storage;
    const DataSize usable = usable_storage(storage, storage.count);
    places.add(std::string(PrefixPlace::kStorage), usable / bytes_of_token(inference), 1);
    use.storage_nodes = nodes_that_hold(storage, use.wanted);
    use.most_storage_nodes = storage.node.max_nodes.value;
  }
  use.hit_rate = places.found();
  use.largest_hit_rate = cache.hit_rates.back();
  use.places = places.take();
  return use;
}

void wait_for_prefixes(const PrefixHolders& holders, const core::Fabric& fabric,
                       PrefixCacheUse& use, CheckedInference& checked) {
  models::Inference& inference = checked.inference;
  const models::PrefixCache& cache = *inference.prefix_cache;
  inference.prefix_hit_rate = use.hit_rate;
  const double of_replica =
      std::min(static_cast<double>(holders.nodes) / static_cast<double>(holders.replicas), 1.0);
  Duration wait;
  for (std::size_t i = 0; i < cache.tiers.size(); ++i) {
    const PrefixPlace& place = use.places[i + 1];
    if (!(place.read.base() > 0.0)) continue;
    const Bandwidth rate =
        models::stream_rate(cache.tiers[i], checked.cluster.cluster.node) * of_replica;
    const DataSize part = DataSize::from_base(place.read.base() / holders.requests_per_s);
    const Duration alone = part / rate;
    wait += place.busy_fraction < 1.0 ? alone / (1.0 - place.busy_fraction) : alone;
  }
  if (cache.on_storage) {
    inference.prefix_on_storage = true;
    inference.prefix_from_storage = use.places.back().hit_rate;
    wait += prefix_read_time(checked, fabric, holders.requests_per_s);
  }
  inference.prefix_read = wait;
  use.read = wait;
}

}  // namespace railwright::simulation
