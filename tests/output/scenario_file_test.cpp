// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/yaml/scenario_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace railwright::test {
namespace {

using output::scenario_file;

core::Node parse(const std::string& text) { return core::parse_yaml(text, "text"); }

TEST(ScenarioFile, SectionsAreBlocksAndShortMappingsLines) {
  const core::Node tree = parse(
      "{name: A job, cluster: {nodes: 2, node: {model: xe9680, nics: {nic: cx7, count: 8}}, "
      "values: [1, 2]}, run: {}}");
  EXPECT_EQ(scenario_file(tree, "made by hand\nrailwright simulate FILE"),
            "# made by hand\n"
            "# railwright simulate FILE\n"
            "name: A job\n"
            "cluster:\n"
            "  nodes: 2\n"
            "  node:\n"
            "    model: xe9680\n"
            "    nics: {nic: cx7, count: 8}\n"
            "  values: [1, 2]\n"
            "run: {}\n");
}

TEST(ScenarioFile, ListsOfMappingsAreAnItemALine) {
  const core::Node tree = parse("cases: [{name: a, set: [x=1]}, {name: b}]");
  EXPECT_EQ(scenario_file(tree), "cases:\n  - {name: a, set: [\"x=1\"]}\n  - {name: b}\n");
}

TEST(ScenarioFile, CommentsStayComments) {
  EXPECT_EQ(scenario_file(parse("a: 1"), "x\r\tname: y\n\nz"), "# x  name: y\n#\n# z\na: 1\n");
}

TEST(ScenarioFile, HostileTextReadsBack) {
  for (const char* text :
       {"name: \"a: b # c\\n- d\"", "name: '- x'", "name: \"\"", "name: null", "name: \"null\"",
        "\"a b: c\": 1", "name: '*a'", "name: '%x'", "a: [[1, 2], [], {b: []}]", "a: {}", "a: []",
        "name: \"\\x01 \\\" \\\\ ü\"", "\"<<\": 1", "a: {b: {c: {d: {e: {f: 1}}}}}", "{}", "[1, 2]",
        "7"}) {
    const core::Node tree = parse(text);
    EXPECT_EQ(to_yaml(parse(scenario_file(tree))), to_yaml(tree)) << text;
  }
}

TEST(ScenarioFile, EveryExampleReadsBack) {
  int num_read = 0;
  for (const auto& file : std::filesystem::directory_iterator(RAILWRIGHT_SOURCE_DIR "/examples")) {
    if (file.path().extension() != ".yaml") continue;
    const core::Node tree = core::load_yaml(file.path().string());
    EXPECT_EQ(to_yaml(parse(scenario_file(tree, "comment"))), to_yaml(tree)) << file.path();
    ++num_read;
  }
  EXPECT_GE(num_read, 20);
}

}  // namespace
}  // namespace railwright::test
