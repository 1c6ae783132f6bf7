// SPDX-License-Identifier: Apache-2.0
// The keys of transformer.hpp.
#pragma once

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/image_encoder_fields.hpp"
#include "railwright/models/workload/mixer_fields.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

constexpr auto LatentAttention::fields() {
  using core::between;
  using core::field;
  return core::field_list(
      field("query_rank", &LatentAttention::query_rank,
            "Width of the vector that queries come out of; 0 where they are not compressed.",
            between(0, 1'000'000), core::optional),
      field("kv_rank", &LatentAttention::kv_rank,
            "Width of the vector that keys and values come out of.", between(1, 1'000'000)),
      field("rope_size", &LatentAttention::rope_size,
            "Width of a query and of the one shared key that carries positions, beside head_size.",
            between(0, 1'000'000)),
      field("value_size", &LatentAttention::value_size, "Width of a head's value.",
            between(1, 1'000'000)));
}

constexpr auto LocalAttention::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("window", &LocalAttention::window,
            "Last tokens that a token attends to, itself included; 0 where chunks are in place.",
            between(0, 100'000'000), optional),
      field("chunk", &LocalAttention::chunk,
            "In place of a window: a token attends to those of its own chunk of this length.",
            between(0, 100'000'000), optional),
      field("global_every", &LocalAttention::global_every,
            "Every such layer, the last of each group, attends to all tokens; 0: none does.",
            between(0, 10'000), optional));
}

constexpr auto Experts::fields() {
  using core::between;
  using core::field;
  return core::field_list(
      field("count", &Experts::count, "Experts in a layer.", between(1, 100'000)),
      field("top_k", &Experts::top_k, "Experts that a token passes.", between(1, 100'000)),
      field("ffn_size", &Experts::ffn_size, "Width of one expert.", between(1, 4'000'000)),
      field("shared_ffn_size", &Experts::shared_ffn_size,
            "Width of the experts that every token passes, together.", between(0, 4'000'000),
            core::optional),
      field("latent_size", &Experts::latent_size,
            "Width of the vectors that routed experts take and give, made of the model's by a "
            "matrix before them and one behind them; 0: the model's own.",
            between(0, 1'000'000), core::optional),
      field("dense_layers", &Experts::dense_layers,
            "First layers with a plain feed-forward block instead.", between(0, 10'000),
            core::optional),
      field("every", &Experts::every,
            "Behind them every such layer, the last of each group, has experts, and the others a "
            "plain feed-forward block; 1: all have experts.",
            between(1, 10'000), core::optional),
      field("groups", &Experts::groups,
            "Equal groups of the experts, in their order, of which the router chooses some "
            "before it chooses experts in them. [@deepseek_v3]",
            between(1, 100'000), core::optional),
      field("top_groups", &Experts::top_groups,
            "Groups that the experts of a token are in, at most: what bounds the nodes that it "
            "goes to.",
            between(1, 100'000), core::optional));
}

constexpr auto Mamba::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("num_heads", &Mamba::num_heads, "Heads of the mixer.", between(1, 16'384)),
      field("head_size", &Mamba::head_size, "Width of a head.", between(1, 16'384)),
      field("state_size", &Mamba::state_size, "State of each channel of a head.",
            between(1, 16'384)),
      field("num_groups", &Mamba::num_groups,
            "Groups of heads that write to and read from states by the same vectors.",
            between(1, 16'384), optional),
      field("conv_size", &Mamba::conv_size, "Tokens that the convolution spans.", between(1, 1'000),
            optional),
      field("chunk_size", &Mamba::chunk_size,
            "Tokens between two states that the kernels write to memory.", between(1, 100'000),
            optional));
}

// NOLINTNEXTLINE(readability-function-size): a row a key
constexpr auto Transformer::fields() {
  using core::between;
  using core::field;
  using core::optional;
  return core::field_list(
      field("name", &Transformer::name, "Name in the catalogue."),
      field("description", &Transformer::description, "The model in words."),
      field("source", &Transformer::source, "Where the shape is published."),
      field("num_layers", &Transformer::num_layers,
            "Layers; of the decoder where there is an encoder too.", between(1, 10'000)),
      field("encoder_layers", &Transformer::encoder_layers,
            "Layers of an encoder that the decoder attends to.", between(0, 10'000), optional),
      field("mtp_layers", &Transformer::mtp_layers,
            "Modules of multi-token prediction behind the last layer, each with a layer like it, "
            "a projection of two vectors to one and the head once more. [@deepseek_v3]",
            between(0, 100), optional),
      field("hidden_size", &Transformer::hidden_size, "Width of the residual stream.",
            between(1, 1'000'000)),
      field("num_heads", &Transformer::num_heads, "Attention heads.", between(1, 1'000'000)),
      field("num_kv_heads", &Transformer::num_kv_heads,
            "Key-value heads; fewer than heads is grouped-query attention, one is multi-query.",
            between(1, 1'000'000)),
      field("head_size", &Transformer::head_size,
            "Width of a head; hidden_size / num_heads where absent.", between(1, 1'000'000)),
      field("latent_attention", &Transformer::latent_attention,
            "Multi-head latent attention instead of keys and values a head."),
      field("local_attention", &Transformer::local_attention,
            "Layers that attend to near tokens alone; absent where all attend to all."),
      field("image_encoder", &Transformer::image_encoder,
            "What turns images into tokens in front of the first layer; where absent, nothing "
            "does."),
      field("causal", &Transformer::causal,
            "Whether a token attends to those before it only; false for an encoder alone.",
            optional),
      field("query_key_norm", &Transformer::query_key_norm,
            "What queries and keys are normed over before attention: nothing, each head, or the "
            "whole of all heads, whose sum accelerators of tensor parallelism make together. The "
            "norms' parameters are not counted.",
            optional),
      field("ffn_size", &Transformer::ffn_size, "Width of the feed-forward block.",
            between(1, 4'000'000)),
      field("gated_ffn", &Transformer::gated_ffn,
            "Whether the feed-forward block has a gate (SwiGLU), so three matrices not two.",
            optional),
      field("experts", &Transformer::experts, "Mixture of experts in the feed-forward block."),
      field("mamba", &Transformer::mamba, "The Mamba-2 mixers of `layer_pattern`."),
      field("mixers", &Transformer::mixers,
            "Other mixers of tokens than the model's attention, up to four: the first is `a` in "
            "the patterns, the second `b`, and so on.",
            optional),
      field("mixer_pattern", &Transformer::mixer_pattern,
            "A letter for each layer, of `mixers`, or * for the model's own attention; repeated "
            "where it is shorter than the model. Absent: all layers have the first of `mixers`, "
            "if there are any.",
            optional),
      field("layer_pattern", &Transformer::layer_pattern,
            "A letter for each layer, which is then a block alone: M a Mamba-2 mixer, * "
            "self-attention, a to d one of `mixers`, - a feed-forward block, E a mixture of "
            "experts. Absent: every layer is a mixer and a feed-forward block.",
            optional),
      field("vocabulary_size", &Transformer::vocabulary_size, "Tokens in the vocabulary.",
            between(1, 10'000'000)),
      field("tied_embeddings", &Transformer::tied_embeddings,
            "Whether the LM head shares the embedding matrix.", optional),
      field("positions", &Transformer::positions,
            "Learned position embeddings; 0 where positions are rotary, relative or fixed.",
            between(0, 100'000'000), optional),
      field("context", &Transformer::context,
            "Most tokens of a prompt and its answer: max_position_embeddings of the config.json. "
            "0: those of `positions`, or no limit is known.",
            between(0, 100'000'000), optional),
      field("embedding_norm", &Transformer::embedding_norm, "Whether a norm follows the embedding.",
            optional),
      field("biases", &Transformer::biases,
            "Whether matrices and norms have biases, as GPT-2 and its kin do.", optional),
      field("acceptance_lengths", &Transformer::acceptance_lengths,
            "Tokens that a step of speculative decoding gave in the mean with one drafted token, "
            "two, and so on, as published."));
}

}  // namespace railwright::models
