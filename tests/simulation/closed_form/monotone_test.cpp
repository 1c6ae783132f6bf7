// SPDX-License-Identifier: Apache-2.0
// Taking something away never makes the estimate faster, but for two things. The collective library
// chooses protocol and algorithm by its own model of a call: a slower way to the network can tip it
// to what it should have taken before. And a number of NICs that does not divide among the
// accelerators puts two channels on some NICs and one on others. Both are rare, and the worst is
// printed.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <tuple>
#include <vector>

#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "random_scenario.hpp"

namespace railwright::simulation {
namespace {

core::Duration estimate(const test::RandomSystem& system) {
  const auto built = system.checked.topology->build(system.checked.scenario.cluster);
  return estimate_step(step_costs(system.checked, built.fabric)).total();
}

using Choices = std::vector<std::tuple<models::CollectiveAlgorithm, models::CollectiveProtocol>>;

void add_choices(const test::RandomSystem& system, const core::Fabric& fabric,
                 const std::vector<int>& members, double bytes, Choices& choices) {
  if (members.size() < 2) return;
  const models::Communicator group(fabric, members, system.checked.scenario.software.collectives);
  for (const auto op : {models::CollectiveOp::kReduceScatter, models::CollectiveOp::kAllGather,
                        models::CollectiveOp::kAllReduce}) {
    const models::CollectiveChoice choice = group.choice(op, bytes);
    choices.emplace_back(choice.algorithm, choice.protocol);
  }
}

/// Of the data-parallel groups of the first tensor rank for a bucket, and of the tensor-parallel
/// groups of the first replica for the activations of a micro-batch.
Choices choices(const test::RandomSystem& system) {
  const Scenario& scenario = system.checked.scenario;
  const models::Layout& layout = system.checked.layout;
  const auto built = system.checked.topology->build(scenario.cluster);
  const double activations =
      2.0 * models::transformer_of(scenario.workload).hidden_size *
      static_cast<double>(scenario.workload.sequence_length * scenario.workload.micro_batch);
  Choices choices;
  for (int stage = 0; stage < layout.pp; ++stage) {
    std::vector<int> data_group;
    for (int data = 0; data < layout.dp; ++data) {
      data_group.push_back(layout.accelerator(0, data, stage));
    }
    add_choices(system, built.fabric, data_group, scenario.software.bucket.value.base(), choices);
    std::vector<int> tensor_group;
    for (int tensor = 0; tensor < layout.tp; ++tensor) {
      tensor_group.push_back(layout.accelerator(tensor, 0, stage));
    }
    add_choices(system, built.fabric, tensor_group, activations, choices);
  }
  return choices;
}

constexpr int kScenarios = 10'010;
constexpr double kRounding = 1e-12;
constexpr double kMaxGained = 0.15;

TEST(Estimate, IsNeverFasterWithLess) {
  test::RandomScenarios scenarios(20240501);
  core::RandomStream random(7);
  const auto& worsenings = test::worsenings();
  int num_slower = 0;
  int num_same_choices = 0;
  int num_faster = 0;
  double most = 0.0;
  for (int i = 0; i < kScenarios; ++i) {
    const test::RandomSystem system = scenarios.next();
    const core::Duration base = estimate(system);
    const auto& worsening = worsenings[static_cast<std::size_t>(i) % worsenings.size()];
    test::RandomSystem worse = system;
    worsening.apply(worse, random);
    const core::Duration time = estimate(worse);
    if (choices(system) == choices(worse)) ++num_same_choices;
    EXPECT_GE(time / base, 1.0 - kMaxGained)
        << "less " << worsening.name << ": " << system.describe() << "; now " << worse.describe();
    if (time > base) ++num_slower;
    if (time < base * (1.0 - kRounding)) ++num_faster;
    most = std::max(most, 1.0 - time / base);
  }
  std::cout << num_faster << " of " << kScenarios << " designs faster with less, the most by "
            << 100.0 * most << " %\n";
  EXPECT_LE(num_faster, kScenarios / 1000);
  // The property would hold of a constant too.
  EXPECT_GT(num_slower, kScenarios / 3);
  EXPECT_GT(num_same_choices, kScenarios * 9 / 10);
}

}  // namespace
}  // namespace railwright::simulation
