// SPDX-License-Identifier: Apache-2.0
// The parts of the library's own model of a call that algorithms share. [@nccl]
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "railwright/models/collective/communicator.hpp"
#include "shape.hpp"

namespace railwright::models {

/// Whether every pair of members communicates directly.
constexpr bool is_pairwise(CollectiveOp op) {
  return op == CollectiveOp::kAllToAll || op == CollectiveOp::kSendReceive;
}
/// Returns how often a buffer goes around.
constexpr double passes(CollectiveOp op) { return op == CollectiveOp::kAllReduce ? 2.0 : 1.0; }

/// Returns the i-th item of a list, or its last if it is shorter.
template <class T>
T at(const std::vector<T>& list, std::size_t i) {
  return list.empty() ? T{} : list[std::min(i, list.size() - 1)];
}
/// Returns 0 for one node, 1 for two, 2 for more.
std::size_t scale(const CommunicatorShape& shape);

/// Returns the library's constants for the accelerators.
const AcceleratorGeneration& generation_of(const CollectiveTuning& tuning);
double local_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape);
/// Returns the bandwidth of all channels together, as the library's search finds it, in bytes/s.
double bus_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape);
/// Returns the parallel rings or trees in the library's model.
double channels_of_model(const AcceleratorGeneration& generation, const CommunicatorShape& shape);
/// Returns the bytes of the buffer for each byte of the bus.
double from_bus(const CommunicatorShape& shape, CollectiveOp op);
/// Returns the limit of LL's bandwidth.
core::Bandwidth ll_limit(const CollectiveTuning& tuning, const CommunicatorShape& shape);

/// Computes the latency of steps by a table of the library.
core::Duration latency_of(const AlgorithmLatency& table, const CollectiveCall& call,
                          double local_steps, double network_steps,
                          core::Duration min_local_step = {});

/// Returns the extra time of a call with LL once its bytes use all channels.
core::Duration spread_of(const CollectiveCall& call);
/// Returns a measured call's time beyond the library's model of it: the launch, the steps inside a
/// node and the spread.
core::Duration overhead_of_steps(const CollectiveCall& call, double local_steps);

/// Bytes of the buffer per second that the links of a flow allow; infinite without such links.
struct Rates {
  double in_domain;  ///< links of scale-up domains
  double elsewhere;  ///< PCIe, adapters, the network
  [[nodiscard]] double least() const { return std::min(in_domain, elsewhere); }
};
Rates rates_alone(const core::Fabric& fabric, const CollectiveFlow& flow);
/// Lowers the ceiling to the rate of LL or LL128; returns false with Simple. Inside a node, LL
/// reaches a measured share of the links. Between nodes it follows the library's model: `ll_share`
/// of the links, below a limit with `from_bus` bytes of the buffer for each of its bytes. LL128's
/// share inside a node is measured there; towards the network it is the library's.
bool limit_low_latency(const CollectiveCall& call, const Rates& rates, double ll_share,
                       double from_bus, CollectiveFlow& flow);
/// Lowers the ceiling likewise for data that goes around in a ring.
bool limit_as_ring(const CollectiveCall& call, const Rates& rates, CollectiveFlow& flow);
/// Lowers the ceiling of a flow that only LL and LL128 limit.
void limit_by_protocol(const CollectiveCall& call, const core::Fabric& fabric, const Groups& groups,
                       CollectiveFlow& flow);

/// Returns the number of parallel channels of a call. message_of_parts() and message_of_whole()
/// return what a channel passes on at once, from parts of the buffer or from all of it.
int num_channels_of_rings(const CollectiveTuning& tuning, const CommunicatorShape& shape);
double message_of_parts(const CollectiveCall& call);
double message_of_whole(const CollectiveCall& call);

}  // namespace railwright::models
