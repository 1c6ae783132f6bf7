// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/collective/communicator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "choice.hpp"
#include "groups.hpp"
#include "loads.hpp"
#include "shape.hpp"

namespace railwright::models {

namespace {

using core::Duration;

constexpr std::size_t kLargestNode = 8;

bool is_nvls(CollectiveAlgorithm algorithm) {
  return algorithm == CollectiveAlgorithm::kNvls || algorithm == CollectiveAlgorithm::kNvlsTree;
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
  void fill_ring(CollectiveOp op, double bytes, CollectiveFlow& flow) const;
  void limit_messages(CollectiveOp op, double bytes, const CollectiveChoice& choice,
                      CollectiveFlow& flow) const;
  [[nodiscard]] double nvls_chunk(double bytes) const;
  [[nodiscard]] double message_size(CollectiveOp op, double bytes,
                                    CollectiveAlgorithm algorithm) const;
  [[nodiscard]] int num_channels(CollectiveAlgorithm algorithm) const;
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
                                           : send_loads(fabric, groups, members);
    case CollectiveAlgorithm::kAuto:
    case CollectiveAlgorithm::kRing:
      break;
  }
  return ring_loads(fabric, op, groups);
}

int Communicator::State::num_channels(CollectiveAlgorithm algorithm) const {
  const AcceleratorGeneration& generation = generation_of(tuning);
  if (is_nvls(algorithm)) return generation.nvls_channels.value;
  return 2 * (shape.nodes > 1 ? std::max(2, shape.max_in_node) : generation.num_channels.value);
}

/// Bytes of a chunk of NVLS; the library takes smaller ones where there would be few rounds.
double Communicator::State::nvls_chunk(double bytes) const {
  struct Step {
    double rounds;
    double chunk;
  };
  constexpr Step kInNode[] = {{64.0, 65536.0}, {8.0, 32768.0}, {2.0, 16384.0}};
  constexpr Step kTree[] = {{4.0, 65536.0}, {1.0, 32768.0}};
  constexpr int kManyNodes = 4;
  const double parts = static_cast<double>(num_channels(CollectiveAlgorithm::kNvls)) *
                       static_cast<double>(shape.max_in_node);
  const bool is_tree = shape.nodes > 1;
  double chunk = tuning.nvls_chunk.value.base();
  if (shape.nodes >= kManyNodes) chunk = std::min(chunk, kTree[0].chunk);
  for (const Step& step : is_tree ? std::span<const Step>(kTree) : std::span<const Step>(kInNode)) {
    if (bytes < step.rounds * parts * chunk && chunk > step.chunk) chunk = step.chunk;
  }
  return chunk;
}

/// NVLS moves the buffer in rounds of a chunk for each channel and member of a node: a round takes
/// its overhead and its bytes, and some rounds pass until the first result, one more for each level
/// of the tree between nodes.
void Communicator::State::limit_nvls(double bytes, CollectiveFlow& flow) const {
  const AcceleratorGeneration& generation = generation_of(tuning);
  const bool is_rack = groups.num_channels > kLargestNode;
  const double share =
      is_rack ? generation.nvls_rack_wire_share.value : generation.nvls_wire_share.value;
  const double in_node = shape.max_in_node;
  const double rate = share * shape.scale_up * in_node / (in_node + 1.0);
  const double round = num_channels(CollectiveAlgorithm::kNvls) * in_node * nvls_chunk(bytes);
  const Duration time = generation.nvls_chunk_overhead.value + Duration::from_base(round / rate);
  flow.ceiling = round / time.base();
  const double levels = std::ceil(std::log2(static_cast<double>(shape.nodes)));
  flow.latency += time * (tuning.nvls_fill.value + levels);
}

/// A member passes on half a chunk while the other half arrives: one half more than the bus carries
/// stands on the way of each channel.
void Communicator::State::fill_ring(CollectiveOp op, double bytes, CollectiveFlow& flow) const {
  const double channels = num_channels(CollectiveAlgorithm::kRing);
  const double half =
      std::min(bytes / (2.0 * shape.members), channels * tuning.ring_chunk.value.base());
  const double bus = rate_alone(fabric, flow.route) * bus_factor(op, shape.members);
  flow.latency += Duration::from_base(half / bus);
}

double Communicator::State::message_size(CollectiveOp op, double bytes,
                                         CollectiveAlgorithm algorithm) const {
  if (is_nvls(algorithm)) return nvls_chunk(bytes);
  const double channels = num_channels(algorithm);
  const bool has_parts = op != CollectiveOp::kSendReceive && op != CollectiveOp::kBroadcast;
  const double part =
      has_parts && algorithm != CollectiveAlgorithm::kTree ? bytes / shape.members : bytes;
  return std::min(part / channels, tuning.ring_chunk.value.base()) / 2.0;
}

/// Each message costs its NIC half_size bytes more, and the processor cores that drive the channels
/// of a node where the adapters do not move data by themselves are a limit too.
void Communicator::State::limit_messages(CollectiveOp op, double bytes,
                                         const CollectiveChoice& choice,
                                         CollectiveFlow& flow) const {
  const core::MessageCost& cost = fabric.message_cost();
  const bool moved_by_cores = cost.host_time.base() > 0.0;
  double seconds_per_byte = 0.0;
  std::map<std::pair<int, bool>, double> of_node;  // by node and whether it leaves
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
  const double message = message_size(op, bytes, choice.algorithm);
  const double overhead = message > 0.0 ? cost.half_size.base() / message : 0.0;
  double most = 0.0;
  for (const auto& [node, coefficient] : of_node) most = std::max(most, coefficient);
  const double of_cores = cost.host_time.base() * most / num_channels(choice.algorithm);
  const double least = std::max(seconds_per_byte * (1.0 + overhead), of_cores);
  flow.ceiling = std::min(flow.ceiling, 1.0 / least);
}

void Communicator::State::limit(CollectiveOp op, double bytes, const CollectiveChoice& choice,
                                CollectiveFlow& flow) const {
  using Algorithm = CollectiveAlgorithm;
  const bool is_tree = choice.algorithm == Algorithm::kTree;
  if (is_nvls(choice.algorithm)) {
    limit_nvls(bytes, flow);
    return;
  }
  const AcceleratorGeneration& generation = generation_of(tuning);
  const double alone = rate_alone(fabric, flow.route);
  const double from_bus = is_tree ? 0.5 : 1.0 / bus_factor(op, shape.members);
  if (choice.protocol == CollectiveProtocol::kLL) {
    const double most = ll_limit(tuning, shape).base();
    const double share = is_tree ? 2.0 * tuning.tree_ll_share.value : tuning.ring_ll_share.value;
    flow.ceiling = std::min(share * alone, most * from_bus);
  } else if (choice.protocol == CollectiveProtocol::kLL128) {
    flow.ceiling = generation.ll128_reach.value * alone;
  } else if (choice.algorithm == Algorithm::kRing && op != CollectiveOp::kBroadcast) {
    fill_ring(op, bytes, flow);
  } else if (op == CollectiveOp::kAllToAll && shape.nodes == 1) {
    flow.ceiling = tuning.pairwise_share.value * alone;
  }
}

Duration Communicator::State::beyond_library(CollectiveOp op,
                                             const CollectiveChoice& choice) const {
  const AcceleratorGeneration& generation = generation_of(tuning);
  const Duration network = shape.nodes > 1 ? tuning.network_launch.value : Duration{};
  // The latency that the library has for NVLS is that of a whole call.
  if (is_nvls(choice.algorithm)) return network;
  const auto& overheads = generation.step_overhead.value;
  const auto protocol = static_cast<std::size_t>(choice.protocol);
  const Duration step = protocol < overheads.size() ? overheads[protocol] : Duration{};
  return generation.launch.value + network + step * steps_inside(shape, op, choice.algorithm);
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
                      .latency = library_latency(state_->tuning, state_->shape, op, choice) +
                                 state_->beyond_library(op, choice)};
  state_->limit(op, bytes, choice, flow);
  if (state_->shape.nodes > 1) state_->limit_messages(op, bytes, choice, flow);
  return flow;
}

int Communicator::size() const { return static_cast<int>(state_->members.size()); }

int Communicator::num_channels(const CollectiveChoice& choice) const {
  return state_->num_channels(choice.algorithm);
}

}  // namespace railwright::models
