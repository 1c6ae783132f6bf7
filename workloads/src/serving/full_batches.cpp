// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/serving/full_batches.hpp"

#include <utility>

#include "disaggregated_parts.hpp"
#include "prefix_places.hpp"
#include "replica.hpp"
#include "service_files.hpp"
#include "sizing_parts.hpp"

namespace railwright::simulation {

namespace {

models::ReplicaSize size_of(const models::Inference& inference, ReplicaRole role) {
  return role == ReplicaRole::kPrompts
             ? models::ReplicaSize{.tp = inference.disaggregated->prefill_tp.value()}
             : models::ReplicaSize{.tp = inference.tp.value(), .pp = inference.pp};
}

/// Returns the scenario whose prompts wait for the cached part of a prefix; of a prefix cache they
/// find the most that any service finds, so that none is ruled out by what fewer nodes hold.
CheckedInference waiting(CheckedInference checked, const core::Fabric& fabric) {
  models::Inference& inference = checked.inference;
  if (inference.prefix_cache) {
    const PrefixHolders holders = holders_of_all(checked);
    PrefixCacheUse use = prefix_cache_use(checked, holders);
    wait_for_prefixes(holders, fabric, use, checked);
    return checked;
  }
  if (inference.prefix_on_storage) {
    inference.prefix_read = prefix_read_time(checked, fabric, inference.wanted_requests_per_s());
  }
  if (inference.prefix_on_host) inference.prefix_read = host_cache(checked, 0.0).prefix_read;
  return checked;
}

}  // namespace

struct ReplicaPart::State {
  State(CheckedInference scenario, const topologies::BuiltCluster& built, ReplicaRole role)
      : checked(waiting(std::move(scenario), built.fabric)), fabric(built.fabric) {
    const models::ReplicaSize size = size_of(checked.inference, role);
    if (role == ReplicaRole::kPrompts) {
      side = prompt_side(checked, fabric, size.tp);
    } else {
      side.replica = std::make_unique<Replica>(checked, fabric, size, std::nullopt, role);
      side.batch = side.replica->fits(1) ? 1 : 0;
    }
  }

  CheckedInference checked;
  const core::Fabric& fabric;
  PromptSide side;  ///< of answers or both, the replica and whether one request fits
};

ReplicaPart::ReplicaPart(CheckedInference checked, const topologies::BuiltCluster& built,
                         ReplicaRole role)
    : state_(std::make_unique<const State>(std::move(checked), built, role)) {}
ReplicaPart::~ReplicaPart() = default;

bool ReplicaPart::takes_one() const { return state_->side.batch > 0; }

struct FullBatches::Apart {
  InferenceResult base;  ///< what does not depend on the batch
  double prompts_per_s = 0.0;
};

FullBatches::FullBatches(const ReplicaPart& both) : answers_(&both) {}

FullBatches::FullBatches(const ReplicaPart& prompts, const ReplicaPart& answers)
    : answers_(&answers) {
  const PromptSide& side = prompts.state_->side;
  const ReplicaPart::State& of_answers = *answers.state_;
  const CheckedInference& checked = of_answers.checked;
  const int tp = of_answers.side.replica->size().tp;
  const CacheTransfer transfer(checked, of_answers.fabric, side.replica->size().tp, tp);
  Apart apart{.base = without_batches(checked, *side.replica, transfer, tp),
              .prompts_per_s = side.cycle.requests_per_s()};
  apart.base.disaggregated->prefill = side.cycle;
  apart_ = std::make_unique<const Apart>(std::move(apart));
}
FullBatches::~FullBatches() = default;

std::int64_t FullBatches::chosen(bool is_in_time) const {
  const ReplicaPart::State& answers = *answers_->state_;
  if (!answers_->takes_one()) return 0;
  BatchLatencies latencies;
  if (is_in_time) {
    const models::Inference& inference = answers.checked.inference;
    latencies.output_token = or_forever(inference.time_per_output_token);
    if (apart_) {
      latencies.added = apart_->base.disaggregated->transfer_per_token;
    } else {
      latencies.first_token = or_forever(inference.time_to_first_token);
    }
  }
  return batch_within(*answers.side.replica, latencies).batch;
}

std::int64_t FullBatches::largest() const { return chosen(false); }
std::int64_t FullBatches::largest_in_time() const { return chosen(true); }

FullBatch FullBatches::at(std::int64_t batch) const {
  const ReplicaPart::State& answers = *answers_->state_;
  const CheckedInference& checked = answers.checked;
  const models::Inference& inference = checked.inference;
  const models::ReplicaSize size = answers.side.replica->size();
  const double wanted = inference.wanted_requests_per_s();
  Option option;
  InferenceResult& result = option.result;
  if (apart_) {
    result = apart_->base;
    result.cycle = answers.side.replica->cycle(batch);
    const PoolRates rates{apart_->prompts_per_s, result.cycle.requests_per_s()};
    count_replicas(checked,
                   pool_sizes(*inference.disaggregated, wanted, rates,
                              result.disaggregated->prefill_tp, size.tp),
                   result);
    if (!inference.load) {
      check_transfer(checked, answers.fabric, option);
      check_rates(inference, option);
    }
  } else {
    result.tp = size.tp;
    result.pp = size.pp;
    result.cycle = answers.side.replica->cycle(batch);
    count_nodes(checked, replicas_for(wanted, result.cycle.requests_per_s()), result);
  }
  return {.batch = batch,
          .num_accelerators = result.num_accelerators,
          .num_nodes = result.num_nodes,
          .accelerator_tokens_per_s = result.accelerator_tokens_per_s,
          .time_to_first_token = result.time_to_first_token(),
          .time_per_output_token = result.time_per_output_token(),
          .carries_load =
              result.infeasible.empty() && result.num_nodes <= checked.cluster.cluster.num_nodes};
}

}  // namespace railwright::simulation
