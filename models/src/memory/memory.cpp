// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/memory/memory.hpp"

#include <algorithm>

#include "railwright/models/parallelism/shards.hpp"

namespace railwright::models {

namespace {

constexpr double kBf16Bytes = 2.0;
constexpr double kFp32Bytes = 4.0;
constexpr double kOptimizerBytes = 3 * kFp32Bytes;  // master weight and two moments

double tokens_of_microbatch(const Training& training, LayerKind kind) {
  return static_cast<double>(training.micro_batch) * sequence_length(training, kind);
}

/// Elements a token leaves behind in attention: queries, keys, values, output, and the narrow
/// vectors of latent attention.
double attention_elements(const Transformer& model, LayerKind kind, int tp) {
  const HeadSize head = head_size(model);
  const std::int64_t heads = model.num_heads / tp + kv_heads_on_rank(model, tp);
  const std::int64_t blocks = kind == LayerKind::kDecoder ? 2 : 1;
  auto elements = static_cast<double>(blocks * heads * (head.query + head.value));
  if (model.latent_attention) {
    const LatentAttention& latent = *model.latent_attention;
    elements += latent.query_rank + latent.kv_rank + latent.rope_size;
  }
  return elements;
}

/// Inputs of the activation (and its gate), its output unless that is computed again, and the
/// tokens as the experts get and return them.
double feed_forward_elements(const Transformer& model, LayerKind kind, int tp,
                             Recompute recompute) {
  const int kept =
      (recompute == Recompute::kActivationFunction ? 1 : 2) + (model.gated_ffn ? 1 : 0);
  double elements = 0.0;
  for (const FeedForward& block : feed_forward_blocks(model, kind, tp)) {
    elements += static_cast<double>(kept * block.passes * block.ffn_size);
  }
  if (kind == LayerKind::kExperts) elements += 2.0 * model.experts->top_k * model.hidden_size;
  return elements;
}

/// Scores a token leaves behind where attention is not fused: the softmax's output and, with
/// dropout, what is left of it and the mask. Selective recompute drops them.
/// [@korthikanti2022reducing]
double score_elements(const Training& training, const SoftwareProfile& software, LayerKind kind,
                      int tp) {
  if (software.attention.value != AttentionKernel::kUnfused) return 0.0;
  if (software.recompute.value == Recompute::kSelective) return 0.0;
  double keys = sequence_length(training, kind);
  if (kind == LayerKind::kDecoder) keys += encoder_sequence_length(training);
  return keys * training.model.num_heads / tp * (software.dropout.value ? 2.5 : 1.0);
}

double activations_of_stage(const Training& training, const Layout& layout,
                            const SoftwareProfile& software, int stage) {
  double bytes = 0.0;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer) continue;
    const int chunk = place / layout.layers_per_chunk;
    bytes += activations_per_layer(training, layout, software, layer_kind(training.model, *layer))
                 .base() *
             microbatches_in_flight(layout, stage, chunk);
  }
  return bytes;
}

}  // namespace

core::DataSize MemoryUse::total() const {
  core::DataSize sum;
  for (const MemoryLine& line : lines) sum += line.size;
  return sum;
}

core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind) {
  const Recompute recompute = software.recompute.value;
  const Transformer& model = training.model;
  const double replicated = layout.sequence_parallel ? 1.0 / layout.tp : 1.0;
  const double bytes_per_element = tokens_of_microbatch(training, kind) * kBf16Bytes;
  const double stream = model.hidden_size * replicated;
  if (recompute == Recompute::kFull) return core::DataSize::from_base(bytes_per_element * stream);
  // Inputs and outputs of the norms, and a byte of dropout mask behind each block.
  const double norms = num_blocks(kind) * stream * (software.dropout.value ? 2.5 : 2.0);
  return core::DataSize::from_base(bytes_per_element *
                                   (norms + attention_elements(model, kind, layout.tp) +
                                    score_elements(training, software, kind, layout.tp) +
                                    feed_forward_elements(model, kind, layout.tp, recompute)));
}

MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage) {
  const double parameters = parameters_on_rank(training.model, layout, stage);
  const bool sharded = software.zero_stage.value >= 1;
  const double optimizer_shards = sharded ? layout.dp : 1.0;
  const auto bytes = [](double b) { return core::DataSize::from_base(b); };

  MemoryUse use{.stage = stage, .lines = {}};
  use.lines.push_back({"parameters", bytes(kBf16Bytes * parameters)});
  use.lines.push_back({"gradients", bytes(software.gradient_reduce_bytes.value * parameters)});
  use.lines.push_back({"optimizer_state", bytes(kOptimizerBytes * parameters / optimizer_shards)});
  use.lines.push_back(
      {"activations", bytes(activations_of_stage(training, layout, software, stage))});
  if (stage == layout.pp - 1) {
    const double logits = tokens_of_microbatch(training, LayerKind::kDense) *
                          training.model.vocabulary_size / layout.tp;
    use.lines.push_back({"logits", bytes((kBf16Bytes + kFp32Bytes) * logits)});
  }
  use.lines.push_back({"framework", software.framework_memory.value});
  return use;
}

MemoryUse largest_memory_use(const Training& training, const Layout& layout,
                             const SoftwareProfile& software) {
  MemoryUse largest = memory_of_stage(training, layout, software, 0);
  for (int stage = 1; stage < layout.pp; ++stage) {
    MemoryUse use = memory_of_stage(training, layout, software, stage);
    if (use.total() > largest.total()) largest = std::move(use);
  }
  return largest;
}

}  // namespace railwright::models
