// SPDX-License-Identifier: Apache-2.0
// Transfers to and from storage as flows over few links: those that can ever be the narrowest.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "railwright/core/sim/flow_state.hpp"
#include "railwright/models/storage/storage.hpp"

namespace railwright::simulation {

/// Bytes of a request, except for samples: rsize and wsize as Linux negotiates them, nfs(5).
inline constexpr double kTransferSize = 1048576.0;

/// Bytes that streams of a job move together, as one flow.
struct Transfer {
  std::int64_t bytes = 0;
  std::vector<core::LinkUse> uses;         ///< seconds of a link for each byte
  std::vector<core::LinkUse> burst_uses;   ///< of the links that bursts share: all but the drives
  std::vector<core::LinkUse> node_shares;  ///< share of the bytes of storage nodes, by node
  double ceiling = std::numeric_limits<double>::infinity();  ///< bytes/s
  double request = kTransferSize;                            ///< bytes of an operation
  bool is_local = false;                                     ///< stays within the nodes
};

/// Views of what a flow loads, in the lists of its transfer or reads.
struct FlowLoads {
  std::span<const core::LinkUse> uses;
  std::span<const core::LinkUse> burst_uses;
  std::span<const core::LinkUse> node_shares;
};
template <class Moved>
FlowLoads loads_of(const Moved& moved) {
  return {moved.uses, moved.burst_uses, moved.node_shares};
}

/// Rewrites the link uses of transfers, one column each, as seconds of a link per byte. Links that
/// all columns load equally become one. A link that no column loads more than another link is left
/// out, since it is never the narrowest. Returns the number of links left; their capacity is 1.
std::int32_t fold_links(std::span<const models::StorageLink> links,
                        std::span<std::vector<core::LinkUse>* const> columns);

}  // namespace railwright::simulation
