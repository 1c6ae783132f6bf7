// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/training.hpp"

#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

namespace {

/// Counts the parameters of the adapters that a token passes.
double active_adapter_parameters(const Lora& lora, const Transformer& model) {
  const auto counts = layers_by_kind(model);
  double parameters = 0.0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    for (const Matrix& matrix : layer_matrices(model, static_cast<LayerKind>(kind))) {
      for (const Matrix& part : adapter_of(lora, matrix)) {
        parameters += counts[kind] * static_cast<double>(part.active_parameters());
      }
    }
  }
  return parameters;
}

/// Computes the work per token. A frozen matrix has no gradient: 4 operations for each of its
/// parameters where others have 6, as NVIDIA counts LoRA (NeMo performance summary). [@hu2021lora]
core::Work work_per_token(const Training& training) {
  const Transformer& model = transformer_of(training);
  const core::Work whole = training_work_per_token(model, training.sequence_length);
  if (!is_frozen(training)) return whole;
  const ForwardWork forward = forward_work_per_token(model, training.sequence_length);
  const double adapters = training.lora ? active_adapter_parameters(*training.lora, model) : 0.0;
  return whole - forward.layers - forward.head + core::Work::from_base(6.0 * adapters);
}

}  // namespace

core::Work training_work_per_step(const Training& training) {
  if (const VisionModel* vision = vision_of(training)) {
    // Forward, gradients of inputs, gradients of weights.
    constexpr double kPasses = 3.0;
    return core::Work::from_base(2.0 * kPasses *
                                 static_cast<double>(multiply_adds_per_image(*vision)) *
                                 training.global_batch);
  }
  return work_per_token(training) * static_cast<double>(tokens_per_step(training));
}

core::DataSize data_per_step(const Training& training) {
  const double bytes =
      vision_of(training) != nullptr
          ? static_cast<double>(training.global_batch) * training.bytes_per_image
          : static_cast<double>(tokens_per_step(training)) * training.bytes_per_token;
  return core::DataSize::from_base(bytes);
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
