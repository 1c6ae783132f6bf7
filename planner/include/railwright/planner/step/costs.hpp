// SPDX-License-Identifier: Apache-2.0
// Everything one optimizer step is made of: kernel times, transfers and buckets. The event
// simulation and the closed-form estimate both read this table and nothing else.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/collective/collective.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/planner/scenario/scenario.hpp"

namespace railwright::planner {

/// One piece of a stage's gradients or parameters that goes through one collective.
struct Bucket {
  std::int64_t gradient_bytes = 0;  ///< of one tensor-parallel rank
  std::int64_t parameter_bytes = 0;
  int first_layer = 0;  ///< lowest layer (in forward order) with parameters in the bucket
  int last_layer = 0;
};

/// A forward or backward pass through one place of a stage: a decoder layer, embedding or head.
struct LayerPass {
  models::ComputeCost compute;
  int num_all_reduces = 0;  ///< of the residual stream, over the tensor-parallel ranks

  LayerPass& operator+=(const LayerPass& other) {
    compute += other.compute;
    num_all_reduces += other.num_all_reduces;
    return *this;
  }
};

struct StageCosts {
  /// By place in forward order, chunk after chunk.
  std::vector<LayerPass> forward;
  std::vector<LayerPass> backward;
  std::vector<Bucket> buckets;  ///< in the order the backward pass fills them
  core::Duration optimizer;
  models::CollectiveFlow gradient_sync;  ///< one bucket of all tensor ranks at once
  models::CollectiveFlow parameter_gather;
};

/// The costs of one scenario on one fabric. A replica is a data rank: a tensor-parallel group for
/// each stage.
struct StepCosts {
  models::Layout layout;
  int num_replicas = 1;  ///< layout.dp of them, or one of each class where they are folded
  std::vector<StageCosts> stages;
  /// Tensor-parallel all-reduce of the group of (stage, replica): [stage * num_replicas + replica].
  std::vector<models::CollectiveFlow> tensor_flows;
  std::int64_t tensor_bytes = 0;  ///< buffer of one such all-reduce
  std::vector<double> speeds;     ///< of a group's slowest node; empty where all are at full speed
  /// Activations from (stage, replica) to the next stage and gradients to the one before it.
  std::vector<models::CollectiveFlow> send_forward;
  std::vector<models::CollectiveFlow> send_backward;
  std::int64_t send_bytes = 0;  ///< of one tensor-parallel rank
  bool gathers_parameters = false;
  bool overlap_gradient_reduce = false;
  bool overlap_parameter_gather = false;
  bool overlap_pipeline = false;
  std::vector<double> capacity;  ///< bytes/s by link, the installation's NIC efficiency applied

  [[nodiscard]] double speed(std::size_t group) const {
    return speeds.empty() ? 1.0 : speeds[group];
  }
  [[nodiscard]] std::size_t group(int stage, int replica) const {
    return static_cast<std::size_t>(stage) * static_cast<std::size_t>(num_replicas) +
           static_cast<std::size_t>(replica);
  }
};

StepCosts step_costs(const CheckedScenario& checked, const core::Fabric& fabric);

}  // namespace railwright::planner
