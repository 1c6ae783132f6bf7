// SPDX-License-Identifier: Apache-2.0
// The trained model: a transformer or a vision model.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "railwright/models/workload/transformer.hpp"
#include "railwright/models/workload/vision.hpp"

namespace railwright::models {

using Model = std::variant<Transformer, VisionModel>;

const std::string& name_of(const Model& model);
std::int64_t num_parameters(const Model& model);
/// Counts the layers of a transformer or the blocks of a vision model: a place of a pipeline stage
/// holds one.
int num_layers(const Model& model);

}  // namespace railwright::models
