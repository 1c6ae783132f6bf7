// SPDX-License-Identifier: Apache-2.0
// NVLS: the switches of the scale-up domain reduce and multicast; NVLSTree: this in each node, and
// trees between nodes.
#pragma once

#include <span>
#include <vector>

#include "groups.hpp"
#include "library.hpp"

namespace railwright::models {

bool nvls_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op);
bool nvls_tree_can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                       CollectiveOp op);
double nvls_steps_inside(const CommunicatorShape& shape, CollectiveOp op);
core::Duration nvls_latency(const CollectiveCall& call);
/// Returns the measured launch inside a node. Between nodes it is 0: the library's latency is a
/// whole call's, and nothing is known beyond it.
core::Duration nvls_overhead(const CollectiveCall& call);
double nvls_bandwidth(const CollectiveCall& call);
/// Computes the loads: switches of the scale-up domains reduce and multicast, so each of n members
/// of a domain sends and receives (n+1)/n. Between nodes the two trees are used.
std::vector<core::LinkUse> nvls_loads(const core::Fabric& fabric, const Groups& groups,
                                      std::span<const int> members, CollectiveOp op);
/// Limits the flow: the buffer moves in rounds of a chunk for each channel and member of a node. A
/// round takes its overhead plus its bytes. Some rounds pass until the first result, one more for
/// each level of the tree between nodes.
void nvls_limit(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                CollectiveFlow& flow);
int nvls_num_channels(const CollectiveTuning& tuning, const CommunicatorShape& shape);
/// Returns the bytes of a chunk; the library uses smaller ones if there would be few rounds.
double nvls_chunk(const CollectiveCall& call);

inline constexpr CollectiveAlgorithmKind kNvls{.name = "nvls",
                                               .can_run = nvls_can_run,
                                               .steps_inside = nvls_steps_inside,
                                               .latency = nvls_latency,
                                               .overhead = nvls_overhead,
                                               .bandwidth = nvls_bandwidth,
                                               .loads = nvls_loads,
                                               .limit = nvls_limit,
                                               .num_channels = nvls_num_channels,
                                               .message_size = nvls_chunk,
                                               .is_chosen = true,
                                               .adds_in_scale_up = true};

inline constexpr CollectiveAlgorithmKind kNvlsTree = [] {
  CollectiveAlgorithmKind kind = kNvls;
  kind.name = "nvls_tree";
  kind.can_run = nvls_tree_can_run;
  return kind;
}();

}  // namespace railwright::models
