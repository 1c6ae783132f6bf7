// SPDX-License-Identifier: Apache-2.0
#include "disaggregated_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "railwright/core/units/text.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::simulation {

namespace {

using core::Duration;
using core::to_text;

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

}  // namespace

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

int num_senders(const CheckedInference& checked, const Disaggregated& apart) {
  const int in_node =
      std::max(checked.cluster.cluster.node.num_accelerators.value / apart.prefill_tp, 1);
  return static_cast<int>(std::min<std::int64_t>(apart.prefill_replicas, in_node));
}

void check_transfer(const CheckedInference& checked, const core::Fabric& fabric, Option& option) {
  InferenceResult& result = option.result;
  Disaggregated& apart = *result.disaggregated;
  const int senders = num_senders(checked, apart);
  const CacheTransfer all(checked, fabric, apart.prefill_tp, result.tp, senders);
  check_transfer(checked, all.time(checked.inference.prompt_tokens), option);
}

void check_transfer(const CheckedInference& checked, core::Duration time, Option& option) {
  InferenceResult& result = option.result;
  Disaggregated& apart = *result.disaggregated;
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

void check_rates(const models::Inference& inference, Option& option) {
  const InferenceResult& result = option.result;
  const Disaggregated& apart = *result.disaggregated;
  check_rate(inference, apart.prefill_replicas, apart.prefill.requests_per_s(), " for prompts",
             option);
  check_rate(inference, apart.decode_replicas, result.cycle.requests_per_s(), " for answers",
             option);
}

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

}  // namespace railwright::simulation
