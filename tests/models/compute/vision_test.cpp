// SPDX-License-Identifier: Apache-2.0
// Layers of vision models against closed forms.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../../support/scenario.hpp"
#include "published_h100.hpp"
#include "railwright/models/compute/compute.hpp"

namespace railwright::models {
namespace {

constexpr double kImages = 64.0;
constexpr double kBytesPerS = 3.35e12;
constexpr double kElementBytes = 2.0;
constexpr double kGathered = 0.75;  ///< of the rate where windows are wider than a pixel

/// A stack and a device of which only what a test sets counts.
const test::Settings kPlain{"parallelism={}",
                            "software=mxnet",
                            "software.kernels_per_layer=1",
                            "software.host_launch=0 us",
                            "cluster.node.accelerator.memory_efficiency=1",
                            "cluster.node.accelerator.elementwise_efficiency=null",
                            "cluster.node.accelerator.memory_bandwidth=3.35 TB/s",
                            "cluster.node.accelerator.kernel_overhead=0 us"};
const test::Settings kNoArithmetic{"cluster.node.accelerator.bf16_rate=1e9 TFLOP/s"};
const test::Settings kNoMemory{"cluster.node.accelerator.memory_bandwidth=1e9 TB/s"};

/// Blocks of a layer each; the first has 64 channels of 56 pixels.
std::vector<PassCost> blocks(const std::vector<std::string>& layers,
                             const test::Settings& settings) {
  std::string table;
  for (const std::string& layer : layers) table += "{layers: [{" + layer + "}]}, ";
  test::Settings all{
      "workload={model: {name: one, description: d, source: s, image_size: 56, image_channels: 64, "
      "blocks: [" +
      table + "]}, global_batch: 1024, micro_batch: 64, steps: 1}"};
  all = test::join(test::join(test::join(all, kPlain), test::ideal_kernels()), settings);
  const auto checked = test::scenario(all);
  const simulation::Scenario& scenario = checked.scenario;
  return ComputeModel(scenario.cluster.node.accelerator, scenario.workload, checked.layout,
                      scenario.software, 1.0)
      .blocks();
}

const std::string kNarrow = "op: convolution, inputs: 64, outputs: 64, output_size: 56";
const std::string kWide = "op: convolution, inputs: 64, outputs: 128, kernel: 3, output_size: 56";

double pixels(double size) { return kImages * size * size; }

TEST(VisionCompute, WithoutArithmeticAConvolutionReadsAndWritesImagesOnce) {
  const auto costs = blocks({kNarrow, kWide}, kNoArithmetic);
  const double bytes = kElementBytes * (pixels(56) * (64 + 128) + 9 * 64 * 128);
  EXPECT_NEAR(costs[1].forward.matrix.base(), bytes / kBytesPerS, 1e-9 * bytes / kBytesPerS);
  EXPECT_NEAR(costs[1].backward.matrix.base(), 2 * bytes / kBytesPerS, 1e-9 * bytes / kBytesPerS);
}

TEST(VisionCompute, ImagesNeedNoGradient) {
  const auto costs = blocks({kNarrow, kNarrow}, kNoArithmetic);
  EXPECT_EQ(costs[0].forward.matrix.base(), costs[1].forward.matrix.base());
  EXPECT_DOUBLE_EQ(2 * costs[0].backward.matrix.base(), costs[1].backward.matrix.base());
}

TEST(VisionCompute, WithoutMemoryAConvolutionIsAProductOfPixels) {
  const auto checked = test::scenario(test::join(test::ideal_kernels(), kNoMemory));
  const core::Accelerator& device = checked.scenario.cluster.node.accelerator;
  const auto costs = blocks({kNarrow, kWide}, kNoMemory);
  const auto rows = static_cast<std::int64_t>(pixels(56));
  const core::Duration product = matrix_product_time(device, rows, std::int64_t{9} * 64, 128);
  EXPECT_DOUBLE_EQ(costs[0].forward.matrix.base(),
                   matrix_product_time(device, rows, 64, 64).base());
  EXPECT_DOUBLE_EQ(costs[1].forward.matrix.base() * kGathered, product.base());
  // The gradient of the input has as many multiply-adds, in rows as long as 9 x 128.
  const core::Duration gradient = matrix_product_time(device, rows, std::int64_t{9} * 128, 64);
  EXPECT_GT(costs[1].backward.matrix, gradient);
}

TEST(VisionCompute, AStrideLeavesAQuarterOfTheGradientsProducts) {
  const auto costs = blocks({kNarrow,
                             "op: convolution, inputs: 64, outputs: 64, kernel: 2, stride: 2, "
                             "output_size: 28",
                             kNarrow},
                            kNoMemory);
  // 4 taps on a quarter of the pixels: as many multiply-adds as one tap on all of them.
  EXPECT_NEAR(costs[1].backward.matrix / costs[2].backward.matrix * kGathered, 1.0, 0.1);
}

TEST(VisionCompute, AFusedNormIsPartOfWhatStandsBesideIt) {
  const double access = kElementBytes * 64 * pixels(56) / kBytesPerS;
  const auto of = [&](const std::string& then, const std::string& elementwise) {
    return blocks({kNarrow + then}, {"software.elementwise=" + elementwise})[0];
  };
  const std::string norm = ", normalized: true";
  const std::string all = norm + ", activated: true, adds_shortcut: true";
  const auto expect = [&](const PassCost& cost, double forward, double backward) {
    EXPECT_NEAR(cost.forward.elementwise.base() / access, forward, 1e-9);
    EXPECT_NEAR(cost.backward.elementwise.base() / access, backward, 1e-9);
  };
  expect(of("", "fused"), 0, 0);
  expect(of(norm, "fused"), 2, 3);
  expect(of(norm + ", activated: true", "fused"), 2, 3);
  expect(of(all, "fused"), 3, 5);
  expect(of(norm, "eager"), 3, 5);
  expect(of(all, "eager"), 3 + 2 + 3, 5 + 3 + 3);
}

TEST(VisionCompute, APoolMovesItsInputAndItsOutput) {
  const auto costs = blocks(
      {kNarrow, "op: pool, inputs: 64, outputs: 64, kernel: 3, stride: 2, output_size: 28"}, {});
  const double bytes = kElementBytes * 64 * (pixels(56) + pixels(28));
  EXPECT_DOUBLE_EQ(costs[1].forward.elementwise.base(), bytes / kBytesPerS);
  EXPECT_DOUBLE_EQ(costs[1].backward.elementwise.base(), bytes / kBytesPerS);
  EXPECT_EQ(costs[1].forward.matrix, core::Duration{});
}

TEST(VisionCompute, SmallBatchesWaitForLaunches) {
  const auto costs = blocks({kNarrow}, {"software.host_launch=1 ms"});
  EXPECT_NEAR(costs[0].forward.total().base(), 1e-3, 1e-12);
  EXPECT_NEAR(costs[0].backward.total().base(), 2e-3, 1e-12);
}

/// For each parameter: the gradient is set to zero and read; LARS looks once more for norms.
TEST(VisionCompute, OptimizersMoveTheirMoments) {
  const auto time = [](const std::string& optimizer) {
    test::Settings settings = test::join(
        {"workload={model: resnet-50, global_batch: 64, micro_batch: 1, steps: 1}"}, kPlain);
    settings.push_back("software.optimizer=" + optimizer);
    settings.emplace_back("software.precision=bf16");
    const auto checked = test::scenario(settings);
    return ComputeModel(checked.scenario.cluster.node.accelerator, checked.scenario.workload,
                        checked.layout, checked.scenario.software, 1.0)
        .optimizer_time(kBytesPerS)
        .base();
  };
  const double sgd = 2 + 2 + 2 * 2 * 4 + 4 + 2;
  EXPECT_NEAR(time("sgd_momentum"), sgd, 1e-9);
  EXPECT_NEAR(time("lars"), sgd + 2 + 4, 1e-9);
  EXPECT_NEAR(time("adam"), 2 + (2 + 4) + 3 * 4 + 4 + 3 * 2 * 4 + 4 + 2, 1e-9);
}

}  // namespace
}  // namespace railwright::models
