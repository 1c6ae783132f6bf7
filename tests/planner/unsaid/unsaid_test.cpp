// SPDX-License-Identifier: Apache-2.0
// What is chosen for a scenario that leaves things open, and questions without a file.
#include "railwright/planner/unsaid/unsaid.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/block_yaml.hpp"
#include "railwright/core/error.hpp"
#include "railwright/planner/unsaid/question.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/simulate.hpp"

namespace railwright::test {
namespace {

using planner::Asked;
using planner::Filled;

Filled filled(const std::string& yaml, Asked asked = Asked::kDesign) {
  return planner::fill_in(core::parse_yaml(yaml, "test"), source_catalogue(), asked);
}

std::string value(const Filled& filled, std::string_view key) {
  const core::Node* node = core::find_path(filled.tree, key);
  return node == nullptr ? "" : core::to_yaml(*node);
}

bool is_chosen(const Filled& filled, std::string_view key) {
  return std::ranges::find(filled.chosen, key, &planner::Chosen::key) != filled.chosen.end();
}

planner::Said said(std::string_view word, std::string text) {
  const auto* found = std::ranges::find(planner::kWords, word, &planner::Word::name);
  return {found, std::move(text), "--" + std::string(word)};
}

core::Node asked(const std::vector<planner::Said>& words) {
  return planner::with_words({}, words, source_catalogue());
}

TEST(Unsaid, ThreeLinesOfTrainingAreAScenarioThatFits) {
  const Filled all =
      filled("workload: {model: llama-3.1-70b}\ncluster: {nodes: 48, node: dgx-h100}");
  const auto checked = simulation::read_scenario(all.tree, source_catalogue());
  EXPECT_TRUE(simulation::simulate(checked).feasible());
  for (const auto* key : {"software", "workload.sequence_length", "workload.global_batch",
                          "workload.steps", "cluster.fabric", "parallelism"}) {
    EXPECT_TRUE(is_chosen(all, key)) << key;
  }
  // 384 NICs are more than a switch of 64 ports takes: a leaf a rail.
  EXPECT_EQ(value(all, "cluster.fabric.topology"), "rail_optimized");
}

TEST(Unsaid, WhatIsSaidStays) {
  const std::string yaml =
      "name: mine\n"
      "workload: {model: llama-2-7b, sequence_length: 4096, global_batch: 64, steps: 10}\n"
      "parallelism: {tp: 2}\n"
      "cluster: {nodes: 2, node: xe9680-h100, fabric: {topology: fat_tree, switch: qm9790}}\n"
      "software: nemo-23.11\n";
  const Filled all = filled(yaml);
  EXPECT_TRUE(all.chosen.empty());
  EXPECT_EQ(core::to_yaml(all.tree), core::to_yaml(core::parse_yaml(yaml, "test")));
}

TEST(Unsaid, KeysOfAStackAreLaidOverTheOneThatIsChosen) {
  const Filled all = filled(
      "workload: {model: llama-2-7b}\ncluster: {nodes: 2, node: dgx-h100}\nsoftware: {precision: "
      "fp8}");
  EXPECT_TRUE(is_chosen(all, "software.model"));
  const auto checked = simulation::read_scenario(all.tree, source_catalogue());
  EXPECT_EQ(checked.scenario.software.precision.value, core::Precision::kFp8);
  EXPECT_FALSE(is_chosen(
      filled(
          "workload: {model: llama-2-7b}\ncluster: {nodes: 2, node: dgx-h100}\nsoftware: {model: "
          "nemo-23.11}"),
      "software.model"));
}

TEST(Unsaid, KeysOfAFabricAreLaidOverTheOneThatIsChosen) {
  const Filled all = filled(
      "workload: {model: llama-2-7b}\ncluster: {nodes: 2, node: dgx-h100, fabric: "
      "{oversubscription: 2}}");
  EXPECT_EQ(value(all, "cluster.fabric.topology"), "fat_tree");
  EXPECT_EQ(value(all, "cluster.fabric.oversubscription"), "2");
  EXPECT_NO_THROW(simulation::read_cluster(all.tree, source_catalogue()));
}

/// Says what to ask in place of a kind that has nodes of one kind.
TEST(Unsaid, NodesOfSeveralKindsAreOfSeveralJobs) {
  const std::string pools =
      "cluster:\n  pools:\n"
      "    - {name: h100, nodes: 2, node: dgx-h100, fabric: {topology: fat_tree, switch: qm9700}}\n"
      "    - {name: b200, nodes: 2, node: dgx-b200, fabric: {topology: fat_tree, switch: "
      "qm9700}}\n";
  const auto refusal = [&](const std::string& kind, Asked asked) {
    try {
      (void)filled(pools + kind, asked);
    } catch (const core::ConfigError& error) {
      EXPECT_EQ(error.diagnostics().size(), 1U);
      return core::to_string(error.diagnostics().front());
    }
    return std::string();
  };
  const std::string training = "workload: {model: llama-2-7b}\n";
  EXPECT_NE(refusal(training, Asked::kDesign).find("jobs: [{name: a, pool: h100,"),
            std::string::npos);
  EXPECT_NE(refusal(training, Asked::kSize).find("goals.parts.nodes"), std::string::npos);
  EXPECT_NE(refusal(training, Asked::kSearch).find("one pool"), std::string::npos);
  for (const auto* kind : {"inference: {model: llama-2-7b}\n", "queue: {}\n"}) {
    const std::string said = refusal(kind, Asked::kDesign);
    EXPECT_NE(said.find("cluster.pools: only several jobs have nodes of several kinds"),
              std::string::npos)
        << said;
  }
  EXPECT_EQ(refusal("jobs: []\n", Asked::kDesign), "");
  EXPECT_EQ(refusal(training, Asked::kFabric), "");
}

TEST(Unsaid, OtherKindsAndWhatIsNoScenarioComeBack) {
  for (const auto* yaml :
       {"benchmark: {collective: all_reduce}", "jobs: []", "[1, 2]", "x: 1", "workload: {modle: a}",
        "workload: {model: llama-2-7b}\ncluster: {node: dgx-h100}"}) {
    const Filled all = filled(yaml);
    EXPECT_TRUE(all.chosen.empty()) << yaml;
    EXPECT_EQ(core::to_yaml(all.tree), core::to_yaml(core::parse_yaml(yaml, "test")));
  }
}

TEST(Unsaid, SwitchAndLibraryFitTheNode) {
  const Filled amd = filled(
      "inference: {model: llama-3.1-8b}\ncluster: {nodes: 1, node: xe9680-mi300x}", Asked::kSize);
  EXPECT_EQ(value(amd, "inference.library"), "rccl");
  EXPECT_NO_THROW(simulation::read_cluster(amd.tree, source_catalogue()));
  const Filled nvidia =
      filled("inference: {model: llama-3.1-8b}\ncluster: {node: dgx-h100}", Asked::kSize);
  EXPECT_TRUE(value(nvidia, "inference.library").starts_with("nccl-"));
  EXPECT_EQ(value(nvidia, "cluster.nodes"), "1");
}

/// Every node of the catalogue that has NICs gets a fabric that its ports take.
TEST(Unsaid, FabricFitsEveryNode) {
  int num_fabrics = 0;
  for (const std::string& node : source_catalogue().names("nodes")) {
    const Filled all = filled("workload: {model: llama-2-7b}\ncluster: {nodes: 2, node: " + node +
                              "}\nparallelism: {tp: 1}");
    if (!is_chosen(all, "cluster.fabric")) continue;
    ++num_fabrics;
    EXPECT_NO_THROW(simulation::read_cluster(all.tree, source_catalogue())) << node;
  }
  EXPECT_GT(num_fabrics, 20);
}

/// Three tiers of 64 ports join 65,536 NICs at most.
TEST(Unsaid, FabricHasPortsForAllNics) {
  const auto switch_of = [](int nodes) {
    return value(
        filled("cluster: {node: dgx-h100, nodes: " + std::to_string(nodes) + "}", Asked::kFabric),
        "cluster.fabric.switch");
  };
  EXPECT_EQ(switch_of(8192), "qm9700");
  EXPECT_EQ(switch_of(12288), "q3400");
}

TEST(Unsaid, StepsHoldTheTokens) {
  const Filled all = filled(
      "workload: {model: llama-2-7b}\ncluster: {nodes: 3, node: dgx-h100}\ngoals: {tokens: 1e12}");
  const double batch = std::stod(value(all, "workload.global_batch"));
  const double length = std::stod(value(all, "workload.sequence_length"));
  const double steps = std::stod(value(all, "workload.steps"));
  EXPECT_GE(steps * batch * length, 1e12);
  EXPECT_LT((steps - 1.0) * batch * length, 1e12);
  EXPECT_EQ(all.tree.find("goals"), nullptr);
}

/// Forty-eight nodes do not divide the batch of 512; a date may take a smaller one.
TEST(Unsaid, QuestionOfNodesMayTakeSmallerBatches) {
  const std::string asked =
      "workload: {model: llama-3.1-70b}\ncluster: {node: dgx-h100}\n"
      "goals: {tokens: 1.5e12, deadline: 6 week}";
  const Filled all = filled(asked, Asked::kSize);
  EXPECT_TRUE(is_chosen(all, "search"));
  EXPECT_EQ(value(all, "goals.max_global_batch"), value(all, "workload.global_batch"));
  EXPECT_EQ(value(all, "search.cp"), "[1]");
  const Filled own = filled(asked + "\nsearch: {cp: [2]}", Asked::kSize);
  EXPECT_EQ(value(own, "search.cp"), "[2]");
  EXPECT_FALSE(is_chosen(own, "search"));
}

TEST(Question, WordsAreKeys) {
  const core::Node tree =
      asked({said("model", "llama-3.1-70b"), said("tokens", "1.5T"), said("deadline", "6w")});
  EXPECT_EQ(core::find_path(tree, "goals.tokens")->text, "1.5e12");
  EXPECT_EQ(core::find_path(tree, "goals.deadline")->text, "6 week");
  EXPECT_EQ(core::find_path(tree, "workload.model")->text, "llama-3.1-70b");
}

/// A limit without tokens asks for the most of them; with tokens, for the soonest.
TEST(Question, BudgetAndPowerAskForTheMostTokens) {
  const core::Node tree = asked({said("model", "llama-3.1-70b"), said("budget", "50M"),
                                 said("power", "5MW"), said("prices", "mine.yaml")});
  EXPECT_EQ(core::find_path(tree, "goals.budget")->text, "50e6 USD");
  EXPECT_EQ(core::find_path(tree, "goals.power")->text, "5MW");
  EXPECT_EQ(core::find_path(tree, "goals.find")->text, "most_tokens");
  EXPECT_EQ(core::find_path(tree, "prices")->text, "mine.yaml");
  const core::Node soonest =
      asked({said("model", "llama-3.1-70b"), said("budget", "50M USD"), said("tokens", "1T")});
  EXPECT_EQ(core::find_path(soonest, "goals.find"), nullptr);
  EXPECT_EQ(core::find_path(soonest, "goals.budget")->text, "50e6 USD");
}

TEST(Question, ADeadlineMayBeADay) {
  const core::Node tree =
      asked({said("model", "llama-3.1-70b"), said("power", "5MW"), said("deadline", "2099-06-01")});
  EXPECT_EQ(core::find_path(tree, "goals.by")->text, "2099-06-01");
  EXPECT_EQ(core::find_path(tree, "goals.start")->text.size(), 10U);
  EXPECT_EQ(core::find_path(tree, "goals.deadline"), nullptr);
}

TEST(Question, UsersMakeAService) {
  const core::Node tree = asked({said("model", "llama-3.3-70b"), said("users", "3k")});
  EXPECT_EQ(core::find_path(tree, "inference.requests_per_s")->text, "50");
  EXPECT_EQ(tree.find("workload"), nullptr);
}

TEST(Question, AcceleratorsFillNodes) {
  const core::Node tree = asked({said("model", "llama-2-7b"), said("gpus", "384")});
  EXPECT_EQ(core::find_path(tree, "cluster.nodes")->text, "48");
  try {
    asked({said("gpus", "100"), said("model", "llama-2-7b")});
    FAIL() << "100 accelerators on nodes of 8 were taken";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("96 or 104"), std::string::npos) << error.what();
  }
}

TEST(Question, WordsOfTheOtherKindAreRefusedTogether) {
  try {
    asked({said("model", "llama-2-7b"), said("users", "10"), said("tokens", "1T"),
           said("deadline", "1w")});
    FAIL() << "tokens of a service were taken";
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2);
  }
}

TEST(BlockYaml, ReadsBackAsTheSameTree) {
  const core::Node tree = core::parse_yaml(
      "a: {b: [1, two], 'c d': {e: 'x: #y', f: {}}}\ng: \"12\"\nh: null\n", "test");
  const std::string text = core::to_block_yaml(tree, {{"a.b", "a\nnote"}, {"g", "text"}});
  EXPECT_NE(text.find("b: [1, two]  # a?note"), std::string::npos) << text;
  EXPECT_EQ(core::to_yaml(core::parse_yaml(text, "again")), core::to_yaml(tree));
}

}  // namespace
}  // namespace railwright::test
