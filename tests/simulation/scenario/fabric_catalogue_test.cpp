// SPDX-License-Identifier: Apache-2.0
// Fabrics by their catalogue name.
#include <gtest/gtest.h>

#include <set>

#include "../../support/scenario.hpp"
#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/simulation/results/topology.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"

namespace railwright::simulation {
namespace {

TopologyResult built(const test::Settings& settings) {
  const CheckedScenario checked = test::scenario(settings);
  return topology({.name = "", .cluster = checked.scenario.cluster, .topology = checked.topology});
}

std::string problem(const std::string& setting) {
  try {
    test::scenario({setting});
  } catch (const core::ConfigError& error) {
    return error.what();
  }
  return {};
}

TEST(FabricCatalogue, AnEntryIsWhatItsKeysAre) {
  const test::Settings pods{"cluster.nodes=6", "cluster.node.nics.transport=roce"};
  const std::string spelled_out = output::to_json(built(test::join(
      pods,
      {"cluster.fabric={topology: pod, switch: z9664f-on, nodes_per_pod: 4, upper_switches: 4, "
       "links: 8}"})));
  EXPECT_EQ(output::to_json(built(test::join(pods, {"cluster.fabric=h20003-pods"}))), spelled_out);
  EXPECT_EQ(output::to_json(built(test::join(pods, {"cluster.fabric={model: h20003-pods}"}))),
            spelled_out);
  EXPECT_NE(spelled_out.find("\"topology\": \"pod\""), std::string::npos);
}

TEST(FabricCatalogue, KeysAreLaidOverAnEntry) {
  const test::Settings pods{"cluster.nodes=6", "cluster.node.nics.transport=roce",
                            "cluster.fabric=h20003-pods"};
  const auto uplinks = [&](const test::Settings& more) {
    return built(test::join(pods, more)).parts.fabric.switches.front().ports_up;
  };
  EXPECT_EQ(uplinks({}), 2 * 4 * 8);
  EXPECT_EQ(uplinks({"cluster.fabric.links=3"}), 2 * 4 * 3);
}

TEST(FabricCatalogue, APlaneMayBeAnEntry) {
  const TopologyResult result =
      built({"cluster.node.nics.count=16",
             "cluster.fabric={topology: multi_plane, planes: 2, plane: one-qm9790}"});
  EXPECT_EQ(result.parts.fabric.num_switches(), 2);
  EXPECT_EQ(result.parts.ports_used, 2 * 16);
}

TEST(FabricCatalogue, BadNamesAndKeysAreExplained) {
  EXPECT_NE(problem("cluster.fabric=h20003-pod").find("did you mean 'h20003-pods'"),
            std::string::npos);
  EXPECT_NE(problem("cluster.fabric={model: dragonfly}").find("no fabric 'dragonfly'"),
            std::string::npos);
  EXPECT_NE(problem("cluster.fabric={model: h20003-pods, linkz: 3}").find("did you mean 'links'"),
            std::string::npos);
}

TEST(FabricCatalogue, EveryTopologyHasAnEntryAndEveryEntryIsBuilt) {
  const core::Catalogue catalogue(catalogue_roots());
  std::set<std::string> topologies;
  for (const std::string& name : catalogue.names(topologies::kFabricKind)) {
    SCOPED_TRACE(name);
    const core::Node entry = catalogue.load(topologies::kFabricKind, name);
    const bool is_infiniband = core::to_yaml(entry).find("switch: qm") != std::string::npos;
    const std::string transport = is_infiniband ? "infiniband" : "roce";
    const TopologyResult result =
        built({"cluster.nodes=6", "cluster.node.nics.count=16", "cluster.fabric=" + name,
               "cluster.node.nics.transport=" + transport});
    EXPECT_GT(result.bisection.base(), 0.0);
    topologies.insert(result.kind);
    ASSERT_NE(entry.find("name"), nullptr);
    EXPECT_EQ(entry.find("name")->text, name);
    ASSERT_NE(entry.find("description"), nullptr);
    EXPECT_FALSE(output::to_text(output::show_entry(catalogue, name)).empty());
  }
  const std::vector<std::string> known = topologies::topology_names();
  EXPECT_EQ(topologies, std::set<std::string>(known.begin(), known.end()));
}

}  // namespace
}  // namespace railwright::simulation
