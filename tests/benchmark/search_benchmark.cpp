// SPDX-License-Identifier: Apache-2.0
// The search spaces that Calculon was timed on: GPT-3 175B on 1,024 H100 with 1,536 sequences a
// step, and Turing-NLG 530B on 5,128 A100 with at most 2,520.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/planner/search/search.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace {

using railwright::planner::SearchResult;

void run_search(benchmark::State& state, const std::vector<std::string>& settings) {
  const std::string source = RAILWRIGHT_SOURCE_DIR;
  const railwright::core::Catalogue catalogue({source + "/models/catalogue"});
  const auto tree = railwright::simulation::load_scenario_tree(
      source + "/examples/search-gpt3-175b-1024-a100.yaml", settings);
  SearchResult result;
  for (auto _ : state) {
    result = railwright::planner::search(
        tree, catalogue,
        {.num_simulated = 0, .num_threads = static_cast<int>(state.range(0)), .progress = {}});
  }
  const auto& counts = result.counts;
  state.counters["points"] = static_cast<double>(counts.points);
  state.counters["fitting"] = static_cast<double>(counts.fitting);
  state.counters["estimated"] = static_cast<double>(counts.estimated);
  state.counters["points/s"] = benchmark::Counter(static_cast<double>(counts.points),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

void search_gpt_3_on_1024_h100(benchmark::State& state) {
  run_search(state, {"cluster.node=dgx-h100", "cluster.fabric=dgx-superpod-h100", "search={}"});
}

void search_530b_on_5128_a100(benchmark::State& state) {
  run_search(state, {"workload.model=gpt-530b", "workload.global_batch=1923", "parallelism={tp: 8}",
                     "cluster.nodes=641", "software.zero_stage=3",
                     "search={max_global_batch: 2520, cp: [1], rank_order: [tp-cp-ep-dp-pp]}"});
}

BENCHMARK(search_gpt_3_on_1024_h100)->Arg(1)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK(search_530b_on_5128_a100)->Arg(1)->Arg(2)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
