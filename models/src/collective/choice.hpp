// SPDX-License-Identifier: Apache-2.0
// The library's own model of a call, by which it chooses algorithm and protocol. [@nccl]
#pragma once

#include <vector>

#include "railwright/models/collective/communicator.hpp"

namespace railwright::models {

/// What the library knows of a communicator.
struct CommunicatorShape {
  int members = 0;
  int nodes = 0;
  int min_in_node = 0;
  int max_in_node = 0;
  bool has_scale_up = false;         ///< else PCIe
  bool has_scale_up_switch = false;  ///< which may reduce
  double scale_up = 0.0;             ///< bytes/s of an accelerator into its node
  double network = 0.0;              ///< bytes/s of a node into the network
  bool network_reduces = false;      ///< every switch between the nodes adds
  core::Duration network_latency;    ///< of the links between two nodes

  [[nodiscard]] double per_node() const { return static_cast<double>(members) / nodes; }
};

/// Latency of `steps` as the table of the library has it.
core::Duration latency_of(const AlgorithmLatency& table, const CommunicatorShape& shape,
                          CollectiveProtocol protocol, double local_steps, double network_steps,
                          core::Duration min_local_step);

/// What the library takes the accelerators for.
const AcceleratorGeneration& generation_of(const CollectiveTuning& tuning);

/// Most that LL carries.
core::Bandwidth ll_limit(const CollectiveTuning& tuning, const CommunicatorShape& shape);

/// Steps of a call one after the other that stay inside a node.
double steps_inside(const CommunicatorShape& shape, CollectiveOp op, CollectiveAlgorithm algorithm);

/// Latency of a call in the library's model, without what `launch` adds.
core::Duration library_latency(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                               CollectiveOp op, const CollectiveChoice& choice);

/// Whether every pair sends for itself.
constexpr bool is_pairwise(CollectiveOp op) {
  return op == CollectiveOp::kAllToAll || op == CollectiveOp::kSendReceive;
}

/// Whether an algorithm can run an operation on these members at all.
bool can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op,
             CollectiveAlgorithm algorithm);

/// What the tuning names for all-reduces, where it can run; else the fastest in the library's
/// model.
CollectiveChoice choose(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                        CollectiveOp op, double bytes);

}  // namespace railwright::models
