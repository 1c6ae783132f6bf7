// SPDX-License-Identifier: Apache-2.0
// Every switch of the catalogue with every NIC and every storage node: cables fit both ends.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalogue_entry.hpp"
#include "example_cluster.hpp"
#include "railwright/core/hardware/devices_fields.hpp"
#include "railwright/core/hardware/storage_node_fields.hpp"
#include "railwright/topologies/wirings/single_switch.hpp"

namespace railwright::topologies {
namespace {

using testing::catalogue;
using testing::load;

template <class T>
std::vector<T> all_of() {
  std::vector<T> all;
  for (const std::string& name : catalogue().names(T::kKind)) {
    all.push_back(load<T>(name));
  }
  return all;
}

Cluster cluster_of(const core::Switch& front_end, const core::Nic& nic,
                   const core::StorageNode& storage) {
  Cluster cluster = testing::example_cluster(9, 0);
  cluster.node.front_end.nic = nic;
  cluster.storage = testing::example_storage(3);
  cluster.storage->node = storage;
  cluster.storage->front_end_switch = front_end;
  return cluster;
}

/// Checks the cables of one kind of device on the front-end switches.
void expect_fits(const core::FabricBill& bill, const char* from, core::Bandwidth device,
                 const core::Switch& front_end) {
  const core::Bandwidth rate = std::min(device, front_end.port_rate.value);
  int links = 0;
  for (const core::CableRun& run : bill.cables) {
    if (run.from != from || run.to != core::kFrontEndTier) continue;
    links += run.far_ends;
    EXPECT_NEAR(run.rate / rate, 1.0, 1e-9) << from;
    if (run.cable.empty()) {
      EXPECT_EQ(run.count, run.far_ends);
      continue;
    }
    const auto cable = std::ranges::find(front_end.cables, run.cable, &core::Cable::name);
    ASSERT_NE(cable, front_end.cables.end());
    EXPECT_NEAR(cable->rate.value / rate, 1.0, 1e-9) << run.cable << ", " << from;
    EXPECT_GE(run.count * cable->far_ends, run.far_ends) << run.cable;
    // Two switches, each with one breakout that is not full.
    EXPECT_LT((run.count - 2) * cable->far_ends, run.far_ends) << run.cable;
  }
  EXPECT_GT(links, 0) << from;
}

TEST(CablesContract, TheirRateIsThatOfTheSlowerEnd) {
  for (const core::Switch& front_end : all_of<core::Switch>()) {
    for (const core::Nic& nic : all_of<core::Nic>()) {
      for (const core::StorageNode& storage : all_of<core::StorageNode>()) {
        if (storage.num_front_end_ports.value == 0) continue;
        SCOPED_TRACE(front_end.name + ", " + nic.name + ", " + storage.name);
        const BuiltCluster built =
            SingleSwitch({testing::example_switch(64)}).build(cluster_of(front_end, nic, storage));
        const core::FabricBill& bill = built.parts.fabric;
        expect_fits(bill, "node", nic.line_rate.value, front_end);
        expect_fits(bill, "storage node", storage.front_end_port_rate.value, front_end);
      }
    }
  }
}

/// A port at its own rate has a product, near and far; so has 100 Gb/s in every 400 Gb/s port.
TEST(CablesContract, EveryPortHasACableOfItsRate) {
  for (const core::Switch& model : all_of<core::Switch>()) {
    const auto has = [&](core::Bandwidth rate, double metres) {
      return std::ranges::any_of(model.cables, [&](const core::Cable& cable) {
        return cable.rate.value == rate && cable.reach_metres.value >= metres;
      });
    };
    EXPECT_TRUE(has(model.port_rate.value, 1.0)) << model.name;
    EXPECT_TRUE(has(model.port_rate.value, 50.0)) << model.name;
    if (!model.split.empty()) {
      const auto split = load<core::Switch>(model.split);
      EXPECT_GE(model.num_ports.value * model.port_rate.value.base() * (1.0 + 1e-9),
                split.num_ports.value * split.port_rate.value.base())
          << model.name;
      if (model.name != split.name) {
        EXPECT_EQ(split.num_ports.value, model.num_ports.value * model.split_ways) << model.name;
      }
      EXPECT_TRUE(has(split.port_rate.value, 50.0) || model.name == split.name) << model.name;
    }
  }
}

/// 294 ports of nodes and 8 of storage nodes, of 100 Gb/s each, take 76 breakouts.
TEST(CablesContract, SplitPortsTakeBreakouts) {
  Cluster cluster =
      cluster_of(load<core::Switch>("z9664f-on-256x100g"), load<core::Nic>("connectx-6-dx"),
                 load<core::StorageNode>("powerscale-f710"));
  cluster.num_nodes = 147;
  cluster.storage->count = 4;
  for (core::Cable& cable : cluster.storage->front_end_switch->cables) {
    cable.reach_metres.value = cable.has_transceivers() ? 1000.0 : 0.1;  // one product for all
  }
  int cables = 0;
  for (const core::CableRun& run :
       SingleSwitch({testing::example_switch(64)}).build(cluster).parts.fabric.cables) {
    if (run.from != core::kFrontEndTier) cables += run.count;
  }
  EXPECT_EQ(cables, 76);
}

}  // namespace
}  // namespace railwright::topologies
