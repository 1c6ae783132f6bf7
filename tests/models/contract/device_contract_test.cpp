// SPDX-License-Identifier: Apache-2.0
// What must hold of every accelerator, node, NIC, switch, fabric, software profile and workload
// of the catalogue in the smallest scenario: it is read, wired, bought, fed and simulated, and
// faster parts are never slower. All come from their lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "../../support/scenario.hpp"
#include "entries.hpp"
#include "library.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/node_fields.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/models/power/power_by_part.hpp"
#include "railwright/models/workload/transformer_fields.hpp"
#include "railwright/models/workload/vision_fields.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"

namespace railwright::models {
namespace {

/// One part in the scenario that shows it, and what of it may be faster.
struct Part {
  std::string name;
  test::Settings settings;
  test::Settings faster;
};

/// Room for every node; a model of two layers on two nodes.
test::Settings small() {
  return {"workload.model.num_layers=2", "workload.global_batch=1008",
          "cluster.fabric={topology: single_switch, switch: {model: qm9790, num_ports: 1024}}"};
}

/// A switch for all, whose ports speak what these adapters do.
test::Settings one_switch(const std::vector<core::LinkProtocol>& protocols) {
  const bool is_ethernet = protocols == std::vector{core::LinkProtocol::kEthernet};
  if (!is_ethernet) return {};
  return {"cluster.fabric={topology: single_switch, switch: {model: z9664f-on, num_ports: 1024}}"};
}

test::Settings transport_of(core::LinkProtocol protocol) {
  const bool is_ethernet = protocol == core::LinkProtocol::kEthernet;
  return {std::string("cluster.node.nics.transport=") + (is_ethernet ? "roce" : "infiniband")};
}

std::string twice(core::Bandwidth rate) { return core::to_yaml(core::to_node(rate * 2.0)); }
std::string twice(core::ComputeRate rate) { return core::to_yaml(core::to_node(rate * 2.0)); }

/// What settings have to say of an accelerator beside its name.
test::Settings precision_of(const core::Accelerator& device) {
  return {device.has_bf16.value ? "software.precision=bf16" : "software.precision=fp16"};
}

test::Settings faster_accelerator(const core::Accelerator& device) {
  const std::string at = "cluster.node.accelerator.";
  test::Settings settings{at + "bf16_rate=" + twice(device.bf16_rate.value),
                          at + "memory_bandwidth=" + twice(device.memory_bandwidth.value),
                          at + "scale_up_bandwidth=" + twice(device.scale_up_bandwidth.value)};
  if (device.fp16_rate) {
    settings.push_back(at + "fp16_rate=" + twice(device.fp16_rate->value));
  }
  return settings;
}

void add_devices(std::vector<Part>& parts) {
  for (const auto& device : test::entries<core::Accelerator>()) {
    parts.push_back({"accelerator " + device.name,
                     test::join(precision_of(device), {"cluster.node.accelerator=" + device.name}),
                     faster_accelerator(device)});
  }
  for (const auto& node : test::entries<core::ComputeNode>()) {
    test::Settings settings = precision_of(node.accelerator);
    const int batch = std::lcm(1008, node.num_accelerators.value);
    settings.push_back("workload.global_batch=" + std::to_string(batch));
    settings.push_back("cluster.node=" + node.name);
    if (!node.peer_access) settings.emplace_back("parallelism.tp=1");
    parts.push_back({"node " + node.name,
                     test::join(one_switch(node.nics.transport.link_protocols), settings),
                     faster_accelerator(node.accelerator)});
  }
  for (const auto& nic : test::entries<core::Nic>()) {
    const std::string at = "cluster.node.nics.nic";
    const test::Settings both{at + "=" + nic.name, "cluster.node.front_end.nic=" + nic.name};
    parts.push_back({"nic " + nic.name,
                     test::join(test::join(one_switch(nic.link_protocols),
                                           transport_of(nic.link_protocols.front())),
                                both),
                     {at + ".line_rate=" + twice(nic.line_rate.value),
                      at + ".pcie_bandwidth=" + twice(nic.pcie_bandwidth.value)}});
  }
  for (const auto& device : test::entries<core::Switch>()) {
    const std::string at = "cluster.fabric.switch";
    const core::LinkProtocol protocol = device.link_protocol->value;
    test::Settings settings{"cluster.fabric={topology: single_switch, switch: " + device.name + "}",
                            "cluster.storage.switch=" + device.name};
    if (protocol == core::LinkProtocol::kInfiniband) {
      settings.emplace_back("cluster.node.front_end.nic=connectx-7");
      settings.emplace_back("cluster.node.front_end.transport=infiniband");
    }
    parts.push_back({"switch " + device.name,
                     test::join(transport_of(protocol), settings),
                     {at + ".port_rate=" + twice(device.port_rate.value)}});
  }
}

std::vector<Part> all_parts() {
  std::vector<Part> parts;
  add_devices(parts);
  const core::Catalogue catalogue = test::catalogue();
  const auto h100 = test::entry<core::Accelerator>(catalogue, "h100-sxm");
  for (const std::string& name : catalogue.names(topologies::kFabricKind)) {
    const std::string written = core::to_yaml(catalogue.load(topologies::kFabricKind, name));
    const bool is_infiniband = written.find("switch: qm") != std::string::npos;
    const test::Settings settings{"cluster.nodes=6", "cluster.node.nics.count=16",
                                  "cluster.fabric=" + name};
    parts.push_back({"fabric " + name,
                     test::join(transport_of(is_infiniband ? core::LinkProtocol::kInfiniband
                                                           : core::LinkProtocol::kEthernet),
                                settings),
                     {"cluster.node.nics.nic.line_rate=800 Gb/s"}});
  }
  for (const std::string& name : catalogue.names(SoftwareProfile::kKind)) {
    const std::string written = core::to_yaml(catalogue.load(SoftwareProfile::kKind, name));
    test::Settings settings{"software=" + name, "software.precision=bf16"};
    if (written.find("collectives: rccl") != std::string::npos) {
      settings.emplace_back(test::on_its_devices("rccl").back());
    }
    parts.push_back({"software " + name, settings, faster_accelerator(h100)});
  }
  for (const std::string& name : catalogue.names(Transformer::kKind)) {
    test::Settings settings{"workload.model=" + name, "parallelism.tp=1"};
    const auto model = test::entry<Model>(catalogue, name);
    if (std::holds_alternative<VisionModel>(model)) {
      settings = {"workload={model: " + name + ", global_batch: 128, micro_batch: 8, steps: 10}",
                  "parallelism.tp=1", "software=pytorch-convnets"};
    } else if (std::get<Transformer>(model).encoder_layers > 0) {
      settings.emplace_back("workload.encoder_sequence_length=512");
    }
    parts.push_back({"workload " + name, settings, faster_accelerator(h100)});
  }
  for (const std::string& name : catalogue.names(core::CpuNode::kKind)) {
    parts.push_back(
        {"cpu node " + name, {"cluster.control_plane={node: " + name + ", count: 2}"}, {}});
  }
  return parts;
}

/// A dollar for each piece that the catalogue knows.
Prices dollars() {
  const core::Catalogue catalogue = test::catalogue();
  Prices prices;
  const auto list = [&](std::string_view kind, PriceList& out) {
    for (const std::string& name : catalogue.names(kind)) out[name] = core::Money::from_base(1.0);
  };
  list("nodes", prices.nodes);
  list("nics", prices.nics);
  list("switches", prices.switches);
  list("cables", prices.cables);
  list("storage_nodes", prices.storage_nodes);
  list("cpu_nodes", prices.cpu_nodes);
  prices.electricity = core::Money::from_base(1.0) / core::Energy::from_base(3.6e6);
  prices.ownership = core::Duration::from_base(4 * 365.25 * 86400.0);
  return prices;
}

class DeviceContract : public testing::TestWithParam<Part> {
 protected:
  DeviceContract() : system_(test::join(small(), GetParam().settings)) {}
  test::BuiltScenario system_;
};

TEST_P(DeviceContract, ItIsWiredAndSimulatedAndItsTimeAddsUp) {
  for (const core::Link& link : system_.built.fabric.links()) {
    EXPECT_GT(link.bandwidth.base(), 0.0);
    EXPECT_TRUE(std::isfinite(link.bandwidth.base()));
  }
  const simulation::StepResult result = simulation::simulate_step(system_.costs);
  const double time = result.step_time.base();
  EXPECT_TRUE(std::isfinite(time));
  EXPECT_GT(time, 0.0);
  for (const core::Duration part : result.breakdown.time) EXPECT_GE(part.base(), 0.0);
  EXPECT_NEAR(result.breakdown.total().base(), time, 1e-9 * time);
  EXPECT_NEAR(simulation::estimate_step(system_.costs).total().base(), time, 0.06 * time);
}

TEST_P(DeviceContract, FasterPartsAreNeverSlower) {
  const core::Duration once = simulation::simulate_step(system_.costs).step_time;
  for (const std::string& setting : GetParam().faster) {
    SCOPED_TRACE(setting);
    test::Settings settings = test::join(small(), GetParam().settings);
    settings.push_back(setting);
    const core::Duration time =
        simulation::simulate_step(test::BuiltScenario(settings).costs).step_time;
    EXPECT_LE(time / once, 1.0 + 1e-9);
    EXPECT_GE(time / once, 0.5 - 1e-9);
  }
}

// With a dollar for each piece the capital is their number: each part has its price, none twice.
TEST_P(DeviceContract, EachPartIsBoughtOnceAndDrawsWhatItsPartsDraw) {
  const topologies::Cluster& cluster = system_.checked.scenario.cluster;
  core::PartsList parts = system_.built.parts;
  add_node_power(cluster.node, parts);
  const std::vector<Purchase> bought = purchases(parts, cluster.node, 0);
  const Ownership cost = cost_of_ownership(dollars(), bought, core::Power::from_base(1000.0));
  double pieces = 0.0;
  for (const PricedPurchase& one : cost.priced) {
    EXPECT_GT(one.purchase.count, 0) << one.purchase.name;
    pieces += one.purchase.count;
  }
  EXPECT_DOUBLE_EQ(cost.capital.base(), pieces);
  EXPECT_GE(pieces, cluster.num_nodes * (1.0 + cluster.node.nics.count));
  // What has no price is described on the spot: an adapter of a node, a cable that no switch
  // lists.
  for (const Purchase& one : cost.unpriced) {
    EXPECT_FALSE(test::catalogue().contains(one.kind, one.name)) << one.kind << ' ' << one.name;
  }
  EXPECT_NEAR(cost.electricity.base(), 4 * 365.25 * 24.0, 1e-6);

  const models::NodePowerByPart nodes =
      node_power(cluster.node, {}).parts_of(Activity::kCompute) * cluster.num_nodes;
  const PowerByPart power = power_by_part(parts, nodes);
  for (const core::Power one : {power.switches, power.transceivers, power.storage_nodes}) {
    EXPECT_GE(one.base(), 0.0);
  }
  EXPECT_GT(power.switches.base(), 0.0);
  EXPECT_NEAR(power.equipment() / parts.power(), 1.0, 1e-9);
  EXPECT_GT(parts.rack_units(), 0);
}

TEST_P(DeviceContract, NodesDrawLessIdleAndUnderACapAndComputeNoFaster) {
  const core::ComputeNode& node = system_.checked.scenario.cluster.node;
  const NodePower free = node_power(node, {});
  EXPECT_GT(free.of(Activity::kIdle).base(), 0.0);
  EXPECT_LT(free.of(Activity::kIdle), free.of(Activity::kCommunication));
  EXPECT_LE(free.of(Activity::kCommunication), free.of(Activity::kCompute));
  EXPECT_EQ(free.clock, 1.0);
  double clock = 1.0;
  for (const double share : {1.1, 0.9, 0.7, 0.5, 0.1}) {
    const core::Power cap = free.of(Activity::kCompute) * share;
    const NodePower capped = node_power(node, {.node_cap = cap});
    EXPECT_LE(capped.clock, clock);
    EXPECT_GE(capped.clock, 0.0);
    for (const models::NodePowerByPart& one : capped.by_activity) {
      EXPECT_LE(one.total(), std::max(cap, free.of(Activity::kIdle)) * (1.0 + 1e-12));
    }
    clock = capped.clock;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, DeviceContract, testing::ValuesIn(all_parts()),
                         [](const auto& way) { return test::test_name(way.param.name); });

}  // namespace
}  // namespace railwright::models
