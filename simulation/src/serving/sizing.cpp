// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

#include "railwright/core/units/text.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/simulation/serving/serving.hpp"
#include "serving_instance.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

namespace {

using core::to_text;

constexpr std::int64_t kMaxRequests = 1 << 20;

/// One way to divide the model, or why it is infeasible.
struct Option {
  InferenceResult result;
  double miss = 0.0;  ///< distance from feasible, as a share of what is wanted
};

/// Returns the divisions of a node that the heads allow, or the one that the scenario sets.
std::vector<int> divisions(const CheckedInference& checked) {
  const models::Inference& inference = checked.inference;
  if (inference.tp) return {*inference.tp};
  const core::ComputeNode& node = checked.cluster.cluster.node;
  const int most = node.peer_access ? node.num_accelerators.value : 1;
  std::vector<int> list;
  for (int tp = 1; tp <= most; ++tp) {
    const bool divides = node.num_accelerators.value % tp == 0;
    if (divides && inference.model.num_heads % tp == 0) list.push_back(tp);
  }
  return list;
}

struct TimePart {
  const char* name;
  core::Duration time;
};

std::array<TimePart, 6> parts_of(const models::PassTime& time) {
  std::array<TimePart, 6> parts{{{"memory bandwidth", time.bandwidth},
                                 {"arithmetic", time.compute},
                                 {"gaps between kernels", time.gaps},
                                 {"collectives between its accelerators", time.communication},
                                 {"waiting for the host", time.host},
                                 {"waiting for offloaded weights", time.stall}}};
  std::ranges::stable_sort(parts, std::greater<>{},
                           [](const TimePart& part) { return part.time.base(); });
  return parts;
}

std::string limit_text(const InferenceResult& result) {
  static constexpr std::array<const char*, 4> kWords{
      "device memory limits", "the time to first token limits", "the time per output token limits",
      "max_batch limits"};
  const auto parts = parts_of(result.time);
  const auto share = [&](const TimePart& part) {
    return 100.0 * (part.time / result.time.total());
  };
  std::string text =
      fmt::format("{} the batch to {:.0f}", kWords[static_cast<std::size_t>(result.batch_limit)],
                  result.cycle.batch);
  if (result.batch_limit != BatchLimit::kMemory) {
    text += fmt::format(" of the {} that fit", result.largest_batch);
  }
  return text + fmt::format("; {} takes {:.3g} % of the time, next {} {:.3g} %", parts[0].name,
                            share(parts[0]), parts[1].name, share(parts[1]));
}

/// Returns why a time is too long even for one request at a time; "" if none is.
std::string missed_latency(const models::Inference& inference, const models::BatchCycle& alone,
                           int tp, double& miss) {
  std::string reason;
  const auto check = [&](core::Duration time, const std::optional<core::Duration>& wanted,
                         const char* what) {
    if (!wanted || time <= *wanted) return;
    miss = std::max(miss, time / *wanted - 1.0);
    if (!reason.empty()) reason += "; ";
    reason += fmt::format("at tp {} {} takes {} with no other request, {} more than the {} wanted",
                          tp, what, to_text(time), to_text(time - *wanted), to_text(*wanted));
  };
  check(alone.time_to_first_token(), inference.time_to_first_token, "the first token");
  check(alone.time_per_output_token(), inference.time_per_output_token, "each further token");
  return reason;
}

std::string too_large(const models::MemoryUse& use, core::DataSize capacity, int tp) {
  std::string lines;
  for (const models::MemoryLine& line : use.lines) {
    std::string name(line.name);
    std::ranges::replace(name, '_', ' ');
    lines += fmt::format("{}{} {}", lines.empty() ? "" : ", ", name, to_text(line.size));
  }
  return fmt::format(
      "at tp {} an accelerator needs {} of its {} memory for one request, {} too "
      "much: {}",
      tp, to_text(use.total()), to_text(capacity), to_text(use.total() - capacity), lines);
}

void choose_batch(const Replica& replica, const models::Inference& inference,
                  InferenceResult& result) {
  const std::int64_t most = inference.max_batch.value_or(
      std::int64_t{inference.engine.max_batch.value} * replica.layout().dp());
  result.largest_batch =
      largest_batch(kMaxRequests, [&](std::int64_t batch) { return replica.fits(batch); });
  const std::int64_t held = std::min(result.largest_batch, most);
  const std::int64_t first = largest_batch(held, [&](std::int64_t batch) {
    return replica.cycle(batch).time_to_first_token() <=
           inference.time_to_first_token.value_or(core::Duration::infinity());
  });
  const std::int64_t batch = largest_batch(first, [&](std::int64_t b) {
    return replica.cycle(b).time_per_output_token() <=
           inference.time_per_output_token.value_or(core::Duration::infinity());
  });
  result.batch_limit = batch < first                 ? BatchLimit::kTimePerOutputToken
                       : first < held                ? BatchLimit::kTimeToFirstToken
                       : held < result.largest_batch ? BatchLimit::kMaxBatch
                                                     : BatchLimit::kMemory;
  result.cycle = replica.cycle(batch);
}

std::int64_t replicas_for_load(const models::Inference& inference, const InferenceResult& result) {
  const double wanted = std::ceil(wanted_requests_per_s(inference) / result.cycle.requests_per_s());
  return std::max<std::int64_t>(std::llround(std::min(wanted, 1e15)), 1);
}

void count_nodes(const CheckedInference& checked, std::int64_t num_replicas,
                 InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  const double rate = result.cycle.requests_per_s();
  const int replicas_per_node = checked.cluster.cluster.node.num_accelerators.value / result.tp;
  result.num_replicas = num_replicas;
  result.num_accelerators = num_replicas * result.tp;
  result.nodes_for_load = (num_replicas + replicas_per_node - 1) / replicas_per_node;
  result.num_nodes = result.nodes_for_load + inference.redundant_nodes;
  result.node_requests_per_s = rate * replicas_per_node;
  result.node_tokens_per_s = result.node_requests_per_s * inference.output_tokens;
  result.accelerator_tokens_per_s = rate * inference.output_tokens / result.tp;
}

std::string missed_by_run(const models::Inference& inference, const ServingRun& run) {
  return fmt::format(
      "{} replicas answer {:.3g} % of the requests within the wanted latencies, {:.3g} % are "
      "wanted: 99 % have their first token within {} and further ones within {}",
      run.num_replicas, 100.0 * run.within_latencies, 100.0 * inference.load->percentile,
      to_text(run.time_to_first_token.p99), to_text(run.time_per_output_token.p99));
}

/// Returns the run of the fewest replicas, from `fewest` on, that keep its latencies. More than one
/// replica per request gains nothing.
ServingRun fewest_replicas(const models::Inference& inference, ServedLoad& load,
                           std::int64_t fewest) {
  const std::int64_t most = std::max<std::int64_t>(inference.load->requests, fewest);
  std::int64_t low = fewest - 1;
  std::int64_t high = fewest;
  ServingRun best = load.run(high);
  while (!meets_latencies(inference, best) && high < most) {
    low = high;
    high = std::min(2 * high, most);
    best = load.run(high);
  }
  if (!meets_latencies(inference, best)) return best;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    ServingRun run = load.run(middle);
    if (meets_latencies(inference, run)) {
      high = middle;
      best = run;
    } else {
      low = middle;
    }
  }
  return best;
}

/// Simulates the requests on the replicas that the load sets. Without these, requests that come all
/// at once run on all replicas of the cluster, others on as many as they need.
void serve(const CheckedInference& checked, const Replica& replica, Option& option) {
  const models::Inference& inference = checked.inference;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  InferenceResult& result = option.result;
  const models::RequestLoad& load = *inference.load;
  ServedLoad served(replica, std::llround(result.cycle.batch));
  if (load.replicas || load.arrivals == models::Arrivals::kAtOnce) {
    const std::int64_t in_cluster =
        std::int64_t{cluster.num_nodes} * (cluster.node.num_accelerators.value / result.tp);
    result.run = served.run(load.replicas.value_or(in_cluster));
  } else {
    result.run = fewest_replicas(inference, served, result.num_replicas);
  }
  count_nodes(checked, result.run->num_replicas, result);
  if (load.arrivals == models::Arrivals::kAtOnce && !load.replicas) {
    result.num_nodes = result.nodes_for_load;  // none is kept in reserve
  }
  if (!meets_latencies(inference, *result.run)) {
    option.miss = std::max(option.miss, load.percentile - result.run->within_latencies);
    result.infeasible.push_back(missed_by_run(inference, *result.run));
  }
}

Option evaluate(const CheckedInference& checked, const Replica& replica) {
  const models::Inference& inference = checked.inference;
  Option option;
  InferenceResult& result = option.result;
  result.tp = replica.tp();
  result.offload = replica.offload();
  result.memory_capacity = checked.cluster.cluster.node.accelerator.memory.value;
  result.kv_cache_per_token =
      models::kv_cache_per_token(inference.model, result.tp, inference.kv_cache) *
      static_cast<double>(result.tp);
  result.memory = replica.memory(1);
  if (!replica.fits(1)) {
    option.miss = 1e3 + replica.excess(1) / result.memory_capacity;
    result.infeasible.push_back(too_large(result.memory, result.memory_capacity, result.tp));
    return option;
  }
  result.cycle = replica.cycle(1);
  const std::string late = missed_latency(inference, result.cycle, result.tp, option.miss);
  if (!late.empty()) {
    result.infeasible.push_back(late);
    return option;
  }
  choose_batch(replica, inference, result);
  const auto batch = std::llround(result.cycle.batch);
  result.memory = replica.memory(batch);
  result.prefill = replica.prefill();
  result.decode = replica.decode(batch);
  result.time = replica.mean_iteration(batch);
  result.limit = limit_text(result);
  count_nodes(checked, replicas_for_load(inference, result), result);
  if (inference.load) serve(checked, replica, option);
  return option;
}

bool better(const Option& a, const Option& b) {
  if (a.result.feasible() != b.result.feasible()) return a.result.feasible();
  if (!a.result.feasible()) return a.miss < b.miss;
  const auto key = [](const InferenceResult& result) {
    return std::tuple{result.nodes_for_load, result.num_accelerators, result.tp};
  };
  return key(a.result) < key(b.result);
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

}  // namespace

InferenceResult simulate(const CheckedInference& checked) {
  InferenceResult result =
      simulate(checked, checked.cluster.topology->build(checked.cluster.cluster));
  add_power_and_cost(checked, result);
  return result;
}

InferenceResult simulate(const CheckedInference& checked, const topologies::BuiltCluster& built) {
  const models::Inference& inference = checked.inference;
  const topologies::Cluster& cluster = checked.cluster.cluster;
  const std::int64_t parameters = models::num_parameters(inference.model);
  const core::DataSize weights = models::weights_size(inference.model, inference.weights);
  std::optional<Option> best;
  const std::vector<int> list = divisions(checked);
  const auto consider = [&](int tp, const std::optional<Offloaded>& offload) {
    Option option = evaluate(checked, Replica(checked, built.fabric, tp, offload));
    if (!best || better(option, *best)) best = std::move(option);
  };
  for (const int tp : list) consider(tp, std::nullopt);
  std::string no_tier;
  if (!best->result.feasible() && !inference.offload.empty()) {
    const auto offload = place(checked, weights, no_tier);
    if (offload) consider(list.back(), offload);
  }

  InferenceResult result = std::move(best->result);
  result.name = checked.cluster.name;
  result.num_parameters = parameters;
  result.weights = weights;
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

}  // namespace railwright::simulation
