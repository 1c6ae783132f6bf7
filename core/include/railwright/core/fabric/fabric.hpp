// SPDX-License-Identifier: Apache-2.0
// The cluster as a graph of devices and directed links. Models ask it by role, never by name.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/fabric/routing.hpp"
#include "railwright/core/fabric/tier.hpp"
#include "railwright/core/sim/flow_state.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::core {

class FlowNetwork;

using VertexId = std::int32_t;

enum class Role : std::uint8_t {
  kAccelerator,
  kScaleUpSwitch,  ///< NVSwitch
  kPcieSwitch,
  kHost,         ///< CPU root complex and memory of one socket
  kHostBridge,   ///< path through a socket from one PCIe switch to another
  kNic,          ///< scale-out adapter
  kFrontEndNic,  ///< storage and management adapter
  kSwitch,       ///< leaf, spine or the only switch of the scale-out fabric
  kFrontEndSwitch,
  kStorageNode,
};

struct Vertex {
  Role role = Role::kSwitch;
  int node = -1;         ///< index of the node or storage node; -1 for switches
  int local_index = 0;   ///< index among the same role in the node (or among the switches)
  std::string label;     ///< display name: "node 3 accelerator 5"
  int level = 0;         ///< level of a switch: 0 leaf, 1 spine, 2 core switch
  bool reduces = false;  ///< the switch reduces data that passes it
};

/// One direction of a cable or bus.
struct Link {
  VertexId from = 0;
  VertexId to = 0;
  Tier tier = Tier::kFabric;
  Bandwidth bandwidth;  ///< achievable by transfers, below the signalling rate
  Duration latency = {};
  int num_parallel = 1;      ///< cables that this link stands for; bandwidth is their sum
  Bandwidth line_rate = {};  ///< signalling rate of all its cables; 0 for a bus
};

/// A place on a switch that a device takes which the fabric does not hold.
struct SkippedPlace {
  std::size_t num_links = 0;  ///< links that were there before
  VertexId on = -1;
};

/// The cost of messages between nodes beyond their bytes.
struct MessageCost {
  DataSize half_size;  ///< a message occupies its NIC as long as this many extra bytes
  decltype(Duration{} / DataSize{}) host_time;  ///< processor core time per byte
};

/// The place of an accelerator in the fabric.
struct Endpoint {
  VertexId accelerator = -1;
  int node = -1;
  int local_index = -1;
  int nic = -1;                  ///< local index of the NIC it sends through; -1 without NICs
  bool crosses_host = false;     ///< that NIC is on another PCIe switch
  bool through_host = false;     ///< without GPUDirect: data is copied through the host
  std::vector<LinkId> to_nic{};  ///< path to that NIC; the shortest one if empty
  bool is_cut_off = false;       ///< had a NIC; no live one is left
};

/// A topology builds the fabric, then sets its routing policy and failures; afterwards it does not
/// change. LinkIds are dense from 0 and are also the link ids of flow networks made from it.
/// Threads may share a finished fabric.
class Fabric {
 public:
  Fabric();
  Fabric(Fabric&&) noexcept;
  Fabric& operator=(Fabric&&) noexcept;
  ~Fabric();

  /// Starts a fabric that a topology wires again as it wired `shape`, at other rates. Devices and
  /// endpoints stay those of `shape`, and so do tables of routes that rates do not enter; only
  /// links are new. `shape` is in service as a whole, and must neither change nor move as long as
  /// this lives.
  static Fabric at_other_rates(const Fabric& shape);
  /// Whether the devices are those of another fabric, whose labels they keep.
  [[nodiscard]] bool is_wired_again() const { return shape_ != nullptr; }
  /// Whether everything that was wired again is as it was, but for rates and latencies.
  [[nodiscard]] bool has_same_graph() const;

  VertexId add_vertex(Vertex vertex);
  /// Adds both directions with equal bandwidth and latency. Returns the id of from -> to; the other
  /// id is one higher.
  LinkId add_link(const Link& link);
  /// Leaves the next place on a switch to a device of others, which carries nothing here. Routing
  /// by destination counts it among the devices of its leaf.
  void skip_place(VertexId on);
  /// The opposite direction of a link.
  [[nodiscard]] static constexpr LinkId reverse(LinkId link) { return link ^ 1; }
  /// Declares the accelerators' endpoints, node by node, local index by local index.
  void set_endpoints(std::vector<Endpoint> endpoints, int accelerators_per_node);
  void set_routing(const RoutingPolicy& policy);
  void set_message_cost(const MessageCost& cost) { message_cost_ = cost; }
  [[nodiscard]] const MessageCost& message_cost() const { return message_cost_; }
  [[nodiscard]] const RoutingPolicy& routing() const { return routing_; }

  /// Takes a device with all its links, or a link with its opposite, out of service; routes avoid
  /// it. An accelerator is rerouted if its NIC is dead, or reaches fewer nodes than before and than
  /// another NIC of its node. It then uses the nearest other NIC: fewest sockets crossed, then
  /// fewest links, then fewest senders.
  void fail_vertex(VertexId vertex);
  void fail_link(LinkId link);
  /// Takes some cables of a bundle out of service; the rest carry its traffic.
  void fail_cables(LinkId link, int num_cables);
  [[nodiscard]] bool is_failed(LinkId link) const {
    return is_failed_[static_cast<std::size_t>(link)];
  }
  /// Nodes with an accelerator that reaches no live NIC, and nodes whose NICs all reach fewer nodes
  /// than before and than the NICs of other nodes. In ascending order.
  [[nodiscard]] std::span<const int> cut_off_nodes() const { return cut_off_nodes_; }

  [[nodiscard]] std::span<const Vertex> vertices() const {
    return shape_ == nullptr ? vertices_ : shape_->vertices_;
  }
  [[nodiscard]] std::span<const Link> links() const { return links_; }
  [[nodiscard]] int num_nodes() const;
  [[nodiscard]] int num_accelerators() const { return static_cast<int>(endpoints().size()); }
  [[nodiscard]] int accelerators_per_node() const { return accelerators_per_node_; }
  /// Endpoint of global accelerator index `accelerator` = node * accelerators_per_node + local.
  [[nodiscard]] const Endpoint& endpoint(int accelerator) const;
  /// The NIC an accelerator sends through. Throws SimulationError if it has none.
  [[nodiscard]] VertexId nic_of(int accelerator) const;
  /// Returns all vertices of a role, only those of one node if node >= 0.
  [[nodiscard]] std::vector<VertexId> vertices_with(Role role, int node = -1) const;

  /// Adds the load that a byte from one accelerator to another puts on each link under the routing
  /// policy: one path, or all shortest paths with the fraction of each. Within a node it uses the
  /// scale-up domain (PCIe without one); between nodes it goes from the sender's NIC over switches
  /// to the receiver's NIC. `channel` distinguishes the connections of a pair: it deals them over
  /// the ports of a NIC and enters the hash. Throws SimulationError naming both ends if there is no
  /// path.
  ///
  /// ecmp and static send a flow over one of a link's `num_parallel` cables, but flows share the
  /// link as if it were one cable. Draw cables as separate links if one flow can fill a cable.
  void append_route(int from, int to, std::uint32_t channel, std::vector<LinkUse>& uses) const;
  /// Adds a route as append_route() does, between two devices of one node, or between two that are
  /// switches or plugged into one, such as a front-end NIC and a storage node. Nodes never forward
  /// traffic of others.
  void append_vertex_route(VertexId from, VertexId to, std::uint32_t channel,
                           std::vector<LinkUse>& uses) const;
  /// Returns the single path of static routing, whatever the policy.
  [[nodiscard]] std::vector<LinkId> route(VertexId from, VertexId to) const;
  [[nodiscard]] std::vector<LinkId> accelerator_route(int from, int to) const;
  /// Returns the paths of adaptive routing, whatever the policy, as a bonded adapter uses them.
  /// Traffic splits at every fork in proportion to link bandwidth; sorted by link.
  [[nodiscard]] std::vector<LinkUse> spread_route(VertexId from, VertexId to) const;
  /// Returns the switches that a device has a live link to.
  [[nodiscard]] std::vector<VertexId> leaves_of(VertexId device) const;
  /// Whether the NICs of two accelerators share a leaf.
  [[nodiscard]] bool same_leaf(int accelerator_a, int accelerator_b) const;
  /// The rail of an accelerator: the index of its NIC within the node; -1 without one.
  [[nodiscard]] int rail_of(int accelerator) const { return endpoint(accelerator).nic; }
  /// Sum of the latencies along a route.
  [[nodiscard]] Duration latency(std::span<const LinkId> route) const;
  /// Mean latency over the paths taken.
  [[nodiscard]] Duration latency(std::span<const LinkUse> route) const;
  /// Bandwidth of the narrowest live link of a tier; infinity if it has none.
  [[nodiscard]] Bandwidth narrowest(Tier tier) const;
  /// Computes the largest flow from the accelerators of the first half of the nodes to those of the
  /// second half (half of the accelerators, on one node), without the front-end network, by
  /// Boost.Graph's max-flow.
  [[nodiscard]] Bandwidth bisection_bandwidth() const;

  /// Makes a flow network with one link for each link of this fabric, in the same order.
  [[nodiscard]] FlowNetwork make_network() const;

 private:
  struct Routes;

  [[nodiscard]] std::span<const Endpoint> endpoints() const {
    return shape_ == nullptr ? endpoints_ : shape_->endpoints_;
  }
  VertexId add_vertex_again(const Vertex& vertex);
  void check(VertexId vertex) const;
  void forget_routes();
  void rehome_endpoints();
  void append_between(const RoutingPolicy& policy, VertexId from, VertexId to,
                      std::uint32_t channel, std::vector<LinkUse>& uses) const;
  void append_between_accelerators(const RoutingPolicy& policy, int from, int to,
                                   std::uint32_t channel, std::vector<LinkUse>& uses) const;

  std::vector<Vertex> vertices_;
  std::vector<Link> links_;
  std::vector<SkippedPlace> skipped_places_;
  std::vector<Endpoint> endpoints_;
  std::vector<bool> is_failed_;  // by link
  std::vector<int> cut_off_nodes_;
  RoutingPolicy routing_;
  MessageCost message_cost_;
  int accelerators_per_node_ = 0;
  std::unique_ptr<Routes> routes_;
  const Fabric* shape_ = nullptr;  // whose devices these are
  std::size_t num_added_again_ = 0;
  bool differs_ = false;
};

}  // namespace railwright::core
