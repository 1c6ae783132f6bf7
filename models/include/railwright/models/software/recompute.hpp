// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "railwright/core/config/fields.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::models {

enum class Recompute : std::uint8_t {
  kNone,
  kActivationFunction,  ///< activation of the feed-forward block, including its gate
  kSelective,           ///< attention, or the modules that the stack lists
  kElementwise,         ///< all except matrix products: attention, norms, activations
  kAlternateProducts,   ///< all except attention and every second matrix product
  kFeedForward,         ///< all except the projections of attention
  kAllButQkv,           ///< all except queries, keys and values
  kFull,
};

constexpr auto enum_words(Recompute) {
  using enum Recompute;
  return core::words<Recompute>({{"none", kNone},
                                 {"activation_function", kActivationFunction},
                                 {"selective", kSelective},
                                 {"elementwise", kElementwise},
                                 {"alternate_products", kAlternateProducts},
                                 {"feed_forward", kFeedForward},
                                 {"all_but_qkv", kAllButQkv},
                                 {"full", kFull}});
}

/// Modules that `selective` recompute may list: Megatron-Core's core_attn, layernorm, mla_up_proj,
/// mlp, moe_act, moe and shared_experts, in this order. [@megatron_core_moe]
enum class RecomputeModule : std::uint8_t {
  kAttention,
  kNorms,
  kLatentProjections,  ///< latent attention's, up to queries, keys and values
  kFeedForward,        ///< blocks of layers without experts
  kExpertActivation,
  kExperts,  ///< routing, exchange and shared experts included
  kSharedExperts,
};

constexpr auto enum_words(RecomputeModule) {
  using enum RecomputeModule;
  return core::words<RecomputeModule>({{"attention", kAttention},
                                       {"norms", kNorms},
                                       {"latent_projections", kLatentProjections},
                                       {"feed_forward", kFeedForward},
                                       {"expert_activation", kExpertActivation},
                                       {"experts", kExperts},
                                       {"shared_experts", kSharedExperts}});
}

/// The parts of a layer that run again in its backward pass and are not kept from its forward pass.
struct Recomputed {
  bool attention = false;
  bool norms = false;
  bool residual = false;  ///< the sum after attention
  bool latent_projections = false;
  bool attention_projection = false;
  /// Keys, the projection after attention, and the second half of a gated block, if queries, keys,
  /// values and both halves are separate products.
  bool alternate_products = false;
  bool activation = false;         ///< activation of feed-forward blocks
  bool expert_activation = false;  ///< activation of routed experts
  bool feed_forward = false;       ///< blocks of layers without experts
  bool experts = false;            ///< routed experts, and their exchange
  bool shared_experts = false;
  bool other_elementwise = false;  ///< rotary positions, sums, permutation
  /// The last product of a block, which nothing in the backward pass reads: a checkpointed function
  /// runs whole.
  bool last_product = false;
  bool layer = false;  ///< the whole layer: only its input is kept

  [[nodiscard]] bool any() const { return *this != Recomputed{}; }
  friend bool operator==(const Recomputed&, const Recomputed&) = default;
};

/// Resolves the settings. `modules` only matters under selective recompute; an empty list means
/// attention.
[[nodiscard]] Recomputed recomputed(Recompute recompute, std::span<const RecomputeModule> modules);

/// Whether the feed-forward blocks of a layer's kind run again, those of routed experts if
/// `of_expert`.
[[nodiscard]] bool runs_feed_forward_again(const Recomputed& again, LayerKind kind, bool of_expert);

/// Returns the share of a product's columns that runs again.
[[nodiscard]] double share_again(const Recomputed& again, LayerKind kind, const Matrix& matrix,
                                 const Transformer& model);

/// Computes the products and attention of all layers that run again for a token.
[[nodiscard]] core::Work recomputed_work_per_token(const Transformer& model, int sequence_length,
                                                   const Recomputed& again);

}  // namespace railwright::models
