// SPDX-License-Identifier: Apache-2.0
// Numbers of documents: what they are computed from, and that none is left out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../../support/source_tree.hpp"
#include "documents.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/validation/suites/validate.hpp"

namespace railwright::test {
namespace {

using validation::ClaimRole;
using validation::ValidationCase;
using validation::ValidationResult;
using validation::Verdict;

/// One case of three minutes, and a document with `rows`, whose numbers should be `count`.
core::Node suite_of(const std::string& rows, int count) {
  return core::parse_yaml(fmt::format(R"(
suite: small
description: One case and a document
method: estimate
scenarios:
  job:
    name: A job
    workload: {{model: gpt-1.7b, sequence_length: 2048, global_batch: 480, micro_batch: 4, steps: 1}}
    cluster:
      nodes: 3
      node: {{model: dgx-a100, accelerator: {{memory: 1 TB}}}}
      fabric: {{topology: rail_optimized, switch: qm8700}}
    software: megatron-lm-2021
    installation: neutral
cases:
  - {{id: run, group: runs, quantity: training_time, role: validate, published: 3 min, source: nowhere,
      scenario: job, output: training_time_s}}
documents:
  paper:
    title: A paper
    num_numbers: {}
    rows:
{})",
                                      count, rows),
                          "small");
}

ValidationCase only_row(const std::string& keys) {
  const std::string row = "      - {id: row, at: here, about: a row, printed: [7], " + keys + "}\n";
  const ValidationResult result = validation::validate(suite_of(row, 1), source_catalogue());
  return result.cases.back();
}

std::string only_problem(const std::string& keys) {
  try {
    only_row(keys);
  } catch (const core::ConfigError& error) {
    return error.diagnostics().front().message;
  }
  return "accepted";
}

TEST(Statements, FollowTheirOperands) {
  const struct {
    std::string keys;
    ClaimRole role;
    double predicted;
  } kRows[] = {
      {"published: 2, is: 8 - 2 * 3", ClaimRole::kArithmetic, 2.0},
      {"published: 28 us, is: 9 us + 6 us + 13 us", ClaimRole::kArithmetic, 28e-6},
      {"published: 2 min, is: '#run - 60 s'", ClaimRole::kArithmetic, 120.0},
      {"published: 900 GB/s, is: 1800 GB / 2 s", ClaimRole::kArithmetic, 900e9},
      // 64 ports of 400 Gb/s both ways: 51.2 Tb/s.
      {"published: 51.2 Tb/s, is: '2 * switches/qm9790:num_ports * switches/qm9790:port_rate'",
       ClaimRole::kFact, 6.4e12},
      // Written in the QM9790, from which the QM9700 starts.
      {"published: 1, is: 'switches/qm9700:rack_units'", ClaimRole::kFact, 1.0},
      {"published: 8, is: 'nodes/xe9680-h100:nics.count'", ClaimRole::kFact, 8.0},
      {"published: 1000, is: 'workloads/resnet-50:blocks.9.layers.1.outputs'", ClaimRole::kFact,
       1000.0},
      {"published: 24, is: '@job.cluster.nodes * 8'", ClaimRole::kInput, 24.0}};
  for (const auto& row : kRows) {
    const ValidationCase c = only_row(row.keys);
    EXPECT_EQ(c.role, row.role) << row.keys;
    ASSERT_TRUE(c.predicted) << row.keys;
    EXPECT_NEAR(*c.predicted, row.predicted, 1e-12 * row.predicted) << row.keys;
    EXPECT_EQ(verdict_of(c), Verdict::kAgrees) << row.keys;
  }
}

TEST(Statements, WhatNothingComputesIsOutside) {
  const std::string row = "      - {id: row, at: here, about: weather, printed: [3*7, two]}\n";
  const ValidationResult result = validation::validate(suite_of(row, 4), source_catalogue());
  const ValidationCase& c = result.cases.back();
  EXPECT_EQ(c.role, ClaimRole::kOutside);
  EXPECT_EQ(to_string(verdict_of(c)), "outside what is modelled");
  EXPECT_EQ(c.printed, (std::vector<std::string>{"7", "7", "7", "two"}));
  EXPECT_EQ(result.documents.at(0).by_role.at(ClaimRole::kOutside), 4);
  EXPECT_EQ(result.summary.num_outside, 1);
  EXPECT_NE(output::to_text(result).find("outside what is modelled, 1 rows: 4 weather"),
            std::string::npos);
  EXPECT_NE(output::to_json(result).find("\"published\": null"), std::string::npos);
}

TEST(Statements, ContradictionsAreComputed) {
  const auto verdict = [](const std::string& keys) { return verdict_of(only_row(keys)); };
  EXPECT_EQ(verdict("published: 7, is: 3 + 5"), Verdict::kContradicted);
  EXPECT_EQ(verdict("published: 7, rounding: 1, is: 3 + 5"), Verdict::kAgrees);
  EXPECT_EQ(verdict("published: 7, bound: at_least, is: 3 + 5"), Verdict::kAgrees);
  EXPECT_EQ(verdict("published: 7, bound: at_most, is: 3 + 5"), Verdict::kContradicted);
  // Another device than the catalogue's differs; a limit of it that does not hold is refuted.
  EXPECT_EQ(verdict("published: 65, is: 'switches/qm9790:num_ports'"), Verdict::kDiffers);
  const ValidationCase c =
      only_row("published: 65, bound: at_least, is: 'switches/qm9790:num_ports'");
  EXPECT_EQ(c.role, ClaimRole::kReject);
  EXPECT_EQ(c.reason, "a row: switches/qm9790:num_ports comes to 64.0, not at least 65.0");
}

TEST(Statements, ProblemsHaveTheirPlace) {
  EXPECT_EQ(only_problem("published: 7, is: '#ran'"), "no case 'ran'");
  EXPECT_EQ(only_problem("published: 7, is: '@job.cluster.racks'"),
            "no setting '@job.cluster.racks'");
  EXPECT_EQ(only_problem("published: 7, is: 'switches/qm9790:num_doors'"),
            "no value 'switches/qm9790:num_doors' in the catalogue");
  EXPECT_EQ(only_problem("published: 7, is: 3 s + 4 GB"), "adds data to time");
  EXPECT_EQ(only_problem("published: 7, is: 3 s"), "`is` is time, the figure is a plain number");
  EXPECT_EQ(only_problem("published: 7"), "`is` and `published` go together");
  EXPECT_EQ(only_problem("published: 0, is: 3 - 3"), "cannot be 0");
}

TEST(Statements, ADocumentStatesHowManyNumbersItPrints) {
  const std::string row = "      - {id: run, at: here, about: a row, printed: [7]}\n";
  std::set<std::string> messages;
  try {
    validation::validate(suite_of(row, 2), source_catalogue());
  } catch (const core::ConfigError& error) {
    for (const auto& diagnostic : error.diagnostics()) messages.insert(diagnostic.message);
  }
  EXPECT_EQ(messages,
            (std::set<std::string>{"this id is used twice", "its rows print 1 numbers, not 2"}));
}

// --- The five documents.

/// Counted in the documents themselves, and again by hand in two of their tables below.
TEST(Documents, EveryNumberHasARow) {
  const std::map<std::string, int> kPrinted{
      {"ddn", 107}, {"h19611", 172}, {"h20003", 237}, {"h20044", 475}, {"metrum", 122}};
  std::map<std::string, int> printed;
  for (const validation::DocumentCount& document : documents().documents) {
    printed[document.name] = document.num_numbers;
    int sum = 0;
    for (const auto& [role, count] : document.by_role) sum += count;
    EXPECT_EQ(sum, document.num_numbers) << document.name;
  }
  EXPECT_EQ(printed, kPrinted);
}

/// Numbers of a list as it stands in the suite, "3*7" three times.
std::multiset<std::string> numbers_of(const core::Node& printed) {
  std::multiset<std::string> numbers;
  for (const core::Node& item : printed.items) {
    const std::size_t star = item.text.find('*');
    const int count = star == std::string::npos ? 1 : std::stoi(item.text.substr(0, star));
    for (int i = 0; i < count; ++i) {
      numbers.insert(item.text.substr(star == std::string::npos ? 0 : star + 1));
    }
  }
  return numbers;
}

TEST(Documents, TablesOfTimesAreWhole) {
  const core::Node suite = documents_suite();
  std::multiset<std::string> h20003;
  std::multiset<std::string> metrum;
  for (const char* document : {"h20003", "metrum"}) {
    const core::Node* of = suite.find("documents")->find(document);
    for (const core::Node& place : of->find("of_cases")->items) {
      (document == std::string("metrum") ? metrum : h20003)
          .merge(numbers_of(*place.find("printed")));
    }
  }
  for (const char* minutes : {"61", "63", "32", "35", "22", "25", "230", "244"}) {
    EXPECT_TRUE(h20003.contains(minutes)) << minutes;
  }
  for (const char* seconds : {"1980", "1220", "1071.2", "20420", "17160", "8120"}) {
    EXPECT_EQ(metrum.count(seconds), 1U) << seconds;
  }
}

/// The value of "100,000", "2e8" or "seven"; not a number where it is none, as of a date.
double value_of(std::string text) {
  static const std::map<std::string, double> kWords{{"two", 2},   {"three", 3}, {"four", 4},
                                                    {"five", 5},  {"six", 6},   {"seven", 7},
                                                    {"eight", 8}, {"nine", 9},  {"ten", 10}};
  if (const auto found = kWords.find(text); found != kWords.end()) return found->second;
  std::erase(text, ',');
  double value = std::nan("");
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// What is published is what is printed, or that in percent, but where the row says what follows
/// from it.
TEST(Documents, RowsPublishWhatIsPrinted) {
  std::set<std::string> derived;
  const core::Node suite = documents_suite();
  for (const core::Entry& document : suite.find("documents")->entries) {
    for (const core::Node& row : document.value.find("rows")->items) {
      if (row.find("published") == nullptr || row.find("printed") == nullptr) continue;
      const double published = value_of(row.find("published")->text);
      const auto numbers = numbers_of(*row.find("printed"));
      const bool is_printed = std::ranges::any_of(numbers, [&](const std::string& number) {
        const double value = value_of(number);
        return value == published ||
               (published < 1.0 && std::abs(value - 100.0 * published) < 1e-9);
      });
      if (!is_printed) derived.insert(row.find("id")->text);
    }
  }
  EXPECT_EQ(derived, (std::set<std::string>{"ddn-100s-TB", "ddn-100s-TB/gpus", "ddn-16B/optimizer",
                                            "ddn-16B/sum", "ddn-platform/levels",
                                            "h20003-gpt3-350GB/split", "metrum-samples"}));
}

TEST(Documents, EveryCaseIsOfADocumentButThoseOfOtherSources) {
  std::set<std::string> of_documents;
  const core::Node suite = documents_suite();
  for (const core::Entry& document : suite.find("documents")->entries) {
    for (const core::Node& place : document.value.find("of_cases")->items) {
      for (const core::Node& id : place.find("of")->items) of_documents.insert(id.text);
    }
  }
  std::set<std::string> others;
  for (const core::Node& claim : suite.find("cases")->items) {
    const std::string& id = claim.find("id")->text;
    if (!of_documents.contains(id)) others.insert(id);
  }
  EXPECT_EQ(others, (std::set<std::string>{"deepseek-v3-trillion-tokens",
                                           "x-bytes-per-param/mlperf", "zero-infinity/1t_fits",
                                           "zero-offload/10b_rate", "zero-offload/13b_fits"}));
}

// The catalogue holds what the documents say of devices, and scenarios take in what they state.
TEST(Documents, FactsAndInputsAgree) {
  for (const ValidationCase& c : documents().cases) {
    if (c.role != ClaimRole::kFact && c.role != ClaimRole::kInput) continue;
    EXPECT_EQ(verdict_of(c), Verdict::kAgrees)
        << c.id << ": " << c.published << " against " << *c.predicted;
  }
}

TEST(Documents, AChangedFactOrInputIsSeen) {
  core::Node suite = documents_suite();
  core::set_path(*suite.find("scenarios")->find("h20003-7b"), "workload.global_batch=192");
  core::set_path(*suite.find("documents"), "h20003.rows.0.is=7e9 * 2 B");
  const ValidationResult result = validation::validate(suite, source_catalogue());
  const auto verdict = [&](const std::string& id) {
    const auto found = std::ranges::find(result.cases, id, &ValidationCase::id);
    return verdict_of(*found);
  };
  EXPECT_EQ(verdict("h20003-t3-7b/batch"), Verdict::kDiffers);
  EXPECT_EQ(verdict("h20003-t3-70b/batch"), Verdict::kAgrees);
  EXPECT_EQ(verdict("h20003-7b-mem/product"), Verdict::kContradicted);
}

}  // namespace
}  // namespace railwright::test
