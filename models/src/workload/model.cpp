// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/model.hpp"

#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/training.hpp"

namespace railwright::models {

const std::string& name_of(const Model& model) {
  return std::visit([](const auto& shape) -> const std::string& { return shape.name; }, model);
}

std::int64_t num_parameters(const Model& model) {
  return std::visit([](const auto& shape) { return num_parameters(shape); }, model);
}

int num_layers(const Model& model) {
  const auto* vision = std::get_if<VisionModel>(&model);
  return vision != nullptr ? num_blocks(*vision) : total_layers(std::get<Transformer>(model));
}

namespace {

/// Parameters of the adapters that a token passes.
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

/// A frozen matrix has no gradient: 4 operations for each of its parameters where others have 6, as
/// NVIDIA counts LoRA (NeMo performance summary). [@hu2021lora]
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

}  // namespace railwright::models
