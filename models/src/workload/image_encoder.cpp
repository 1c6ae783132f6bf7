// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/image_encoder.hpp"

#include "railwright/core/arithmetic.hpp"

namespace railwright::models {

std::int64_t num_patches(const ImageEncoder& encoder, const Images& images) {
  const std::int64_t side = std::int64_t{encoder.patch_size} * encoder.merge;
  const std::int64_t squares = core::ceil_div(std::int64_t{images.width}, side) *
                               core::ceil_div(std::int64_t{images.height}, side);
  return squares * encoder.merge * encoder.merge;
}

double num_image_tokens(const ImageEncoder& encoder, const Images& images) {
  return images.count * static_cast<double>(num_patches(encoder, images)) /
         (encoder.merge * encoder.merge);
}

}  // namespace railwright::models
