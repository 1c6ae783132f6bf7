// SPDX-License-Identifier: Apache-2.0
// Designs beside each other: every combination, and differences that add up.
#include "railwright/planner/compare/side_by_side.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "../../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {
namespace {

using planner::Design;
using planner::SideBySide;
using planner::TimePart;

core::Node checkpoints_tree() {
  return simulation::load_scenario_tree(kSource + "/examples/powerscale-checkpoints.yaml",
                                        {"run.replicas=3", "workload.steps=4000"});
}

SideBySide varied(const std::vector<std::string>& variations) {
  const auto designs =
      planner::vary({{"base", checkpoints_tree()}}, simulation::read_variations(variations));
  return planner::side_by_side(designs, source_catalogue());
}

TEST(SideBySide, TakesAllCombinationsTheLastKeyFastest) {
  const auto designs = planner::vary({{"a", {}}, {"b", {}}},
                                     simulation::read_variations({"x.count=8,4", "y=[1, 2],3"}));
  std::vector<std::string> names;
  for (const Design& design : designs) names.push_back(design.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a, x.count=8, y=[1, 2]", "a, x.count=8, y=3",
                                             "a, x.count=4, y=[1, 2]", "a, x.count=4, y=3",
                                             "b, x.count=8, y=[1, 2]", "b, x.count=8, y=3",
                                             "b, x.count=4, y=[1, 2]", "b, x.count=4, y=3"}));
  EXPECT_EQ(core::to_yaml(designs[2].tree), "{x: {count: 4}, y: [1, 2]}");
}

TEST(SideBySide, NamesNoScenarioThatIsAlone) {
  const auto designs = planner::vary({{"a", {}}}, simulation::read_variations({"n=1,2"}));
  EXPECT_EQ(designs[1].name, "n=2");
}

TEST(SideBySide, SaysAllThatIsWrongWithVariations) {
  try {
    simulation::read_variations({"foo", "=3", "a=1,[2", "b=1"});
    FAIL() << "nothing thrown";
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 3U);
    EXPECT_EQ(core::to_string(error.diagnostics()[0]), "--vary foo: expected key=a,b,c");
    EXPECT_EQ(core::to_string(error.diagnostics()[1]), "--vary =3: expected key=a,b,c");
    EXPECT_EQ(error.diagnostics()[2].where.file, "--vary a=1,[2");
  }
}

TEST(SideBySide, RefusesAKeyTwice) {
  try {
    varied({"cluster.nodes=6,12", "cluster.nodes=24"});
    FAIL() << "nothing thrown";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("--vary cluster.nodes: this key is given twice"),
              std::string::npos)
        << error.what();
  }
}

TEST(SideBySide, SaysAllThatIsWrongWithDesigns) {
  try {
    varied({"parallelism.tp=3,5", "cluster.nodes=6,0"});
    FAIL() << "nothing thrown";
  } catch (const core::ConfigError& error) {
    EXPECT_GE(error.diagnostics().size(), 4U);
  }
}

TEST(SideBySide, KeepsTheColumnsBesideAnImpossibleValue) {
  const SideBySide result = varied({"parallelism.tp=3,4"});
  ASSERT_EQ(result.designs.size(), 2U);
  EXPECT_FALSE(result.feasible());
  EXPECT_FALSE(result.designs[0].is_valid);
  EXPECT_TRUE(result.designs[1].result.feasible());
  EXPECT_TRUE(result.changes(1).empty()) << "the first has no parts";
  const std::string text = output::to_text(result);
  EXPECT_NE(text.find("invalid"), std::string::npos) << text;
  const std::string said = output::verdict(result);
  EXPECT_NE(said.find("invalid         parallelism.tp=3: "), std::string::npos) << said;
  const auto json = nlohmann::json::parse(output::to_json(result));
  EXPECT_EQ(json["designs"][0]["result"]["valid"], false);
  EXPECT_EQ(json["designs"][0]["result"].size(), 3U) << "no numbers of what there is not";
  EXPECT_FALSE(json["designs"][0]["result"]["infeasible"][0].get<std::string>().empty());
}

TEST(SideBySide, RefusesAWrongScenarioThatNoValueMakesSound) {
  std::vector<Design> designs{{"good", checkpoints_tree()}, {"bad", checkpoints_tree()}};
  core::set_path(designs[1].tree, "parallelism.tp=3");
  EXPECT_THROW(planner::side_by_side(designs, source_catalogue()), core::ConfigError);
}

/// The parts are the whole run, its stalls and failures too, in each design and in the differences.
TEST(SideBySide, PartsAndChangesAddUpToTheTrainingTimes) {
  const SideBySide result = varied({"cluster.node.nics.count=8,4", "cluster.storage.count=3,12"});
  ASSERT_TRUE(result.feasible());
  ASSERT_EQ(result.designs.size(), 4U);
  const double first = result.designs[0].result.run.job().training_time().base();
  for (std::size_t i = 0; i < 4; ++i) {
    const double whole = result.designs[i].result.run.job().training_time().base();
    double sum = 0.0;
    for (const TimePart& part : planner::time_parts(result.designs[i].result)) {
      sum += part.time.base();
    }
    EXPECT_NEAR(sum / whole, 1.0, 1e-9);
    double change = 0.0;
    for (const TimePart& part : result.changes(i)) change += part.time.base();
    EXPECT_NEAR(change, whole - first, 1e-6 * whole);
  }
  EXPECT_TRUE(result.changes(0).empty());
}

/// Fewer NICs slow what crosses them; the arithmetic of a step stays as it was.
TEST(SideBySide, FewerNicsChangeCommunicationAlone) {
  const SideBySide result = varied({"cluster.node.nics.count=8,4"});
  const auto changes = result.changes(1);
  ASSERT_FALSE(changes.empty());
  EXPECT_GT(changes.front().time.base(), 0.0);
  for (const TimePart& part : changes) {
    EXPECT_NE(part.name, "matrix_products");
    EXPECT_NE(part.name, "attention");
    EXPECT_NE(part.name, "elementwise");
  }
}

TEST(SideBySide, SaysWhatDoesNotFitBesideWhatDoes) {
  const SideBySide result = varied({"parallelism.tp=4,1"});
  EXPECT_FALSE(result.feasible());
  EXPECT_TRUE(result.designs[0].result.feasible());
  EXPECT_TRUE(result.changes(1).empty());
  const std::string text = output::to_text(result);
  EXPECT_NE(text.find("does not fit"), std::string::npos);
  EXPECT_NE(text.find("tp=1: an accelerator of stage"), std::string::npos);
}

}  // namespace
}  // namespace railwright::test
