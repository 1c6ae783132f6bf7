// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/inference/passes.hpp"

#include <cmath>

#include "railwright/models/inference/footprint.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

namespace {

constexpr double kBf16Bytes = 2.0;

/// Roofline of one device for one kind of operation.
struct Roofline {
  core::ComputeRate rate;
  core::Bandwidth bandwidth;

  void add(double flops, double bytes, PassTime& time) const {
    const core::Duration arithmetic = core::Work::from_base(flops) / rate;
    const core::Duration memory = core::DataSize::from_base(bytes) / bandwidth;
    (arithmetic > memory ? time.compute : time.bandwidth) += std::max(arithmetic, memory);
  }
};

/// Weights in a format that the device cannot multiply are widened first.
core::ComputeRate product_rate(const core::Accelerator& device, core::Precision weights) {
  const core::Precision precision = device.peak_rate(weights) ? weights : core::Precision::kFp16;
  return *device.peak_rate(precision) * device.product_efficiency(precision);
}

void add_product(const Roofline& roof, const Matrix& matrix, double rows, double weight_bytes,
                 PassTime& time) {
  const auto inner = static_cast<double>(matrix.inner);
  const auto columns = static_cast<double>(matrix.columns);
  const auto passes = static_cast<double>(matrix.passes);
  const double touched = copies_touched(static_cast<double>(matrix.copies), passes, rows);
  roof.add(
      2.0 * rows * passes * inner * columns,
      touched * inner * columns * weight_bytes + rows * passes * (inner + columns) * kBf16Bytes,
      time);
}

/// Widths of the two products of attention. From its cache, latent attention multiplies with the
/// narrow vector itself: what makes heads of it is absorbed into the queries and the output.
/// [@deepseek2024v2]
HeadSize attended(const Transformer& model, bool from_cache) {
  if (!model.latent_attention || !from_cache) return head_size(model);
  const LatentAttention& latent = *model.latent_attention;
  return {.query = static_cast<std::int64_t>(latent.kv_rank) + latent.rope_size,
          .value = latent.kv_rank};
}

void add_attention(const Roofline& roof, const Inference& inference, int tp, const TokenPass& pass,
                   PassTime& time) {
  const Transformer& model = inference.model;
  const HeadSize head = attended(model, pass.from_cache);
  const auto widths = static_cast<double>(model.num_heads / tp * (head.query + head.value));
  const double cached =
      pass.from_cache ? pass.keys * kv_elements(model, tp) * core::bytes_of(inference.kv_cache)
                      : 0.0;
  roof.add(2.0 * pass.tokens() * pass.keys * widths,
           pass.sequences * cached + pass.tokens() * widths * kBf16Bytes, time);
}

}  // namespace

PassTime& PassTime::operator+=(const PassTime& other) {
  compute += other.compute;
  bandwidth += other.bandwidth;
  gaps += other.gaps;
  communication += other.communication;
  stall += other.stall;
  return *this;
}

TokenPass prefill_pass(double tokens) {
  return {.sequences = 1.0, .new_tokens = tokens, .keys = (tokens + 1.0) / 2.0};
}

TokenPass decode_pass(double sequences, double context) {
  return {.sequences = sequences, .new_tokens = 1.0, .keys = context, .from_cache = true};
}

double copies_touched(double copies, double passes, double tokens) {
  return copies * (1.0 - std::pow(1.0 - passes / copies, tokens));
}

PassTime pass_time(const core::Accelerator& device, const Inference& inference, int tp,
                   const TokenPass& pass) {
  const Transformer& model = inference.model;
  const core::Bandwidth bandwidth = device.memory_bandwidth.value * device.memory_efficiency.value;
  const Roofline products{product_rate(device, inference.weights), bandwidth};
  const Roofline scores{
      *device.peak_rate(core::Precision::kFp16) * device.attention_efficiency.value, bandwidth};
  const double weight_bytes = core::bytes_of(inference.weights);

  const auto counts = layers_by_kind(model);
  PassTime total;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    PassTime layer;
    for (const Matrix& matrix :
         layer_matrices(model, static_cast<LayerKind>(kind), over_tensor_ranks(tp))) {
      add_product(products, matrix, pass.tokens(), weight_bytes, layer);
    }
    add_attention(scores, inference, tp, pass, layer);
    layer.gaps = device.kernel_overhead.value * inference.kernels_per_layer.value;
    total += layer * static_cast<double>(counts[kind]);
  }
  const Matrix head{.inner = model.hidden_size, .columns = (model.vocabulary_size + tp - 1) / tp};
  add_product(products, head, pass.sequences, weight_bytes, total);
  return total;
}

int num_all_reduces(const Transformer& model) { return 2 * model.num_layers + 1; }

core::DataSize all_reduce_size(const Transformer& model, double tokens) {
  return core::DataSize::from_base(tokens * model.hidden_size * kBf16Bytes);
}

}  // namespace railwright::models
