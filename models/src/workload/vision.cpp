// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/vision.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

namespace railwright::models {

namespace {

template <typename OfLayer>
std::int64_t sum_over_layers(const VisionBlock& block, OfLayer of_layer) {
  std::int64_t sum = 0;
  for (const VisionLayer& layer : block.layers) sum += of_layer(layer);
  return sum;
}

template <typename OfLayer>
std::int64_t sum_over_layers(const VisionModel& model, OfLayer of_layer) {
  std::int64_t sum = 0;
  for (const VisionBlock& block : model.blocks) {
    sum += block.repeats * sum_over_layers(block, of_layer);
  }
  return sum;
}

constexpr std::int64_t square(std::int64_t value) { return value * value; }

std::int64_t vision_layer_parameters(const VisionLayer& layer) { return num_parameters(layer); }

}  // namespace

double input_elements(const VisionLayer& layer) {
  return static_cast<double>(layer.inputs * square(input_size(layer)));
}

double output_elements(const VisionLayer& layer) {
  return static_cast<double>(layer.outputs * square(layer.output_size));
}

std::int64_t weight_parameters(const VisionLayer& layer) {
  if (layer.op == VisionOp::kPool) return 0;
  return square(layer.kernel) * layer.inputs * layer.outputs / layer.groups;
}

std::int64_t num_parameters(const VisionLayer& layer) {
  const std::int64_t vectors = (layer.bias ? 1 : 0) + (layer.normalized ? 2 : 0);
  return weight_parameters(layer) + vectors * layer.outputs;
}

std::int64_t num_parameters(const VisionBlock& block) {
  return sum_over_layers(block, vision_layer_parameters);
}

std::int64_t num_parameters(const VisionModel& model) {
  return sum_over_layers(model, vision_layer_parameters);
}

std::int64_t multiply_adds_per_image(const VisionModel& model) {
  return sum_over_layers(model, [](const VisionLayer& layer) {
    return weight_parameters(layer) * square(layer.output_size);
  });
}

double kept_elements(const VisionBlock& block, bool only_input) {
  if (only_input) return input_elements(block.layers.front());
  double elements = 0.0;
  for (const VisionLayer& layer : block.layers) {
    elements += output_elements(layer) * (layer.normalized ? 2.0 : 1.0);
  }
  return elements;
}

int num_blocks(const VisionModel& model) {
  int count = 0;
  for (const VisionBlock& block : model.blocks) count += block.repeats;
  return count;
}

const VisionBlock& block_at(const VisionModel& model, int place) {
  for (const VisionBlock& block : model.blocks) {
    if (place < block.repeats) return block;
    place -= block.repeats;
  }
  throw std::out_of_range("no such block");
}

std::vector<core::Problem> find_problems(const VisionModel& model) {
  std::vector<core::Problem> problems;
  if (model.blocks.empty()) problems.push_back({"blocks", "a model has at least one block"});
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    const VisionBlock& block = model.blocks[b];
    if (block.layers.empty()) {
      problems.push_back({fmt::format("blocks.{}.layers", b), "a block has at least one layer"});
    }
    for (std::size_t i = 0; i < block.layers.size(); ++i) {
      const VisionLayer& layer = block.layers[i];
      const auto require = [&](bool holds, std::string_view key, std::string message) {
        if (!holds) {
          problems.push_back(
              {fmt::format("blocks.{}.layers.{}.{}", b, i, key), std::move(message)});
        }
      };
      require(layer.inputs % layer.groups == 0 && layer.outputs % layer.groups == 0, "groups",
              fmt::format("{} groups do not divide {} inputs and {} outputs", layer.groups,
                          layer.inputs, layer.outputs));
      require(layer.op != VisionOp::kPool || layer.inputs == layer.outputs, "outputs",
              fmt::format("a pool has as many outputs as inputs, got {} and {}", layer.outputs,
                          layer.inputs));
      require(layer.op != VisionOp::kDense ||
                  (layer.kernel == 1 && layer.output_size == 1 && layer.stride == 1),
              "op", "a dense layer has no kernel, stride or output_size");
    }
  }
  if (!problems.empty()) return problems;
  const VisionLayer& first = model.blocks.front().layers.front();
  if (first.inputs != model.image_channels) {
    problems.push_back({"blocks.0.layers.0.inputs",
                        fmt::format("the first layer reads the {} channels of an image, got {}",
                                    model.image_channels, first.inputs)});
  }
  // Padding decides whether the last columns of an image are read.
  if (std::abs(model.image_size - input_size(first)) >= first.kernel + first.stride) {
    problems.push_back(
        {"image_size", fmt::format("the first layer reads images of {} pixels, got {}",
                                   input_size(first), model.image_size)});
  }
  return problems;
}

}  // namespace railwright::models
