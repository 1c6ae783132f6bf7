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
  node.num_accelerators.value = 8;
  node.accelerator.power.value = 500.0_W;
  node.power_idle = core::Sourced<Power>{Power::from_base(idle), "test", false};
  node.power_compute = core::Sourced<Power>{Power::from_base(compute), "test", false};
  node.power_communication = core::Sourced<Power>{Power::from_base(communication), "test", false};
  return node;
}

PowerPlan capped(double cap) { return {.node_cap = Power::from_base(cap)}; }

TEST(NodePower, IsWhatTheNodeSays) {
  const NodePower power = node_power(node_of(1000, 5000, 3000), {});
  EXPECT_DOUBLE_EQ(power.of(Activity::kIdle).base(), 1000.0);
  EXPECT_DOUBLE_EQ(power.of(Activity::kCompute).base(), 5000.0);
  EXPECT_DOUBLE_EQ(power.of(Activity::kCommunication).base(), 3000.0);
  EXPECT_EQ(power.clock, 1.0);
}

/// Eight accelerators of 700 W, 1.18 kW of hosts and ten NICs of 25 W.
core::ComputeNode eight_h100(double liquid_cooled_share) {
  core::ComputeNode node;
  node.num_accelerators.value = 8;
  node.accelerator.power.value = 700.0_W;
  node.host_power.value = 1180.0_W;
  node.liquid_cooled_share.value = liquid_cooled_share;
  node.nics = {.nic = {}, .count = 8, .transport = {}};
  node.nics.nic.power.value = 25.0_W;
  node.front_end = node.nics;
  node.front_end.count = 2;
  return node;
}

TEST(NodePower, IsTheSumOfItsParts) {
  const NodePower power = node_power(eight_h100(0.0), {});
  const models::NodePowerByPart& parts = power.parts_of(Activity::kCompute);
  const double used = 8 * 700 * 0.99 + 1180 + 250;
  EXPECT_DOUBLE_EQ(parts.of(models::NodePart::kAccelerators).base(), 8 * 700 * 0.99);
  EXPECT_DOUBLE_EQ(parts.of(models::NodePart::kHosts).base(), 1180.0);
  EXPECT_DOUBLE_EQ(parts.of(models::NodePart::kNics).base(), 250.0);
  EXPECT_DOUBLE_EQ(parts.of(models::NodePart::kFans).base(), 0.15 * used);
  EXPECT_NEAR(power.of(Activity::kCompute).base(), 1.15 * used / 0.97, 1e-9);
  core::ComputeNode four_nics = eight_h100(0.0);
  four_nics.nics.count = 4;
  const core::Power saved =
      power.of(Activity::kIdle) - node_power(four_nics, {}).of(Activity::kIdle);
  EXPECT_NEAR(saved.base(), 100 * 1.15 / 0.97, 1e-9);
  core::ComputeNode cold = eight_h100(0.0);
  cold.accelerator.power_idle = core::Sourced<Power>{50.0_W, "test", false};
  const core::Power less = power.of(Activity::kIdle) - node_power(cold, {}).of(Activity::kIdle);
  EXPECT_NEAR(less.base(), 8 * 20 * 1.15 / 0.97, 1e-9);
}

/// The three figures that shares and hosts are derived from [@mlcommons_training_v40].
TEST(NodePower, OfImmersedNodesIsWhatWasMeasured) {
  const NodePower power = node_power(eight_h100(1.0), {});
  EXPECT_NEAR(power.of(Activity::kIdle) / 2050.0_W, 1.0, 0.01);
  EXPECT_NEAR(power.of(Activity::kCompute) / 7200.0_W, 1.0, 0.01);
  EXPECT_NEAR(power.of(Activity::kCommunication) / 5070.0_W, 1.0, 0.01);
}

TEST(NodePower, LiquidTakesItsShareOfTheFans) {
  const auto fans = [](double share) {
    return node_power(eight_h100(share), {})
        .parts_of(Activity::kCompute)
        .of(models::NodePart::kFans);
  };
  EXPECT_NEAR(fans(0.8) / fans(0.0), 0.2, 1e-12);
  EXPECT_EQ(fans(1.0), Power{});
}

TEST(NodePower, CapOnAcceleratorsIsWhatTheirDriverLeaves) {
  // 70 W idle and 693 W at work: 147.875 W leave an eighth of the difference, which is half the
  // clock.
  const core::ComputeNode node = eight_h100(0.0);
  const NodePower free = node_power(node, {});
  const NodePower power = node_power(node, {.accelerator_cap = Power::from_base(147.875)});
  EXPECT_NEAR(power.clock, 0.5, 1e-12);
  EXPECT_NEAR((free.of(Activity::kCompute) - power.of(Activity::kCompute)).base(),
              8 * (693 - 147.875) * 1.15 / 0.97, 1e-9);
  EXPECT_EQ(power.of(Activity::kIdle), free.of(Activity::kIdle));
  EXPECT_EQ(node_power(node, {.accelerator_cap = 700.0_W}).clock, 1.0);
  EXPECT_EQ(node_power(node, {.accelerator_cap = 60.0_W}).clock, 0.0);
}

TEST(NodePower, TheLowerOfTwoCapsCounts) {
  const core::ComputeNode node = eight_h100(0.0);
  const auto clock = [&](double each, double all) {
    return node_power(
               node, {.node_cap = Power::from_base(all), .accelerator_cap = Power::from_base(each)})
        .clock;
  };
  EXPECT_EQ(clock(500, 8000), clock(500, 1e6));
  EXPECT_EQ(clock(690, 5000), clock(1e6, 5000));
}

TEST(NodePower, MeanIsByTime) {
  const NodePower power = node_power(node_of(1000, 5000, 3000), {});
  // 2 s at 1 kW, 5 s at 5 kW and 3 s at 3 kW: 36 kJ in 10 s.
  EXPECT_DOUBLE_EQ(power.mean({2.0_s, 5.0_s, 3.0_s}).total().base(), 3600.0);
  EXPECT_DOUBLE_EQ(power.mean({}).total().base(), 1000.0);
}

TEST(NodePower, CapSlowsTheClockByItsPower) {
  // An eighth of what compute adds to idle is left: half the clock, cubed.
  const NodePower power = node_power(node_of(1000, 5000, 3000), capped(1500));
  EXPECT_NEAR(power.clock, 0.5, 1e-12);
  EXPECT_NEAR(power.of(Activity::kIdle).base(), 1000.0, 1e-9);
  EXPECT_NEAR(power.of(Activity::kCompute).base(), 1500.0, 1e-9);
  EXPECT_NEAR(power.of(Activity::kCommunication).base(), 1500.0, 1e-9);
}

TEST(NodePower, CapThatIsNotReachedChangesNothing) {
  const NodePower power = node_power(node_of(1000, 5000, 3000), capped(5000.1));
  EXPECT_EQ(power.clock, 1.0);
  EXPECT_DOUBLE_EQ(power.of(Activity::kCompute).base(), 5000.0);
}

TEST(NodePower, CapAtIdleLeavesNoClock) {
  EXPECT_EQ(node_power(node_of(1000, 5000, 3000), capped(999.9)).clock, 0.0);
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
  const models::NodePowerByPart nodes{.by_part = {500.0_W, 200.0_W, 50.0_W, 120.0_W, 30.0_W}};
  const PowerByPart power = power_by_part(parts, nodes);
  EXPECT_EQ(power.nodes.total(), 900.0_W);
  EXPECT_EQ(power.switches, 305.0_W);
  EXPECT_EQ(power.transceivers, 40.0_W);
  EXPECT_EQ(power.storage_nodes, 60.0_W);
  EXPECT_EQ(power.cpu_nodes, 7.0_W);
  EXPECT_EQ(power.equipment(), parts.power());
  EXPECT_EQ(power_by_part(parts, nodes * 2.0).equipment(), parts.power() + 900.0_W);
}

}  // namespace
}  // namespace railwright::models
