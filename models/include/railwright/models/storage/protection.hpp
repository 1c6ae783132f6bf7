// SPDX-License-Identifier: Apache-2.0
// What the protection of files costs a storage cluster, and what it survives.
#pragma once

#include <optional>

#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Units of one stripe. Copies are one unit of data and the other copies of it as parity.
struct Stripe {
  int data = 1;
  int parity = 0;

  [[nodiscard]] bool operator==(const Stripe&) const = default;
};

/// The widest stripe on `num_nodes` nodes; none where they are fewer than `min_nodes`. OneFS
/// places u units of a stripe on each node (2 at +2d:1n, 3 at +3d:1n, 4 at +4d:1n, 2 at +3d:1n1d
/// and +4d:2n, else 1) and makes M of them parity:
///
///     data = min(16, u * num_nodes - M)
///
/// Source: [@dellonefsprotection], its table of 3 to 6 nodes.
[[nodiscard]] std::optional<Stripe> stripe(core::Protection protection, int num_nodes);

/// Fewest nodes that hold a stripe. At +Mn a quorum must be left of them: 2 M + 1.
[[nodiscard]] int min_nodes(core::Protection protection);

/// Nodes that have to be up for a cluster to take writes: floor(num_nodes / 2) + 1.
[[nodiscard]] int quorum(int num_nodes);

/// Nodes that can be lost at once with no file lost: parity / (units of a stripe on a node),
/// rounded down. `8+2` is within one enclosure, the drives of an appliance: none.
[[nodiscard]] int node_losses_survived(core::Protection protection, int num_nodes);

/// Bytes on drives for each byte of a client: (data + parity) / data; infinite on too few nodes.
[[nodiscard]] double write_amplification(core::Protection protection, int num_nodes);

/// Share of the raw capacity that parity takes: parity / (data + parity); 1 on too few nodes.
[[nodiscard]] double capacity_overhead(core::Protection protection, int num_nodes);

/// The same as `write_amplification` for a file of at most 128 KiB, one unit of a stripe: OneFS
/// mirrors it, parity + 1 copies. Fixed stripes hold many files and do not change.
[[nodiscard]] double small_file_amplification(core::Protection protection);

/// The protection that the write rates of a node were measured with.
[[nodiscard]] core::Protection rated_protection(const core::StorageNode& node);

/// What a node of a cluster of `num_nodes` takes of clients, B/s. Its drives write as fast as they
/// did where the rate was measured:
///
///     write_rate * amplification(rated_protection, rated_nodes)
///                / amplification(protection, num_nodes)
[[nodiscard]] core::Bandwidth client_write_rate(const core::StorageNode& node, int num_nodes);
[[nodiscard]] core::Bandwidth client_burst_write_rate(const core::StorageNode& node, int num_nodes);

/// Of all drives of the cluster, B.
[[nodiscard]] core::DataSize raw_capacity(const core::StorageNode& node, int num_nodes);

/// Bytes of clients that fit: raw * data_reduction / amplification, where `data_reduction` is
/// clients' bytes a stored byte. No part is kept free: that is the operator's policy.
[[nodiscard]] core::DataSize usable_capacity(const core::StorageNode& node, int num_nodes,
                                             double data_reduction);

/// Load of a node's processors, 0 to 1, where it serves `read` and `write` B/s:
///
///     min(1, idle + (1 - idle) * (read / processor_read_rate + write / processor_write_rate))
[[nodiscard]] double processor_load(const core::StorageNode& node, core::Bandwidth read,
                                    core::Bandwidth write);

/// Time until the others have written again what a lost node held, parity included:
/// held / (rebuild_rate * (num_nodes - 1)); without end where there is no other.
[[nodiscard]] core::Duration rebuild_time(const core::StorageNode& node, int num_nodes,
                                          core::DataSize held);

}  // namespace railwright::models
