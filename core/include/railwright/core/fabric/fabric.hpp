// SPDX-License-Identifier: Apache-2.0
// The cluster as a graph of devices and directed links. Models ask it by role, never by name.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

using VertexId = std::int32_t;

enum class Role : std::uint8_t {
  kAccelerator,
  kScaleUpSwitch,  ///< NVSwitch
  kPcieSwitch,
  kHost,           ///< CPU root complex and memory of one socket
  kNic,            ///< scale-out adapter
  kFrontEndNic,    ///< storage and management adapter
  kSwitch,         ///< leaf, spine or the only switch
  kStorageNode,
};

enum class Tier : std::uint8_t {
  kScaleUp,   ///< accelerator - NVSwitch
  kPcie,      ///< accelerator or NIC - PCIe switch
  kHost,      ///< PCIe switch - CPU, and CPU - CPU
  kInjection, ///< NIC - leaf
  kFabric,    ///< switch - switch
  kFrontEnd,  ///< front-end NIC - switch
  kStorage,   ///< switch - storage node
};
inline constexpr int kNumTiers = 7;
std::string_view to_string(Tier tier);

struct Vertex {
  Role role = Role::kSwitch;
  int node = -1;         ///< which server or storage node; -1 for switches
  int local_index = 0;   ///< which of its role within the node (or among the switches)
  std::string label;     ///< for people: "node 3 accelerator 5"
};

/// One direction of a cable or bus.
struct Link {
  VertexId from = 0;
  VertexId to = 0;
  Tier tier = Tier::kFabric;
  Bandwidth bandwidth;   ///< what transfers can reach, not the signalling rate
  Duration latency;
  int num_parallel = 1;  ///< cables drawn as this one link; bandwidth is their sum
};

/// Where an accelerator sits: answers by role.
struct Endpoint {
  VertexId accelerator = -1;
  int node = -1;
  int local_index = -1;
  int nic = -1;              ///< local index of the NIC it sends through; -1 without NICs
  bool crosses_host = false; ///< the way to that NIC leaves its PCIe switch
};

/// The fabric is built once by a topology and not changed afterwards. LinkIds are dense from 0 and
/// are the link ids of the flow networks made from it.
class Fabric {
 public:
  VertexId add_vertex(Vertex vertex);
  /// Adds both directions with equal bandwidth and latency; returns the id of from -> to, the other
  /// is one higher.
  LinkId add_link(VertexId from, VertexId to, Tier tier, Bandwidth bandwidth, Duration latency,
                  int num_parallel = 1);
  /// Declares the accelerators' endpoints, node by node, local index by local index.
  void set_endpoints(std::vector<Endpoint> endpoints, int accelerators_per_node);

  [[nodiscard]] std::span<const Vertex> vertices() const;
  [[nodiscard]] std::span<const Link> links() const;
  [[nodiscard]] int num_nodes() const;
  [[nodiscard]] int accelerators_per_node() const;
  /// Endpoint of global accelerator index `accelerator` = node * accelerators_per_node + local.
  [[nodiscard]] const Endpoint& endpoint(int accelerator) const;
  /// All vertices of a role; of one node where node >= 0.
  [[nodiscard]] std::vector<VertexId> vertices_with(Role role, int node = -1) const;

  /// The shortest route (fewest links; ties by lowest link id), found once and remembered.
  /// Throws SimulationError naming both ends where there is none.
  [[nodiscard]] const std::vector<LinkId>& route(VertexId from, VertexId to) const;
  /// Route between two accelerators: within a node over the scale-up domain; between nodes from
  /// the sender's NIC to the receiver's NIC, each reached over its PCIe switch or across the host.
  [[nodiscard]] const std::vector<LinkId>& accelerator_route(int from, int to) const;
  /// Sum of the latencies along a route.
  [[nodiscard]] Duration latency(std::span<const LinkId> route) const;
  /// Bandwidth of the narrowest link of a tier, or infinity where it has none.
  [[nodiscard]] Bandwidth narrowest(Tier tier) const;
  /// Largest flow from one half of the nodes' accelerators to the other (Boost.Graph max-flow).
  [[nodiscard]] Bandwidth bisection_bandwidth() const;

  /// A flow network with one link for each of this fabric's, in the same order.
  [[nodiscard]] FlowNetwork make_network() const;
};

}  // namespace railwright::core
