// SPDX-License-Identifier: Apache-2.0
// The keys of collective_benchmark.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/software/collectives_fields.hpp"
#include "railwright/simulation/scenario/scenario_fields.hpp"
#include "railwright/topologies/cluster/cluster_fields.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"

namespace railwright::simulation {

constexpr auto CollectiveBenchmark::fields() {
  using core::field;
  return core::field_list(
      field("op", &CollectiveBenchmark::op, "The operation."),
      field("size", &CollectiveBenchmark::size,
            "Bytes of the buffer; of all-gather and reduce-scatter the whole, not the shard.",
            core::between(1, 1e15)),
      field("ranks", &CollectiveBenchmark::ranks,
            "Accelerators that take part, node by node; all where left out.", core::at_least(2),
            core::optional),
      field("library", &CollectiveBenchmark::library,
            "The collective library, by catalogue name."));
}

constexpr auto BenchmarkScenario::fields() {
  using core::field;
  return core::field_list(
      field("name", &BenchmarkScenario::name, "The scenario in a few words."),
      field("benchmark", &BenchmarkScenario::benchmark, "The collective that is run alone."),
      field("cluster", &BenchmarkScenario::cluster, "Nodes and fabric."));
}

}  // namespace railwright::simulation
