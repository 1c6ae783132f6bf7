// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/p_tuning.hpp"

#include <algorithm>

namespace railwright::models {

namespace {

constexpr std::int64_t kGates = 4;
constexpr std::int64_t kDirections = 2;

}  // namespace

std::vector<Matrix> prompt_matrices(const PTuning& tuning, int width) {
  const std::int64_t size = tuning.encoder_size;
  std::vector<Matrix> matrices;
  if (tuning.encoder == PromptEncoder::kLstm) {
    for (int layer = 0; layer < tuning.num_layers; ++layer) {
      const std::int64_t inner = layer == 0 ? width : kDirections * size;
      matrices.push_back({.inner = inner, .columns = kDirections * kGates * size});
      matrices.push_back(
          {.inner = size, .columns = kGates * size, .copies = kDirections, .passes = kDirections});
    }
    matrices.push_back({.inner = kDirections * size, .columns = kDirections * size});
    matrices.push_back({.inner = kDirections * size, .columns = width});
    return matrices;
  }
  matrices.push_back({.inner = width, .columns = size});
  for (int layer = 2; layer < tuning.num_layers; ++layer) {
    matrices.push_back({.inner = size, .columns = size});
  }
  matrices.push_back({.inner = size, .columns = width});
  return matrices;
}

/// PyTorch's LSTM has one bias for its input and one for its hidden state; each of the other
/// matrices has one.
std::int64_t prompt_parameters(const PTuning& tuning, int width) {
  std::int64_t sum = static_cast<std::int64_t>(tuning.virtual_tokens) * width;
  for (const Matrix& matrix : prompt_matrices(tuning, width)) {
    sum += matrix.parameters() + matrix.columns * matrix.copies;
  }
  return sum;
}

}  // namespace railwright::models
