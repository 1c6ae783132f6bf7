// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/communicator.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "choice.hpp"
#include "groups.hpp"
#include "library.hpp"
#include "link_loads.hpp"
#include "pairwise.hpp"
#include "railwright/models/collective/pair.hpp"
#include "shape.hpp"

namespace railwright::models {

using core::Duration;

namespace {

/// Connections of a channel that a hash tells apart.
std::size_t num_connections(const core::Fabric& fabric, const CollectiveTuning& tuning) {
  return fabric.routing().routing == core::Routing::kEcmp
             ? static_cast<std::size_t>(tuning.connections_per_nic.value)
             : 1;
}

/// Lowers the ceiling for the cost of messages. Each message costs its NIC half_size extra bytes.
/// If adapters cannot move data by themselves, the processor cores that drive a node's channels
/// limit too.
void limit_messages(const core::Fabric& fabric, const CollectiveAlgorithm& algorithm,
                    const CollectiveCall& call, CollectiveFlow& flow) {
  const core::MessageCost& cost = fabric.message_cost();
  const bool moved_by_cores = cost.host_time.base() > 0.0;
  double seconds_per_byte = 0.0;
  std::map<std::pair<int, bool>, double> of_node;  // by node and direction; true: outwards
  for (const core::LinkUse& use : flow.route) {
    const core::Link& link = link_of(fabric, use);
    if (link.tier != core::Tier::kInjection) continue;
    seconds_per_byte = std::max(seconds_per_byte, use.coefficient / link.bandwidth.base());
    if (!moved_by_cores) continue;
    const core::Vertex& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
    const core::Vertex& to = fabric.vertices()[static_cast<std::size_t>(link.to)];
    const bool leaves = from.role == core::Role::kNic;
    of_node[{leaves ? from.node : to.node, leaves}] += use.coefficient;
  }
  if (seconds_per_byte == 0.0) return;
  const double message = algorithm->message_size(call);
  const double overhead = message > 0.0 ? cost.half_size.base() / message : 0.0;
  double most = 0.0;
  for (const auto& [node, coefficient] : of_node) most = std::max(most, coefficient);
  const double of_cores =
      cost.host_time.base() * most / algorithm->num_channels(call.tuning, call.shape);
  const double least = std::max(seconds_per_byte * (1.0 + overhead), of_cores);
  flow.ceiling = std::min(flow.ceiling, 1.0 / least);
}

Duration beyond_library(const CollectiveAlgorithm& algorithm, const CollectiveCall& call) {
  const Duration network = call.shape.nodes > 1 ? call.tuning.network_launch.value : Duration{};
  const Duration measured =
      algorithm->overhead != nullptr
          ? algorithm->overhead(call)
          : overhead_of_steps(call, algorithm->steps_inside(call.shape, call.op));
  // Measured inside nodes: no record shows calls between nodes that take less than the model.
  return network + (call.shape.nodes > 1 ? std::max(Duration{}, measured) : measured);
}

/// Gives a flow the latency and the ceiling of a call on its route.
void limit_call(const core::Fabric& fabric, const CollectiveAlgorithm& algorithm,
                const CollectiveCall& call, const Groups& groups, CollectiveFlow& flow) {
  flow.latency = algorithm->latency(call) + beyond_library(algorithm, call);
  algorithm->limit(call, fabric, groups, flow);
  if (call.shape.nodes > 1) limit_messages(fabric, algorithm, call, flow);
}

}  // namespace

/// Members and routes: shared by all fabrics that differ in rates alone.
struct Communicator::Members {
  using Route = std::vector<core::LinkUse>;

  /// Returns the loads of a call, which do not depend on its size: computed once for each algorithm
  /// and operation.
  template <class Make>
  const Route& route(const CollectiveAlgorithm& algorithm, CollectiveOp op, const Make& make) {
    const std::scoped_lock lock(mutex);
    const auto [at, is_new] = routes.try_emplace({algorithm.row(), op});
    if (is_new) at->second = make();
    return at->second;
  }

  std::vector<int> members;
  Groups groups;
  bool asks_for_reduction = false;  ///< in the network; the shape says whether that can be
  std::mutex mutex;
  std::map<std::pair<std::size_t, CollectiveOp>, Route> routes;
};

struct Communicator::State {
  State(const core::Fabric& of, std::shared_ptr<Members> those)
      : fabric(of), known(std::move(those)) {
    const Groups& groups = known->groups;
    shape.members = static_cast<int>(known->members.size());
    if (shape.members > 1) shape = shape_of(fabric, groups);
    if (known->asks_for_reduction && shape.nodes > 1) {
      shape.network_reduces = network_reduces(fabric, groups);
    }
  }

  /// Returns the bandwidth into the network, which only the choice of algorithms needs.
  double network() {
    const std::scoped_lock lock(mutex);
    if (!bandwidth) bandwidth = network_bandwidth(fabric, known->groups);
    return *bandwidth;
  }

  const core::Fabric& fabric;
  std::shared_ptr<Members> known;
  CommunicatorShape shape;  ///< without `network`
  std::mutex mutex;
  std::optional<double> bandwidth;
};

Communicator::Communicator(const core::Fabric& fabric, std::vector<int> members,
                           const CollectiveTuning& tuning)
    : tuning_(&tuning) {
  auto known = std::make_shared<Members>();
  known->groups = Groups(fabric, members);
  known->groups.num_connections = num_connections(fabric, tuning);
  known->members = std::move(members);
  known->asks_for_reduction = tuning.in_network_reduction.value;
  state_ = std::make_shared<State>(fabric, std::move(known));
}
Communicator::Communicator(std::shared_ptr<State> state, const CollectiveTuning& tuning)
    : state_(std::move(state)), tuning_(&tuning) {}
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

Communicator Communicator::with(const CollectiveTuning& tuning) const {
  return are_alike(tuning) ? Communicator(state_, tuning)
                           : Communicator(state_->fabric, state_->known->members, tuning);
}

Communicator Communicator::on(const core::Fabric& fabric, const CollectiveTuning& tuning) const {
  return are_alike(tuning) ? Communicator(std::make_shared<State>(fabric, state_->known), tuning)
                           : Communicator(fabric, state_->known->members, tuning);
}

bool Communicator::are_alike(const CollectiveTuning& tuning) const {
  const Members& known = *state_->known;
  return known.groups.num_connections == num_connections(state_->fabric, tuning) &&
         known.asks_for_reduction == tuning.in_network_reduction.value;
}

CollectiveChoice Communicator::choice(CollectiveOp op, double bytes) const {
  CommunicatorShape shape = state_->shape;
  if (shape.nodes > 1 && !is_pairwise(op)) {
    shape.network = state_->network();
  }
  return choose(*tuning_, shape, op, bytes);
}

CollectiveFlow Communicator::flow(CollectiveOp op, double bytes) const {
  if (size() < 2) return {};
  return flow(op, bytes, choice(op, bytes));
}

CollectiveFlow Communicator::flow(CollectiveOp op, double bytes,
                                  const CollectiveChoice& choice) const {
  if (size() < 2) return {};
  const CollectiveAlgorithm& algorithm = choice.algorithm;
  const CollectiveCall call{*tuning_, state_->shape, op, choice.protocol, bytes};
  Members& known = *state_->known;
  CollectiveFlow flow{.route = known.route(algorithm, op, [&] {
    return algorithm->loads(state_->fabric, known.groups, known.members, op);
  })};
  limit_call(state_->fabric, algorithm, call, known.groups, flow);
  return flow;
}

std::vector<core::LinkUse> Communicator::counterpart_route(double network_share,
                                                           double scale_up_share) const {
  return counterpart_loads(state_->fabric, state_->known->groups, network_share, scale_up_share);
}

int Communicator::size() const { return static_cast<int>(state_->known->members.size()); }
int Communicator::num_nodes() const { return static_cast<int>(state_->known->groups.nodes.size()); }
int Communicator::most_in_node() const {
  return static_cast<int>(state_->known->groups.num_channels);
}

int Communicator::num_channels(const CollectiveChoice& choice) const {
  return choice.algorithm->num_channels(*tuning_, state_->shape);
}

CollectiveFlow pair_flow(const core::Fabric& fabric, int from, int to,
                         const CollectiveTuning& tuning, double bytes) {
  const bool is_inside = fabric.endpoint(from).node == fabric.endpoint(to).node;
  if (is_inside || num_connections(fabric, tuning) > 1 || tuning.in_network_reduction.value) {
    return Communicator(fabric, {from, to}, tuning).flow(CollectiveOp::kSendReceive, bytes);
  }
  static const Groups kNoGroups;  // no limit of a transfer between two nodes asks for them
  CollectiveFlow flow;
  fabric.append_route(from, to, 0, flow.route);
  const CommunicatorShape shape = shape_of_pair(fabric, flow.route);
  const CollectiveChoice choice = choose(tuning, shape, CollectiveOp::kSendReceive, bytes);
  const CollectiveCall call{tuning, shape, CollectiveOp::kSendReceive, choice.protocol, bytes};
  add_up(flow.route);
  limit_call(fabric, choice.algorithm, call, kNoGroups, flow);
  return flow;
}

}  // namespace railwright::models
