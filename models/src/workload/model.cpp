// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/model.hpp"

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

core::Work training_work_per_step(const Training& training) {
  if (const VisionModel* vision = vision_of(training)) {
    // Forward, gradients of inputs, gradients of weights.
    constexpr double kPasses = 3.0;
    return core::Work::from_base(2.0 * kPasses *
                                 static_cast<double>(multiply_adds_per_image(*vision)) *
                                 training.global_batch);
  }
  return training_work_per_token(transformer_of(training), training.sequence_length) *
         static_cast<double>(tokens_per_step(training));
}

core::DataSize data_per_step(const Training& training) {
  const double bytes =
      vision_of(training) != nullptr
          ? static_cast<double>(training.global_batch) * training.bytes_per_image
          : static_cast<double>(tokens_per_step(training)) * training.bytes_per_token;
  return core::DataSize::from_base(bytes);
}

}  // namespace railwright::models
