// SPDX-License-Identifier: Apache-2.0
// A rail-optimized fabric of 16,384 accelerators: built, and routed in two patterns.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <vector>

#include "../topologies/example_cluster.hpp"
#include "railwright/topologies/wirings/rail_optimized.hpp"

namespace {

using railwright::core::Fabric;
using railwright::core::LinkUse;
using railwright::core::Routing;
using railwright::topologies::BuiltCluster;

constexpr int kPerNode = 8;

BuiltCluster build(int num_nodes) {
  return railwright::topologies::RailOptimized(
             {.switch_model = railwright::topologies::testing::example_switch(64)})
      .build(railwright::topologies::testing::example_cluster(num_nodes, kPerNode));
}

/// Every accelerator to the next, and to the one 128 nodes on.
void route_all(const Fabric& fabric, std::vector<LinkUse>& uses) {
  const int n = fabric.num_accelerators();
  for (const int shift : {1, 128 * kPerNode}) {
    for (int a = 0; a < n; ++a) {
      uses.clear();
      fabric.append_route(a, (a + shift) % n, 0, uses);
      benchmark::DoNotOptimize(uses.data());
    }
  }
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void build_fabric(benchmark::State& state) {
  for (auto _ : state) {
    const BuiltCluster built = build(static_cast<int>(state.range(0)));
    benchmark::DoNotOptimize(built.fabric.links().data());
  }
  state.counters["peak_memory_mb"] = peak_memory_mb();
}
BENCHMARK(build_fabric)->Arg(256)->Arg(2048)->Unit(benchmark::kMillisecond);

void route_fabric(benchmark::State& state, Routing routing) {
  std::vector<LinkUse> uses;
  for (auto _ : state) {
    BuiltCluster built = build(static_cast<int>(state.range(0)));
    built.fabric.set_routing({.routing = routing});
    route_all(built.fabric, uses);
  }
  state.counters["peak_memory_mb"] = peak_memory_mb();
}
BENCHMARK_CAPTURE(route_fabric, static, Routing::kStatic)
    ->Arg(256)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_fabric, ecmp, Routing::kEcmp)->Arg(2048)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(route_fabric, adaptive, Routing::kAdaptive)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);

}  // namespace
