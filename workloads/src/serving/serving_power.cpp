// SPDX-License-Identifier: Apache-2.0
// Power and cost of the nodes of a service.
#include <algorithm>
#include <vector>

#include "railwright/core/parts_list.hpp"
#include "railwright/workloads/serving/serving.hpp"
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
  return result.requests_per_s() * checked.inference.output_tokens;
}

/// Returns the output tokens/s that are answered: those of the run of a trace or of requests at
/// once; else the wanted ones but for rejected requests, or all that the replicas can give.
double answered_rate(const CheckedInference& checked, const InferenceResult& result) {
  const models::Inference& inference = checked.inference;
  if (result.run && !inference.load->keeps_coming()) return result.run->output_tokens_per_s;
  const double taken = result.run ? result.run->taken_share() : 1.0;
  const double wanted = inference.wanted_requests_per_s() * inference.output_tokens * taken;
  return wanted > 0.0 ? wanted : largest_rate(checked, result);
}

/// Replicas of one kind at work.
struct PoolAtWork {
  double accelerators = 0.0;
  double busy_fraction = 1.0;  ///< share of the time in which a replica has requests under way
  models::PassTime iteration;  ///< mean
};

/// Returns the pools of replicas: one, or those for prompts and those for answers.
std::vector<PoolAtWork> pools_at_work(const CheckedInference& checked,
                                      const InferenceResult& result) {
  const double answered = answered_rate(checked, result);
  const auto share = [&](double largest) { return std::min(answered / largest, 1.0); };
  if (!result.disaggregated) {
    // Replicas that autoscaling has stopped idle.
    const double in_run = result.run ? result.run->busy_fraction * result.run->mean_replicas /
                                           static_cast<double>(result.run->num_replicas)
                                     : 0.0;
    return {{.accelerators = static_cast<double>(result.num_accelerators),
             .busy_fraction = result.run ? in_run : share(largest_rate(checked, result)),
             .iteration = result.time}};
  }
  const Disaggregated& apart = *result.disaggregated;
  const auto of_prompts = static_cast<double>(apart.prefill_replicas);
  const auto of_answers = static_cast<double>(apart.decode_replicas);
  const double output = checked.inference.output_tokens;
  PoolAtWork prefill{.accelerators = of_prompts * apart.prefill_tp,
                     .busy_fraction = share(of_prompts * apart.prefill.requests_per_s() * output),
                     .iteration = apart.prefill_time};
  PoolAtWork decode{.accelerators = of_answers * result.tp,
                    .busy_fraction = share(of_answers * result.cycle.requests_per_s() * output),
                    .iteration = result.time};
  if (result.run && result.run->pools) {
    prefill.busy_fraction = result.run->pools->prefill_busy_fraction;
    decode.busy_fraction = result.run->pools->decode_busy_fraction;
  }
  return {prefill, decode};
}

ServingPower power_of(const CheckedInference& checked, const InferenceResult& result,
                      const core::PartsList& parts) {
  const core::ComputeNode& node = checked.cluster.cluster.node;
  ServingPower power{.node = models::node_power(node, checked.power),
                     .pue = checked.power.pue,
                     .tokens_per_s = answered_rate(checked, result)};
  const auto at_work = static_cast<double>(result.nodes_for_load);
  const auto redundant = static_cast<double>(result.num_nodes - result.nodes_for_load);
  const models::NodePowerByPart& idle = power.node.parts_of(Activity::kIdle);
  models::NodePowerByPart mean = idle;
  power.busy_fraction = 0.0;
  for (const PoolAtWork& pool : pools_at_work(checked, result)) {
    const double share_used = pool.accelerators / (at_work * node.num_accelerators.value);
    const double busy = share_used * pool.busy_fraction;
    power.busy_fraction += busy;
    mean += (power.node.mean(times_of(pool.iteration)) + idle * -1.0) * busy;
  }
  power.mean = models::power_by_part(parts, mean * at_work + idle * redundant);
  power.peak = models::power_by_part(
      parts, power.node.parts_of(Activity::kCompute) * at_work + idle * redundant);
  return power;
}

}  // namespace

void add_power_and_cost(const CheckedInference& checked, InferenceResult& result) {
  if (!result.feasible()) return;
  topologies::Cluster cluster = checked.cluster.cluster;
  cluster.num_nodes = static_cast<int>(result.num_nodes);
  cluster.faults = {};  // they may name nodes that are not needed
  result.parts = checked.cluster.topology->build(cluster).parts;
  const core::PartsList& parts = result.parts;
  const ServingPower power = power_of(checked, result, parts);
  result.power = power;
  result.wanted_requests_per_s = checked.inference.wanted_requests_per_s();
  if (!checked.prices) return;
  const models::Prices& prices = *checked.prices;
  const core::Power idle = models::power_by_part(parts, power.node.parts_of(Activity::kIdle) *
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
