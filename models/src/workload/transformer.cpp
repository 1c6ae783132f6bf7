// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/transformer.hpp"

#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {

namespace {

std::int64_t num_experts_passed_by(const Transformer& model) {
  return static_cast<std::int64_t>(model.experts->count) - model.experts->top_k;
}

std::int64_t expert_parameters(const Transformer& model) {
  const std::int64_t num_matrices = model.gated_ffn ? 3 : 2;
  return num_matrices * model.hidden_size * model.experts->ffn_size;
}

}  // namespace

int total_layers(const Transformer& model) { return model.encoder_layers + model.num_layers; }

std::int64_t embedding_parameters(const Transformer& model) {
  return static_cast<std::int64_t>(model.vocabulary_size) * model.hidden_size;
}

std::int64_t num_parameters(const Transformer& model) {
  const std::int64_t num_embeddings = model.tied_embeddings ? 1 : 2;
  std::int64_t parameters = num_embeddings * embedding_parameters(model) +
                            embedding_vector_parameters(model) + final_norm_parameters(model);
  for (int layer = 0; layer < total_layers(model); ++layer) {
    parameters += layer_parameters(model, layer_kind(model, layer));
  }
  return parameters;
}

std::int64_t num_active_parameters(const Transformer& model) {
  if (!model.experts) return num_parameters(model);
  const std::int64_t num_expert_layers = model.num_layers - model.experts->dense_layers;
  return num_parameters(model) -
         num_expert_layers * num_experts_passed_by(model) * expert_parameters(model);
}

core::Work training_work_per_token(const Transformer& model, int sequence_length) {
  const HeadSize head = head_size(model);
  const double scores = 6.0 * model.num_heads * static_cast<double>(head.query + head.value);
  double matrices = static_cast<double>(embedding_parameters(model));
  double attention = 0.0;
  for (int layer = 0; layer < total_layers(model); ++layer) {
    const LayerKind kind = layer_kind(model, layer);
    for (const Matrix& matrix : layer_matrices(model, kind)) {
      matrices += static_cast<double>(matrix.active_parameters());
    }
    attention += scores * sequence_length * (kind == LayerKind::kDecoder ? 2.0 : 1.0);
  }
  return core::Work::from_base(6.0 * matrices + attention);
}

int encoder_sequence_length(const Training& training) {
  return training.encoder_sequence_length.value_or(training.sequence_length);
}

std::int64_t residual_bytes(const Training& training) {
  constexpr std::int64_t kBf16Bytes = 2;
  return kBf16Bytes * training.micro_batch * training.sequence_length * training.model.hidden_size;
}

std::int64_t tokens_per_step(const Training& training) {
  return static_cast<std::int64_t>(training.global_batch) * training.sequence_length;
}

}  // namespace railwright::models
