// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/with_settings.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "railwright/core/config/writer.hpp"

namespace railwright::simulation {
namespace {

std::string named(const std::string& scenario, const std::vector<std::string>& settings) {
  core::Node tree = core::parse_yaml(scenario, "test");
  name_settings(tree, settings);
  const core::Node* name = tree.find("name");
  return name != nullptr ? name->text : "";
}

TEST(NameSettings, TheNameSaysWhatTheyChange) {
  EXPECT_EQ(named("name: On six nodes", {"cluster.nodes=8"}), "On six nodes, with cluster.nodes=8");
  EXPECT_EQ(named("name: On six nodes", {}), "On six nodes");
}

TEST(NameSettings, OfAKeyTheLastOneHolds) {
  EXPECT_EQ(named("name: a", {"b=1", "c=2", "b=3"}), "a, with c=2, b=3");
}

TEST(NameSettings, ManyAreCountedAndLongOnesCut) {
  EXPECT_EQ(named("name: a", {"b=1", "c=2", "d=3", "e=4", "f=5"}),
            "a, with b=1, c=2, d=3 and 2 more settings");
  EXPECT_EQ(named("name: a", {"b=1", "c=2", "d=3", "e=4"}),
            "a, with b=1, c=2, d=3 and 1 more setting");
  EXPECT_EQ(named("name: a", {"b=" + std::string(100, 'x')}),
            "a, with b=" + std::string(46, 'x') + "...");
}

TEST(NameSettings, ASweepSaysItselfWhatItVaries) {
  EXPECT_EQ(named("name: a", {"sweep={cases: []}", "sweep.vary=x"}), "a");
}

TEST(NameSettings, ANameThatIsSetIsAsItIsSet) {
  EXPECT_EQ(named("name: a", {"name=b", "c=2"}), "a");  // with_settings() has put b there
  EXPECT_EQ(named("cluster: {nodes: 1}", {"c=2"}), "");
}

/// A mapping in a setting would end a plain scalar.
TEST(NameSettings, TheNameIsTextInYamlToo) {
  core::Node tree = core::parse_yaml("name: a", "test");
  name_settings(tree, {"b={c: [1, 2]}"});
  const core::Node again = core::parse_yaml(core::to_yaml(tree), "test");
  EXPECT_EQ(again.find("name")->text, "a, with b={c: [1, 2]}");
}

}  // namespace
}  // namespace railwright::simulation
