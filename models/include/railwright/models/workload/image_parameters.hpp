// SPDX-License-Identifier: Apache-2.0
// The parameters of an encoder of images.
#pragma once

#include <cstdint>

#include "railwright/models/workload/image_encoder.hpp"

namespace railwright::models {

/// Counts the parameters of an encoder in front of a language model of `hidden_size`: patches with
/// a bias, positions; in a layer four square matrices and two of the feed-forward block with
/// biases, and two norms; mergers of two matrices with biases behind a norm.
std::int64_t image_encoder_parameters(const ImageEncoder& encoder, int hidden_size);

}  // namespace railwright::models
