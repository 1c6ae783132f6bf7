// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/output/drawing/topology.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/topologies/topology.hpp"
#include "wired_fabrics.hpp"

namespace railwright::output {
namespace {

std::string file_text(const std::string& path) {
  std::ifstream file(std::string(RAILWRIGHT_SOURCE_DIR) + "/" + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

double width_of(const std::string& dot) {
  std::smatch match;
  EXPECT_TRUE(std::regex_search(dot, match, std::regex("bb=\"0,0,([0-9.]+),")));
  return std::stod(match[1]);
}

/// The sum of the numbers of cables written on wires of a rate, by the label's text.
std::int64_t cables_drawn(const std::string& dot, const std::string& rate) {
  std::int64_t sum = 0;
  const std::regex label("([0-9,]+) \u00d7 " + rate);
  for (std::sregex_iterator it(dot.begin(), dot.end(), label), end; it != end; ++it) {
    std::string digits = (*it)[1];
    std::erase(digits, ',');
    sum += std::stoll(digits);
  }
  return sum;
}

TEST(TopologyDot, TinyFabricIsDrawnAsBefore) {
  const auto wired = test::wired_rails(3, 2);
  EXPECT_EQ(to_dot(wired.fabric, "Two rails"), file_text("tests/output/drawing/two_rails.dot"));
}

TEST(TopologyDot, SaysInRedWhatDoesNotFit) {
  const core::Fabric fabric = test::wired_rails(3, 2).fabric;
  const std::string dot = to_dot(fabric, "Two rails",
                                 {{.what = "12 ports are needed, a switch has 8",
                                   .needed = 12,
                                   .available = 8,
                                   .tier = "leaf"},
                                  {.what = "and a second thing", .tier = "node"}});
  EXPECT_NE(
      dot.find("fontcolor=\"#c00000\", label=\"does not fit: 12 ports are needed, a switch has 8; "
               "and 1 more"),
      std::string::npos);
  // Two leaves and two NICs are red, the spines are not.
  const std::regex red("fillcolor=\"#fbd0d0\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(dot.begin(), dot.end(), red), {}), 2 + 2 + 1) << dot;
  EXPECT_EQ(to_dot(fabric, "Two rails").find("#c00000"), std::string::npos);
}

TEST(TopologyDot, NumbersOnTheWiresAreThoseOfTheFabric) {
  const std::string dot = to_dot(test::wired_rails(50, 8).fabric, "Eight rails");
  EXPECT_EQ(cables_drawn(dot, "400 Gb/s"), 50 * 8 + 8 * 2 * 2);
  EXPECT_NE(dot.find("400 accelerators on 50 nodes"), std::string::npos);
  EXPECT_NE(dot.find("each 16 down"), std::string::npos);
}

TEST(TopologyDot, NeverWiderThan1600Pixels) {
  for (const int num_rails : {1, 2, 4, 8, 9, 16, 18, 72}) {
    auto wired = test::wired_rails(6, num_rails);
    EXPECT_LE(width_of(to_dot(wired.fabric, "Rails")), 1200.0) << num_rails;
    for (int node = 1; node < 4; ++node) {
      const auto nics = wired.fabric.vertices_with(core::Role::kNic, node);
      for (int i = 0; i < node && i < num_rails; ++i) {
        wired.fabric.fail_vertex(nics[static_cast<std::size_t>(i)]);
      }
    }
    EXPECT_LE(width_of(to_dot(wired.fabric, "Rails")), 1200.0) << num_rails;
  }
}

TEST(TopologyDot, FailedPartsAreDashed) {
  auto wired = test::wired_rails(6, 4);
  EXPECT_EQ(to_dot(wired.fabric, "Whole").find("dashed"), std::string::npos);
  wired.fabric.fail_vertex(wired.leaves[2]);
  const std::string dot = to_dot(wired.fabric, "One leaf down");
  EXPECT_NE(dot.find("leaf 2, rail 2\\nfailed\", fillcolor=\"#ffffff\""), std::string::npos) << dot;
  EXPECT_NE(dot.find("style=dashed"), std::string::npos);
}

/// Sixteen adapters that pairs of accelerators share are not eight.
TEST(TopologyDot, NicsOfSeveralAdaptersSaySo) {
  const auto checked = test::scenario(
      {"cluster.nodes=2", "cluster.node.nics.count=16", "cluster.node.nic_slots=20"});
  const std::string dot =
      to_dot(checked.topology->build(checked.scenario.cluster).fabric, "Sixteen NICs");
  EXPECT_NE(dot.find("label=\"2 \u00d7 NIC\""), std::string::npos) << dot;
  EXPECT_EQ(dot.find("label=\"NIC 0\""), std::string::npos);
}

TEST(TopologyDot, ALongTitleIsSmaller) {
  const core::Fabric fabric = test::wired_rails(6, 8).fabric;
  EXPECT_NE(to_dot(fabric, "Short").find("fontsize=16, label=\"Short\""), std::string::npos);
  EXPECT_EQ(to_dot(fabric, std::string(150, 'm')).find("fontsize=16, label=\"mmm"),
            std::string::npos);
}

TEST(TopologyDot, TitlesAreQuoted) {
  const auto wired = test::wired_rails(1, 1);
  const std::string dot = to_dot(wired.fabric, "a \"b\" \\ c");
  EXPECT_NE(dot.find("label=\"a \\\"b\\\" \\\\ c\""), std::string::npos);
}

/// Three nodes of a control plane count on behind the six that train.
TEST(TopologyDot, NodesWithoutAcceleratorsStandBesideTheFrontEnd) {
  const std::string path = std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/llama-2-70b-cost.yaml";
  const core::Catalogue catalogue({std::string(RAILWRIGHT_SOURCE_DIR) + "/models/catalogue"});
  const simulation::CheckedCluster cluster =
      simulation::read_cluster(simulation::load_scenario_tree(path, {}), catalogue);
  const std::string dot =
      to_dot(cluster.topology->build(cluster.cluster).fabric, "With a control plane");
  EXPECT_NE(dot.find("3 \u00d7 CPU node"), std::string::npos);
  EXPECT_NE(dot.find("6 \u00d7 node, wired alike"), std::string::npos);
  EXPECT_LE(width_of(dot), 1200.0);
}

}  // namespace
}  // namespace railwright::output
