// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/compute/compute.hpp"

#include <cmath>

#include "kernels.hpp"

namespace railwright::models {

namespace {

/// What a micro-batch brings to a layer.
struct Tokens {
  std::int64_t queries = 0;
  std::int64_t sequence = 0;
  std::int64_t encoder_queries = 0;
  std::int64_t encoder_sequence = 0;

  Tokens(const Training& training, LayerKind kind)
      : sequence(training.sequence_length),
        encoder_queries(static_cast<std::int64_t>(training.micro_batch) *
                        encoder_sequence_length(training)),
        encoder_sequence(encoder_sequence_length(training)) {
    if (kind == LayerKind::kEncoder) sequence = encoder_sequence;
    queries = static_cast<std::int64_t>(training.micro_batch) * sequence;
  }
};

double activation_bytes(const Transformer& model, LayerKind kind, int tp, std::int64_t tokens) {
  const std::int64_t accesses = model.gated_ffn ? 3 : 2;
  std::int64_t elements = 0;
  for (const FeedForward& block : feed_forward_blocks(model, kind, tp)) {
    elements += accesses * tokens * block.passes * block.ffn_size;
  }
  return static_cast<double>(elements) * kBf16Bytes;
}

/// Norms, residuals with their dropout, rotary positions, and what brings tokens to their experts
/// and back.
double other_elementwise_bytes(const Transformer& model, LayerKind kind, const Layout& layout,
                               bool dropout, std::int64_t tokens) {
  const auto t = static_cast<double>(tokens);
  const double width = model.hidden_size;
  const double divisor = layout.sequence_parallel ? layout.tp : 1.0;
  const double mask = dropout ? kMaskBytes / kBf16Bytes : 0.0;
  double elements = t / divisor * width * num_blocks(kind) * (2 + 3 + mask);
  if (model.positions == 0) {
    const std::int64_t heads = model.num_heads / layout.tp + kv_heads_on_rank(model, layout.tp);
    elements += t * 2.0 * static_cast<double>(heads * head_size(model).query);
  }
  if (kind == LayerKind::kExperts) elements += t * model.experts->top_k * width * 4.0;
  return elements * kBf16Bytes;
}

PassCost layer_cost(const Kernels& kernels, const Training& training, const Layout& layout,
                    const SoftwareProfile& software, LayerKind kind) {
  const Transformer& model = training.model;
  const Tokens tokens(training, kind);
  const std::int64_t heads = model.num_heads / layout.tp;

  PassCost cost;
  for (const Matrix& matrix : layer_matrices(model, kind, layout.tp)) {
    add_matrix(kernels, matrix.of_encoder ? tokens.encoder_queries : tokens.queries, matrix, cost);
  }
  const auto attend = [&](std::int64_t keys, bool causal) {
    const Scores scores{training.micro_batch, tokens.sequence, keys, causal};
    add_attention(kernels, head_size(model), heads, scores, software, cost);
  };
  attend(tokens.sequence, model.causal && kind != LayerKind::kEncoder);
  if (kind == LayerKind::kDecoder) attend(tokens.encoder_sequence, false);

  const double activation = activation_bytes(model, kind, layout.tp, tokens.queries);
  const double other =
      other_elementwise_bytes(model, kind, layout, software.dropout.value, tokens.queries);
  cost.forward.elementwise = kernels.stream(other + activation);
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
  add_matrix(kernels, tokens, {.inner = training.model.hidden_size, .columns = vocabulary}, cost);
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

ComputeModel::ComputeModel(const core::Accelerator& accelerator, const Training& training,
                           const Layout& layout, const SoftwareProfile& software, double efficiency)
    : efficiency_(efficiency),
      memory_bandwidth_(accelerator.memory_bandwidth.value * accelerator.memory_efficiency.value) {
  const Kernels kernels{accelerator};
  const auto counts = layers_by_kind(training.model);
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    layers_[kind] = slowed(
        layer_cost(kernels, training, layout, software, static_cast<LayerKind>(kind)), efficiency);
  }
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
