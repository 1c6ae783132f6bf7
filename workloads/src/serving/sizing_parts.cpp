// SPDX-License-Identifier: Apache-2.0
#include "sizing_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "railwright/core/units/text.hpp"
#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/workload/layers.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

namespace {

using core::to_text;

/// Largest batch that is looked for.
constexpr std::int64_t kMaxRequests = 1 << 20;

struct TimePart {
  const char* name;
  core::Duration time;
};

/// Returns the most requests that the engine answers at a time, whose drafted tokens leave room for
/// a prompt.
std::int64_t most_of_engine(const models::Inference& inference) {
  const models::ServingEngine& engine = inference.engine;
  const auto in_iteration =
      static_cast<std::int64_t>((engine.max_tokens.value - 1) / inference.step_tokens());
  return std::min<std::int64_t>(engine.max_batch.value, std::max<std::int64_t>(in_iteration, 1));
}

std::array<TimePart, 6> parts_of(const models::PassTime& time) {
  std::array<TimePart, 6> parts{{{"memory bandwidth", time.bandwidth},
                                 {"arithmetic", time.compute},
                                 {"gaps between kernels", time.gaps},
                                 {"collectives", time.communication},
                                 {"waiting for the host", time.host},
                                 {"waiting for offloaded weights", time.stall}}};
  std::ranges::stable_sort(parts, std::greater<>{},
                           [](const TimePart& part) { return part.time.base(); });
  return parts;
}

}  // namespace

bool better(const Option& a, const Option& b) {
  if (a.result.feasible() != b.result.feasible()) return a.result.feasible();
  if (!a.result.feasible()) return a.miss < b.miss;
  const auto key = [](const InferenceResult& result) {
    return std::tuple{result.nodes_for_load, result.num_accelerators,
                      result.replica_size().num_accelerators()};
  };
  return key(a.result) < key(b.result);
}

NodeFilling node_filling(const CheckedInference& checked, int size) {
  return {.in_node = checked.cluster.cluster.node.num_accelerators.value, .size = size};
}

std::string name_of(const models::ReplicaSize& size) {
  return size.pp == 1 ? fmt::format("tp {}", size.tp)
                      : fmt::format("tp {}, pp {}", size.tp, size.pp);
}

std::string missed_latency(const std::string& division, const std::vector<TimeAlone>& times,
                           double& miss) {
  std::string reason;
  for (const TimeAlone& one : times) {
    if (!one.wanted || one.time <= *one.wanted) continue;
    miss = std::max(miss, one.time / *one.wanted - 1.0);
    if (!reason.empty()) reason += "; ";
    reason += fmt::format("at {} {} takes {} with no other request, {} more than the {} wanted",
                          division, one.what, to_text(one.time), to_text(one.time - *one.wanted),
                          to_text(*one.wanted));
  }
  return reason;
}

std::string too_large(const models::MemoryUse& use, core::DataSize capacity,
                      const std::string& division) {
  std::string lines;
  for (const models::MemoryLine& line : use.lines) {
    std::string name(line.name);
    std::ranges::replace(name, '_', ' ');
    lines += fmt::format("{}{} {}", lines.empty() ? "" : ", ", name, core::memory_text(line.size));
  }
  return fmt::format(
      "at {} an accelerator needs {} of its {} memory for one request, {} too "
      "much: {}",
      division, core::memory_text(use.total()), core::memory_text(capacity),
      core::memory_text(use.total() - capacity), lines);
}

InferenceResult undecided(const CheckedInference& checked, const models::ReplicaSize& size) {
  const models::Inference& inference = checked.inference;
  InferenceResult result;
  result.tp = size.tp;
  result.pp = size.pp;
  result.memory_capacity = checked.cluster.cluster.node.accelerator.memory.value;
  const int tp = layout_of(inference, size).tp();
  result.kv_cache_per_token =
      models::kv_cache_per_token(inference.model, tp, inference.kv_cache) * static_cast<double>(tp);
  return result;
}

core::Duration or_forever(const std::optional<core::Duration>& wanted) {
  return wanted.value_or(core::Duration::infinity());
}

ChosenBatch batch_within(const Replica& replica, const BatchLatencies& latencies) {
  const models::Inference& inference = replica.inference();
  const std::int64_t most =
      inference.max_batch.value_or(most_of_engine(inference) * replica.layout().dp());
  ChosenBatch chosen{.largest = largest_batch(
                         kMaxRequests, [&](std::int64_t batch) { return replica.fits(batch); })};
  const core::Duration forever = core::Duration::infinity();
  const std::int64_t held = std::min(chosen.largest, most);
  const std::int64_t first = largest_batch(held, [&](std::int64_t b) {
    return latencies.first_token == forever ||
           replica.cycle(b).time_to_first_token() <= latencies.first_token;
  });
  chosen.batch = largest_batch(first, [&](std::int64_t b) {
    return latencies.output_token == forever ||
           replica.cycle(b).time_per_output_token() + latencies.added <= latencies.output_token;
  });
  chosen.limit = chosen.batch < first    ? BatchLimit::kTimePerOutputToken
                 : first < held          ? BatchLimit::kTimeToFirstToken
                 : held < chosen.largest ? BatchLimit::kMaxBatch
                                         : BatchLimit::kMemory;
  return chosen;
}

void choose_batch(const Replica& replica, const BatchLatencies& latencies,
                  InferenceResult& result) {
  const ChosenBatch chosen = batch_within(replica, latencies);
  result.largest_batch = chosen.largest;
  result.batch_limit = chosen.limit;
  set_batch(replica, chosen.batch, result);
}

void set_batch(const Replica& replica, std::int64_t batch, InferenceResult& result) {
  result.cycle = replica.cycle(batch);
  result.memory = replica.memory(batch);
  result.decode = replica.decode(batch);
  result.time = replica.mean_iteration(batch);
}

std::string limit_text(const InferenceResult& result) {
  static constexpr std::array<const char*, 5> kWords{
      "device memory limits", "time to first token limits", "time per output token limits",
      "max_batch limits", "the number of users limits"};
  const auto parts = parts_of(result.time);
  const auto share = [&](const TimePart& part) {
    return 100.0 * (part.time / result.time.total());
  };
  std::string text =
      fmt::format("{} a replica to {:.0f} {}", kWords[static_cast<std::size_t>(result.batch_limit)],
                  result.cycle.batch, result.cycle.batch == 1.0 ? "request" : "requests");
  if (result.batch_limit != BatchLimit::kMemory) {
    text += fmt::format(" ({} fit)", result.largest_batch);
  }
  return text + fmt::format("; {} {:.3g} % of the time, {} {:.3g} %", parts[0].name,
                            share(parts[0]), parts[1].name, share(parts[1]));
}

void count_nodes(const CheckedInference& checked, std::int64_t num_replicas,
                 InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  const double rate = result.cycle.requests_per_s();
  const NodeFilling filling = node_filling(checked, result.replica_size().num_accelerators());
  result.num_replicas = num_replicas;
  result.num_accelerators = num_replicas * filling.size;
  result.nodes_for_load = filling.nodes_for(num_replicas);
  result.num_nodes = result.nodes_for_load + inference.redundant_nodes;
  result.node_requests_per_s = rate * filling.replicas_per_node();
  result.node_tokens_per_s = result.node_requests_per_s * inference.output_tokens;
  result.accelerator_tokens_per_s = rate * inference.output_tokens / filling.size;
}

std::int64_t replicas_for(double wanted, double of_one) {
  return std::max<std::int64_t>(std::llround(std::min(std::ceil(wanted / of_one), 1e15)), 1);
}

void check_rate(const models::Inference& inference, std::int64_t count, double of_one,
                std::string_view what, Option& option) {
  const double wanted = inference.wanted_requests_per_s();
  const double rate = static_cast<double>(count) * of_one;
  if (rate >= wanted) return;
  option.miss = std::max(option.miss, wanted / rate - 1.0);
  option.result.infeasible.push_back(
      fmt::format("{} {}{} give{} {:.3g} requests/s, {:.3g} fewer than the {:.3g} wanted", count,
                  count == 1 ? "replica" : "replicas", what, count == 1 ? "s" : "", rate,
                  wanted - rate, wanted));
}

void check_latencies(const models::Inference& inference, Option& option) {
  const ServingRun& run = *option.result.run;
  if (meets_latencies(inference, run)) return;
  if (rejects_too_many(inference, run)) {
    option.miss = std::max(option.miss, 1.0 - run.taken_share());
    option.result.infeasible.push_back(
        fmt::format("at {} {} of {} requests are rejected, {:.3g} % may be: {}",
                    name_of(option.result.replica_size()), run.rejected, run.num_requests,
                    100.0 * (1.0 - inference.load->percentile), run.rejected_why));
    return;
  }
  option.miss = std::max(option.miss, inference.load->percentile - run.within_latencies);
  option.result.infeasible.push_back(fmt::format(
      "{} replicas answer {:.3g} % of the requests in time, {:.3g} % are wanted: p99 of the first "
      "token "
      "{}, of further ones {}",
      run.num_replicas, 100.0 * run.within_latencies, 100.0 * inference.load->percentile,
      to_text(run.time_to_first_token.p99), to_text(run.time_per_output_token.p99)));
}

}  // namespace railwright::simulation
