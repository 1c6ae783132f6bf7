// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/transformer.hpp"

#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {

namespace {

/// Sums `of_layer(kind)` over all layers.
template <typename OfLayer>
auto sum_over_layers(const Transformer& model, OfLayer of_layer) {
  const auto counts = layers_by_kind(model);
  decltype(of_layer(LayerKind::kDense)) sum{};
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] > 0) sum += counts[kind] * of_layer(static_cast<LayerKind>(kind));
  }
  return sum;
}

}  // namespace

int total_layers(const Transformer& model) { return model.encoder_layers + model.num_layers; }

std::int64_t embedding_parameters(const Transformer& model) {
  return static_cast<std::int64_t>(model.vocabulary_size) * model.hidden_size;
}

std::int64_t num_parameters(const Transformer& model) {
  const std::int64_t num_embeddings = model.tied_embeddings ? 1 : 2;
  return num_embeddings * embedding_parameters(model) + embedding_vector_parameters(model) +
         final_norm_parameters(model) +
         sum_over_layers(model, [&](LayerKind kind) { return layer_parameters(model, kind); });
}

std::int64_t num_active_parameters(const Transformer& model) {
  return num_parameters(model) - sum_over_layers(model, [&](LayerKind kind) {
           std::int64_t passed_by = 0;
           for (const Matrix& matrix : layer_matrices(model, kind)) {
             passed_by += matrix.parameters() - matrix.active_parameters();
           }
           return passed_by;
         });
}

ForwardWork forward_work_per_token(const Transformer& model, int sequence_length) {
  const HeadSize head = head_size(model);
  const double scores = 2.0 * model.num_heads * static_cast<double>(head.query + head.value);
  const auto sum_of = [&](auto counts) {
    return sum_over_layers(model, [&](LayerKind kind) {
      double active = 0.0;
      for (const Matrix& matrix : layer_matrices(model, kind)) {
        if (counts(matrix)) active += static_cast<double>(matrix.active_parameters());
      }
      return active;
    });
  };
  const double matrices = sum_of([](const Matrix&) { return true; });
  const double into_feed_forward = sum_of([](const Matrix& matrix) {
    return matrix.block == MatrixBlock::kFeedForward && !matrix.ends_block;
  });
  const double attentions = sum_over_layers(
      model, [](LayerKind kind) { return kind == LayerKind::kDecoder ? 2.0 : 1.0; });
  return {.layers = core::Work::from_base(2.0 * matrices),
          .into_feed_forward = core::Work::from_base(2.0 * into_feed_forward),
          .head = core::Work::from_base(2.0 * static_cast<double>(embedding_parameters(model))),
          .attention = core::Work::from_base(attentions * scores * sequence_length)};
}

core::Work training_work_per_token(const Transformer& model, int sequence_length) {
  const ForwardWork forward = forward_work_per_token(model, sequence_length);
  return (forward.layers + forward.head + forward.attention) * 3.0;
}

int sequence_length(const Training& training, LayerKind kind) {
  return kind == LayerKind::kEncoder ? encoder_sequence_length(training) : num_positions(training);
}

bool is_frozen(const Training& training) { return training.lora || training.p_tuning; }

int num_positions(const Training& training) {
  const bool is_prompted = training.p_tuning && transformer_of(training).encoder_layers == 0;
  return training.sequence_length + (is_prompted ? training.p_tuning->virtual_tokens : 0);
}

int encoder_sequence_length(const Training& training) {
  const bool is_prompted = training.p_tuning && transformer_of(training).encoder_layers > 0;
  return training.encoder_sequence_length.value_or(training.sequence_length) +
         (is_prompted ? training.p_tuning->virtual_tokens : 0);
}

std::int64_t num_trained_parameters(const Training& training) {
  if (training.p_tuning)
    return prompt_parameters(*training.p_tuning, transformer_of(training).hidden_size);
  if (!training.lora) return num_parameters(training.model);
  return sum_over_layers(transformer_of(training), [&](LayerKind kind) {
    const auto adapters = adapter_parameters(*training.lora, transformer_of(training), kind);
    return adapters.dense + adapters.expert;
  });
}

std::int64_t residual_bytes(const Training& training) {
  constexpr std::int64_t kBf16Bytes = 2;
  return kBf16Bytes * training.micro_batch * num_positions(training) *
         transformer_of(training).hidden_size;
}

std::int64_t tokens_per_step(const Training& training) {
  return static_cast<std::int64_t>(training.global_batch) * training.sequence_length;
}

}  // namespace railwright::models
