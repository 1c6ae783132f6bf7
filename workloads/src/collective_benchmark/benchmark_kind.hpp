// SPDX-License-Identifier: Apache-2.0
// Kind of scenario: a collective alone.
#pragma once

#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark_fields.hpp"
#include "railwright/workloads/kind_facts.hpp"
#include "railwright/workloads/simulate_options.hpp"

namespace railwright::simulation {

struct BenchmarkKind {
  using Scenario = BenchmarkScenario;
  using Result = BenchmarkResult;

  static constexpr KindFacts kFacts{
      .key = "benchmark",
      .says = "a collective",
      .goals = {{{"shortest_call", "shortest call", "time_s", NumberFormat::kTime, true},
                 {"max_bus_bandwidth", "highest bus bandwidth", "bus_bandwidth_bytes_per_s",
                  NumberFormat::kBytesPerSecond, false}}}};

  static auto read(const core::Node& tree, const core::Catalogue& catalogue) {
    return read_benchmark(tree, catalogue);
  }
  static Result simulate(const CheckedBenchmark& checked, const SimulateOptions&) {
    return simulation::simulate(checked);
  }
  static core::Node complete(const core::Node& tree, const core::Catalogue& catalogue) {
    return complete_benchmark(tree, catalogue);
  }
  static const Numbers<Result>& numbers() { return benchmark_numbers(); }
};

}  // namespace railwright::simulation
