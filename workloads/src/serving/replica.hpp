// SPDX-License-Identifier: Apache-2.0
// The accelerators that hold a model together: their capacity and their speed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/inference/batching.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/workloads/serving/full_batches.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Returns how a replica divides the model.
models::ReplicaLayout layout_of(const models::Inference& inference,
                                const models::ReplicaSize& size);

/// A replica on the first accelerators of the cluster. With `offload` the weights stream through
/// them. With several stages the requests form as many groups, each of which is in one stage at a
/// time [@narayanan2021megatron]: the time of an iteration is that of one group through all.
class Replica {
 public:
  Replica(const CheckedInference& checked, const core::Fabric& fabric,
          const models::ReplicaSize& size, std::optional<Offloaded> offload,
          ReplicaRole role = ReplicaRole::kBoth);

  [[nodiscard]] models::ReplicaSize size() const { return {layout_.size, layout_.pp}; }
  [[nodiscard]] const std::optional<Offloaded>& offload() const { return offload_; }
  [[nodiscard]] const models::Inference& inference() const { return inference_; }
  /// Whether an iteration is prepared as the one before begins. Replicas for prompts alone do not:
  /// their engines are told to (AIConfigurator's disable_overlap_scheduler).
  [[nodiscard]] bool looks_ahead() const {
    return inference_.engine.overlaps_host.value && role_ != ReplicaRole::kPrompts;
  }
  [[nodiscard]] models::MemoryUse memory(std::int64_t batch) const;
  /// Returns the memory that `batch` needs beyond the capacity; at most 0 if it fits.
  [[nodiscard]] core::DataSize excess(std::int64_t batch) const;
  [[nodiscard]] bool fits(std::int64_t batch) const { return excess(batch).base() <= 0.0; }
  /// Returns the tokens that the cache of the whole replica holds, of sequences whose layers keep
  /// all of them, in addition to a batch's
  /// activations.
  [[nodiscard]] double cache_tokens(std::int64_t batch) const;

  /// Returns the time of an iteration of these tokens: accelerators, collectives between them and
  /// host.
  [[nodiscard]] models::PassTime time_of(const models::TokenPass& pass) const;
  /// Returns the time of the layers without attention over keys, with their collectives, for these
  /// tokens of all accelerators and of the busiest one.
  [[nodiscard]] models::PassTime layers_time(double tokens, double own_tokens) const;
  /// Returns an iteration padded to the requests of its CUDA graph, where it runs as one.
  [[nodiscard]] models::TokenPass padded(const models::TokenPass& pass) const;
  /// Returns the time to draft tokens for so many requests; 0 without speculative decoding.
  [[nodiscard]] models::PassTime draft_time(double decodes, double context) const;
  [[nodiscard]] core::Duration logits_gather(double sequences) const;
  /// Adds the time that an iteration waits for offloaded weights and the host.
  void add_waits(const models::TokenPass& pass, models::PassTime& time) const;

  [[nodiscard]] models::PassTime prefill() const;
  [[nodiscard]] models::PassTime decode(std::int64_t batch) const;
  /// Returns the mean behaviour with `batch` active requests, computed once for each batch. One for
  /// answers has no time to the first token, one for prompts none per output token.
  [[nodiscard]] models::BatchCycle cycle(std::int64_t batch) const;
  /// Returns the parts of the mean iteration of a cycle.
  [[nodiscard]] models::PassTime mean_iteration(std::int64_t batch) const;

  [[nodiscard]] const core::Accelerator& device() const { return device_; }
  [[nodiscard]] const models::ReplicaLayout& layout() const { return layout_; }

 private:
  /// Returns the time of an iteration's collectives, and of the ways between stages.
  [[nodiscard]] core::Duration communication(double tokens) const;
  /// Returns the requests of the graph that an iteration runs as, on the busiest accelerator.
  [[nodiscard]] std::optional<int> captured_batch(const models::TokenPass& pass) const;
  /// Returns the bytes that a token keeps in the cache of one accelerator.
  [[nodiscard]] core::DataSize cache_of_token() const;
  /// Returns the activations of so many tokens of one accelerator, at the busiest experts.
  [[nodiscard]] core::DataSize activations(double tokens, double sequences) const;
  [[nodiscard]] models::BatchCycle cycle_of(std::int64_t batch) const;
  /// Returns the weights in the memory of one accelerator.
  [[nodiscard]] core::DataSize resident_weights() const;
  /// Returns the weights on one accelerator of what drafts.
  [[nodiscard]] core::DataSize draft_weights() const;
  [[nodiscard]] core::Duration communication_of(const models::Transformer& model,
                                                double tokens) const;
  [[nodiscard]] core::Duration logits_gather_of(const models::Transformer& model,
                                                double sequences) const;
  [[nodiscard]] core::Duration between_stages(double tokens) const;
  [[nodiscard]] core::Duration to_experts(const models::Transformer& model, double tokens,
                                          double narrow) const;
  [[nodiscard]] core::Duration exchange(const models::Transformer& model, double tokens) const;
  [[nodiscard]] core::Duration collective(models::CollectiveOp op, double bytes) const;
  /// Returns the time of an all-reduce, in one kernel with the norm behind it or not.
  [[nodiscard]] core::Duration all_reduce(double bytes, bool is_joined) const;
  [[nodiscard]] models::BatchingLimits limits() const;
  /// Returns the tokens that requests keep in the cache: all that they may have, or where the
  /// engine preempts as many as they have in the middle of their answers.
  [[nodiscard]] double cached_tokens(double sequences) const;
  [[nodiscard]] models::TokenPass piece_pass(const models::BatchingMix& mix) const;
  /// Returns the mix of a group of the batch.
  [[nodiscard]] models::BatchingMix mix_of(std::int64_t batch) const;
  [[nodiscard]] models::PassTime mean_of(const models::BatchingMix& mix, std::int64_t batch,
                                         const models::PassTime& with_piece) const;
  /// Returns the tokens of a request in the middle of its answer.
  [[nodiscard]] double mean_context() const;
  /// Returns the groups that so many requests form.
  [[nodiscard]] double groups_of(double batch) const;

  /// Cycles that were computed, for any number of threads.
  struct KnownCycles {
    std::mutex mutex;
    std::map<std::int64_t, models::BatchCycle> by_batch;
  };

  const models::Inference& inference_;
  std::optional<models::Inference> draft_;  ///< if another model drafts
  const core::Accelerator& device_;
  models::ReplicaLayout layout_;
  std::optional<Offloaded> offload_;
  ReplicaRole role_;
  double num_kernels_ = 0.0;  ///< of all layers, launched where no graph holds the iteration
  std::optional<models::Communicator> communicator_;     ///< if a layer has several accelerators
  std::vector<std::vector<models::Communicator>> hops_;  ///< pairs between two stages, by stage
  /// Requests of the graph that so many run as, by their number; the engine knows those of more.
  std::vector<int> captured_;
  bool is_in_node_ = true;        ///< the accelerators of a layer
  std::vector<double> capacity_;  ///< bytes/s by link
  core::DataSize resident_;       ///< weights on one accelerator
  core::DataSize drafting_;       ///< of what drafts, likewise
  std::unique_ptr<KnownCycles> known_ = std::make_unique<KnownCycles>();
};

/// Returns the largest batch up to `most` for which `holds(batch)` is true; 0 if it is false for 1.
/// Once false, it must stay false for larger batches.
template <class Holds>
std::int64_t largest_batch(std::int64_t most, const Holds& holds) {
  std::int64_t low = 0;
  std::int64_t high = 1;
  while (high <= most && holds(high)) {
    low = high;
    high *= 2;
  }
  high = std::min(high, most + 1);
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace railwright::simulation
