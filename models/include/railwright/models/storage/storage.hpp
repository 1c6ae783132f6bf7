// SPDX-License-Identifier: Apache-2.0
// A storage cluster as links of the flow network its clients share.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "railwright/core/fabric/fabric.hpp"
#include "railwright/core/hardware/mount.hpp"
#include "railwright/core/hardware/storage_node.hpp"

namespace railwright::models {

enum class Direction : std::uint8_t { kRead, kWrite };

/// What a storage link is made of.
enum class StorageLinkKind : std::uint8_t {
  kFrontEnd,     ///< client NICs and front-end switches
  kStoragePort,  ///< client-facing ports of the storage nodes
  kBackEnd,      ///< ports between storage nodes
  kStorageNode,  ///< the node that a client talks to; capacity 1, shared by reads and writes
  kDrives,       ///< of all nodes together; capacity the number of nodes, shared the same way
  kScaleOut,     ///< scale-out NICs and switches, where storage is on them
  kLocalTier,    ///< drives or memory of one node; capacity 1, shared by reads and writes
};
inline constexpr std::array<std::string_view, 7> kStorageLinkNames{
    "front-end network", "ports of the storage nodes",  "back-end network",
    "storage nodes",     "drives of the storage nodes", "scale-out fabric",
    "local tier"};

struct StorageLink {
  StorageLinkKind kind = StorageLinkKind::kFrontEnd;
  double capacity = 0.0;  ///< bytes/s, or nodes
};

/// Bytes that one process of a client moves.
struct StorageStream {
  int client = 0;
  double bytes = 0.0;
};

/// Many streams as one flow: what a byte of all of them together puts on each link.
struct TransferLoads {
  std::vector<core::LinkUse> uses;  ///< by StorageNetwork's links; rising
  double bytes = 0.0;
  double largest_stream = 0.0;  ///< bytes
  double largest_client = 0.0;  ///< bytes of all streams of one client
  double busiest_node = 1.0;    ///< bytes of the busiest storage node over those of a mean one
};

/// The storage nodes that are up, with the links that lead to them from the clients' NICs: their
/// front-end NICs, or, on a fabric without a front end, the NICs that accelerators send through.
///
/// Streams are dealt over the storage nodes and over the NICs of their client in turn; without
/// Mount::all_nodes those of a client all go to one storage node. Files lie on all nodes alike. A
/// byte read takes 1/read_rate of the node it is asked of and of the drives; a byte written takes
/// 1/client_burst_write_rate of the node, which the drives hold for minutes only, and
/// 1/client_write_rate of the drives. (n-1)/n of what is read comes from other nodes, and of what
/// is written, protection included, goes to other nodes, over the back-end ports.
class StorageNetwork {
 public:
  /// `num_down` storage nodes, the last ones, take no part.
  StorageNetwork(const core::Fabric& fabric, const core::StorageNode& node,
                 const core::Mount& mount, int num_down = 0);

  /// Fabric links by their own ids, then those of the storage nodes.
  [[nodiscard]] const std::vector<StorageLink>& links() const { return links_; }
  [[nodiscard]] int num_nodes() const { return static_cast<int>(vertices_.size()); }

  /// A byte from or to somewhere else, spread over all storage nodes.
  [[nodiscard]] TransferLoads loads_from_outside(Direction direction) const;
  /// Requests of `request` bytes each also take their share of the operations a second of a node.
  [[nodiscard]] TransferLoads loads(std::span<const StorageStream> streams, Direction direction,
                                    core::DataSize request = core::DataSize::infinity()) const;

 private:
  struct Share;

  [[nodiscard]] std::vector<Share> shares(std::span<const StorageStream> streams,
                                          TransferLoads& loads) const;
  [[nodiscard]] std::vector<core::LinkUse> route(core::VertexId nic, std::size_t storage,
                                                 Direction direction) const;
  [[nodiscard]] double node_cost(Direction direction, core::DataSize request) const;
  void add_at_nodes(std::size_t storage, double share, Direction direction, double node_cost,
                    std::vector<double>& load) const;

  const core::Fabric& fabric_;
  bool all_nodes_;
  std::vector<core::VertexId> vertices_;           // of the storage nodes
  std::vector<std::vector<core::VertexId>> nics_;  // by client
  std::vector<int> classes_;                       // of clients that stand for each other
  std::vector<StorageLink> links_;
  std::size_t drives_ = 0;
  std::size_t first_node_ = 0;
  std::size_t first_back_end_ = 0;
  std::array<double, 2> byte_cost_;       // seconds of a node by direction
  std::array<double, 2> drives_cost_;     // the same
  std::array<double, 2> operation_cost_;  // the same
  double written_per_byte_;               // with protection
};

/// Bytes/s of a transfer that nothing else disturbs, and what decides.
struct FreeRate {
  double rate = 0.0;
  StorageLinkKind kind = StorageLinkKind::kFrontEnd;
};
/// The drives apart, or the drives alone.
FreeRate free_rate_to_nodes(const TransferLoads& loads, std::span<const StorageLink> links);
FreeRate free_rate_of_drives(const TransferLoads& loads, std::span<const StorageLink> links);

}  // namespace railwright::models
