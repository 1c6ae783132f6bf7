// SPDX-License-Identifier: Apache-2.0
// Steps on the links that can bind against steps on all links, which watching one of them asks for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_source.hpp"
#include "railwright/simulation/step/program.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::test {
namespace {

using simulation::Execution;
using simulation::Program;

/// Ends within ticks of each other, and the same bytes on every link.
void expect_same_on_all_links(const Program& program, const std::vector<double>& capacity) {
  const Execution few = execute(program, capacity);
  const Execution all = execute(program, capacity, {0});
  ASSERT_EQ(few.end.size(), all.end.size());
  for (std::size_t op = 0; op < few.end.size(); ++op) {
    const auto ticks = static_cast<double>(all.end[op].count);
    ASSERT_NEAR(static_cast<double>(few.end[op].count), ticks, 4.0 + 1e-9 * ticks) << op;
  }
  ASSERT_EQ(few.link_bytes.size(), capacity.size());
  for (std::size_t link = 0; link < capacity.size(); ++link) {
    ASSERT_NEAR(few.link_bytes[link], all.link_bytes[link], 1e-9 * all.link_bytes[link]) << link;
  }
}

/// Transfers that begin at any time, several of a flow at once. Capacities and coefficients are of
/// few values, so that many links are equal or bind together.
TEST(BindingLinks, GiveTheTimesOfAllLinks) {
  std::mt19937 random(11);
  const auto below = [&](int limit) { return static_cast<int>(random() % limit); };
  for (int draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    std::vector<double> capacity;
    for (int link = 0; link < 4 + below(20); ++link) capacity.push_back(1e9 * (1 + below(3)));
    std::deque<models::CollectiveFlow> flows;
    for (int f = 0; f < 2 + below(8); ++f) {
      models::CollectiveFlow& flow = flows.emplace_back();
      for (std::size_t link = 0; link < capacity.size(); ++link) {
        if (below(3) > 0) continue;
        flow.route.push_back({static_cast<core::LinkId>(link), 0.25 * (1 + below(4))});
      }
      if (flow.route.empty()) flow.route.push_back({0, 1.0});
      if (below(3) == 0) flow.ceiling = 3e8;
    }
    Program program;
    for (const models::CollectiveFlow& flow : flows) program.flows.push_back(&flow);
    for (int op = 0; op < 40; ++op) {
      program.ops.push_back({.kind = simulation::OpKind::kPipelineTransfer,
                             .flow = below(static_cast<int>(flows.size())),
                             .delay = core::StepTime{below(1'000'000'000)},
                             .bytes = 100'000 + below(1'000'000)});
    }
    program.num_predecessors.assign(program.ops.size(), 0);
    program.first_successor.assign(program.ops.size() + 1, 0);
    program.stage_of_group = {0};
    program.partner_of_stage = {0};
    expect_same_on_all_links(program, capacity);
  }
}

TEST(BindingLinks, GiveTheStepsOfAllLinksOnEveryRouting) {
  for (const char* example : {"pod-256.yaml", "one-leaf-down.yaml"}) {
    for (const char* policy : {"static", "ecmp", "adaptive"}) {
      SCOPED_TRACE(std::string(example) + " " + policy);
      const core::Node tree = simulation::load_scenario_tree(
          kSource + "/examples/" + example,
          {std::string("cluster.routing.policy=") + policy, "workload.global_batch=64"});
      const auto checked =
          simulation::ScenarioSource(tree, source_catalogue()).checked_without_basis();
      const auto built = checked.topology->build(checked.scenario.cluster);
      const simulation::StepCosts costs = step_costs(checked, built.fabric);
      expect_same_on_all_links(make_program(costs), costs.capacity);
    }
  }
}

}  // namespace
}  // namespace railwright::test
