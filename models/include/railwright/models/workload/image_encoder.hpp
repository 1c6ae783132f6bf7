// SPDX-License-Identifier: Apache-2.0
// The encoder of images in front of a language model.
#pragma once

#include <cstdint>

#include "railwright/core/config/fields.hpp"

namespace railwright::models {

/// A vision transformer: the patches of an image attend to one another, then squares of `merge` x
/// `merge` of them become one token of the language model. [@dosovitskiy2020image]
struct ImageEncoder {
  int num_layers = 0;
  int hidden_size = 0;
  int num_heads = 0;
  int ffn_size = 0;
  int patch_size = 0;
  int merge = 1;
  int frames = 1;
  int positions = 0;
  int mergers = 1;

  static constexpr auto fields();
};

/// Images of a prompt or of a sequence, all of one size.
struct Images {
  double count = 1.0;
  int width = 0;
  int height = 0;

  static constexpr auto fields();
};

/// Returns the patches of one image, in whole squares that are merged.
std::int64_t num_patches(const ImageEncoder& encoder, const Images& images);
/// Returns the tokens that all images give.
double num_image_tokens(const ImageEncoder& encoder, const Images& images);

}  // namespace railwright::models
