// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/multi_plane.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "example_cluster.hpp"
#include "fabric_counts.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"

namespace railwright::topologies {
namespace {

using testing::count_fabric;
using testing::example_cluster;
using testing::FabricCounts;

MultiPlane planes_of_rails(int num_planes) {
  MultiPlane::Config config;
  config.planes = num_planes;
  MultiPlane planes(config);
  RailOptimized::Config rail;
  rail.switch_model = testing::example_switch(64);
  planes.set_plane(std::make_unique<RailOptimized>(rail));
  return planes;
}

TEST(MultiPlane, EachPlaneIsACopy) {
  Cluster cluster = example_cluster(32, 8);
  cluster.node.nics.nic.num_ports = 2;
  cluster.node.accelerator.pcie_bandwidth.value = core::Bandwidth::from_base(110e9);
  cluster.node.nics.nic.pcie_bandwidth.value = core::Bandwidth::from_base(110e9);
  const BuiltCluster built = planes_of_rails(2).build(cluster);
  const FabricCounts counts = count_fabric(built.fabric);
  EXPECT_EQ(counts.leaves, 16);
  EXPECT_EQ(counts.spines, 8);
  EXPECT_EQ(counts.host_cables, 512);
  EXPECT_EQ(counts.ports.at("plane 1 leaf 7"), 64);
  EXPECT_TRUE(built.parts.shortfalls.empty());
  EXPECT_DOUBLE_EQ(built.fabric.bisection_bandwidth().base(), 2 * 128 * 40e9);
}

TEST(MultiPlane, TwoNicsAnAcceleratorAreTwoPorts) {
  const BuiltCluster built = planes_of_rails(2).build(example_cluster(32, 16));
  EXPECT_EQ(count_fabric(built.fabric).host_cables, 512);
  EXPECT_TRUE(built.parts.shortfalls.empty());
}

TEST(MultiPlane, OnePortCannotBeDealtOverTwoPlanes) {
  const BuiltCluster built = planes_of_rails(2).build(example_cluster(32, 8));
  ASSERT_EQ(built.parts.shortfalls.size(), 1U);
  EXPECT_EQ(built.parts.shortfalls[0].what,
            "2 planes need a multiple of 2 NIC ports an accelerator; it has 1");
}

TEST(MultiPlane, ReadsItsPlaneByName) {
  const auto problems = [&](const char* plane) {
    core::Reader reader;
    const core::Node fabric = core::parse_yaml(
        std::string("{topology: multi_plane, planes: 2, plane: ") + plane + "}", "test.yaml");
    const auto made = create_topology(fabric, reader, "cluster.fabric");
    EXPECT_EQ(made == nullptr, !reader.diagnostics().empty());
    return reader.diagnostics();
  };
  EXPECT_TRUE(problems("{topology: single_switch, switch: {name: s, description: d, num_ports: 64, "
                       "port_rate: 400 Gb/s, latency: 1 us, rack_units: 1, power: 500 W}}")
                  .empty());
  ASSERT_EQ(problems("{topology: rial_optimized}").size(), 1U);
  EXPECT_EQ(problems("{topology: rial_optimized}")[0].path, "cluster.fabric.plane.topology");
}

}  // namespace
}  // namespace railwright::topologies
