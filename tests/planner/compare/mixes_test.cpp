// SPDX-License-Identifier: Apache-2.0
// Several jobs, or queues of them, side by side.
#include "railwright/planner/compare/mixes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/mixes_text.hpp"
#include "railwright/planner/compare/side_by_side_any.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::test {
namespace {

using planner::Design;
using planner::MixesSideBySide;

std::vector<Design> designs(const std::string& example,
                            const std::vector<std::string>& variations) {
  const std::string file = RAILWRIGHT_SOURCE_DIR "/examples/" + example;
  return planner::vary({{"base", simulation::load_scenario_tree(file, {})}},
                       simulation::read_variations(variations));
}

TEST(Mixes, OfJobsAreThoseOfSimulate) {
  const auto all = designs("three-jobs-one-powerscale.yaml", {"cluster.storage.count=3,6"});
  const MixesSideBySide result = planner::mixes_side_by_side(all, source_catalogue());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto alone = simulation::simulate(all[i].tree, source_catalogue());
    EXPECT_EQ(output::to_json(std::get<simulation::JobsResult>(result.designs[i].result)),
              output::to_json(std::get<simulation::JobsResult>(alone)));
  }
  EXPECT_EQ(result.best(), 1U) << "six storage nodes wait less";
  EXPECT_LT(result.rank(result.designs[1]), result.rank(result.designs[0]));
  EXPECT_NE(output::verdict(result).find("storage.count=6 has a longest job of"), std::string::npos)
      << output::verdict(result);
  EXPECT_NE(output::to_text(result).find("Llama 2 70B"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(output::to_json(result))["best"], result.designs[1].name);
}

TEST(Mixes, OfQueuesTheShortestWaitIsBest) {
  const auto all = designs("queue-month-2000-gpus.yaml", {"queue.policy=fifo,backfill"});
  const MixesSideBySide result = planner::mixes_side_by_side(all, source_catalogue());
  EXPECT_TRUE(result.feasible());
  EXPECT_EQ(result.best(), 1U);
  EXPECT_NE(output::verdict(result).find("queue.policy=backfill has a mean wait of"),
            std::string::npos)
      << output::verdict(result);
  EXPECT_NE(output::to_text(result).find("accelerators occupied"), std::string::npos);
}

TEST(Mixes, SayWhatDoesNotFit) {
  const auto all = designs("three-jobs-one-powerscale.yaml", {"cluster.storage.used=1 TB,1000 TB"});
  const MixesSideBySide result = planner::mixes_side_by_side(all, source_catalogue());
  EXPECT_FALSE(result.feasible());
  EXPECT_EQ(result.best(), 0U);
  EXPECT_NE(output::verdict(result).find("does not fit"), std::string::npos);
}

TEST(Mixes, StandBesideTheirKindAlone) {
  auto all = designs("three-jobs-one-powerscale.yaml", {"cluster.storage.count=3"});
  all.push_back({"other", core::parse_yaml("workload: {}", "t.yaml")});
  EXPECT_THROW(planner::side_by_side_any(all, source_catalogue()), core::ConfigError);
}

TEST(Mixes, KeepTheColumnsBesideAnImpossibleValue) {
  for (const auto& [example, vary] :
       {std::pair{"three-jobs-one-powerscale.yaml", "cluster.storage.count=1,3"},
        std::pair{"queue-month-2000-gpus.yaml", "queue.policy=none,fifo"}}) {
    const MixesSideBySide result =
        planner::mixes_side_by_side(designs(example, {vary}), source_catalogue());
    EXPECT_FALSE(result.designs[0].is_valid);
    EXPECT_EQ(result.best(), 1U);
    EXPECT_NE(output::verdict(result).find("invalid "), std::string::npos);
    EXPECT_FALSE(output::to_text(result).empty());
    const auto json = nlohmann::json::parse(output::to_json(result));
    EXPECT_EQ(json["designs"][0]["result"].size(), 3U);
  }
}

TEST(Mixes, SayEveryProblemOfAllOfThem) {
  const auto all = designs("three-jobs-one-powerscale.yaml", {"cluster.storage.count=1,2"});
  try {
    planner::mixes_side_by_side(all, source_catalogue());
    FAIL() << "too few storage nodes";
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2U);
  }
}

}  // namespace
}  // namespace railwright::test
