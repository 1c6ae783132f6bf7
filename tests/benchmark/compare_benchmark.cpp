// SPDX-License-Identifier: Apache-2.0
// The main job: eight cells of Dell H20003, four against eight NICs.
#include <benchmark/benchmark.h>

#include "railwright/planner/compare/compare.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace {

using railwright::core::Catalogue;
using railwright::simulation::Method;

void compare_cells(benchmark::State& state, Method method, bool with_assumptions) {
  const auto tree = railwright::simulation::load_scenario_tree(
      RAILWRIGHT_SOURCE_DIR "/examples/xe9680-4-vs-8-nics.yaml", {});
  const Catalogue catalogue(railwright::simulation::catalogue_roots());
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        railwright::planner::compare(tree, catalogue, method, with_assumptions));
  }
}
BENCHMARK_CAPTURE(compare_cells, simulate, Method::kSimulate, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare_cells, estimate, Method::kEstimate, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare_cells, with_assumptions, Method::kSimulate, true)
    ->Unit(benchmark::kMillisecond);

}  // namespace
