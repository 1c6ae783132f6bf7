// SPDX-License-Identifier: Apache-2.0
// Dell H20003 Table 4: what the fit to two of its times says of the six others.
#include "railwright/planner/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../../support/source_tree.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {
namespace {

using planner::ComparisonResult;
using planner::ComparisonRow;

const ComparisonResult& h20003() {
  static const ComparisonResult kResult = planner::compare(nics_example(), source_catalogue());
  return kResult;
}

TEST(CompareH20003, EightCellsInFourCases) {
  ASSERT_EQ(h20003().rows.size(), 4U);
  for (const ComparisonRow& row : h20003().rows) EXPECT_EQ(row.cells.size(), 2U);
  EXPECT_TRUE(h20003().feasible());
}

TEST(CompareH20003, OnlyTheTwoNodeTimesWereFitted) {
  for (const ComparisonRow& row : h20003().rows) {
    EXPECT_EQ(row.fitted, row.name == "Llama 2 7B, 2 nodes") << row.name;
  }
  for (const auto& cell : h20003().rows.front().cells) {
    EXPECT_LT(std::abs(*cell.relative_error()), 1e-3);
  }
}

TEST(CompareH20003, OtherSixTimesAreWithinTheirTargets) {
  EXPECT_EQ(h20003().errors.num_cells, 6);
  EXPECT_LE(h20003().errors.mean_absolute, 0.02);
  EXPECT_LE(h20003().errors.largest_absolute, 0.05);
  // 14 of 244 minutes over 500 steps, each rounded to half a minute.
  EXPECT_NEAR(h20003().rows.back().effect(1)->base(), 1.68, 0.5);
}

TEST(CompareH20003, FourNicsLoseInEveryPair) {
  for (const ComparisonRow& row : h20003().rows) {
    EXPECT_GT(*row.effect(1), core::Duration{}) << row.name;
    EXPECT_GT(*row.cells[1].published, *row.cells[0].published) << row.name;
  }
}

// The installation of the catalogue is what the fit gives: nobody has touched it by hand.
TEST(CompareH20003, InstallationOfTheCatalogueIsTheFit) {
  core::Node tree = nics_example();
  core::set_path(tree, "comparison.assumptions=[{name: same, set: []}]");
  const ComparisonResult result = planner::compare(tree, source_catalogue());
  ASSERT_EQ(result.assumptions.size(), 1U);
  ASSERT_TRUE(result.assumptions[0].fit.has_value());
  const auto checked = simulation::read_scenario(tree, source_catalogue());
  const models::Installation& site = checked.scenario.installation;
  EXPECT_NEAR(result.assumptions[0].fit->compute_efficiency, site.compute_efficiency.value, 1e-4);
  EXPECT_NEAR(result.assumptions[0].fit->nic_efficiency, site.nic_efficiency.value, 1e-4);
}

TEST(CompareH20003, EveryAssumptionMeetsTheFittedTimesOrSaysWhyNot) {
  ASSERT_GE(h20003().assumptions.size(), 8U);
  for (const auto& assumption : h20003().assumptions) {
    if (!assumption.fit) {
      EXPECT_FALSE(assumption.why_no_fit.empty()) << assumption.name;
      continue;
    }
    for (const auto& cell : assumption.refitted.front().cells) {
      EXPECT_LT(std::abs(*cell.relative_error()), 1e-5) << assumption.name;
    }
  }
}

TEST(CompareH20003, OptimizerStatesOf70bDoNotFitWithoutSharding) {
  core::Node tree = nics_example();
  core::set_path(tree,
                 "comparison.assumptions=[{name: a, set: [software.zero_stage=0, "
                 "software.recompute=none]}]");
  const ComparisonResult result = planner::compare(tree, source_catalogue());
  for (const auto& cell : result.assumptions.front().as_installed.back().cells) {
    EXPECT_FALSE(cell.result.feasible());
    EXPECT_FALSE(cell.relative_error().has_value());
  }
}

TEST(CompareH20003, ThreadsDoNotChangeAnything) {
  EXPECT_EQ(output::to_json(planner::compare(nics_example(), source_catalogue())),
            output::to_json(h20003()));
}

TEST(Compare, NeedsAComparison) {
  core::Node tree = core::load_yaml(kSource + "/examples/neutral-llama-2-7b.yaml");
  EXPECT_THROW(planner::compare(tree, source_catalogue()), core::ConfigError);
}

TEST(Compare, PublishedTimesMustMatchTheValues) {
  core::Node tree = nics_example();
  core::set_path(tree, "comparison.vary.values=[8, 4, 2]");
  try {
    planner::compare(tree, source_catalogue());
    FAIL() << "accepted two times for three values";
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 4U);
    EXPECT_EQ(error.diagnostics()[0].message,
              "'Llama 2 7B, 2 nodes' has 2 published times for 3 values");
  }
}

TEST(Compare, FittedCaseMustBeThere) {
  core::Node tree = nics_example();
  core::set_path(tree, "comparison.fitted_to=Llama 3");
  try {
    planner::compare(tree, source_catalogue());
    FAIL() << "accepted a case that is not there";
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().front().message, "no case 'Llama 3' with published times");
  }
}

}  // namespace
}  // namespace railwright::test
