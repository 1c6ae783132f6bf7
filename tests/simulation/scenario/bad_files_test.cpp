// SPDX-License-Identifier: Apache-2.0
// Files that are no scenario at all, or not one.
#include <filesystem>

#include "../../support/temporary_folder.hpp"
#include "bad_input.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::test {
namespace {

class BadFile : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    static_cast<void>(folder_.write(name, text));
  }

  /// What the file is refused with, without the folder's name.
  [[nodiscard]] Lines problems_of_file(const std::string& name) const {
    Lines lines;
    try {
      simulation::read_scenario(
          simulation::load_scenario_tree((folder_.path() / name).string(), {}), small_catalogue());
    } catch (const core::ConfigError& error) {
      for (const auto& problem : error.diagnostics()) {
        lines.push_back(folder_.shortened(core::to_string(problem)));
      }
    }
    return lines;
  }

  [[nodiscard]] Lines problems_of_text(const std::string& text) const {
    write("s.yaml", text);
    return problems_of_file("s.yaml");
  }

  TemporaryFolder folder_;
};

TEST_F(BadFile, TheSoundOneIsSound) { EXPECT_EQ(problems_of_text(sound_scenario()), Lines{}); }

TEST_F(BadFile, IsMissing) {
  EXPECT_EQ(problems_of_file("s.yaml"), Lines{"s.yaml: no such file"});
  EXPECT_EQ(problems_of_file("no/s.yaml"), Lines{"no/s.yaml: no such file"});
}

TEST_F(BadFile, IsADirectory) {
  std::filesystem::create_directory(folder_.path() / "s.yaml");
  EXPECT_EQ(problems_of_file("s.yaml"), Lines{"s.yaml: a directory, not a file"});
}

TEST_F(BadFile, IsEmptyOrHoldsOneValue) {
  EXPECT_EQ(problems_of_text(""), Lines{"s.yaml: empty: it holds no values"});
  EXPECT_EQ(problems_of_text("# nothing\n"), Lines{"s.yaml: empty: it holds no values"});
  EXPECT_EQ(problems_of_text("llama\n"), Lines{"s.yaml:1:1: expected a mapping, got 'llama'"});
  EXPECT_EQ(problems_of_text("[1, 2]\n"), Lines{"s.yaml:1:1: expected a mapping, got a list"});
}

TEST_F(BadFile, LacksEverything) {
  EXPECT_EQ(problems_of_text("{}\n"),
            (Lines{"s.yaml:1:1: missing key 'name'; it gives: The scenario in a few words.",
                   "s.yaml:1:1: missing key 'workload'; it gives: What is trained, and how much of "
                   "it.",
                   "s.yaml:1:1: missing key 'cluster'; it gives: Nodes, fabric and storage.",
                   "s.yaml:1:1: missing key 'software'; it gives: The stack's recipe, by catalogue "
                   "name."}));
}

TEST_F(BadFile, IsNoYaml) {
  EXPECT_EQ(problems_of_text("name: [test\nworkload: 1\n"),
            Lines{"s.yaml:2:9: not valid YAML: end of sequence flow not found"});
  EXPECT_EQ(problems_of_text("name: \"test\n"),
            Lines{"s.yaml:1:7: not valid YAML: the quote is never closed"});
  EXPECT_EQ(problems_of_text("name: \xff\n"),
            Lines{"s.yaml:1:7: not valid UTF-8; save it as UTF-8"});
  EXPECT_EQ(problems_of_text(std::string("name: a\0b\n", 10)),
            Lines{"s.yaml:1:8: a NUL character is not allowed"});
  EXPECT_EQ(
      problems_of_text(std::string(5U << 20U, 'x')),
      Lines{"s.yaml: larger than 4194304 bytes; a scenario is small; is this the right file?"});
}

TEST_F(BadFile, HoldsTwoDocuments) {
  EXPECT_EQ(problems_of_text(sound_scenario() + "---\nname: b\n"),
            Lines{"s.yaml:20:1: a second document starts here; a file holds one"});
}

TEST_F(BadFile, SaysAKeyTwice) {
  EXPECT_EQ(problems_of_text("name: a\nworkload: {steps: 1, steps: 2}\nname: b\n"),
            (Lines{"s.yaml:2:22: workload: duplicate key 'steps', first on line 2",
                   "s.yaml:3:1: duplicate key 'name', first on line 1"}));
  EXPECT_EQ(
      problems_of_text("name: a\nworkload:\n  <<: {steps: 1}\n"),
      Lines{"s.yaml:3:3: workload: merge keys ('<<') are not allowed; repeat the keys, or use "
            "include"});
}

TEST_F(BadFile, AliasesWithoutEnd) {
  EXPECT_EQ(problems_of_text("name: &a [*a]\n"),
            Lines{"s.yaml:1:11: name.0: an alias stands inside its own anchor"});
  std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const std::string before = "*" + std::string(1, static_cast<char>(c - 1));
    std::string line = std::string(1, c) + ": &" + c + " [" + before;
    for (int i = 1; i < 10; ++i) line += ", " + before;
    bomb += line + "]\n";
  }
  EXPECT_EQ(problems_of_text(bomb),
            Lines{"s.yaml:5:4: more than 200000 values (aliases expanded)"});
}

TEST_F(BadFile, NestsWithoutEnd) {
  const std::string open(100'000, '[');
  const std::string close(100'000, ']');
  const Lines refused{"s.yaml:1:70: nested deeper than 64 levels"};
  EXPECT_EQ(problems_of_text("name: " + open + close + "\n"), refused);
}

TEST_F(BadFile, IncludesItself) {
  write("a.yaml", "include: b.yaml\n");
  write("b.yaml", "include: s.yaml\n");
  EXPECT_EQ(problems_of_text("include: a.yaml\nname: test\n"),
            Lines{"b.yaml:1:10: include: it leads in a circle: s.yaml -> a.yaml -> b.yaml -> "
                  "s.yaml"});
}

TEST_F(BadFile, IncludesWhatIsNotThere) {
  EXPECT_EQ(problems_of_text("name: test\ninclude: a.yaml\n"),
            Lines{"s.yaml:2:10: include: 'a.yaml': no such file"});
}

TEST_F(BadFile, TellsTheIncludedFileOfAProblem) {
  std::string base = sound_scenario();
  base.replace(base.find("nodes: 2"), 8, "nodes: 0");
  write("base.yaml", base);
  EXPECT_EQ(problems_of_text("include: base.yaml\nparallelism: {tp: 0}\n"),
            (Lines{"base.yaml:12:10: cluster.nodes: must be between 1 and 65536, got 0",
                   "s.yaml:2:19: parallelism.tp: must be between 1 and 65536, got 0"}));
}

}  // namespace
}  // namespace railwright::test
