// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/sweep/sweep.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/simulate.hpp"
#include "sweep_support.hpp"

namespace railwright::test {
namespace {

using planner::Sweep;
using planner::SweepValue;

/// A key, and its values as they are typed.
struct Key {
  std::string key;
  std::vector<std::string> values;
};

std::vector<simulation::Variation> of_keys(const std::vector<Key>& keys) {
  std::vector<std::string> texts;
  for (const Key& key : keys) {
    std::string text = key.key + "=" + key.values.front();
    for (std::size_t i = 1; i < key.values.size(); ++i) text += "," + key.values[i];
    texts.push_back(text);
  }
  return simulation::read_variations(texts);
}

/// The i-th combination, the last key fastest.
std::vector<std::string> settings_of(const std::vector<Key>& keys, std::size_t i) {
  std::vector<std::string> settings;
  for (std::size_t k = keys.size(); k-- > 0;) {
    const std::size_t size = keys[k].values.size();
    settings.insert(settings.begin(), keys[k].key + "=" + keys[k].values[i % size]);
    i /= size;
  }
  return settings;
}

std::string path_of(std::string column) {
  if (column == "dp") return "layout.dp";
  if (column.starts_with("breakdown_")) {
    return "breakdown." + column.substr(10, column.size() - 12);
  }
  if (column.starts_with("checkpoint_") || column.starts_with("num_checkpoints") ||
      column.starts_with("restore_")) {
    return "storage." + column;
  }
  if (column == "mean_power_w") return "power.mean_power_w";
  if (column == "energy_j") return "energy.energy_j";
  if (column == "run_cost_usd") return "cost.run_usd";
  return column;
}

double number(const SweepValue& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  return std::get<double>(cell);
}

std::string text(const SweepValue& cell) {
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? std::string() : *text;
}

/// Every cell of a row against the simulation of its point alone.
void check_row(const planner::SweepQuestion& question, const std::vector<SweepValue>& row,
               const core::Node& tree, const std::vector<std::string>& settings) {
  const auto cell = [&](const std::string& name) -> const SweepValue& {
    const auto column = std::ranges::find(question.columns, name, &planner::SweepColumn::name);
    return row.at(static_cast<std::size_t>(column - question.columns.begin()));
  };
  core::Node varied = tree;
  for (const std::string& setting : settings) core::set_path(varied, setting);
  const core::Catalogue catalogue = source_catalogue();
  try {
    const auto result = simulation::simulate(simulation::read_scenario(varied, catalogue),
                                             {.method = simulation::Method::kEstimate});
    EXPECT_EQ(text(cell("error")), "");
    EXPECT_EQ(cell("feasible"), SweepValue(result.feasible()));
    std::string reason;
    for (const auto& one : result.infeasible) reason += (reason.empty() ? "" : " | ") + one.what;
    EXPECT_EQ(text(cell("reason")), reason);
    const auto outputs = simulation::outputs(result);
    for (std::size_t i = 0; i < question.columns.size(); ++i) {
      const std::string& name = question.columns[i].name;
      const auto output = std::ranges::find(outputs, path_of(name), &simulation::Output::path);
      const bool is_input = std::ranges::any_of(
          settings, [&](const std::string& setting) { return setting.starts_with(name + "="); });
      if (is_input || name == "feasible" || name == "reason" || name == "error") continue;
      if (output == outputs.end()) {
        EXPECT_EQ(row[i], SweepValue()) << name;
      } else {
        const double expected = output->number();
        ASSERT_NE(row[i], SweepValue()) << name;
        EXPECT_NEAR(number(row[i]), expected, 2e-9 * std::abs(expected)) << name;
      }
    }
  } catch (const core::ConfigError& error) {
    EXPECT_EQ(cell("feasible"), SweepValue());
    EXPECT_EQ(cell("step_time_s"), SweepValue());
    std::set<std::string> problems;
    for (core::Diagnostic problem : error.diagnostics()) {
      problem.where = {};
      problems.insert(core::to_string(problem));
    }
    std::string expected;
    for (const std::string& one : problems) expected += (expected.empty() ? "" : " | ") + one;
    EXPECT_EQ(text(cell("error")), expected);
  }
}

/// How many points are feasible, infeasible and errors.
std::vector<std::int64_t> check_rows(const core::Node& tree, const std::vector<Key>& keys) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(tree, catalogue, of_keys(keys),
                    {.method = simulation::Method::kEstimate, .num_threads = 2});
  MemoryTable table;
  const planner::SweepSummary summary = sweep.run(table);
  EXPECT_EQ(std::ssize(table.rows), summary.points);
  for (const auto& [point, row] : table.rows) {
    const auto settings = settings_of(keys, static_cast<std::size_t>(point));
    std::string all;
    for (const std::string& setting : settings) all += " " + setting;
    SCOPED_TRACE(all);
    check_row(sweep.question(), row, tree, settings);
    if (testing::Test::HasFailure()) break;
  }
  return {summary.feasible, summary.infeasible, summary.errors};
}

TEST(Sweep, RowsAreThoseOfEachPointByItself) {
  const auto counts =
      check_rows(example("neutral-llama-2-7b"), {{"workload.model", {"llama-2-7b", "llama-2-70b"}},
                                                 {"parallelism.tp", {"1", "2", "3", "x"}},
                                                 {"cluster.node.nics.count", {"8", "4"}},
                                                 {"parallelism.pp", {"1", "2"}},
                                                 {"software.zero_stage", {"0", "1", "3"}},
                                                 {"workload.micro_batch", {"1", "2"}}});
  EXPECT_GT(counts[0], 10);
  EXPECT_GT(counts[1], 10);
  EXPECT_GT(counts[2], 10);
}

TEST(Sweep, RowsOfPipelinesWithoutStorage) {
  const auto counts =
      check_rows(example("search-gpt3-175b-1024-a100", {"cluster.nodes=16"}),
                 {{"parallelism.tp", {"4", "8"}},
                  {"software.recompute", {"none", "selective", "full", "feed_forward"}},
                  {"parallelism.pp", {"8", "16"}},
                  {"parallelism.virtual_stages", {"1", "2", "12"}},
                  {"parallelism.sequence_parallel", {"true", "false"}},
                  {"workload.global_batch", {"1536", "1000"}}});
  EXPECT_GT(counts[0], 10);
  EXPECT_GT(counts[1], 10);
  EXPECT_GT(counts[2], 10);
}

TEST(Sweep, RowsOfModelsWithExperts) {
  const auto counts = check_rows(
      example("neutral-llama-2-7b", {"workload.model=mixtral-8x7b", "cluster.storage=null"}),
      {{"parallelism.ep", {"1", "2", "3", "8"}},
       {"parallelism.tp", {"1", "2", "8"}},
       {"parallelism.sequence_parallel", {"true", "false"}},
       {"software.zero_stage", {"1", "2"}},
       {"cluster.node.accelerator", {"h100-sxm", "h200-sxm"}}});
  EXPECT_GT(counts[0], 0);
  EXPECT_GT(counts[2], 0);
}

TEST(Sweep, CasesComeFirstAndTheLastKeyRunsFastest) {
  core::Node tree = example("neutral-llama-2-7b");
  core::set_path(tree,
                 "sweep={cases: [{name: few, set: [cluster.node.nics.count=4]}, {name: many, set: "
                 "[cluster.node.nics.count=8]}], vary: [{key: parallelism.tp, values: [2, 1]}, "
                 "{key: workload.steps, values: [10]}]}");
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(tree, catalogue, simulation::read_variations({"workload.steps=100,200"}),
                    {.method = simulation::Method::kEstimate, .with_run = false});
  MemoryTable table(true);
  const planner::SweepSummary summary = sweep.run(table);
  ASSERT_EQ(table.rows.size(), 8U);
  EXPECT_EQ(table.came, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  const auto inputs = [&](std::int64_t point) {
    return std::vector<SweepValue>(table.rows[point].begin(), table.rows[point].begin() + 3);
  };
  using Row = std::vector<SweepValue>;
  EXPECT_EQ(inputs(0), (Row{std::string("few"), std::int64_t{2}, std::int64_t{100}}));
  EXPECT_EQ(inputs(1), (Row{std::string("few"), std::int64_t{2}, std::int64_t{200}}));
  EXPECT_EQ(inputs(2), (Row{std::string("few"), std::int64_t{1}, std::int64_t{100}}));
  EXPECT_EQ(inputs(7), (Row{std::string("many"), std::int64_t{1}, std::int64_t{200}}));
  EXPECT_EQ(sweep.question().columns.back().name, "breakdown_overhead_s");
  ASSERT_TRUE(summary.best.front());
  EXPECT_EQ(summary.best.front()->point, 6);  // 8 NICs, no tensor parallelism
}

TEST(Sweep, KeysThatNoScenarioHasEndItWithAllProblems) {
  const core::Catalogue catalogue = source_catalogue();
  const auto keys = simulation::read_variations(
      {"parallelism.tq=1,2", "cluster.node.nics.cont=4,8", "parallelism.tp=1,3"});
  try {
    const Sweep sweep(example("neutral-llama-2-7b"), catalogue, keys, {});
    FAIL() << "unknown keys went through";
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    EXPECT_EQ(error.diagnostics()[0].path, "cluster.node.nics.cont");
    EXPECT_EQ(error.diagnostics()[1].path, "parallelism.tq");
  }
}

TEST(Sweep, NothingToVaryIsRefused) {
  const core::Catalogue catalogue = source_catalogue();
  EXPECT_THROW(Sweep(example("neutral-llama-2-7b"), catalogue, {}, {}), core::ConfigError);
  EXPECT_THROW(Sweep(example("all-reduce-8-h100-nodes"), catalogue,
                     simulation::read_variations({"run.seed=1,2"}), {}),
               core::ConfigError);
}

TEST(Sweep, ShardsPartThePoints) {
  EXPECT_EQ(planner::read_shard("2/8").index, 2);
  for (const char* bad : {"0/8", "9/8", "1", "1/", "/2", "1/2x"}) {
    EXPECT_THROW(planner::read_shard(bad), core::ConfigError) << bad;
  }
  const core::Catalogue catalogue = source_catalogue();
  const auto keys = simulation::read_variations({"parallelism.tp=1,2,4", "workload.steps=1,2"});
  std::set<std::int64_t> seen;
  for (int i = 1; i <= 4; ++i) {
    const Sweep sweep(example("neutral-llama-2-7b"), catalogue, keys,
                      {.method = simulation::Method::kEstimate, .shard = {.index = i, .count = 4}});
    MemoryTable table;
    sweep.run(table);
    for (const auto& [point, row] : table.rows) EXPECT_TRUE(seen.insert(point).second);
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Sweep, ListsAndMappingsAreValues) {
  const simulation::Variation made =
      simulation::read_variations({"cluster.node.nics={count: 4},[1, 2],'a,b'"}).front();
  ASSERT_EQ(made.values.size(), 3U);
  EXPECT_TRUE(made.values[0].is_mapping());
  EXPECT_EQ(made.values[1].items.size(), 2U);
  EXPECT_EQ(made.values[2].text, "a,b");
  EXPECT_THROW(simulation::read_variations({"a"}), core::ConfigError);
  EXPECT_THROW(simulation::read_variations({"a=]"}), core::ConfigError);
}

}  // namespace
}  // namespace railwright::test
