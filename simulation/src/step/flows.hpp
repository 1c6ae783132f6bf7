// SPDX-License-Identifier: Apache-2.0
// The transfers of a step as flows on the fabric.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "communicators.hpp"
#include "railwright/core/fabric/fabric.hpp"
#include "railwright/models/software/collective_algorithm.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/simulation/step/rank_groups.hpp"

namespace railwright::simulation {

struct CheckedScenario;
struct Scenario;

/// Parts of calls that replicas share: of each replica, or of the first, those of all others as one
/// part of the second, and nothing more.
enum class Parts : std::uint8_t { kEach, kJoined };
/// Returns the calls within passes of the groups of these replicas, stage by stage. Circles are
/// those of all replicas.
std::array<GroupCalls, kNumLayerCalls> layer_calls(const Scenario& scenario,
                                                   const models::Layout& layout,
                                                   const Communicators& communicators,
                                                   std::span<const int> replicas,
                                                   Parts parts = Parts::kEach);

/// Returns the shortest time of a group's call of each kind in isolation; zero for absent calls and
/// for those of experts.
enum class AmongGroups : std::uint8_t { kAll, kFirst };
std::array<core::Duration, kNumLayerCalls> fastest_calls(const Scenario& scenario,
                                                         const models::Layout& layout,
                                                         const core::Fabric& fabric,
                                                         std::span<const double> capacity,
                                                         AmongGroups among);

/// One of the collectives of a sync: what the ranks of each group call, all groups at once.
struct SyncCall {
  models::CollectiveOp op = models::CollectiveOp::kAllReduce;
  bool gathers_parameters = false;  ///< reduces gradients otherwise
  double share = 1.0;               ///< of a bucket that a group's buffer holds
  std::vector<std::vector<int>> groups;
};

/// Returns the collectives that keep a stage's parameters, of experts or dense ones, identical on
/// their replicas, in the order of the calls. Nothing is gathered at zero_stage 0. Of the groups
/// with the same parameters, the first `most`.
std::vector<SyncCall> sync_calls(const Scenario& scenario, const models::Layout& layout, int stage,
                                 bool of_experts, std::size_t most = kAllGroups);

/// Returns the flow of one group for a bucket of `bucket_bytes`.
models::CollectiveFlow sync_flow(const models::Communicator& group, const SyncCall& call,
                                 double bucket_bytes);

/// Joins the flows of calls, all groups of each merged.
ParameterSync joined(std::span<const SyncCall> calls,
                     std::span<const models::CollectiveFlow> flows);

/// A transfer of a replica from one stage to another.
struct StageSend {
  int replica = 0;
  int from = 0;
  int to = 0;
};

/// Returns the transfer of a micro-batch's activations, `bytes` for each of these tensor-parallel
/// ranks.
models::CollectiveFlow send_flow(const CheckedScenario& checked, const Communicators& communicators,
                                 const StageSend& send, double bytes, std::span<const int> tensors);
/// Returns the two ends of the transfer of a tensor-parallel rank.
std::vector<int> ends_of(const models::Layout& layout, const StageSend& send, int tensor);

}  // namespace railwright::simulation
