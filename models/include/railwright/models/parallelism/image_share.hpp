// SPDX-License-Identifier: Apache-2.0
// The images that one rank of a training job encodes.
#pragma once

#include "railwright/models/parallelism/parallelism.hpp"

namespace railwright::models {

/// The encoder's layers as a job of one rank, whose sequences are images. Every rank of the first
/// stage has the whole encoder; those that share a sequence share its images.
struct ImageShare {
  Training encoder;
  Layout layout;
  double num_images = 0.0;  ///< of a micro-batch on one rank
  bool is_trained = true;

  /// Images for each that `encoder` has in a micro-batch.
  [[nodiscard]] double repeats() const { return num_images / encoder.micro_batch; }
};

/// Returns the share of a rank. The job must have images.
ImageShare image_share(const Training& training, const Layout& layout);

}  // namespace railwright::models
