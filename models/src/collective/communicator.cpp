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
#include "pairwise.hpp"
#include "shape.hpp"

namespace railwright::models {

using core::Duration;

struct Communicator::State {
  /// Loads of calls, which do not depend on their size: computed once for each algorithm and
  /// operation.
  class KnownLoads {
   public:
    using Route = std::vector<core::LinkUse>;

    template <class Make>
    Route route(const CollectiveAlgorithm& algorithm, CollectiveOp op, const Make& make) {
      const std::scoped_lock lock(mutex_);
      const auto [at, is_new] = routes_.try_emplace({algorithm.row(), op});
      if (is_new) at->second = make();
      return at->second;
    }
    template <class Make>
    double network(const Make& make) {
      const std::scoped_lock lock(mutex_);
      if (!network_) network_ = make();
      return *network_;
    }

   private:
    std::mutex mutex_;
    std::map<std::pair<std::size_t, CollectiveOp>, Route> routes_;
    std::optional<double> network_;
  };

  const core::Fabric& fabric;
  const CollectiveTuning& tuning;
  std::vector<int> members;
  Groups groups;
  CommunicatorShape shape;  ///< without `network`, which only the choice of algorithms needs
  KnownLoads known;

  void limit_messages(const CollectiveAlgorithm& algorithm, const CollectiveCall& call,
                      CollectiveFlow& flow) const;
  [[nodiscard]] Duration beyond_library(const CollectiveAlgorithm& algorithm,
                                        const CollectiveCall& call) const;
};

/// Lowers the ceiling for the cost of messages. Each message costs its NIC half_size extra bytes.
/// If adapters cannot move data by themselves, the processor cores that drive a node's channels
/// limit too.
void Communicator::State::limit_messages(const CollectiveAlgorithm& algorithm,
                                         const CollectiveCall& call, CollectiveFlow& flow) const {
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
  const double of_cores = cost.host_time.base() * most / algorithm->num_channels(tuning, shape);
  const double least = std::max(seconds_per_byte * (1.0 + overhead), of_cores);
  flow.ceiling = std::min(flow.ceiling, 1.0 / least);
}

Duration Communicator::State::beyond_library(const CollectiveAlgorithm& algorithm,
                                             const CollectiveCall& call) const {
  const Duration network = shape.nodes > 1 ? tuning.network_launch.value : Duration{};
  const Duration measured = algorithm->overhead != nullptr
                                ? algorithm->overhead(call)
                                : overhead_of_steps(call, algorithm->steps_inside(shape, call.op));
  // Measured inside nodes: no record shows calls between nodes that take less than the model.
  return network + (shape.nodes > 1 ? std::max(Duration{}, measured) : measured);
}

Communicator::Communicator(const core::Fabric& fabric, std::vector<int> members,
                           const CollectiveTuning& tuning) {
  Groups groups(fabric, members);
  if (fabric.routing().routing == core::Routing::kEcmp) {
    groups.num_connections = static_cast<std::size_t>(tuning.connections_per_nic.value);
  }
  CommunicatorShape shape{.members = static_cast<int>(members.size())};
  if (members.size() > 1) shape = shape_of(fabric, groups);
  if (tuning.in_network_reduction.value && shape.nodes > 1) {
    shape.network_reduces = network_reduces(fabric, groups);
  }
  state_ = std::make_unique<State>(fabric, tuning, std::move(members), std::move(groups), shape);
}
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

CollectiveChoice Communicator::choice(CollectiveOp op, double bytes) const {
  CommunicatorShape shape = state_->shape;
  if (shape.nodes > 1 && !is_pairwise(op)) {
    shape.network =
        state_->known.network([&] { return network_bandwidth(state_->fabric, state_->groups); });
  }
  return choose(state_->tuning, shape, op, bytes);
}

CollectiveFlow Communicator::flow(CollectiveOp op, double bytes) const {
  if (size() < 2) return {};
  return flow(op, bytes, choice(op, bytes));
}

CollectiveFlow Communicator::flow(CollectiveOp op, double bytes,
                                  const CollectiveChoice& choice) const {
  if (size() < 2) return {};
  const CollectiveAlgorithm& algorithm = choice.algorithm;
  const CollectiveCall call{state_->tuning, state_->shape, op, choice.protocol, bytes};
  CollectiveFlow flow{
      .route = state_->known.route(
          algorithm, op,
          [&] { return algorithm->loads(state_->fabric, state_->groups, state_->members, op); }),
      .latency = algorithm->latency(call) + state_->beyond_library(algorithm, call)};
  algorithm->limit(call, state_->fabric, state_->groups, flow);
  if (call.shape.nodes > 1) state_->limit_messages(algorithm, call, flow);
  return flow;
}

std::vector<core::LinkUse> Communicator::counterpart_route(double network_share,
                                                           double scale_up_share) const {
  return counterpart_loads(state_->fabric, state_->groups, network_share, scale_up_share);
}

int Communicator::size() const { return static_cast<int>(state_->members.size()); }
int Communicator::num_nodes() const { return static_cast<int>(state_->groups.nodes.size()); }
int Communicator::most_in_node() const { return static_cast<int>(state_->groups.num_channels); }

int Communicator::num_channels(const CollectiveChoice& choice) const {
  return choice.algorithm->num_channels(state_->tuning, state_->shape);
}

}  // namespace railwright::models
