// SPDX-License-Identifier: Apache-2.0
// Services side by side.
#include "railwright/planner/compare/services.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../support/inference.hpp"
#include "../../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "railwright/planner/compare/side_by_side_any.hpp"

namespace railwright::test {
namespace {

using planner::Design;
using planner::ServicesSideBySide;

std::vector<Design> designs(const std::vector<std::string>& variations) {
  core::Node tree = core::parse_yaml(inference_text(), "i.yaml");
  core::set_path(tree, "inference.requests_per_s=60");
  return planner::vary({{"base", tree}}, simulation::read_variations(variations));
}

TEST(Services, AreThoseOfSimulateAndTheBestNeedsFewest) {
  const auto all = designs({"inference.tp=4,1,2"});
  const ServicesSideBySide result = planner::services_side_by_side(all, source_catalogue());
  ASSERT_EQ(result.designs.size(), 3U);
  std::int64_t least = 1 << 20;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto alone =
        simulation::simulate(simulation::read_inference(all[i].tree, source_catalogue()));
    EXPECT_EQ(output::to_json(result.designs[i].result), output::to_json(alone));
    least = std::min(least, alone.num_accelerators);
  }
  ASSERT_TRUE(result.best());
  EXPECT_EQ(result.designs[*result.best()].result.num_accelerators, least);
  EXPECT_EQ(nlohmann::json::parse(output::to_json(result))["best"],
            result.designs[*result.best()].name);
  EXPECT_NE(output::verdict(result).find("needs fewest"), std::string::npos);
  EXPECT_NE(output::to_text(result).find("tokens/s an accelerator"), std::string::npos);
}

TEST(Services, StandWithPromptsApartBesideTogether) {
  const auto all = designs({"inference.tp=1", "inference.disaggregated=null,{prefill_tp: 1}"});
  const ServicesSideBySide result = planner::services_side_by_side(all, source_catalogue());
  ASSERT_EQ(result.designs.size(), 2U);
  EXPECT_FALSE(result.designs[0].result.disaggregated);
  ASSERT_TRUE(result.designs[1].result.disaggregated);
  EXPECT_NE(output::to_text(result).find("replicas for prompts"), std::string::npos);
}

TEST(Services, SayWhatDoesNotFitBesideWhatDoes) {
  const ServicesSideBySide result = planner::services_side_by_side(
      designs({"inference.model=bloom-1.2t,llama-2-7b"}), source_catalogue());
  EXPECT_FALSE(result.feasible());
  EXPECT_EQ(result.best(), 1U);
  EXPECT_NE(output::verdict(result).find("does not fit    inference.model=bloom-1.2t: "),
            std::string::npos)
      << output::verdict(result);
}

TEST(Services, KeepTheColumnsBesideAnImpossibleValue) {
  const ServicesSideBySide result = planner::services_side_by_side(
      designs({"inference.model=no-such-model,llama-2-7b"}), source_catalogue());
  EXPECT_FALSE(result.feasible());
  EXPECT_EQ(result.best(), 1U);
  const std::string said = output::verdict(result);
  EXPECT_NE(said.find("invalid         inference.model=no-such-model: "), std::string::npos)
      << said;
  const auto json = nlohmann::json::parse(output::to_json(result));
  EXPECT_EQ(json["designs"][0]["result"]["valid"], false);
  EXPECT_EQ(json["designs"][0]["result"].size(), 3U);
}

TEST(Services, StandBesideNoTraining) {
  std::vector<Design> mixed = designs({"inference.tp=1"});
  mixed.push_back({"other", core::parse_yaml("workload: {}", "t.yaml")});
  try {
    planner::side_by_side_any(mixed, source_catalogue());
    FAIL() << "nothing thrown";
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().where.file, "t.yaml");
  }
}

}  // namespace
}  // namespace railwright::test
