// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/power/node_power.hpp"

#include <gtest/gtest.h>

#include "railwright/core/units/literals.hpp"
#include "railwright/models/power/power_by_part.hpp"

namespace railwright::models {
namespace {

using namespace core::literals;  // NOLINT(google-build-using-namespace)
using core::Duration;
using core::Power;

core::ComputeNode node_of(double idle, double compute, double communication) {
  core::ComputeNode node;
  node.power_idle = core::Sourced<Power>{Power::from_base(idle), "test", false};
  node.power_compute = core::Sourced<Power>{Power::from_base(compute), "test", false};
  node.power_communication = core::Sourced<Power>{Power::from_base(communication), "test", false};
  return node;
}

PowerPlan capped(double cap, double exponent = 3.0) {
  return {.node_cap = Power::from_base(cap), .clock_exponent = exponent};
}

TEST(NodePower, IsWhatTheNodeSays) {
  const NodePower power = node_power(node_of(1000, 5000, 3000), {});
  EXPECT_EQ(power.of(Activity::kIdle), 1000.0_W);
  EXPECT_EQ(power.of(Activity::kCompute), 5000.0_W);
  EXPECT_EQ(power.of(Activity::kCommunication), 3000.0_W);
  EXPECT_EQ(power.clock, 1.0);
}

TEST(NodePower, OfANodeThatSaysNothingFollowsTheMeasuredOne) {
  core::ComputeNode node;
  node.power.value = 684.0_W;  // a tenth of the node that was measured
  const NodePower power = node_power(node, {});
  EXPECT_NEAR(power.of(Activity::kIdle).base(), 205.0, 1e-9);
  EXPECT_NEAR(power.of(Activity::kCompute).base(), 720.0, 1e-9);
  EXPECT_NEAR(power.of(Activity::kCommunication).base(), 507.0, 1e-9);
  node.power_idle = core::Sourced<Power>{100.0_W, "test", false};
  EXPECT_EQ(node_power(node, {}).of(Activity::kIdle), 100.0_W);
}

TEST(NodePower, MeanIsByTime) {
  const NodePower power = node_power(node_of(1000, 5000, 3000), {});
  // 2 s at 1 kW, 5 s at 5 kW and 3 s at 3 kW: 36 kJ in 10 s.
  EXPECT_DOUBLE_EQ(power.mean({2.0_s, 5.0_s, 3.0_s}).base(), 3600.0);
  EXPECT_EQ(power.mean({}), 1000.0_W);
}

TEST(NodePower, CapSlowsTheClockByItsPower) {
  // An eighth of what compute adds to idle is left: half the clock, cubed.
  const NodePower power = node_power(node_of(1000, 5000, 3000), capped(1500));
  EXPECT_NEAR(power.clock, 0.5, 1e-12);
  EXPECT_EQ(power.of(Activity::kIdle), 1000.0_W);
  EXPECT_EQ(power.of(Activity::kCompute), 1500.0_W);
  EXPECT_EQ(power.of(Activity::kCommunication), 1500.0_W);
  EXPECT_NEAR(node_power(node_of(1000, 5000, 3000), capped(1500, 1.0)).clock, 0.125, 1e-12);
}

TEST(NodePower, CapThatIsNotReachedChangesNothing) {
  const NodePower power = node_power(node_of(1000, 5000, 3000), capped(5000));
  EXPECT_EQ(power.clock, 1.0);
  EXPECT_EQ(power.of(Activity::kCompute), 5000.0_W);
}

TEST(NodePower, CapAtIdleLeavesNoClock) {
  EXPECT_EQ(node_power(node_of(1000, 5000, 3000), capped(1000)).clock, 0.0);
  EXPECT_EQ(node_power(node_of(1000, 5000, 3000), capped(10)).clock, 0.0);
}

TEST(NodePower, ClockSlowsProductsAndNotMemory) {
  core::Accelerator device;
  device.gemm_efficiency.value = 0.8;
  device.attention_efficiency.value = 0.4;
  device.memory_efficiency.value = 0.9;
  device.bf16_rate.value = 100.0_TFLOPps;
  const core::Accelerator slow = at_clock(device, 0.5);
  EXPECT_EQ(slow.gemm_efficiency.value, 0.4);
  EXPECT_EQ(slow.attention_efficiency.value, 0.2);
  EXPECT_EQ(slow.product_efficiency(core::Precision::kFp8), 0.4);
  EXPECT_EQ(slow.memory_efficiency.value, 0.9);
  EXPECT_EQ(slow.bf16_rate.value, device.bf16_rate.value);
  device.fp8_gemm_efficiency = core::Sourced<double>{0.6, "test", false};
  EXPECT_EQ(at_clock(device, 0.5).product_efficiency(core::Precision::kFp8), 0.3);
}

TEST(PowerByPart, AddsUpToThePartsList) {
  core::PartsList parts;
  parts.parts = {
      {.kind = "node", .name = "s", .count = 2, .rack_units = 12, .power = 900.0_W},
      {.kind = "nic", .name = "n", .count = 16, .rack_units = 0, .power = {}},
      {.kind = "storage_node", .name = "f", .count = 3, .rack_units = 3, .power = 60.0_W},
      {.kind = "cpu_node", .name = "r", .count = 1, .rack_units = 1, .power = 7.0_W},
      // The switches of a tier draw nothing here, those between storage nodes do.
      {.kind = "switch", .name = "w", .count = 2, .rack_units = 0, .power = {}},
      {.kind = "switch", .name = "b", .count = 2, .rack_units = 2, .power = 5.0_W}};
  parts.fabric.switches = {{.name = "leaf", .model = "w", .count = 2, .power = 300.0_W}};
  parts.fabric.cables = {
      {.from = "node", .to = "leaf", .cable = "c", .count = 16, .power = 40.0_W}};
  parts.fabric.power = 340.0_W;
  const PowerByPart power = power_by_part(parts, 900.0_W);
  EXPECT_EQ(power.nodes, 900.0_W);
  EXPECT_EQ(power.switches, 305.0_W);
  EXPECT_EQ(power.transceivers, 40.0_W);
  EXPECT_EQ(power.storage_nodes, 60.0_W);
  EXPECT_EQ(power.cpu_nodes, 7.0_W);
  EXPECT_EQ(power.equipment(), parts.power());
  EXPECT_EQ(power_by_part(parts, 100.0_W).equipment(), parts.power() - 800.0_W);
}

}  // namespace
}  // namespace railwright::models
