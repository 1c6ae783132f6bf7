// SPDX-License-Identifier: Apache-2.0
// Services with full batches, for searches: divisions share replicas, and each batch of a replica
// is computed once.
#pragma once

#include <cstdint>
#include <memory>

#include "railwright/core/units/quantity.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/serving/serving.hpp"

namespace railwright::simulation {

/// Work of a replica. Those for prompts give the first token and hand the cache over to those for
/// answers, which give all others.
enum class ReplicaRole : std::uint8_t { kBoth, kPrompts, kAnswers };

/// Replicas of one kind, for any number of threads.
class ReplicaPart {
 public:
  /// Replicas of `inference.tp` and `pp`, or of `disaggregated.prefill_tp` for prompts, which must
  /// be set. `built` must outlive the part.
  ReplicaPart(CheckedInference checked, const topologies::BuiltCluster& built, ReplicaRole role);
  ReplicaPart(const ReplicaPart&) = delete;
  ReplicaPart& operator=(const ReplicaPart&) = delete;
  ~ReplicaPart();

  /// Whether one request fits; of prompts, whether its first token comes in time too.
  [[nodiscard]] bool takes_one() const;

 private:
  friend class FullBatches;
  struct State;
  std::unique_ptr<const State> state_;
};

/// Numbers of a service at one batch, as simulate() gives them without `inference.load`.
struct FullBatch {
  std::int64_t batch = 0;
  std::int64_t num_accelerators = 0;
  std::int64_t num_nodes = 0;  ///< including redundant ones
  double accelerator_tokens_per_s = 0.0;
  core::Duration time_to_first_token;
  core::Duration time_per_output_token;
  bool carries_load = true;  ///< on the nodes there are
};

/// A service whose replicas do both, or with prompts apart. Prefixes in host memory take the time
/// of a node without load, and of a prefix cache prompts find the most, so that such a service is
/// never better than these numbers.
class FullBatches {
 public:
  /// The parts must outlive this.
  explicit FullBatches(const ReplicaPart& both);
  FullBatches(const ReplicaPart& prompts, const ReplicaPart& answers);
  ~FullBatches();

  /// The largest batch that memory and engine hold; 0 if none.
  [[nodiscard]] std::int64_t largest() const;
  /// The largest of these within the wanted latencies; 0 if none.
  [[nodiscard]] std::int64_t largest_in_time() const;
  [[nodiscard]] FullBatch at(std::int64_t batch) const;

 private:
  struct Apart;
  [[nodiscard]] std::int64_t chosen(bool is_in_time) const;

  const ReplicaPart* answers_;
  std::unique_ptr<const Apart> apart_;  ///< of prompts, if these are apart
};

}  // namespace railwright::simulation
