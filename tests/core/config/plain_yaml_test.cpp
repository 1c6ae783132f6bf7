// SPDX-License-Identifier: Apache-2.0
// The reader of plain YAML against yaml-cpp: the same trees, or the same problems.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "railwright/core/config/text_file.hpp"
#include "railwright/core/config/tree.hpp"
#include "sample.hpp"

namespace railwright::core {
namespace {

namespace fs = std::filesystem;

void describe(const Node& node, std::string& text) {
  text += std::to_string(static_cast<int>(node.kind)) + (node.quoted ? "'" : "") + node.text + '@' +
          std::to_string(node.where.line) + ':' + std::to_string(node.where.column) + '(';
  for (const Node& item : node.items) describe(item, text);
  for (const Entry& entry : node.entries) {
    text += entry.key + '@' + to_string(entry.where) + '=';
    describe(entry.value, text);
  }
  text += ')';
}

/// The tree of a text, or the problems with it.
std::string outcome(const std::string& text) {
  std::string found;
  try {
    describe(parse_yaml(text, "x.yaml"), found);
  } catch (const ConfigError& error) {
    for (const Diagnostic& one : error.diagnostics()) found += to_string(one) + '\n';
  }
  return found;
}

/// A letter beyond ASCII in a comment at the end leaves a text to yaml-cpp.
void expect_same(const std::string& text) {
  const std::string by_yaml_cpp = outcome(text + "\n# \xC3\xA9\n");
  if (by_yaml_cpp.find('\xC3') != std::string::npos) return;  // it is no comment there
  EXPECT_EQ(outcome(text + "\n# ee\n"), by_yaml_cpp) << text;
}

std::vector<std::string> texts_below(const std::string& folder) {
  std::vector<std::string> texts;
  for (const auto& file : fs::recursive_directory_iterator(RAILWRIGHT_SOURCE_DIR + folder)) {
    if (file.path().extension() == ".yaml") texts.push_back(read_text_file(file.path().string()));
  }
  return texts;
}

TEST(PlainYaml, ReadsOurFilesAsYamlCppDoes) {
  for (const char* folder : {"/models/catalogue", "/examples"}) {
    for (const std::string& text : texts_below(folder)) expect_same(text);
  }
}

TEST(PlainYaml, KnowsWhereAValueGoesOn) {
  for (const char* text : {"a: b\n  c",
                           "a: b\n c: d",
                           "a:\n- x\n- y: 1\n  z: 2\nb: 1",
                           "a:\n  - x\n b: 1",
                           "- a\n-\n- b",
                           "- - a\n  - b",
                           "a: {b: 1,\n c: [x, y]} # z",
                           "a: [b, c\n  d]",
                           "a: [b c, d: e]",
                           "a: {b}",
                           "a: {b: }",
                           "a: [x, ]",
                           "a: [, x]",
                           "a: 'it''s'",
                           "a: \"x\\n\"",
                           "a: 'x' 'y'",
                           "a: x#y",
                           "a: x #y",
                           "a: #y\n  b: 1",
                           "a: x: y",
                           "a: x:y",
                           "a: [x:y]",
                           "a: [x:]",
                           "a: {x:y: 1}",
                           "a: -",
                           "a: -1",
                           "a: - 1",
                           "a: ~",
                           "a:\n",
                           "null: 1",
                           "a: 1\na: 2",
                           "<<: 1",
                           "a: *b",
                           "a: &b 1",
                           "a: !t 1",
                           "a: |\n  b",
                           "--- a",
                           "a: 1\n---\nb: 1",
                           "a: 1\n...",
                           "? a\n: b",
                           "a: [b]c",
                           "a: {}",
                           "a: []",
                           "a:\n    b: 1\n  c: 2",
                           "a: 1\n b: 2",
                           " a: 1\nb: 2",
                           "a:b",
                           "a : 1",
                           "a: [\"x\", 'y' ]",
                           "a: [\"x\"y]",
                           "a: {b: \"c\"d}",
                           "a: x ]",
                           "a: [x [y]]",
                           "a: [x?y]",
                           "a: @",
                           "a: x,y",
                           "a: {b: 1}}",
                           "a: [-]",
                           "a: [- 1]",
                           "a: [.5, +1, /x]"}) {
    expect_same(text);
  }
}

/// Texts with a letter changed, left out or put in, most of which are no longer plain.
TEST(PlainYaml, ReadsChangedFilesAsYamlCppDoes) {
  const std::string letters = " \n:-#,[]{}'\"?&*!|>%@~ax1.\\";
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (const std::string& whole : texts_below("/models/catalogue/nodes")) {
    const std::string text = whole.substr(0, 1500);
    for (int i = 0; i < 20; ++i) {
      std::string changed = text;
      const std::size_t at = below(changed.size());
      const std::size_t kind = below(3);
      if (kind == 0) changed[at] = letters[below(letters.size())];
      if (kind == 1) changed.erase(at, 1 + below(3));
      if (kind == 2) changed.insert(at, 1, letters[below(letters.size())]);
      expect_same(changed);
    }
  }
}

}  // namespace
}  // namespace railwright::core
