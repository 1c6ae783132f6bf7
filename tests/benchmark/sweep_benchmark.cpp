// SPDX-License-Identifier: Apache-2.0
// A million estimates of GPT-3 175B on 1,024 A100: points that do not divide or do not fit among
// them, rows dropped or put into SQLite.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/output/tables/sweep_table.hpp"
#include "railwright/planner/sweep/sweep.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace {

using railwright::planner::Sweep;
using railwright::planner::SweepSummary;

std::vector<railwright::simulation::Variation> a_million_points() {
  std::string batches = "workload.global_batch=512";
  for (int i = 2; i <= 44; ++i) batches += "," + std::to_string(512 * i);
  return railwright::simulation::read_variations(
      {"parallelism.tp=1,2,4,8", "parallelism.pp=1,2,4,8,16,32",
       "parallelism.virtual_stages=1,2,3,6,12", "workload.micro_batch=1,2,4,8",
       "software.recompute=none,activation_function,selective,elementwise,feed_forward,full",
       "software.zero_stage=0,1,2,3", "parallelism.sequence_parallel=true,false", batches});
}

void run_sweep(benchmark::State& state, const std::string& out) {
  const std::string source = RAILWRIGHT_SOURCE_DIR;
  const railwright::core::Catalogue catalogue({source + "/models/catalogue"});
  const auto tree = railwright::simulation::load_scenario_tree(
      source + "/examples/search-gpt3-175b-1024-a100.yaml", {});
  const Sweep sweep(tree, catalogue, a_million_points(),
                    {.method = railwright::simulation::Method::kEstimate,
                     .num_threads = static_cast<int>(state.range(0))});
  SweepSummary summary;
  for (auto _ : state) {
    state.PauseTiming();
    std::error_code ignored;
    std::filesystem::remove(out, ignored);
    state.ResumeTiming();
    summary = sweep.run(*railwright::output::open_sweep_table(out, sweep.question()));
  }
  state.counters["points"] = static_cast<double>(summary.points);
  state.counters["feasible"] = static_cast<double>(summary.feasible);
  state.counters["infeasible"] = static_cast<double>(summary.infeasible);
  state.counters["writer"] = summary.writer_share();
  state.counters["points/s"] = benchmark::Counter(static_cast<double>(summary.points),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

void sweep_dropping_rows(benchmark::State& state) { run_sweep(state, "none"); }
void sweep_into_sqlite(benchmark::State& state) {
  run_sweep(state, (std::filesystem::temp_directory_path() / "sweep_benchmark.sqlite").string());
}

BENCHMARK(sweep_dropping_rows)->Arg(1)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK(sweep_into_sqlite)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
