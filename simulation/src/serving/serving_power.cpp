// SPDX-License-Identifier: Apache-2.0
// Power and cost of the nodes of a service.
#include <algorithm>

#include "railwright/core/parts_list.hpp"
#include "railwright/simulation/serving/serving.hpp"
#include "serving_run.hpp"

namespace railwright::simulation {

namespace {

using models::Activity;

/// Returns the times by activity. Kernels compute, whether arithmetic or bytes bound them.
/// Accelerators that wait for one another communicate; those that wait for the host or for weights
/// idle.
models::ActivityTimes times_of(const models::PassTime& pass) {
  models::ActivityTimes times{};
  times[static_cast<std::size_t>(Activity::kCompute)] = pass.compute + pass.bandwidth + pass.gaps;
  times[static_cast<std::size_t>(Activity::kCommunication)] = pass.communication;
  times[static_cast<std::size_t>(Activity::kIdle)] = pass.host + pass.stall;
  return times;
}

/// Returns the output tokens/s that all replicas can give.
double largest_rate(const CheckedInference& checked, const InferenceResult& result) {
  return static_cast<double>(result.num_replicas) * result.cycle.requests_per_s() *
         checked.inference.output_tokens;
}

/// Returns the output tokens/s that are answered: those of the run, else the wanted ones, else all
/// that the replicas can give.
double answered_rate(const CheckedInference& checked, const InferenceResult& result) {
  if (result.run) return result.run->output_tokens_per_s;
  const double wanted = wanted_requests_per_s(checked.inference) * checked.inference.output_tokens;
  return wanted > 0.0 ? wanted : largest_rate(checked, result);
}

/// Returns the share of the time in which a replica has requests under way.
double busy_share(const CheckedInference& checked, const InferenceResult& result) {
  if (result.run) return result.run->busy_fraction;
  return std::min(answered_rate(checked, result) / largest_rate(checked, result), 1.0);
}

ServingPower power_of(const CheckedInference& checked, const InferenceResult& result,
                      const core::PartsList& parts) {
  const core::ComputeNode& node = checked.cluster.cluster.node;
  ServingPower power{.node = models::node_power(node, checked.power),
                     .pue = checked.power.pue,
                     .tokens_per_s = answered_rate(checked, result)};
  const auto at_work = static_cast<double>(result.nodes_for_load);
  const auto redundant = static_cast<double>(result.num_nodes - result.nodes_for_load);
  const double share_used =
      static_cast<double>(result.num_accelerators) / (at_work * node.num_accelerators.value);
  power.busy_fraction = share_used * busy_share(checked, result);
  const core::Power idle = power.node.of(Activity::kIdle);
  const core::Power answering = power.node.mean(times_of(result.time));
  const core::Power mean = idle + (answering - idle) * power.busy_fraction;
  power.mean = models::power_by_part(parts, mean * at_work + idle * redundant);
  power.peak =
      models::power_by_part(parts, power.node.of(Activity::kCompute) * at_work + idle * redundant);
  return power;
}

}  // namespace

void add_power_and_cost(const CheckedInference& checked, InferenceResult& result) {
  if (!result.feasible()) return;
  topologies::Cluster cluster = checked.cluster.cluster;
  cluster.num_nodes = static_cast<int>(result.num_nodes);
  cluster.faults = {};  // they may name nodes that are not needed
  const core::PartsList parts = checked.cluster.topology->build(cluster).parts;
  const ServingPower power = power_of(checked, result, parts);
  result.power = power;
  if (!checked.prices) return;
  const models::Prices& prices = *checked.prices;
  const core::Power idle = models::power_by_part(parts, power.node.of(Activity::kIdle) *
                                                            static_cast<double>(cluster.num_nodes))
                               .equipment() *
                           power.pue;
  ServingCost cost{
      .prices = prices.description,
      .ownership = models::cost_of_ownership(
          prices, models::purchases(parts, cluster.node, 0),
          power.mean_power() * prices.utilization + idle * (1.0 - prices.utilization))};
  const core::Money of_a_second =
      models::share_of_ownership(prices, cost.ownership.total(), core::Duration::from_base(1.0));
  cost.per_million_tokens = of_a_second * (1e6 / power.tokens_per_s);
  result.cost = std::move(cost);
}

}  // namespace railwright::simulation
