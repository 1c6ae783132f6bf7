// SPDX-License-Identifier: Apache-2.0
// The exact message of every kind of bad value.
#include <string>

#include "sample.hpp"

namespace railwright::core {
namespace {

using sample::Lines;
using sample::Plain;
using sample::problems_of;

struct Case {
  const char* yaml;
  const char* message;
};

class BadValue : public testing::TestWithParam<Case> {};

TEST_P(BadValue, IsReportedWithPlaceReasonAndHint) {
  EXPECT_EQ(problems_of<Plain>(GetParam().yaml), Lines{GetParam().message});
}

INSTANTIATE_TEST_SUITE_P(
    Keys, BadValue,
    testing::Values(Case{"cuont: 1", "x.yaml:1:1: cuont: unknown key; did you mean 'count'?"},
                    Case{"colour: red",
                         "x.yaml:1:1: colour: unknown key; known: on, count, tokens, bytes, "
                         "factor, load, label, "
                         "rate, delay, shape, maybe, sizes, volumes, extra"},
                    Case{"[1]", "x.yaml:1:1: expected a mapping, got a list"},
                    Case{"plain", "x.yaml:1:1: expected a mapping, got 'plain'"}));

INSTANTIATE_TEST_SUITE_P(
    WholeNumbers, BadValue,
    testing::Values(
        Case{"count: 2.5", "x.yaml:1:8: count: expected a whole number, got '2.5'"},
        Case{"count: 0", "x.yaml:1:8: count: must be at least 1, got 0"},
        Case{"count: -8", "x.yaml:1:8: count: must be at least 1, got -8"},
        Case{"count: 8 GB", "x.yaml:1:8: count: expected a whole number, got '8 GB'"},
        Case{"count: 0x10", "x.yaml:1:8: count: expected a whole number, got '0x10'"},
        Case{"count: +-5", "x.yaml:1:8: count: expected a whole number, got '+-5'"},
        Case{"count: 1_000", "x.yaml:1:8: count: expected a whole number, got '1_000'"},
        Case{"count: nan", "x.yaml:1:8: count: expected a whole number, got 'nan'"},
        Case{"count: .inf", "x.yaml:1:8: count: expected a whole number, got '.inf'"},
        Case{"count: 1e-400", "x.yaml:1:8: count: expected a whole number, got '1e-400'"},
        Case{"count:", "x.yaml:1:1: count: expected a whole number, got nothing"},
        Case{"count: [1]", "x.yaml:1:8: count: expected a whole number, got a list"},
        Case{"count: {a: 1}", "x.yaml:1:8: count: expected a whole number, got a mapping"},
        Case{"count: '8'",
             "x.yaml:1:8: count: expected a whole number, got the text '8'; write it without "
             "quotes"},
        Case{"count: 3000000000", "x.yaml:1:8: count: must be at most 2147483647, got 3000000000"},
        Case{"tokens: 1e30", "x.yaml:1:9: tokens: must be at most 9223372036854775807, got 1e30"},
        Case{"tokens: 9223372036854775808",
             "x.yaml:1:9: tokens: must be at most 9223372036854775807, got 9223372036854775808"},
        Case{"bytes: -1", "x.yaml:1:8: bytes: must be at least 0, got -1"},
        Case{"bytes: -9223372036854775809",
             "x.yaml:1:8: bytes: must be at least 0, got -9223372036854775809"}));

INSTANTIATE_TEST_SUITE_P(
    Numbers, BadValue,
    testing::Values(
        Case{"factor: 0", "x.yaml:1:9: factor: must be greater than 0 and at most 1, got 0"},
        Case{"factor: 1.5", "x.yaml:1:9: factor: must be greater than 0 and at most 1, got 1.5"},
        Case{"factor: half",
             "x.yaml:1:9: factor: expected a number, got 'half': it does not start with a number"},
        Case{
            "factor: 95%",
            "x.yaml:1:9: factor: expected a number, got '95%': unknown unit '%'; write a fraction, "
            "such as 0.5"},
        Case{"factor: 0.5 GB", "x.yaml:1:9: factor: expected a number, got '0.5 GB' (data)"},
        Case{"factor: .nan",
             "x.yaml:1:9: factor: expected a number, got '.nan': the number is not finite"},
        Case{"load: -.inf",
             "x.yaml:1:7: load: expected a number, got '-.inf': the number is not finite"},
        Case{"load: 1e400",
             "x.yaml:1:7: load: expected a number, got '1e400': the number is not finite"},
        Case{"load: \"5\"",
             "x.yaml:1:7: load: expected a number, got the text '5'; write it without quotes"},
        Case{"load: ~", "x.yaml:1:7: load: expected a number, got nothing"},
        Case{"maybe: -1", "x.yaml:1:8: maybe: must be greater than 0, got -1"}));

INSTANTIATE_TEST_SUITE_P(
    Quantities, BadValue,
    testing::Values(
        Case{"rate: 400",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '400' without a unit"},
        Case{"rate: 0",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '0' without a unit"},
        Case{"rate: 400 Gb",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '400 Gb' (data)"},
        Case{"rate: 400 TFLOP/s",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '400 TFLOP/s' (work/time)"},
        Case{"rate: 400 Gbps",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '400 Gbps': unknown unit "
             "'Gbps'; did you mean 'Gb/s'?"},
        Case{"rate: 400 GBs/s",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '400 GBs/s': unknown unit "
             "'GBs'; did you mean 'GB/s'?"},
        Case{"rate: -8 GB/s", "x.yaml:1:7: rate: must be greater than 0, got -8 GB/s"},
        Case{"rate: 0 GB/s", "x.yaml:1:7: rate: must be greater than 0, got 0 GB/s"},
        Case{"rate: nan GB/s",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got 'nan GB/s': the number is "
             "not "
             "finite"},
        Case{"rate: 1e308 TB/s",
             "x.yaml:1:7: rate: expected data/time (such as GB/s), got '1e308 TB/s': the number is "
             "not finite"},
        Case{"rate: [1 GB/s]", "x.yaml:1:7: rate: expected data/time (such as GB/s), got a list"},
        Case{"rate:", "x.yaml:1:1: rate: expected data/time (such as GB/s), got nothing"},
        Case{"delay: 2 s", "x.yaml:1:8: delay: must be between 1 us and 1 ms, got 2 s"},
        Case{"volumes: {a: 1 GB, b: -1 GB}",
             "x.yaml:1:23: volumes.b: must be greater than 0, got -1 GB"}));

INSTANTIATE_TEST_SUITE_P(
    Others, BadValue,
    testing::Values(
        Case{"on: yes", "x.yaml:1:5: on: expected true or false, got 'yes'"},
        Case{
            "on: 'true'",
            "x.yaml:1:5: on: expected true or false, got the text 'true'; write it without quotes"},
        Case{
            "shape: sta",
            "x.yaml:1:8: shape: expected one of ring, tree, star, got 'sta'; did you mean 'star'?"},
        Case{"shape: cube", "x.yaml:1:8: shape: expected one of ring, tree, star, got 'cube'"},
        Case{"shape: [ring]", "x.yaml:1:8: shape: expected one of ring, tree, star, got a list"},
        Case{"label: [a]", "x.yaml:1:8: label: expected text, got a list"},
        Case{"label:", "x.yaml:1:1: label: expected text, got nothing"},
        Case{"sizes: 5", "x.yaml:1:8: sizes: expected a list, got '5'"},
        Case{"sizes: [1, x]", "x.yaml:1:12: sizes.1: expected a whole number, got 'x'"},
        Case{"sizes: [1, 0]", "x.yaml:1:12: sizes.1: must be greater than 0, got 0"},
        Case{"volumes: [1 GB]", "x.yaml:1:10: volumes: expected a mapping, got a list"}));

TEST(BadValues, OfAFileAreReportedTogetherInOrder) {
  // NOLINTBEGIN(bugprone-suspicious-missing-comma): two of the lines are long
  EXPECT_EQ(
      problems_of<sample::Accelerator>("bf16_rate: 989 TFLOP\n"
                                       "memory: {bandwith: 3 TB/s, capacity: {value: 80 GB}}\n"
                                       "power: {a: 1}\n"),
      (Lines{"x.yaml:1:1: missing key 'name'; it gives: Name on the data sheet.",
             "x.yaml:1:12: bf16_rate: expected work/time (such as TFLOP/s), got '989 TFLOP' "
             "(work)",
             "x.yaml:2:10: memory.bandwith: unknown key; did you mean 'bandwidth'?",
             "x.yaml:2:38: memory.capacity: missing key 'source'; it gives: Where the value "
             "comes from.",
             "x.yaml:3:8: power: expected power (such as W), got a mapping"}));
  // NOLINTEND(bugprone-suspicious-missing-comma)
}

TEST(BadValues, OfASourcedMapping) {
  const auto memory = [](const std::string& capacity) {
    return problems_of<sample::Memory>("bandwidth: 1 GB/s\ncapacity: " + capacity);
  };
  EXPECT_EQ(
      memory("{source: s}"),
      Lines{"x.yaml:2:11: capacity: missing key 'value'; it gives: The value with its unit."});
  EXPECT_EQ(memory("{value: -1 GB, source: [s], estimate: 1}"),
            (Lines{"x.yaml:2:19: capacity: must be greater than 0, got -1 GB",
                   "x.yaml:2:34: capacity.source: expected text, got a list",
                   "x.yaml:2:49: capacity.estimate: expected true or false, got '1'"}));
  EXPECT_EQ(memory("{value: 1 GB, sorce: s}"),
            Lines{"x.yaml:2:25: capacity.sorce: unknown key; did you mean 'source'?"});
}

TEST(BadValues, AreShownOnOneShortLine) {
  const Lines lines = problems_of<Plain>("count: \"a\\n\\e" + std::string(100'000, 'x') + "\"");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].substr(0, 70),
            "x.yaml:1:8: count: expected a whole number, got the text 'a\\n\\x1bxxxxx");
  EXPECT_LT(lines[0].size(), 250U);
}

}  // namespace
}  // namespace railwright::core
