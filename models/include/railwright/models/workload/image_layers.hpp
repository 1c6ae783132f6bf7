// SPDX-License-Identifier: Apache-2.0
// The layers and products of what encodes images.
#pragma once

#include <cstdint>
#include <vector>

#include "railwright/core/units/quantity.hpp"
#include "railwright/models/workload/image_parameters.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// Returns the encoder's layers as a model of its own, whose tokens are the patches of an image.
Transformer layers_of(const ImageEncoder& encoder);

/// Products of an encoder beside its layers, for an image.
struct ImageProduct {
  Matrix matrix;
  double rows = 0.0;   ///< of one image
  double count = 1.0;  ///< of such matrices, each with as many rows
};
/// Returns the product that makes vectors of patches, and those that merge them for a language
/// model of `hidden_size`.
std::vector<ImageProduct> image_products(const ImageEncoder& encoder, int hidden_size,
                                         std::int64_t num_patches);

/// Counts the parameters of a model's encoder; 0 without one.
inline std::int64_t image_encoder_parameters(const Transformer& model) {
  return model.image_encoder ? image_encoder_parameters(*model.image_encoder, model.hidden_size)
                             : 0;
}

/// Computes the operations of a forward pass of one image.
core::Work image_work(const Transformer& model, const Images& images);

}  // namespace railwright::models
