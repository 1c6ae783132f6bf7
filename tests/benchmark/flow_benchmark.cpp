// SPDX-License-Identifier: Apache-2.0
// The flow workloads through the engine, and adding a flow to a network that stands.
#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <vector>

#include "engine_run.hpp"
#include "railwright/core/sim/flow_network.hpp"
#include "railwright/core/sim/random.hpp"
#include "workloads.hpp"

namespace {

using railwright::core::FlowId;
using railwright::core::FlowNetwork;
using railwright::core::LinkId;
using railwright::core::LinkUse;
using railwright::core::RandomStream;
using railwright::workloads::EngineRun;
using railwright::workloads::Named;

/// `num_flows` flows of six links each stand in a network of 64 nodes and a core; one ends and
/// another begins.
void replace_flow(benchmark::State& state) {
  constexpr int kLinks = 64 * 8;
  const auto num_flows = static_cast<std::size_t>(state.range(0));
  RandomStream random(1);
  FlowNetwork network;
  for (int i = 0; i < kLinks; ++i) network.add_link(1e9 * (1 + i % 5));
  const auto start = [&] {
    std::array<LinkUse, 6> route{};
    for (LinkUse& use : route) use = {static_cast<LinkId>(random.below(kLinks)), 1.0};
    return network.add({.route = route, .size = 1'000'000});
  };
  std::vector<FlowId> flows;
  for (std::size_t i = 0; i < num_flows; ++i) flows.push_back(start());
  network.solve();
  std::size_t next = 0;
  for (auto _ : state) {
    network.remove(flows[next]);
    flows[next] = start();
    network.solve();
    next = (next + 1) % num_flows;
    benchmark::DoNotOptimize(network.rate(flows[next]));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(replace_flow)->Arg(8)->Arg(64)->Arg(512)->Unit(benchmark::kMicrosecond);

void run_workload(benchmark::State& state) {
  const Named& named =
      railwright::workloads::named_workloads()[static_cast<std::size_t>(state.range(0))];
  const auto workload = named.make();
  EngineRun run;
  for (auto _ : state) {
    run = railwright::workloads::run_engine(workload);
    state.SetIterationTime(run.seconds);
  }
  const auto touches = static_cast<double>(run.num_touches);
  state.counters["ns/touch"] = run.seconds * 1e9 / touches;
  state.counters["touches/flow"] = touches / static_cast<double>(workload.num_flows());
  state.SetLabel(std::string(named.name));
}
BENCHMARK(run_workload)
    ->DenseRange(0, static_cast<int>(railwright::workloads::named_workloads().size()) - 1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
