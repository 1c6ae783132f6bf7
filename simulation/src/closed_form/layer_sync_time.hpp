// SPDX-License-Identifier: Apache-2.0
// Time of the collectives of every layer in every micro-batch, without a pipeline.
#pragma once

#include "step_terms.hpp"

namespace railwright::simulation {

/// Time that the collectives of layers add to a step.
struct LayerSyncTime {
  core::Duration gather;
  core::Duration reduce;
  std::array<core::Duration, kNumLayerCalls> delays{};  ///< extra time of calls that share links
  core::Duration slowed;                                ///< extra time of overlapped computation
};

/// Computes that time. With overlap, a layer's parameters are gathered while the layer before it
/// computes, and its gradients are reduced while the layers after it compute. All share links with
/// the calls within passes. The first gather and the last reduction are exposed.
LayerSyncTime layer_sync_time(const StepTerms& terms);

}  // namespace railwright::simulation
