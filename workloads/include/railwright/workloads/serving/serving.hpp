// SPDX-License-Identifier: Apache-2.0
// Number of nodes that answer the requests of a model, and what limits them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/models/inference/batching.hpp"
#include "railwright/models/inference/inference.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/inference/replica_layout.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/models/power/node_power.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/simulation/results/percentiles.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/sweep_space.hpp"

namespace railwright::topologies {
struct BuiltCluster;
}  // namespace railwright::topologies

namespace railwright::simulation {

/// Values that `search` tries in each dimension; an empty list stands for all legal ones.
struct ServingSearchSpace {
  std::vector<int> tp;
  std::vector<int> pp;
  std::optional<bool> attention_dp;
  std::optional<bool> disaggregated;
  std::vector<int> ep;
  std::vector<int> batch;
  std::vector<int> prefill_tp;
  std::vector<int> max_tokens;

  static constexpr auto fields();
};

/// A scenario with `inference` in place of `workload`.
struct InferenceScenario {
  std::string name;
  models::Inference inference;
  topologies::Cluster cluster;
  models::PowerPlan power;
  std::optional<models::Prices> prices;
  std::optional<ServingSearchSpace> search;
  std::optional<SweepSpace> sweep;

  static constexpr auto fields();
};

struct CheckedInference {
  models::Inference inference;
  CheckedCluster cluster;  ///< its accelerator runs at the clock that the power cap allows
  models::PowerPlan power;
  std::optional<models::Prices> prices;
  ServingSearchSpace search;
};

/// Limit of the batch.
enum class BatchLimit : std::uint8_t {
  kMemory,
  kTimeToFirstToken,
  kTimePerOutputToken,
  kMaxBatch,
  kUsers
};

constexpr auto enum_words(BatchLimit) {
  using enum BatchLimit;
  return core::words<BatchLimit>({{"memory", kMemory},
                                  {"time_to_first_token", kTimeToFirstToken},
                                  {"time_per_output_token", kTimePerOutputToken},
                                  {"max_batch", kMaxBatch},
                                  {"users", kUsers}});
}

/// Weights outside device memory.
struct Offloaded {
  std::string tier;
  int level = 2;  ///< in the memory hierarchy; device memory is 1
  core::DataSize size;
  core::Bandwidth rate;  ///< into all accelerators of a node
  core::Duration time;   ///< to read all weights once, as every pass does
};

/// Shares of the time that replicas for prompts and for answers compute and send, in a run.
struct PoolsRun {
  double prefill_busy_fraction = 0.0;
  double decode_busy_fraction = 0.0;
  double transfer_busy_fraction = 0.0;  ///< share of the time in which a replica for prompts sends
  Percentiles transfer;                 ///< from the first token until the cache has arrived
};

/// Result of a simulated run of requests.
struct ServingRun {
  std::int64_t num_requests = 0;
  std::int64_t num_replicas = 0;  ///< most at a time, with autoscaling
  double mean_replicas = 0.0;     ///< over the duration
  std::int64_t rejected = 0;      ///< requests that no replica has room for
  std::string rejected_why;       ///< of the longest
  /// Time in which rates and means are taken: of a steady load about that in which the requests
  /// come; of a trace and of requests at once from the first arrival to the last answer.
  core::Duration duration;
  double requests_per_s = 0.0;
  double output_tokens_per_s = 0.0;  ///< all replicas together
  Percentiles time_to_first_token;
  Percentiles time_per_output_token;
  Percentiles latency;            ///< from arrival to the last token
  double mean_batch = 0.0;        ///< requests under way in an iteration
  double busy_fraction = 0.0;     ///< share of the replicas' time
  double cache_fraction = 0.0;    ///< largest share of the cache that was reserved
  std::int64_t preemptions = 0;   ///< times that a request lost its cache and passed again
  double within_latencies = 1.0;  ///< share of all requests that met both wanted latencies
  std::optional<PoolsRun> pools;  ///< with `inference.disaggregated`

  /// Share of the requests that are not rejected.
  [[nodiscard]] double taken_share() const {
    return 1.0 - static_cast<double>(rejected) / static_cast<double>(num_requests);
  }
};

/// The 80 % interval of a number, over the predicted one.
struct ServingSpread {
  double low = 0.0;
  double high = 0.0;
};

/// Use of `cluster.storage` by a service.
struct ServiceFiles {
  core::Duration start_of_one;  ///< of a replica alone: its weights read, `start_up` included
  core::Duration start_of_all;  ///< of all replicas at once, as after a loss of power
  std::string_view limit;       ///< of the latter
  core::DataSize prefix;        ///< cached part of a mean prompt, where prefixes are on storage
  core::Duration prefix_read;   ///< time to read it at the wanted load
  core::Bandwidth read;         ///< of prefixes, at the wanted load
  core::Bandwidth written;
  double busy_fraction = 0.0;  ///< of the storage nodes
};

/// Keys and values of earlier requests in the memory of the nodes' CPUs.
struct HostCache {
  core::DataSize prefix;                   ///< cached part of a mean prompt
  core::Duration prefix_read;              ///< time until it is on the accelerators, at the load
  double busy_fraction = 0.0;              ///< of the PCIe links of a node
  std::optional<double> prompts_per_node;  ///< parts of prompts that the memory of a node holds
};

/// A place of a prefix cache: the accelerators, a tier of the nodes, or storage.
struct PrefixPlace {
  static constexpr std::string_view kAccelerators = "accelerators";  ///< the first
  static constexpr std::string_view kStorage = "storage";            ///< the last, of all replicas

  std::string name;
  double tokens = 0.0;    ///< that all of these places hold together
  double hit_rate = 0.0;  ///< share of the prompts' tokens that come from here
  core::Bandwidth read;   ///< of all of them, at the load
  core::Bandwidth written;
  double busy_fraction = 0.0;  ///< of one; 0 of accelerators
};

/// Places of earlier prompts and what is found there, with `inference.prefix_cache`.
struct PrefixCacheUse {
  std::vector<PrefixPlace> places;  ///< the nearest first
  double hit_rate = 0.0;            ///< of all places together
  double largest_hit_rate = 0.0;    ///< of a place with room for all
  double wanted_tokens = 0.0;       ///< room in which that is found, at the load
  core::DataSize wanted;            ///< the same in bytes
  /// For it and what is moved, more than `most_storage_nodes` where these do not hold or move it; 0
  /// where storage is no place.
  std::int64_t storage_nodes = 0;
  std::int64_t most_storage_nodes = 0;  ///< of the largest cluster
  core::Duration read;  ///< time before a mean prompt until it is on the accelerators
  /// With which the service was sized, where its nodes and what is found on them do not settle.
  std::optional<double> sized_hit_rate;
};

/// Replicas that process prompts, and the way of the cache to those that answer.
struct Disaggregated {
  int prefill_tp = 1;
  models::MemoryUse prefill_memory;  ///< on one accelerator
  models::BatchCycle prefill;        ///< with the most prompts at a time
  models::PassTime prefill_time;     ///< mean iteration
  std::int64_t prefill_replicas = 0;
  std::int64_t decode_replicas = 0;
  core::DataSize transfer_size;            ///< cache of a prompt
  core::Duration transfer_time;            ///< of the cache of a prompt
  double transfer_busy_fraction = 0.0;     ///< of a replica at the load, its node sending at once
  core::Duration transfer_per_token = {};  ///< transfer time that each further token bears
};

/// Power of the nodes that the load needs, of redundant ones and of their network.
struct ServingPower {
  models::NodePower node;
  double busy_fraction = 1.0;  ///< share of accelerator time in nodes for the load
  models::PowerByPart mean;    ///< power of the equipment
  models::PowerByPart peak;    ///< all nodes for the load compute
  double pue = 1.0;
  double tokens_per_s = 0.0;  ///< output tokens of the load, or the maximum without one

  [[nodiscard]] core::Power mean_power() const { return mean.equipment() * pue; }
  [[nodiscard]] core::Power peak_power() const { return peak.equipment() * pue; }
  [[nodiscard]] core::Energy energy_per_token() const {
    return mean_power() * core::Duration::from_base(1.0 / tokens_per_s);
  }
};

/// Cost by the prices of the scenario.
struct ServingCost {
  std::string prices;  ///< source and date of the prices
  models::Ownership ownership;
  core::Money per_million_tokens;  ///< output tokens, while the load is there
};

struct InferenceResult {
  std::string name;
  std::vector<std::string> infeasible;  ///< sentences; empty when the nodes carry the load
  std::int64_t num_parameters = 0;
  core::DataSize weights;    ///< whole model
  int tp = 1;                ///< of a replica for answers, if these are apart; `memory` too
  int pp = 1;                ///< stages of its layers
  models::MemoryUse memory;  ///< on one accelerator
  core::DataSize memory_capacity;
  core::DataSize kv_cache_per_token;  ///< on all accelerators of a replica together
  std::optional<Offloaded> offload;

  std::int64_t largest_batch = 0;  ///< largest batch that memory holds
  BatchLimit batch_limit = BatchLimit::kMemory;
  models::BatchCycle cycle;  ///< of a replica for answers, if these are apart
  models::PassTime prefill;
  models::PassTime decode;
  models::PassTime time;  ///< mean iteration of a cycle, by what bounds it
  std::string limit;      ///< sentence on what limits the batch and the time

  std::int64_t num_replicas = 0;  ///< for the load
  std::int64_t num_accelerators = 0;
  std::int64_t nodes_for_load = 0;
  std::int64_t num_nodes = 0;  ///< including redundant ones
  double node_requests_per_s = 0.0;
  double node_tokens_per_s = 0.0;
  double accelerator_tokens_per_s = 0.0;
  std::optional<ServingSpread> throughput;    ///< if one is known of the engine
  std::optional<ServingSpread> first_token;   ///< likewise, of the mean of a run
  std::optional<ServingSpread> output_token;  ///< likewise
  std::int64_t num_nodes_high = 0;            ///< nodes in all at the low end of it
  std::optional<Disaggregated> disaggregated;
  std::optional<ServingRun> run;        ///< if the scenario has `inference.load`
  std::optional<HostCache> host_cache;  ///< with `inference.prefix_on_host`
  std::optional<PrefixCacheUse> prefix_cache;
  std::optional<ServiceFiles> files;   ///< if the cluster has storage and carries the load
  std::optional<ServingPower> power;   ///< if the cluster carries the load
  std::optional<ServingCost> cost;     ///< if the scenario has prices, too
  core::PartsList parts;               ///< of the needed nodes; empty without their power
  double wanted_requests_per_s = 0.0;  ///< load that the replicas are counted for; 0 without one
  /// Command lines that start a replica of each kind, those for prompts first; empty if the
  /// engine's arguments are not known.
  std::vector<std::string> launch;

  [[nodiscard]] bool feasible() const { return infeasible.empty(); }
  [[nodiscard]] models::ReplicaSize replica_size() const { return {tp, pp}; }
  /// Returns the time to the first token in a full batch, without a queue.
  [[nodiscard]] core::Duration time_to_first_token() const {
    return disaggregated ? disaggregated->prefill.time_to_first_token()
                         : cycle.time_to_first_token();
  }
  /// Returns the mean time between a request's tokens in a full batch, including the transfer of
  /// the cache.
  [[nodiscard]] core::Duration time_per_output_token() const {
    return cycle.time_per_output_token() +
           (disaggregated ? disaggregated->transfer_per_token : core::Duration{});
  }
  /// Returns the requests a second that all replicas can answer.
  [[nodiscard]] double requests_per_s() const;
};

/// Reads a scenario of inference. Throws ConfigError with every problem.
CheckedInference read_inference(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the scenario with every key that read_inference() finds for it, as `simulate` runs it.
/// Throws ConfigError with every problem.
core::Node complete_inference(const core::Node& tree, const core::Catalogue& catalogue);

/// Finds the division that needs the fewest nodes, its largest batch within the latencies, and the
/// number of nodes.
InferenceResult simulate(const CheckedInference& checked);
/// Simulates on a cluster that is already built, without power and cost.
InferenceResult simulate(const CheckedInference& checked, const topologies::BuiltCluster& built);
/// Adds power and cost of the needed nodes.
void add_power_and_cost(const CheckedInference& checked, InferenceResult& result);

/// Returns all numbers of a service, in the order of the JSON.
const Numbers<InferenceResult>& serving_numbers();
std::vector<Output> outputs(const InferenceResult& result);

}  // namespace railwright::simulation
