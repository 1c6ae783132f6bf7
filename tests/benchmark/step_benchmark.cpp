// SPDX-License-Identifier: Apache-2.0
// One optimizer step of the jobs of Dell H20003: program, events, estimate.
#include <benchmark/benchmark.h>

#include "../support/scenario.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/step/step.hpp"

namespace {

using railwright::simulation::estimate_step;
using railwright::simulation::make_program;
using railwright::simulation::simulate_step;
using railwright::simulation::step_costs;
using railwright::test::BuiltScenario;

BuiltScenario job(const benchmark::State& state) {
  return BuiltScenario(state.range(0) == 7 ? railwright::test::Settings{}
                                           : railwright::test::llama_2_70b());
}

void costs_of_step(benchmark::State& state) {
  const BuiltScenario built = job(state);
  for (auto _ : state) benchmark::DoNotOptimize(step_costs(built.checked, built.built.fabric));
}
void program_of_step(benchmark::State& state) {
  const BuiltScenario built = job(state);
  for (auto _ : state) benchmark::DoNotOptimize(make_program(built.costs));
}
void simulate(benchmark::State& state) {
  const BuiltScenario built = job(state);
  for (auto _ : state) benchmark::DoNotOptimize(simulate_step(built.costs));
}
void estimate(benchmark::State& state) {
  const BuiltScenario built = job(state);
  for (auto _ : state) benchmark::DoNotOptimize(estimate_step(built.costs));
}

BENCHMARK(costs_of_step)->Arg(7)->Arg(70)->Unit(benchmark::kMillisecond);
BENCHMARK(program_of_step)->Arg(7)->Arg(70)->Unit(benchmark::kMillisecond);
BENCHMARK(simulate)->Arg(7)->Arg(70)->Unit(benchmark::kMillisecond);
BENCHMARK(estimate)->Arg(7)->Arg(70)->Unit(benchmark::kMillisecond);

}  // namespace
