// SPDX-License-Identifier: Apache-2.0
// Counts the parameters that publishers of models with experts call active.
#pragma once

#include <cstdint>

#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

/// Counts the parameters that one token passes: all except the experts it is not sent to.
inline std::int64_t num_active_parameters(const Transformer& model) {
  std::int64_t passed_by = 0;
  for (int layer = 0; layer < total_layers(model); ++layer) {
    for (const Matrix& matrix : layer_matrices(model, layer_kind(model, layer))) {
      passed_by += matrix.parameters() - matrix.active_parameters();
    }
  }
  return num_parameters(model) - passed_by;
}

}  // namespace railwright::models
