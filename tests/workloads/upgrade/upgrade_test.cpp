// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/upgrade/upgrade.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"

namespace railwright::simulation {
namespace {

std::string upgraded(const std::string& text) { return upgrade(text, "old.yaml").text; }

TEST(Upgrade, RenamesKeysAndNothingElse) {
  const std::string former =
      "# chance: of 0.9\r\n"
      "goals:\r\n"
      "  chance: 0.9   # chance\r\n"
      "  parts: {servers: [xe9680-h100], \"most_nodes\": 64}\r\n"
      "search: {order: [tp-cp-ep-dp-pp]}\r\n";
  EXPECT_EQ(upgraded(former),
            "# chance: of 0.9\r\n"
            "goals:\r\n"
            "  confidence: 0.9   # chance\r\n"
            "  parts: {nodes: [xe9680-h100], \"max_nodes\": 64}\r\n"
            "search: {rank_order: [tp-cp-ep-dp-pp]}\r\n");
  const UpgradedText made = upgrade(former, "old.yaml");
  ASSERT_EQ(made.renamed.size(), 4U);
  EXPECT_EQ(made.renamed[0].former, "chance");
  EXPECT_EQ(made.renamed[0].name, "confidence");
  EXPECT_EQ(core::to_string(made.renamed[0].where), "old.yaml:3:3");
}

TEST(Upgrade, RenamesSettingsInTexts) {
  EXPECT_EQ(upgraded("search: {variants: [{name: wide, set: ['parallelism.order=tp-cp-ep-pp-dp', "
                     "cluster.nodes=4]}]}\n"),
            "search: {variants: [{name: wide, set: ['parallelism.rank_order=tp-cp-ep-pp-dp', "
            "cluster.nodes=4]}]}\n");
}

TEST(Upgrade, PricesOfACatalogue) {
  EXPECT_EQ(upgraded("name: mine\nservers: {xe9680-h100: 1 USD}\n"),
            "name: mine\nnodes: {xe9680-h100: 1 USD}\n");
}

TEST(Upgrade, CharactersBeforeAKeyInItsLine) {
  EXPECT_EQ(upgraded("{name: \"größer → größer\", goals: {chance: 0.5}}\n"),
            "{name: \"größer → größer\", goals: {confidence: 0.5}}\n");
}

TEST(Upgrade, WhatAnAliasRepeatsIsRenamedOnce) {
  EXPECT_EQ(upgraded("goals: &g {chance: 0.5}\nname: x\n"),
            "goals: &g {confidence: 0.5}\nname: x\n");
}

TEST(Upgrade, BothNamesAreAProblem) {
  try {
    upgraded("goals: {chance: 0.5, confidence: 0.9}\n");
    FAIL();
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(core::to_string(error.diagnostics()[0]),
              "old.yaml:1:9: goals.chance: is now 'confidence', which is there as well; rename it "
              "by hand");
  }
}

TEST(Upgrade, OfThisReleaseIsAsItWas) {
  for (const char* name : {"size-llama2-70b-30-days.yaml", "llama3-405b-54-days.yaml"}) {
    const std::string text = core::read_text_file(test::kSource + "/examples/" + name);
    const UpgradedText made = upgrade(text, name);
    EXPECT_EQ(made.text, text);
    EXPECT_TRUE(made.renamed.empty());
  }
}

/// Calls `visit` with the path of each key that had another name.
void for_each_former(
    const core::Description& shape, const std::string& path,
    const std::function<void(const std::string&, const core::Description&)>& visit) {
  for (const core::Description& key : shape.children) {
    const std::string place = path.empty() ? key.name : path + "." + key.name;
    if (!key.former_name.empty()) visit(path, key);
    if (key.kind == core::Description::Kind::kStruct) for_each_former(key, place, visit);
  }
}

/// A name of old is refused at its place and named in the hint, and the upgrade renames it.
TEST(Upgrade, EveryFormerNameIsRefusedAndRenamed) {
  std::set<std::string> found;
  for_each_former(
      core::describe<Scenario>(), "", [&](const std::string& path, const core::Description& key) {
        const std::string former = (path.empty() ? "" : path + ".") + key.former_name;
        SCOPED_TRACE(former);
        found.insert(former);
        try {
          read_scenario(load_scenario_tree(test::kSource + "/examples/neutral-llama-2-7b.yaml",
                                           {former + "=1"}),
                        test::source_catalogue());
          FAIL();
        } catch (const core::ConfigError& error) {
          const std::string wanted = "is now '" + key.name + "'";
          bool is_said = false;
          for (const core::Diagnostic& problem : error.diagnostics()) {
            is_said = is_said || (problem.path == former && problem.message == wanted);
          }
          EXPECT_TRUE(is_said) << error.what();
        }
        std::string flow = key.former_name + ": 1";
        std::string now = key.name + ": 1";
        std::string rest = path;
        while (!rest.empty()) {
          const std::size_t dot = rest.rfind('.');
          const std::string last = dot == std::string::npos ? rest : rest.substr(dot + 1);
          flow.insert(0, last + ": {").push_back('}');
          now.insert(0, last + ": {").push_back('}');
          rest = dot == std::string::npos ? "" : rest.substr(0, dot);
        }
        EXPECT_EQ(upgraded("{" + flow + "}"), "{" + now + "}");
      });
  EXPECT_TRUE(found.contains("goals.chance"));
  EXPECT_TRUE(found.contains("parallelism.order"));
  EXPECT_TRUE(found.contains("power.server_cap"));
  EXPECT_TRUE(found.contains("run.seek_interval"));
  EXPECT_GE(found.size(), 10U);
}

}  // namespace
}  // namespace railwright::simulation
