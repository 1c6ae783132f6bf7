// SPDX-License-Identifier: Apache-2.0
// load_yaml: which files are read, and how they include each other.
#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Lines;

class LoadYaml : public sample::FolderTest {
 protected:
  [[nodiscard]] Lines refused(const std::string& name, const YamlLimits& limits = {}) const {
    return problems_here([&] { load_yaml(path(name), limits); });
  }
};

TEST_F(LoadYaml, RefusesWhatIsNoRegularFile) {
  std::filesystem::create_directory(path("folder"));
  EXPECT_EQ(refused("folder"), Lines{"folder: a directory, not a file"});
  EXPECT_EQ(refused("nothing.yaml"), Lines{"nothing.yaml: no such file"});
  EXPECT_EQ(refused("folder/nothing.yaml"), Lines{"folder/nothing.yaml: no such file"});
  EXPECT_EQ(sample::problems([] { load_yaml("/dev/null"); }),
            Lines{"/dev/null: not a regular file"});
  EXPECT_EQ(sample::problems([] { load_yaml(""); }), Lines{"no such file"});
}

TEST_F(LoadYaml, RefusesLargeAndEmptyFiles) {
  write("large.yaml", std::string(101, '#'));
  EXPECT_EQ(
      refused("large.yaml", {.max_bytes = 100}),
      Lines{"large.yaml: larger than 100 bytes; a scenario is small; is this the right file?"});
  write("empty.yaml", "");
  EXPECT_EQ(refused("empty.yaml"), Lines{"empty.yaml: empty: it holds no values"});
}

TEST_F(LoadYaml, KeysOfTheIncludingFileWin) {
  write("parts/base.yaml", "a: 1\nb: {x: 1, y: [1, 2]}\n");
  const std::string main = write("main.yaml", "include: parts/base.yaml\nb: {y: [3]}\nc: 4\n");
  EXPECT_EQ(to_yaml(load_yaml(main)), "{a: 1, b: {x: 1, y: [3]}, c: 4}");
}

TEST_F(LoadYaml, LaterIncludesWinAndPathsAreRelativeToTheirFile) {
  write("parts/deep/one.yaml", "a: 1\nb: 1\nc: 1\n");
  write("parts/two.yaml", "include: deep/one.yaml\nb: 2\n");
  write("parts/three.yaml", "c: 3\n");
  const std::string main = write("main.yaml", "include: [parts/two.yaml, parts/three.yaml]\n");
  const Node root = load_yaml(main);
  EXPECT_EQ(to_yaml(root), "{a: 1, b: 2, c: 3}");
  EXPECT_EQ(to_string(root.find("a")->where), path("parts/deep/one.yaml") + ":1:4");
}

TEST_F(LoadYaml, TheSameFileMayBeIncludedTwice) {
  write("base.yaml", "a: 1\n");
  const std::string main = write("main.yaml", "include: [base.yaml, base.yaml]\n");
  EXPECT_EQ(to_yaml(load_yaml(main)), "{a: 1}");
}

TEST_F(LoadYaml, RefusesCyclesWithTheChain) {
  write("a.yaml", "include: b.yaml\n");
  write("b.yaml", "x: 1\ninclude: [sub/../c.yaml]\n");
  write("c.yaml", "include: a.yaml\n");
  std::filesystem::create_directory(path("sub"));
  EXPECT_EQ(
      refused("a.yaml"),
      Lines{"c.yaml:1:10: include: it leads in a circle: a.yaml -> b.yaml -> c.yaml -> a.yaml"});
  write("self.yaml", "include: self.yaml\n");
  EXPECT_EQ(refused("self.yaml"),
            Lines{"self.yaml:1:10: include: it leads in a circle: self.yaml -> self.yaml"});
}

TEST_F(LoadYaml, RefusesIncludesThatMultiply) {
  for (int i = 0; i < 20; ++i) {
    std::string text = "include: [f0.yaml, f0.yaml]\n";
    for (const std::size_t at : {20U, 11U}) text.replace(at, 1, std::to_string(i + 1));
    write("f" + std::to_string(i) + ".yaml", text);
  }
  write("f20.yaml", "a: 1\n");
  EXPECT_EQ(refused("f0.yaml"), Lines{"f19.yaml:1:11: include: more than 256 files are included"});
}

TEST_F(LoadYaml, RefusesBadIncludes) {
  write("missing.yaml", "a: 1\ninclude: nothing.yaml\n");
  EXPECT_EQ(refused("missing.yaml"),
            Lines{"missing.yaml:2:10: include: 'nothing.yaml': no such file"});
  write("mapping.yaml", "include: {a: 1}\n");
  EXPECT_EQ(refused("mapping.yaml"),
            Lines{"mapping.yaml:1:10: include: expected a file name, got a mapping"});
  write("null.yaml", "include:\n");
  EXPECT_EQ(refused("null.yaml"),
            Lines{"null.yaml:1:1: include: expected a file name, got nothing"});
  write("list.yaml", "[1, 2]\n");
  write("of_list.yaml", "include: list.yaml\n");
  EXPECT_EQ(refused("of_list.yaml"),
            Lines{"of_list.yaml:1:10: include: 'list.yaml' holds a list, not a mapping"});
  write("broken.yaml", "a: [\n");
  write("of_broken.yaml", "include: broken.yaml\n");
  EXPECT_EQ(refused("of_broken.yaml").at(0).substr(0, 15), "broken.yaml:2:1");
}

}  // namespace
}  // namespace railwright::core
