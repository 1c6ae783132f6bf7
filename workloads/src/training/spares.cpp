// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/training/spares.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/reliability/failure_process.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

namespace {

constexpr double kChance = 0.95;

bool takes_node_away(models::Component component) {
  return component != models::Component::kSoftware &&
         component != models::Component::kStorageNode && component != models::Component::kPower;
}

/// Returns the mean number of failures under repair at a time, by the number of nodes that each
/// took; those of single nodes as the run had them.
std::vector<double> mean_out_by_size(const Scenario& scenario, const JobRun& run) {
  const models::Reliability& fleet = *scenario.reliability;
  const core::ComputeNode& node = scenario.cluster.node;
  const models::FleetSize job = models::fleet_of(node, scenario.cluster.num_nodes);
  std::vector<double> mean(2, 0.0);
  double single = 0.0;
  for (std::size_t i = 0; i < models::kNumComponents; ++i) {
    const auto component = static_cast<models::Component>(i);
    if (takes_node_away(component)) single += run.failures[i];
  }
  for (const models::FailureRate& rate : fleet.failures) {
    const bool takes_several = models::is_group(rate.component) || rate.num_nodes > 1;
    if (!takes_several || !takes_node_away(rate.component)) continue;
    const double expected =
        models::expected_failures(rate, models::num_components(rate, job), run.training_time());
    const core::Duration repair = (rate.repair ? *rate.repair : fleet.repair).value;
    const auto num_nodes = static_cast<std::size_t>(std::min(rate.num_nodes, job.num_nodes));
    const std::size_t size = num_nodes * static_cast<std::size_t>(job.trays_per_node);
    if (size >= mean.size()) mean.resize(size + 1, 0.0);
    mean[size] += expected * (repair / run.training_time());
    single -= expected;
  }
  mean[1] += std::max(0.0, single) * (fleet.repair.value / run.training_time());
  return mean;
}

/// Returns P(so many nodes are out), given those of fewer: a compound Poisson distribution by
/// Panjer's recursion, n * P(n) = sum over sizes s of s * mean(s) * P(n - s).
double probability_of(std::size_t num_out, const std::vector<double>& mean,
                      const std::vector<double>& fewer) {
  double sum = 0.0;
  for (std::size_t size = 1; size < mean.size() && size <= num_out; ++size) {
    sum += static_cast<double>(size) * mean[size] * fewer[num_out - size];
  }
  return sum / static_cast<double>(num_out);
}

}  // namespace

int spares_for(const Scenario& scenario, const JobRun& run) {
  if (!scenario.reliability) return 0;
  const std::vector<double> mean = mean_out_by_size(scenario, run);
  double all = 0.0;
  for (const double one : mean) all += one;
  std::vector<double> probability{std::exp(-all)};
  double sum = probability.front();
  int spares = 0;
  const core::ComputeNode& node = scenario.cluster.node;
  const int num_trays = scenario.cluster.num_nodes * node.num_trays;
  while (sum < kChance && spares < num_trays) {
    ++spares;
    probability.push_back(probability_of(probability.size(), mean, probability));
    sum += probability.back();
  }
  const int not_in_racks = std::max(0, spares - scenario.cluster.num_nodes * node.spare_trays);
  return core::ceil_div(not_in_racks, node.num_trays);
}

}  // namespace railwright::simulation
