// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "choice.hpp"
#include "groups.hpp"
#include "loads.hpp"

namespace railwright::models {

namespace {

using core::Duration;

constexpr std::size_t kLargestNode = 8;

const core::Link& link_of(const core::Fabric& fabric, const core::LinkUse& use) {
  return fabric.links()[static_cast<std::size_t>(use.link)];
}

/// Bandwidth and kind of the way between two members of a node.
void look_into_node(const core::Fabric& fabric, const std::vector<int>& node,
                    CommunicatorShape& shape) {
  std::vector<core::LinkUse> way;
  fabric.append_route(node[0], node[1], 0, way);
  const core::Link& first = link_of(fabric, way.front());
  shape.has_scale_up = first.tier == core::Tier::kScaleUp;
  shape.has_scale_up_switch =
      fabric.vertices()[static_cast<std::size_t>(first.to)].role == core::Role::kScaleUpSwitch;
  shape.scale_up = first.bandwidth.base();
  // All links of a mesh are used at once.
  if (shape.has_scale_up && way.size() == 1) {
    shape.scale_up *= static_cast<double>(node.size() - 1);
  }
}

/// What the adapters of a node's members put into the network.
double network_bandwidth(const core::Fabric& fabric, const Groups& groups, std::size_t node) {
  std::map<core::LinkId, double> adapters;
  std::vector<core::LinkUse> way;
  for (const int member : groups.nodes[node]) {
    way.clear();
    fabric.append_route(member, groups.nodes[(node + 1) % groups.nodes.size()].front(), 0, way);
    for (const core::LinkUse& use : way) {
      const core::Link& link = link_of(fabric, use);
      const core::Vertex& from = fabric.vertices()[static_cast<std::size_t>(link.from)];
      if (link.tier == core::Tier::kInjection && from.role == core::Role::kNic) {
        adapters[use.link] = link.bandwidth.base();
      }
    }
  }
  double sum = 0.0;
  for (const auto& [link, bandwidth] : adapters) sum += bandwidth;
  return sum;
}

CommunicatorShape shape_of(const core::Fabric& fabric, const Groups& groups) {
  CommunicatorShape shape{.members = static_cast<int>(groups.num_members),
                          .nodes = static_cast<int>(groups.nodes.size()),
                          .fewest_in_node = static_cast<int>(groups.fewest),
                          .most_in_node = static_cast<int>(groups.num_channels)};
  const auto fullest = std::ranges::max_element(groups.nodes, {}, &std::vector<int>::size);
  if (fullest->size() > 1) {
    look_into_node(fabric, *fullest, shape);
  } else {
    shape.scale_up = fabric.narrowest(core::Tier::kScaleUp).base();
    shape.has_scale_up = std::isfinite(shape.scale_up);
  }
  if (shape.nodes == 1) return shape;
  std::vector<core::LinkUse> way;
  fabric.append_route(groups.nodes[0].front(), groups.nodes[1].front(), 0, way);
  shape.network_latency = fabric.latency(std::span<const core::LinkUse>(way));
  return shape;
}

/// Of the first node and the first of those with fewest members.
double network_bandwidth(const core::Fabric& fabric, const Groups& groups) {
  const double first = network_bandwidth(fabric, groups, 0);
  for (std::size_t node = 1; node < groups.nodes.size(); ++node) {
    if (groups.nodes[node].size() != groups.fewest) continue;
    return std::min(first, network_bandwidth(fabric, groups, node));
  }
  return first;
}

/// Bytes of the buffer a second that the links leave.
double rate_alone(const core::Fabric& fabric, const std::vector<core::LinkUse>& route) {
  double seconds_per_byte = 0.0;
  for (const core::LinkUse& use : route) {
    seconds_per_byte =
        std::max(seconds_per_byte, use.coefficient / link_of(fabric, use).bandwidth.base());
  }
  return 1.0 / seconds_per_byte;
}

}  // namespace

struct Communicator::State {
  const core::Fabric& fabric;
  const CollectiveTuning& tuning;
  std::vector<int> members;
  Groups groups;
  CommunicatorShape shape;  ///< without `network`, which only a choice of algorithms asks for

  [[nodiscard]] std::vector<core::LinkUse> loads(CollectiveOp op,
                                                 CollectiveAlgorithm algorithm) const;
  [[nodiscard]] Duration beyond_library(CollectiveOp op, const CollectiveChoice& choice) const;
  void limit(CollectiveOp op, double bytes, const CollectiveChoice& choice,
             CollectiveFlow& flow) const;
  void limit_nvls(double bytes, CollectiveFlow& flow) const;
};

std::vector<core::LinkUse> Communicator::State::loads(CollectiveOp op,
                                                      CollectiveAlgorithm algorithm) const {
  switch (algorithm) {
    case CollectiveAlgorithm::kTree:
      return tree_loads(fabric, groups);
    case CollectiveAlgorithm::kHierarchical:
      return hierarchical_loads(fabric, groups);
    case CollectiveAlgorithm::kNvls:
    case CollectiveAlgorithm::kNvlsTree:
      return nvls_loads(fabric, groups);
    case CollectiveAlgorithm::kCollNet:
      return collnet_loads(fabric, groups);
    case CollectiveAlgorithm::kPairwise:
      return op == CollectiveOp::kAllToAll ? all_to_all_loads(fabric, groups, members)
                                           : send_loads(fabric, members);
    case CollectiveAlgorithm::kAuto:
    case CollectiveAlgorithm::kRing:
      break;
  }
  return ring_loads(fabric, op, groups);
}

/// NVLS moves the buffer in rounds of a chunk for each channel and member of a node: a round takes
/// its overhead and its bytes, and some rounds pass until the first result, one more for each level
/// of the tree between nodes.
void Communicator::State::limit_nvls(double bytes, CollectiveFlow& flow) const {
  const double parts = static_cast<double>(tuning.nvls_channels.value * shape.most_in_node);
  double chunk = tuning.nvls_chunk.value.base();
  for (const auto& [rounds, smaller] : {std::pair{64.0, 65536.0}, {8.0, 32768.0}, {2.0, 16384.0}}) {
    if (bytes < rounds * parts * chunk && chunk > smaller) chunk = smaller;
  }
  const bool is_rack = groups.num_channels > kLargestNode;
  const double share = is_rack ? tuning.nvls_rack_wire_share.value : tuning.nvls_wire_share.value;
  const double in_node = shape.most_in_node;
  const double rate = share * shape.scale_up * in_node / (in_node + 1.0);
  const double round = parts * chunk;
  const Duration time = tuning.nvls_chunk_overhead.value + Duration::from_base(round / rate);
  flow.ceiling = round / time.base();
  const double levels = std::ceil(std::log2(static_cast<double>(shape.nodes)));
  flow.latency += time * (tuning.nvls_fill.value + levels);
}

void Communicator::State::limit(CollectiveOp op, double bytes, const CollectiveChoice& choice,
                                CollectiveFlow& flow) const {
  using Algorithm = CollectiveAlgorithm;
  const bool is_tree = choice.algorithm == Algorithm::kTree;
  if (choice.algorithm == Algorithm::kNvls || choice.algorithm == Algorithm::kNvlsTree) {
    limit_nvls(bytes, flow);
    return;
  }
  const double alone = rate_alone(fabric, flow.route);
  const double from_bus = is_tree ? 0.5 : 1.0 / bus_factor(op, shape.members);
  if (choice.protocol == CollectiveProtocol::kLL) {
    const double most = ll_limit(tuning, shape).base();
    const double share = is_tree ? 2.0 * tuning.tree_ll_share.value : tuning.ring_ll_share.value;
    flow.ceiling = std::min(share * alone, most * from_bus);
  } else if (choice.protocol == CollectiveProtocol::kLL128) {
    flow.ceiling = tuning.ll128_share.value * alone;
  }
}

/// Steps of a ring inside one node with Simple take longer than the library's model has it.
Duration Communicator::State::beyond_library(CollectiveOp op,
                                             const CollectiveChoice& choice) const {
  const bool is_slow = choice.algorithm == CollectiveAlgorithm::kRing && shape.nodes == 1 &&
                       choice.protocol == CollectiveProtocol::kSimple;
  const double passes = op == CollectiveOp::kAllReduce ? 2.0 : 1.0;
  const double steps = is_slow ? passes * (shape.members - 1) : 0.0;
  return generation_of(tuning, shape).launch.value + tuning.simple_step_overhead.value * steps;
}

Communicator::Communicator(const core::Fabric& fabric, std::vector<int> members,
                           const CollectiveTuning& tuning) {
  Groups groups(fabric, members);
  CommunicatorShape shape{.members = static_cast<int>(members.size())};
  if (members.size() > 1) shape = shape_of(fabric, groups);
  state_ =
      std::make_unique<State>(State{fabric, tuning, std::move(members), std::move(groups), shape});
}
Communicator::Communicator(Communicator&&) noexcept = default;
Communicator& Communicator::operator=(Communicator&&) noexcept = default;
Communicator::~Communicator() = default;

CollectiveChoice Communicator::choice(CollectiveOp op, double bytes) const {
  CommunicatorShape shape = state_->shape;
  if (shape.nodes > 1 && !is_pairwise(op)) {
    shape.network = network_bandwidth(state_->fabric, state_->groups);
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
  CollectiveFlow flow{.route = state_->loads(op, choice.algorithm),
                      .latency = library_latency(state_->tuning, state_->shape, op, choice)};
  const bool is_nvls = choice.algorithm == CollectiveAlgorithm::kNvls ||
                       choice.algorithm == CollectiveAlgorithm::kNvlsTree;
  // The latency that the library has for NVLS is that of a whole call.
  if (!is_nvls) flow.latency += state_->beyond_library(op, choice);
  state_->limit(op, bytes, choice, flow);
  return flow;
}

int Communicator::size() const { return static_cast<int>(state_->members.size()); }

int Communicator::num_channels(const CollectiveChoice& choice) const {
  const bool is_nvls = choice.algorithm == CollectiveAlgorithm::kNvls ||
                       choice.algorithm == CollectiveAlgorithm::kNvlsTree;
  if (is_nvls) return state_->tuning.nvls_channels.value;
  if (state_->shape.nodes > 1) return 2 * std::max(2, state_->shape.most_in_node);
  return 2 * generation_of(state_->tuning, state_->shape).num_channels.value;
}

}  // namespace railwright::models
