// SPDX-License-Identifier: Apache-2.0
// A collective alone on a cluster.
#include <gtest/gtest.h>

#include <string>

#include "../../support/source_tree.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/workloads/collective_benchmark/collective_benchmark.hpp"

namespace railwright::test {
namespace {

constexpr double kMebibyte = 1048576.0;

core::Node benchmark(const std::string& keys) {
  return core::parse_yaml("name: test\nbenchmark: {" + keys + R"(, library: nccl-2.30}
cluster:
  nodes: 2
  node: {model: xe9680-h100, nics: {nic: connectx-7, count: 8}}
  fabric: {topology: single_switch, switch: qm9790}
)",
                          "benchmark of the tests");
}

TEST(Benchmark, TimeIsLatencyAndTheNarrowestLink) {
  const auto checked =
      simulation::read_benchmark(benchmark("op: all_gather, size: 4 GiB"), source_catalogue());
  const simulation::BenchmarkResult result = simulation::simulate(checked);
  EXPECT_EQ(result.num_ranks, 16);
  // Scale-up ports and NICs both carry 15/16 of a byte; eight NICs, or one port for each channel.
  const double bytes = 4.0 * 1024 * kMebibyte;
  const double bus = result.bus_bandwidth.base();
  EXPECT_NEAR(bus * result.time.base(), bytes * 15 / 16, 1.0);
  ASSERT_FALSE(result.busiest_links.empty());
  const double moving = result.time.base() - result.latency.base();
  EXPECT_NEAR(result.busiest_links[0].utilization * result.time.base() / moving, 1.0, 1e-6);
}

/// A B300's adapters have twice the rate of a B200's, and its own link to them too: trees come to
/// 94 of 100 GB/s an adapter, and the rings that the library takes to what NVLink gives them.
TEST(Benchmark, NoLinkOfTheNodeHoldsTheAdaptersOfAB300Up) {
  const auto on = [](const std::string& node, const std::string& library) {
    const core::Node tree = core::parse_yaml(
        "name: test\nbenchmark: {op: all_reduce, size: 8 GiB, library: " + library +
            "}\ncluster: {nodes: 8, node: " + node +
            ", fabric: {topology: rail_optimized, switch: q3400}}\n",
        "benchmark of the tests");
    return simulation::simulate(simulation::read_benchmark(tree, source_catalogue()));
  };
  const std::string tree = "{model: nccl-2.30, all_reduce_algorithm: tree}";
  EXPECT_NEAR(on("dgx-b300", tree).bus_bandwidth.base() / 750e9, 1.0, 0.03);
  EXPECT_GT(on("dgx-b300", tree).bus_bandwidth / on("dgx-b200", tree).bus_bandwidth, 1.9);
  const simulation::BenchmarkResult chosen = on("dgx-b300", "nccl-2.30");
  EXPECT_GT(chosen.bus_bandwidth.base(), 640e9);
  EXPECT_EQ(chosen.busiest_links.front().name.find("PCIe"), std::string::npos);
}

TEST(Benchmark, FewerRanksThanAcceleratorsStayInTheFirstNode) {
  const auto checked = simulation::read_benchmark(
      benchmark("op: all_reduce, size: 1 GiB, ranks: 4"), source_catalogue());
  for (const simulation::LinkLoad& link : simulation::simulate(checked).busiest_links) {
    EXPECT_EQ(link.name.find("node 1"), std::string::npos) << link.name;
  }
}

TEST(Benchmark, MoreRanksThanAcceleratorsIsBadInput) {
  EXPECT_THROW(simulation::read_benchmark(benchmark("op: all_reduce, size: 1 GiB, ranks: 17"),
                                          source_catalogue()),
               core::ConfigError);
}

/// The example's collective as the library is told to run it.
simulation::BenchmarkResult run_with(const std::vector<std::string>& settings) {
  return simulation::simulate(simulation::read_benchmark(
      simulation::load_scenario_tree(
          std::string(RAILWRIGHT_SOURCE_DIR "/examples/all-reduce-8-h100-nodes.yaml"), settings),
      source_catalogue()));
}

TEST(Benchmark, TimesEachAlgorithmAsIfItWereNamed) {
  for (const char* size : {"64 KiB", "12 MB", "1 GiB"}) {
    const std::vector<std::string> settings{"cluster.nodes=4",
                                            std::string("benchmark.size=") + size};
    const simulation::BenchmarkResult library = run_with(settings);
    ASSERT_GE(library.named.size(), 3U) << size;
    bool has_choice = false;
    for (const simulation::NamedAlgorithm& one : library.named) {
      EXPECT_GE(one.time, library.named.front().time);
      std::vector<std::string> named = settings;
      named.push_back("benchmark.library.all_reduce_algorithm=" +
                      std::string(core::to_string(one.choice.algorithm)));
      EXPECT_NEAR(run_with(named).time / one.time, 1.0, 1e-6) << named.back();
      if (one.choice.algorithm != library.choice.algorithm) continue;
      has_choice = true;
      EXPECT_NEAR(library.time / one.time, 1.0, 1e-6) << size;
    }
    EXPECT_TRUE(has_choice) << size;
  }
}

/// NCCL's model of NVLSTree knows nothing of its rounds.
TEST(Benchmark, SaysWhichAlgorithmWouldBeFaster) {
  const simulation::BenchmarkResult medium = run_with({"cluster.nodes=4", "benchmark.size=12 MB"});
  ASSERT_NE(medium.faster(), nullptr);
  EXPECT_EQ(medium.faster()->choice.algorithm, models::CollectiveAlgorithm("tree"));
  EXPECT_LT(medium.faster()->time, medium.time * 0.6);
  EXPECT_EQ(run_with({"cluster.nodes=4", "benchmark.size=12 MB",
                      "benchmark.library.all_reduce_algorithm=tree"})
                .faster(),
            nullptr);
  EXPECT_TRUE(run_with({"benchmark.op=all_gather"}).named.empty());
}

/// An algorithm that these ranks cannot run is no other one unseen.
TEST(Benchmark, SaysWhereANamedAlgorithmCannotRun) {
  const auto tree = [](const std::vector<std::string>& settings) {
    return simulation::load_scenario_tree(
        std::string(RAILWRIGHT_SOURCE_DIR "/examples/all-reduce-8-h100-nodes.yaml"), settings);
  };
  const auto nvls = simulation::simulate(simulation::read_benchmark(
      tree({"benchmark.library.all_reduce_algorithm=nvls"}), source_catalogue()));
  ASSERT_FALSE(nvls.feasible());
  EXPECT_EQ(
      nvls.shortfalls.front().what,
      "benchmark.library.all_reduce_algorithm: nvls cannot run on these 64 ranks; the library "
      "would take nvls_tree");
  for (const char* other : {"nvls_tree", "ring", "tree"}) {
    EXPECT_TRUE(simulation::simulate(
                    simulation::read_benchmark(
                        tree({std::string("benchmark.library.all_reduce_algorithm=") + other}),
                        source_catalogue()))
                    .feasible())
        << other;
  }
  EXPECT_FALSE(simulation::simulate(
                   simulation::read_benchmark(
                       tree({"benchmark.library.all_reduce_algorithm=tree", "cluster.nodes=1"}),
                       source_catalogue()))
                   .feasible());
}

}  // namespace
}  // namespace railwright::test
