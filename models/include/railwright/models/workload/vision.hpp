// SPDX-License-Identifier: Apache-2.0
// An image classifier as a table of its layers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/error.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// The operation of a vision model's layer.
enum class VisionOp : std::uint8_t {
  kConvolution,
  kDense,  ///< one vector in, one out
  kPool,   ///< the largest or the mean of each window
};

constexpr auto enum_words(VisionOp) {
  using enum VisionOp;
  return core::words<VisionOp>({{"convolution", kConvolution}, {"dense", kDense}, {"pool", kPool}});
}

/// One row of the table. Images are square; the input is `stride` times as wide as the output.
struct VisionLayer {
  VisionOp op = VisionOp::kConvolution;
  int inputs = 0;
  int outputs = 0;
  int kernel = 1;
  int stride = 1;
  int output_size = 1;
  int groups = 1;
  bool bias = false;
  bool normalized = false;
  bool activated = false;
  bool adds_shortcut = false;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    using core::optional;
    return core::field_list(
        field("op", &VisionLayer::op, "What the layer does."),
        field("inputs", &VisionLayer::inputs, "Channels of its input.", between(1, 1'000'000)),
        field("outputs", &VisionLayer::outputs, "Channels of its output.", between(1, 1'000'000)),
        field("kernel", &VisionLayer::kernel, "Width of the window in pixels.", between(1, 10'000),
              optional),
        field("stride", &VisionLayer::stride, "Pixels from one window to the next.",
              between(1, 10'000), optional),
        field("output_size", &VisionLayer::output_size, "Width of the output in pixels.",
              between(1, 100'000), optional),
        field("groups", &VisionLayer::groups,
              "Groups of channels that do not see one another; as many as inputs is depthwise.",
              between(1, 1'000'000), optional),
        field("bias", &VisionLayer::bias, "Whether each output channel has a bias.", optional),
        field("normalized", &VisionLayer::normalized,
              "Whether a batch norm follows, with a scale and a shift for each output channel.",
              optional),
        field("activated", &VisionLayer::activated,
              "Whether an activation function (ReLU) follows.", optional),
        field("adds_shortcut", &VisionLayer::adds_shortcut,
              "Whether the block's shortcut is added before the activation.", optional));
  }
};

/// A sequence of layers that repeats.
struct VisionBlock {
  int repeats = 1;
  std::vector<VisionLayer> layers;

  static constexpr auto fields() {
    using core::field;
    return core::field_list(
        field("repeats", &VisionBlock::repeats, "How often the block stands one behind the other.",
              core::between(1, 10'000), core::optional),
        field("layers", &VisionBlock::layers, "Its layers in the order of a forward pass."));
  }
};

struct VisionModel {
  static constexpr std::string_view kKind = "workloads";
  static constexpr std::string_view kMark = "blocks";

  std::string name;
  std::string description;
  std::string source;
  int image_size = 0;
  int image_channels = 3;
  std::vector<VisionBlock> blocks;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    return core::field_list(field("name", &VisionModel::name, "Name in the catalogue."),
                            field("description", &VisionModel::description, "The model in words."),
                            field("source", &VisionModel::source, "Where the shape is published."),
                            field("image_size", &VisionModel::image_size,
                                  "Width of an image in pixels.", between(1, 100'000)),
                            field("image_channels", &VisionModel::image_channels,
                                  "Colours of a pixel.", between(1, 10'000), core::optional),
                            field("blocks", &VisionModel::blocks, "The layers, block by block."));
  }
};

/// Width of the input in pixels.
constexpr int input_size(const VisionLayer& layer) { return layer.output_size * layer.stride; }
/// Elements of one image.
double input_elements(const VisionLayer& layer);
double output_elements(const VisionLayer& layer);

/// Counts the weights of a convolution or dense layer, kernel^2 inputs outputs / groups; a pool has
/// none.
std::int64_t weight_parameters(const VisionLayer& layer);
/// Counts weights, bias, and scale and shift of the batch norm.
std::int64_t num_parameters(const VisionLayer& layer);
std::int64_t num_parameters(const VisionBlock& block);  ///< without repeats
std::int64_t num_parameters(const VisionModel& model);

/// Counts the multiply-adds of an image's forward pass: sum of weight_parameters * output_size^2.
std::int64_t multiply_adds_per_image(const VisionModel& model);

/// Counts the elements of an image that a block keeps for its backward pass: the input of each norm
/// and the output of each activation or pool, or only the block's input if all is recomputed.
double kept_elements(const VisionBlock& block, bool only_input);

/// Counts the blocks, including repeats.
int num_blocks(const VisionModel& model);
/// Returns the block in this place, counting repeats.
const VisionBlock& block_at(const VisionModel& model, int place);

/// Finds what contradicts itself in the table.
std::vector<core::Problem> find_problems(const VisionModel& model);

}  // namespace railwright::models
