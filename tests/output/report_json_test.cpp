// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/report_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../support/source_tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::output {
namespace {

using Json = nlohmann::json;

/// Llama 2 70B on six XE9680 in four stages, as an example has it.
core::Node tree_with(const std::vector<std::string>& settings = {}) {
  return simulation::load_scenario_tree(test::kSource + "/examples/llama-2-70b-six-nodes.yaml",
                                        settings);
}

Json report_of(const core::Node& tree,
               const simulation::SimulateOptions& options = {.trace = true}) {
  const core::Catalogue catalogue = test::source_catalogue();
  const simulation::AnyResult result = simulate(tree, catalogue, options);
  return Json::parse(report_json(result, nullptr, {tree, catalogue}));
}

const Json& find(const Json& list, const std::string& key, const std::string& value) {
  static const Json kNone;
  const auto found =
      std::ranges::find_if(list, [&](const Json& one) { return one.at(key) == value; });
  return found == list.end() ? kNone : *found;
}

class ReportJson : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    report = new Json(report_of(tree_with(
        {"cluster.node.accelerator.memory_bandwidth=4 TB/s", "software.step_overhead=0 s"})));
  }
  static void TearDownTestSuite() { delete report; }
  static Json* report;
};
Json* ReportJson::report = nullptr;

TEST_F(ReportJson, SaysWhatTheScenarioStatesAndWhere) {
  const Json& stated = (*report)["scenario"]["stated"];
  EXPECT_EQ(find(stated, "path", "workload.global_batch")["text"], "144");
  const std::string where = find(stated, "path", "parallelism.pp")["where"];
  EXPECT_NE(where.find("llama-2-70b-six-nodes.yaml:"), std::string::npos) << where;
  EXPECT_EQ(find(stated, "path", "cluster.fabric")["text"], "single_switch");
  EXPECT_EQ(find(stated, "path", "cluster.fabric.switch")["text"], "qm9790");
  const std::string set =
      find(stated, "path", "cluster.node.accelerator.memory_bandwidth")["where"];
  EXPECT_NE(set.find("--set"), std::string::npos) << set;
}

TEST_F(ReportJson, SaysWhatIsLeftAtItsDefault) {
  const Json& defaults = (*report)["scenario"]["defaults"];
  EXPECT_EQ(find(defaults, "path", "parallelism.cp")["text"], "1");
  EXPECT_TRUE(find(defaults, "path", "parallelism.tp").is_null());
}

/// Also of entries that only another entry names: the node's accelerator, its transport.
TEST_F(ReportJson, HasEveryConstantWithItsSource) {
  const Json& constants = (*report)["constants"];
  for (const char* entry : {"nodes/xe9680-h100", "accelerators/h100-sxm", "nics/connectx-7",
                            "transports/infiniband", "switches/qm9790", "workloads/llama-2-70b",
                            "software/nemo-23.11", "storage_nodes/powerscale-f600p"}) {
    EXPECT_FALSE(find(constants, "entry", entry).is_null()) << entry;
  }
  const Json& values = find(constants, "entry", "accelerators/h100-sxm")["values"];
  const Json& memory = find(values, "key", "memory");
  EXPECT_EQ(memory["text"], "81559 MiB");
  EXPECT_NE(memory["source"].get<std::string>().find("nvidia-smi"), std::string::npos);
  EXPECT_EQ(memory["estimate"], true);
}

TEST_F(ReportJson, MarksWhatTheScenarioReplaced) {
  const Json& values = find((*report)["constants"], "entry", "accelerators/h100-sxm")["values"];
  EXPECT_EQ(find(values, "key", "memory_bandwidth")["replaced_by"], "4 TB/s");
  EXPECT_FALSE(find(values, "key", "memory").contains("replaced_by"));
}

TEST_F(ReportJson, LoadsTheWiresAsTheSimulationDoes) {
  const Json& topology = (*report)["topology"];
  ASSERT_TRUE(topology["has_load"]);
  const double busiest = (*report)["busiest_links"][0]["utilization"];
  EXPECT_DOUBLE_EQ(topology["links"][0]["utilization"].get<double>(), busiest);
  double drawn = 0.0;
  for (const Json& wire : topology["wires"]) {
    drawn = std::max(drawn, wire.value("utilization", 0.0));
    EXPECT_LT(wire["from"], topology["boxes"].size());
  }
  EXPECT_LE(drawn, busiest);
  EXPECT_GT(drawn, 0.9 * busiest);
  // 48 NICs with a cable each, one way of them.
  const Json& up = find(topology["links"], "from", "NIC");
  EXPECT_EQ(up["tier"], "injection");
  EXPECT_EQ(up["num_links"], 48);
  EXPECT_DOUBLE_EQ(up["utilization"].get<double>(),
                   (*report)["links"]["injection"]["utilization"].get<double>());
}

TEST_F(ReportJson, LanesFillTheStep) {
  const Json& timeline = (*report)["timeline"];
  EXPECT_EQ(timeline["num_stages"], 4);
  const double step = (*report)["step_time_s"];
  EXPECT_NEAR(timeline["step_time_s"].get<double>(), step, 1e-9 * step);
  for (const Json& lane : timeline["lanes"]) {
    int bins = 0;
    double shown = 0.0;
    for (std::size_t i = 0; i < lane["bins"].size(); i += 3) {
      const double percent = lane["bins"][i + 1];
      const int length = lane["bins"][i + 2];
      bins += length;
      EXPECT_EQ(percent > 0.0, lane["bins"][i] >= 0);
      shown += length * percent / 100.0 * timeline["bin_width_s"].get<double>();
    }
    EXPECT_EQ(bins, timeline["num_bins"]);
    double busy = 0.0;
    for (const auto& [kind, time] : lane["busy_s"].items()) busy += time.get<double>();
    EXPECT_LE(busy, step * (1.0 + 1e-9));
    // Neither gaps of computation nor short transfers are lost or drawn as more than they are.
    EXPECT_NEAR(shown, busy, 0.02 * step) << lane["stream"];
  }
}

/// Nothing is lost between readings: what a link carries in the bins is what it carried in all.
TEST_F(ReportJson, LoadOfTheBusiestLinksAddsUp) {
  const Json& lines = (*report)["timeline"]["links_over_time"]["lines"];
  ASSERT_FALSE(lines.empty());
  for (const Json& line : lines) {
    double sum = 0.0;
    for (const Json& share : line["utilization"]) sum += share.get<double>();
    const std::string tier = line["tier"];
    EXPECT_NEAR(sum / static_cast<double>(line["utilization"].size()),
                (*report)["links"][tier]["utilization"].get<double>(), 1e-6)
        << tier;
  }
}

TEST(ReportJsonOf, AnEstimateHasNoTimelineAndNoLoad) {
  const Json report = report_of(tree_with(), {.method = simulation::Method::kEstimate});
  EXPECT_FALSE(report.contains("timeline"));
  EXPECT_EQ(report["topology"]["has_load"], false);
  EXPECT_FALSE(report["constants"].empty());
}

TEST(ReportJsonOf, ADesignThatDoesNotFitHasItsFabricAllTheSame) {
  const Json report = report_of(tree_with({"parallelism.pp=1", "parallelism.virtual_stages=1"}));
  EXPECT_EQ(report["feasible"], false);
  EXPECT_EQ(report["topology"]["has_load"], false);
  EXPECT_FALSE(report["topology"]["wires"].empty());
}

TEST(ReportJsonOf, LargeFabricsStaySmall) {
  const core::Node tree =
      simulation::load_scenario_tree(test::kSource + "/examples/llama3-405b-16384-h100.yaml", {});
  const core::Catalogue catalogue = test::source_catalogue();
  const simulation::AnyResult result = simulation::simulate(tree, catalogue, {.trace = true});
  EXPECT_LT(report_json(result, nullptr, {tree, catalogue}).size(), 4'000'000U);
}

}  // namespace
}  // namespace railwright::output
