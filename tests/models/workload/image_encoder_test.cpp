// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "../../support/scenario.hpp"
#include "../memory_line.hpp"
#include "railwright/core/error.hpp"
#include "railwright/models/compute/compute.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/memory/memory.hpp"
#include "railwright/models/parallelism/image_share.hpp"
#include "railwright/models/workload/image_layers.hpp"

namespace railwright::models {
namespace {

using test::line;

const ImageEncoder kQwen{.num_layers = 27,
                         .hidden_size = 1152,
                         .num_heads = 16,
                         .ffn_size = 4304,
                         .patch_size = 16,
                         .merge = 2,
                         .frames = 2,
                         .positions = 2304,
                         .mergers = 4};
const std::string kInYaml =
    "{num_layers: 27, hidden_size: 1152, num_heads: 16, ffn_size: 4304, patch_size: 16, merge: 2, "
    "frames: 2, positions: 2304, mergers: 4}";

test::Settings with_images(const std::string& images, const test::Settings& more = {}) {
  return test::join({"workload.model={model: llama-2-7b, image_encoder: " + kInYaml + "}",
                     "workload.images=" + images},
                    more);
}

TEST(ImageEncoder, CutsAnImageIntoWholeSquares) {
  const Images square{.count = 2, .width = 1024, .height = 1024};
  EXPECT_EQ(num_patches(kQwen, square), 64 * 64);
  EXPECT_EQ(num_image_tokens(kQwen, square), 2 * 32 * 32);
  const Images odd{.count = 1, .width = 1000, .height = 33};
  EXPECT_EQ(num_patches(kQwen, odd), 4 * 32 * 2);
}

/// Layers of four square matrices and two of the feed-forward block, all with biases, and two
/// norms.
TEST(ImageEncoder, HasTheParametersOfQwen3Vl) {
  const std::int64_t layer =
      (4LL * 1152 * 1152 + 4LL * 1152) + (2LL * 1152 * 4304 + 4304 + 1152) + 4LL * 1152;
  const std::int64_t patches = 3LL * 2 * 16 * 16 * 1152 + 1152 + 2304LL * 1152;
  const std::int64_t merger = 2LL * 1152 + (4608LL * 4608 + 4608) + (4608LL * 4096 + 4096);
  Transformer model;
  model.hidden_size = 4096;
  EXPECT_EQ(image_encoder_parameters(model), 0);
  model.image_encoder = kQwen;
  EXPECT_EQ(image_encoder_parameters(model), 27 * layer + patches + 4 * merger);
}

TEST(ImageEncoder, TakesTimeOnTheFirstStage) {
  const auto embedding = [](const test::Settings& settings) {
    const auto checked = test::scenario(settings);
    const simulation::Scenario& s = checked.scenario;
    return ComputeModel(s.cluster.node.accelerator, s.workload, checked.layout, s.software, 1.0)
        .embedding();
  };
  const std::string two = "{count: 2, width: 1024, height: 1024}";
  const PassCost none = embedding(with_images("{count: 0, width: 1024, height: 1024}"));
  const PassCost images = embedding(with_images(two));
  const PassCost frozen = embedding(with_images(two, {"workload.frozen_image_encoder=true"}));
  Transformer model;
  model.hidden_size = 4096;
  model.image_encoder = kQwen;
  // Two images on two ranks that share a sequence: one each.
  const double at_peak =
      image_work(model, {.count = 1, .width = 1024, .height = 1024}).base() / 989.4e12;
  const double forward = (images.forward.total() - none.forward.total()).base();
  EXPECT_GT(forward, at_peak);
  EXPECT_LT(forward, 5.0 * at_peak);
  EXPECT_EQ(frozen.forward.total(), images.forward.total());
  EXPECT_GT(images.backward.total(), 1.5 * images.forward.total());
  EXPECT_LT(frozen.backward.total(), none.backward.total() * 1.001);
}

TEST(ImageEncoder, CountsItsOperationsAndItsActivations) {
  const std::string two = "{count: 2, width: 1024, height: 1024}";
  const auto job = [&](const test::Settings& more) {
    return test::scenario(with_images(two, more));
  };
  const test::Settings still{"workload.frozen_image_encoder=true"};
  const Training trained = job({}).scenario.workload;
  const Training frozen = job(still).scenario.workload;
  const core::Work of_image = image_work(transformer_of(trained), *trained.images);
  EXPECT_DOUBLE_EQ((training_work_per_step(trained) - training_work_per_step(frozen)) / of_image,
                   2.0 * 2 * 144);
  const auto use = [](const simulation::CheckedScenario& checked) {
    return memory_of_stage(checked.scenario.workload, checked.layout, checked.scenario.software, 0);
  };
  EXPECT_GT(line(use(job({})), "activations"), line(use(job(still)), "activations"));
  const double encoder = static_cast<double>(image_encoder_parameters(transformer_of(trained)));
  EXPECT_DOUBLE_EQ(line(use(job({})), "gradients") - line(use(job(still)), "gradients"),
                   4 * encoder);
}

TEST(ImageEncoder, AServedPromptWaitsForItsImages) {
  const auto checked = test::scenario({"workload.model=qwen3-8b"});
  const core::Accelerator& device = checked.scenario.cluster.node.accelerator;
  Inference inference;
  inference.model = transformer_of(checked.scenario.workload);
  inference.prompt_tokens = 4096;
  EXPECT_EQ(image_time(device, inference, {}).total(), core::Duration{});
  const core::Duration text =
      prompt_attention_time(device, inference, {}, prefill_pass(4096)).total();
  inference.model.image_encoder = kQwen;
  inference.images = Images{.count = 2, .width = 1024, .height = 1024};
  const core::Duration images = image_time(device, inference, {}).total();
  const double at_peak = 2 * image_work(inference.model, *inference.images).base() / 989.4e12;
  EXPECT_GT(images.base(), at_peak);
  EXPECT_LT(images.base(), 5.0 * at_peak);
  EXPECT_NEAR(prompt_attention_time(device, inference, {}, prefill_pass(4096)).total().base(),
              (text + images).base(), 1e-9);
}

TEST(ImageEncoder, ImagesNeedAnEncoderAndRoom) {
  EXPECT_THROW(test::scenario({"workload.images={width: 512, height: 512}"}), core::ConfigError);
  EXPECT_THROW(test::scenario({"workload.frozen_image_encoder=true"}), core::ConfigError);
  EXPECT_THROW(test::scenario(with_images("{count: 5, width: 1024, height: 1024}")),
               core::ConfigError);
}

}  // namespace
}  // namespace railwright::models
