// SPDX-License-Identifier: Apache-2.0
// The accelerators that hold a model together: what fits them and how fast they answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/models/inference/batching.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/serving/serving.hpp"

namespace railwright::simulation {

/// `tp` accelerators of the first node. With `offload` the weights stream through them.
class Replica {
 public:
  Replica(const CheckedInference& checked, const core::Fabric& fabric, int tp,
          std::optional<Offloaded> offload);

  [[nodiscard]] int tp() const { return layout_.size; }
  [[nodiscard]] const std::optional<Offloaded>& offload() const { return offload_; }
  [[nodiscard]] const models::Inference& inference() const { return inference_; }
  [[nodiscard]] models::MemoryUse memory(std::int64_t batch) const;
  /// How much of `batch` does not fit; at most 0 where it does.
  [[nodiscard]] core::DataSize excess(std::int64_t batch) const;
  [[nodiscard]] bool fits(std::int64_t batch) const { return excess(batch).base() <= 0.0; }
  /// Tokens that the cache of the whole replica holds beside a batch's activations.
  [[nodiscard]] double cache_tokens(std::int64_t batch) const;

  /// Time of an iteration of these tokens: accelerators, collectives between them and host.
  [[nodiscard]] models::PassTime time_of(const models::TokenPass& pass) const;
  /// What the collectives of an iteration take.
  [[nodiscard]] core::Duration communication(double tokens) const;
  [[nodiscard]] core::Duration logits_gather(double sequences) const;
  /// Adds what offloaded weights and the host make an iteration wait.
  void add_waits(const models::TokenPass& pass, models::PassTime& time) const;

  [[nodiscard]] models::PassTime prefill() const;
  [[nodiscard]] models::PassTime decode(std::int64_t batch) const;
  [[nodiscard]] models::BatchCycle cycle(std::int64_t batch) const;
  /// The parts of the mean iteration of a cycle.
  [[nodiscard]] models::PassTime mean_iteration(std::int64_t batch) const;

  [[nodiscard]] const core::Accelerator& device() const { return device_; }
  [[nodiscard]] const models::ReplicaLayout& layout() const { return layout_; }

 private:
  [[nodiscard]] core::Duration collective(models::CollectiveOp op, double bytes) const;
  [[nodiscard]] core::Duration all_reduce(double bytes) const;
  [[nodiscard]] models::BatchingLimits limits() const;
  [[nodiscard]] models::TokenPass piece_pass(const models::BatchingMix& mix) const;
  [[nodiscard]] models::PassTime mean_of(const models::BatchingMix& mix,
                                         const models::PassTime& with_piece) const;
  /// Tokens of a request in the middle of its answer.
  [[nodiscard]] double mean_context() const;

  const models::Inference& inference_;
  const core::Accelerator& device_;
  models::ReplicaLayout layout_;
  std::optional<Offloaded> offload_;
  std::optional<models::Communicator> communicator_;  ///< of more than one accelerator
  std::vector<double> capacity_;                      ///< bytes/s by link
};

/// The largest batch up to `most` for which `holds(batch)`, which must not come back once it is
/// gone; 0 where it does not hold for one.
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
