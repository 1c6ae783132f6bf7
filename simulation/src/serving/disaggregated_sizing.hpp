// SPDX-License-Identifier: Apache-2.0
// Number of replicas for prompts and for answers that carry a load.
#pragma once

#include <cstdint>

#include "railwright/core/fabric/fabric.hpp"
#include "sizing_parts.hpp"

namespace railwright::simulation {

/// Replicas of one kind, and the accelerators of each.
struct Pool {
  std::int64_t num_replicas = 0;
  int tp = 1;
};

/// Returns the nodes of `in_node` accelerators that both pools fill together: the larger replicas
/// first, the others in the room beside them, then in nodes of their own.
std::int64_t packed_nodes(const Pool& a, const Pool& b, int in_node);

/// Requests/s that a replica of each kind processes.
struct PoolRates {
  double prefill = 0.0;
  double decode = 0.0;
};
struct PoolSizes {
  std::int64_t prefill = 1;
  std::int64_t decode = 1;
};
/// Returns the fewest replicas for `wanted` requests/s, or the fixed ones. Without a wanted rate:
/// one of the faster kind, with as many of the other as give the most requests per accelerator.
PoolSizes pool_sizes(const models::Disaggregation& fixed, double wanted, const PoolRates& rates,
                     int prefill_tp, int tp);

/// Finds the two divisions that carry the load with the fewest nodes. With `inference.load`, those
/// that could be the best are simulated request by request.
Option best_disaggregated(const CheckedInference& checked, const core::Fabric& fabric);

}  // namespace railwright::simulation
