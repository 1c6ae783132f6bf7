// SPDX-License-Identifier: Apache-2.0
// A dense decoder-only transformer: its shape, parameters and arithmetic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "railwright/core/config/fields.hpp"
#include "railwright/core/units/quantity.hpp"

namespace railwright::models {

/// Shape of a decoder. All counts are whole-model values, before any parallelism.
struct Transformer {
  static constexpr std::string_view kKind = "workloads";

  std::string name;
  std::string description;
  std::string source;
  int num_layers = 0;
  int hidden_size = 0;
  int num_heads = 0;
  int num_kv_heads = 0;
  int ffn_size = 0;
  bool gated_ffn = true;
  int vocabulary_size = 0;
  bool tied_embeddings = false;

  static constexpr auto fields() {
    using core::between;
    using core::field;
    return std::tuple{
        field("name", &Transformer::name, "Name in the catalogue."),
        field("description", &Transformer::description, "The model in words."),
        field("source", &Transformer::source, "Where the shape is published."),
        field("num_layers", &Transformer::num_layers, "Decoder layers.", between(1, 10'000)),
        field("hidden_size", &Transformer::hidden_size, "Width of the residual stream.",
              between(1, 1'000'000)),
        field("num_heads", &Transformer::num_heads, "Attention heads.", between(1, 1'000'000)),
        field("num_kv_heads", &Transformer::num_kv_heads,
              "Key-value heads; fewer than heads is grouped-query attention.",
              between(1, 1'000'000)),
        field("ffn_size", &Transformer::ffn_size, "Width of the feed-forward block.",
              between(1, 4'000'000)),
        field("gated_ffn", &Transformer::gated_ffn,
              "Whether the feed-forward block has a gate (SwiGLU), so three matrices not two.",
              core::optional),
        field("vocabulary_size", &Transformer::vocabulary_size, "Tokens in the vocabulary.",
              between(1, 10'000'000)),
        field("tied_embeddings", &Transformer::tied_embeddings,
              "Whether the LM head shares the embedding matrix.", core::optional)};
  }
};

/// Parameters of the matrices of one layer: attention (QKV and output) and feed-forward.
std::int64_t layer_matrix_parameters(const Transformer& model);
/// All parameters of one layer: the matrices and two norms.
std::int64_t layer_parameters(const Transformer& model);
/// One vocabulary_size x hidden_size matrix.
std::int64_t embedding_parameters(const Transformer& model);
/// All parameters: layers, embedding, LM head unless tied, final norm.
std::int64_t num_parameters(const Transformer& model);

/// Model FLOPs to train on one token: 6 per matrix parameter, LM head included, plus the full
/// (not causal) attention products, 12 * layers * hidden * sequence. [@narayanan2021megatron]
core::Work training_work_per_token(const Transformer& model, int sequence_length);

}  // namespace railwright::models
