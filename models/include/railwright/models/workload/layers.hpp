// SPDX-License-Identifier: Apache-2.0
// What the layers of a transformer are made of. Parameters, arithmetic and memory all read these
// tables.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

enum class LayerKind : std::uint8_t {
  kDense,    ///< attention to itself and one feed-forward block
  kExperts,  ///< attention to itself and a mixture of experts
  kEncoder,  ///< as kDense, over the encoder's tokens
  kDecoder,  ///< as kDense, with attention to the encoder's tokens between the two
};
inline constexpr int kNumLayerKinds = 4;

/// The kind of a layer, numbered from 0, the encoder's first.
LayerKind layer_kind(const Transformer& model, int layer);

/// Residual blocks, each behind a norm: attention, attention to the encoder, feed-forward.
constexpr int num_blocks(LayerKind kind) { return kind == LayerKind::kDecoder ? 3 : 2; }

/// Layers of each kind.
std::array<int, kNumLayerKinds> layers_by_kind(const Transformer& model);
/// Of the last layer, and of the one in a module of multi-token prediction.
LayerKind last_kind(const Transformer& model);

/// How many ranks a layer is cut over.
struct Slices {
  int tp = 1;
  int ep = 1;   ///< that share out the experts
  int etp = 1;  ///< that each expert is cut over: tp, or 1 where each rank brings its own tokens
};

/// Everything over tensor-parallel ranks alone.
constexpr Slices over_tensor_ranks(int tp) { return {.tp = tp, .ep = 1, .etp = tp}; }

/// What a matrix is part of.
enum class MatrixBlock : std::uint8_t { kAttention, kRouter, kFeedForward };

/// A matrix product of a layer, as one rank holds its matrix.
struct Matrix {
  std::int64_t inner = 0;
  std::int64_t columns = 0;
  std::int64_t copies = 1;        ///< experts on this rank
  std::int64_t passes = 1;        ///< copies that a token passes
  std::int64_t token_shards = 1;  ///< ranks that share out the tokens before the product
  bool of_expert = false;
  MatrixBlock block = MatrixBlock::kAttention;
  bool behind_norm = false;  ///< its rows are what a norm gives
  bool from_latent = false;  ///< its rows are latent attention's narrow vectors
  bool ends_block = false;   ///< it gives what a block adds to the residual stream
  bool of_encoder =
      false;  ///< its rows are the encoder's tokens, though the layer is the decoder's

  [[nodiscard]] std::int64_t parameters() const { return inner * columns * copies; }
  /// Of the copies that a token passes.
  [[nodiscard]] std::int64_t active_parameters() const { return inner * columns * passes; }
};

/// The feed-forward block as a rank holds it.
struct FeedForward {
  std::int64_t ffn_size = 0;  ///< of this rank
  std::int64_t copies = 1;
  std::int64_t passes = 1;
  std::int64_t token_shards = 1;
  bool of_expert = false;
};

/// Query, key and value widths of one head.
struct HeadSize {
  std::int64_t query = 0;  ///< and key
  std::int64_t value = 0;
};

HeadSize head_size(const Transformer& model);

/// Products of a layer in the order of a forward pass. Megatron cuts QKV and the first of the
/// feed-forward block by columns, the other two by rows; narrow matrices of latent attention and
/// the router are on every rank. [@narayanan2021megatron]
std::vector<Matrix> layer_matrices(const Transformer& model, LayerKind kind,
                                   const Slices& slices = {});

/// The feed-forward blocks of a layer, shared experts apart.
std::vector<FeedForward> feed_forward_blocks(const Transformer& model, LayerKind kind,
                                             const Slices& slices = {});

/// Norms and biases of a layer, on each rank.
std::int64_t layer_vector_parameters(const Transformer& model, LayerKind kind,
                                     const Slices& slices = {});

/// Matrices of the experts of one layer on one rank.
std::int64_t expert_parameters(const Transformer& model, LayerKind kind, const Slices& slices = {});

/// Matrices and vectors of one layer on one rank, its experts among them.
std::int64_t layer_parameters(const Transformer& model, LayerKind kind, const Slices& slices = {});

/// The norm behind the last layer; there are two where there is an encoder.
std::int64_t final_norm_parameters(const Transformer& model);
/// The projection of the modules of multi-token prediction, from a token's vector and the next
/// one's, and their three norms.
std::int64_t mtp_parameters(const Transformer& model);
Matrix mtp_projection(const Transformer& model);
/// Embedding's own besides its matrix: positions and norm.
std::int64_t embedding_vector_parameters(const Transformer& model);

/// Heads of keys and values on the rank with most: each has at least one.
std::int64_t kv_heads_on_rank(const Transformer& model, int tp);

/// Sums `of_layer(kind)` over all layers, those of multi-token prediction too.
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

/// All parameters: layers, embeddings, LM head unless tied, norms.
std::int64_t num_parameters(const Transformer& model);
/// Of these, what one token passes: all but the experts it is not sent to.
std::int64_t num_active_parameters(const Transformer& model);

/// Operations of a forward pass for one token, as if all tokens of a sequence saw one another.
struct ForwardWork {
  core::Work layers;  ///< their matrices
  core::Work head;
  core::Work attention;
};
ForwardWork forward_work_per_token(const Transformer& model, int sequence_length);

/// Model FLOPs to train on one token: 6 per matrix parameter that a token passes, LM head included,
/// plus the full (not causal) attention products, 12 * layers * width of all heads * sequence.
/// [@narayanan2021megatron]
core::Work training_work_per_token(const Transformer& model, int sequence_length);

}  // namespace railwright::models
