// SPDX-License-Identifier: Apache-2.0
#include "disaggregated_sizing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "disaggregated_run.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

namespace {

/// Most replicas for answers that are tried, over those of full batches: beyond, a batch is as
/// small as one request.
constexpr std::int64_t kMaxOverFull = 8;

/// Replicas for prompts that are tried beyond the fewest that give the first token in time.
constexpr std::int64_t kMorePrefill = 8;

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
/// latencies hold, of `least` to `most`.
PoolsServed fewest_for_answers(const models::Inference& inference, DisaggregatedLoad& load,
                               const HandedOver& handed, std::int64_t least, std::int64_t most) {
  const std::int64_t for_prompts = handed.prompts.num_replicas;
  ServingRun run = fewest_that_hold(
      least, most,
      [&](std::int64_t count, IfLate if_late) { return load.answer(handed, count, if_late); },
      [&](const ServingRun& one) {
        return meets_latencies(inference, one) || rejects_too_many(inference, one);
      });
  return {.sizes = {for_prompts, run.num_replicas - for_prompts}, .run = std::move(run)};
}

/// Finds the fewest replicas for prompts that give the first token in time, then the fewest for
/// answers, and sees whether more for prompts save accelerators or meet what is missed.
PoolsServed fewest_pools(const models::Inference& inference, DisaggregatedLoad& load,
                         const PoolSizes& fewest, int prefill_tp, int tp) {
  const auto& fixed = inference.disaggregated->prefill_replicas;
  const double share = inference.load->percentile;
  const std::int64_t most =
      fixed ? *fixed : std::max(std::ssize(load.requests().all), fewest.prefill);
  const HandedOver first = load.hand_over(fewest_that_hold(
      fixed ? *fixed : fewest.prefill, most,
      [&](std::int64_t count, IfLate if_late) { return load.pass_prompts(count, if_late); },
      [&](const PromptsDone& one) { return one.in_time >= share || one.none_can; }));
  const auto& fixed_answers = inference.disaggregated->decode_replicas;
  const std::int64_t least = fixed_answers ? *fixed_answers : fewest.decode;
  const std::int64_t most_answers = fixed_answers ? least : kMaxOverFull * (least + 1);
  PoolsServed best = fewest_for_answers(inference, load, first, least, most_answers);
  if (fixed || first.prompts.in_time < share) return best;
  const auto accelerators = [&](const PoolsServed& one) {
    return one.sizes.prefill * prefill_tp + one.sizes.decode * tp;
  };
  for (std::int64_t more = 1; more <= kMorePrefill; ++more) {
    const std::int64_t count = first.prompts.num_replicas + more;
    const bool held = meets_latencies(inference, best.run);
    // Once the latencies hold, only fewer accelerators are better: if the most of them are too few,
    // no run of fewer is needed.
    const std::int64_t room =
        held ? (accelerators(best) - 1 - count * prefill_tp) / tp : most_answers;
    if (room < least) break;
    const HandedOver handed = load.hand_over(load.pass_prompts(count, IfLate::kGoesOn));
    if (held && !meets_latencies(inference, load.answer(handed, room, IfLate::kStops))) break;
    PoolsServed next = fewest_for_answers(inference, load, handed, least, room);
    const bool holds = meets_latencies(inference, next.run);
    if (holds && (!held || accelerators(next) < accelerators(best))) best = std::move(next);
    if (held) break;
  }
  return best;
}

/// The load on replicas of both kinds, with the batches of a service that was sized for full ones.
struct LoadOfPair {
  LoadOfPair(const CheckedInference& checked, const core::Fabric& fabric,
             const InferenceResult& full)
      : prefill(checked, fabric, {.tp = full.disaggregated->prefill_tp}, std::nullopt,
                ReplicaRole::kPrompts),
        decode(checked, fabric, {.tp = full.tp}, std::nullopt, ReplicaRole::kAnswers),
        transfer(checked, fabric, full.disaggregated->prefill_tp, full.tp),
        pair{.prefill = prefill,
             .decode = decode,
             .transfer = transfer,
             .prefill_batch = std::llround(full.disaggregated->prefill.batch),
             .decode_batch = std::llround(full.cycle.batch)},
        load(pair) {}

  Replica prefill;
  Replica decode;
  CacheTransfer transfer;
  ReplicaPair pair;
  DisaggregatedLoad load;
};

/// Simulates the requests, on as many replicas as keep the latencies.
void serve_apart(const CheckedInference& checked, const core::Fabric& fabric, Option& option) {
  const models::Inference& inference = checked.inference;
  InferenceResult& result = option.result;
  const int prefill_tp = result.disaggregated->prefill_tp;
  LoadOfPair pair(checked, fabric, result);
  DisaggregatedLoad& load = pair.load;
  const PoolSizes full{result.disaggregated->prefill_replicas,
                       result.disaggregated->decode_replicas};
  PoolsServed served =
      inference.load->has_users()
          ? PoolsServed{.sizes = full, .run = load.closed_loop(full.prefill, full.decode)}
          : fewest_pools(inference, load, full, prefill_tp, result.tp);
  count_replicas(checked, served.sizes, result);
  result.run = std::move(served.run);
  check_transfer(checked, fabric, option);
  if (inference.load->keeps_coming()) check_rates(inference, option);
  check_latencies(inference, option);
}

/// Returns the fewest replicas for prompts, of `fewest` to `most`, with which first tokens are not
/// surely late; they are not with `most`.
std::int64_t fewest_for_prompts(const models::Inference& inference, DisaggregatedLoad& load,
                                std::int64_t fewest, std::int64_t most) {
  std::int64_t low = fewest - 1;
  while (most - low > 1) {
    const std::int64_t middle = low + (most - low) / 2;
    const PromptsDone made = load.pass_prompts(middle, IfLate::kStopsIfSurely);
    (are_surely_late(inference, made.in_time, load.requests().num_asked()) ? low : most) = middle;
  }
  return most;
}

}  // namespace

bool apart_need_more(const CheckedInference& checked, const core::Fabric& fabric,
                     std::int64_t accelerators) {
  const models::Inference& inference = checked.inference;
  const models::Disaggregation& apart = *inference.disaggregated;
  const bool is_one = inference.tp && apart.prefill_tp;
  if (!is_one || apart.prefill_replicas || apart.decode_replicas) return false;
  const int prefill_tp = *apart.prefill_tp;
  const int tp = *inference.tp;
  const Replica decode(checked, fabric, {.tp = tp}, std::nullopt, ReplicaRole::kAnswers);
  const Option full =
      full_batches(checked, fabric, prompt_side(checked, fabric, prefill_tp), decode);
  if (full.result.num_nodes == 0) return false;
  const std::int64_t fewest = full.result.disaggregated->prefill_replicas;
  const std::int64_t most =
      (accelerators - full.result.disaggregated->decode_replicas * tp) / prefill_tp;
  if (most < fewest) return true;
  LoadOfPair pair(checked, fabric, full.result);
  DisaggregatedLoad& load = pair.load;
  if (rejects_too_many(inference, rejected_run(load.requests(), 1))) return false;
  const std::int64_t num_asked = load.requests().num_asked();
  PromptsDone prompts = load.pass_prompts(most, IfLate::kStopsIfSurely);
  if (are_surely_late(inference, prompts.in_time, num_asked)) return true;
  const std::int64_t for_prompts = fewest_for_prompts(inference, load, fewest, most);
  const std::int64_t room = (accelerators - for_prompts * prefill_tp) / tp;
  const ServingRun run =
      load.answer(load.hand_over(std::move(prompts)), room, IfLate::kStopsIfSurely);
  return are_surely_late(inference, run.within_latencies, num_asked);
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
