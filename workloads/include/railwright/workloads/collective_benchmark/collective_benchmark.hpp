// SPDX-License-Identifier: Apache-2.0
// A collective alone on a cluster, as nccl-tests measures it. [@nccl_tests]
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "railwright/core/config/catalogue.hpp"
#include "railwright/core/config/fields.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/core/parts_list.hpp"
#include "railwright/models/collective/communicator.hpp"
#include "railwright/simulation/results/result_number.hpp"
#include "railwright/simulation/scenario/checked_cluster.hpp"
#include "railwright/simulation/step/link_loads.hpp"

namespace railwright::simulation {

/// The collective to run.
struct CollectiveBenchmark {
  models::CollectiveOp op = models::CollectiveOp::kAllReduce;
  core::DataSize size;
  std::optional<int> ranks;
  models::CollectiveTuning library;

  static constexpr auto fields();
};

/// A scenario with `benchmark` in place of `workload`.
struct BenchmarkScenario {
  std::string name;
  CollectiveBenchmark benchmark;
  topologies::Cluster cluster;

  static constexpr auto fields();
};

struct CheckedBenchmark {
  CollectiveBenchmark benchmark;
  CheckedCluster cluster;
};

/// Time of the same call where the library is told to take an algorithm.
struct NamedAlgorithm {
  models::CollectiveChoice choice;  ///< the protocol is still the library's
  core::Duration time;
};

struct BenchmarkResult {
  std::string name;
  models::CollectiveOp op = models::CollectiveOp::kAllReduce;
  models::CollectiveChoice choice;
  int num_ranks = 0;
  int num_channels = 0;
  core::DataSize size;
  core::Duration time;
  core::Duration latency;  ///< included in `time`
  core::Bandwidth bus_bandwidth;
  std::vector<NamedAlgorithm> named;        ///< fastest first; of an all-reduce only
  std::vector<LinkLoad> busiest_links;      ///< at most ten
  std::vector<core::Shortfall> shortfalls;  ///< empty when the design can be built

  [[nodiscard]] bool feasible() const { return shortfalls.empty(); }
  /// Returns the algorithm that beats the library's choice by more than 1 %; null if none does.
  [[nodiscard]] const NamedAlgorithm* faster() const {
    constexpr double kWorth = 0.99;
    return named.empty() || named.front().time > time * kWorth ? nullptr : &named.front();
  }
};

/// Reads a benchmark; throws ConfigError with every problem.
CheckedBenchmark read_benchmark(const core::Node& tree, const core::Catalogue& catalogue);

/// Returns the scenario with every key that read_benchmark() finds for it. Throws ConfigError with
/// every problem.
core::Node complete_benchmark(const core::Node& tree, const core::Catalogue& catalogue);

/// Runs the collective on the event engine.
BenchmarkResult simulate(const CheckedBenchmark& checked);

/// Returns all numbers of a collective, in the order of the JSON.
const Numbers<BenchmarkResult>& benchmark_numbers();
std::vector<Output> outputs(const BenchmarkResult& result);

}  // namespace railwright::simulation
