// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/image_parameters.hpp"

namespace railwright::models {

std::int64_t image_encoder_parameters(const ImageEncoder& encoder, int hidden_size) {
  constexpr std::int64_t kChannels = 3;  // of a pixel
  const std::int64_t h = encoder.hidden_size;
  const std::int64_t f = encoder.ffn_size;
  const std::int64_t norm = 2 * h;
  const std::int64_t numbers = kChannels * encoder.frames * encoder.patch_size * encoder.patch_size;
  const std::int64_t patches = (numbers + 1) * h + encoder.positions * h;
  const std::int64_t layer = 4 * (h * h + h) + (2 * h * f + f + h) + 2 * norm;
  const std::int64_t merged = h * encoder.merge * encoder.merge;
  const std::int64_t merger =
      norm + merged * (merged + 1) + (merged + 1) * std::int64_t{hidden_size};
  return patches + encoder.num_layers * layer + encoder.mergers * merger;
}

}  // namespace railwright::models
