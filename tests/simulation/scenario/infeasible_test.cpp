// SPDX-License-Identifier: Apache-2.0
// A design that does not fit is an answer: it names what does not, with the numbers.
#include <gtest/gtest.h>

#include "../../support/source_tree.hpp"
#include "bad_input.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::test {
namespace {

simulation::SimulationResult simulated(const Lines& settings,
                                       const core::Catalogue& catalogue = small_catalogue()) {
  core::Node tree = core::parse_yaml(sound_scenario(), "s.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return simulation::simulate(simulation::read_scenario(tree, catalogue));
}

Lines reasons(const simulation::SimulationResult& result) {
  Lines lines;
  for (const simulation::Infeasibility& one : result.infeasible) lines.push_back(one.what);
  return lines;
}

TEST(Infeasible, NothingIsWrongWithTheSoundOne) { EXPECT_EQ(reasons(simulated({})), Lines{}); }

TEST(Infeasible, Memory) {
  const auto result = simulated({"workload.model=llama-2-70b"});
  EXPECT_EQ(
      reasons(result),
      Lines{"an accelerator of stage 0 needs 298 GiB of its 79.6 GiB memory, 218 GiB too much; "
            "most of it gradients, 128 GiB"});
  const std::string text = output::verdict(result, {}) + output::to_text(result);
  EXPECT_NE(text.find("does not fit"), std::string::npos);
  EXPECT_EQ(text.find("training time"), std::string::npos);
  EXPECT_EQ(text.find("checkpoint"), std::string::npos);
}

/// The change fits, and of the changes that do none has a shorter step.
TEST(Infeasible, NamesTheSmallestChange) {
  const Lines too_big{"workload.micro_batch=8", "workload.global_batch=128"};
  const auto result = simulated(too_big);
  ASSERT_FALSE(result.feasible());
  ASSERT_TRUE(result.smallest_change);
  const auto with = [&](std::string setting) {
    return simulated({too_big[0], too_big[1], std::move(setting)});
  };
  const auto changed = with(result.smallest_change->setting);
  EXPECT_TRUE(changed.feasible());
  EXPECT_EQ(changed.memory.total(), result.smallest_change->memory);
  EXPECT_NE(
      output::verdict(result, {})
          .find("--set " + result.smallest_change->setting + ": the smallest change that fits"),
      std::string::npos);
  int fitting = 0;
  for (const char* other :
       {"workload.micro_batch=4", "workload.micro_batch=2", "workload.micro_batch=1",
        "software.recompute=full", "parallelism.tp=4", "parallelism.tp=8", "parallelism.pp=2"}) {
    const auto rival = with(other);
    if (!rival.feasible()) continue;
    ++fitting;
    EXPECT_GE(rival.step_time.base(), 0.97 * changed.step_time.base()) << other;
  }
  EXPECT_GT(fitting, 1);
  EXPECT_FALSE(simulated({"cluster.nodes=9", "workload.global_batch=72"}).smallest_change);
}

/// Most of what does not fit are logits, of a micro-batch that cannot be halved.
TEST(Infeasible, NamesALossInChunks) {
  const auto with = [](const std::string& setting) {
    return simulation::simulate(simulation::read_scenario(
        simulation::load_scenario_tree(
            RAILWRIGHT_SOURCE_DIR "/examples/long-context-llama-3.1-8b.yaml",
            {"workload.sequence_length=1310720", "software.loss_chunk=0", setting}),
        source_catalogue()));
  };
  const auto result = with("workload.micro_batch=1");
  ASSERT_FALSE(result.feasible());
  ASSERT_TRUE(result.smallest_change);
  EXPECT_EQ(result.smallest_change->setting, "software.loss_chunk=8192");
  const auto changed = with(result.smallest_change->setting);
  EXPECT_TRUE(changed.feasible());
  EXPECT_EQ(changed.memory.total(), result.smallest_change->memory);
}

/// A change with which the memory suffices is none if the storage does not.
TEST(Infeasible, NamesNoChangeWithWhichTheRunDoesNotFit) {
  const Lines too_big{"workload.micro_batch=8", "workload.global_batch=128",
                      "workload.steps=1000000", "checkpoint={interval_steps: 100}"};
  const auto result = simulated(too_big);
  EXPECT_FALSE(result.smallest_change);
  ASSERT_EQ(result.infeasible.size(), 2U);
  EXPECT_TRUE(result.infeasible[1].what.starts_with("with ")) << result.infeasible[1].what;
  EXPECT_NE(result.infeasible[1].what.find(" the memory suffices, but files and checkpoints take "),
            std::string::npos)
      << result.infeasible[1].what;
  Lines retained = too_big;
  retained.back() = "checkpoint={interval_steps: 100, retention: 3}";
  EXPECT_TRUE(simulated(retained).smallest_change);
}

TEST(Infeasible, NamesTheFewestFrontEndSwitches) {
  const auto with = [](int nodes, int switches) {
    return simulation::simulate(
        simulation::read_scenario(simulation::load_scenario_tree(
                                      RAILWRIGHT_SOURCE_DIR "/examples/llama-2-70b-six-nodes.yaml",
                                      {"cluster.nodes=" + std::to_string(nodes),
                                       "workload.global_batch=" + std::to_string(24 * nodes),
                                       "cluster.fabric={topology: rail_optimized, switch: qm9790}",
                                       "cluster.storage.peer_links=1",
                                       "cluster.storage.num_switches=" + std::to_string(switches)}),
                                  source_catalogue()));
  };
  const auto result = with(64, 2);
  ASSERT_FALSE(result.feasible());
  ASSERT_TRUE(result.smallest_change);
  const std::string& setting = result.smallest_change->setting;
  ASSERT_TRUE(setting.starts_with("cluster.storage.num_switches=")) << setting;
  const int fewest = std::stoi(setting.substr(setting.find('=') + 1));
  EXPECT_TRUE(with(64, fewest).feasible());
  EXPECT_FALSE(with(64, fewest - 1).feasible());
}

/// A scenario that names no site has the band of published families like it, a fitted site none.
TEST(Band, IsThatOfSitesNobodyHasMeasured) {
  const auto neutral = simulated({}, source_catalogue());
  EXPECT_LT(neutral.step_time_low, neutral.step_time);
  EXPECT_GT(neutral.step_time_high, neutral.step_time);
  EXPECT_NE(output::verdict(neutral, {}).find("spread between sites)"), std::string::npos);
  const auto measured = simulated({"installation={compute_efficiency: {value: 0.9, source: test}}"},
                                  source_catalogue());
  EXPECT_EQ(measured.step_time_low, measured.step_time);
  EXPECT_NE(output::verdict(measured, {}).find("80 % interval   none"), std::string::npos);
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
