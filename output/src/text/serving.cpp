// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "../words/number_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"

namespace railwright::output {

namespace {

using core::to_text;

std::string memory_text(const simulation::InferenceResult& result) {
  std::string text =
      fmt::format("{} of {}:", to_text(result.memory.total()), to_text(result.memory_capacity));
  const char* separator = " ";
  for (const models::MemoryLine& line : result.memory.lines) {
    std::string name(line.name);
    std::ranges::replace(name, '_', ' ');
    text += fmt::format("{}{} {}", separator, name, to_text(line.size));
    separator = ", ";
  }
  return text;
}

std::string pass_row(const models::PassTime& time) {
  return fmt::format(
      "{}: {} bound by arithmetic, {} by memory bandwidth, {} of gaps, {} of collectives, {} of "
      "waiting",
      to_text(time.total()), to_text(time.compute), to_text(time.bandwidth), to_text(time.gaps),
      to_text(time.communication), to_text(time.host + time.stall));
}

std::string cost_text(const simulation::ServingCost& cost) {
  const models::Ownership& ownership = cost.ownership;
  std::string text =
      fmt::format("{:<16}{} a million output tokens; {} owned{}, {} of it bought\n", "cost",
                  money(cost.per_million_tokens), money(ownership.total()),
                  ownership.unpriced.empty() ? "" : ", in part", money(ownership.capital));
  if (!cost.prices.empty()) text += fmt::format("{:<16}{}\n", "prices", cost.prices);
  for (const models::Purchase& purchase : ownership.unpriced) {
    text += fmt::format("{:<16}{} x {}\n", "without a price", purchase.count, purchase.name);
  }
  return text;
}

std::string percentiles_text(const simulation::Percentiles& times) {
  return fmt::format("mean {}, p50 {}, p90 {}, p99 {}", to_text(times.mean), to_text(times.p50),
                     to_text(times.p90), to_text(times.p99));
}

std::string run_text(const simulation::ServingRun& run) {
  const auto row = [](std::string_view label, const std::string& what) {
    return fmt::format("{:<16}{}\n", label, what);
  };
  return "\n" +
         row("simulated", fmt::format("{} in {} on {}: {} output tokens/s, {} requests/s",
                                      plural(run.num_requests, "request"), to_text(run.duration),
                                      plural(run.num_replicas, "replica"),
                                      grouped_value(run.output_tokens_per_s),
                                      grouped_value(run.requests_per_s))) +
         row("first token", percentiles_text(run.time_to_first_token)) +
         row("further tokens", percentiles_text(run.time_per_output_token)) +
         row("whole answer", percentiles_text(run.latency)) +
         row("replicas",
             fmt::format("busy {} of the time with {} requests in the mean, cache filled to {}",
                         percent(run.busy_fraction), grouped_value(run.mean_batch),
                         percent(run.cache_fraction)));
}

}  // namespace

std::string to_text(const simulation::InferenceResult& result, const TextStyle& /*style*/) {
  std::string text = result.name + "\n\n";
  const auto fact = [&text](std::string_view label, const std::string& what) {
    text += fmt::format("{:<16}{}\n", label, what);
  };
  fact("model", fmt::format("{:.4g} billion parameters, weights of {}, {} of cache a token",
                            static_cast<double>(result.num_parameters) / 1e9,
                            to_text(result.weights), to_text(result.kv_cache_per_token)));
  fact("replica", plural(result.tp, "accelerator"));
  fact("memory", memory_text(result));
  if (result.offload) {
    fact("weights lie in",
         fmt::format("{}: {} a pass at {}", result.offload->tier, to_text(result.offload->time),
                     to_text(result.offload->rate)));
  }
  for (const std::string& reason : result.infeasible) fact("does not fit", reason);
  if (result.num_nodes == 0) return text;
  fact("batch", fmt::format("{:.0f}, {} fit", result.cycle.batch, result.largest_batch));
  fact("prefill", pass_row(result.prefill));
  fact("decode step", pass_row(result.decode));
  fact("latency", fmt::format("{} to the first token, {} for each further one",
                              to_text(result.cycle.time_to_first_token()),
                              to_text(result.cycle.time_per_output_token())));
  fact("throughput",
       fmt::format("{} output tokens/s an accelerator, {} a node, {} requests/s a node",
                   grouped_value(result.accelerator_tokens_per_s),
                   grouped_value(result.node_tokens_per_s),
                   grouped_value(result.node_requests_per_s)));
  fact("needed",
       fmt::format("{} with {} on {}; {} in all", plural(result.num_replicas, "replica"),
                   plural(result.num_accelerators, "accelerator"),
                   plural(result.nodes_for_load, "node"), plural(result.num_nodes, "node")));
  fact("limited by", result.limit);
  if (result.power) {
    fact("power",
         fmt::format("{} in the mean, {} at the peak: {} an output token",
                     to_text(result.power->mean_power()), to_text(result.power->peak_power()),
                     to_text(result.power->energy_per_token())));
  }
  if (result.cost) text += cost_text(*result.cost);
  if (result.run) text += run_text(*result.run);
  return text;
}

std::string to_json(const simulation::InferenceResult& result) {
  using Json = nlohmann::ordered_json;
  Json json = {
      {"name", result.name}, {"feasible", result.feasible()}, {"infeasible", result.infeasible}};
  if (result.num_nodes > 0) {
    json["limit"] = result.limit;
    json["batch_limit"] = core::to_string(result.batch_limit);
  }
  if (result.offload) json["offload"]["tier"] = result.offload->tier;
  for (const simulation::Output& output : outputs(result)) {
    std::visit([&](auto value) { json[Json::json_pointer(output.json_pointer())] = value; },
               output.value);
  }
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
