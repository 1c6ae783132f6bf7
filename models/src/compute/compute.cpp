// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/compute/compute.hpp"

#include <algorithm>
#include <cmath>

namespace railwright::models {

namespace {

using core::DataSize;
using core::Duration;
using core::Work;

constexpr double kBf16Bytes = 2.0;
constexpr double kFp32Bytes = 4.0;
constexpr std::int64_t kTileRows = 128;
constexpr std::int64_t kTileColumns = 256;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Share of the multiprocessors that work, averaged over the waves of output tiles.
double wave_efficiency(std::int64_t rows, std::int64_t columns, int num_multiprocessors) {
  const std::int64_t tiles = ceil_div(rows, kTileRows) * ceil_div(columns, kTileColumns);
  const std::int64_t waves = ceil_div(tiles, num_multiprocessors);
  const double tile_fill = static_cast<double>(rows) * static_cast<double>(columns) /
                           (static_cast<double>(tiles) * kTileRows * kTileColumns);
  return tile_fill * static_cast<double>(tiles) / static_cast<double>(waves * num_multiprocessors);
}

/// Kernel times of one device.
struct Kernels {
  const core::Accelerator& device;

  [[nodiscard]] Duration stream(double bytes) const {
    return DataSize::from_base(bytes) /
           (device.memory_bandwidth.value * device.memory_efficiency.value);
  }
  /// Forward product and, for the backward pass, the products for the input and the weights.
  [[nodiscard]] Duration product(std::int64_t rows, std::int64_t inner,
                                 std::int64_t columns) const {
    return matrix_product_time(device, rows, inner, columns);
  }
  [[nodiscard]] Duration product_gradients(std::int64_t rows, std::int64_t inner,
                                           std::int64_t columns) const {
    return product(rows, columns, inner) + product(inner, rows, columns);
  }
  [[nodiscard]] Duration attention(double work) const {
    return Work::from_base(work) / (device.bf16_rate.value * device.attention_efficiency.value);
  }
};

/// A matrix of a layer as one tensor-parallel rank holds it.
struct MatrixShape {
  std::int64_t inner;
  std::int64_t columns;
};

void add_matrix(const Kernels& kernels, std::int64_t rows, MatrixShape shape, PassCost& cost) {
  cost.forward.matrix += kernels.product(rows, shape.inner, shape.columns);
  cost.backward.matrix += kernels.product_gradients(rows, shape.inner, shape.columns);
}

PassCost layer_cost(const Kernels& kernels, const Training& training, const Layout& layout,
                    const SoftwareProfile& software) {
  const Transformer& model = training.model;
  const std::int64_t tp = layout.tp;
  const std::int64_t tokens =
      static_cast<std::int64_t>(training.micro_batch) * training.sequence_length;
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t head_size = hidden / model.num_heads;
  const std::int64_t kv_columns = std::max<std::int64_t>(model.num_kv_heads / tp, 1) * head_size;
  const std::int64_t ffn = model.ffn_size / tp;
  const std::int64_t ffn_in = model.gated_ffn ? 2 * ffn : ffn;

  PassCost cost;
  add_matrix(kernels, tokens, {hidden, hidden / tp + 2 * kv_columns}, cost);
  add_matrix(kernels, tokens, {hidden / tp, hidden}, cost);
  add_matrix(kernels, tokens, {hidden, ffn_in}, cost);
  add_matrix(kernels, tokens, {ffn, hidden}, cost);

  // Causal flash attention skips half of the score matrix; its backward pass runs five products
  // where the forward pass runs two. [@dao2023flashattention2]
  const double scores =
      static_cast<double>(tokens) * training.sequence_length * static_cast<double>(hidden / tp);
  cost.forward.attention = kernels.attention(2.0 * scores);
  cost.backward.attention = kernels.attention(5.0 * scores);

  const double t = static_cast<double>(tokens);
  const double replicated_tokens = layout.sequence_parallel ? t / static_cast<double>(tp) : t;
  const double width = static_cast<double>(hidden);
  const double norms_and_residuals = replicated_tokens * width * kBf16Bytes * (2 * 2 + 2 * 3);
  const double rotary = t * static_cast<double>(hidden / tp + kv_columns) * kBf16Bytes * 2;
  const double activation = t * static_cast<double>(ffn_in + ffn) * kBf16Bytes;
  cost.forward.elementwise = kernels.stream(norms_and_residuals + rotary + activation);
  cost.backward.elementwise = cost.forward.elementwise * 2.0;

  const double num_kernels = software.kernels_per_layer.value;
  cost.forward.gaps = kernels.device.kernel_overhead.value * num_kernels;
  cost.backward.gaps = cost.forward.gaps * 2.0;

  if (software.recompute.value == Recompute::kFull) {
    cost.backward += cost.forward;
  } else if (software.recompute.value == Recompute::kActivationFunction) {
    cost.backward.elementwise += kernels.stream(activation);
  } else if (software.recompute.value == Recompute::kSelective) {
    cost.backward.attention += cost.forward.attention;
  }
  return cost;
}

PassCost head_cost(const Kernels& kernels, const Training& training, const Layout& layout) {
  const std::int64_t tokens =
      static_cast<std::int64_t>(training.micro_batch) * training.sequence_length;
  const std::int64_t vocabulary = ceil_div(training.model.vocabulary_size, layout.tp);
  PassCost cost;
  add_matrix(kernels, tokens, {training.model.hidden_size, vocabulary}, cost);
  // Logits are read in bf16 and turned into fp32 probabilities once each way.
  const double logits = static_cast<double>(tokens) * static_cast<double>(vocabulary);
  cost.forward.elementwise = kernels.stream(logits * (kBf16Bytes + 2 * kFp32Bytes));
  cost.backward.elementwise = kernels.stream(logits * (kFp32Bytes + kBf16Bytes));
  return cost;
}

PassCost embedding_cost(const Kernels& kernels, const Training& training) {
  const double bytes = static_cast<double>(training.micro_batch) * training.sequence_length *
                       training.model.hidden_size * kBf16Bytes;
  PassCost cost;
  cost.forward.elementwise = kernels.stream(2 * bytes);
  cost.backward.elementwise = kernels.stream(3 * bytes);
  return cost;
}

PassCost slowed(PassCost cost, double efficiency) {
  return {cost.forward * (1.0 / efficiency), cost.backward * (1.0 / efficiency)};
}

}  // namespace

ComputeCost& ComputeCost::operator+=(const ComputeCost& other) {
  matrix += other.matrix;
  attention += other.attention;
  elementwise += other.elementwise;
  gaps += other.gaps;
  return *this;
}

core::Duration matrix_product_time(const core::Accelerator& accelerator, std::int64_t rows,
                                   std::int64_t inner, std::int64_t columns) {
  const double m = static_cast<double>(rows);
  const double k = static_cast<double>(inner);
  const double n = static_cast<double>(columns);
  const double share = accelerator.gemm_efficiency.value *
                       wave_efficiency(rows, columns, accelerator.num_multiprocessors.value);
  const Duration arithmetic =
      Work::from_base(2.0 * m * k * n) / (accelerator.bf16_rate.value * share);
  const Duration memory =
      DataSize::from_base(kBf16Bytes * (m * k + k * n + m * n)) /
      (accelerator.memory_bandwidth.value * accelerator.memory_efficiency.value);
  return std::max(arithmetic, memory);
}

ComputeModel::ComputeModel(const core::Accelerator& accelerator, const Training& training,
                           const Layout& layout, const SoftwareProfile& software, double efficiency)
    : efficiency_(efficiency),
      memory_bandwidth_(accelerator.memory_bandwidth.value * accelerator.memory_efficiency.value) {
  const Kernels kernels{accelerator};
  layer_ = slowed(layer_cost(kernels, training, layout, software), efficiency);
  embedding_ = slowed(embedding_cost(kernels, training), efficiency);
  head_ = slowed(head_cost(kernels, training, layout), efficiency);
}

core::Duration ComputeModel::optimizer_time(double num_parameters) const {
  // Read the fp32 gradient twice (norm, update), read and write two moments and the master weight,
  // write the bf16 parameter.
  constexpr double kBytes = 2 * kFp32Bytes + 2 * 3 * kFp32Bytes + kBf16Bytes;
  return core::DataSize::from_base(kBytes * num_parameters) / memory_bandwidth_ / efficiency_;
}

}  // namespace railwright::models
