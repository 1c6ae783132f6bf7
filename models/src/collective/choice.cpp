// SPDX-License-Identifier: Apache-2.0
#include "choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace railwright::models {

namespace {

using core::Duration;

constexpr CollectiveProtocol kProtocols[] = {CollectiveProtocol::kLL, CollectiveProtocol::kLL128,
                                             CollectiveProtocol::kSimple};
constexpr double kCollNetLocalStep = 0.4e-6;
constexpr double kCollNetNode = 3.7e-6;

std::size_t index(CollectiveProtocol protocol) { return static_cast<std::size_t>(protocol); }

template <class T>
T at(const std::vector<T>& list, std::size_t i) {
  return list.empty() ? T{} : list[std::min(i, list.size() - 1)];
}

/// 0 for one node, 1 for two, 2 for more.
std::size_t scale(const CommunicatorShape& shape) {
  return static_cast<std::size_t>(std::min(shape.nodes - 1, 2));
}

double passes(CollectiveOp op) { return op == CollectiveOp::kAllReduce ? 2.0 : 1.0; }

double local_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape) {
  return std::min(generation.scale_up.value.base(), shape.scale_up);
}

/// All channels together, as the library's search finds them.
double bus_bandwidth(const AcceleratorGeneration& generation, const CommunicatorShape& shape) {
  const double local = local_bandwidth(generation, shape);
  return shape.nodes == 1 ? local : std::min(local, shape.network);
}

double num_channels(const AcceleratorGeneration& generation, const CommunicatorShape& shape) {
  return shape.nodes == 1 ? generation.num_channels.value : std::max(2, shape.max_in_node);
}

double ring_bandwidth(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                      CollectiveProtocol protocol) {
  const AcceleratorGeneration& generation = generation_of(tuning);
  const double bus = bus_bandwidth(generation, shape);
  if (protocol == CollectiveProtocol::kLL) {
    return std::min(ll_limit(tuning, shape).base(), tuning.ring_ll_share.value * bus);
  }
  if (protocol == CollectiveProtocol::kLL128) {
    return std::min(
        tuning.ll128_share.value * bus,
        num_channels(generation, shape) * at(generation.ring_ll128.value, scale(shape)).base());
  }
  return bus;
}

double correction(const CollectiveTuning& tuning, CollectiveProtocol protocol, double bytes) {
  const auto& factors = protocol == CollectiveProtocol::kLL ? tuning.tree_ll_correction.value
                        : protocol == CollectiveProtocol::kLL128
                            ? tuning.tree_ll128_correction.value
                            : tuning.tree_simple_correction.value;
  const auto i = static_cast<std::size_t>(std::max(0, std::ilogb(bytes / 64.0)));
  return i + 1 < factors.size() ? factors[i] : 1.0;
}

double tree_bandwidth(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                      CollectiveProtocol protocol, double bytes) {
  const AcceleratorGeneration& generation = generation_of(tuning);
  const double bus = bus_bandwidth(generation, shape);
  const double channels = num_channels(generation, shape);
  double bandwidth = 0.0;
  if (protocol == CollectiveProtocol::kLL) {
    bandwidth = std::min(tuning.tree_ll_share.value * bus, ll_limit(tuning, shape).base());
  } else if (protocol == CollectiveProtocol::kLL128) {
    bandwidth = std::min(bus * (shape.nodes == 1 ? 7.0 / 9.0 : 120.0 / 128.0),
                         channels * at(generation.tree_ll128.value, scale(shape)).base());
  } else {
    bandwidth = std::min(tuning.ll128_share.value * bus,
                         channels * at(generation.tree_simple.value, scale(shape)).base());
  }
  return 0.5 * bandwidth * correction(tuning, protocol, bytes);
}

/// NVLS, or NVLSTree between nodes; bytes/s of the bus.
double nvls_bandwidth(const CollectiveTuning& tuning, const CommunicatorShape& shape) {
  const AcceleratorGeneration& generation = generation_of(tuning);
  const double channels = generation.nvls_channels.value;
  const double local = 2.0 * local_bandwidth(generation, shape) * generation.nvls_efficiency.value *
                       (channels - 1.0) / channels;
  if (shape.nodes == 1) return local;
  const double limit = at(generation.nvls_tree.value, scale(shape)).base();
  return std::min({local, shape.network * (shape.nodes == 2 ? 2.0 : 1.0),
                   limit > 0.0 ? limit * num_channels(generation, shape)
                               : std::numeric_limits<double>::infinity()});
}

/// Bytes of the buffer a second.
double library_bandwidth(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                         CollectiveOp op, const CollectiveChoice& choice, double bytes) {
  const double from_bus = shape.members / (passes(op) * (shape.members - 1));
  switch (choice.algorithm) {
    case CollectiveAlgorithm::kTree:
      return tree_bandwidth(tuning, shape, choice.protocol, bytes);
    case CollectiveAlgorithm::kNvls:
    case CollectiveAlgorithm::kNvlsTree:
      return from_bus * nvls_bandwidth(tuning, shape);
    case CollectiveAlgorithm::kCollNet:
      return 0.85 * 0.5 * bus_bandwidth(generation_of(tuning), shape) * 2.0;
    case CollectiveAlgorithm::kAuto:
    case CollectiveAlgorithm::kRing:
    case CollectiveAlgorithm::kHierarchical:
    case CollectiveAlgorithm::kPairwise:
      break;
  }
  return from_bus * ring_bandwidth(tuning, shape, choice.protocol);
}

/// What the library takes a ring with Simple between nodes for, beyond its steps.
constexpr double kRingSimplePenalty = 1.4;

Duration library_time(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                      CollectiveOp op, const CollectiveChoice& choice, double bytes) {
  Duration latency = library_latency(tuning, shape, op, choice);
  const bool is_penalized = choice.algorithm == CollectiveAlgorithm::kRing &&
                            choice.protocol == CollectiveProtocol::kSimple && shape.nodes > 1 &&
                            op == CollectiveOp::kAllReduce;
  if (is_penalized) latency = latency * kRingSimplePenalty;
  return latency + Duration::from_base(bytes / library_bandwidth(tuning, shape, op, choice, bytes));
}

}  // namespace

const AcceleratorGeneration& generation_of(const CollectiveTuning& tuning) {
  static const AcceleratorGeneration kNone{};
  const AcceleratorGeneration* found = tuning.generation();
  return found == nullptr ? kNone : *found;
}

core::Bandwidth ll_limit(const CollectiveTuning& tuning, const CommunicatorShape& shape) {
  if (shape.nodes == 1) return generation_of(tuning).ll.value;
  return at(tuning.ll_between_nodes.value, scale(shape) - 1);
}

Duration latency_of(const AlgorithmLatency& table, const CommunicatorShape& shape,
                    CollectiveProtocol protocol, double local_steps, double network_steps,
                    Duration min_local_step) {
  const std::size_t i = index(protocol);
  const Duration local =
      std::max(min_local_step, at(shape.has_scale_up ? table.scale_up.value : table.pcie.value, i));
  // Simple flushes what it received: the way counts twice.
  const double ways = protocol == CollectiveProtocol::kSimple ? 2.0 : 1.0;
  const Duration network = at(table.network.value, i) + shape.network_latency * ways;
  return at(table.base.value, i) + local * local_steps + network * network_steps;
}

double steps_inside(const CommunicatorShape& shape, CollectiveOp op,
                    CollectiveAlgorithm algorithm) {
  switch (algorithm) {
    case CollectiveAlgorithm::kTree:
    case CollectiveAlgorithm::kHierarchical:
      return 2.0 * (shape.per_node() - 1.0);
    case CollectiveAlgorithm::kPairwise:
      return shape.nodes > 1 ? 0.0 : 1.0;
    case CollectiveAlgorithm::kNvls:
    case CollectiveAlgorithm::kNvlsTree:
    case CollectiveAlgorithm::kCollNet:
      return 0.0;
    case CollectiveAlgorithm::kAuto:
    case CollectiveAlgorithm::kRing:
      break;
  }
  return passes(op) * (shape.members - shape.nodes);
}

Duration library_latency(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                         CollectiveOp op, const CollectiveChoice& choice) {
  const double depth = std::ceil(std::log2(static_cast<double>(shape.nodes)));
  const double inside = steps_inside(shape, op, choice.algorithm);
  switch (choice.algorithm) {
    case CollectiveAlgorithm::kTree:
      return latency_of(tuning.tree, shape, choice.protocol, inside, 2.0 * depth, Duration{});
    case CollectiveAlgorithm::kNvls:
    case CollectiveAlgorithm::kNvlsTree:
      return tuning.nvls_latency.value +
             (tuning.nvls_tree_hop_latency.value + shape.network_latency * 2.0) * (2.0 * depth);
    case CollectiveAlgorithm::kCollNet:
      return Duration::from_base(2.0 * (std::min(1.0, shape.per_node() - 1.0) * kCollNetNode +
                                        (shape.per_node() - 1.0) * kCollNetLocalStep)) +
             tuning.collnet_hop_latency.value + shape.network_latency * 2.0;
    case CollectiveAlgorithm::kHierarchical:
      return latency_of(tuning.ring, shape, choice.protocol, inside, 2.0 * (shape.nodes - 1),
                        Duration{});
    case CollectiveAlgorithm::kPairwise:
      return latency_of(tuning.ring, shape, choice.protocol, inside, 1.0 - inside, Duration{});
    case CollectiveAlgorithm::kAuto:
    case CollectiveAlgorithm::kRing:
      break;
  }
  const double between = passes(op) * (shape.nodes - 1);
  const double overhead = choice.protocol == CollectiveProtocol::kSimple ? 3.0 : 1.0;
  return latency_of(tuning.ring, shape, choice.protocol, inside, between,
                    shape.nodes > 1 ? tuning.network_overhead.value * overhead : Duration{});
}

bool can_run(const CollectiveTuning& tuning, const CommunicatorShape& shape, CollectiveOp op,
             CollectiveAlgorithm algorithm) {
  if (is_pairwise(op)) return algorithm == CollectiveAlgorithm::kPairwise;
  if (algorithm == CollectiveAlgorithm::kRing) return true;
  if (op != CollectiveOp::kAllReduce) return false;
  const AcceleratorGeneration& generation = generation_of(tuning);
  const bool has_nvls = shape.has_scale_up_switch && generation.nvls_efficiency.value > 0.0 &&
                        shape.min_in_node >= generation.nvls_members.value;
  switch (algorithm) {
    case CollectiveAlgorithm::kTree:
      return true;
    case CollectiveAlgorithm::kNvls:
      return has_nvls && shape.nodes == 1;
    case CollectiveAlgorithm::kNvlsTree:
      return has_nvls && shape.nodes > 1;
    case CollectiveAlgorithm::kCollNet:
      return tuning.in_network_reduction.value && shape.nodes > 1 && shape.network_reduces;
    case CollectiveAlgorithm::kHierarchical:
      return shape.nodes > 1;
    case CollectiveAlgorithm::kAuto:
    case CollectiveAlgorithm::kRing:
    case CollectiveAlgorithm::kPairwise:
      break;
  }
  return false;
}

CollectiveChoice choose(const CollectiveTuning& tuning, const CommunicatorShape& shape,
                        CollectiveOp op, double bytes) {
  using Algorithm = CollectiveAlgorithm;
  if (can_run(tuning, shape, op, Algorithm::kPairwise)) {
    const double part = op == CollectiveOp::kAllToAll ? bytes / shape.members : bytes;
    const bool is_small = part <= tuning.pairwise_ll.value.base();
    return {Algorithm::kPairwise, is_small ? CollectiveProtocol::kLL : CollectiveProtocol::kSimple};
  }
  std::vector<Algorithm> algorithms{Algorithm::kRing, Algorithm::kTree, Algorithm::kNvls,
                                    Algorithm::kNvlsTree, Algorithm::kCollNet};
  const Algorithm named = tuning.all_reduce_algorithm.value;
  // A tree needs nodes to stand on; inside one it would be a chain.
  const bool is_named = named != Algorithm::kAuto && (shape.nodes > 1 || named != Algorithm::kTree);
  if (is_named && can_run(tuning, shape, op, named)) {
    algorithms = {named};
  }
  CollectiveChoice best;
  auto least = Duration::from_base(std::numeric_limits<double>::infinity());
  for (const Algorithm algorithm : algorithms) {
    if (!can_run(tuning, shape, op, algorithm)) continue;
    const bool only_simple = algorithm != Algorithm::kRing && algorithm != Algorithm::kTree;
    for (const CollectiveProtocol protocol : kProtocols) {
      if (only_simple && protocol != CollectiveProtocol::kSimple) continue;
      const CollectiveChoice choice{algorithm, protocol};
      const Duration time = library_time(tuning, shape, op, choice, bytes);
      if (time < least) {
        least = time;
        best = choice;
      }
    }
  }
  return best;
}

}  // namespace railwright::models
