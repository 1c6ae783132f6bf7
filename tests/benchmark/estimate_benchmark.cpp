// SPDX-License-Identifier: Apache-2.0
// Estimates of configurations of Llama 70B on 512 accelerators: from tables that are there, with
// tables that are made first, and from the costs of each step.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/scenario.hpp"
#include "railwright/core/sim/random.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/estimator/estimator.hpp"
#include "railwright/topologies/topology.hpp"

namespace {

using railwright::simulation::CheckedScenario;
using railwright::simulation::Configuration;
using railwright::simulation::EstimateStatus;
using railwright::simulation::Estimator;

CheckedScenario job(const char* model) {
  return railwright::test::scenario({std::string("workload.model=") + model, "cluster.nodes=64",
                                     "workload.global_batch=1024",
                                     "cluster.fabric={topology: leaf_spine, switch: qm9790}"});
}

/// All that divide, in random order.
std::vector<Configuration> configurations(Estimator& estimator, const CheckedScenario& base) {
  using railwright::models::Recompute;
  std::vector<Configuration> all;
  Configuration c = railwright::simulation::configuration_of(base);
  for (const int tp : {1, 2, 4, 8}) {
    for (const int pp : {1, 2, 4, 5, 8, 10, 16, 20}) {
      for (const int v : {1, 2, 4, 5, 10, 20}) {
        for (const int micro_batch : {1, 2, 4}) {
          for (const bool sequence_parallel : {false, true}) {
            for (const int zero_stage : {0, 1, 2}) {
              for (const auto recompute :
                   {Recompute::kNone, Recompute::kSelective, Recompute::kFull}) {
                for (const std::int64_t batch : {512, 1024, 2048}) {
                  c.tp = tp;
                  c.pp = pp;
                  c.virtual_stages = v;
                  c.micro_batch = micro_batch;
                  c.sequence_parallel = sequence_parallel;
                  c.zero_stage = zero_stage;
                  c.recompute = recompute;
                  c.global_batch = batch;
                  if (estimator.prepare(c) == EstimateStatus::kOk) all.push_back(c);
                }
              }
            }
          }
        }
      }
    }
  }
  railwright::core::RandomStream random(3);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  return all;
}

void estimate_warm(benchmark::State& state, const char* model) {
  const CheckedScenario base = job(model);
  Estimator estimator(base);
  const std::vector<Configuration> all = configurations(estimator, base);
  std::size_t i = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(estimator.estimate(all[i]));
    if (++i == all.size()) i = 0;
  }
  state.counters["configurations"] = static_cast<double>(all.size());
  state.counters["entries"] = static_cast<double>(estimator.num_entries());
}

/// One configuration in tables that are empty.
void estimate_cold(benchmark::State& state, const char* model) {
  const CheckedScenario base = job(model);
  Configuration c = railwright::simulation::configuration_of(base);
  c.tp = 8;
  c.pp = 8;
  for (auto _ : state) {
    state.PauseTiming();
    Estimator estimator(base);
    state.ResumeTiming();
    benchmark::DoNotOptimize(estimator.prepare(c));
    benchmark::DoNotOptimize(estimator.estimate(c));
  }
}

/// As `simulate --estimate` does it on the fabric as it is.
void estimate_of_costs(benchmark::State& state, const char* model) {
  const CheckedScenario base = job(model);
  const auto built = base.topology->build(base.scenario.cluster);
  Configuration c = railwright::simulation::configuration_of(base);
  c.tp = 8;
  c.pp = 8;
  const CheckedScenario checked = railwright::simulation::with_configuration(base, c);
  for (auto _ : state) {
    benchmark::DoNotOptimize(railwright::simulation::estimate_step(
        railwright::simulation::step_costs(checked, built.fabric)));
  }
}

BENCHMARK_CAPTURE(estimate_warm, llama_3_1_70b, "llama-3.1-70b");
BENCHMARK_CAPTURE(estimate_warm, llama_2_70b, "llama-2-70b");
BENCHMARK_CAPTURE(estimate_cold, llama_3_1_70b, "llama-3.1-70b")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(estimate_of_costs, llama_3_1_70b, "llama-3.1-70b")->Unit(benchmark::kMillisecond);

}  // namespace
