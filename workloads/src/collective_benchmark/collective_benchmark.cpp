// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/report.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/sim/engine.hpp"
#include "railwright/simulation/scenario/device_checks.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/topologies/cluster/built_cluster.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark_fields.hpp"

namespace railwright::simulation {

namespace {

/// Returns the time of one call with nothing else on the fabric; adds the bytes that each link
/// carried.
core::Duration run(const core::Fabric& fabric, const models::CollectiveFlow& flow,
                   std::int64_t bytes, std::vector<double>& carried) {
  core::Engine<core::StepTime> engine(fabric.make_network());
  constexpr core::EventId kStart = 0;
  constexpr core::EventId kEnd = 1;
  engine.schedule(core::ticks_at_or_after<core::StepTime>(flow.latency), kStart);
  core::EventId event = kStart;
  while (engine.next(event)) {
    if (event == kStart) {
      engine.start({.route = flow.route, .size = bytes, .ceiling = flow.ceiling}, kEnd);
    }
  }
  for (std::size_t link = 0; link < fabric.links().size(); ++link) {
    carried.push_back(engine.carried(static_cast<core::LinkId>(link)));
  }
  return engine.now().duration();
}

/// Returns the problem if these ranks cannot run the algorithm that the library is told to use.
std::string other_algorithm(const CollectiveBenchmark& benchmark, const BenchmarkResult& result) {
  const models::CollectiveAlgorithm named = benchmark.library.all_reduce_algorithm.value;
  const bool is_all_reduce = benchmark.op == models::CollectiveOp::kAllReduce;
  if (!is_all_reduce || named->can_run == nullptr || result.choice.algorithm == named) return {};
  return fmt::format(
      "benchmark.library.all_reduce_algorithm: {} cannot run on these {} ranks; the library would "
      "take {}",
      core::to_string(named), result.num_ranks, core::to_string(result.choice.algorithm));
}

/// Times the call by each algorithm that the library has for these ranks, fastest first.
std::vector<NamedAlgorithm> named_algorithms(const core::Fabric& fabric,
                                             const std::vector<int>& members,
                                             const CollectiveBenchmark& benchmark,
                                             std::span<const double> capacity) {
  std::vector<NamedAlgorithm> named;
  if (benchmark.op != models::CollectiveOp::kAllReduce) return named;
  const double bytes = benchmark.size.base();
  for (std::size_t row = 0; row < models::CollectiveAlgorithmKind::table().size(); ++row) {
    const auto algorithm = models::CollectiveAlgorithm::at(row);
    if (!algorithm->is_chosen) continue;
    models::CollectiveTuning tuning = benchmark.library;
    tuning.all_reduce_algorithm.value = algorithm;
    const models::Communicator communicator(fabric, members, tuning);
    const models::CollectiveChoice choice = communicator.choice(benchmark.op, bytes);
    if (choice.algorithm != algorithm) continue;
    const models::CollectiveFlow flow = communicator.flow(benchmark.op, bytes, choice);
    named.push_back({choice, isolated_time(flow, bytes, capacity)});
  }
  std::ranges::stable_sort(named, {}, &NamedAlgorithm::time);
  return named;
}

BenchmarkScenario read_call(const core::Node& tree, const core::Catalogue& catalogue) {
  core::Reader reader(&catalogue);
  BenchmarkScenario scenario;
  reader.read(tree, "", scenario);
  const int num_accelerators =
      scenario.cluster.num_nodes * scenario.cluster.node.num_accelerators.value;
  const auto& ranks = scenario.benchmark.ranks;
  if (reader.diagnostics().empty() && ranks.value_or(num_accelerators) > num_accelerators) {
    reader.report(tree.find("benchmark")->where, "benchmark.ranks",
                  fmt::format("{} ranks on {} accelerators", *ranks, num_accelerators));
  }
  if (reader.diagnostics().empty() && num_accelerators < 2) {
    reader.report(tree.where, "cluster", "a collective needs two accelerators");
  }
  tell_accelerator(scenario.cluster.node.accelerator, scenario.benchmark.library);
  if (reader.diagnostics().empty()) {
    core::Report(tree, reader)(
        library_problems("benchmark.library", scenario.cluster.node, scenario.benchmark.library));
  }
  reader.throw_if_any();
  return scenario;
}

}  // namespace

CheckedBenchmark read_benchmark(const core::Node& tree, const core::Catalogue& catalogue) {
  BenchmarkScenario scenario = read_call(tree, catalogue);
  return {.benchmark = std::move(scenario.benchmark), .cluster = read_cluster(tree, catalogue)};
}

core::Node complete_benchmark(const core::Node& tree, const core::Catalogue& catalogue) {
  return core::to_node(read_call(tree, catalogue));
}

BenchmarkResult simulate(const CheckedBenchmark& checked) {
  const CollectiveBenchmark& benchmark = checked.benchmark;
  const topologies::BuiltCluster built = checked.cluster.topology->build(checked.cluster.cluster);
  BenchmarkResult result{.name = checked.cluster.name, .op = benchmark.op, .size = benchmark.size};
  result.num_ranks = benchmark.ranks.value_or(built.fabric.num_accelerators());
  result.shortfalls = built.parts.shortfalls;
  const std::string missing = models::missing_reduction(built.fabric, benchmark.library);
  if (!missing.empty()) result.shortfalls.push_back({.what = missing});
  if (!result.feasible()) return result;

  std::vector<int> members(static_cast<std::size_t>(result.num_ranks));
  std::iota(members.begin(), members.end(), 0);
  const double bytes = benchmark.size.base();
  const models::Communicator communicator(built.fabric, members, benchmark.library);
  result.choice = communicator.choice(benchmark.op, bytes);
  if (const std::string other = other_algorithm(benchmark, result); !other.empty()) {
    result.shortfalls.push_back({.what = other});
    return result;
  }
  const models::CollectiveFlow flow = communicator.flow(benchmark.op, bytes);
  std::vector<double> carried;
  result.num_channels = communicator.num_channels(result.choice);
  result.time = run(built.fabric, flow, std::llround(bytes), carried);
  result.latency = flow.latency;
  result.bus_bandwidth =
      benchmark.size * models::bus_factor(benchmark.op, result.num_ranks) / result.time;
  std::vector<double> capacity;
  for (const core::Link& link : built.fabric.links()) capacity.push_back(link.bandwidth.base());
  result.named = named_algorithms(built.fabric, members, benchmark, capacity);
  result.busiest_links = busiest_links(built.fabric, capacity, carried, result.time);
  return result;
}

namespace {

using B = BenchmarkResult;

Numbers<B> call_numbers() {
  return {{.path = "num_ranks",
           .format = NumberFormat::kCount,
           .column = "num_ranks",
           .is_whole = true,
           .beside = {"ranks"},
           .read = [](const B& of) { return of.num_ranks; }},
          {.path = "size_bytes",
           .format = NumberFormat::kBytes,
           .column = "size_bytes",
           .beside = {"size"},
           .read = [](const B& of) { return of.size; }}};
}

Numbers<B> time_numbers() {
  return {{.path = "num_channels",
           .format = NumberFormat::kCount,
           .column = "num_channels",
           .is_whole = true,
           .beside = {"channels"},
           .read = [](const B& of) { return of.num_channels; }},
          {.path = "time_s",
           .format = NumberFormat::kTime,
           .column = "time_s",
           .beside = {"time"},
           .read = [](const B& of) { return of.time; }},
          {.path = "latency_s",
           .format = NumberFormat::kTime,
           .column = "latency_s",
           .beside = {"latency"},
           .read = [](const B& of) { return of.latency; }},
          {.path = "bus_bandwidth_bytes_per_s",
           .format = NumberFormat::kBytesPerSecond,
           .column = "bus_bandwidth_bytes_per_s",
           .beside = {"bus bandwidth"},
           .read = [](const B& of) { return of.bus_bandwidth; }}};
}

constexpr PartOf<B, B> kAnyCall{[](const B& result) { return &result; }};
constexpr PartOf<B, B> kCallTime{
    [](const B& result) { return result.feasible() ? &result : nullptr; }};

}  // namespace

const Numbers<BenchmarkResult>& benchmark_numbers() {
  static const NumberGroup<B> kGroups[] = {{kAnyCall, call_numbers}, {kCallTime, time_numbers}};
  static const Numbers<B> kNumbers = table_of<B>(kGroups);
  return kNumbers;
}

std::vector<Output> outputs(const BenchmarkResult& result) {
  return outputs(benchmark_numbers(), result);
}

}  // namespace railwright::simulation
