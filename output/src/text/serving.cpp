// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "training_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;

std::string memory_parts(const models::MemoryUse& use, core::DataSize capacity) {
  std::string text =
      fmt::format("{} of {}:", core::memory_text(use.total()), core::memory_text(capacity));
  const char* separator = " ";
  for (const models::MemoryLine& line : use.lines) {
    std::string name(line.name);
    std::ranges::replace(name, '_', ' ');
    text += fmt::format("{}{} {}", separator, name, core::memory_text(line.size));
    separator = ", ";
  }
  return text;
}

std::string pass_row(const models::PassTime& time) {
  const std::pair<std::string_view, core::Duration> parts[] = {
      {"bound by arithmetic", time.compute},
      {"by memory bandwidth", time.bandwidth},
      {"of gaps", time.gaps},
      {"of collectives", time.communication},
      {"of waiting", time.host + time.stall}};
  std::string text = to_text(time.total());
  const char* joint = ": ";
  for (const auto& [name, part] : parts) {
    if (part == core::Duration{}) continue;
    text += fmt::format("{}{} {}", joint, to_text(part), name);
    joint = ", ";
  }
  return text;
}

std::string power_text(const simulation::ServingPower& power) {
  return fmt::format("{} in the mean, {} at the peak: {} an output token",
                     to_text(power.mean_power()), to_text(power.peak_power()),
                     to_text(power.energy_per_token()));
}

/// Returns in one line the power and the cost of a million tokens; without prices, the energy of a
/// token.
std::string cost_in_short(const simulation::InferenceResult& result) {
  const std::string power = to_text(result.power->mean_power()) + " in the mean";
  if (!result.cost) {
    return power + fmt::format(", {} an output token", to_text(result.power->energy_per_token()));
  }
  return fmt::format("{} a million output tokens{}; {}", money(result.cost->per_million_tokens),
                     result.cost->ownership.unpriced.empty() ? "" : ", in part", power);
}

std::string cost_text(const simulation::ServingCost& cost) {
  const models::Ownership& ownership = cost.ownership;
  std::string text = fact(
      "cost", fmt::format("{} a million output tokens; {} owned{}, {} of it bought",
                          money(cost.per_million_tokens), money(ownership.total()),
                          ownership.unpriced.empty() ? "" : ", in part", money(ownership.capital)));
  if (!cost.prices.empty()) text += fact("prices", cost.prices);
  for (const models::Purchase& purchase : ownership.unpriced) {
    text += fact("without a price", fmt::format("{} x {}", purchase.count, purchase.name));
  }
  return text;
}

std::string percentiles_text(const simulation::Percentiles& times) {
  return fmt::format("mean {}, p50 {}, p90 {}, p99 {}", to_text(times.mean), to_text(times.p50),
                     to_text(times.p90), to_text(times.p99));
}

/// Returns how many replicas there were, where that changed, and what was passed again.
std::string pool_text(const simulation::ServingRun& run) {
  std::string text;
  const auto largest = static_cast<double>(run.num_replicas);
  if (run.mean_replicas < largest * (1.0 - 1e-9)) {
    text += fmt::format("; {} in the mean, {} at most", grouped_value(run.mean_replicas),
                        run.num_replicas);
  }
  if (run.preemptions > 0) {
    text += fmt::format("; {} lost their cache and passed again", grouped(run.preemptions));
  }
  return text;
}

std::string run_text(const simulation::ServingRun& run) {
  const std::string rejected =
      run.rejected > 0 ? fact("rejected", fmt::format("{}: {}", plural(run.rejected, "request"),
                                                      run.rejected_why))
                       : "";
  return fact("simulated", fmt::format("{} in {} on {}: {} output tokens/s, {} requests/s",
                                       plural(run.num_requests, "request"), to_text(run.duration),
                                       plural(run.num_replicas, "replica"),
                                       grouped_value(run.output_tokens_per_s),
                                       grouped_value(run.requests_per_s))) +
         rejected + fact("first token", percentiles_text(run.time_to_first_token)) +
         fact("further tokens", percentiles_text(run.time_per_output_token)) +
         fact("whole answer", percentiles_text(run.latency)) +
         fact("replicas",
              fmt::format("busy {} of the time with {} requests in the mean, cache filled to {}",
                          percent(run.busy_fraction), grouped_value(run.mean_batch),
                          percent(run.cache_fraction)) +
                  pool_text(run));
}

/// Returns "4 accelerators = tp 2 x pp 2", or how many where the layers have one stage.
std::string replica_text(const simulation::InferenceResult& result) {
  const std::string all = plural(std::int64_t{result.tp} * result.pp, "accelerator");
  return result.pp == 1 ? all : fmt::format("{} = tp {} x pp {}", all, result.tp, result.pp);
}

/// Returns the latencies of a cycle at its largest batch.
std::string cycle_text(const simulation::InferenceResult& result) {
  return fmt::format("{} to the first token, then {} each, at full batches",
                     to_text(result.time_to_first_token()),
                     to_text(result.time_per_output_token()));
}

/// Returns the replicas for prompts, and the transfer of their cache.
std::string prompts_text(const simulation::InferenceResult& result) {
  const simulation::Disaggregated& apart = *result.disaggregated;
  return fact("for prompts",
              fmt::format("{} of {}, {:.0f} prompts at a time: {} requests/s each",
                          plural(apart.prefill_replicas, "replica"),
                          plural(apart.prefill_tp, "accelerator"), apart.prefill.batch,
                          grouped_value(apart.prefill.requests_per_s()))) +
         fact("their memory", memory_parts(apart.prefill_memory, result.memory_capacity)) +
         fact("for answers",
              fmt::format("{} of {}: {} requests/s each", plural(apart.decode_replicas, "replica"),
                          plural(result.tp, "accelerator"),
                          grouped_value(result.cycle.requests_per_s()))) +
         fact("transfer", fmt::format("{} of cache a prompt in {}, {} of the time at the load",
                                      to_text(apart.transfer_size), to_text(apart.transfer_time),
                                      percent(apart.transfer_busy_fraction)));
}

/// Returns the shares of time of a run's replicas for prompts and for answers.
std::string pools_text(const simulation::PoolsRun& pools) {
  return fact("for prompts",
              fmt::format("busy {} of the time, sending {}", percent(pools.prefill_busy_fraction),
                          percent(pools.transfer_busy_fraction))) +
         fact("for answers",
              fmt::format("busy {} of the time", percent(pools.decode_busy_fraction))) +
         fact("transfers", percentiles_text(pools.transfer));
}

/// Returns the latencies of a run that answers any request, else those of the cycle.
std::string latency_text(const simulation::InferenceResult& result) {
  if (!result.run || result.run->taken_share() == 0.0) return cycle_text(result);
  const simulation::Percentiles& first = result.run->time_to_first_token;
  const simulation::Percentiles& further = result.run->time_per_output_token;
  return fmt::format("first token {}, then {} each; p99 {} and {}", to_text(first.p50),
                     to_text(further.p50), to_text(first.p99), to_text(further.p99));
}

/// Returns a command over several lines that a shell takes as one, broken before its arguments.
std::string command_text(const std::string& command) {
  static constexpr std::size_t kRoom = 60;
  static const std::string kIndent(16, ' ');
  std::string text;
  std::string line;
  for (std::size_t begin = 0; begin < command.size();) {
    const std::size_t end = std::min(command.find(" --", begin + 1), command.size());
    const std::string piece = command.substr(begin, end - begin);
    if (!line.empty() && line.size() + piece.size() > kRoom) {
      text.append(line).append(" \\\n").append(kIndent);
      line = piece.substr(1);
    } else {
      line += piece;
    }
    begin = end;
  }
  return text + line;
}

/// Returns what prefixes in host memory cost.
std::string host_text(const simulation::HostCache& cache) {
  std::string held;
  if (cache.prompts_per_node) {
    held = fmt::format("; a node holds {} of them", grouped_value(*cache.prompts_per_node));
  }
  return fact("prefixes", fmt::format("{} in host memory, {} to read; PCIe links busy {}{}",
                                      to_text(cache.prefix), to_text(cache.prefix_read),
                                      percent(cache.busy_fraction), held));
}

/// Returns what prompts find of earlier ones in each place, and the room for all of it.
std::string prefix_cache_text(const simulation::PrefixCacheUse& use) {
  const std::string sized =
      use.sized_hit_rate
          ? fmt::format("; sized with {}, as nodes and what is found there do not settle",
                        percent(*use.sized_hit_rate))
          : "";
  std::string text =
      fact("prefix cache", fmt::format("{} of the prompts' tokens are found, read in {}{}",
                                       percent(use.hit_rate), to_text(use.read), sized));
  for (const simulation::PrefixPlace& place : use.places) {
    const std::string busy =
        place.busy_fraction > 0.0 ? fmt::format(", busy {}", percent(place.busy_fraction)) : "";
    text +=
        fact("", fmt::format("{} in {}, room for {} million tokens: {} read, {} written{}",
                             percent(place.hit_rate), place.name, grouped_value(place.tokens / 1e6),
                             to_text(place.read), to_text(place.written), busy));
  }
  std::string nodes;
  if (use.storage_nodes > use.most_storage_nodes) {
    nodes = fmt::format("; with what is moved that takes more than {}, the most of a cluster",
                        plural(use.most_storage_nodes, "storage node"));
  } else if (use.storage_nodes > 0) {
    nodes = fmt::format("; with what is moved that takes {} or more",
                        plural(use.storage_nodes, "storage node"));
  }
  return text + fact("", fmt::format("{} are found with room for {}{}",
                                     percent(use.largest_hit_rate), to_text(use.wanted), nodes));
}

/// Returns the time to start replicas from storage, and what prefixes cost there.
std::string files_text(const simulation::ServiceFiles& files) {
  std::string text = fact(
      "start", fmt::format("{} of a replica, {} of all at once, limited by the {}",
                           to_text(files.start_of_one), to_text(files.start_of_all), files.limit));
  if (files.prefix.base() == 0.0) return text;
  return text + fact("prefixes", fmt::format("{} read in {} before a prompt; {} read and {} "
                                             "written, storage nodes {} busy",
                                             to_text(files.prefix), to_text(files.prefix_read),
                                             to_text(files.read), to_text(files.written),
                                             percent(files.busy_fraction)));
}

/// Returns the nodes at the low end of the throughput, if a load is wanted.
std::string nodes_at_most(const simulation::InferenceResult& result) {
  if (result.num_nodes_high == 0) return "";
  return result.num_nodes_high > result.num_nodes
             ? fmt::format(", up to {}", plural(result.num_nodes_high, "node"))
             : ", no further node";
}

/// Returns the intervals of a run's mean latencies; empty where there are none.
std::string latency_interval_text(const simulation::InferenceResult& result) {
  if (!result.first_token || !result.output_token || result.run->taken_share() == 0.0) return "";
  const auto ends = [](core::Duration mean, const simulation::ServingSpread& spread) {
    return fmt::format("{} to {}", to_text(mean * spread.low), to_text(mean * spread.high));
  };
  return fact("80 % of means",
              fmt::format("first token {}, further ones {} each",
                          ends(result.run->time_to_first_token.mean, *result.first_token),
                          ends(result.run->time_per_output_token.mean, *result.output_token)));
}

/// Returns the interval of throughputs, and of the nodes that follow.
std::string interval_text(const simulation::InferenceResult& result) {
  if (!result.throughput) return "none: no published throughput of this engine was compared";
  const double tokens = result.node_tokens_per_s;
  std::string text =
      fmt::format("{} to {} output tokens/s a node", grouped_value(tokens * result.throughput->low),
                  grouped_value(tokens * result.throughput->high));
  return text + nodes_at_most(result);
}

/// Returns what a change improves, in numbers that `simulate` prints with it.
std::string improved_text(const simulation::InferenceResult& own,
                          const planner::NextServiceChange& change) {
  const simulation::InferenceResult& with = change.result;
  switch (change.gain) {
    case planner::ServiceGain::kNodes:
      return fmt::format("{} in all in place of {}", plural(with.num_nodes, "node"), own.num_nodes);
    case planner::ServiceGain::kAccelerators:
      return fmt::format("{} in place of {}", plural(with.num_accelerators, "accelerator"),
                         own.num_accelerators);
    case planner::ServiceGain::kLatency:
      return fmt::format("{} (a whole answer{} {})", latency_text(with), with.run ? " at p99" : "",
                         signed_percent(-change.share));
    case planner::ServiceGain::kDuration:
      return fmt::format("{} in {} ({})", plural(with.run->num_requests, "request"),
                         to_text(with.run->duration), signed_percent(-change.share));
    case planner::ServiceGain::kThroughput:
      break;
  }
  return fmt::format("{} output tokens/s an accelerator ({}){}",
                     grouped_value(with.accelerator_tokens_per_s), signed_percent(change.share),
                     with.num_accelerators > own.num_accelerators
                         ? fmt::format(" on {}", plural(with.num_accelerators, "accelerator"))
                         : "");
}

std::string next_text(const simulation::InferenceResult& own,
                      const planner::ServiceChangesTried& changes) {
  if (changes.num_tried == 0) return "nothing: no change is legal and within the latencies";
  const std::string tried = plural(changes.num_tried, "change");
  if (changes.best) {
    return fmt::format("--set {}: {}", fmt::join(changes.best->settings, " --set "),
                       improved_text(own, *changes.best));
  }
  if (!changes.has_load) {
    return fmt::format("none of {} tried answers {:.0f} % more on an accelerator", tried,
                       100.0 * planner::kMinSaving);
  }
  return fmt::format("none of {} tried needs fewer accelerators or as many with shorter latencies",
                     tried);
}

/// Returns "3 x dgx-h100 answer 33.3 requests/s", without the load where none is wanted.
std::string answer_text(const simulation::InferenceResult& result) {
  const bool is_one = result.num_nodes == 1;
  const std::string name = node_name(result.parts);
  std::string nodes = name.empty() ? plural(result.num_nodes, "node")
                                   : fmt::format("{} x {}", result.num_nodes, name);
  if (result.wanted_requests_per_s == 0.0) return nodes;
  return fmt::format("{} answer{} {} requests/s", nodes, is_one ? "s" : "",
                     grouped_value(result.wanted_requests_per_s));
}

/// Returns "3 replicas of 4 accelerators; 1 node spare".
std::string replicas_text(const simulation::InferenceResult& result) {
  std::string text;
  if (result.disaggregated) {
    const simulation::Disaggregated& apart = *result.disaggregated;
    text = fmt::format("{} of {} for prompts, {} of {} for answers",
                       plural(apart.prefill_replicas, "replica"),
                       plural(apart.prefill_tp, "accelerator"), apart.decode_replicas, result.tp);
  } else {
    const std::int64_t in_each =
        result.num_accelerators / std::max<std::int64_t>(result.num_replicas, 1);
    text = fmt::format("{} of {}", plural(result.num_replicas, "replica"),
                       plural(in_each, "accelerator"));
  }
  const std::int64_t spares = result.num_nodes - result.nodes_for_load;
  return spares > 0 ? text + fmt::format("; {} spare", plural(spares, "node")) : text;
}

std::string answer_fact(const simulation::InferenceResult& result, const TextStyle& style) {
  return fact("verdict",
              strong(answer_text(result), style, "1;32") + ": " + replicas_text(result)) +
         other_parts(result.parts);
}

}  // namespace

std::string verdict(const simulation::InferenceResult& result,
                    const std::optional<planner::ServiceChangesTried>& changes,
                    const TextStyle& style) {
  const bool has_answer = result.num_nodes > 0;
  std::string text = result.feasible() ? title(result.name, 1, style) + answer_fact(result, style)
                                       : unfit_head(result.name, result.infeasible, style);
  if (has_answer) {
    text += fact("latency", latency_text(result));
    text += fact("80 % interval", interval_text(result));
    text += fact("throughput", fmt::format("{} output tokens/s and {} requests/s a node",
                                           grouped_value(result.node_tokens_per_s),
                                           grouped_value(result.node_requests_per_s)));
  }
  std::string after;
  if (result.power) after += fact(result.cost ? "cost" : "power", cost_in_short(result));
  after += fact("memory", memory_bar(result.memory.total(), result.memory_capacity));
  if (changes) after += fact("try next", next_text(result, *changes));
  if (!has_answer) return text + after;
  const bool has_room = num_lines(text + fact("limit", result.limit) + after) <= kMaxVerdictLines;
  const std::string limit =
      has_room ? result.limit : in_lines(result.limit.substr(0, result.limit.find("; ")), 1);
  return text + fact("limit", limit) + after;
}

std::string to_text(const simulation::InferenceResult& result, const TextStyle& /*style*/) {
  std::string text =
      fact("model", fmt::format("{:.4g} billion parameters, weights of {}, {} of cache a token",
                                static_cast<double>(result.num_parameters) / 1e9,
                                to_text(result.weights), to_text(result.kv_cache_per_token)));
  text += fact("replica", replica_text(result));
  text += fact("memory", memory_parts(result.memory, result.memory_capacity));
  if (result.offload) {
    text += fact("weights lie in",
                 fmt::format("{}: {} a pass at {}", result.offload->tier,
                             to_text(result.offload->time), to_text(result.offload->rate)));
  }
  if (result.host_cache) text += host_text(*result.host_cache);
  if (result.prefix_cache) text += prefix_cache_text(*result.prefix_cache);
  if (result.files) text += files_text(*result.files);
  if (result.num_nodes == 0) return text;
  text += fact("batch", fmt::format("{:.0f}, {} fit", result.cycle.batch, result.largest_batch));
  text += fact("prefill", pass_row(result.prefill));
  text += fact("decode step", pass_row(result.decode));
  if (result.disaggregated) text += prompts_text(result);
  text += fact("throughput", fmt::format("{} output tokens/s an accelerator",
                                         grouped_value(result.accelerator_tokens_per_s)));
  if (result.power) text += fact("power", power_text(*result.power));
  if (result.cost) text += cost_text(*result.cost);
  for (std::size_t i = 0; i < result.launch.size(); ++i) {
    const bool is_apart = result.disaggregated && result.launch.size() == 2;
    text += fact(!is_apart ? "start it with"
                 : i == 0  ? "start prompts"
                           : "start answers",
                 command_text(result.launch[i]));
  }
  if (!result.run) return text;
  text += fact("of a cycle", cycle_text(result)) + "\n";
  if (result.run->taken_share() == 0.0) return text;  // the verdict says that none is answered
  text += run_text(*result.run) + latency_interval_text(result);
  if (result.run->pools) text += pools_text(*result.run->pools);
  return text;
}

}  // namespace railwright::output
