// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Lines;

std::string after(std::string_view yaml, std::string_view setting) {
  Node root = parse_yaml(yaml, "x.yaml");
  set_path(root, setting);
  return to_yaml(root);
}

Lines refused(std::string_view yaml, std::string_view setting) {
  return sample::problems([&] { after(yaml, setting); });
}

TEST(SetPath, ReplacesAndCreates) {
  EXPECT_EQ(after("{a: {b: 1}}", "a.b=2"), "{a: {b: 2}}");
  EXPECT_EQ(after("{a: {b: 1}}", "a.c.d=2"), "{a: {b: 1, c: {d: 2}}}");
  EXPECT_EQ(after("{a: }", "a.b=2"), "{a: {b: 2}}");
  EXPECT_EQ(after("{a: [1]}", "a=2"), "{a: 2}");
}

TEST(SetPath, ReadsTheValueAsYaml) {
  EXPECT_EQ(after("{}", "a=400 Gb/s"), "{a: 400 Gb/s}");
  EXPECT_EQ(after("{}", "a=[1, 2]"), "{a: [1, 2]}");
  EXPECT_EQ(after("{}", "a={b: {c: 1}}"), "{a: {b: {c: 1}}}");
  EXPECT_EQ(after("{}", "a='8'"), "{a: \"8\"}");
  EXPECT_EQ(after("{}", "a=b=c"), "{a: \"b=c\"}");
  EXPECT_EQ(after("{}", "a=null"), "{a: null}");
}

TEST(SetPath, CountsListItemsFromZero) {
  EXPECT_EQ(after("{nodes: [{x: 1}, {x: 2}]}", "nodes.1.x=3"), "{nodes: [{x: 1}, {x: 3}]}");
  EXPECT_EQ(after("{nodes: [1, 2]}", "nodes.0=3"), "{nodes: [3, 2]}");
}

TEST(SetPath, AKeyOfANamedModelOverridesIt) {
  EXPECT_EQ(after("{accelerator: h100-sxm}", "accelerator.memory.capacity=96 GB"),
            "{accelerator: {model: h100-sxm, memory: {capacity: 96 GB}}}");
}

TEST(SetPath, RefusesMalformedSettings) {
  EXPECT_EQ(refused("{}", "abc"), Lines{"--set abc: expected path=value"});
  EXPECT_EQ(refused("{}", "=1"), Lines{"--set =1: expected path=value"});
  EXPECT_EQ(refused("{}", ""), Lines{"--set : expected path=value"});
  EXPECT_EQ(refused("{}", "a..b=1"),
            Lines{"--set a..b=1: a..b: a key is missing before or after a dot"});
  EXPECT_EQ(refused("{}", "a.=1"), Lines{"--set a.=1: a.: a key is missing before or after a dot"});
  EXPECT_EQ(refused("{}", "a="), Lines{"--set a=: a: a value is missing after '='"});
  EXPECT_EQ(refused("{}", "a=[1"),
            Lines{"--set a=[1: a: not valid YAML: end of sequence flow not found"});
  EXPECT_EQ(refused("{}", "a=b: c"),
            Lines{"--set a=b: c: a: expected one value, [a, list] or {a: mapping}, got 'b: c'"});
  EXPECT_EQ(refused("{}", "a={b: 1, b: 2}"),
            Lines{"--set a={b: 1, b: 2}: a: duplicate key 'b', first on line 1"});
}

TEST(SetPath, RefusesItemsThatDoNotExist) {
  EXPECT_EQ(refused("{a: [1, 2]}", "a.2=1"),
            Lines{"--set a.2=1: a.2: the list has 2 items, counted from 0; there is no item 2"});
  EXPECT_EQ(refused("{a: [1, 2]}", "a.x=1"),
            Lines{"--set a.x=1: a.x: expected the number of a list item, got 'x'"});
  EXPECT_EQ(refused("{a: [1, 2]}", "a.-1=1"),
            Lines{"--set a.-1=1: a.-1: expected the number of a list item, got '-1'"});
}

TEST(SetPath, RefusesVeryLongPaths) {
  std::string path = "a";
  for (int i = 0; i < 100'000; ++i) path += ".a";
  const Lines lines = refused("{}", path + "=1");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("more than 64 keys in the path"), std::string::npos);
}

TEST(SetPath, LaterProblemsNameTheSetting) {
  Node root = parse_yaml("{count: 3}", "x.yaml");
  set_path(root, "options.count=2.5");
  Reader reader;
  sample::Plain plain;
  reader.read(*root.find("options"), "options", plain);
  EXPECT_EQ(sample::problems([&] { reader.throw_if_any(); }),
            Lines{"--set options.count=2.5: options.count: expected a whole number, got '2.5'"});
}

}  // namespace
}  // namespace railwright::core
