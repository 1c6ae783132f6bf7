// SPDX-License-Identifier: Apache-2.0
// The keys of vision.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/vision.hpp"

namespace railwright::models {

constexpr auto VisionLayer::fields() {
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
      field("activated", &VisionLayer::activated, "Whether an activation function (ReLU) follows.",
            optional),
      field("adds_shortcut", &VisionLayer::adds_shortcut,
            "Whether the block's shortcut is added before the activation.", optional));
}

constexpr auto VisionBlock::fields() {
  using core::field;
  return core::field_list(
      field("repeats", &VisionBlock::repeats, "How often the block stands one behind the other.",
            core::between(1, 10'000), core::optional),
      field("layers", &VisionBlock::layers, "Its layers in the order of a forward pass."));
}

constexpr auto VisionModel::fields() {
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

}  // namespace railwright::models
