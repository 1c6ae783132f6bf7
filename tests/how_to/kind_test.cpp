// SPDX-License-Identifier: Apache-2.0
// A kind of scenario with one file of its own and two lines in the table of kinds: it answers
// wherever scenarios are asked of.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/output/schema/schema.hpp"
#include "railwright/output/text/mixes_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/compare/side_by_side_any.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::simulation {
namespace {

using Json = nlohmann::json;

core::Node copy(const std::vector<std::string>& settings = {}) {
  return load_scenario_tree(test::kSource + "/tests/how_to/copy.yaml", settings);
}

PlainResult result_of(const core::Node& tree) {
  return std::get<PlainResult>(simulate(tree, test::source_catalogue()));
}

TEST(HowToKind, AnswersInJsonAndText) {
  const PlainResult result = result_of(copy());
  const Json json = Json::parse(output::to_json(result));
  EXPECT_EQ(json["scenario_kind"], "copy");
  EXPECT_EQ(json["time_s"], 1250.0);
  EXPECT_NE(output::verdict(result, {}).find("\ncopied in       20"), std::string::npos)
      << output::verdict(result, {});
  EXPECT_NE(output::to_text(result, {}).find("\nrate  "), std::string::npos)
      << output::to_text(result, {});
}

TEST(HowToKind, SaysWhatDoesNotFitAndWhatIsWrong) {
  const PlainResult result = result_of(copy({"copy.streams=9"}));
  EXPECT_FALSE(is_feasible(result));
  EXPECT_NE(output::verdict(result, {}).find("8 streams are the most"), std::string::npos);
  EXPECT_THROW(result_of(copy({"copy.speed=3"})), core::ConfigError);
  EXPECT_THROW(read_training(copy(), test::source_catalogue()), core::ConfigError);
}

TEST(HowToKind, IsSwept) {
  const core::Catalogue catalogue = test::source_catalogue();
  const planner::Sweep sweep(copy(), catalogue, read_variations({"copy.streams=1,2,9"}), {});
  EXPECT_EQ(sweep.question().columns.back().name, "rate_bytes_per_s");
  const std::int64_t points[] = {0, 1, 2};
  const std::vector<planner::SweepRow> rows = sweep.make(points);
  EXPECT_EQ(rows[0].numbers[0], 5000.0);
  EXPECT_EQ(rows[1].numbers[0], 2500.0);
  EXPECT_EQ(rows[2].state, planner::PointState::kInfeasible);
}

TEST(HowToKind, StandsSideBySide) {
  const auto designs = planner::vary({{"copy", copy()}}, read_variations({"copy.streams=1,8"}));
  const auto result = std::get<planner::MixesSideBySide>(
      planner::side_by_side_any(designs, test::source_catalogue()));
  EXPECT_EQ(result.best(), 1U);
  EXPECT_NE(output::verdict(result).find("has a copied in of 10"), std::string::npos)
      << output::verdict(result);
  EXPECT_NE(output::to_text(result).find("\nrate  "), std::string::npos);
  EXPECT_EQ(Json::parse(output::to_json(result))["designs"][0]["result"]["time_s"], 5000.0);
}

TEST(HowToKind, HasAReportASchemaAndNumbersInPython) {
  const core::Catalogue catalogue = test::source_catalogue();
  const core::Node tree = copy();
  const Json page =
      Json::parse(output::report_json(AnyResult(result_of(tree)), nullptr, {tree, catalogue}));
  EXPECT_EQ(page["time_s"], 1250.0);
  EXPECT_EQ(page["scenario"].empty(), false);
  EXPECT_TRUE(Json::parse(output::scenario_schema(catalogue))["$defs"].contains("copy"));
  const Json numbers = Json::parse(output::numbers_json());
  EXPECT_EQ(numbers["of_kind"]["copy"][0]["word"], "copied in");
}

}  // namespace
}  // namespace railwright::simulation
