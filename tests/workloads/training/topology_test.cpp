// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/results/topology.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../support/source_tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/topologies/topology.hpp"

namespace railwright::simulation {
namespace {

core::Node example(const std::vector<std::string>& settings = {}) {
  return load_scenario_tree(test::kSource + "/examples/two-qm9790-8-nodes.yaml", settings);
}

TopologyResult result_of(const std::vector<std::string>& settings = {}) {
  return topology(read_cluster(example(settings), test::source_catalogue()));
}

TEST(Topology, EightNodesFillTwoSwitches) {
  const TopologyResult result = result_of();
  EXPECT_TRUE(result.feasible());
  EXPECT_EQ(result.kind, "dual_switch");
  const auto json = nlohmann::json::parse(output::to_json(result));
  EXPECT_EQ(json["num_accelerators"], 64);
  EXPECT_EQ(json["ports_used"], 128);
  EXPECT_EQ(json["ports_free"], 0);
  // 32 links of 400 Gb/s at 94 % are what both halves have between them.
  EXPECT_DOUBLE_EQ(json["bisection_bytes_per_s"].get<double>(), 32 * 47e9);
  EXPECT_DOUBLE_EQ(json["bisection_per_accelerator_bytes_per_s"].get<double>(), 23.5e9);
}

TEST(Topology, TooManyNodesAreBilledWithWhatIsMissing) {
  const TopologyResult result = result_of({"cluster.nodes=24"});
  EXPECT_FALSE(result.feasible());
  EXPECT_EQ(result.parts.shortfalls.front().tier, "leaf");
  EXPECT_EQ(result.parts.shortfalls.back().tier, core::kFrontEndTier);
  const std::string text = output::to_text(result);
  EXPECT_NE(text.find("does not fit"), std::string::npos);
  EXPECT_NE(text.find("24 nodes x 8 NICs"), std::string::npos) << text;
  EXPECT_NE(text.find("xe9680-h100"), std::string::npos);
}

TEST(Topology, OnlyTheClusterCounts) {
  const TopologyResult whole = result_of();
  // 70B does not divide so, and there is no such model: neither is asked.
  const TopologyResult other =
      result_of({"parallelism.tp=7", "workload.model=none", "software=none", "wrkload=1",
                 "name=Llama 2 70B on eight XE9680 behind two QM9790"});
  EXPECT_EQ(output::to_json(other), output::to_json(whole));
}

TEST(Topology, ProblemsOfTheClusterAreReported) {
  for (const auto& [setting, message] : {
           std::pair{"cluster.nodes=0", "must be between 1 and"},
           std::pair{"cluster.node.nics.count=30", "do not fit the 10 slots"},
           std::pair{"cluster.fabric.topology=dual_swich", "did you mean 'dual_switch'"},
           std::pair{"cluster.fabric.inter_switch_link=3", "unknown key"},
       }) {
    try {
      result_of({setting});
      ADD_FAILURE() << setting;
    } catch (const core::ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace railwright::simulation
