// SPDX-License-Identifier: Apache-2.0
// Passes through what stages are made of: layers of each kind, embedding and head.
#pragma once

#include <array>
#include <vector>

#include "railwright/models/compute/compute.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// A factor on all computation of a step: that of site and stack, and the slowest node by chance.
double compute_efficiency(const Scenario& scenario);

struct LayerPasses {
  struct PerPass {
    LayerPass forward;
    LayerPass backward;
    LayerPass weight;  ///< gradients, where backward passes are split
  };
  std::array<PerPass, models::kNumLayerKinds> layers;
  std::array<PerPass, models::kNumLayerKinds> kept_layers;  ///< that full recompute leaves out
  std::vector<PerPass> blocks;  ///< of a vision model by place, in which nothing is called
  PerPass embedding;            ///< in a place of its own or on top of a layer's
  PerPass head;
  PerPass mtp;             ///< layers of multi-token prediction, before the head
  LayerPass share_gather;  ///< where a chunk gets its input in shares
};

/// With nothing beside computation yet.
LayerPasses layer_passes(const Scenario& scenario, const models::Layout& layout,
                         const models::ComputeModel& compute);

/// Time of the slowest group's call of each kind, by itself.
std::array<core::Duration, kNumLayerCalls> longest_calls(const StepCosts& costs);

/// Which calls go along with computation, and how much that slows it down.
struct Overlaps {
  Overlaps(const models::SoftwareProfile& software, const models::Layout& layout);

  double matrix_share = 0.0;  ///< of the matrix products, that tensor-parallel calls go along with
  double tensor_share = 1.0;  ///< of those calls, what does not hold the products up
  double attention_share = 0.0;
  bool hides_experts = false;  ///< exchanges go along with another micro-batch's computation
  double slowdown = 1.0;

  /// Lays the calls of a pass, of which one takes `one_call` by itself, beside its computation.
  void apply(const std::array<core::Duration, kNumLayerCalls>& one_call, LayerPass& pass) const;
  /// In passes of two directions at once, tokens go to their experts while the other computes.
  void run_together(const std::array<core::Duration, kNumLayerCalls>& one_call,
                    LayerPass& pass) const;
};

}  // namespace railwright::simulation
