// SPDX-License-Identifier: Apache-2.0
// Everything one optimizer step is made of: kernel times, transfers and buckets. The event
// simulation and the closed-form estimate both read this table and nothing else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/models/collective/collective.hpp"
#include "railwright/models/compute/compute.hpp"

namespace railwright::core {
class Fabric;
struct Link;
}  // namespace railwright::core

namespace railwright::simulation {

struct CheckedScenario;
struct Scenario;

/// One piece of a stage's gradients or parameters that goes through a collective.
struct Bucket {
  std::int64_t gradient_bytes = 0;  ///< on one tensor-parallel rank
  std::int64_t parameter_bytes = 0;
  int first_layer = 0;  ///< lowest layer (in forward order) with parameters in the bucket
  int last_layer = 0;
  int num_calls = 1;  ///< one after another
};

/// Collectives that the ranks of a replica's stage call within a pass.
enum class LayerCall : std::uint8_t {
  kTensor,   ///< all-reduce of the residual stream over the tensor-parallel ranks
  kExpert,   ///< all-to-all of tokens on the way to their experts or back
  kContext,  ///< keys and values once round the ranks that share a sequence
};
inline constexpr std::size_t kNumLayerCalls = 3;

/// A forward or backward pass through one place of a stage: a decoder layer, embedding or head.
struct LayerPass {
  models::ComputeCost compute;
  std::array<double, kNumLayerCalls> calls{};
  double waiting_calls = 0.0;  ///< tensor-parallel calls that never overlap with computation
  /// The part of `compute` that overlaps with calls; zero if the stack waits for them.
  std::array<models::ComputeCost, kNumLayerCalls> beside{};

  LayerPass& operator+=(const LayerPass& other);
};

/// Parameters that have the same replicas, and the collectives that keep these identical.
struct ParameterSync {
  std::vector<Bucket> buckets;           ///< in the order the backward pass fills them
  models::CollectiveFlow gradient_sync;  ///< one bucket of all ranks of a stage at once
  models::CollectiveFlow parameter_gather;
  bool of_experts = false;
  double bucket_bytes = 0.0;  ///< for which the library chose how to call; 0 without calls
};

struct StageCosts {
  /// Passes by place in forward order, chunk after chunk.
  std::vector<LayerPass> forward;
  std::vector<LayerPass> backward;
  std::vector<LayerPass> weight;  ///< weight gradients if backward passes are split, else empty
  /// Each chunk's forward pass together with the other chunk's backward pass, under DualPipe.
  std::vector<LayerPass> together;
  /// Collectives of dense parameters, then of experts, if these have replicas or an offload tier.
  /// Under DualPipe, only the first half of the stages has them, for both mirrored stages.
  std::vector<ParameterSync> syncs;
  core::Duration optimizer;
};

/// One kind of call by group.
struct GroupCalls {
  std::vector<models::CollectiveFlow> flows;  ///< empty where the layout has no such call
  std::int64_t bytes = 0;                     ///< buffer of one call
  bool is_swap = false;  ///< of a sequence's ranks: tokens for heads, not keys and values
  /// A number for each group, equal for groups whose ranks call each other: the call begins when
  /// the last of them arrives, moves the parts of all and ends for all at once. Empty: each group
  /// calls alone.
  std::vector<std::int32_t> circles;
};

/// The costs of one scenario on one fabric. A replica is a data-parallel rank, or one of the
/// context-parallel ranks that share its sequences: a tensor-parallel group for each stage. The
/// group of (stage, replica) has index stage * num_replicas + replica.
struct StepCosts {
  models::Layout layout;
  int num_replicas = 1;  ///< all of the layout's, or one of each class if folded
  std::vector<StageCosts> stages;
  std::array<GroupCalls, kNumLayerCalls> calls;
  std::vector<double> speeds;  ///< each group's slowest node; empty if all are at full speed
  /// Activations from (stage, replica) to the next stage, and gradients to the previous one.
  std::vector<models::CollectiveFlow> send_forward;
  std::vector<models::CollectiveFlow> send_backward;
  std::int64_t send_bytes = 0;  ///< per tensor-parallel rank
  bool has_replicas = false;    ///< some parameters have replicas or an offload tier
  bool gathers_parameters = false;
  bool gathers_every_pass = false;        ///< each layer's parameters, freed after it
  bool reduces_every_microbatch = false;  ///< not only after the last one
  bool is_forward_alone = false;          ///< backward passes do nothing and gather nothing
  bool overlap_gradient_reduce = false;
  bool overlap_parameter_gather = false;
  bool overlap_pipeline = false;
  double overlap_slowdown = 1.0;  ///< during collectives of gradients or parameters
  std::vector<double> capacity;   ///< bytes/s by link, the installation's NIC efficiency applied
  core::Duration overhead;        ///< in addition to all operations

  [[nodiscard]] double speed(std::size_t group) const {
    return speeds.empty() ? 1.0 : speeds[group];
  }
  [[nodiscard]] std::size_t num_groups() const {
    return stages.size() * static_cast<std::size_t>(num_replicas);
  }
  [[nodiscard]] std::size_t group(int stage, int replica) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(num_replicas) +
           static_cast<std::size_t>(replica);
  }
};

/// Returns the sum of the passes through the places of a chunk.
LayerPass sum_of_chunk(const std::vector<LayerPass>& places, const models::Layout& layout,
                       int chunk);

/// Returns the bytes/s of a link, and those of each link, with the installation's NIC efficiency
/// applied.
double link_capacity(const Scenario& scenario, const core::Link& link);
std::vector<double> link_capacities(const Scenario& scenario, const core::Fabric& fabric);

StepCosts step_costs(const CheckedScenario& checked, const core::Fabric& fabric);

}  // namespace railwright::simulation
