// SPDX-License-Identifier: Apache-2.0
// parse_yaml: what is read, and every way in which a text is refused.
#include <string>

#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Lines;

Lines refused(std::string_view text, const YamlLimits& limits = {}) {
  return sample::problems([&] { parse_yaml(text, "x.yaml", limits); });
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Yaml, RemembersWhereEverythingStood) {
  const Node root = parse_yaml("a: 1\nb:\n  c: [x, 'y']\n", "x.yaml");
  ASSERT_TRUE(root.is_mapping());
  EXPECT_EQ(to_string(root.find("a")->where), "x.yaml:1:4");
  EXPECT_EQ(to_string(root.entries[1].where), "x.yaml:2:1");
  const Node& list = *root.find("b")->find("c");
  EXPECT_EQ(to_string(list.where), "x.yaml:3:6");
  EXPECT_EQ(to_string(list.items[1].where), "x.yaml:3:10");
  EXPECT_EQ(root.find("nothing"), nullptr);
}

TEST(Yaml, TellsPlainAndQuotedAndNothingApart) {
  const Node root = parse_yaml("[1, \"1\", '1', null, ~, '']", "x.yaml");
  ASSERT_EQ(root.items.size(), 6U);
  EXPECT_FALSE(root.items[0].quoted);
  EXPECT_TRUE(root.items[1].quoted);
  EXPECT_TRUE(root.items[2].quoted);
  EXPECT_EQ(root.items[3].kind, Node::Kind::kNull);
  EXPECT_EQ(root.items[4].kind, Node::Kind::kNull);
  EXPECT_EQ(root.items[5].kind, Node::Kind::kScalar);
}

TEST(Yaml, ExpandsAliasesAtTheirOwnPlace) {
  const Node root = parse_yaml("a: &x {v: 1}\nb: *x\n", "x.yaml");
  EXPECT_EQ(to_yaml(root), "{a: {v: 1}, b: {v: 1}}");
  EXPECT_EQ(to_string(root.find("b")->where), "x.yaml:2:4");
}

TEST(Yaml, AcceptsMarksAroundOneDocument) {
  EXPECT_EQ(to_yaml(parse_yaml("%YAML 1.2\n---\na: 1\n...\n", "x")), "{a: 1}");
  EXPECT_EQ(to_yaml(parse_yaml("\xEF\xBB\xBF"
                               "a: \xC3\xA9\r\nb: 2\r\n",
                               "x")),
            "{a: \"\xC3\xA9\", b: 2}");
  EXPECT_EQ(parse_yaml("---\n", "x").kind, Node::Kind::kNull);
}

TEST(Yaml, RefusesEmptyInput) {
  EXPECT_EQ(refused(""), Lines{"x.yaml: empty: it holds no values"});
  EXPECT_EQ(refused("\n# only a comment\n"), Lines{"x.yaml: empty: it holds no values"});
}

TEST(Yaml, RefusesASecondDocument) {
  EXPECT_EQ(refused("a: 1\n---\nb: 2\n"),
            Lines{"x.yaml:2:1: a second document starts here; a file holds one"});
  EXPECT_EQ(refused("a: 1\n---\n"),
            Lines{"x.yaml:2:1: a second document starts here; a file holds one"});
}

TEST(Yaml, RefusesTextThatBelongsToNothing) {
  EXPECT_EQ(refused(", a"),
            Lines{"x.yaml:1:1: the text from here on belongs to nothing before it"});
  EXPECT_EQ(refused("[a] b"),
            Lines{"x.yaml:1:5: the text from here on belongs to nothing before it"});
}

TEST(Yaml, ReportsASyntaxErrorAlone) {
  EXPECT_EQ(refused("a: 1\na: 2\nb: [1, 2\n"),
            Lines{"x.yaml:4:1: not valid YAML: end of sequence flow not found"});
  EXPECT_EQ(refused("a: 1\n]\n"), Lines{"x.yaml:2:1: not valid YAML: illegal flow end"});
  EXPECT_EQ(refused("a: *b\n"),
            Lines{"x.yaml:1:4: not valid YAML: the referenced anchor is not defined"});
  EXPECT_EQ(refused("a: b: c\n").size(), 1U);
  EXPECT_EQ(refused("a: 'b").size(), 1U);
  EXPECT_EQ(refused("\ta: 1\n").size(), 1U);
}

TEST(Yaml, RefusesQuotesThatAreNeverClosed) {
  for (const char* text : {"a: 'b\n", "a: 'it''s\n", "a: \"b\\\"\n\n", "a: &x 'b\n", "a: ! 'b\n"}) {
    EXPECT_EQ(refused(text), Lines{"x.yaml:1:4: not valid YAML: the quote is never closed"});
  }
  EXPECT_EQ(refused("\xEF\xBB\xBF[&x 'it''s', \"\\\"\", ! \"a\n b\", '']\r\n"), Lines{});
}

TEST(Yaml, PlacesAbsentValuesAtTheirKey) {
  const Node root = parse_yaml("a:\n  b:\nc: ~\nd: null\n", "x.yaml");
  EXPECT_EQ(to_string(root.find("a")->find("b")->where), "x.yaml:2:3");
  EXPECT_EQ(to_string(root.find("c")->where), "x.yaml:3:4");
  EXPECT_EQ(to_string(root.find("d")->where), "x.yaml:4:4");
}

TEST(Yaml, CollectsEveryStructuralProblem) {
  EXPECT_EQ(refused("a: 1\n"
                    "b: {c: 1, c: 2}\n"
                    "a: 2\n"
                    "<<: {d: 1}\n"
                    "[x]: 3\n"
                    "? {y: 1}\n"
                    ": 4\n"
                    "~: 5\n"
                    "e: !!str 6\n"
                    "f: !own 7\n"
                    "g: [1, !!int 2]\n"),
            (Lines{"x.yaml:2:11: b: duplicate key 'c', first on line 2",
                   "x.yaml:3:1: duplicate key 'a', first on line 1",
                   "x.yaml:4:1: merge keys ('<<') are not allowed; repeat the keys, or use include",
                   "x.yaml:5:1: a key must be plain text, got a list",
                   "x.yaml:6:3: a key must be plain text, got a mapping",
                   "x.yaml:8:1: a key must be plain text, got nothing",
                   "x.yaml:9:4: e: tag 'tag:yaml.org,2002:str' is not allowed",
                   "x.yaml:10:4: f: tag '!own' is not allowed",
                   "x.yaml:11:8: g.1: tag 'tag:yaml.org,2002:int' is not allowed"}));
  EXPECT_EQ(refused("a: &x b\n*x : 1\n"),
            Lines{"x.yaml:2:1: a key must be plain text, got an alias"});
}

TEST(Yaml, RefusesAnAliasOfItself) {
  EXPECT_EQ(refused("a: &a [*a]\n"),
            Lines{"x.yaml:1:8: a.0: an alias stands inside its own anchor"});
  EXPECT_EQ(refused("a: &a {b: {c: *a}}\n"),
            Lines{"x.yaml:1:15: a.b.c: an alias stands inside its own anchor"});
}

TEST(Yaml, RefusesBytesThatAreNoText) {
  EXPECT_EQ(refused("a: \xFF\n"), Lines{"x.yaml:1:4: not valid UTF-8; save it as UTF-8"});
  EXPECT_EQ(refused("a: 1\nb: \xC3("), Lines{"x.yaml:2:4: not valid UTF-8; save it as UTF-8"});
  EXPECT_EQ(refused("\xED\xA0\x80"),
            Lines{"x.yaml:1:1: not valid UTF-8; save it as UTF-8"});  // surrogate
  EXPECT_EQ(refused("\xC0\x80"),
            Lines{"x.yaml:1:1: not valid UTF-8; save it as UTF-8"});  // overlong
  EXPECT_EQ(refused("\xF4\x90\x80\x80"), Lines{"x.yaml:1:1: not valid UTF-8; save it as UTF-8"});
  EXPECT_EQ(refused(std::string("a: b\0c", 6)),
            Lines{"x.yaml:1:5: a NUL character is not allowed"});
  EXPECT_EQ(refused("a: \"b\\0c\""), Lines{"x.yaml:1:4: a: a NUL character is not allowed"});
  EXPECT_EQ(refused("a: 1\n\x04 b: 2\n"),
            Lines{"x.yaml:2:1: control character 0x04 is not allowed"});
}

TEST(Yaml, RefusesDeepNestingOfEveryKind) {
  for (const char* opening : {"[", "{", "- ", "? ", "[\n", "{a: ", "[[],", "{\"a\":[", "? - "}) {
    const Lines lines = refused(repeated(opening, 50'000));
    ASSERT_EQ(lines.size(), 1U) << opening;
    EXPECT_NE(lines[0].find(": nested deeper than 64 levels"), std::string::npos) << lines[0];
  }
  std::string indented;
  for (std::size_t i = 0; i < 2000; ++i) indented += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(refused(indented), Lines{"x.yaml:65:65: nested deeper than 64 levels"});
  EXPECT_EQ(refused(repeated("[", 64) + repeated("]", 64)), Lines{});
  EXPECT_EQ(refused(repeated("[", 65) + repeated("]", 65)),
            Lines{"x.yaml:1:65: nested deeper than 64 levels"});
}

TEST(Yaml, CountsTheDepthOfAliases) {
  EXPECT_EQ(refused("a: &x [[[1]]]\nb: [*x]\n", {.max_depth = 4}),
            Lines{"x.yaml:2:5: nested deeper than 4 levels"});
}

TEST(Yaml, SurvivesRepeatedPunctuation) {
  for (const char* text :
       {"a: ", "&a ", "*", "!",  "!<", "%TAG ! x\n", "---\n", "...\n", "'", "\"",     "|\n", ">",
        "@",   "`",   ":", ": ", "?",  "#",          ",",     "]",     "}", "a: |\n", "\\"}) {
    SCOPED_TRACE(text);
    refused(repeated(text, 20'000));
  }
}

TEST(Yaml, RefusesAliasBombs) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string alias = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + alias;
    bomb += repeated(", " + alias, 9) + "]\n";
  }
  const Lines nodes = refused(bomb);
  ASSERT_EQ(nodes.size(), 1U);
  EXPECT_NE(nodes[0].find("more than 200000 values (aliases expanded)"), std::string::npos);

  const std::string text = "a: &a " + std::string(100'000, 'x') + "\nb: [" + repeated("*a, ", 100);
  const Lines bytes = refused(text + "]\n");
  ASSERT_EQ(bytes.size(), 1U);
  EXPECT_NE(bytes[0].find("more than 4194304 bytes of text (aliases expanded)"), std::string::npos);
}

TEST(Yaml, RefusesMoreThanTheLimits) {
  EXPECT_EQ(refused("[1, 2, 3]", {.max_nodes = 3}),
            Lines{"x.yaml:1:8: more than 3 values (aliases expanded)"});
  EXPECT_EQ(refused("a: 12345", {.max_bytes = 7}),
            Lines{"x.yaml: larger than 7 bytes; a scenario is small; is this the right file?"});
}

TEST(Yaml, WritesTextThatReadsBack) {
  for (const char* text : {"a",
                           "[]",
                           "{}",
                           "null",
                           "[null, ~, 'null']",
                           "{a: 1, b: [x, {c: d}]}",
                           "'it''s'",
                           "\"two\\nlines\\tand \\\"quotes\\\" \\\\\"",
                           "{'<<': 1, 'a: b': 2, '': 3}",
                           "'#no'",
                           "'- x'",
                           "a b c",
                           "-5",
                           "- 5",
                           "'*x'",
                           "'[x]'",
                           "'x: y'",
                           "a #comment",
                           "3 TB/s",
                           "'---'",
                           "\"\\x07\"",
                           "' x '",
                           "'%a'",
                           "'@x'",
                           "'!x'",
                           "'&x'",
                           "'?'",
                           "'? x'",
                           "'-'",
                           "$5",
                           "(a)"}) {
    const Node once = parse_yaml(text, "x");
    const std::string written = to_yaml(once);
    EXPECT_EQ(to_yaml(parse_yaml(written, "y")), written) << text;
    EXPECT_EQ(parse_yaml(written, "y").text, once.text) << text;
    EXPECT_EQ(parse_yaml(written, "y").kind, once.kind) << text;
  }
}

}  // namespace
}  // namespace railwright::core
