// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/transformer.hpp"

#include "railwright/models/workload/training.hpp"

namespace railwright::models {

namespace {

std::int64_t head_size(const Transformer& model) { return model.hidden_size / model.num_heads; }

}  // namespace

std::int64_t layer_matrix_parameters(const Transformer& model) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t qkv = hidden * (hidden + 2 * head_size(model) * model.num_kv_heads);
  const std::int64_t output = hidden * hidden;
  const std::int64_t num_ffn_matrices = model.gated_ffn ? 3 : 2;
  return qkv + output + num_ffn_matrices * hidden * model.ffn_size;
}

std::int64_t layer_parameters(const Transformer& model) {
  return layer_matrix_parameters(model) + 2 * static_cast<std::int64_t>(model.hidden_size);
}

std::int64_t embedding_parameters(const Transformer& model) {
  return static_cast<std::int64_t>(model.vocabulary_size) * model.hidden_size;
}

std::int64_t num_parameters(const Transformer& model) {
  const std::int64_t num_embeddings = model.tied_embeddings ? 1 : 2;
  return model.num_layers * layer_parameters(model) + num_embeddings * embedding_parameters(model) +
         model.hidden_size;
}

core::Work training_work_per_token(const Transformer& model, int sequence_length) {
  const double matrices = static_cast<double>(model.num_layers * layer_matrix_parameters(model) +
                                              embedding_parameters(model));
  const double attention =
      12.0 * model.num_layers * static_cast<double>(model.hidden_size) * sequence_length;
  return core::Work::from_base(6.0 * matrices + attention);
}

std::int64_t residual_bytes(const Training& training) {
  constexpr std::int64_t kBf16Bytes = 2;
  return kBf16Bytes * training.micro_batch * training.sequence_length * training.model.hidden_size;
}

std::int64_t tokens_per_step(const Training& training) {
  return static_cast<std::int64_t>(training.global_batch) * training.sequence_length;
}

}  // namespace railwright::models
