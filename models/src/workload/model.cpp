// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/model.hpp"

#include "railwright/models/workload/layers.hpp"

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

}  // namespace railwright::models
