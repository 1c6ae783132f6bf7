// SPDX-License-Identifier: Apache-2.0
// The keys of image_encoder.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/image_encoder.hpp"

namespace railwright::models {

constexpr auto ImageEncoder::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("num_layers", &ImageEncoder::num_layers, "Its layers.", between(1, 10'000)),
      field("hidden_size", &ImageEncoder::hidden_size, "Width of a patch's vector.",
            between(1, 100'000)),
      field("num_heads", &ImageEncoder::num_heads, "Its attention heads.", between(1, 100'000)),
      field("ffn_size", &ImageEncoder::ffn_size, "Width of its feed-forward blocks.",
            between(1, 4'000'000)),
      field("patch_size", &ImageEncoder::patch_size, "Pixels along a side of a patch.",
            between(1, 10'000)),
      field("merge", &ImageEncoder::merge,
            "Patches along a side of the square that becomes one token.", between(1, 16), optional),
      field("frames", &ImageEncoder::frames,
            "Frames of a video that a patch spans; an image is repeated to as many.",
            between(1, 100), optional),
      field("positions", &ImageEncoder::positions, "Learned positions of patches; 0: none.",
            between(0, 10'000'000), optional),
      field("mergers", &ImageEncoder::mergers,
            "Networks that merge patches: one behind the last layer, and those that feed layers of "
            "the language model.",
            between(1, 100), optional));
}

constexpr auto Images::fields() {
  using core::between;
  using core::field;
  return core::field_list(
      field("count", &Images::count, "Images of a sequence or a prompt, in the mean.",
            between(0, 1e6), core::optional),
      field("width", &Images::width, "Pixels from left to right.", between(1, 30'000)),
      field("height", &Images::height, "Pixels from top to bottom.", between(1, 30'000)));
}

}  // namespace railwright::models
