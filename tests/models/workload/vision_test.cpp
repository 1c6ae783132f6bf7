// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/vision.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "../../support/scenario.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/models/parallelism/shards.hpp"
#include "railwright/simulation/scenario/data_path.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"

namespace railwright::models {
namespace {

const test::Settings kResNet{"workload={model: resnet-50, global_batch: 256, steps: 10}",
                             "parallelism={}", "software=mxnet"};

VisionModel resnet_50() { return *vision_of(test::scenario(kResNet).scenario.workload); }

TEST(Vision, ResNet50HasItsPublishedParametersAndMultiplyAdds) {
  EXPECT_EQ(num_parameters(resnet_50()), 25'557'032);  // torchvision's tensors
  // 2.36 x 10^8 a block of plain stages, as He et al. count; 4.09 x 10^9 in all for v1.5.
  EXPECT_EQ(multiply_adds_per_image(resnet_50()), 4'089'184'256);
  EXPECT_EQ(num_blocks(resnet_50()), 1 + 3 + 4 + 6 + 3 + 1);
}

TEST(Vision, ATableOfOnesOwnIsAModelLikeAnyOther) {
  const core::Node example = core::load_yaml(RAILWRIGHT_SOURCE_DIR "/examples/resnet-18.yaml");
  const auto checked =
      simulation::read_scenario(example, core::Catalogue(simulation::catalogue_roots()));
  const VisionModel& model = *vision_of(checked.scenario.workload);
  EXPECT_EQ(num_parameters(model), 11'689'512);
  EXPECT_EQ(multiply_adds_per_image(model), 1'814'073'344);
  double placed = 0.0;
  for (const ShardParameters& place :
       parameters_by_layer(checked.scenario.workload.model, checked.layout, 0)) {
    placed += place.total();
  }
  EXPECT_EQ(placed, 11'689'512.0);
}

TEST(Vision, TheThirdStageOfResNet101IsSeventeenBlocksLonger) {
  VisionModel model = resnet_50();
  model.blocks[6].repeats += 17;
  EXPECT_EQ(num_parameters(model), 44'549'160);
  EXPECT_EQ(multiply_adds_per_image(model), 7'801'405'440);
}

/// VGG has biases, no norms, and vectors of 7 x 7 pixels.
TEST(Vision, Vgg11) {
  VisionModel model{.name = "vgg-11", .description = {}, .source = {}, .image_size = 224};
  int inputs = 3;
  const std::vector<std::pair<int, int>> outputs_and_sizes{
      {64, 224}, {128, 112}, {256, 56}, {256, 56}, {512, 28}, {512, 28}, {512, 14}, {512, 14}};
  for (const auto& [outputs, size] : outputs_and_sizes) {
    model.blocks.push_back({.layers = {{.inputs = inputs,
                                        .outputs = outputs,
                                        .kernel = 3,
                                        .output_size = size,
                                        .bias = true,
                                        .activated = true}}});
    inputs = outputs;
  }
  const std::vector<std::pair<int, int>> widths{{512 * 7 * 7, 4096}, {4096, 4096}, {4096, 1000}};
  for (const auto& [from, to] : widths) {
    model.blocks.push_back(
        {.layers = {{.op = VisionOp::kDense, .inputs = from, .outputs = to, .bias = true}}});
  }
  EXPECT_EQ(num_parameters(model), 132'863'336);
  EXPECT_EQ(multiply_adds_per_image(model), 7'609'090'048);
}

TEST(Vision, GroupsShareOutTheChannels) {
  const VisionLayer whole{.inputs = 64, .outputs = 128, .kernel = 3, .output_size = 10};
  VisionLayer grouped = whole;
  grouped.groups = 32;
  EXPECT_EQ(num_parameters(whole), 9 * 64 * 128);
  EXPECT_EQ(32 * num_parameters(grouped), num_parameters(whole));
  grouped.groups = 3;
  const auto problems = find_problems({.name = {},
                                       .description = {},
                                       .source = {},
                                       .image_size = 10,
                                       .image_channels = 64,
                                       .blocks = {{.layers = {grouped}}}});
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].key, "blocks.0.layers.0.groups");
}

TEST(Vision, ImagesAreAsLargeAsTheFirstLayerReads) {
  // ResNet's first layer makes 112 pixels of 224, and of 223 with padding; not of 448.
  const VisionLayer stem{.inputs = 3, .outputs = 64, .kernel = 7, .stride = 2, .output_size = 112};
  const auto problems_of = [&](int image_size) {
    return find_problems({.name = {},
                          .description = {},
                          .source = {},
                          .image_size = image_size,
                          .image_channels = 3,
                          .blocks = {{.layers = {stem}}}});
  };
  EXPECT_TRUE(problems_of(224).empty());
  EXPECT_TRUE(problems_of(223).empty());
  ASSERT_EQ(problems_of(448).size(), 1U);
  EXPECT_EQ(problems_of(448)[0].key, "image_size");
}

TEST(Vision, WorkOfAStepIsSixOperationsAMultiplyAdd) {
  const Training training = test::scenario(kResNet).scenario.workload;
  EXPECT_DOUBLE_EQ(training_work_per_step(training).base(), 6.0 * 4'089'184'256.0 * 256);
  EXPECT_DOUBLE_EQ(data_per_step(training).base(), 114'660.0 * 256);
  EXPECT_EQ(num_trained_parameters(training), 25'557'032);
  EXPECT_EQ(tokens_per_step(training), 0);
}

}  // namespace
}  // namespace railwright::models
