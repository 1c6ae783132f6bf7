// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/kernel/expert_exchange.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::models {

using core::Duration;

namespace {

constexpr double kKib = 1024.0;
/// Numbers of nodes the router may choose: up to kNear the network share applies, from kFar on the
/// wide one.
constexpr double kNear = 4.0;
constexpr double kFar = 8.0;

/// Computes (a^8 + b^8 + c^8)^(1/8): the largest, or slightly more if they are close.
double largest_of(double a, double b, double c) {
  const double most = std::max({a, b, c});
  if (most <= 0.0) return 0.0;
  const auto eighth = [most](double value) {
    const double ratio = value / most;
    const double fourth = ratio * ratio * ratio * ratio;
    return fourth * fourth;
  };
  return most * std::sqrt(std::sqrt(std::sqrt(eighth(a) + eighth(b) + eighth(c))));
}

/// Returns the probability that none of `draws` of `all` different things is one of `own`.
double probability_of_none(double all, double own, double draws) {
  double none = 1.0;
  for (double taken = 0.0; taken < draws && none > 0.0; taken += 1.0) {
    none *= std::max(0.0, all - own - taken) / (all - taken);
  }
  return none;
}

/// Returns the number of ways to choose `some` of `all`.
double ways_to_choose(double all, double some) {
  double ways = 1.0;
  for (int i = 0; i < std::lround(some); ++i) ways *= std::max(0.0, all - i) / (i + 1.0);
  return ways;
}

/// The expected numbers of places that a token reaches.
struct Reach {
  double ranks = 0.0;        ///< accelerators
  double nodes = 0.0;        ///< nodes
  double other_ranks = 0.0;  ///< copies over the scale-up domain
  double most_nodes = 0.0;   ///< nodes that the router may choose
  double other_nodes = 0.0;  ///< copies into the network
};

/// Returns the number of places that have an expert of the groups that the router chose, at most.
double most_places(double places, const ExpertExchangeShape& shape) {
  const auto groups = static_cast<double>(shape.groups);
  const auto top_groups = static_cast<double>(shape.top_groups);
  return places < groups ? std::min(places, top_groups) : places * top_groups / groups;
}

Reach reach_of(const ExpertExchangeShape& shape) {
  const auto num_nodes = static_cast<double>(shape.num_nodes);
  const auto per_node = static_cast<double>(shape.per_node);
  const auto top_k = static_cast<double>(shape.top_k);
  Reach reach;
  reach.most_nodes = most_places(num_nodes, shape);
  if (shape.is_balanced) {
    reach.ranks = std::min(top_k, most_places(num_nodes * per_node, shape));
    reach.nodes = std::min(top_k, reach.most_nodes);
  } else {
    reach.ranks = expected_places(num_nodes * per_node, shape);
    reach.nodes = expected_places(num_nodes, shape);
  }
  reach.other_ranks = reach.ranks * (1.0 - 1.0 / per_node);
  reach.other_nodes = reach.nodes * (1.0 - 1.0 / num_nodes);
  return reach;
}

double network_share(const core::ExpertExchangeConstants& constants, double nodes) {
  if (nodes <= kNear) return constants.network_share;
  const double way = std::min(1.0, std::log2(nodes / kNear) / std::log2(kFar / kNear));
  return constants.network_share + way * (constants.wide_network_share - constants.network_share);
}

/// Returns seconds; zero if nothing leaves the node.
double network_time(const ExpertExchangeShape& shape, double bytes, double share) {
  return bytes > 0.0 ? bytes / (share * shape.network.base()) : 0.0;
}

ExpertExchange throughput(const core::Accelerator& device,
                          const core::ExpertExchangeConstants& constants,
                          const core::ExpertExchangeStage& stage,
                          const ExpertExchangeShape& shape) {
  const Reach reach = reach_of(shape);
  const auto bytes = static_cast<double>(shape.token_bytes);
  const double kib = bytes / kKib;
  const auto tokens = static_cast<double>(shape.num_tokens);
  const auto nodes = static_cast<double>(shape.num_nodes);
  const bool leaves = shape.num_nodes > 1;
  const double factor = leaves ? stage.between_nodes : 1.0;
  const double sent =
      stage.token.base() + factor * reach.ranks * (stage.copy.base() + kib * stage.copy_kib.base());
  const double work = largest_of(sent, kib * stage.sum_kib.base(), 0.0) +
                      (leaves ? reach.nodes * stage.node.base() : 0.0);
  const auto copiers = static_cast<double>(shape.num_multiprocessors);
  const double copied = work * (1.0 / copiers + constants.crowding);
  const double near = reach.other_ranks * bytes /
                      (constants.scale_up_share * device.scale_up_bandwidth.value.base());
  const double far =
      network_time(shape, reach.other_nodes * bytes, network_share(constants, reach.most_nodes));
  const Duration latency =
      stage.start + stage.fill * kib + constants.network_start * std::log2(nodes);
  return {.time = latency + Duration::from_base(tokens * largest_of(copied, near, far)),
          .latency = latency,
          .scale_up_bytes = tokens * reach.other_ranks * bytes,
          .network_bytes = tokens * reach.other_nodes * bytes};
}

ExpertExchange low_latency(const core::Accelerator& device,
                           const core::ExpertExchangeConstants& constants,
                           const core::LowLatencyExchangeStage& stage,
                           const ExpertExchangeShape& shape) {
  const auto nodes = static_cast<double>(shape.num_nodes);
  const auto experts = static_cast<double>(shape.num_experts);
  const auto tokens = static_cast<double>(shape.num_tokens);
  const double copies = tokens * static_cast<double>(shape.top_k);
  const double bytes = copies * static_cast<double>(shape.token_bytes);
  const double senders = std::min(experts, static_cast<double>(device.num_multiprocessors.value));
  const double sent = tokens / senders * stage.token.base();
  const double near =
      bytes / nodes / (stage.scale_up_share * device.scale_up_bandwidth.value.base());
  const double network_bytes = bytes * (1.0 - 1.0 / nodes);
  const double far = network_time(shape, network_bytes, constants.low_latency_network_share);
  const Duration latency = stage.start + stage.expert * experts +
                           (nodes > 1.0 ? constants.low_latency_network_start : Duration{});
  return {.time = latency + Duration::from_base(largest_of(sent, near, far)),
          .latency = latency,
          .scale_up_bytes = bytes / nodes * (1.0 - 1.0 / static_cast<double>(shape.per_node)),
          .network_bytes = network_bytes};
}

/// Loss in wider domains: 3 % for each doubling beyond eight members.
constexpr double kWider = 0.03;

ExpertExchange scale_up(const core::Accelerator& device, const core::ScaleUpExchangeStage& stage,
                        const ExpertExchangeShape& shape) {
  const auto members = static_cast<double>(shape.per_node);
  const auto tokens = static_cast<double>(shape.num_tokens);
  const double bytes = reach_of(shape).other_ranks * static_cast<double>(shape.token_bytes);
  const double wider = 1.0 + kWider * std::max(0.0, std::log2(members / 8.0));
  const double moved =
      bytes * wider / (stage.scale_up_share * device.scale_up_bandwidth.value.base());
  const Duration latency = stage.start + stage.rank * members;
  const double token = std::hypot(stage.token.base(), moved);
  return {.time = latency + Duration::from_base(tokens * token),
          .latency = latency,
          .scale_up_bytes = tokens * bytes};
}

}  // namespace

double expected_places(double places, double top_k, double num_experts) {
  return places * (1.0 - probability_of_none(num_experts, num_experts / places, top_k));
}

double expected_places(double places, const ExpertExchangeShape& shape) {
  const auto groups = static_cast<double>(shape.groups);
  const auto chosen = static_cast<double>(shape.top_groups);
  const auto top_k = static_cast<double>(shape.top_k);
  const auto experts = static_cast<double>(shape.num_experts);
  const double in_reach = experts * chosen / groups;
  if (places >= groups) return expected_places(places * chosen / groups, top_k, in_reach);
  const double own = std::round(groups / places);
  double missed = 0.0;
  for (int i = 0; i <= std::lround(std::min(own, chosen)); ++i) {
    const double hit = i;
    const double probability = ways_to_choose(own, hit) *
                               ways_to_choose(groups - own, chosen - hit) /
                               ways_to_choose(groups, chosen);
    missed += probability * probability_of_none(in_reach, hit * experts / groups, top_k);
  }
  return places * (1.0 - missed);
}

ExpertExchange expert_exchange(const core::Accelerator& device,
                               const core::ExpertExchangeConstants& constants,
                               ExpertExchangeKernel kernel, ExpertExchangeOp op,
                               const ExpertExchangeShape& shape) {
  const bool is_dispatch = op == ExpertExchangeOp::kDispatch;
  switch (kernel) {
    case ExpertExchangeKernel::kLowLatency:
      return low_latency(
          device, constants,
          is_dispatch ? constants.low_latency_dispatch : constants.low_latency_combine, shape);
    case ExpertExchangeKernel::kScaleUp:
      return scale_up(
          device, is_dispatch ? constants.scale_up_dispatch : constants.scale_up_combine, shape);
    case ExpertExchangeKernel::kThroughput:
      break;
  }
  return throughput(device, constants, is_dispatch ? constants.dispatch : constants.combine, shape);
}

}  // namespace railwright::models
