// SPDX-License-Identifier: Apache-2.0
// Whole runs, event by event: what they cost follows checkpoints and failures, not steps or GPUs.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/simulation/run/run.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"

namespace {

using railwright::core::Catalogue;
using railwright::core::Duration;
namespace simulation = railwright::simulation;

/// An example with its fabric, run with steps of a given time in place of simulated ones.
struct Example {
  Example(const std::string& name, const std::vector<std::string>& settings)
      : checked(simulation::read_scenario(
            simulation::load_scenario_tree(
                std::string(RAILWRIGHT_SOURCE_DIR) + "/examples/" + name + ".yaml", settings),
            Catalogue(simulation::catalogue_roots()))),
        built(checked.topology->build(checked.scenario.cluster)) {}

  simulation::RunResult run(double step_time, int num_threads, int num_jobs = 1) const {
    std::vector<simulation::RunJob> jobs;
    for (int j = 0; j < num_jobs; ++j) {
      jobs.push_back({.checked = &checked,
                      .step_time = Duration::from_base(step_time),
                      .start = Duration::from_base(j * 1000.0),
                      .first_node = 0});
    }
    return simulation::simulate_run(jobs, built.fabric, checked.scenario.run,
                                    {.num_threads = num_threads});
  }

  simulation::CheckedScenario checked;
  railwright::topologies::BuiltCluster built;
};

/// 100,000 steps of 7 s with a checkpoint every hundred and the failures of the Llama 3 fleet.
void a_hundred_thousand_steps(benchmark::State& state) {
  const Example example("powerscale-checkpoints",
                        {"workload.steps=100000", "checkpoint={interval_steps: 100, retention: 3}",
                         "reliability=llama-3", "run={replicas: 1, num_spares: 4}"});
  double checkpoints = 0.0;
  for (auto _ : state) checkpoints = example.run(7.0, 1).job().num_checkpoints;
  state.counters["checkpoints"] = checkpoints;
}

/// A year of ten jobs of 1,664 GPUs, each with a checkpoint every half an hour behind its steps, on
/// one storage cluster: 163,000 of them, and 3,000 failures.
void a_year_of_ten_jobs(benchmark::State& state) {
  const Example example("llama3-405b-54-days",
                        {"cluster.nodes=208", "workload.global_batch=208", "workload.steps=6307200",
                         "checkpoint={interval: 30 min, mode: asynchronous, retention: 2}",
                         "run={replicas: 1, num_spares: 16}"});
  double checkpoints = 0.0;
  for (auto _ : state) {
    checkpoints = 0.0;
    for (const simulation::JobRun& job : example.run(5.0, 1, 10).jobs) {
      checkpoints += job.num_checkpoints;
    }
  }
  state.counters["checkpoints"] = checkpoints;
}

/// Replicas of 54 days of Llama 3 on 16,384 GPUs, a checkpoint every `range(1)` minutes.
void replicas_of_llama_3(benchmark::State& state) {
  const Example example(
      "llama3-405b-54-days",
      {"run.replicas=1000", "checkpoint.interval=" + std::to_string(state.range(1)) + " min"});
  double checkpoints = 0.0;
  for (auto _ : state) {
    checkpoints = example.run(5.25, static_cast<int>(state.range(0))).job().num_checkpoints;
  }
  state.counters["checkpoints"] = checkpoints;
}

BENCHMARK(a_hundred_thousand_steps)->Unit(benchmark::kMillisecond);
BENCHMARK(a_year_of_ten_jobs)->Unit(benchmark::kMillisecond);
BENCHMARK(replicas_of_llama_3)
    ->Args({1, 5})
    ->Args({2, 5})
    ->Args({1, 30})
    ->Args({2, 30})
    ->UseRealTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
