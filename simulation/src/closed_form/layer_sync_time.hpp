// SPDX-License-Identifier: Apache-2.0
// Collectives that come with every layer of every micro-batch, where there is no pipeline.
#pragma once

#include "step_terms.hpp"

namespace railwright::simulation {

/// What a step waits for.
struct LayerSyncTime {
  core::Duration gather;
  core::Duration reduce;
  std::array<core::Duration, kNumLayerCalls> delays{};  ///< of calls, by what shares their links
  core::Duration slowed;                                ///< computation, beside them
};

/// A layer's parameters are gathered while the one before it computes (with prefetch), its
/// gradients reduced while those behind it do; all share links with the calls within passes. The
/// first gather and the last reduction are hidden by nothing.
LayerSyncTime layer_sync_time(const StepTerms& terms);

}  // namespace railwright::simulation
