// SPDX-License-Identifier: Apache-2.0
// A design that does not fit is an answer: it names what does not, with the numbers.
#include <gtest/gtest.h>

#include "bad_input.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/planner/out/text.hpp"
#include "railwright/planner/verbs/simulate.hpp"

namespace railwright::test {
namespace {

planner::SimulationResult simulated(const Lines& settings) {
  core::Node tree = core::parse_yaml(sound_scenario(), "s.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return planner::simulate(planner::read_scenario(tree, small_catalogue()));
}

Lines reasons(const planner::SimulationResult& result) {
  Lines lines;
  for (const planner::Infeasibility& one : result.infeasible) lines.push_back(one.what);
  return lines;
}

TEST(Infeasible, NothingIsWrongWithTheSoundOne) { EXPECT_EQ(reasons(simulated({})), Lines{}); }

TEST(Infeasible, Memory) {
  const auto result = simulated({"workload.model=llama-2-70b"});
  EXPECT_EQ(reasons(result),
            Lines{"an accelerator of stage 0 needs 320 GB of its 80.0 GB memory, 240 GB too much; "
                  "most of it gradients, 138 GB"});
  const std::string text = planner::to_text(result);
  EXPECT_NE(text.find("does not fit"), std::string::npos);
  EXPECT_EQ(text.find("training time"), std::string::npos);
  EXPECT_EQ(text.find("checkpoint"), std::string::npos);
}

TEST(Infeasible, PortsOfOneSwitch) {
  EXPECT_EQ(reasons(simulated({"cluster.nodes=9", "workload.global_batch=72"})),
            Lines{"9 nodes x 8 NICs need 72 ports; qm9790 has 64"});
}

TEST(Infeasible, PortsOfTwoSwitches) {
  const std::string fabric =
      "cluster.fabric={topology: dual_switch, switch: qm9790, inter_switch_links: 32}";
  EXPECT_EQ(reasons(simulated({"cluster.nodes=24", "workload.global_batch=192", fabric})),
            (Lines{"24 nodes x 8 NICs = 192 host ports and 2 x 32 inter-switch ports; 2 x qm9790 "
                   "have 128; with 2 NICs it fits at 1:1",
                   "53 ports on a front-end switch; s5232f-on has 32"}));
}

TEST(Infeasible, EverythingAtOnce) {
  EXPECT_EQ(reasons(simulated({"cluster.nodes=9", "workload.global_batch=72",
                               "workload.model=llama-2-70b"}))
                .size(),
            2U);
}

}  // namespace
}  // namespace railwright::test
