// SPDX-License-Identifier: Apache-2.0
// Steps that the sizing of replicas for prompts and for answers shares with a search over them.
#pragma once

#include <cstdint>
#include <memory>

#include "cache_transfer.hpp"
#include "sizing_parts.hpp"

namespace railwright::core {
class Fabric;
}  // namespace railwright::core

namespace railwright::simulation {

/// Replicas of one kind, and the accelerators of each.
struct Pool {
  std::int64_t num_replicas = 0;
  int tp = 1;
};

/// Returns the nodes of `in_node` accelerators that both pools fill together: the larger replicas
/// first, the others in the room beside them, then in nodes of their own.
std::int64_t packed_nodes(const Pool& a, const Pool& b, int in_node);

/// Requests/s that a replica of each kind processes.
struct PoolRates {
  double prefill = 0.0;
  double decode = 0.0;
};
struct PoolSizes {
  std::int64_t prefill = 1;
  std::int64_t decode = 1;
};
/// Returns the fewest replicas for `wanted` requests/s, or the fixed ones. Without a wanted rate:
/// one of the faster kind, with as many of the other as give the most requests per accelerator.
PoolSizes pool_sizes(const models::Disaggregation& fixed, double wanted, const PoolRates& rates,
                     int prefill_tp, int tp);

/// Replicas for prompts, with the most prompts that they take at a time.
struct PromptSide {
  std::unique_ptr<Replica> replica;
  std::int64_t batch = 0;  ///< 0: one does not fit, or is late
  models::BatchCycle cycle;
  models::PassTime time;  ///< mean iteration
  models::MemoryUse memory;
};
PromptSide prompt_side(const CheckedInference& checked, const core::Fabric& fabric, int tp);

/// Fills in what does not depend on batches.
InferenceResult without_batches(const CheckedInference& checked, const Replica& prefill,
                                const CacheTransfer& transfer, int tp);

/// Counts the accelerators and nodes of so many replicas, and what they answer.
void count_replicas(const CheckedInference& checked, const PoolSizes& sizes,
                    InferenceResult& result);

/// Replicas for prompts of a node that send at once.
int num_senders(const CheckedInference& checked, const Disaggregated& apart);
/// Checks that caches leave replicas for prompts before the next ones come, with those of a node
/// sending at once through the NICs that they share.
void check_transfer(const CheckedInference& checked, const core::Fabric& fabric, Option& option);
/// `time`: that of a cache with all of them sending.
void check_transfer(const CheckedInference& checked, core::Duration time, Option& option);

/// Checks that fixed numbers of replicas carry the load.
void check_rates(const models::Inference& inference, Option& option);

}  // namespace railwright::simulation
