// SPDX-License-Identifier: Apache-2.0
// Steps that are known against steps that are simulated, with each kind of key flipped.
#include "railwright/simulation/step/known_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/parallel_for.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/fold.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::test {
namespace {

using simulation::KnownSteps;
using simulation::StepCosts;
using simulation::StepResult;

/// Keys of every section; the last ones change no step.
const std::vector<std::string> kFlips{"workload.global_batch=64",
                                      "workload.micro_batch=2",
                                      "workload.sequence_length=2048",
                                      "workload.model=llama-2-13b",
                                      "parallelism.tp=2",
                                      "parallelism.pp=2",
                                      "parallelism.rank_order=tp-cp-ep-pp-dp",
                                      "parallelism.sequence_parallel=true",
                                      "cluster.node.accelerator.bf16_rate=700 TFLOP/s",
                                      "cluster.node.accelerator.scale_up_bandwidth=300 GB/s",
                                      "cluster.node.nics.nic.line_rate=200 Gb/s",
                                      "cluster.node.nics.nic.latency=9 us",
                                      "cluster.node.nics.count=4",
                                      "cluster.fabric.switch.latency=900 ns",
                                      "cluster.faults.nodes_slow=[{node: 0, speed: 0.5}]",
                                      "cluster.faults.nics=[{node: 0, nic: 0}]",
                                      "software.bucket=25 MB",
                                      "software.zero_stage=0",
                                      "software.zero_stage=3",
                                      "software.recompute=full",
                                      "software.step_overhead=3 ms",
                                      "software.overlap_slowdown=1.2",
                                      "software.overlap_gradient_reduce=false",
                                      "installation.nic_efficiency=0.7",
                                      "workload.steps=77",
                                      "run.num_spares=1",
                                      "run.start_up=1 min"};

StepCosts costs_of(const std::string& example, const std::vector<std::string>& settings) {
  const core::Node tree =
      simulation::load_scenario_tree(kSource + "/examples/" + example, settings);
  const auto checked = simulation::ScenarioSource(tree, source_catalogue()).checked_without_basis();
  return step_costs(checked, checked.topology->build(checked.scenario.cluster).fabric);
}

void expect_same(const StepResult& a, const StepResult& b) {
  EXPECT_EQ(a.step_time, b.step_time);
  EXPECT_EQ(a.breakdown.time, b.breakdown.time);
  EXPECT_EQ(a.link_bytes, b.link_bytes);
  EXPECT_EQ(a.num_replica_classes, b.num_replica_classes);
}

TEST(KnownSteps, AreTheStepsThatTheyStandFor) {
  KnownSteps known;
  std::size_t num_tried = 0;
  for (const char* example : {"neutral-llama-2-7b.yaml", "rail-optimized-256.yaml"}) {
    expect_same(known.simulate(costs_of(example, {})), simulate_step(costs_of(example, {})));
    for (const std::string& flip : kFlips) {
      SCOPED_TRACE(std::string(example) + " " + flip);
      StepCosts costs;
      try {
        costs = costs_of(example, {flip});
      } catch (const core::ConfigError&) {
        continue;  // not together with the rest of this one
      }
      const StepResult expected = simulate_step(costs);
      expect_same(known.simulate(costs), expected);
      const std::size_t before = known.num_reused();
      expect_same(known.simulate(costs), expected);
      EXPECT_EQ(known.num_reused(), before + 1);
      ++num_tried;
    }
  }
  EXPECT_GE(num_tried, 35U);
}

/// What changes no step is answered without events, whatever the thread.
TEST(KnownSteps, StepsOfRunsThatDifferAreTheSame) {
  KnownSteps known;
  const StepCosts costs = costs_of("neutral-llama-2-7b.yaml", {});
  const StepResult first = known.simulate(costs);
  EXPECT_EQ(known.num_reused(), 0U);
  core::parallel_for(8, [&](std::size_t i) {
    const std::string flip = i % 2 == 0 ? "workload.steps=77" : "run.start_up=1 min";
    EXPECT_EQ(known.simulate(costs_of("neutral-llama-2-7b.yaml", {flip})).step_time,
              first.step_time);
  });
  EXPECT_EQ(known.num_reused(), 8U);
}

/// A number that no field shows is in the content too: costs differ by one bit of one of them.
TEST(KnownSteps, TellApartCostsThatDifferInOneBit) {
  const StepCosts costs = fold(costs_of("neutral-llama-2-7b.yaml", {})).costs;
  const auto content = content_of(costs);
  StepCosts other = costs;
  core::Duration& wait = other.stages.back().backward.back().compute.host_wait;
  wait = core::Duration::from_base(std::nextafter(wait.base(), 1.0));
  EXPECT_NE(content_of(other), content);
  other = costs;
  other.calls[1].circles.push_back(0);
  EXPECT_NE(content_of(other), content);
  other = costs;
  other.reduces_every_microbatch = !other.reduces_every_microbatch;
  EXPECT_NE(content_of(other), content);
  EXPECT_EQ(content_of(costs), content);
}

}  // namespace
}  // namespace railwright::test
