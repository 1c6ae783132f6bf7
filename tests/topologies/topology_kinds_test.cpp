// SPDX-License-Identifier: Apache-2.0
#include "railwright/topologies/wirings/topology_kinds.hpp"

#include <gtest/gtest.h>

#include <string>

#include "railwright/core/config/reader.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"

namespace railwright::topologies {
namespace {

const char* const kSwitch =
    "{name: s, description: d, num_ports: 64, port_rate: 400 Gb/s, latency: 1 us, rack_units: 1, "
    "power: 500 W}";

TEST(TopologyKinds, AreByName) {
  EXPECT_EQ(topology_names(),
            (std::vector<std::string>{"dual_switch", "fat_tree", "leaf_spine", "multi_plane", "pod",
                                      "rail_optimized", "single_switch"}));
}

TEST(TopologyKinds, CreatesWhatTheScenarioNames) {
  const core::Node fabric = core::parse_yaml(
      std::string("{topology: dual_switch, inter_switch_links: 4, switch: ") + kSwitch + "}",
      "test.yaml");
  core::Reader reader;
  EXPECT_NE(create_topology(fabric, reader, "cluster.fabric"), nullptr);
  EXPECT_TRUE(reader.diagnostics().empty());
}

TEST(TopologyKinds, ExplainsAnUnknownOrMissingName) {
  core::Reader reader;
  const core::Node unknown = core::parse_yaml("{topology: singel_switch}", "test.yaml");
  EXPECT_EQ(create_topology(unknown, reader, "cluster.fabric"), nullptr);
  ASSERT_EQ(reader.diagnostics().size(), 1U);
  EXPECT_EQ(reader.diagnostics()[0].path, "cluster.fabric.topology");
  EXPECT_NE(reader.diagnostics()[0].message.find("singel_switch"), std::string::npos);
  EXPECT_NE(reader.diagnostics()[0].hint.find("single_switch"), std::string::npos);

  core::Reader other;
  const core::Node missing = core::parse_yaml("{switch: x}", "test.yaml");
  EXPECT_EQ(create_topology(missing, other, "cluster.fabric"), nullptr);
  ASSERT_EQ(other.diagnostics().size(), 1U);
}

TEST(TopologyKinds, ReportsAnUnknownKeyOfATopology) {
  core::Reader reader;
  const core::Node fabric = core::parse_yaml(
      std::string("{topology: single_switch, inter_switch_links: 4, switch: ") + kSwitch + "}",
      "test.yaml");
  EXPECT_EQ(create_topology(fabric, reader, "cluster.fabric"), nullptr);
  ASSERT_EQ(reader.diagnostics().size(), 1U);
  EXPECT_NE(reader.diagnostics()[0].path.find("inter_switch_links"), std::string::npos);
}

}  // namespace
}  // namespace railwright::topologies
