// SPDX-License-Identifier: Apache-2.0
// Where a key stands, and problems that are reported there.
#include "railwright/core/config/report.hpp"

#include <gtest/gtest.h>

namespace railwright::core {
namespace {

const Node& tree() {
  static const Node kTree = parse_yaml(
      "cluster:\n"               // 1
      "  nodes: 4\n"             // 2
      "  faults:\n"              // 3
      "    switches: [a, b]\n",  // 4
      "t.yaml");
  return kTree;
}

TEST(FindPath, FollowsKeysAndIndices) {
  EXPECT_EQ(find_path(tree(), "cluster.nodes")->text, "4");
  EXPECT_EQ(find_path(tree(), "cluster.faults.switches.1")->text, "b");
  EXPECT_EQ(find_path(tree(), ""), &tree());
  for (const char* missing : {"clusters", "cluster.nodes.count", "cluster.faults.switches.2",
                              "cluster.faults.switches.-1", "cluster.faults.switches.1x"}) {
    EXPECT_EQ(find_path(tree(), missing), nullptr) << missing;
  }
}

TEST(FindPath, ChangesATree) {
  Node changed = tree();
  find_path(changed, "cluster.nodes")->text = "8";
  EXPECT_EQ(find_path(changed, "cluster.nodes")->text, "8");
  EXPECT_EQ(find_path(tree(), "cluster.nodes")->text, "4");
}

TEST(PlaceOf, IsThatOfTheDeepestKeyThatIsWritten) {
  EXPECT_EQ(place_of(tree(), "cluster.nodes").line, 2);
  EXPECT_EQ(place_of(tree(), "cluster.faults.switches.1").line, 4);
  EXPECT_EQ(place_of(tree(), "cluster.faults.links.0").line, 4);  // the section's first key
  EXPECT_EQ(place_of(tree(), "power.node_cap").line, 1);
}

TEST(Report, PlacesProblemsByTheirKeys) {
  Reader reader;
  const Report report(tree(), reader);
  EXPECT_TRUE(report.is_clean());
  report("cluster.nodes", "too many", "take 2");
  report.under("cluster").under("faults")({{"switches.0", "no switch 'a'"}, {"", "nothing left"}});
  report.item("cluster.faults.switches", 1, "name", "no effect");
  EXPECT_FALSE(report.is_clean());
  std::vector<std::string> lines;
  for (const Diagnostic& one : reader.diagnostics()) lines.push_back(to_string(one));
  EXPECT_EQ(lines,
            (std::vector<std::string>{"t.yaml:2:10: cluster.nodes: too many; take 2",
                                      "t.yaml:4:16: cluster.faults.switches.0: no switch 'a'",
                                      "t.yaml:4:5: cluster.faults: nothing left",
                                      "t.yaml:4:15: cluster.faults.switches[1].name: no effect"}));
  EXPECT_EQ(report.under("cluster").find("nodes"), find_path(tree(), "cluster.nodes"));
}

}  // namespace
}  // namespace railwright::core
