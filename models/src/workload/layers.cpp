// SPDX-License-Identifier: Apache-2.0
#include "railwright/models/workload/layers.hpp"

#include <algorithm>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/models/workload/image_parameters.hpp"

namespace railwright::models {

namespace {

std::int64_t norm_parameters(const Transformer& model) {
  return static_cast<std::int64_t>(model.hidden_size) * (model.biases ? 2 : 1);
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

bool is_routed_layer(const Transformer& model, int layer) {
  if (!model.experts || layer < model.experts->dense_layers) return false;
  return (layer + 1 - model.experts->dense_layers) % model.experts->every == 0;
}

bool is_local_layer(const Transformer& model, int layer) {
  if (!model.local_attention) return false;
  const int every = model.local_attention->global_every;
  return every == 0 || (layer + 1) % every != 0;
}

/// Returns which of `mixers` a letter of a pattern stands for; none: -1.
int mixer_of_letter(const Transformer& model, char letter) {
  const int mixer = letter - 'a';
  return mixer >= 0 && std::cmp_less(mixer, model.mixers.size()) && mixer < kMaxMixers ? mixer : -1;
}

/// Returns which of `mixers` a layer has; its own attention: -1.
int mixer_of_layer(const Transformer& model, int layer) {
  if (model.mixers.empty()) return -1;
  if (model.mixer_pattern.empty()) return 0;
  const std::string& pattern = model.mixer_pattern;
  return mixer_of_letter(model, pattern[static_cast<std::size_t>(layer) % pattern.size()]);
}

/// Returns the kind of a layer of a pattern; what the model lacks counts as a feed-forward block.
LayerKind kind_in_pattern(const Transformer& model, int layer) {
  const auto i = static_cast<std::size_t>(layer);
  const char letter = i < model.layer_pattern.size() ? model.layer_pattern[i] : '-';
  if (letter == '*') return LayerKind::kAttention;
  if (const int mixer = mixer_of_letter(model, letter); mixer >= 0) {
    return layer_of_mixer(mixer, BehindMixer::kNothing);
  }
  if (letter == 'M' && model.mamba) return LayerKind::kMamba;
  return letter == 'E' && model.experts ? LayerKind::kMixture : LayerKind::kFeedForward;
}

/// Returns the model's own attention.
Mixer own_attention(const Transformer& model) {
  Mixer own{.num_heads = model.num_heads, .num_kv_heads = model.num_kv_heads};
  own.head_size = model.head_size.value_or(model.hidden_size / std::max(model.num_heads, 1));
  own.value_size = own.head_size;
  if (!model.latent_attention) return own;
  static const core::Row<MixerKind> kLatent("latent");
  own.kind = kLatent;
  own.query_rank = model.latent_attention->query_rank;
  own.kv_rank = model.latent_attention->kv_rank;
  own.rope_size = model.latent_attention->rope_size;
  own.value_size = model.latent_attention->value_size;
  return own;
}

Mixer own_mamba(const Mamba& mamba) {
  static const core::Row<MixerKind> kMamba2("mamba2");
  return {.kind = kMamba2,
          .num_heads = mamba.num_heads,
          .head_size = mamba.head_size,
          .state_size = mamba.state_size,
          .num_groups = mamba.num_groups,
          .conv_size = mamba.conv_size,
          .chunk_size = mamba.chunk_size};
}

/// Fills in what a mixer takes from the model.
Mixer filled_in(const Transformer& model, Mixer mixer) {
  const Mixer own = own_attention(model);
  if (mixer.num_kv_heads == 0) {
    mixer.num_kv_heads = mixer.num_heads == 0 ? own.num_kv_heads : mixer.num_heads;
  }
  if (mixer.num_heads == 0) mixer.num_heads = own.num_heads;
  const bool is_latent = mixer.kv_rank > 0 || own.kv_rank > 0;
  if (mixer.value_size == 0 && mixer.head_size == 0 && is_latent) mixer.value_size = own.value_size;
  if (mixer.head_size == 0) mixer.head_size = own.head_size;
  if (mixer.value_size == 0) mixer.value_size = mixer.head_size;
  if (mixer.kv_rank == 0) {
    mixer.kv_rank = own.kv_rank;
    mixer.rope_size = own.rope_size;
    if (mixer.query_rank == 0) mixer.query_rank = own.query_rank;
  }
  return mixer;
}

}  // namespace

Mixer mixer_of(const Transformer& model, LayerKind kind) {
  if (has_listed_mixer(kind)) {
    return filled_in(model, model.mixers[static_cast<std::size_t>(listed_mixer(kind))]);
  }
  if (kind == LayerKind::kMamba) return own_mamba(*model.mamba);
  Mixer own = own_attention(model);
  if (is_local(kind)) {
    own.window = model.local_attention->window;
    own.chunk = model.local_attention->chunk;
  }
  return own;
}

std::vector<Mixer> listed_mixers(const Transformer& model) {
  std::vector<Mixer> list;
  for (const Mixer& mixer : model.mixers) list.push_back(filled_in(model, mixer));
  return list;
}

std::vector<MixerKernel> mixer_kernels(const Transformer& model, LayerKind kind, int tp) {
  if (!has_mixer(kind)) return {};
  const Mixer mixer = mixer_of(model, kind);
  return mixer.kind->kernels(mixer, tp);
}

std::vector<MixerLayers> mixer_layers(const Transformer& model) {
  const bool is_plain = model.mixers.empty() && model.layer_pattern.empty() &&
                        !model.local_attention && model.encoder_layers == 0;
  if (is_plain) return {{own_attention(model), static_cast<double>(model.num_layers)}};
  const auto counts = layers_by_kind(model);
  std::vector<MixerLayers> list;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto kind = static_cast<LayerKind>(k);
    if (counts[k] == 0 || !has_mixer(kind)) continue;
    const Mixer mixer = mixer_of(model, kind);
    const auto known = std::ranges::find(list, mixer, &MixerLayers::mixer);
    if (known != list.end()) {
      known->count += counts[k];
    } else {
      list.push_back({mixer, static_cast<double>(counts[k])});
    }
  }
  return list;
}

double mean_attended(const MixerKernel& kernel, double from, double to) {
  // The mean of a line that rises by `slope` and is then flat.
  const auto mean = [&](double slope, double limit) {
    const double bend = limit > 0.0 ? std::clamp(limit / slope, from, to) : to;
    const double rising = slope * (bend + from) / 2.0 * (bend - from);
    return (rising + limit * (to - bend)) / (to - from);
  };
  if (to <= from) return kernel.attended(to);
  const auto reach = static_cast<double>(kernel.window > 0 ? kernel.window : kernel.chunk);
  const auto chosen = static_cast<double>(kernel.chosen);
  if (kernel.ratio == 0) {
    const double limit = reach > 0.0 && chosen > 0.0 ? std::min(reach, chosen) : reach + chosen;
    return kernel.has_near ? mean(1.0, limit) : 0.0;
  }
  return (kernel.has_near ? mean(1.0, reach) : 0.0) + mean(1.0 / kernel.ratio, chosen);
}

LayerKind layer_kind(const Transformer& model, int layer) {
  if (!model.layer_pattern.empty()) return kind_in_pattern(model, layer);
  if (layer < model.encoder_layers) return LayerKind::kEncoder;
  if (model.encoder_layers > 0) return LayerKind::kDecoder;
  const bool is_routed = is_routed_layer(model, layer);
  if (const int mixer = mixer_of_layer(model, layer); mixer >= 0) {
    return layer_of_mixer(mixer, is_routed ? BehindMixer::kExperts : BehindMixer::kFeedForward);
  }
  if (is_local_layer(model, layer)) {
    return is_routed ? LayerKind::kLocalExperts : LayerKind::kLocalDense;
  }
  return is_routed ? LayerKind::kExperts : LayerKind::kDense;
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
  if (has_mixer(kind)) {
    const Mixer mixer = mixer_of(model, kind);
    mixer.kind->add_matrices(model, mixer, slices.tp, matrices);
  }
  if (kind == LayerKind::kDecoder) add_attention_to_encoder(model, slices.tp, matrices);
  if (has_experts(kind)) {
    matrices.push_back(
        {.inner = hidden, .columns = model.experts->count, .block = MatrixBlock::kRouter});
  }
  const std::int64_t expert = expert_width(model);
  if (has_experts(kind) && expert != hidden) {
    Matrix narrows{.inner = hidden,
                   .columns = expert,
                   .token_shards = slices.tp / slices.etp,
                   .block = MatrixBlock::kRouter,
                   .behind_norm = true};
    matrices.push_back(narrows);
    std::swap(narrows.inner, narrows.columns);
    narrows.behind_norm = false;
    matrices.push_back(narrows);
  }
  for (const FeedForward& block : feed_forward_blocks(model, kind, slices)) {
    const std::int64_t width = block.of_expert ? expert : hidden;
    Matrix matrix{.inner = width,
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
    matrix.columns = width;
    matrix.ends_block = true;
    matrices.push_back(matrix);
  }
  return matrices;
}

std::int64_t layer_vector_parameters(const Transformer& model, LayerKind kind,
                                     const Slices& slices) {
  std::int64_t parameters = num_blocks(kind) * norm_parameters(model);
  if (has_mixer(kind)) {
    const Mixer mixer = mixer_of(model, kind);
    parameters += mixer.kind->vector_parameters(mixer, slices.tp);
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
  const std::int64_t of_images =
      model.image_encoder ? image_encoder_parameters(*model.image_encoder, model.hidden_size) : 0;
  return positions + (model.embedding_norm ? norm_parameters(model) : 0) + of_images;
}

std::int64_t num_parameters(const Transformer& model) {
  const std::int64_t num_embeddings = model.tied_embeddings ? 1 : 2;
  return num_embeddings * embedding_parameters(model) + embedding_vector_parameters(model) +
         final_norm_parameters(model) + mtp_parameters(model) +
         sum_over_layers(model, [&](LayerKind kind) { return layer_parameters(model, kind); });
}

namespace {

/// Operations of a layer's mixer for one token beside its matrices.
struct MixerWork {
  double attention = 0.0;
  double states = 0.0;

  MixerWork& operator+=(const MixerWork& other) {
    attention += other.attention;
    states += other.states;
    return *this;
  }
  friend MixerWork operator*(int count, const MixerWork& work) {
    return {count * work.attention, count * work.states};
  }
};

/// Counts them as if all tokens of a sequence saw one another.
MixerWork mixer_work(const Transformer& model, LayerKind kind, double keys) {
  MixerWork work;
  for (const MixerKernel& kernel : mixer_kernels(model, kind)) {
    const double widths = static_cast<double>(kernel.query_width + kernel.value_width);
    const double crossed = kind == LayerKind::kDecoder ? 2.0 : 1.0;
    const bool is_state = kernel.work == MixerKernel::Work::kState;
    const double attended = is_state ? 0.0 : kernel.attended(keys);
    work.attention += 2.0 * static_cast<double>(kernel.heads) * widths * attended * crossed;
    work.states += kernel.work_of_token;
  }
  return work;
}

/// Counts the parameters of a layer's matrices that a token passes.
double active_parameters(const Transformer& model, LayerKind kind) {
  double active = 0.0;
  for (const Matrix& matrix : layer_matrices(model, kind)) {
    active += static_cast<double>(matrix.active_parameters());
  }
  return active;
}

}  // namespace

core::Work layer_work_per_token(const Transformer& model, LayerKind kind, int sequence_length) {
  const MixerWork mixer = mixer_work(model, kind, sequence_length);
  return core::Work::from_base(2.0 * active_parameters(model, kind) + mixer.attention +
                               mixer.states);
}

ForwardWork forward_work_per_token(const Transformer& model, int sequence_length) {
  const double matrices =
      sum_over_layers(model, [&](LayerKind kind) { return active_parameters(model, kind); });
  const MixerWork mixers = sum_over_layers(
      model, [&](LayerKind kind) { return mixer_work(model, kind, sequence_length); });
  const auto projections =
      static_cast<double>(model.mtp_layers * mtp_projection(model).parameters());
  const double heads = (1.0 + model.mtp_layers) * static_cast<double>(embedding_parameters(model));
  return {.layers = core::Work::from_base(2.0 * (matrices + projections) + mixers.states),
          .head = core::Work::from_base(2.0 * heads),
          .attention = core::Work::from_base(mixers.attention)};
}

core::Work training_work_per_token(const Transformer& model, int sequence_length) {
  const ForwardWork forward = forward_work_per_token(model, sequence_length);
  return (forward.layers + forward.head + forward.attention) * 3.0;
}

}  // namespace railwright::models
