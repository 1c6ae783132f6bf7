// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/what_if/what_if.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {
namespace {

using planner::Uncertainty;
using planner::WhatIf;

core::Node example(const std::string& name) {
  return core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/" + name + ".yaml");
}

const core::Catalogue& catalogue() {
  static const core::Catalogue kAll(simulation::catalogue_roots({}));
  return kAll;
}

WhatIf ask(const core::Node& scenario, const std::vector<std::string>& settings,
           simulation::Method method = simulation::Method::kEstimate) {
  planner::Divisions divisions;
  return planner::what_if(scenario, settings, catalogue(), divisions, {.method = method});
}

std::vector<std::string> about(const WhatIf& answer) {
  std::vector<std::string> words;
  for (const Uncertainty& uncertainty : answer.uncertainties) words.push_back(uncertainty.about);
  return words;
}

using Words = std::vector<std::string>;

TEST(WhatIf, TheBandOfTheSiteIsThatOfTheTimeWhereNothingFails) {
  const WhatIf answer = ask(example("neutral-llama-2-7b"), {});
  const double time = answer.result.run.job().training_time().base();
  const auto& result = answer.result;
  EXPECT_LT(result.step_time_low, result.step_time);
  EXPECT_NEAR(answer.training_time_low.base() / time, result.step_time_low / result.step_time,
              1e-9);
  EXPECT_NEAR(answer.training_time_high.base() / time, result.step_time_high / result.step_time,
              1e-9);
}

TEST(WhatIf, FrontEndSwitchesAreAddedWhereOnlyTheirPortsDoNotSuffice) {
  const core::Node scenario = example("llama-2-70b-six-nodes");
  const Words settings{"cluster.nodes=32", "parallelism.virtual_stages=1",
                       "cluster.storage.switch=z9664f-on",
                       "cluster.fabric={topology: rail_optimized, switch: qm9790}"};
  planner::Divisions divisions;
  const WhatIf as_set = ask(scenario, settings);
  ASSERT_TRUE(as_set.result.smallest_change);
  EXPECT_TRUE(as_set.added.empty());
  const WhatIf answer = planner::what_if(scenario, settings, catalogue(), divisions,
                                         {.division = planner::DivisionChoice::kWhereNeeded});
  ASSERT_TRUE(answer.result.feasible());
  EXPECT_EQ(answer.added, (Words{as_set.result.smallest_change->setting}));
  Words by_hand = settings;
  by_hand.push_back(answer.added.front());
  EXPECT_EQ(answer.result.step_time, ask(scenario, by_hand).result.step_time);
}

TEST(WhatIf, AVariantHasTheTimesOfTheWholeAnswerOrWhyThereIsNone) {
  const core::Node scenario = example("neutral-llama-2-7b");
  planner::Divisions divisions;
  const auto outcome = [&](const Words& settings) {
    return planner::variant_outcome(scenario, settings, catalogue(), divisions, {});
  };
  const planner::VariantOutcome four = outcome({"cluster.nodes=4"});
  const WhatIf whole = ask(scenario, {"cluster.nodes=4"});
  EXPECT_TRUE(four.fails.empty());
  EXPECT_EQ(four.step_time, whole.result.step_time);
  EXPECT_EQ(four.training_time, whole.result.run.job().training_time());
  EXPECT_EQ(outcome({"workload.model=llama-2-70b"}).fails,
            ask(scenario, {"workload.model=llama-2-70b"}).result.infeasible.front().what);
  EXPECT_TRUE(outcome({"workload.steps=-5"}).fails.starts_with("must be between 1"));
}

TEST(WhatIf, TheLargestDoubtComesFirst) {
  const core::Node scenario = example("neutral-llama-2-7b");
  // Site: about ln(1.25 / 0.9) = 0.33. Closed form with few transfers, some 5 %: ln(1.05 / 0.95).
  EXPECT_EQ(about(ask(scenario, {})), (Words{"site", "closed form"}));
  EXPECT_EQ(about(ask(scenario, {}, simulation::Method::kSimulate)), (Words{"site"}));
  const Words quiet{"installation={model: neutral, step_time_low: 0.99, step_time_high: 1.01}"};
  EXPECT_EQ(about(ask(scenario, quiet)), (Words{"closed form", "site"}));
}

TEST(WhatIf, ASiteWithoutABandIsTheLargestDoubt) {
  const WhatIf answer = ask(example("neutral-llama-2-7b"), {"installation=h20003"});
  ASSERT_FALSE(answer.uncertainties.empty());
  EXPECT_EQ(answer.uncertainties.front().about, "site");
  EXPECT_FALSE(answer.uncertainties.front().is_known);
}

TEST(WhatIf, FailuresAreADoubtWhereTheyAreLeftToChance) {
  const Words often{"reliability=rsc-1", "workload.steps=400000", "run.replicas=40",
                    "checkpoint.interval=1 h"};
  const WhatIf answer = ask(example("neutral-llama-2-7b"), often);
  EXPECT_EQ(about(answer), (Words{"site", "closed form", "failures"}));
  const Uncertainty& failures = answer.uncertainties.back();
  EXPECT_LT(failures.low, 1.0);
  EXPECT_GT(failures.high, 1.0);
}

TEST(WhatIf, EveryProblemComesAtOnce) {
  try {
    ask(example("neutral-llama-2-7b"), {"cluster.nodes", "workload.steps=0", "parallelism.pt=2"});
    FAIL() << "nothing was wrong";
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3U) << error.what();
  }
}

TEST(WhatIf, NothingIsReadFromFiles) {
  for (const char* setting : {"prices=prices/fictitious.yaml", "workload.model=/tmp/config.json",
                              "workload={model: a.json}", "comparison={cases: [{set: x.yaml}]}"}) {
    EXPECT_THROW(ask(example("neutral-llama-2-7b"), {setting}), core::ConfigError) << setting;
    EXPECT_THROW(planner::with_changes(example("neutral-llama-2-7b"), {setting}), core::ConfigError)
        << setting;
  }
  EXPECT_NO_THROW(ask(example("neutral-llama-2-7b"), {"name=of a.yaml"}));
}

TEST(WhatIf, InOnePieceAScenarioNeedsNoFiles) {
  for (const char* name :
       {"llama-2-70b-cost", "llama-2-70b-rented", "llama-2-70b-six-nodes", "nic-wiring"}) {
    const core::Node scenario = example(name);
    const core::Node whole = planner::in_one_piece(scenario, catalogue());
    const core::Node text = core::parse_yaml(output::scenario_file(whole), "text");
    const auto before = simulation::simulate(simulation::read_scenario(scenario, catalogue()),
                                             {.method = simulation::Method::kEstimate});
    const WhatIf after = ask(text, {});
    EXPECT_EQ(after.result.step_time.base(), before.step_time.base()) << name;
    EXPECT_EQ(after.result.cost.has_value(), before.cost.has_value()) << name;
  }
}

/// What an including file laid over one model does not come back over another, as text either.
TEST(WhatIf, InOnePieceKeepsWhichModelKeysWereLaidOver) {
  core::Node base = example("neutral-llama-2-7b");
  core::set_path(base, "cluster.node={model: xe9680-h100, rack_units: 8}");
  const core::Node patch = core::parse_yaml("cluster: {node: {model: dgx-h100}}", "patch");
  const core::Node scenario = core::overlay(base, patch);
  const core::Node whole = planner::in_one_piece(scenario, catalogue());
  EXPECT_EQ(whole.find("cluster")->find("node")->find("rack_units"), nullptr);
}

TEST(WhatIf, OtherKindsOfScenarioAreRefused) {
  for (const char* name :
       {"all-reduce-8-h100-nodes", "inference-llama-2-70b", "three-jobs-one-powerscale"}) {
    EXPECT_THROW(planner::in_one_piece(example(name), catalogue()), core::ConfigError) << name;
    EXPECT_THROW(ask(example(name), {}), core::ConfigError) << name;
  }
}

}  // namespace
}  // namespace railwright::test
