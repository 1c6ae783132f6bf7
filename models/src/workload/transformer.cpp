// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

int total_layers(const Transformer& model) { return model.encoder_layers + model.num_layers; }

std::int64_t embedding_parameters(const Transformer& model) {
  return static_cast<std::int64_t>(model.vocabulary_size) * model.hidden_size;
}

}  // namespace railwright::models
