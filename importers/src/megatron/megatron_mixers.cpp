// SPDX-License-Identifier: Apache-2.0
#include "megatron_mixers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

namespace railwright::importers {

namespace {

constexpr const char* kMegatronModel = "workload.model";
constexpr std::int64_t kWidestMixer = 1'000'000;

class MegatronMixers {
 public:
  MegatronMixers(TreeValues& arguments, Findings& findings, models::Transformer& model)
      : arguments_(arguments), findings_(findings), model_(model) {}

  bool all() {
    for (const char* name : {"heterogeneous_layers_config_path",
                             "heterogeneous_layers_config_encoded_json", "yaml_cfg"}) {
      if (arguments_.has(name)) return unknown(fmt::format("{} has the layers", name));
    }
    const bool is_known = linear() && hybrid();
    window();
    return is_known;
  }

 private:
  bool unknown(const std::string& reason) {
    findings_.outside(kMegatronModel, reason);
    return false;
  }

  int whole(const char* name, std::int64_t otherwise) {
    return static_cast<int>(arguments_.whole(name, 1, kWidestMixer).value_or(otherwise));
  }

  /// Defaults are those of TransformerConfig. [@megatron_arguments]
  bool linear() {
    const auto variant = arguments_.text("experimental_attention_variant");
    const bool gated = arguments_.truth("attention_output_gate").value_or(false);
    if (variant && *variant != "gdn" && *variant != "gated_delta_net") {
      return unknown(fmt::format("experimental_attention_variant {}", shown(*variant)));
    }
    if (gated && model_.latent_attention) return unknown("attention_output_gate of latent heads");
    has_delta_nets_ = variant.has_value();
    if (has_delta_nets_) {
      model_.mixers.push_back({.kind = core::Row<models::MixerKind>("gated_delta_net"),
                               .num_heads = whole("linear_num_value_heads", 32),
                               .num_kv_heads = whole("linear_num_key_heads", 16),
                               .head_size = whole("linear_key_head_dim", 128),
                               .value_size = whole("linear_value_head_dim", 128),
                               .conv_size = whole("linear_conv_kernel_dim", 4)});
    }
    if (gated) {
      model_.mixers.push_back({.kind = core::Row<models::MixerKind>("attention"),
                               .gate = models::OutputGate::kElements});
    }
    if (!variant || arguments_.has("hybrid_layer_pattern")) return true;
    const core::Node* frequency = arguments_.find("linear_attention_freq");
    if (frequency == nullptr || !frequency->is_scalar() ||
        frequency->text.find_first_not_of("0123456789") != std::string::npos) {
      return unknown("linear_attention_freq is no number of layers");
    }
    const std::int64_t every = arguments_.whole("linear_attention_freq", 1, 10'000).value_or(1);
    model_.mixer_pattern = std::string(static_cast<std::size_t>(every - 1), 'a');
    model_.mixer_pattern += gated ? 'b' : '*';
    return true;
  }

  bool hybrid() {
    auto pattern = arguments_.text("hybrid_layer_pattern");
    const bool is_hybrid = arguments_.truth("is_hybrid_model").value_or(false);
    const int head_size = whole("mamba_head_dim", 64);
    const models::Mamba mamba{
        .num_heads = whole("mamba_num_heads", 2 * std::int64_t{model_.hidden_size} / head_size),
        .head_size = head_size,
        .state_size = whole("mamba_state_dim", 128),
        .num_groups = whole("mamba_num_groups", 8)};
    if (!pattern) {
      return !is_hybrid || unknown("is_hybrid_model, without hybrid_layer_pattern");
    }
    if (const std::size_t slash = pattern->find('/'); slash != std::string::npos) {
      findings_.not_expressed("modules of multi-token prediction of hybrid_layer_pattern");
      pattern->resize(slash);
    }
    if (std::erase(*pattern, '|') > 0) {
      findings_.not_expressed("hybrid_layer_pattern divides stages by |: taken as equal");
    }
    if (has_delta_nets_) std::ranges::replace(*pattern, 'G', 'a');
    if (pattern->find_first_not_of(has_delta_nets_ ? "M*-Ea" : "M*-E") != std::string::npos) {
      return unknown(fmt::format("hybrid_layer_pattern {}", shown(*pattern)));
    }
    model_.layer_pattern = *pattern;
    model_.num_layers = static_cast<int>(pattern->size());
    if (pattern->find('M') != std::string::npos) model_.mamba = mamba;
    return true;
  }

  /// Reads (127, 0): tokens before a token and after it.
  void window() {
    const core::Node* given = arguments_.find("window_size");
    const core::Node* skip = arguments_.find("window_attn_skip_freq");
    if (given == nullptr) return;
    std::string text = given->items.empty() ? given->text : given->items.front().text;
    std::erase_if(text, [](char c) { return c == '(' || c == '[' || c == ' '; });
    int before = -1;
    std::from_chars(text.data(), text.data() + text.size(), before);
    const bool is_every =
        skip == nullptr ||
        (skip->is_scalar() && skip->text.find_first_not_of("0123456789") == std::string::npos);
    if (before < 0) return;
    if (!is_every) {
      findings_.not_expressed("window_attn_skip_freq: attention is taken over the whole sequence");
      return;
    }
    const auto every = arguments_.whole("window_attn_skip_freq", 0, 10'000);
    model_.local_attention = models::LocalAttention{
        .window = before + 1, .global_every = static_cast<int>(every.value_or(0))};
  }

  TreeValues& arguments_;
  Findings& findings_;
  models::Transformer& model_;
  bool has_delta_nets_ = false;
};

}  // namespace

bool add_megatron_mixers(TreeValues& arguments, Findings& findings, models::Transformer& model) {
  return MegatronMixers(arguments, findings, model).all();
}

}  // namespace railwright::importers
