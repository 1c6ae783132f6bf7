// SPDX-License-Identifier: Apache-2.0
// The cost of protecting files on a storage cluster, and the losses it survives.
#pragma once

#include <optional>

#include "railwright/core/hardware/storage_node.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Units of one stripe. Copies have one unit of data; the other copies count as parity.
struct Stripe {
  int data = 1;
  int parity = 0;

  [[nodiscard]] bool operator==(const Stripe&) const = default;
};

/// Returns the widest stripe on `num_nodes` nodes; nullopt if they are fewer than `min_nodes`.
/// OneFS places u units of a stripe on each node (2 at +2d:1n, 3 at +3d:1n, 4 at +4d:1n, 2 at
/// +3d:1n1d and +4d:2n, else 1) and makes M of them parity:
///
///     data = min(16, u * num_nodes - M)
///
/// Source: [@dellonefsprotection], its table of 3 to 6 nodes.
[[nodiscard]] std::optional<Stripe> stripe(core::Protection protection, int num_nodes);

/// Returns the smallest number of nodes that hold a stripe. At +Mn a quorum must remain: 2 M + 1.
[[nodiscard]] int min_nodes(core::Protection protection);

/// Returns the nodes that have to be up for a cluster to accept writes: floor(num_nodes / 2) + 1.
[[nodiscard]] int quorum(int num_nodes);

/// Returns the number of nodes that can be lost at once without losing a file: parity / (units of a
/// stripe on a node), rounded down. `8+2` protects within one enclosure, the drives of an
/// appliance: none.
[[nodiscard]] int node_losses_survived(core::Protection protection, int num_nodes);

/// Returns the bytes on drives for each byte of a client: (data + parity) / data; infinite on too
/// few nodes.
[[nodiscard]] double write_amplification(core::Protection protection, int num_nodes);

/// The largest file that OneFS mirrors, one unit of a stripe [@dellonefsprotection].
inline constexpr core::DataSize kLargestSmallFile = core::DataSize::from_base(131072.0);

/// Returns the write amplification of a file of at most kLargestSmallFile: OneFS mirrors it,
/// parity + 1 copies. Fixed stripes hold many files and do not change.
[[nodiscard]] double small_file_amplification(core::Protection protection);

/// Returns the protection at which a node's write rates were measured.
[[nodiscard]] core::Protection rated_protection(const core::StorageNode& node);

/// Returns the rate of clients' writes of a node in a cluster of `num_nodes`, in B/s. Its drives
/// write as fast as when the rate was measured:
///
///     write_rate * amplification(rated_protection, rated_nodes)
///                / amplification(protection, num_nodes)
[[nodiscard]] core::Bandwidth client_write_rate(const core::StorageNode& node, int num_nodes);
[[nodiscard]] core::Bandwidth client_burst_write_rate(const core::StorageNode& node, int num_nodes);

/// Returns what a pool of `num_nodes` nodes takes over its back-end ports, in B/s of clients'
/// bytes:
///
///     num_nodes * min(client_write_rate, ports * rate of one * efficiency / amplification)
[[nodiscard]] core::Bandwidth pool_write_rate(const core::StorageNode& node, int num_nodes);

/// Returns the capacity of all drives of the cluster, in bytes.
[[nodiscard]] core::DataSize raw_capacity(const core::StorageNode& node, int num_nodes);

/// Returns the clients' bytes that fit: raw * (1 - hot_spare) * data_reduction / amplification,
/// where `data_reduction` is clients' bytes per stored byte and `hot_spare` the share that is kept
/// free to rebuild lost drives.
[[nodiscard]] core::DataSize usable_capacity(const core::StorageNode& node, int num_nodes,
                                             double data_reduction, double hot_spare = 0.0);

/// Returns the load of a node's processors, 0 to 1, when it serves `read` and `write` B/s:
///
///     min(1, idle + (1 - idle) * (read / processor_read_rate + write / processor_write_rate))
[[nodiscard]] double processor_load(const core::StorageNode& node, core::Bandwidth read,
                                    core::Bandwidth write);

}  // namespace railwright::models
