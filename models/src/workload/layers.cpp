// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/layers.hpp"

#include <algorithm>

#include "railwright/core/arithmetic.hpp"

namespace railwright::models {

namespace {

std::int64_t norm_parameters(const Transformer& model) {
  return static_cast<std::int64_t>(model.hidden_size) * (model.biases ? 2 : 1);
}

void add_latent_attention(const Transformer& model, int tp, std::vector<Matrix>& matrices) {
  const LatentAttention& latent = *model.latent_attention;
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t heads = model.num_heads / tp;
  const HeadSize head = head_size(model);
  const std::int64_t rope = latent.rope_size;
  if (latent.query_rank > 0) {
    matrices.push_back({.inner = hidden, .columns = latent.query_rank, .behind_norm = true});
    matrices.push_back(
        {.inner = latent.query_rank, .columns = heads * head.query, .from_latent = true});
  } else {
    matrices.push_back({.inner = hidden, .columns = heads * head.query, .behind_norm = true});
  }
  matrices.push_back({.inner = hidden, .columns = latent.kv_rank + rope, .behind_norm = true});
  matrices.push_back({.inner = latent.kv_rank,
                      .columns = heads * (head.query - rope + head.value),
                      .from_latent = true});
  matrices.push_back({.inner = heads * head.value, .columns = hidden, .ends_block = true});
}

void add_attention(const Transformer& model, int tp, std::vector<Matrix>& matrices) {
  if (model.latent_attention) {
    add_latent_attention(model, tp, matrices);
    return;
  }
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t head = head_size(model).query;
  const std::int64_t queries = model.num_heads / tp * head;
  matrices.push_back({.inner = hidden,
                      .columns = queries + 2 * kv_heads_on_rank(model, tp) * head,
                      .behind_norm = true});
  matrices.push_back({.inner = queries, .columns = hidden, .ends_block = true});
}

void add_attention_to_encoder(const Transformer& model, int tp, std::vector<Matrix>& matrices) {
  const std::int64_t hidden = model.hidden_size;
  const std::int64_t head = head_size(model).query;
  const std::int64_t queries = model.num_heads / tp * head;
  matrices.push_back({.inner = hidden, .columns = queries, .behind_norm = true});
  matrices.push_back(
      {.inner = hidden, .columns = 2 * kv_heads_on_rank(model, tp) * head, .of_encoder = true});
  matrices.push_back({.inner = queries, .columns = hidden, .ends_block = true});
}

void add_mamba(const Transformer& model, int tp, std::vector<Matrix>& matrices) {
  const MambaShard shard = mamba_shard(*model.mamba, tp);
  const std::int64_t hidden = model.hidden_size;
  matrices.push_back({.inner = hidden,
                      .columns = shard.projected(),
                      .block = MatrixBlock::kMamba,
                      .behind_norm = true});
  matrices.push_back(
      {.inner = shard.inner, .columns = hidden, .block = MatrixBlock::kMamba, .ends_block = true});
}

/// Counts the convolution's weights and biases, three numbers a head, and the norm before the last
/// matrix.
std::int64_t mamba_vector_parameters(const Mamba& mamba, int tp) {
  const MambaShard shard = mamba_shard(mamba, tp);
  return shard.convolved() * (mamba.conv_size + 1) + 3 * shard.heads + shard.inner;
}

bool is_routed_layer(const Transformer& model, int layer) {
  if (!model.experts || layer < model.experts->dense_layers) return false;
  return (layer + 1 - model.experts->dense_layers) % model.experts->every == 0;
}

bool is_local_layer(const Transformer& model, int layer) {
  if (!model.local_attention) return false;
  const int every = model.local_attention->global_every;
  return every == 0 || (layer + 1) % every != 0;
}

/// Returns the kind of a layer of a pattern; what the model lacks counts as a feed-forward block.
LayerKind kind_in_pattern(const Transformer& model, int layer) {
  const auto i = static_cast<std::size_t>(layer);
  const char letter = i < model.layer_pattern.size() ? model.layer_pattern[i] : '-';
  if (letter == '*') return LayerKind::kAttention;
  if (letter == 'M' && model.mamba) return LayerKind::kMamba;
  return letter == 'E' && model.experts ? LayerKind::kMixture : LayerKind::kFeedForward;
}

}  // namespace

LayerKind layer_kind(const Transformer& model, int layer) {
  if (!model.layer_pattern.empty()) return kind_in_pattern(model, layer);
  if (layer < model.encoder_layers) return LayerKind::kEncoder;
  if (model.encoder_layers > 0) return LayerKind::kDecoder;
  const bool is_routed = is_routed_layer(model, layer);
  if (is_local_layer(model, layer)) {
    return is_routed ? LayerKind::kLocalExperts : LayerKind::kLocalDense;
  }
  return is_routed ? LayerKind::kExperts : LayerKind::kDense;
}

std::int64_t keys_in_reach(const Transformer& model, LayerKind kind, std::int64_t keys) {
  if (!is_local(kind)) return keys;
  return model.local_attention->reached(keys);
}

std::array<int, kNumLayerKinds> layers_by_kind(const Transformer& model) {
  std::array<int, kNumLayerKinds> counts{};
  for (int layer = 0; layer < total_layers(model); ++layer) {
    ++counts[static_cast<std::size_t>(layer_kind(model, layer))];
  }
  return counts;
}

int layers_with_experts(const Transformer& model) {
  const auto counts = layers_by_kind(model);
  int sum = 0;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (has_experts(static_cast<LayerKind>(kind))) sum += counts[kind];
  }
  return sum;
}

LayerKind last_kind(const Transformer& model) { return layer_kind(model, total_layers(model) - 1); }

HeadSize head_size(const Transformer& model) {
  const std::int64_t size = model.head_size.value_or(model.hidden_size / model.num_heads);
  if (!model.latent_attention) return {.query = size, .value = size};
  return {.query = size + model.latent_attention->rope_size,
          .value = model.latent_attention->value_size};
}

MambaShard mamba_shard(const Mamba& mamba, int tp) {
  return {
      .inner = mamba.inner() / tp, .states = mamba.states() / tp, .heads = mamba.num_heads / tp};
}

std::int64_t kv_heads_on_rank(const Transformer& model, int tp) {
  return core::ceil_div(model.num_kv_heads, tp);
}

std::vector<FeedForward> feed_forward_blocks(const Transformer& model, LayerKind kind,
                                             const Slices& slices) {
  if (!has_feed_forward(kind)) return {};
  if (!has_experts(kind)) return {{.ffn_size = model.ffn_size / slices.tp}};
  const Experts& experts = *model.experts;
  std::vector<FeedForward> blocks{{.ffn_size = experts.ffn_size / slices.etp,
                                   .copies = experts.count / slices.ep,
                                   .passes = experts.top_k,
                                   .token_shards = slices.tp / slices.etp,
                                   .of_expert = true}};
  if (experts.shared_ffn_size > 0) {
    blocks.push_back({.ffn_size = experts.shared_ffn_size / slices.tp});
  }
  return blocks;
}

std::vector<Matrix> layer_matrices(const Transformer& model, LayerKind kind, const Slices& slices) {
  const std::int64_t hidden = model.hidden_size;
  std::vector<Matrix> matrices;
  if (kind == LayerKind::kMamba) add_mamba(model, slices.tp, matrices);
  if (has_attention(kind)) add_attention(model, slices.tp, matrices);
  if (kind == LayerKind::kDecoder) add_attention_to_encoder(model, slices.tp, matrices);
  if (has_experts(kind)) {
    matrices.push_back(
        {.inner = hidden, .columns = model.experts->count, .block = MatrixBlock::kRouter});
  }
  for (const FeedForward& block : feed_forward_blocks(model, kind, slices)) {
    Matrix matrix{.inner = hidden,
                  .columns = (model.gated_ffn ? 2 : 1) * block.ffn_size,
                  .copies = block.copies,
                  .passes = block.passes,
                  .token_shards = block.token_shards,
                  .of_expert = block.of_expert,
                  .block = MatrixBlock::kFeedForward,
                  .behind_norm = !block.of_expert};
    matrices.push_back(matrix);
    matrix.behind_norm = false;
    matrix.inner = block.ffn_size;
    matrix.columns = hidden;
    matrix.ends_block = true;
    matrices.push_back(matrix);
  }
  return matrices;
}

std::int64_t layer_vector_parameters(const Transformer& model, LayerKind kind,
                                     const Slices& slices) {
  std::int64_t parameters = num_blocks(kind) * norm_parameters(model);
  if (kind == LayerKind::kMamba) parameters += mamba_vector_parameters(*model.mamba, slices.tp);
  if (model.latent_attention && has_attention(kind)) {
    const LatentAttention& latent = *model.latent_attention;
    parameters += static_cast<std::int64_t>(latent.query_rank) + latent.kv_rank;
  }
  if (!model.biases) return parameters;
  for (const Matrix& matrix : layer_matrices(model, kind, slices)) {
    parameters += matrix.columns * matrix.copies;
  }
  return parameters;
}

std::int64_t expert_parameters(const Transformer& model, LayerKind kind, const Slices& slices) {
  std::int64_t parameters = 0;
  for (const Matrix& matrix : layer_matrices(model, kind, slices)) {
    if (matrix.of_expert) parameters += matrix.parameters();
  }
  return parameters;
}

std::int64_t layer_parameters(const Transformer& model, LayerKind kind, const Slices& slices) {
  std::int64_t parameters = layer_vector_parameters(model, kind, slices);
  for (const Matrix& matrix : layer_matrices(model, kind, slices)) {
    parameters += matrix.parameters();
  }
  return parameters;
}

std::int64_t final_norm_parameters(const Transformer& model) {
  const std::int64_t num_norms = model.encoder_layers > 0 ? 2 : 1;
  return num_norms * norm_parameters(model);
}

Matrix mtp_projection(const Transformer& model) {
  const std::int64_t hidden = model.hidden_size;
  return {.inner = 2 * hidden, .columns = hidden, .behind_norm = true};
}

std::int64_t mtp_parameters(const Transformer& model) {
  return model.mtp_layers * (mtp_projection(model).parameters() + 3 * norm_parameters(model));
}

std::int64_t embedding_vector_parameters(const Transformer& model) {
  const std::int64_t positions = static_cast<std::int64_t>(model.positions) * model.hidden_size;
  return positions + (model.embedding_norm ? norm_parameters(model) : 0);
}

std::int64_t num_parameters(const Transformer& model) {
  const std::int64_t num_embeddings = model.tied_embeddings ? 1 : 2;
  return num_embeddings * embedding_parameters(model) + embedding_vector_parameters(model) +
         final_norm_parameters(model) + mtp_parameters(model) +
         sum_over_layers(model, [&](LayerKind kind) { return layer_parameters(model, kind); });
}

ForwardWork forward_work_per_token(const Transformer& model, int sequence_length) {
  const HeadSize head = head_size(model);
  const double scores = 2.0 * model.num_heads * static_cast<double>(head.query + head.value);
  const double matrices = sum_over_layers(model, [&](LayerKind kind) {
    double active = 0.0;
    for (const Matrix& matrix : layer_matrices(model, kind)) {
      active += static_cast<double>(matrix.active_parameters());
    }
    return active;
  });
  const double attended = sum_over_layers(model, [&](LayerKind kind) {
    if (!has_attention(kind)) return 0.0;
    const auto keys = static_cast<double>(keys_in_reach(model, kind, sequence_length));
    return kind == LayerKind::kDecoder ? 2.0 * keys : keys;
  });
  // Seven operations for each number of a state, as Megatron-LM counts them. [@megatron_core_moe]
  const double scans = sum_over_layers(model, [&](LayerKind kind) {
    if (kind != LayerKind::kMamba) return 0.0;
    return 7.0 * static_cast<double>(model.mamba->inner()) * model.mamba->state_size;
  });
  const auto projections =
      static_cast<double>(model.mtp_layers * mtp_projection(model).parameters());
  const double heads = (1.0 + model.mtp_layers) * static_cast<double>(embedding_parameters(model));
  return {.layers = core::Work::from_base(2.0 * (matrices + projections) + scans),
          .head = core::Work::from_base(2.0 * heads),
          .attention = core::Work::from_base(scores * attended)};
}

core::Work training_work_per_token(const Transformer& model, int sequence_length) {
  const ForwardWork forward = forward_work_per_token(model, sequence_length);
  return (forward.layers + forward.head + forward.attention) * 3.0;
}

}  // namespace railwright::models
