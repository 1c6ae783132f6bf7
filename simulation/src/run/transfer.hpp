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

/// Bytes of a request, but for samples: rsize and wsize as Linux agrees on them, nfs(5).
inline constexpr double kTransferSize = 1048576.0;

/// Bytes that streams of a job move together, as one flow.
struct Transfer {
  std::int64_t bytes = 0;
  std::vector<core::LinkUse> uses;                           ///< seconds of a link for each byte
  double ceiling = std::numeric_limits<double>::infinity();  ///< bytes/s
  double busiest_node = 1.0;       ///< bytes of the busiest storage node over those of a mean one
  double request = kTransferSize;  ///< bytes of an operation
  bool is_local = false;           ///< stays within the nodes
};

/// Rewrites what transfers put on links, each column a transfer and each link as many seconds for a
/// byte: links that all columns load in the same proportions are one, and a link that no column
/// loads more than another one does is left out, since it is never the narrowest. Returns how many
/// are left; their capacity is 1.
std::int32_t fold_links(std::span<const models::StorageLink> links,
                        std::span<std::vector<core::LinkUse>* const> columns);

}  // namespace railwright::simulation
