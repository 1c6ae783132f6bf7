// SPDX-License-Identifier: Apache-2.0
#include "disaggregated_sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "cache_transfer.hpp"
#include "disaggregated_run.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/models/workload/layers.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;
using core::to_text;

/// Most replicas for answers that are tried, over those of full batches: beyond, a batch is as
/// small as one request.
constexpr std::int64_t kMostOverFull = 8;

/// Replicas for prompts that are tried beyond the fewest that give the first token in time.
constexpr std::int64_t kMorePrefill = 8;

/// Returns the time from the first token until the cache of a prompt has arrived. Layer by layer,
/// it leaves from the start of the prompt's last iteration on.
Duration time_behind_prompt(const Replica& prefill, const CacheTransfer& transfer) {
  const models::Inference& inference = prefill.inference();
  const Duration whole = transfer.time(inference.prompt_tokens);
  if (!inference.disaggregated->layer_by_layer) return whole;
  const Duration hidden = prefill.cycle(1).with_piece;
  return std::max(whole - hidden, whole / models::total_layers(inference.model));
}

/// Returns the prompts that fill an iteration, as many as fit and give the first token in time.
std::int64_t prefill_batch(const Replica& replica, const models::Inference& inference) {
  const int dp = replica.layout().dp();
  const double prompt = inference.prompt_tokens;
  const double passing = prompt - inference.cached_prompt(prompt);
  const auto in_iteration = static_cast<std::int64_t>(
      std::max(std::floor(inference.engine.max_tokens.value / passing), 1.0));
  const std::int64_t most =
      std::min<std::int64_t>(in_iteration, inference.engine.max_batch.value) * dp;
  const auto& wanted = inference.time_to_first_token;
  return largest_batch(most, [&](std::int64_t batch) {
    return replica.fits(batch) &&
           (!wanted || replica.cycle(batch).time_to_first_token() <= *wanted);
  });
}

/// Replicas for prompts, with the most prompts that they take at a time.
struct PromptSide {
  std::unique_ptr<Replica> replica;
  std::int64_t batch = 0;   ///< 0: one does not fit, or is late
  models::BatchCycle cycle;
  models::PassTime time;    ///< mean iteration
  models::MemoryUse memory;
};

void count_replicas(const CheckedInference& checked, const PoolSizes& sizes,
                    InferenceResult& result) {
  const int in_node = checked.cluster.cluster.node.num_accelerators.value;
  Disaggregated& apart = *result.disaggregated;
  apart.prefill_replicas = sizes.prefill;
  apart.decode_replicas = sizes.decode;
  result.num_replicas = sizes.prefill + sizes.decode;
  result.num_accelerators = sizes.prefill * apart.prefill_tp + sizes.decode * result.tp;
  result.nodes_for_load =
      packed_nodes({sizes.prefill, apart.prefill_tp}, {sizes.decode, result.tp}, in_node);
  result.num_nodes = result.nodes_for_load + checked.inference.redundant_nodes;
  const double of_one = result.requests_per_s() / static_cast<double>(result.num_accelerators);
  result.node_requests_per_s = of_one * in_node;
  result.accelerator_tokens_per_s = of_one * checked.inference.output_tokens;
  result.node_tokens_per_s = result.accelerator_tokens_per_s * in_node;
}

/// Checks that caches leave replicas for prompts before the next ones come, with those of a node
/// sending at once through the NICs that they share.
void check_transfer(const CheckedInference& checked, const core::Fabric& fabric, Option& option) {
  InferenceResult& result = option.result;
  Disaggregated& apart = *result.disaggregated;
  const int in_node =
      std::max(checked.cluster.cluster.node.num_accelerators.value / apart.prefill_tp, 1);
  const auto senders = static_cast<int>(std::min<std::int64_t>(apart.prefill_replicas, in_node));
  const CacheTransfer all(checked, fabric, apart.prefill_tp, result.tp, senders);
  const Duration time = all.time(checked.inference.prompt_tokens);
  const double wanted = checked.inference.wanted_requests_per_s();
  const double answered = result.requests_per_s();
  const double rate = wanted > 0.0 ? std::min(wanted, answered) : answered;
  const Duration between = Duration::from_base(static_cast<double>(apart.prefill_replicas) / rate);
  apart.transfer_busy_fraction = time / between;
  if (time < between) return;
  option.miss = std::max(option.miss, apart.transfer_busy_fraction - 1.0);
  result.infeasible.push_back(fmt::format(
      "at prefill_tp {} the cache of a prompt takes {} to leave a replica, {} more than the {} "
      "between its prompts",
      apart.prefill_tp, to_text(time), to_text(time - between), to_text(between)));
}

/// Checks that fixed numbers of replicas carry the load.
void check_rates(const models::Inference& inference, Option& option) {
  const InferenceResult& result = option.result;
  const Disaggregated& apart = *result.disaggregated;
  const double wanted = inference.wanted_requests_per_s();
  const auto check = [&](std::int64_t count, double of_one, const char* what) {
    const double rate = static_cast<double>(count) * of_one;
    if (rate >= wanted) return;
    option.miss = std::max(option.miss, wanted / rate - 1.0);
    option.result.infeasible.push_back(fmt::format(
        "{} replicas for {} take {:.3g} requests/s, {:.3g} fewer than the {:.3g} wanted", count,
        what, rate, wanted - rate, wanted));
  };
  check(apart.prefill_replicas, apart.prefill.requests_per_s(), "prompts");
  check(apart.decode_replicas, result.cycle.requests_per_s(), "answers");
}

/// Says why a replica of either kind does not hold one request, or is late with it alone.
std::string why_not_alone(const models::Inference& inference, const Replica& prefill,
                          const Replica& decode, Option& option) {
  InferenceResult& result = option.result;
  const std::string of_prompts = fmt::format("prefill_tp {}", prefill.size().tp);
  const std::string of_answers = name_of(decode.size());
  for (const auto& [replica, name] :
       {std::pair{&prefill, &of_prompts}, std::pair{&decode, &of_answers}}) {
    if (replica->fits(1)) continue;
    option.miss = 1e3 + replica->excess(1) / result.memory_capacity;
    result.memory = replica->memory(1);
    return too_large(result.memory, result.memory_capacity, *name);
  }
  const std::string first = missed_latency(
      of_prompts,
      {{"the first token", prefill.cycle(1).time_to_first_token(), inference.time_to_first_token}},
      option.miss);
  const std::string further = missed_latency(
      of_answers,
      {{"each further token, with the transfer of the cache,",
        decode.cycle(1).time_per_output_token() + result.disaggregated->transfer_per_token,
        inference.time_per_output_token}},
      option.miss);
  return first.empty() || further.empty() ? first + further : first + "; " + further;
}

/// Fills in what does not depend on batches.
InferenceResult without_batches(const CheckedInference& checked, const Replica& prefill,
                                const CacheTransfer& transfer, int tp) {
  const models::Inference& inference = checked.inference;
  InferenceResult result = undecided(checked, {.tp = tp});
  result.disaggregated = {.prefill_tp = prefill.size().tp,
                          .transfer_size = transfer.size(inference.prompt_tokens),
                          .transfer_time = transfer.time(inference.prompt_tokens),
                          .transfer_per_token = time_behind_prompt(prefill, transfer) /
                                                (inference.output_tokens - 1.0)};
  return result;
}

PromptSide prompt_side(const CheckedInference& checked, const core::Fabric& fabric, int tp) {
  PromptSide side{.replica = std::make_unique<Replica>(checked, fabric, models::ReplicaSize{tp},
                                                       std::nullopt, ReplicaRole::kPrompts)};
  const Replica& replica = *side.replica;
  side.batch = prefill_batch(replica, checked.inference);
  if (side.batch == 0) return side;
  side.cycle = replica.cycle(side.batch);
  side.time = replica.mean_iteration(side.batch);
  side.memory = replica.memory(side.batch);
  return side;
}

/// Sizes both kinds of replicas for full batches.
Option full_batches(const CheckedInference& checked, const core::Fabric& fabric,
                    const PromptSide& prompts, const Replica& decode) {
  const models::Inference& inference = checked.inference;
  const Replica& prefill = *prompts.replica;
  const int prefill_tp = prefill.size().tp;
  const int tp = decode.size().tp;
  const CacheTransfer transfer(checked, fabric, prefill_tp, tp);
  Option made{.result = without_batches(checked, prefill, transfer, tp)};
  InferenceResult& result = made.result;
  result.memory = decode.memory(1);
  const std::string reason = why_not_alone(inference, prefill, decode, made);
  if (!reason.empty()) {
    result.infeasible.push_back(reason);
    return made;
  }
  Disaggregated& apart = *result.disaggregated;
  apart.prefill = prompts.cycle;
  apart.prefill_time = prompts.time;
  apart.prefill_memory = prompts.memory;
  result.prefill = prefill.prefill();
  choose_batch(decode,
               {.output_token = or_forever(inference.time_per_output_token),
                .added = apart.transfer_per_token},
               result);
  result.limit = limit_text(result);
  const PoolRates rates{apart.prefill.requests_per_s(), result.cycle.requests_per_s()};
  count_replicas(checked,
                 pool_sizes(*inference.disaggregated, inference.wanted_requests_per_s(), rates,
                            prefill_tp, tp),
                 result);
  if (inference.load) return made;
  check_transfer(checked, fabric, made);
  check_rates(inference, made);
  return made;
}

/// A run, and the accelerators that it needs.
struct PoolsServed {
  PoolSizes sizes;
  ServingRun run;
};

/// Returns the run with so many replicas for prompts, and the fewest for answers with which both
/// latencies hold.
PoolsServed fewest_for_answers(const models::Inference& inference, DisaggregatedLoad& load,
                               const PromptsDone& prompts, std::int64_t fewest) {
  const auto& fixed = inference.disaggregated->decode_replicas;
  const std::int64_t least = fixed ? *fixed : fewest;
  const std::int64_t most = fixed ? least : kMostOverFull * (least + 1);
  ServingRun run = fewest_that_hold(
      least, most, [&](std::int64_t count) { return load.answer(prompts, count); },
      [&](const ServingRun& one) { return meets_latencies(inference, one); });
  return {.sizes = {prompts.num_replicas, run.num_replicas - prompts.num_replicas},
          .run = std::move(run)};
}

/// Finds the fewest replicas for prompts that give the first token in time, then the fewest for
/// answers, and sees whether more for prompts save accelerators or meet what is missed.
PoolsServed fewest_pools(const models::Inference& inference, DisaggregatedLoad& load,
                         const PoolSizes& fewest, int prefill_tp, int tp) {
  const auto& fixed = inference.disaggregated->prefill_replicas;
  const double share = inference.load->percentile;
  const std::int64_t most = fixed ? *fixed : std::max(inference.num_requests(), fewest.prefill);
  const PromptsDone first = fewest_that_hold(
      fixed ? *fixed : fewest.prefill, most,
      [&](std::int64_t count) { return load.pass_prompts(count); },
      [&](const PromptsDone& one) { return one.in_time >= share; });
  PoolsServed best = fewest_for_answers(inference, load, first, fewest.decode);
  if (fixed || first.in_time < share) return best;
  const auto accelerators = [&](const PoolsServed& one) {
    return one.sizes.prefill * prefill_tp + one.sizes.decode * tp;
  };
  for (std::int64_t more = 1; more <= kMorePrefill; ++more) {
    const bool held = meets_latencies(inference, best.run);
    PoolsServed next = fewest_for_answers(
        inference, load, load.pass_prompts(first.num_replicas + more), fewest.decode);
    const bool holds = meets_latencies(inference, next.run);
    if (holds && (!held || accelerators(next) < accelerators(best))) best = std::move(next);
    if (held) break;
  }
  return best;
}

/// Simulates the requests, on as many replicas as keep the latencies.
void serve_apart(const CheckedInference& checked, const core::Fabric& fabric, Option& option) {
  const models::Inference& inference = checked.inference;
  InferenceResult& result = option.result;
  const int prefill_tp = result.disaggregated->prefill_tp;
  const Replica prefill(checked, fabric, {.tp = prefill_tp}, std::nullopt, ReplicaRole::kPrompts);
  const Replica decode(checked, fabric, {.tp = result.tp}, std::nullopt, ReplicaRole::kAnswers);
  const CacheTransfer transfer(checked, fabric, prefill_tp, result.tp);
  const ReplicaPair pair{.prefill = prefill,
                         .decode = decode,
                         .transfer = transfer,
                         .prefill_batch = std::llround(result.disaggregated->prefill.batch),
                         .decode_batch = std::llround(result.cycle.batch)};
  DisaggregatedLoad load(pair);
  const PoolSizes full{result.disaggregated->prefill_replicas,
                       result.disaggregated->decode_replicas};
  PoolsServed served = fewest_pools(inference, load, full, prefill_tp, result.tp);
  count_replicas(checked, served.sizes, result);
  result.run = std::move(served.run);
  check_transfer(checked, fabric, option);
  check_latencies(inference, option);
}

}  // namespace

std::int64_t packed_nodes(const Pool& a, const Pool& b, int in_node) {
  const Pool& large = a.tp >= b.tp ? a : b;
  const Pool& small = a.tp >= b.tp ? b : a;
  const NodeFilling alone{.in_node = in_node, .size = small.tp};
  const NodeFilling of_large{.in_node = in_node, .size = large.tp};
  if (large.tp >= in_node) {
    return of_large.nodes_for(large.num_replicas) + alone.nodes_for(small.num_replicas);
  }
  const std::int64_t in_full = in_node / large.tp;
  const std::int64_t full = large.num_replicas / in_full;
  const std::int64_t left = large.num_replicas % in_full;
  std::int64_t room = full * ((in_node - in_full * large.tp) / small.tp);
  if (left > 0) room += (in_node - left * large.tp) / small.tp;
  const std::int64_t outside = std::max<std::int64_t>(small.num_replicas - room, 0);
  return full + (left > 0 ? 1 : 0) + alone.nodes_for(outside);
}

PoolSizes pool_sizes(const models::Disaggregation& fixed, double wanted, const PoolRates& rates,
                     int prefill_tp, int tp) {
  PoolSizes sizes{replicas_for(wanted, rates.prefill), replicas_for(wanted, rates.decode)};
  if (fixed.prefill_replicas) sizes.prefill = *fixed.prefill_replicas;
  if (fixed.decode_replicas) sizes.decode = *fixed.decode_replicas;
  if (wanted > 0.0 || (fixed.prefill_replicas && fixed.decode_replicas)) return sizes;
  const bool follows_prompts = fixed.prefill_replicas.has_value() ||
                               (!fixed.decode_replicas && rates.prefill >= rates.decode);
  const double given = follows_prompts ? static_cast<double>(sizes.prefill) * rates.prefill
                                       : static_cast<double>(sizes.decode) * rates.decode;
  std::int64_t& count = follows_prompts ? sizes.decode : sizes.prefill;
  const auto of_accelerator = [&](std::int64_t number) {
    count = number;
    const double rate = std::min(static_cast<double>(sizes.prefill) * rates.prefill,
                                 static_cast<double>(sizes.decode) * rates.decode);
    return rate / static_cast<double>(sizes.prefill * prefill_tp + sizes.decode * tp);
  };
  const std::int64_t enough = replicas_for(given, follows_prompts ? rates.decode : rates.prefill);
  const std::int64_t fewer = std::max<std::int64_t>(enough - 1, 1);
  count = of_accelerator(fewer) >= of_accelerator(enough) ? fewer : enough;
  return sizes;
}

Option best_disaggregated(const CheckedInference& checked, const core::Fabric& fabric) {
  const models::Inference& inference = checked.inference;
  std::vector<PromptSide> for_prompts;
  for (const int tp : divisions(checked, inference.disaggregated->prefill_tp)) {
    for_prompts.push_back(prompt_side(checked, fabric, tp));
  }
  std::vector<Option> all;
  for (const int tp : divisions(checked, inference.tp)) {
    const Replica decode(checked, fabric, {.tp = tp}, std::nullopt, ReplicaRole::kAnswers);
    for (const PromptSide& prompts : for_prompts) {
      all.push_back(full_batches(checked, fabric, prompts, decode));
    }
  }
  std::ranges::stable_sort(all, better);
  if (!inference.load || all.front().result.num_nodes == 0) return all.front();
  // Requests that wait need no fewer accelerators than full batches.
  std::optional<Option> best;
  for (Option& one : all) {
    if (one.result.num_nodes == 0) continue;
    const bool is_settled = best && best->result.feasible() && !better(one, *best);
    if (is_settled || (best && !one.result.feasible())) break;
    serve_apart(checked, fabric, one);
    if (!best || better(one, *best)) best = std::move(one);
  }
  return std::move(*best);
}

}  // namespace railwright::simulation
