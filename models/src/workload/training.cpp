// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/training.hpp"

#include <algorithm>
#include <cmath>

#include "railwright/models/workload/image_layers.hpp"
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

/// Computes the operations that a backward pass without the frozen layers saves: twice their
/// forward pass.
core::Work work_not_passed_back(const Training& training, int length) {
  const Transformer& model = transformer_of(training);
  core::Work work;
  for (int layer = 0; layer < training.frozen_layers; ++layer) {
    work += layer_work_per_token(model, layer_kind(model, layer), length) * 2.0;
  }
  return work;
}

/// Computes the work per token. A frozen matrix has no gradient: 4 operations for each of its
/// parameters where others have 6, as NVIDIA counts LoRA (NeMo performance summary). [@hu2021lora]
core::Work work_per_token(const Training& training) {
  const Transformer& model = transformer_of(training);
  const int length = static_cast<int>(std::lround(mean_document(training)));
  const core::Work whole = training_work_per_token(model, length);
  if (!is_frozen(training)) return whole - work_not_passed_back(training, length);
  const ForwardWork forward = forward_work_per_token(model, length);
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
  core::Work work = work_per_token(training) * static_cast<double>(tokens_per_step(training));
  if (training.images) {
    const double passes = trains_image_encoder(training) ? 3.0 : 1.0;
    work += image_work(transformer_of(training), *training.images) *
            (passes * training.images->count * training.global_batch);
  }
  return work;
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

bool has_like_layers(const Training& training) {
  return !training.p_tuning && training.frozen_layers == 0 && training.documents.empty() &&
         !training.images && !training.frozen_image_encoder;
}

bool trains_image_encoder(const Training& training) {
  return !is_frozen(training) && training.frozen_layers == 0 && !training.frozen_image_encoder;
}

std::int64_t num_frozen_parameters(const Training& training) {
  const auto* known = std::get_if<Transformer>(&training.model);
  if (known == nullptr) return 0;
  const Transformer& model = *known;
  if (training.frozen_layers == 0) {
    return training.frozen_image_encoder ? image_encoder_parameters(model) : 0;
  }
  std::int64_t parameters = embedding_parameters(model) + embedding_vector_parameters(model);
  for (int layer = 0; layer < training.frozen_layers; ++layer) {
    parameters += layer_parameters(model, layer_kind(model, layer));
  }
  return parameters;
}

namespace {

/// Returns the mean of `of(tokens)` over documents.
template <class Of>
double mean_over_documents(const Training& training, const Of& of) {
  double sum = 0.0;
  double shares = 0.0;
  for (const Documents& documents : training.documents) {
    sum += documents.share * of(static_cast<double>(documents.tokens));
    shares += documents.share;
  }
  return sum / shares;
}

}  // namespace

double mean_document(const Training& training) {
  if (training.documents.empty()) return training.sequence_length;
  const auto square = [](double tokens) { return tokens * tokens; };
  const auto same = [](double tokens) { return tokens; };
  return mean_over_documents(training, square) / mean_over_documents(training, same);
}

double attention_of_fullest_replica(const Training& training, int num_replicas,
                                    double num_sequences) {
  if (training.documents.empty() || num_replicas == 1) return 1.0;
  const double mean = mean_document(training);
  const double tokens = mean_over_documents(training, [](double t) { return t; });
  // Tokens of a replica are given, so that only what documents differ from their share varies.
  const double variance = mean_over_documents(training, [&](double t) {
    const double beyond = t * t - mean * t;
    return beyond * beyond;
  });
  const double num_documents = num_sequences * training.sequence_length / tokens;
  const double deviation = std::sqrt(variance / num_documents) / (mean * tokens);
  return 1.0 + deviation * std::sqrt(2.0 * std::log(num_replicas));
}

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
  if (!training.lora) return num_parameters(training.model) - num_frozen_parameters(training);
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
