// SPDX-License-Identifier: Apache-2.0
// The transfers of a step as flows on the fabric.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/step/costs.hpp"

namespace railwright::simulation {

/// Returns the calls within passes of every group.
std::array<GroupCalls, kNumLayerCalls> layer_calls(const Scenario& scenario,
                                                   const models::Layout& layout,
                                                   const core::Fabric& fabric);

/// Returns the shortest time of a group's call of each kind in isolation; zero for absent calls and
/// for those of experts.
std::array<core::Duration, kNumLayerCalls> fastest_calls(const Scenario& scenario,
                                                         const models::Layout& layout,
                                                         const core::Fabric& fabric,
                                                         std::span<const double> capacity);

/// Returns the collectives that keep a stage's parameters, of experts or dense ones, identical on
/// their replicas. Their buckets carry `bucket_bytes` each. Nothing is gathered at zero_stage 0.
ParameterSync sync_flows(const Scenario& scenario, const models::Layout& layout,
                         const core::Fabric& fabric, int stage, bool of_experts,
                         double bucket_bytes);

/// A transfer of a replica from one stage to another.
struct StageSend {
  int replica = 0;
  int from = 0;
  int to = 0;
};

/// Returns the transfer of a micro-batch's activations, `bytes` for each tensor-parallel rank.
models::CollectiveFlow send_flow(const CheckedScenario& checked, const core::Fabric& fabric,
                                 const StageSend& send, double bytes);

}  // namespace railwright::simulation
