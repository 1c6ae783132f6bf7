// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/memory/memory.hpp"

#include <algorithm>

#include "railwright/models/parallelism/shards.hpp"
#include "railwright/models/schedule/pipeline.hpp"

namespace railwright::models {

namespace {

constexpr double kHalfBytes = 2.0;
constexpr double kFp32Bytes = 4.0;

/// Bytes of a weight, and of an element that a layer keeps: fp8 and fp4 are casts of bf16.
double element_bytes(const SoftwareProfile& software) {
  return std::max(core::bytes_of(software.precision.value), kHalfBytes);
}

/// Moments, and an fp32 master copy of weights that are kept in less.
double optimizer_bytes(const SoftwareProfile& software) {
  return num_moments(software.optimizer.value) * kFp32Bytes +
         (element_bytes(software) < kFp32Bytes ? kFp32Bytes : 0.0);
}

/// Of one micro-batch on one rank, which has its share of each sequence.
double tokens_of_microbatch(const Training& training, const Layout& layout, LayerKind kind) {
  return static_cast<double>(training.micro_batch) * sequence_length(training, kind) / layout.cp;
}

/// Elements a token leaves behind in attention: queries, keys, values, output unless that is
/// computed again, and the narrow vectors of latent attention.
double attention_elements(const Transformer& model, LayerKind kind, int tp, Recompute recompute) {
  const HeadSize head = head_size(model);
  const std::int64_t heads = model.num_heads / tp;
  const std::int64_t blocks = kind == LayerKind::kDecoder ? 2 : 1;
  const std::int64_t output = runs_again(recompute) ? 0 : heads * head.value;
  auto elements = static_cast<double>(
      blocks *
      (heads * head.query + kv_heads_on_rank(model, tp) * (head.query + head.value) + output));
  if (model.latent_attention) {
    const LatentAttention& latent = *model.latent_attention;
    elements += latent.query_rank + latent.kv_rank + latent.rope_size;
  }
  return elements;
}

/// Inputs of the activation (and its gate), its output unless that is computed again, and the
/// tokens as the experts get and return them.
double feed_forward_elements(const Transformer& model, LayerKind kind, const Slices& slices,
                             Recompute recompute) {
  if (recompute == Recompute::kFeedForward) return 0.0;
  const bool output_again = recompute == Recompute::kActivationFunction || runs_again(recompute);
  const int kept = (output_again ? 1 : 2) + (model.gated_ffn ? 1 : 0);
  double elements = 0.0;
  for (const FeedForward& block : feed_forward_blocks(model, kind, slices)) {
    elements += static_cast<double>(kept * block.passes * block.ffn_size) /
                static_cast<double>(block.token_shards);
  }
  if (kind == LayerKind::kExperts) {
    elements += 2.0 * model.experts->top_k * model.hidden_size * slices.etp / slices.tp;
  }
  return elements;
}

/// Scores a token leaves behind where attention is not fused: the softmax's output and, with
/// dropout, what is left of it and the mask. Selective recompute and more drop them.
/// [@korthikanti2022reducing]
double score_elements(const Training& training, const SoftwareProfile& software, LayerKind kind,
                      int tp, Recompute recompute) {
  if (software.attention.value != AttentionKernel::kUnfused) return 0.0;
  if (recompute >= Recompute::kSelective) return 0.0;
  double keys = sequence_length(training, kind);
  if (kind == LayerKind::kDecoder) keys += encoder_sequence_length(training);
  return keys * transformer_of(training).num_heads / tp * (software.dropout.value ? 2.5 : 1.0);
}

/// What a layer keeps for its backward pass if `recompute` leaves it.
double layer_bytes(const Training& training, const Layout& layout, const SoftwareProfile& software,
                   LayerKind kind, Recompute recompute) {
  const Transformer& model = transformer_of(training);
  const double replicated = layout.sequence_parallel ? 1.0 / layout.tp : 1.0;
  const double token_bytes = tokens_of_microbatch(training, layout, kind) * element_bytes(software);
  const double stream = model.hidden_size * replicated;
  if (recompute == Recompute::kFull) return token_bytes * stream;
  // Inputs of the norms, their outputs unless computed again, and a byte of dropout mask behind
  // each block.
  const double norms = num_blocks(kind) * stream *
                       ((runs_again(recompute) ? 1.0 : 2.0) + (software.dropout.value ? 0.5 : 0.0));
  return token_bytes * (norms + attention_elements(model, kind, layout.tp, recompute) +
                        score_elements(training, software, kind, layout.tp, recompute) +
                        feed_forward_elements(model, kind, layout.slices(), recompute));
}

/// The same of the layer or block in a place.
double place_bytes(const Training& training, const Layout& layout, const SoftwareProfile& software,
                   int layer, Recompute recompute) {
  if (const VisionModel* vision = vision_of(training)) {
    const double elements = kept_elements(block_at(*vision, layer), recompute == Recompute::kFull);
    return training.micro_batch * elements * element_bytes(software);
  }
  return layer_bytes(training, layout, software, layer_kind(transformer_of(training), layer),
                     recompute);
}

double activations_of_stage(const Training& training, const Layout& layout,
                            const SoftwareProfile& software, int stage) {
  std::vector<int> in_flight;
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    in_flight.push_back(microbatches_in_flight(layout, stage, chunk));
  }
  double bytes = 0.0;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer) continue;
    const auto chunk = static_cast<std::size_t>(place / layout.layers_per_chunk);
    bytes += in_flight[chunk] * place_bytes(training, layout, software, *layer,
                                            software.recompute_at(place % layout.layers_per_chunk));
  }
  return bytes;
}

/// The layer whose backward pass runs has all of its activations again.
double recomputed_layer(const Training& training, const Layout& layout,
                        const SoftwareProfile& software, int stage) {
  double largest = 0.0;
  for (int place = 0; place < layout.layers_per_stage(); ++place) {
    const auto layer = layout.layer_at(stage, place);
    if (!layer || !runs_again(software.recompute_at(place % layout.layers_per_chunk))) continue;
    largest = std::max(largest, place_bytes(training, layout, software, *layer, Recompute::kNone));
  }
  return largest;
}

bool has_head(const Layout& layout, int stage) {
  for (int chunk = 0; chunk < layout.chunks_per_stage(); ++chunk) {
    if (layout.is_last_chunk(stage, chunk)) return true;
  }
  return false;
}

/// The place with most parameters, which is whole on each rank while it computes.
double largest_place(const std::vector<ShardParameters>& places) {
  double largest = 0.0;
  for (const ShardParameters& place : places) largest = std::max(largest, place.total());
  return largest;
}

}  // namespace

core::DataSize MemoryUse::total() const {
  core::DataSize sum;
  for (const MemoryLine& line : lines) sum += line.size;
  return sum;
}

core::DataSize activations_per_layer(const Training& training, const Layout& layout,
                                     const SoftwareProfile& software, LayerKind kind) {
  return core::DataSize::from_base(
      layer_bytes(training, layout, software, kind, software.recompute.value));
}

core::DataSize activations_of_whole_layer(const Training& training, const Layout& layout,
                                          const SoftwareProfile& software, LayerKind kind) {
  return core::DataSize::from_base(layer_bytes(training, layout, software, kind, Recompute::kNone));
}

core::DataSize logits_memory(const Training& training, const Layout& layout) {
  const double logits = tokens_of_microbatch(training, layout, LayerKind::kDense) *
                        transformer_of(training).vocabulary_size / layout.tp;
  return core::DataSize::from_base((kHalfBytes + kFp32Bytes) * logits);
}

StateBytes state_bytes(const SoftwareProfile& software) {
  return {.weight = element_bytes(software),
          .gradient = static_cast<double>(software.gradient_reduce_bytes.value),
          .optimizer = optimizer_bytes(software)};
}

MemoryRules memory_rules(const Training& training, const SoftwareProfile& software) {
  return {.bytes = state_bytes(software),
          .framework = software.framework_memory.value.base(),
          .zero_stage = software.zero_stage.value,
          .reshards = software.reshard_after_forward.value,
          .has_adapters = is_frozen(training),
          .offloads_optimizer = software.offload.optimizer.has_value(),
          .offloads_parameters = software.offload.parameters.has_value(),
          .bucket = software.bucket.value.base()};
}

MemoryBytes memory_bytes(const MemoryRules& rules, const Holdings& holdings, const Layout& layout) {
  const ShardParameters& held = holdings.held;
  const ShardParameters& trained = holdings.trained;
  /// What is spread over the replicas from this stage of ZeRO on.
  const auto shard = [&](int from_stage) {
    return on_one_rank(trained, layout, rules.zero_stage >= from_stage);
  };
  // Without resharding the parameters stay whole from their gather to the end of the step.
  const bool whole = rules.zero_stage < 3 || !rules.reshards;
  MemoryBytes bytes{};
  const auto line = [&](MemoryItem item) -> double& {
    return bytes[static_cast<std::size_t>(item)];
  };
  const double kept = on_one_rank(held, layout, !whole);
  line(MemoryItem::kParameters) =
      rules.bytes.weight *
      ((rules.offloads_parameters ? 0.0 : kept) + (rules.has_adapters ? trained.total() : 0.0));
  line(MemoryItem::kGradients) = rules.bytes.gradient * shard(2);
  line(MemoryItem::kOptimizerState) = rules.bytes.optimizer * shard(1);
  if (rules.offloads_optimizer) {
    line(MemoryItem::kOptimizerState) = 0.0;
    line(MemoryItem::kGradients) = std::min(line(MemoryItem::kGradients), 2.0 * rules.bucket);
  }
  if (rules.zero_stage >= 2) {
    line(MemoryItem::kGatheredLayers) =
        holdings.largest_trained * rules.bytes.gradient +
        holdings.largest_held * (whole ? 0.0 : 2 * rules.bytes.weight);
  }
  line(MemoryItem::kActivations) = holdings.activations;
  line(MemoryItem::kRecomputedLayer) = holdings.recomputed_layer;
  line(MemoryItem::kLogits) = holdings.logits;
  line(MemoryItem::kFramework) = rules.framework;
  return bytes;
}

MemoryUse memory_of_stage(const Training& training, const Layout& layout,
                          const SoftwareProfile& software, int stage) {
  const auto held = parameters_by_layer(training.model, layout, stage);
  const auto trained = trained_by_layer(training, layout, stage);
  const bool recomputes = runs_again(software.recompute.value);
  const bool holds_logits = has_head(layout, stage) && vision_of(training) == nullptr;
  const Holdings holdings{
      .held = sum(held),
      .trained = sum(trained),
      .largest_held = largest_place(held),
      .largest_trained = largest_place(trained),
      .activations = activations_of_stage(training, layout, software, stage),
      .recomputed_layer = recomputes ? recomputed_layer(training, layout, software, stage) : 0.0,
      .logits = holds_logits ? logits_memory(training, layout).base() : 0.0};
  const MemoryBytes bytes = memory_bytes(memory_rules(training, software), holdings, layout);
  const std::array<bool, kMemoryItemNames.size()> has{
      true, true, true, software.zero_stage.value >= 2, true, recomputes, holds_logits, true};
  MemoryUse use{.stage = stage, .lines = {}};
  for (std::size_t item = 0; item < bytes.size(); ++item) {
    if (!has[item]) continue;
    use.lines.push_back({kMemoryItemNames[item], core::DataSize::from_base(bytes[item])});
  }
  return use;
}

std::vector<TierUse> node_tier_uses(const Training& training, const Layout& layout,
                                    const SoftwareProfile& software, int num_accelerators) {
  double held = 0.0;
  double optimized = 0.0;
  for (int stage = 0; stage < layout.pp; ++stage) {
    const auto of_stage = sum(parameters_by_layer(training.model, layout, stage));
    const auto trained = sum(trained_by_layer(training, layout, stage));
    held = std::max(held, on_one_shard(of_stage, layout));
    optimized = std::max(optimized, on_one_rank(trained, layout, software.zero_stage.value >= 1));
  }
  return tier_uses(software.offload, state_bytes(software), held * num_accelerators,
                   optimized * num_accelerators);
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
