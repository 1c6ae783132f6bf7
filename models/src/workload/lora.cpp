// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/lora.hpp"

namespace railwright::models {

namespace {

bool is_target(const Lora& lora, const Matrix& matrix) {
  if (matrix.block == MatrixBlock::kAttention) {
    return lora.targets != LoraTargets::kQkv || !matrix.ends_block;
  }
  return matrix.block == MatrixBlock::kFeedForward && lora.targets == LoraTargets::kAll;
}

}  // namespace

std::vector<Matrix> adapter_of(const Lora& lora, const Matrix& matrix) {
  if (!is_target(lora, matrix)) return {};
  Matrix down = matrix;
  down.columns = lora.rank;
  Matrix up = matrix;
  up.inner = lora.rank;
  return {down, up};
}

AdapterParameters adapter_parameters(const Lora& lora, const Transformer& model, LayerKind kind,
                                     const Slices& slices) {
  AdapterParameters sum;
  for (const Matrix& matrix : layer_matrices(model, kind, slices)) {
    for (const Matrix& part : adapter_of(lora, matrix)) {
      (part.of_expert ? sum.expert : sum.dense) += part.parameters();
    }
  }
  return sum;
}

}  // namespace railwright::models
