// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "disaggregated_sizing.hpp"
#include "prefix_places.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/workloads/serving/launch.hpp"
#include "railwright/workloads/serving/needs_more.hpp"
#include "railwright/workloads/serving/serving.hpp"
#include "replica.hpp"
#include "service_files.hpp"
#include "serving_run.hpp"
#include "sizing_parts.hpp"

namespace railwright::simulation {

namespace {

using core::to_text;

/// Most replicas that are tried, over those that answer one request at a time: few ever wait then.
constexpr std::int64_t kMaxOverOneByOne = 4;

/// Rounds in which the load of a node and its wait for host memory settle.
constexpr int kHostRounds = 3;

/// Rounds in which the nodes of a service and what its prompts find on them settle; as many follow
/// at most until one stands.
constexpr int kPrefixRounds = 6;

/// Checks that the replicas of a steady load can answer it: the queue would grow for ever.
void check_capacity(const models::Inference& inference, Option& option) {
  const InferenceResult& result = option.result;
  if (!inference.load->keeps_coming()) return;
  const auto& rule = inference.load->autoscaling;
  const std::int64_t most = rule ? rule->max_replicas : result.num_replicas;
  check_rate(inference, most, result.cycle.requests_per_s(), "", option);
}

/// Returns the most replicas that are tried for a load.
std::int64_t most_replicas(const models::Inference& inference, const Replica& replica) {
  if (inference.load->has_users()) return inference.load->num_users();
  return kMaxOverOneByOne *
         replicas_for(inference.wanted_requests_per_s(), replica.cycle(1).requests_per_s());
}

/// A replica has no more requests under way than its users send.
void limit_to_users(const Replica& replica, std::int64_t users, InferenceResult& result) {
  const std::int64_t of_one = core::ceil_div(users, result.run->num_replicas);
  if (of_one >= std::llround(result.cycle.batch)) return;
  set_batch(replica, of_one, result);
  result.batch_limit = BatchLimit::kUsers;
  result.limit = limit_text(result);
}

/// Simulates the requests on the replicas that the load sets. Without these, requests that come all
/// at once run on all replicas of the cluster, others on as many as they need.
void serve(const CheckedInference& checked, const core::Fabric& fabric, const Replica& replica,
           Option& option) {
  const models::Inference& inference = checked.inference;
  InferenceResult& result = option.result;
  const models::RequestLoad& load = *inference.load;
  const core::Duration start_time =
      load.autoscaling
          ? replica_start_time(checked, fabric, result.replica_size().num_accelerators())
          : core::Duration{};
  ServedLoad served(replica, std::llround(result.cycle.batch), start_time);
  if (load.autoscaling) {
    result.run = served.run(load.autoscaling->min_replicas);
  } else if (load.replicas || load.comes_at_once()) {
    const std::int64_t in_cluster = node_filling(checked, result.replica_size().num_accelerators())
                                        .replicas_of(checked.cluster.cluster.num_nodes);
    result.run = served.run(load.replicas.value_or(in_cluster));
  } else {
    result.run = fewest_that_hold(
        result.num_replicas, std::max(most_replicas(inference, replica), result.num_replicas),
        [&](std::int64_t count, IfLate if_late) { return served.run(count, if_late); },
        [&](const ServingRun& run) {
          return meets_latencies(inference, run) || rejects_too_many(inference, run);
        });
  }
  if (load.has_users()) limit_to_users(replica, load.num_users(), result);
  count_nodes(checked, result.run->num_replicas, result);
  if (load.comes_at_once() && !load.replicas) {
    result.num_nodes = result.nodes_for_load;  // none is kept in reserve
  }
  check_capacity(inference, option);
  check_latencies(inference, option);
}

/// Returns the wanted latencies of replicas that answer whole requests.
BatchLatencies whole_latencies(const models::Inference& inference) {
  return {.first_token = or_forever(inference.time_to_first_token),
          .output_token = or_forever(inference.time_per_output_token)};
}

Option evaluate(const CheckedInference& checked, const core::Fabric& fabric,
                const Replica& replica) {
  const models::Inference& inference = checked.inference;
  Option option{.result = undecided(checked, replica.size())};
  InferenceResult& result = option.result;
  result.offload = replica.offload();
  result.memory = replica.memory(1);
  const std::string division = name_of(result.replica_size());
  if (!replica.fits(1)) {
    option.miss = 1e3 + replica.excess(1) / result.memory_capacity;
    result.infeasible.push_back(too_large(result.memory, result.memory_capacity, division));
    return option;
  }
  result.cycle = replica.cycle(1);
  const std::string late = missed_latency(
      division,
      {{"the first token", result.cycle.time_to_first_token(), inference.time_to_first_token},
       {"each further token", result.cycle.time_per_output_token(),
        inference.time_per_output_token}},
      option.miss);
  if (!late.empty()) {
    result.infeasible.push_back(late);
    return option;
  }
  choose_batch(replica, whole_latencies(inference), result);
  result.prefill = replica.prefill();
  result.limit = limit_text(result);
  count_nodes(checked,
              replicas_for(inference.wanted_requests_per_s(), result.cycle.requests_per_s()),
              result);
  if (inference.load) serve(checked, fabric, replica, option);
  return option;
}

/// Returns the first tier that holds all weights; if none does, nothing and the reason.
std::optional<Offloaded> place(const CheckedInference& checked, core::DataSize weights,
                               std::string& reason) {
  core::DataSize most;
  int level = 1;
  for (const models::OffloadTier& tier : checked.inference.offload) {
    ++level;
    most = std::max(most, tier.capacity.value);
    if (tier.capacity.value < weights) continue;
    const core::Bandwidth rate = models::stream_rate(tier, checked.cluster.cluster.node);
    return Offloaded{
        .tier = tier.name, .level = level, .size = weights, .rate = rate, .time = weights / rate};
  }
  reason = fmt::format("weights of {}: the largest tier to offload to holds {}, {} too little",
                       to_text(weights), to_text(most), to_text(weights - most));
  return std::nullopt;
}

/// Returns the best way to divide the model over replicas that answer whole requests.
Option best_division(const CheckedInference& checked, const core::Fabric& fabric,
                     core::DataSize weights, std::string& no_tier) {
  std::optional<Option> best;
  const std::vector<models::ReplicaSize> list = replica_sizes(checked);
  const auto consider = [&](const models::ReplicaSize& size,
                            const std::optional<Offloaded>& offload) {
    Option option = evaluate(checked, fabric, Replica(checked, fabric, size, offload));
    if (!best || better(option, *best)) best = std::move(option);
  };
  for (const models::ReplicaSize& size : list) consider(size, std::nullopt);
  if (best->result.largest_batch == 0) {
    for (const models::ReplicaSize& size : sizes_over_nodes(checked)) consider(size, std::nullopt);
  }
  if (!best->result.feasible() && !checked.inference.offload.empty()) {
    const auto offload = place(checked, weights, no_tier);
    if (offload) consider(list.back(), offload);
  }
  return std::move(*best);
}

/// Whether replicas that answer whole requests surely need more accelerators than these.
bool whole_need_more(const CheckedInference& checked, const core::Fabric& fabric,
                     std::int64_t accelerators) {
  const models::Inference& inference = checked.inference;
  const std::vector<models::ReplicaSize> sizes = replica_sizes(checked);
  if (sizes.size() != 1) return false;
  const Replica replica(checked, fabric, sizes.front(), std::nullopt);
  const std::int64_t batch =
      replica.fits(1) ? batch_within(replica, whole_latencies(inference)).batch : 0;
  if (batch == 0) return false;
  const std::int64_t most = accelerators / sizes.front().num_accelerators();
  if (most <
      replicas_for(inference.wanted_requests_per_s(), replica.cycle(batch).requests_per_s())) {
    return true;
  }
  const ServingRun run =
      ServedLoad(replica, batch, core::Duration{}).run(most, IfLate::kStopsIfSurely);
  return !rejects_too_many(inference, run) &&
         are_surely_late(inference, run.within_latencies, run.num_requests);
}

std::vector<std::string> launch_lines(const models::Inference& inference,
                                      const InferenceResult& result) {
  std::vector<std::string> lines;
  const auto put = [&](const models::ReplicaSize& size, double batch, LaunchRole role) {
    std::string line =
        launch_line(inference, layout_of(inference, size), std::llround(batch), role);
    if (!line.empty()) lines.push_back(std::move(line));
  };
  if (result.disaggregated) {
    const Disaggregated& apart = *result.disaggregated;
    put({.tp = apart.prefill_tp}, apart.prefill.batch, LaunchRole::kPrompts);
  }
  put(result.replica_size(), result.cycle.batch,
      result.disaggregated ? LaunchRole::kAnswers : LaunchRole::kBoth);
  return lines;
}

std::optional<ServingSpread> spread_of(const std::optional<core::Sourced<double>>& low,
                                       const std::optional<core::Sourced<double>>& high) {
  if (!low || !high) return {};
  return ServingSpread{low->value, high->value};
}

/// Sets the intervals of throughputs and latencies, and the nodes that the load needs at its low
/// end.
void set_interval(const CheckedInference& checked, InferenceResult& result) {
  const models::ServingEngine& engine = checked.inference.engine;
  result.first_token = spread_of(engine.first_token_low, engine.first_token_high);
  result.output_token = spread_of(engine.output_token_low, engine.output_token_high);
  if (!engine.throughput_low || !engine.throughput_high) return;
  result.throughput = spread_of(engine.throughput_low, engine.throughput_high);
  const double wanted = checked.inference.wanted_requests_per_s();
  const std::optional<models::RequestLoad>& load = checked.inference.load;
  const bool counts_for_users =
      result.run && load->has_users() && !load->replicas && !load->autoscaling;
  if ((wanted == 0.0 && !counts_for_users) || result.num_replicas == 0) return;
  // Replicas that a simulated run needs beyond those that full batches do stay as many more.
  const double least = result.disaggregated || result.run ? static_cast<double>(result.num_replicas)
                                                          : wanted / result.cycle.requests_per_s();
  const double accelerators = std::ceil(least / result.throughput->low) *
                              static_cast<double>(result.num_accelerators) /
                              static_cast<double>(result.num_replicas);
  const NodeFilling filling = node_filling(checked, result.replica_size().num_accelerators());
  const double in_use = filling.replicas_per_node() * filling.size;
  const auto nodes_for_load = std::llround(std::ceil(accelerators / in_use - 1e-9));
  result.num_nodes_high = std::max<std::int64_t>(nodes_for_load, result.nodes_for_load) +
                          (result.num_nodes - result.nodes_for_load);
}

}  // namespace

double InferenceResult::requests_per_s() const {
  if (!disaggregated) return static_cast<double>(num_replicas) * cycle.requests_per_s();
  return std::min(static_cast<double>(disaggregated->prefill_replicas) *
                      disaggregated->prefill.requests_per_s(),
                  static_cast<double>(disaggregated->decode_replicas) * cycle.requests_per_s());
}

InferenceResult simulate(const CheckedInference& checked) {
  InferenceResult result =
      simulate(checked, checked.cluster.topology->build(checked.cluster.cluster));
  add_power_and_cost(checked, result);
  return result;
}

namespace {

/// Adds the use of storage, which may be more than it can do.
void add_files(const CheckedInference& checked, const core::Fabric& fabric,
               InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  if (!checked.cluster.cluster.storage || result.num_replicas == 0) return;
  result.files = service_files(checked, fabric, result);
  if (result.files->busy_fraction < 1.0) return;
  const std::string prefixes =
      inference.prefix_on_storage
          ? fmt::format("prefixes of {:.6g} requests/s are {} to read and {} to write, ",
                        answered_requests_per_s(inference, result), to_text(result.files->read),
                        to_text(result.files->written))
          : "";
  result.infeasible.push_back(
      fmt::format("{}storage nodes are overloaded {:.2f}x, including other "
                  "jobs",
                  prefixes, result.files->busy_fraction));
}

/// Finds the best service whose prompts wait `prefix_read`, without its use of storage.
InferenceResult size_replicas(const CheckedInference& checked,
                              const topologies::BuiltCluster& built) {
  const models::Inference& inference = checked.inference;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const std::int64_t parameters = models::num_parameters(inference.model);
  const core::DataSize weights =
      models::weights_size(inference.model, inference.weights) +
      models::dense_weights_beyond(inference.model, {}, inference.weights,
                                   inference.dense_format());
  std::string no_tier;
  Option best = inference.disaggregated ? best_disaggregated(checked, built.fabric)
                                        : best_division(checked, built.fabric, weights, no_tier);
  InferenceResult result = std::move(best.result);
  result.name = checked.cluster.name;
  result.num_parameters = parameters;
  result.weights = weights;
  set_interval(checked, result);
  if (result.num_nodes > 0) result.launch = launch_lines(inference, result);
  if (!no_tier.empty()) result.infeasible.push_back(no_tier);
  for (const core::Shortfall& shortfall : built.parts.shortfalls) {
    result.infeasible.push_back(shortfall.what);
  }
  if (result.feasible() && result.num_nodes > cluster.num_nodes) {
    result.infeasible.push_back(
        fmt::format("{} nodes are needed, {} for the load and {} redundant, {} more than the {} "
                    "there are",
                    result.num_nodes, result.nodes_for_load, inference.redundant_nodes,
                    result.num_nodes - cluster.num_nodes, cluster.num_nodes));
  }
  return result;
}

/// Finds the best service whose prompts wait `prefix_read`.
InferenceResult size_service(const CheckedInference& checked,
                             const topologies::BuiltCluster& built) {
  InferenceResult result = size_replicas(checked, built);
  add_files(checked, built.fabric, result);
  return result;
}

}  // namespace

namespace {

/// Finds the service whose prompts wait for host memory; the load of a node follows from the nodes
/// that it takes.
InferenceResult size_beside_host(const CheckedInference& checked,
                                 const topologies::BuiltCluster& built) {
  CheckedInference waiting = checked;
  HostCache cache = host_cache(checked, 0.0);
  InferenceResult result;
  for (int round = 0; round < kHostRounds; ++round) {
    waiting.inference.prefix_read = cache.prefix_read;
    result = size_service(waiting, built);
    result.host_cache = cache;
    if (result.nodes_for_load == 0) return result;
    const double wanted = checked.inference.wanted_requests_per_s();
    const double answered = wanted > 0.0 ? wanted : result.requests_per_s();
    cache = host_cache(checked, answered / static_cast<double>(result.nodes_for_load));
  }
  result.host_cache = cache;
  if (cache.busy_fraction >= 1.0) {
    result.infeasible.push_back(fmt::format(
        "keys and values of {:.3g} requests/s of a node are {:.2f} times what its PCIe links move",
        checked.inference.wanted_requests_per_s() / static_cast<double>(result.nodes_for_load),
        cache.busy_fraction));
  }
  return result;
}

}  // namespace

bool surely_needs_more(const CheckedInference& checked, const topologies::BuiltCluster& built,
                       std::int64_t accelerators) {
  const models::Inference& inference = checked.inference;
  const bool is_counted = inference.load && inference.load->keeps_coming() &&
                          !inference.load->replicas && !inference.load->autoscaling;
  const bool has_own_waits =
      inference.prefix_cache || inference.prefix_on_host || inference.prefix_on_storage;
  if (!is_counted || has_own_waits) return false;
  return inference.disaggregated ? apart_need_more(checked, built.fabric, accelerators)
                                 : whole_need_more(checked, built.fabric, accelerators);
}

namespace {

/// Whether a service of `next` finds what it was sized with, to a hundredth of room and load.
bool is_settled(const PrefixHolders& holders, const PrefixHolders& next) {
  const auto is_near = [](double a, double b) { return std::abs(a - b) <= 0.01 * b; };
  return holders.replicas == next.replicas && holders.nodes == next.nodes &&
         is_near(holders.tokens_of_replica, next.tokens_of_replica) &&
         is_near(holders.requests_per_s, next.requests_per_s);
}

/// Finds of a service's prompts in earlier ones.
struct PrefixFinds {
  PrefixFinds(const CheckedInference& checked, const core::Fabric& fabric,
              const PrefixHolders& holders)
      : use(prefix_cache_use(checked, holders)), waiting(checked) {
    wait_for_prefixes(holders, fabric, use, waiting);
  }
  PrefixCacheUse use;
  CheckedInference waiting;  ///< the scenario whose prompts find and wait so
};

/// Adds what `holders` hold, what storage moves and the nodes that this takes, and says which place
/// of a node has more to move than it can.
void add_places(PrefixFinds finds, const PrefixHolders& holders, const core::Fabric& fabric,
                InferenceResult& result) {
  PrefixCacheUse& use = finds.use;
  add_files(finds.waiting, fabric, result);
  for (const PrefixPlace& place : use.places) {
    if (place.busy_fraction < 1.0) continue;
    result.infeasible.push_back(fmt::format(
        "keys and values of prompts are {} to read of {} and {} to write there, {:.2f} times what "
        "it moves on its {} {}",
        to_text(place.read), place.name, to_text(place.written), place.busy_fraction, holders.nodes,
        holders.nodes == 1 ? "node" : "nodes"));
  }
  if (use.storage_nodes > 0 && result.files) {
    PrefixPlace& storage = use.places.back();
    storage.busy_fraction = result.files->busy_fraction;
    const double moved = finds.waiting.cluster.cluster.storage->count * storage.busy_fraction;
    use.storage_nodes = std::max<std::int64_t>(use.storage_nodes, std::llround(std::ceil(moved)));
  }
  result.prefix_cache = std::move(use);
}

/// Finds the service whose prompts find what its own nodes and storage hold of earlier ones. It
/// begins with the service that finds all. Where sizes go to and fro, one stands that was sized
/// with no more than its own nodes find.
InferenceResult size_with_prefix_cache(const CheckedInference& checked,
                                       const topologies::BuiltCluster& built) {
  const core::Fabric& fabric = built.fabric;
  PrefixHolders holders = holders_of_all(checked);
  for (int round = 0;; ++round) {
    PrefixFinds finds(checked, fabric, holders);
    InferenceResult result = size_replicas(finds.waiting, built);
    if (result.nodes_for_load == 0) {
      if (round == 0) return result;
      result.infeasible.push_back(fmt::format(
          "prompts find {:.3g} % of their tokens on the {} {} "
          "that the load needs if they find more",
          100.0 * finds.use.hit_rate, holders.nodes, holders.nodes == 1 ? "node" : "nodes"));
      add_places(std::move(finds), holders, fabric, result);
      return result;
    }
    const PrefixHolders own = holders_of(checked, result);
    if (is_settled(holders, own)) {
      add_places(std::move(finds), holders, fabric, result);
      return result;
    }
    PrefixFinds found(checked, fabric, own);
    const bool stands = round >= kPrefixRounds && found.use.hit_rate >= finds.use.hit_rate;
    if (stands || round == 2 * kPrefixRounds) {
      found.use.sized_hit_rate = finds.use.hit_rate;
      add_places(std::move(found), own, fabric, result);
      return result;
    }
    holders = own;
  }
}

}  // namespace

InferenceResult simulate(const CheckedInference& checked, const topologies::BuiltCluster& built) {
  if (checked.inference.prefix_cache) return size_with_prefix_cache(checked, built);
  if (checked.inference.prefix_on_host) return size_beside_host(checked, built);
  if (!checked.inference.prefix_on_storage) return size_service(checked, built);
  CheckedInference waiting = checked;
  waiting.inference.prefix_read =
      prefix_read_time(checked, built.fabric, checked.inference.wanted_requests_per_s());
  return size_service(waiting, built);
}

}  // namespace railwright::simulation
