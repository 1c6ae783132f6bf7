// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/image_layers.hpp"

namespace railwright::models {

Transformer layers_of(const ImageEncoder& encoder) {
  Transformer model;
  model.name = "image encoder";
  model.num_layers = encoder.num_layers;
  model.hidden_size = encoder.hidden_size;
  model.num_heads = encoder.num_heads;
  model.num_kv_heads = encoder.num_heads;
  model.ffn_size = encoder.ffn_size;
  model.gated_ffn = false;
  model.causal = false;
  model.biases = true;
  return model;
}

std::vector<ImageProduct> image_products(const ImageEncoder& encoder, int hidden_size,
                                         std::int64_t num_patches) {
  constexpr std::int64_t kChannels = 3;  // of a pixel
  const std::int64_t pixels = std::int64_t{encoder.patch_size} * encoder.patch_size;
  const std::int64_t of_square = std::int64_t{encoder.merge} * encoder.merge;
  const std::int64_t merged = of_square * encoder.hidden_size;
  const auto patches = static_cast<double>(num_patches);
  const double tokens = patches / static_cast<double>(of_square);
  const double mergers = encoder.mergers;
  return {{.matrix = {.inner = kChannels * encoder.frames * pixels, .columns = encoder.hidden_size},
           .rows = patches},
          {.matrix = {.inner = merged, .columns = merged}, .rows = tokens, .count = mergers},
          {.matrix = {.inner = merged, .columns = hidden_size}, .rows = tokens, .count = mergers}};
}

core::Work image_work(const Transformer& model, const Images& images) {
  const ImageEncoder& encoder = *model.image_encoder;
  const std::int64_t patches = num_patches(encoder, images);
  const core::Work of_patch =
      layer_work_per_token(layers_of(encoder), LayerKind::kDense, static_cast<int>(patches));
  core::Work work = of_patch * static_cast<double>(encoder.num_layers * patches);
  for (const ImageProduct& product : image_products(encoder, model.hidden_size, patches)) {
    const auto parameters = static_cast<double>(product.matrix.parameters());
    work += core::Work::from_base(2.0 * parameters * product.rows * product.count);
  }
  return work;
}

}  // namespace railwright::models
