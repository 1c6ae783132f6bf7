// SPDX-License-Identifier: Apache-2.0
// A storage cluster as links of the flow network that its clients share.
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

/// The kind of a storage link.
enum class StorageLinkKind : std::uint8_t {
  kFrontEnd,     ///< client NICs and front-end switches
  kStoragePort,  ///< client-facing ports of the storage nodes
  kBackEnd,      ///< ports between storage nodes
  kStorageNode,  ///< the node that a client talks to; capacity 1, shared by reads and writes
  kDrives,       ///< drives of all nodes; capacity is the number of nodes, shared likewise
  kScaleOut,     ///< scale-out NICs and switches, if storage is on them
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

/// The bytes that one process of a client moves.
struct StorageStream {
  int client = 0;
  double bytes = 0.0;
};

/// The use that streams make of the storage nodes.
struct Access {
  core::DataSize request = core::DataSize::infinity();  ///< bytes of an operation
  /// Bytes on drives for a client's byte, over those of a large file that is read once: less for
  /// files that the nodes' memory keeps, more for small files, which are mirrored.
  double on_drives = 1.0;
};

/// Many streams as one flow: the load of one byte of all of them together on each link.
struct TransferLoads {
  std::vector<core::LinkUse> uses;  ///< loads on StorageNetwork's links, in link order
  double bytes = 0.0;
  double largest_stream = 0.0;             ///< bytes
  double largest_client = 0.0;             ///< bytes of all streams of one client
  std::vector<core::LinkUse> node_shares;  ///< share of the bytes of each storage node, as link
};

/// The storage nodes that are up, with the links to them from the clients' NICs: their front-end
/// NICs or, on a fabric without a front end, the NICs that accelerators send through.
///
/// Streams are dealt over the storage nodes and over the NICs of their client in turn; without
/// Mount::all_nodes, those of a client all go to one storage node. Files are spread evenly over all
/// nodes. A read byte takes 1/read_rate of the node that serves it and of the drives. A written
/// byte takes 1/client_burst_write_rate of the node, a rate that the drives sustain for minutes
/// only, and 1/client_write_rate of the drives. (n-1)/n of the bytes read come from other nodes
/// over the back-end ports, and (n-1)/n of the bytes written, protection included, go to other
/// nodes.
class StorageNetwork {
 public:
  /// Leaves out the last `num_down` storage nodes.
  StorageNetwork(const core::Fabric& fabric, const core::StorageNode& node,
                 const core::Mount& mount, int num_down = 0);

  /// Fabric links by their own ids, then the drives' and those of the storage nodes.
  [[nodiscard]] const std::vector<StorageLink>& links() const { return links_; }
  [[nodiscard]] int num_nodes() const { return static_cast<int>(vertices_.size()); }

  /// Returns the load of a byte from or to elsewhere, spread over all storage nodes.
  [[nodiscard]] TransferLoads loads_from_outside(Direction direction) const;
  /// Returns the load of streams. Their requests also use a node's operations per second.
  [[nodiscard]] TransferLoads loads(std::span<const StorageStream> streams, Direction direction,
                                    const Access& access = {}) const;

 private:
  struct Share;

  [[nodiscard]] std::vector<Share> shares(std::span<const StorageStream> streams,
                                          TransferLoads& loads) const;
  [[nodiscard]] std::vector<core::LinkUse> route(core::VertexId nic, std::size_t storage,
                                                 Direction direction) const;
  [[nodiscard]] double node_cost(Direction direction, core::DataSize request) const;
  void add_at_nodes(std::size_t storage, double share, Direction direction, const Access& access,
                    std::vector<double>& load) const;

  const core::Fabric& fabric_;
  bool all_nodes_;
  std::vector<core::VertexId> vertices_;           // storage nodes
  std::vector<std::vector<core::VertexId>> nics_;  // by client
  std::vector<int> classes_;  // class of each client; clients of a class have equal routes
  std::vector<StorageLink> links_;
  std::size_t drives_ = 0;
  std::size_t first_node_ = 0;
  std::size_t first_back_end_ = 0;
  std::array<double, 2> byte_cost_;       // seconds of a node per byte, by direction
  std::array<double, 2> drives_cost_;     // seconds of a node's drives per byte, by direction
  std::array<double, 2> operation_cost_;  // seconds of a node per operation, by direction
  double written_per_byte_;               // bytes written per client's byte, with protection
};

/// Returns the latency of a request between a client and storage.
core::Duration access_latency(const core::StorageNode& node, const core::Mount& mount);

/// Returns what the requests in flight of one sequential stream move, in bytes/s; infinite where
/// the mount does not say how many there are.
double rate_of_requests(const core::StorageNode& node, const core::Mount& mount);

/// The rate of an otherwise undisturbed transfer in bytes/s, and the link that limits it.
struct FreeRate {
  double rate = 0.0;
  StorageLinkKind kind = StorageLinkKind::kFrontEnd;
};
/// Return the rate without the drives' limit, and the limit of the drives alone.
FreeRate free_rate_to_nodes(const TransferLoads& loads, std::span<const StorageLink> links);
FreeRate free_rate_of_drives(const TransferLoads& loads, std::span<const StorageLink> links);

/// The time of reads that nothing else disturbs, in seconds, and what limits it: "readers", "mounts
/// of the clients" or the name of a kind of link.
struct ReadTime {
  double seconds = 0.0;
  std::string_view limit;
};
/// Returns the longest of what the slowest reader takes, what the slowest mount takes, and what the
/// links take, all in seconds.
ReadTime read_time(const TransferLoads& loads, std::span<const StorageLink> links,
                   double by_readers, double by_mounts);

/// Returns the share of reads that drives make where several read the same `once` bytes, `asked` in
/// all: the first read fills the memory of the nodes, if all of it fits.
double share_from_drives(const core::StorageNode& node, int num_nodes, double once, double asked);

}  // namespace railwright::models
