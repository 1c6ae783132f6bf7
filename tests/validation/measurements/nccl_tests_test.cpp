// SPDX-License-Identifier: Apache-2.0
// The sample is written after the output shown in the README and doc/PERFORMANCE.md of nccl-tests.
#include "railwright/validation/measurements/nccl_tests.hpp"

#include <gtest/gtest.h>

#include <string>

#include "../../support/source_tree.hpp"
#include "railwright/core/error.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::test {
namespace {

using validation::MeasuredCall;

// Bus bandwidth: size / time * 2 * 63 / 64.
const std::string kNcclSample =
    R"(# nThread 1 nGpus 1 minBytes 1048576 maxBytes 8589934592 step: 8(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid  41231 on     node-0 device  0 [0x1b] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid  41232 on     node-0 device  1 [0x43] NVIDIA H100 80GB HBM3
node-0:41231:41231 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    120.0    8.74   17.20      0    119.0    8.81   17.35      0
  1073741824     268435456     float     sum      -1   7000.0  153.39  301.99      0   7001.0  153.37  301.95      0
  8589934592    2147483648     float     sum      -1  52000.0  165.19  325.22      0  52010.0  165.16  325.16      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 214.8
#
)";

simulation::CheckedBenchmark benchmark(const std::vector<std::string>& settings = {}) {
  return simulation::read_benchmark(
      simulation::load_scenario_tree(kSource + "/examples/all-reduce-8-h100-nodes.yaml", settings),
      source_catalogue());
}

TEST(NcclTests, SizesAndTimesOutOfPlace) {
  const auto calls = validation::read_nccl_tests(kNcclSample, "out.txt", benchmark());
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls[0].size.base(), 1048576.0);
  EXPECT_NEAR(calls[1].time.base(), 7e-3, 1e-15);
  EXPECT_NEAR(calls[2].time.base(), 52e-3, 1e-15);
}

TEST(NcclTests, AnotherNumberOfRanksIsAnotherScenario) {
  try {
    validation::read_nccl_tests(kNcclSample, "out.txt", benchmark({"cluster.nodes=1"}));
    FAIL();
  } catch (const core::ConfigError& error) {
    // 2 * 7 / 8 in place of 2 * 63 / 64: 8 / 9 of what is printed, in every line.
    ASSERT_EQ(error.diagnostics().size(), 3U);
    EXPECT_EQ(core::to_string(error.diagnostics()[1]),
              "out.txt:12:3: 301.99 GB/s are printed, 268.44 of the scenario's all_reduce of 8 "
              "ranks; another operation (benchmark.op) or number of ranks (cluster.nodes, "
              "benchmark.ranks)");
  }
}

TEST(NcclTests, HeaderWithoutTimeIsNoHeader) {
  std::string text = kNcclSample;
  for (std::size_t at = text.find(" time "); at != std::string::npos; at = text.find(" time ")) {
    text.replace(at, 6, " timg ");
  }
  try {
    validation::read_nccl_tests(text, "out.txt", benchmark());
    FAIL();
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 1U);
    EXPECT_EQ(error.diagnostics()[0].message, "no line with a size, a time and a bus bandwidth");
  }
}

TEST(NcclTests, ColumnsStandInAnyOrder) {
  const auto calls =
      validation::read_nccl_tests("size busbw time\n1048576 17.20 120.0\n", "out.txt", benchmark());
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_NEAR(calls[0].time.base(), 120e-6, 1e-15);
}

TEST(NcclTests, EveryBadLineIsNamed) {
  std::string text = kNcclSample;
  text.replace(text.find("7000.0"), 6, "  oops");
  text.replace(text.find("52000.0  165.19  325.22"), 23, "52000.0                ");
  text.resize(text.find("52000.0") + 7);
  try {
    validation::read_nccl_tests(text, "out.txt", benchmark());
    FAIL();
  } catch (const core::ConfigError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2U);
    EXPECT_EQ(core::to_string(error.diagnostics()[0]),
              "out.txt:12:3: time and bus bandwidth have to be numbers");
    EXPECT_EQ(core::to_string(error.diagnostics()[1]),
              "out.txt:13:3: a line that ends before its time or bus bandwidth");
  }
}

TEST(NcclTests, ATextWithoutCallsIsRefused) {
  EXPECT_THROW(validation::read_nccl_tests("# busbw\n", "out.txt", benchmark()), core::ConfigError);
}

/// Calls on NICs of seven tenths of the rate.
std::vector<MeasuredCall> calls_on_slow_nics(const std::vector<std::string>& sizes) {
  std::vector<MeasuredCall> calls;
  for (const std::string& size : sizes) {
    const auto result = simulation::simulate(
        benchmark({"benchmark.size=" + size,
                   "cluster.node.nics.nic={model: connectx-7, line_rate: 280 Gb/s}"}));
    calls.push_back({result.size, result.time});
  }
  return calls;
}

TEST(CalibrateCollectives, FindsTheRateOfSlowNics) {
  const auto calls = calls_on_slow_nics({"64 KiB", "256 MiB", "1 GiB", "4 GiB", "8 GiB"});
  const auto fit = validation::calibrate_collectives(benchmark(), calls, source_catalogue());
  ASSERT_FALSE(fit.is_refused()) << fit.refusal;
  EXPECT_NEAR(fit.nic.value, 0.7, 0.02);
  EXPECT_EQ(fit.runs.size(), 4U);
  EXPECT_FALSE(fit.compute.is_fitted);
  ASSERT_EQ(fit.notes.size(), 1U);
  EXPECT_TRUE(fit.notes[0].starts_with("1 of 5 calls were not used")) << fit.notes[0];
  EXPECT_GT(fit.band.high, 1.0);
}

TEST(CalibrateCollectives, OneNodeSaysNothingOfNics) {
  const auto fit = validation::calibrate_collectives(
      benchmark({"cluster.nodes=1"}),
      {{core::DataSize::from_base(1e9), core::Duration::from_base(4e-3)}}, source_catalogue());
  EXPECT_TRUE(fit.is_refused());
}

TEST(CalibrateCollectives, FasterThanTheNicsIsAtTheBound) {
  const auto fit = validation::calibrate_collectives(
      benchmark(), {{core::DataSize::from_base(8e9), core::Duration::from_base(20e-3)}},
      source_catalogue());
  EXPECT_TRUE(fit.nic.is_at_bound);
  EXPECT_EQ(fit.notes.size(), 1U);
}

}  // namespace
}  // namespace railwright::test
