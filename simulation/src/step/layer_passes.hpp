// SPDX-License-Identifier: Apache-2.0
// Passes through the parts of a stage: layers of each kind, embedding and head.
#pragma once

#include <array>
#include <vector>

#include "railwright/models/compute/compute.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

struct Scenario;

/// Returns a factor on the speed of all computation: that of site, stack and the node that is
/// slowest by chance.
double compute_efficiency(const Scenario& scenario);

struct LayerPasses {
  struct PerPass {
    LayerPass forward;
    LayerPass backward;
    LayerPass weight;  ///< weight gradients, if backward passes are split
  };
  std::array<PerPass, models::kNumLayerKinds> layers;
  std::array<PerPass, models::kNumLayerKinds> kept_layers;  ///< left out by full recompute
  std::vector<PerPass> blocks;  ///< blocks of a vision model by place, without calls
  PerPass embedding;            ///< in a place of its own or added to a layer's
  PerPass head;
  PerPass mtp;             ///< layers of multi-token prediction, before the head
  LayerPass share_gather;  ///< for a chunk that receives its input in shares
};

/// Returns the passes without any overlap; see Overlaps.
LayerPasses layer_passes(const Scenario& scenario, const models::Layout& layout,
                         const models::ComputeModel& compute);

/// Returns the time of the slowest group's call of each kind in isolation.
std::array<core::Duration, kNumLayerCalls> longest_calls(const StepCosts& costs);

/// Overlap of calls with computation, and the slowdown of the latter.
struct Overlaps {
  Overlaps(const models::SoftwareProfile& software, const models::Layout& layout);

  double matrix_share = 0.0;  ///< share of matrix products that overlap with tensor-parallel calls
  double tensor_share = 1.0;  ///< share of those calls that does not delay the products
  double attention_share = 0.0;
  bool hides_experts = false;  ///< expert exchanges overlap with another micro-batch's computation
  double slowdown = 1.0;

  /// Overlaps the calls of a pass, of which one takes `one_call` in isolation, with its
  /// computation.
  void apply(const std::array<core::Duration, kNumLayerCalls>& one_call, LayerPass& pass) const;
  /// Overlaps expert exchanges in paired passes of two directions: each computes while the other
  /// sends tokens.
  void run_together(const std::array<core::Duration, kNumLayerCalls>& one_call,
                    LayerPass& pass) const;
};

}  // namespace railwright::simulation
