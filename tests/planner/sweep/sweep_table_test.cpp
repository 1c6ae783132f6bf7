// SPDX-License-Identifier: Apache-2.0
// Tables of sweeps on disk, as text.
#include "railwright/output/tables/sweep_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "../../support/temporary_folder.hpp"
#include "railwright/planner/sweep/sweep_rows.hpp"
#include "sweep_support.hpp"

namespace railwright::test {
namespace {

using planner::Sweep;

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SweepTable : public testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_.path() / (name + GetParam())).string();
  }
  [[nodiscard]] static Sweep sweep(const std::string& steps, planner::Shard shard = {}) {
    return {example("neutral-llama-2-7b"),
            catalogue(),
            simulation::read_variations({"parallelism.tp=1,2,3,4", "workload.steps=" + steps}),
            {.method = simulation::Method::kEstimate,
             .with_run = false,
             .shard = shard,
             .num_threads = 2}};
  }
  static const core::Catalogue& catalogue() {
    static const core::Catalogue kCatalogue = source_catalogue();
    return kCatalogue;
  }
  static planner::SweepSummary run(const Sweep& sweep, const std::string& path) {
    return sweep.run(*output::open_sweep_table(path, sweep.question()));
  }

  TemporaryFolder folder_;
};

TEST_P(SweepTable, GoesOnWhereItEnded) {
  const std::string table = path("table");
  const Sweep whole = sweep("10,20");
  EXPECT_EQ(run(whole, table).made, 8);
  const std::string all = content(table);
  const auto again = run(whole, table);
  EXPECT_EQ(again.found, 8);
  EXPECT_EQ(again.made, 0);
  EXPECT_EQ(again.feasible, 6);
  EXPECT_EQ(again.errors, 2);
  EXPECT_EQ(content(table), all);
}

TEST_P(SweepTable, AnotherQuestionIsRefused) {
  const std::string table = path("table");
  run(sweep("10,20"), table);
  const std::string before = content(table);
  try {
    run(sweep("10,30"), table);
    FAIL() << "another question went through";
  } catch (const core::ConfigError& error) {
    EXPECT_NE(error.diagnostics()[0].message.find("differs in: vary"), std::string::npos);
  }
  EXPECT_EQ(content(table), before);
}

/// Whether the table had some of them before or not.
TEST_P(SweepTable, RowsAreKeptForAPage) {
  MemoryTable all;
  sweep("10,20").run(all);
  run(sweep("10,20", {.index = 2, .count = 2}), path("half"));
  for (const char* name : {"table", "table", "half"}) {
    const Sweep whole = sweep("10,20");
    const bool is_text = GetParam() != std::string(".sqlite");
    if (is_text && name == std::string("half")) continue;  // wants points in order
    const auto open = output::open_sweep_table(path(name), whole.question());
    const planner::SweepWithRows kept = planner::run_with_rows(whole, *open);
    EXPECT_EQ(kept.summary.found + kept.summary.made, 8);
    EXPECT_EQ(kept.rows, all.rows) << name;
  }
}

TEST_P(SweepTable, OneProcessAtATime) {
  const Sweep whole = sweep("10");
  const auto open = output::open_sweep_table(path("table"), whole.question());
  EXPECT_THROW(output::open_sweep_table(path("table"), whole.question()), core::ConfigError);
}

TEST_P(SweepTable, OtherFilesAreLeftAlone) {
  const std::string other = folder_.write(std::string("other") + GetParam(), "my diary\n");
  EXPECT_THROW(output::open_sweep_table(other, sweep("10").question()), core::ConfigError);
  EXPECT_EQ(content(other), "my diary\n");
  EXPECT_THROW(output::open_sweep_table(path("no/such/folder"), sweep("10").question()),
               core::ConfigError);
}

INSTANTIATE_TEST_SUITE_P(Endings, SweepTable, testing::Values(".sqlite", ".csv", ".jsonl"),
                         [](const auto& one) { return std::string(one.param).substr(1); });

class SweepText : public SweepTable {};

TEST_P(SweepText, TornLastLinesAreMadeAnew) {
  const std::string table = path("table");
  const Sweep whole = sweep("10,20");
  run(whole, table);
  const std::string all = content(table);
  for (const std::size_t kept : {all.size() - 1, all.size() / 2, std::size_t{7}, std::size_t{0}}) {
    std::filesystem::resize_file(table, kept);
    const auto summary = run(whole, table);
    EXPECT_EQ(summary.found + summary.made, 8);
    EXPECT_GT(summary.made, 0);
    EXPECT_EQ(content(table), all) << kept;
  }
}

TEST_P(SweepText, ShardsWantFilesOfTheirOwn) {
  run(sweep("10,20", {.index = 2, .count = 2}), path("table"));
  EXPECT_THROW(run(sweep("10,20", {.index = 1, .count = 2}), path("table")), planner::TableError);
}

TEST_P(SweepText, DamageIsSeen) {
  const std::string table = path("table");
  const Sweep whole = sweep("10,20");
  run(whole, table);
  std::string all = content(table);
  all.replace(all.find('\n', all.size() / 2) + 1, 4, "\n??\n");
  std::ofstream(table, std::ios::binary) << all;
  EXPECT_THROW(run(whole, table), planner::TableError);
}

INSTANTIATE_TEST_SUITE_P(Endings, SweepText, testing::Values(".csv", ".jsonl"),
                         [](const auto& one) { return std::string(one.param).substr(1); });

TEST(SweepTables, OtherEndingsAreRefused) {
  EXPECT_THROW(output::open_sweep_table("table.xlsx", {}), core::ConfigError);
}

}  // namespace
}  // namespace railwright::test
