// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/parallelism/image_share.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/workload/image_layers.hpp"

namespace railwright::models {

ImageShare image_share(const Training& training, const Layout& layout) {
  const ImageEncoder& encoder = *transformer_of(training).image_encoder;
  ImageShare share{.encoder = {.model = layers_of(encoder)}, .layout = layout};
  share.num_images = training.images->count * training.micro_batch / (layout.tp * layout.cp);
  share.encoder.sequence_length = static_cast<int>(num_patches(encoder, *training.images));
  share.encoder.micro_batch = std::max(1, static_cast<int>(std::lround(share.num_images)));
  share.encoder.global_batch = share.encoder.micro_batch;
  share.layout.tp = share.layout.cp = share.layout.ep = share.layout.etp = 1;
  share.layout.sequence_parallel = false;
  share.is_trained = trains_image_encoder(training);
  return share;
}

}  // namespace railwright::models
