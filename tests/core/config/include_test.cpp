// SPDX-License-Identifier: Apache-2.0
// load_yaml: which files are read, and how they include each other.
#include "railwright/core/config/include.hpp"

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

/// What is read of `inner/main.yaml` with this include, with folders that are allowed.
class IncludeFolders : public LoadYaml {
 protected:
  void SetUp() override {
    write("secret.yaml", "a: 1\n");
    write("inner-not/secret.yaml", "a: 1\n");
    write("inner/deep/one.yaml", "a: 2\n");
    write("allowed/first.yaml", "include: second.yaml\n");
    write("allowed/second.yaml", "a: 3\n");
    write("allowed/back.yaml", "include: ../secret.yaml\n");
    std::filesystem::create_symlink("../secret.yaml", path("inner/link.yaml"));
    std::filesystem::create_directory_symlink("../allowed", path("inner/folder"));
    std::filesystem::create_directory_symlink("inner", path("other-name"));
  }

  [[nodiscard]] Lines read(const std::string& include, const std::vector<std::string>& allowed = {},
                           const std::string& main = "inner/main.yaml") {
    write("inner/main.yaml", "b: 1\ninclude: " + include + "\n");
    std::vector<std::string> folders;
    for (const std::string& folder : allowed) folders.push_back(path(folder));
    Lines lines;
    try {
      lines.push_back(to_yaml(load_yaml_with(folders, path(main))));
    } catch (const ConfigError& error) {
      for (const Diagnostic& problem : error.diagnostics()) {
        lines.push_back(problem.message.substr(0, problem.message.find(" outside ")));
      }
    }
    return lines;
  }
};

TEST_F(IncludeFolders, AreThatOfTheFileAndBelow) {
  EXPECT_EQ(read("deep/one.yaml"), Lines{"{a: 2, b: 1}"});
  EXPECT_EQ(read("../inner/deep/one.yaml"), Lines{"{a: 2, b: 1}"});
  EXPECT_EQ(read("../secret.yaml"), Lines{"'../secret.yaml' lies"});
  EXPECT_EQ(read("deep/../../secret.yaml"), Lines{"'deep/../../secret.yaml' lies"});
  EXPECT_EQ(read("../inner-not/secret.yaml"), Lines{"'../inner-not/secret.yaml' lies"});
  EXPECT_EQ(read("/etc/hostname"), Lines{"'/etc/hostname' lies"});
  EXPECT_EQ(read("../not/there.yaml"), Lines{"'../not/there.yaml' lies"});
}

TEST_F(IncludeFolders, AreThoseThatLinksLeadTo) {
  EXPECT_EQ(read("link.yaml"), Lines{"'link.yaml' lies"});
  EXPECT_EQ(read("folder/second.yaml"), Lines{"'folder/second.yaml' lies"});
  EXPECT_EQ(read("deep/one.yaml", {}, "other-name/main.yaml"), Lines{"{a: 2, b: 1}"});
  EXPECT_EQ(read("folder/second.yaml", {"allowed"}), Lines{"{a: 3, b: 1}"});
}

TEST_F(IncludeFolders, AreThoseThatAreAllowed) {
  EXPECT_EQ(read("../allowed/first.yaml", {"allowed"}), Lines{"{a: 3, b: 1}"});
  EXPECT_EQ(read("../allowed/first.yaml", {"inner-not", "allowed/"}), Lines{"{a: 3, b: 1}"});
  EXPECT_EQ(read("../allowed/back.yaml", {"allowed"}), Lines{"'../secret.yaml' lies"});
  EXPECT_EQ(read("../secret.yaml", {""}), Lines{"{a: 1, b: 1}"});  // the folder above
}

TEST_F(IncludeFolders, AreNamedWithTheOption) {
  write("inner/main.yaml", "include: [deep/one.yaml,\n  ../secret.yaml]\n");
  const std::string folder = std::filesystem::canonical(path("inner")).string();
  EXPECT_EQ(refused("inner/main.yaml"),
            Lines{"inner/main.yaml:2:3: include: '../secret.yaml' lies outside " +
                  folder.substr(folder.size() - 5) +
                  ", the folder of what was asked for; --allow-include FOLDER (allow_include in "
                  "Python) allows another one"});
}

/// What is refused of `inner/main.yaml` that holds `yaml`.
class NamedFiles : public IncludeFolders {
 protected:
  [[nodiscard]] Lines outside(const std::string& yaml,
                              const std::vector<std::string>& allowed = {}) const {
    write("inner/main.yaml", yaml);
    std::vector<std::string> folders;
    for (const std::string& folder : allowed) folders.push_back(path(folder));
    Lines lines;
    try {
      (void)load_yaml_with(folders, path("inner/main.yaml"));
    } catch (const ConfigError& error) {
      for (const Diagnostic& problem : error.diagnostics()) {
        lines.push_back(std::to_string(problem.where.line) + " " + problem.path + ": " +
                        problem.message.substr(0, problem.message.find(" outside ")));
      }
    }
    return lines;
  }
};

TEST_F(NamedFiles, LieWhereIncludesMayLie) {
  EXPECT_EQ(outside("prices: deep/one.yaml\nworkload: {model: none.json}\n"), Lines{});
  EXPECT_EQ(outside("prices: ../secret.yaml\njobs:\n  - workload: {model: /etc/model.json}\n"),
            (Lines{"1 prices: '../secret.yaml' lies",
                   "3 jobs.0.workload.model: '/etc/model.json' lies"}));
  EXPECT_EQ(outside("prices: link.yaml\n"), Lines{"1 prices: 'link.yaml' lies"});
  EXPECT_EQ(outside("prices: ../allowed/second.yaml\n", {"allowed"}), Lines{});
  EXPECT_EQ(outside("prices: ../allowed/second.yaml\n", {"inner-not"}),
            Lines{"1 prices: '../allowed/second.yaml' lies"});
}

TEST_F(NamedFiles, AreThoseOfSettingsAndOfValuesThatVaryToo) {
  const std::string here = path("inner/x.yaml");
  EXPECT_EQ(outside("set: [prices=/etc/x.yaml, 'prices={model: /etc/y.yaml}', a.b=3]\n"),
            (Lines{"1 set.0: '/etc/x.yaml' lies", "1 set.1: '/etc/y.yaml' lies"}));
  EXPECT_EQ(outside("vary: [{key: prices, values: [/etc/x.yaml, " + here + "]}]\n"),
            Lines{"1 vary.0.values.0: '/etc/x.yaml' lies"});
  EXPECT_EQ(outside("set: [prices=" + here + "]\n"), Lines{});
}

TEST_F(NamedFiles, AreNotWordsThatEndLikeOne) {
  EXPECT_EQ(
      outside("name: see /etc/x.yaml\nsource: /home/me/x.json\na: {description: ../x.yaml}\n"),
      Lines{});
}

TEST_F(NamedFiles, OfAnIncludedFileStandBesideIt) {
  write("inner/deep/two.yaml", "prices: ../x.yaml\n");
  EXPECT_EQ(outside("include: deep/two.yaml\n"), Lines{});
  write("inner/deep/two.yaml", "prices: ../../secret.yaml\n");
  EXPECT_EQ(outside("include: deep/two.yaml\n"), Lines{"1 prices: '../../secret.yaml' lies"});
}

}  // namespace
}  // namespace railwright::core
