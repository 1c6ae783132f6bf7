// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/communicator.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "choice.hpp"
#include "groups.hpp"
#include "library.hpp"
#include "limits.hpp"
#include "pairwise.hpp"
#include "shape.hpp"

namespace railwright::models {

/// Members and routes: shared by all fabrics that differ in rates alone.
struct Communicator::Members {
  using Route = std::vector<core::LinkUse>;

  /// Returns the loads of a call, which do not depend on its size: computed once for each algorithm
  /// and operation. Those of an all-gather are those of a reduce-scatter.
  template <class Make>
  const Route& route(const CollectiveAlgorithm& algorithm, CollectiveOp op, const Make& make) {
    if (op == CollectiveOp::kAllGather) op = CollectiveOp::kReduceScatter;
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

}  // namespace railwright::models
