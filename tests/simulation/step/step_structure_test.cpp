// SPDX-License-Identifier: Apache-2.0
// The costs of a structure against those that are made and folded anew.
#include "railwright/simulation/step/step_structure.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/simulation/step/known_steps.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::test {
namespace {

using simulation::CheckedScenario;
using simulation::StepCosts;
using simulation::StepStructure;

CheckedScenario with(const std::string& example, const std::vector<std::string>& settings) {
  const core::Node tree =
      simulation::load_scenario_tree(kSource + "/examples/" + example, settings);
  return simulation::ScenarioSource(tree, source_catalogue()).checked_without_basis();
}

core::Duration simulated(const StepCosts& costs) {
  return simulate_step(costs, simulation::Symmetry::kUnfolded).step_time;
}

/// Rates of every part of a step; the last two let the library choose other algorithms.
const std::vector<std::vector<std::string>> kChanges{
    {},
    {"cluster.node.accelerator.bf16_rate=700 TFLOP/s"},
    {"cluster.node.accelerator.pcie_bandwidth=60 GB/s"},
    {"cluster.node.accelerator.scale_up_bandwidth=400 GB/s"},
    {"cluster.node.nics.nic.line_rate=390 Gb/s"},
    {"cluster.node.nics.nic.pcie_bandwidth=40 GB/s"},
    {"cluster.node.nics.nic.latency=2 us"},
    {"cluster.fabric.switch.port_rate=380 Gb/s"},
    {"cluster.fabric.switch.latency=400 ns"},
    {"installation.nic_efficiency=0.7"},
    {"software.collectives.network_launch=20 us"},
    {"software.bucket=40 MB"},
    {"cluster.node.nics.nic.line_rate=20 Gb/s"},
    {"cluster.node.accelerator.scale_up_bandwidth=5 GB/s"}};

TEST(StepStructure, CostsAreThoseOfAllReplicasFolded) {
  int num_tried = 0;
  for (const char* example :
       {"neutral-llama-2-7b.yaml", "llama-2-70b-six-nodes.yaml", "rail-optimized-256.yaml",
        "xe9680-4-vs-8-nics.yaml", "mi300x-fine-tuning.yaml"}) {
    const CheckedScenario base = with(example, {});
    const auto built = base.topology->build(base.scenario.cluster);
    const StepStructure structure(base, built.fabric);
    for (const auto& change : kChanges) {
      SCOPED_TRACE(std::string(example) + (change.empty() ? "" : " " + change.front()));
      CheckedScenario changed;
      try {
        changed = with(example, change);
      } catch (const core::ConfigError&) {
        continue;  // no such key here
      }
      const auto fabric = changed.topology->build(changed.scenario.cluster);
      const StepCosts all = step_costs(changed, fabric.fabric);
      const StepCosts of_classes = structure.costs(changed, fabric.fabric);
      EXPECT_NEAR(estimate_step(of_classes).total() / estimate_step(all).total(), 1.0, 1e-12);
      EXPECT_NEAR(simulated(of_classes) / simulate_step(all).step_time, 1.0, 1e-9);
      ++num_tried;
    }
  }
  EXPECT_GE(num_tried, 50);
}

/// Whether links of a class of `finer` are always of one class of `coarser`.
bool are_refined(const std::vector<std::int32_t>& finer, const std::vector<std::int32_t>& coarser) {
  std::map<std::int32_t, std::int32_t> known;
  for (std::size_t link = 0; link < finer.size(); ++link) {
    if (known.try_emplace(finer[link], coarser[link]).first->second != coarser[link]) return false;
  }
  return finer.size() == coarser.size();
}

/// What is made at once is what is made one after another, bit by bit: also where an adapter and a
/// switch port of the same rate are of one class, until they are told apart by their ends.
TEST(StructuredStep, HasTheCostsAndClassesOfEachAlone) {
  for (const char* port : {"{model: qm9790, port_rate: 400 Gb/s}", "qm9790"}) {
    const CheckedScenario base =
        with("rail-optimized-256.yaml", {std::string("cluster.fabric.switch=") + port});
    const auto built = base.topology->build(base.scenario.cluster);
    const simulation::StructuredStep made = structured_step(base, built.fabric);
    const StepCosts costs = step_costs(base, built.fabric);
    const simulation::FoldedCosts folded = fold(costs);
    EXPECT_EQ(content_of(made.costs), content_of(costs));
    EXPECT_TRUE(are_refined(made.folded.link_class, folded.link_class));
    EXPECT_EQ(made.folded.replica_class, folded.replica_class);
    EXPECT_EQ(estimate_step(made.folded.costs).total(), estimate_step(folded.costs).total());
    EXPECT_EQ(simulate_step(made.folded).step_time, simulate_step(folded).step_time);
    const StepStructure alone(base, built.fabric);
    EXPECT_EQ(content_of(made.structure.costs(base, built.fabric)),
              content_of(alone.costs(base, built.fabric)));
    EXPECT_EQ(simulate_step(made.folded).link_bytes, simulate_step(costs).link_bytes);
  }
}

/// An adapter and a switch port of the same rate are on the same way: one of them slower, and the
/// links that were of one class differ.
TEST(StepStructure, LinksThatAreAlikeByChanceMayDiffer) {
  const CheckedScenario base = with("rail-optimized-256.yaml",
                                    {"cluster.fabric.switch={model: qm9790, port_rate: 400 Gb/s}"});
  const auto built = base.topology->build(base.scenario.cluster);
  const StepStructure structure(base, built.fabric);
  const CheckedScenario slower =
      with("rail-optimized-256.yaml", {"cluster.fabric.switch={model: qm9790, port_rate: 400 Gb/s}",
                                       "cluster.node.nics.nic.line_rate=200 Gb/s"});
  const auto fabric = slower.topology->build(slower.scenario.cluster);
  const core::Duration time = simulated(structure.costs(slower, fabric.fabric));
  EXPECT_NEAR(time / simulate_step(step_costs(slower, fabric.fabric)).step_time, 1.0, 1e-9);
  EXPECT_GT(time, simulated(structure.costs(base, built.fabric)));
}

}  // namespace
}  // namespace railwright::test
