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

  static constexpr auto fields();
};

/// A sequence of layers that repeats.
struct VisionBlock {
  int repeats = 1;
  std::vector<VisionLayer> layers;

  static constexpr auto fields();
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

  static constexpr auto fields();
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
