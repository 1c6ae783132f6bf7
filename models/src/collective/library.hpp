// SPDX-License-Identifier: Apache-2.0
// What the algorithms share of the library's own model of a call. [@nccl]
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "railwright/models/collective/communicator.hpp"
#include "shape.hpp"

namespace railwright::models {

/// Whether every pair sends for itself.
constexpr bool is_pairwise(CollectiveOp op) {
  return op == CollectiveOp::kAllToAll || op == CollectiveOp::kSendReceive;
}
/// Times that a buffer goes around.
constexpr double passes(CollectiveOp op) { return op == CollectiveOp::kAllReduce ? 2.0 : 1.0; }

/// The i-th of a list, or its last where it is shorter.
template <class T>
T at(const std::vector<T>& list, std::size_t i) {
  return list.empty() ? T{} : list[std::min(i, list.size() - 1)];
}
/// 0 for one node, 1 for two, 2 for more.
std::size_t scale(const CommunicatorShape& shape);

/// What the library takes the accelerators for.
const AcceleratorGeneration& generation_of(const CollectiveTuning& tuning);
double local_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape);
/// All channels together, as the library's search finds them, bytes/s.
double bus_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape);
/// Rings or trees side by side in the library's model.
double channels_of_model(const AcceleratorGeneration& generation, const CommunicatorShape& shape);
/// Bytes of the buffer for each byte of the bus.
double from_bus(const CommunicatorShape& shape, CollectiveOp op);
/// Most that LL carries.
core::Bandwidth ll_limit(const CollectiveTuning& tuning, const CommunicatorShape& shape);

/// Latency of steps as a table of the library has it.
core::Duration latency_of(const AlgorithmLatency& table, const CollectiveCall& call,
                          double local_steps, double network_steps,
                          core::Duration min_local_step = {});

/// What a call with LL takes more once its bytes go over all channels.
core::Duration spread_of(const CollectiveCall& call);
/// What a measured call takes beyond the library's model of it: the launch, the steps inside a node
/// and the spread.
core::Duration overhead_of_steps(const CollectiveCall& call, double local_steps);

/// Bytes of the buffer a second that the links of a flow leave; infinite where it uses none.
struct Rates {
  double in_domain;  ///< links of scale-up domains
  double elsewhere;  ///< PCIe, adapters, the network
  [[nodiscard]] double least() const { return std::min(in_domain, elsewhere); }
};
Rates rates_alone(const core::Fabric& fabric, const CollectiveFlow& flow);
/// Lowers the ceiling by what LL or LL128 carries; false with Simple. Inside a node LL reaches a
/// share of the links that is measured; between nodes it is what the library's model has:
/// `ll_share` of the links, below a limit with `from_bus` bytes of the buffer for each of its
/// bytes. What LL128 reaches inside a node was measured there: the way to the network leaves the
/// share that the library has.
bool limit_low_latency(const CollectiveCall& call, const Rates& rates, double ll_share,
                       double from_bus, CollectiveFlow& flow);
/// The same of what goes around as a ring does.
bool limit_as_ring(const CollectiveCall& call, const Rates& rates, CollectiveFlow& flow);
/// What nothing but LL and LL128 limits.
void limit_by_protocol(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                       CollectiveFlow& flow);

/// Channels side by side in a call, and what one of them passes on at once: parts of the buffer, or
/// all of it.
int num_channels_of_rings(const CollectiveTuning& tuning, const CommunicatorShape& shape);
double message_of_parts(const CollectiveCall& call);
double message_of_whole(const CollectiveCall& call);

}  // namespace railwright::models
