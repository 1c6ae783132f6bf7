// SPDX-License-Identifier: Apache-2.0
// Published runs by their profile alone, and with the recipe that ran.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::simulation {
namespace {

/// Keys that say which stack ran, in which number format.
bool names_the_stack(std::string_view key) {
  return key == "model" || key == "precision" || key == "collectives";
}

struct PublishedRun {
  std::string id;
  core::Duration published;
  std::vector<std::string> mattered;
  SimulationResult by_profile;
  SimulationResult as_it_ran;

  [[nodiscard]] double error(const SimulationResult& result) const {
    return std::abs(std::log(result.step_time / published));
  }
};

/// A recipe that did not run need not fit into memory.
SimulationResult estimated(core::Node scenario) {
  core::set_path(scenario, "cluster.node.accelerator.memory=20 TB");
  return std::get<SimulationResult>(
      simulate(scenario, test::source_catalogue(), {.method = Method::kEstimate}));
}

std::vector<PublishedRun> read_runs() {
  const core::Node file =
      core::load_yaml(test::kSource + "/tests/workloads/training/stated_recipes.yaml");
  std::vector<PublishedRun> runs;
  for (const core::Node& node : file.find("runs")->items) {
    PublishedRun& run = runs.emplace_back();
    run.id = node.find("id")->text;
    core::Reader reader;
    reader.read(*node.find("published"), "published", run.published);
    for (const core::Node& key : node.find("mattered")->items) run.mattered.push_back(key.text);
    core::Node scenario = *node.find("scenario");
    run.as_it_ran = estimated(scenario);
    std::erase_if(core::find_path(scenario, "software")->entries,
                  [](const core::Entry& entry) { return !names_the_stack(entry.key); });
    run.by_profile = estimated(scenario);
  }
  return runs;
}

class StatedRecipes : public testing::Test {
 protected:
  static const std::vector<PublishedRun>& runs() {
    static const std::vector<PublishedRun> kRuns = read_runs();
    return kRuns;
  }
  [[nodiscard]] static double median_error(SimulationResult PublishedRun::* of) {
    std::vector<double> errors;
    for (const PublishedRun& run : runs()) errors.push_back(run.error(run.*of));
    std::ranges::sort(errors);
    return errors[errors.size() / 2];
  }
};

/// Twenty runs: more than twice as near in the median, and most of them nearer.
TEST_F(StatedRecipes, BringThePredictionNearer) {
  ASSERT_EQ(runs().size(), 20U);
  EXPECT_LT(median_error(&PublishedRun::as_it_ran), 0.5 * median_error(&PublishedRun::by_profile));
  const auto nearer = std::ranges::count_if(runs(), [](const PublishedRun& run) {
    return run.error(run.as_it_ran) < run.error(run.by_profile);
  });
  EXPECT_GE(nearer, 14);
}

/// What made the difference was on the list of what nobody had stated.
TEST_F(StatedRecipes, WereNamedBeforeTheyWereStated) {
  int num_mattered = 0;
  for (const PublishedRun& run : runs()) {
    SCOPED_TRACE(run.id);
    for (const std::string& key : run.mattered) {
      const auto listed = those_that_matter(run.by_profile.unstated);
      EXPECT_NE(std::ranges::find(listed, "software." + key, &UnstatedSetting::key), listed.end())
          << key;
      EXPECT_EQ(std::ranges::find(run.as_it_ran.unstated, "software." + key, &UnstatedSetting::key),
                run.as_it_ran.unstated.end())
          << key;
      ++num_mattered;
    }
  }
  EXPECT_GE(num_mattered, 20);
}

}  // namespace
}  // namespace railwright::simulation
