// SPDX-License-Identifier: Apache-2.0
// What must hold of a step with every way of running it that has a name: schedules, recompute
// modes, ZeRO stages, kernels, optimizers, offload tiers, transports, libraries, profiles and
// installations, each laid over one scenario. All come from their lists: a new one is covered.
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "library.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/models/checkpoint/checkpoint.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::models {
namespace {

struct Way {
  std::string name;
  test::Settings settings;
};

template <class Enum>
void add_all(const std::string& key, std::vector<Way>& ways) {
  for (const std::string& name : core::detail::element<Enum>().choices) {
    std::string setting = key;
    setting.append("=").append(name);
    ways.push_back({setting, {setting}});
  }
}

/// Every entry of a kind of the catalogue, put where `before` and `after` say.
void add_catalogue(const std::string& kind, const std::string& before, const std::string& after,
                   std::vector<Way>& ways) {
  for (const auto& name : core::Catalogue(simulation::catalogue_roots()).names(kind)) {
    std::string setting = before;
    setting.append(name).append(after);
    ways.push_back({setting, {setting}});
  }
}

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  add_all<Schedule>("parallelism.schedule", ways);
  add_all<Recompute>("software.recompute", ways);
  add_all<AttentionKernel>("software.attention", ways);
  add_all<Elementwise>("software.elementwise", ways);
  add_all<Optimizer>("software.optimizer", ways);
  add_all<CheckpointSharding>("software.checkpoint.sharding", ways);
  add_all<CollectiveAlgorithm>("software.collectives.all_reduce_algorithm", ways);
  // Of sends alone.
  std::erase_if(ways, [](const Way& way) { return way.name.ends_with("=pairwise"); });
  add_all<core::NicWiring>("cluster.node.nics.wiring", ways);
  for (int stage = 0; stage <= 3; ++stage) {
    std::string setting = "software.zero_stage=";
    setting.append(std::to_string(stage));
    ways.push_back({setting, {setting, stage > 1 ? "parallelism.pp=1" : "parallelism.pp=2"}});
  }
  for (const auto& name :
       core::Catalogue(simulation::catalogue_roots()).names("collective_libraries")) {
    ways.push_back({"software.collectives=" + name, test::on_its_devices(name)});
  }
  for (const auto& name : core::Catalogue(simulation::catalogue_roots()).names("transports")) {
    const std::string setting = "cluster.node.nics.transport=" + name;
    const bool is_ethernet = name == "efa" || name == "roce";
    const std::string fits = is_ethernet ? "z9664f-on" : "qm9790";
    ways.push_back({setting, {setting, "cluster.fabric.switch=" + fits}});
  }
  add_catalogue("installations", "installation=", "", ways);
  add_catalogue("offload_tiers", "software.offload={optimizer: ", "}", ways);
  return ways;
}

/// A model of sixteen layers on two nodes, two stages of two tensor ranks.
test::Settings base() {
  return {"workload.model.num_layers=16", "parallelism.pp=2", "workload.global_batch=32"};
}

core::Duration step(const simulation::CheckedScenario& checked) {
  const auto built = checked.topology->build(checked.scenario.cluster);
  return simulation::simulate_step(simulation::step_costs(checked, built.fabric)).step_time;
}

class StepContract : public testing::TestWithParam<Way> {
 protected:
  StepContract() : checked_(test::scenario(test::join(base(), GetParam().settings))) {}
  simulation::CheckedScenario checked_;
};

TEST_P(StepContract, BreakdownsAddUpAndEstimatesAreNear) {
  const auto built = checked_.topology->build(checked_.scenario.cluster);
  const auto costs = simulation::step_costs(checked_, built.fabric);
  const simulation::StepResult result = simulation::simulate_step(costs);
  const double time = result.step_time.base();
  EXPECT_TRUE(std::isfinite(time));
  EXPECT_GT(time, 0.0);
  for (const core::Duration part : result.breakdown.time) EXPECT_GE(part.base(), 0.0);
  EXPECT_NEAR(result.breakdown.total().base(), time, 1e-9 * time);
  // 5.1 % under DualPipe, where both directions send at once; less everywhere else.
  EXPECT_NEAR(simulation::estimate_step(costs).total().base(), time, 0.06 * time);
}

// Six operations a token and parameter of a matrix are the least a step has to compute: 16 layers
// of 4 * 4096^2 + 3 * 4096 * 11008 weights and a head of 4096 * 32000, 32 sequences of 4096.
TEST_P(StepContract, NoStepIsShorterThanItsWorkAtThePeak) {
  const double weights = 16.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 4096.0 * 32000;
  const double work = 6.0 * weights * 32 * 4096;
  const double peak = 16 * checked_.scenario.cluster.node.accelerator.bf16_rate.value.base();
  EXPECT_GE(step(checked_).base(), work / peak);
}

TEST_P(StepContract, FasterDevicesAreNeverSlower) {
  const core::Duration before = step(checked_);
  simulation::CheckedScenario faster = checked_;
  core::Accelerator& device = faster.scenario.cluster.node.accelerator;
  device.bf16_rate.value *= 2.0;
  device.memory_bandwidth.value *= 2.0;
  const core::Duration after = step(faster);
  EXPECT_LE(after / before, 1.0 + 1e-9);
  EXPECT_GE(after / before, 0.5 - 1e-9);
}

// Whatever is spread, all devices together hold two bytes of each weight.
TEST_P(StepContract, MemoryHoldsTheParametersShare) {
  const Layout& layout = checked_.layout;
  const MemoryUse use =
      largest_memory_use(checked_.scenario.workload, layout, checked_.scenario.software);
  const double weights = 16.0 * (4.0 * 4096 * 4096 + 3.0 * 4096 * 11008) + 2.0 * 4096 * 32000;
  const bool spread = checked_.scenario.software.zero_stage.value == 3;
  const double holders = layout.tp * layout.pp * (spread ? layout.dp : 1);
  EXPECT_GE(use.total().base(), 2.0 * weights / holders);
  for (const MemoryLine& line : use.lines) EXPECT_GE(line.size.base(), 0.0) << line.name;
}

TEST_P(StepContract, CheckpointFilesAddUpToTheByte) {
  const auto built = checked_.topology->build(checked_.scenario.cluster);
  const auto& training = checked_.scenario.workload;
  const CheckpointFormat& format = checked_.scenario.software.checkpoint;
  std::int64_t sum = 0;
  for (const CheckpointFile& file :
       checkpoint_files(checked_.scenario.cluster.node.num_accelerators.value, training,
                        checked_.layout, format)) {
    EXPECT_GE(file.bytes, 0);
    sum += file.bytes;
  }
  EXPECT_EQ(sum, checkpoint_bytes(training, format));
}

// Products that run beside a collective take (slowdown - 1) of the time they share with it more:
// twice the excess costs twice as much, at most the half of the products that tp 2 lays beside.
TEST(OverlapSlowdown, CostsItsExcessOfTheTimeThatIsShared) {
  const auto products = [](const std::string& slowdown) {
    const test::BuiltScenario built(test::join(
        base(), {"parallelism.sequence_parallel=true", "software.overlap_tensor_parallel=true",
                 "software.overlap_slowdown=" + slowdown}));
    return simulation::estimate_step(built.costs)[simulation::Cause::kMatrixProducts].base();
  };
  const double alone = products("1");
  const double shared = products("2") - alone;
  EXPECT_GT(shared, 0.01 * alone);
  EXPECT_LE(shared, 0.5 * alone);
  EXPECT_NEAR(products("1.5") - alone, 0.5 * shared, 1e-9 * alone);
}

INSTANTIATE_TEST_SUITE_P(Registered, StepContract, testing::ValuesIn(all_ways()),
                         [](const auto& way) {
                           std::string name = way.param.name;
                           for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace railwright::models
