// SPDX-License-Identifier: Apache-2.0
// The parts of a transformer's layers. Parameters, arithmetic and memory all read these tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

enum class LayerKind : std::uint8_t {
  kDense,         ///< self-attention and one feed-forward block
  kExperts,       ///< self-attention and a mixture of experts
  kEncoder,       ///< like kDense, over the encoder's tokens
  kDecoder,       ///< like kDense, with attention to the encoder's tokens in between
  kLocalDense,    ///< like kDense, with local attention
  kLocalExperts,  ///< like kExperts, with local attention
  // Blocks alone, of a layer pattern.
  kMamba,
  kAttention,
  kFeedForward,
  kMixture,  ///< of experts
  /// The first of three for each of the model's `mixers`: with one feed-forward block, with a
  /// mixture of experts, and alone.
  kFirstMixer,
};
inline constexpr int kMaxMixers = 4;
inline constexpr int kNumLayerKinds = static_cast<int>(LayerKind::kFirstMixer) + 3 * kMaxMixers;

/// The block behind one of the model's `mixers` in a layer.
enum class BehindMixer : std::uint8_t { kFeedForward, kExperts, kNothing };

constexpr LayerKind layer_of_mixer(int mixer, BehindMixer behind) {
  return static_cast<LayerKind>(static_cast<int>(LayerKind::kFirstMixer) + 3 * mixer +
                                static_cast<int>(behind));
}
/// Whether the layer's mixer is one of the model's `mixers`, and which.
constexpr bool has_listed_mixer(LayerKind kind) { return kind >= LayerKind::kFirstMixer; }
constexpr int listed_mixer(LayerKind kind) {
  return (static_cast<int>(kind) - static_cast<int>(LayerKind::kFirstMixer)) / 3;
}
constexpr BehindMixer behind_mixer(LayerKind kind) {
  return static_cast<BehindMixer>(
      (static_cast<int>(kind) - static_cast<int>(LayerKind::kFirstMixer)) % 3);
}

constexpr bool is_block_alone(LayerKind kind) {
  if (has_listed_mixer(kind)) return behind_mixer(kind) == BehindMixer::kNothing;
  return kind >= LayerKind::kMamba;
}
constexpr bool has_experts(LayerKind kind) {
  if (has_listed_mixer(kind)) return behind_mixer(kind) == BehindMixer::kExperts;
  return kind == LayerKind::kExperts || kind == LayerKind::kLocalExperts ||
         kind == LayerKind::kMixture;
}
constexpr bool is_local(LayerKind kind) {
  return kind == LayerKind::kLocalDense || kind == LayerKind::kLocalExperts;
}
constexpr bool has_attention(LayerKind kind) {
  return has_listed_mixer(kind) || !is_block_alone(kind) || kind == LayerKind::kAttention;
}
constexpr bool has_mixer(LayerKind kind) {
  return has_attention(kind) || kind == LayerKind::kMamba;
}
constexpr bool has_feed_forward(LayerKind kind) {
  if (has_listed_mixer(kind)) return behind_mixer(kind) != BehindMixer::kNothing;
  return kind != LayerKind::kMamba && kind != LayerKind::kAttention;
}

/// Returns the kind of a layer, numbered from 0, the encoder's first.
LayerKind layer_kind(const Transformer& model, int layer);

/// Residual blocks, each after a norm: a mixer of tokens, attention to the encoder, feed-forward.
constexpr int num_blocks(LayerKind kind) {
  if (is_block_alone(kind)) return 1;
  return kind == LayerKind::kDecoder ? 3 : 2;
}

/// Returns the mixer of a layer that has one, with all that is the model's own.
Mixer mixer_of(const Transformer& model, LayerKind kind);

/// Returns the model's `mixers`, with all that is its own.
std::vector<Mixer> listed_mixers(const Transformer& model);

/// Returns what runs between the products of a layer's mixer on one of `tp` ranks; nothing if it
/// has none.
std::vector<MixerKernel> mixer_kernels(const Transformer& model, LayerKind kind, int tp = 1);

/// Layers with the same mixer.
struct MixerLayers {
  Mixer mixer;
  double count = 0.0;
};
/// Returns them for all layers that have a mixer.
std::vector<MixerLayers> mixer_layers(const Transformer& model);

/// Counts the layers of each kind.
std::array<int, kNumLayerKinds> layers_by_kind(const Transformer& model);
/// Counts the layers of all kinds with experts.
int layers_with_experts(const Transformer& model);
/// Returns the kind of the last layer, which modules of multi-token prediction share.
LayerKind last_kind(const Transformer& model);

/// The numbers of ranks that divide a layer.
struct Slices {
  int tp = 1;
  int ep = 1;   ///< ranks that experts are spread over
  int etp = 1;  ///< ranks that divide each expert: tp, or 1 if each rank brings its own tokens
};

/// The block that a matrix belongs to.
enum class MatrixBlock : std::uint8_t {
  kAttention,
  kMamba,  ///< a mixer that carries a state
  kRouter,
  kFeedForward,
};

/// A matrix product of a layer, with the matrix as one rank holds it.
struct Matrix {
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t copies = 1;        ///< experts on this rank
  std::int64_t passes = 1;        ///< copies that a token passes
  std::int64_t token_shards = 1;  ///< ranks that divide the tokens before the product
  bool of_expert = false;
  MatrixBlock block = MatrixBlock::kAttention;
  bool behind_norm = false;  ///< its rows are a norm's output
  bool from_latent = false;  ///< its rows are latent attention's narrow vectors
  bool ends_block = false;   ///< its output is what a block adds to the residual stream
  bool of_encoder =
      false;  ///< its rows are the encoder's tokens, though the layer is the decoder's

  [[nodiscard]] std::int64_t parameters() const { return inner * columns * copies; }
  /// Parameters of the copies that a token passes.
  [[nodiscard]] std::int64_t active_parameters() const { return inner * columns * passes; }
};

/// The feed-forward block as a rank holds it.
struct FeedForward {
  std::int64_t ffn_size = 0;  ///< width on this rank
  std::int64_t copies = 1;
  std::int64_t passes = 1;
  std::int64_t token_shards = 1;
  bool of_expert = false;
};

/// Query, key and value widths of one head.
struct HeadSize {
  std::int64_t query = 0;  ///< width of query and key
  std::int64_t value = 0;
};

HeadSize head_size(const Transformer& model);

/// Returns the width of the vectors that experts take and give.
inline std::int64_t expert_width(const Transformer& model) {
  const bool is_narrow = model.experts && model.experts->latent_size > 0;
  return is_narrow ? model.experts->latent_size : model.hidden_size;
}

/// Returns the products of a layer in forward order. Megatron divides QKV and the first matrix of
/// the feed-forward block by columns, the other two by rows; narrow matrices of latent attention
/// and the router are on every rank. [@narayanan2021megatron]
std::vector<Matrix> layer_matrices(const Transformer& model, LayerKind kind,
                                   const Slices& slices = {});

/// Returns the feed-forward blocks of a layer, with shared experts as a separate one.
std::vector<FeedForward> feed_forward_blocks(const Transformer& model, LayerKind kind,
                                             const Slices& slices = {});

/// Counts the norms and biases of a layer, on each rank.
std::int64_t layer_vector_parameters(const Transformer& model, LayerKind kind,
                                     const Slices& slices = {});

/// Counts the matrices of the experts of one layer on one rank.
std::int64_t expert_parameters(const Transformer& model, LayerKind kind, const Slices& slices = {});

/// Counts the matrices and vectors of one layer on one rank, including its experts.
std::int64_t layer_parameters(const Transformer& model, LayerKind kind, const Slices& slices = {});

/// Counts the norm after the last layer; a model with an encoder has two.
std::int64_t final_norm_parameters(const Transformer& model);
/// Counts the projection of the modules of multi-token prediction, from a token's vector and the
/// next one's, and their three norms.
std::int64_t mtp_parameters(const Transformer& model);
Matrix mtp_projection(const Transformer& model);
/// Counts the embedding's parameters besides its matrix: positions, norm, and what encodes images.
std::int64_t embedding_vector_parameters(const Transformer& model);

/// Returns the heads of keys and values on the rank with most; every rank has at least one.
std::int64_t kv_heads_on_rank(const Transformer& model, int tp);

/// Sums `of_layer(kind)` over all layers, including those of multi-token prediction.
template <typename OfLayer>
auto sum_over_layers(const Transformer& model, OfLayer of_layer) {
  const auto counts = layers_by_kind(model);
  decltype(of_layer(LayerKind::kDense)) sum{};
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] > 0) sum += counts[kind] * of_layer(static_cast<LayerKind>(kind));
  }
  if (model.mtp_layers > 0) sum += model.mtp_layers * of_layer(last_kind(model));
  return sum;
}

/// Counts all parameters: layers, embeddings, LM head unless tied, norms.
std::int64_t num_parameters(const Transformer& model);

/// Operations of a forward pass for one token, as if all tokens of a sequence saw one another.
struct ForwardWork {
  core::Work layers;  ///< their matrices
  core::Work head;
  core::Work attention;
};
ForwardWork forward_work_per_token(const Transformer& model, int sequence_length);
/// Computes the part of one layer, attention included.
core::Work layer_work_per_token(const Transformer& model, LayerKind kind, int sequence_length);

/// Computes the model FLOPs to train on one token: 6 per matrix parameter that a token passes, LM
/// head included, plus the full (not causal) attention products, 12 * layers * width of all heads *
/// sequence. [@narayanan2021megatron]
core::Work training_work_per_token(const Transformer& model, int sequence_length);

}  // namespace railwright::models
