// SPDX-License-Identifier: Apache-2.0
// Text for terminals: tables and sentences of a width, numbers without negative zeros.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "../../output/src/words/number_text.hpp"
#include "railwright/output/words/lines.hpp"
#include "railwright/output/words/table.hpp"

namespace railwright::output {
namespace {

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, width(line));
  return longest;
}

Table table() {
  Table made({"case", "time", "what limits"});
  made.align_left(2);
  made.add_row({"first", "7.62 s", "matrix products with 73.7 % of a step, then attention"});
  made.add_row({"second", "120 ms", "nothing"});
  return made;
}

TEST(Words, ATableWithoutWidthIsAsWideAsItIs) {
  EXPECT_EQ(table().text({}),
            "case      time  what limits\n"
            "---------------------------------------------------------------------\n"
            "first   7.62 s  matrix products with 73.7 % of a step, then attention\n"
            "second  120 ms  nothing\n");
}

TEST(Words, ATableBreaksSentencesToFit) {
  EXPECT_EQ(table().text({.width = 40}),
            "case      time  what limits\n"
            "----------------------------------------\n"
            "first   7.62 s  matrix products with\n"
            "                73.7 % of a step, then\n"
            "                attention\n"
            "second  120 ms  nothing\n");
}

TEST(Words, ColumnsThatDoNotFitFollowBelow) {
  Table many({"", "first", "second", "third"});
  many.add_row({"a", "1,000,000", "2,000,000", "3,000,000"});
  EXPECT_EQ(many.text({.width = 25}),
            "       first     second\n"
            "-----------------------\n"
            "a  1,000,000  2,000,000\n"
            "\n"
            "       third\n"
            "------------\n"
            "a  3,000,000\n");
}

TEST(Words, NoTableIsWiderThanItMayBe) {
  for (std::size_t room = 12; room < 90; ++room) {
    EXPECT_LE(longest_line(table().text({.width = room})), room);
  }
}

TEST(Words, SentencesHangUnderTheirBeginning) {
  EXPECT_EQ(wrapped("limit           one two three four five\nshort\n", 33),
            "limit           one two three\n                four five\nshort\n");
  EXPECT_EQ(wrapped("try next        --set a=b: one two three\n", 33),
            "try next        --set a=b: one\n                two three\n")
      << "a setting behind the label does not keep words from being whole";
  EXPECT_EQ(wrapped("  24 nodes need 192 ports\n", 16), "  24 nodes need\n  192 ports\n");
  EXPECT_EQ(wrapped("as it is", 0), "as it is");
}

TEST(Words, ANumberKeepsItsUnit) {
  EXPECT_EQ(broken("it takes 18.6 % of it", 14),
            (std::vector<std::string>{"it takes", "18.6 % of it"}));
}

TEST(Words, ACommandCanBePasted) {
  EXPECT_EQ(wrapped("best: --set a.b=1 --set c.d=2\n", 24), "best: --set a.b=1 \\\n--set c.d=2\n");
}

TEST(Words, ColoursTakeNoRoom) {
  EXPECT_EQ(width("\033[1;31mdoes not fit\033[0m"), 12U);
  EXPECT_EQ(wrapped("\033[1mone\033[0m two", 7), "\033[1mone\033[0m two");
}

TEST(Words, WhatIsTooSmallToShowHasNoSign) {
  EXPECT_EQ(signed_percent(-0.0001), "0.0 %");
  EXPECT_EQ(signed_percent(0.0), "0.0 %");
  EXPECT_EQ(signed_percent(-0.01), "-1.0 %");
  EXPECT_EQ(signed_percent(0.01), "+1.0 %");
  EXPECT_EQ(percent(-1e-9), "0.0 %");
  EXPECT_EQ(signed_fixed(-0.001, 2), "0.00");
}

TEST(Words, MoneyIsGrouped) {
  EXPECT_EQ(money(core::Money::from_base(12578184.4)), "12,578,184 USD");
}

}  // namespace
}  // namespace railwright::output
