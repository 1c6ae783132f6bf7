// SPDX-License-Identifier: Apache-2.0
// Sweeps of a service: rows are those of `simulate`, and tables can be resumed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "../../support/inference.hpp"
#include "railwright/output/tables/sweep_table.hpp"
#include "railwright/workloads/kinds.hpp"
#include "sweep_support.hpp"

namespace railwright::test {
namespace {

using planner::Sweep;
using planner::SweepValue;
using Settings = std::vector<std::string>;

core::Node service(const Settings& settings = {}) {
  core::Node tree = core::parse_yaml(inference_text(), "i.yaml");
  for (const std::string& setting : settings) core::set_path(tree, setting);
  return tree;
}

/// "run.latency.p99_s" of "run_latency_p99_s".
std::string path_of_service(const std::string& column) {
  static const std::vector<std::string> kGroups = {"run_time_to_first_token_",
                                                   "run_time_per_output_token_", "run_latency_"};
  for (const std::string& group : kGroups) {
    if (!column.starts_with(group)) continue;
    return "run." + group.substr(4, group.size() - 5) + "." + column.substr(group.size());
  }
  if (column.starts_with("run_")) return "run." + column.substr(4);
  if (column == "mean_power_w") return "power." + column;
  if (column.starts_with("start_of_")) return "files." + column;
  if (column == "energy_per_token_j") return "energy.per_token_j";
  return column.starts_with("usd_") ? "cost." + column : column;
}

TEST(ServicesSweep, RowsAreThoseOfEachPointByItself) {
  const Settings base = {"prices={ownership: 1461 d, nodes: {xe8640: 200000 USD}}",
                         "cluster.storage={node: powerscale-f600p, count: 3, switch: s5232f-on}",
                         "inference.requests_per_s=30", "inference.load.requests=200"};
  const core::Catalogue catalogue = source_catalogue();
  const auto vary = simulation::read_variations({"inference.tp=1,2,3", "inference.max_batch=4,32"});
  for (const bool with_run : {true, false}) {
    const Sweep sweep(service(base), catalogue, vary, {.with_run = with_run});
    MemoryTable table;
    const planner::SweepSummary summary = sweep.run(table);
    EXPECT_EQ(summary.errors, 2);  // tp 3 divides no heads
    for (const auto& [point, cells] : table.rows) {
      auto row = named(sweep, cells);
      const int tp = static_cast<int>(number_in(row["inference.tp"]));
      if (tp == 3) {
        EXPECT_NE(std::get<std::string>(row["error"]).find("not divisible"), std::string::npos);
        continue;
      }
      Settings settings = base;
      if (!with_run) settings.pop_back();
      settings.push_back("inference.tp=" + std::to_string(tp));
      settings.push_back("inference.max_batch=" +
                         std::to_string(static_cast<int>(number_in(row["inference.max_batch"]))));
      const simulation::InferenceResult result = simulation::simulate(inference(settings));
      std::size_t num_held = 0;
      for (const simulation::Output& output : outputs(result)) {
        for (const auto& [column, value] : row) {
          if (path_of_service(column) != output.path) continue;
          EXPECT_EQ(number_in(value), output.number()) << column;
          ++num_held;
        }
      }
      // Columns of prompts on replicas of their own and of a cache of prompts are empty here.
      std::size_t num_empty = 0;
      for (const char* column : {"prefill_tp", "prefill_replicas", "decode_replicas",
                                 "prefix_hit_rate", "prefix_storage_nodes"}) {
        ASSERT_TRUE(row.contains(column)) << column;
        EXPECT_TRUE(std::holds_alternative<std::monostate>(row[column])) << column;
        ++num_empty;
      }
      EXPECT_EQ(num_held + num_empty,
                planner::num_sweep_numbers(simulation::kind_named("inference"), with_run));
    }
  }
}

TEST(ServicesSweep, NamesWhatNeedsFewestNodesAndGivesMost) {
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(service({"inference.requests_per_s=100"}), catalogue,
                    simulation::read_variations({"inference.tp=4,1", "inference.max_batch=1,64"}),
                    {});
  MemoryTable table;
  const planner::SweepSummary summary = sweep.run(table);
  ASSERT_TRUE(summary.best[0] && summary.best[1]);
  EXPECT_EQ(summary.best[1]->point, 3);  // tp 1 with 64 requests at a time
  EXPECT_EQ(summary.best[1]->settings, (Settings{"inference.tp=1", "inference.max_batch=64"}));
}

TEST(ServicesSweep, GoesOnWithATableOfEveryKind) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       ("railwright_services_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const core::Catalogue catalogue = source_catalogue();
  const Sweep sweep(service(), catalogue, simulation::read_variations({"inference.tp=1,2,4"}), {});
  for (const char* name : {"t.csv", "t.jsonl", "t.sqlite"}) {
    const std::string path = (folder / name).string();
    const planner::SweepSummary first =
        sweep.run(*output::open_sweep_table(path, sweep.question()));
    const planner::SweepSummary again =
        sweep.run(*output::open_sweep_table(path, sweep.question()));
    EXPECT_EQ(first.made, 3) << name;
    EXPECT_EQ(again.found, 3) << name;
    EXPECT_EQ(again.made, 0) << name;
    ASSERT_TRUE(again.best[1]) << name;
    EXPECT_EQ(again.best[1]->value, first.best[1]->value) << name;
    EXPECT_EQ(again.best[0]->point, first.best[0]->point) << name;
  }
  std::filesystem::remove_all(folder);
}

TEST(ServicesSweep, RefusesKeysThatNoServiceHas) {
  const core::Catalogue catalogue = source_catalogue();
  EXPECT_THROW(Sweep(service(), catalogue, simulation::read_variations({"parallelism.tp=1,2"}), {}),
               core::ConfigError);
}

}  // namespace
}  // namespace railwright::test
