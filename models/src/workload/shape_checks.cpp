// SPDX-License-Identifier: Apache-2.0
// Checks that the numbers of a shape do not contradict one another.
#include <fmt/format.h>

#include <functional>
#include <iterator>
#include <utility>

#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

namespace {

using Require = std::function<void(bool holds, std::string_view key, std::string message)>;

/// Returns the letters that stand for `mixers` in a pattern.
std::string letters_of_mixers(const Transformer& model) {
  std::string letters;
  for (std::size_t i = 0; i < model.mixers.size(); ++i) letters += static_cast<char>('a' + i);
  return letters;
}

/// Checks each of `mixers` by its kind, and that the pattern names no others.
void check_mixers(const Transformer& model, const Require& require) {
  const std::string& pattern = model.mixer_pattern;
  require(!model.mixers.empty() || pattern.empty(), "mixer_pattern", "there are no `mixers`");
  if (model.mixers.empty()) return;
  require(std::ssize(model.mixers) <= kMaxMixers, "mixers",
          fmt::format("{} mixers are more than {}", model.mixers.size(), kMaxMixers));
  require(pattern.find_first_not_of("*" + letters_of_mixers(model)) == std::string::npos,
          "mixer_pattern", "letters other than * and those of `mixers`");
  require(pattern.empty() || model.layer_pattern.empty(), "mixer_pattern",
          "the layer pattern says where mixers are");
  require(model.causal && model.encoder_layers == 0, "mixers",
          "only supported for decoder-only models");
  require(!model.local_attention || pattern.find('*') != std::string::npos, "local_attention",
          "no layer has the model's own attention");
  int i = 0;
  for (const Mixer& mixer : listed_mixers(model)) {
    const std::string key = fmt::format("mixers[{}]", i++);
    require(mixer.num_heads % mixer.num_kv_heads == 0, key + ".num_kv_heads",
            fmt::format("num_heads {} is not divisible by num_kv_heads {}", mixer.num_heads,
                        mixer.num_kv_heads));
    if (mixer.kind->problems == nullptr) continue;
    for (core::Problem& problem : mixer.kind->problems(mixer)) {
      require(false, key + "." + problem.key, std::move(problem.message));
    }
  }
}

/// Checks that the pattern of a hybrid model names each layer, by blocks that the model has.
void check_pattern(const Transformer& model, const Require& require) {
  const std::string& pattern = model.layer_pattern;
  constexpr auto kKey = "layer_pattern";
  if (pattern.empty()) {
    require(!model.mamba, kKey, "missing key 'layer_pattern'; it says which layers are Mamba-2's");
    return;
  }
  require(std::ssize(pattern) == model.num_layers, kKey,
          fmt::format("{} letters for {} layers", pattern.size(), model.num_layers));
  const bool is_known =
      pattern.find_first_not_of("M*-E" + letters_of_mixers(model)) == std::string::npos;
  require(is_known, kKey,
          "letters other than M, *, - and E" +
              std::string(model.mixers.empty() ? "" : ", and those of `mixers`"));
  require(pattern.find('M') == std::string::npos || model.mamba, "mamba",
          "layer_pattern has Mamba-2 layers, but `mamba` is missing");
  require(pattern.find('E') == std::string::npos || model.experts, "experts",
          "layer_pattern has expert layers, but `experts` is missing");
  require(model.encoder_layers == 0, "encoder_layers",
          "a model with an encoder has no layer pattern");
  constexpr auto kSaid = "the layer pattern says where experts are";
  require(!model.experts || model.experts->dense_layers == 0, "experts.dense_layers", kSaid);
  require(!model.experts || model.experts->every == 1, "experts.every", kSaid);
  if (!model.mamba) return;
  require(model.mamba->num_heads % model.mamba->num_groups == 0, "mamba.num_groups",
          fmt::format("{} heads are not divisible by {} groups", model.mamba->num_heads,
                      model.mamba->num_groups));
}

/// Checks that local attention has one reach, in a model whose layers are attention and a
/// feed-forward block.
void check_local_attention(const Transformer& model, const Require& require) {
  if (!model.local_attention) return;
  constexpr auto kKey = "local_attention";
  const LocalAttention& local = *model.local_attention;
  require((local.window > 0) != (local.chunk > 0), kKey, "needs either 'window' or 'chunk'");
  require(model.causal && model.encoder_layers == 0, kKey,
          "only supported for decoder-only models");
  require(model.layer_pattern.empty(), kKey, "not supported beside a layer pattern");
}

void check_groups(const Experts& experts, const Require& require) {
  const int groups = experts.groups;
  require(experts.count % groups == 0, "experts.groups",
          fmt::format("{} experts are not divisible by {} groups", experts.count, groups));
  require(experts.top_groups <= groups, "experts.top_groups",
          fmt::format("a token cannot choose {} of {} groups", experts.top_groups, groups));
  const int in_reach = experts.count / groups * experts.top_groups;
  require(groups == 1 || experts.top_k <= in_reach, "experts.top_groups",
          fmt::format("{} of {} groups have {} experts, fewer than the {} that a token passes",
                      experts.top_groups, groups, in_reach, experts.top_k));
}

void check_shape(const Transformer& model, const Require& require) {
  require(model.head_size || model.hidden_size % model.num_heads == 0, "num_heads",
          fmt::format("hidden_size {} is not divisible by num_heads {}", model.hidden_size,
                      model.num_heads));
  if (const auto& encoder = model.image_encoder) {
    require(encoder->hidden_size % encoder->num_heads == 0, "image_encoder.num_heads",
            fmt::format("hidden_size {} is not divisible by num_heads {}", encoder->hidden_size,
                        encoder->num_heads));
  }
  require(model.num_heads % model.num_kv_heads == 0, "num_kv_heads",
          fmt::format("num_heads {} is not divisible by num_kv_heads {}", model.num_heads,
                      model.num_kv_heads));
  require(!model.latent_attention || model.num_kv_heads == model.num_heads, "num_kv_heads",
          fmt::format("latent attention has as many key-value heads as heads, got {} and {}",
                      model.num_kv_heads, model.num_heads));
  check_pattern(model, require);
  check_mixers(model, require);
  check_local_attention(model, require);
  const bool has_encoder = model.encoder_layers > 0;
  require(!has_encoder || model.causal, "causal", "a decoder with an encoder is causal");
  require(!has_encoder || !(model.experts || model.latent_attention), "encoder_layers",
          "experts and latent attention are only supported for decoder-only models");
  if (!model.experts) return;
  require(model.experts->top_k <= model.experts->count, "experts.top_k",
          fmt::format("a token cannot pass {} of {} experts", model.experts->top_k,
                      model.experts->count));
  check_groups(*model.experts, require);
  require(model.experts->dense_layers <= model.num_layers, "experts.dense_layers",
          fmt::format("{} dense layers are more than the {} layers", model.experts->dense_layers,
                      model.num_layers));
  const int behind = model.num_layers - model.experts->dense_layers;
  require(behind == 0 || model.experts->every <= behind, "experts.every",
          fmt::format("no layer of {} would have experts", behind));
}

}  // namespace

std::vector<core::Problem> find_problems(const Transformer& model) {
  std::vector<core::Problem> problems;
  check_shape(model, [&](bool holds, std::string_view key, std::string message) {
    if (!holds) problems.push_back({std::string(key), std::move(message)});
  });
  return problems;
}

}  // namespace railwright::models
