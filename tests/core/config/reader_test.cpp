// SPDX-License-Identifier: Apache-2.0
// What good input becomes.
#include <limits>

#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Accelerator;
using sample::Lines;
using sample::Plain;
using sample::problems_of;
using sample::read_as;

TEST(Reader, ReadsEveryKindOfField) {
  const auto plain = read_as<Plain>(
      "on: true\n"
      "count: 3\n"
      "tokens: 1e12\n"
      "bytes: 80000000000\n"
      "factor: 0.25\n"
      "load: -1e-3\n"
      "label: 007\n"
      "rate: 400 Gb/s\n"
      "delay: \"20 us\"\n"
      "shape: tree\n"
      "maybe: 2.5\n"
      "sizes: [1, 2, 3]\n"
      "volumes: {a: 1 GB, b: 2 GiB}\n"
      "extra: {any: [thing]}\n");
  EXPECT_TRUE(plain.on);
  EXPECT_EQ(plain.count, 3);
  EXPECT_EQ(plain.tokens, 1'000'000'000'000);
  EXPECT_EQ(plain.bytes, 80'000'000'000U);
  EXPECT_EQ(plain.factor, 0.25);
  EXPECT_EQ(plain.load, -1e-3);
  EXPECT_EQ(plain.label, "007");
  EXPECT_EQ(plain.rate.base(), 50e9);
  EXPECT_EQ(plain.delay.base(), 20e-6);
  EXPECT_EQ(plain.shape, sample::Shape::kTree);
  EXPECT_EQ(plain.maybe, 2.5);
  EXPECT_EQ(plain.sizes, (std::vector{1, 2, 3}));
  EXPECT_EQ(plain.volumes.at("b").base(), 2147483648.0);
  EXPECT_EQ(to_yaml(plain.extra), "{any: [thing]}");
}

TEST(Reader, KeepsDefaultsOfAbsentKeys) {
  const auto plain = read_as<Plain>("{}");
  EXPECT_EQ(plain.count, 1);
  EXPECT_EQ(plain.rate, Bandwidth::infinity());
  EXPECT_FALSE(plain.maybe.has_value());
}

TEST(Reader, NullEmptiesAnOptional) {
  EXPECT_FALSE(read_as<Plain>("maybe: null").maybe.has_value());
}

TEST(Reader, UnlimitedIsAValueWhereTheDefaultIsInfinite) {
  EXPECT_EQ(read_as<Plain>("rate: unlimited").rate, Bandwidth::infinity());
  EXPECT_EQ(
      sample::problems_of<Plain>("delay: unlimited"),
      sample::Lines{"x.yaml:1:8: delay: expected time (such as s), got 'unlimited': it does not "
                    "start with a number"});
}

TEST(Reader, ReadsTheLargestIntegers) {
  EXPECT_EQ(read_as<Plain>("count: 2147483647").count, 2147483647);
  EXPECT_EQ(read_as<Plain>("tokens: 9223372036854775807").tokens,
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(read_as<Plain>("tokens: +5").tokens, 5);
}

TEST(Reader, ASourcedValueKnowsWhereItCameFrom) {
  const auto accelerator = read_as<Accelerator>(
      "name: X\n"
      "bf16_rate: 1 PFLOP/s\n"
      "memory:\n"
      "  capacity: 96 GB\n"
      "  bandwidth: {value: 4 TB/s, source: '@sheet', estimate: true}\n");
  EXPECT_EQ(accelerator.memory.capacity.value.base(), 96e9);
  EXPECT_EQ(accelerator.memory.capacity.source, "x.yaml:4");
  EXPECT_FALSE(accelerator.memory.capacity.estimate);
  EXPECT_EQ(accelerator.memory.bandwidth.value.base(), 4e12);
  EXPECT_EQ(accelerator.memory.bandwidth.source, "@sheet");
  EXPECT_TRUE(accelerator.memory.bandwidth.estimate);
}

std::vector<std::string> problems_with_bandwidth(const std::string& bandwidth) {
  return problems_of<Accelerator>("name: X\nbf16_rate: 1 PFLOP/s\nmemory:\n  capacity: 96 GB\n" +
                                  ("  bandwidth: {value: 4 TB/s, source: a, " + bandwidth + "}\n"));
}

TEST(Reader, ARangeRisesAndHoldsItsValue) {
  EXPECT_EQ(problems_with_bandwidth("range: [3 TB/s, 5 TB/s]"), Lines{});
  EXPECT_EQ(problems_with_bandwidth("range: [4 TB/s, 5000 GB/s]"), Lines{});
  const std::string at = "x.yaml:5:48: memory.bandwidth.range: ";
  EXPECT_EQ(problems_with_bandwidth("range: [5 TB/s, 3 TB/s]"),
            Lines{at + "5 TB/s to 3 TB/s must rise and hold the value, 4 TB/s"});
  EXPECT_EQ(problems_with_bandwidth("range: [1 TB/s, 3 TB/s]"),
            Lines{at + "1 TB/s to 3 TB/s must rise and hold the value, 4 TB/s"});
  EXPECT_EQ(problems_with_bandwidth("range: 3 TB/s"),
            Lines{at + "expected a list of two, the least and the greatest, got '3 TB/s'; "
                       "write range: [2 GB/s, 5 GB/s]"});
}

TEST(Reader, ARangeHasTheDimensionOfItsValue) {
  const std::vector<std::string> problems = problems_with_bandwidth("range: [3 TB, five]");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("expected data/time, as the value, got '3 TB'"), std::string::npos)
      << problems[0];
}

TEST(Reader, ABadValueLeavesTheOldOne) {
  Reader reader;
  Plain plain;
  plain.count = 7;
  reader.read(parse_yaml("count: many", "x.yaml"), "", plain);
  EXPECT_EQ(plain.count, 7);
  EXPECT_EQ(reader.diagnostics().size(), 1U);
}

TEST(Reader, SortsByFileLineAndColumn) {
  Reader reader;
  reader.report({"b", 1, 1}, "", "four");
  reader.report({"a", 2, 1}, "", "three");
  reader.report({"a", 1, 9}, "", "two");
  reader.report({"a", 1, 2}, "", "one", "hint");
  EXPECT_EQ(sample::problems([&] { reader.throw_if_any(); }),
            (sample::Lines{"a:1:2: one; hint", "a:1:9: two", "a:2:1: three", "b:1:1: four"}));
}

TEST(Reader, ThrowsNothingWithoutProblems) { EXPECT_NO_THROW(Reader().throw_if_any()); }

TEST(Reader, JoinsPathsOnOneShortLine) {
  EXPECT_EQ(join_path("", "a"), "a");
  EXPECT_EQ(join_path("a.b", "c\nd"), "a.b.c\\nd");
  EXPECT_LT(join_path("a", std::string(1000, 'x')).size(), 100U);
}

}  // namespace
}  // namespace railwright::core
