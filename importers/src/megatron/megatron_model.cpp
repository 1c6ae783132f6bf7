// SPDX-License-Identifier: Apache-2.0
#include "megatron_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "../common/model_part.hpp"
#include "megatron_mixers.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/models/workload/layers.hpp"
#include "railwright/models/workload/transformer_fields.hpp"

namespace railwright::importers {

namespace {

class Shape {
 public:
  Shape(TreeValues& arguments, std::int64_t tp, Findings& findings)
      : arguments_(arguments), tp_(tp), findings_(findings) {}

  std::optional<std::int64_t> all() {
    number("num_layers", model_.num_layers, 10'000);
    const auto hidden = number("hidden_size", model_.hidden_size, 1'000'000);
    const auto heads = number("num_attention_heads", model_.num_heads, 1'000'000);
    attention(heads);
    feed_forward(hidden);
    experts();
    const bool has_vocabulary = vocabulary();
    embeddings();
    biases();
    if (!add_megatron_mixers(arguments_, findings_, model_)) return {};
    if (arguments_.has("decoder_num_layers")) {
      findings_.outside("workload.model", "decoder_num_layers: an encoder and a decoder");
      return {};
    }
    const bool has_layers = model_.num_layers > 0;
    write(has_layers && hidden && heads && !depends_on_outside(), has_vocabulary);
    return has_layers ? std::optional<std::int64_t>(model_.num_layers) : std::nullopt;
  }

 private:
  /// Whether a number of the shape that has a default comes from outside the file.
  [[nodiscard]] bool depends_on_outside() const {
    static constexpr auto kOfShape =
        std::to_array<std::string_view>({"num_query_groups",
                                         "attention_head_type",
                                         "ffn_hidden_size",
                                         "kv_channels",
                                         "num_experts",
                                         "moe_router_topk",
                                         "moe_ffn_hidden_size",
                                         "moe_shared_expert_intermediate_size",
                                         "moe_layer_freq",
                                         "q_lora_rank",
                                         "kv_lora_rank",
                                         "qk_head_dim",
                                         "qk_pos_emb_head_dim",
                                         "v_head_dim",
                                         "vocab_size",
                                         "padded_vocab_size",
                                         "mtp_num_layers",
                                         "moe_latent_size",
                                         "hybrid_layer_pattern",
                                         "swiglu",
                                         "quick_geglu",
                                         "squared_relu",
                                         "group_query_attention",
                                         "multi_latent_attention",
                                         "untie_embeddings_and_output_weights",
                                         "disable_bias_linear",
                                         "position_embedding_type",
                                         "use_rotary_position_embeddings",
                                         "mlp_type"});
    return std::ranges::any_of(kOfShape,
                               [&](std::string_view name) { return arguments_.is_outside(name); });
  }

  std::optional<std::int64_t> number(const char* name, int& member, std::int64_t most) {
    const auto value = arguments_.whole(name, 1, most);
    if (value) member = static_cast<int>(*value);
    return value;
  }

  void attention(std::optional<std::int64_t> heads) {
    const bool grouped = arguments_.truth("group_query_attention").value_or(false);
    const auto groups = arguments_.whole("num_query_groups", 1, 1'000'000);
    // BigCode's fork says so that all heads share keys and values.
    const bool shares_one = arguments_.text("attention_head_type") == "multiquery";
    model_.num_kv_heads = static_cast<int>(shares_one ? 1
                                           : grouped  ? groups.value_or(1)
                                                      : heads.value_or(0));
    const bool latent = arguments_.truth("multi_latent_attention").value_or(false);
    const auto channels = arguments_.whole("kv_channels", 1, 1'000'000);
    if (latent) {
      const auto or_default = [&](const char* name, std::int64_t otherwise) {
        return static_cast<int>(arguments_.whole(name, 0, 1'000'000).value_or(otherwise));
      };
      model_.head_size = or_default("qk_head_dim", 128);
      model_.latent_attention =
          models::LatentAttention{.query_rank = or_default("q_lora_rank", 0),
                                  .kv_rank = or_default("kv_lora_rank", 32),
                                  .rope_size = or_default("qk_pos_emb_head_dim", 64),
                                  .value_size = or_default("v_head_dim", 128)};
    } else if (channels && model_.num_heads > 0 &&
               *channels * model_.num_heads != model_.hidden_size) {
      model_.head_size = static_cast<int>(*channels);
    }
  }

  void feed_forward(std::optional<std::int64_t> hidden) {
    model_.gated_ffn = arguments_.truth("swiglu").value_or(false) ||
                       arguments_.truth("quick_geglu").value_or(false);
    if (arguments_.truth("squared_relu").value_or(false)) model_.gated_ffn = false;
    const auto width = arguments_.whole("ffn_hidden_size", 1, 4'000'000);
    if (width) {
      model_.ffn_size = static_cast<int>(*width);
    } else if (hidden) {
      // arguments.py takes 4 * hidden, with SwiGLU two thirds of it in multiples of 64.
      model_.ffn_size =
          static_cast<int>(model_.gated_ffn ? *hidden * 4 * 2 / 3 / 64 * 64 : *hidden * 4);
    }
  }

  void experts() {
    const auto count = arguments_.whole("num_experts", 1, 100'000);
    const auto top_k = arguments_.whole("moe_router_topk", 1, 100'000);
    const auto groups = arguments_.whole("moe_router_num_groups", 1, 100'000);
    const auto top_groups = arguments_.whole("moe_router_group_topk", 1, 100'000);
    const auto width = arguments_.whole("moe_ffn_hidden_size", 1, 4'000'000);
    const auto shared = arguments_.whole("moe_shared_expert_intermediate_size", 0, 4'000'000);
    const auto latent = arguments_.whole("moe_latent_size", 1, 1'000'000);
    const core::Node* frequency = arguments_.find("moe_layer_freq");
    // Megatron-DeepSpeed has one expert where there are none, and sends a token to one.
    const bool is_deepspeeds = arguments_.has("zero_stage") || arguments_.has("deepspeed");
    const bool has_residual = arguments_.text("mlp_type").value_or("") == "residual";
    if (count.value_or(1) == 1) return;
    model_.experts = models::Experts{
        .count = static_cast<int>(*count),
        .top_k = static_cast<int>(top_k.value_or(is_deepspeeds ? 1 : 2)),
        .ffn_size = static_cast<int>(width.value_or(model_.ffn_size)),
        .shared_ffn_size = static_cast<int>(shared.value_or(has_residual ? model_.ffn_size : 0)),
        .latent_size = static_cast<int>(latent.value_or(0))};
    if (groups && top_groups) {
      model_.experts->groups = static_cast<int>(*groups);
      model_.experts->top_groups = static_cast<int>(*top_groups);
    }
    if (frequency == nullptr || frequency->text == "1") return;
    if (const auto every = core::number_of(frequency->text);
        every > 1.0 && every == std::floor(every) && every <= model_.num_layers) {
      model_.experts->every = static_cast<int>(every);
      findings_.not_expressed(fmt::format(
          "moe_layer_freq {}: the last layer of each group is taken to have experts, not the first",
          shown(frequency->text)));
      return;
    }
    // "([0]*3+[1]*58)"
    std::string text = frequency->text;
    std::erase_if(text, [](char c) { return c == ' ' || c == '(' || c == ')'; });
    const std::size_t plus = text.find("+[1]*");
    if (text.starts_with("[0]*") && plus != std::string::npos) {
      const double dense = core::number_of(std::string_view(text).substr(4, plus - 4));
      const double others = core::number_of(std::string_view(text).substr(plus + 5));
      if (dense >= 0.0 && dense + others == model_.num_layers) {
        model_.experts->dense_layers = static_cast<int>(dense);
        return;
      }
    }
    findings_.not_expressed(
        fmt::format("moe_layer_freq {}: every layer is taken to have experts", shown(text)));
  }

  /// Reads the vocabulary; false where its size is unknown.
  bool vocabulary() {
    const auto padded = arguments_.whole("padded_vocab_size", 1, 10'000'000);
    auto size = arguments_.whole("vocab_size", 1, 10'000'000);
    const std::int64_t multiple =
        arguments_.whole("make_vocab_size_divisible_by", 1, 1'000'000).value_or(128) * tp_;
    const auto tokenizer = arguments_.text("tokenizer_type");
    if (padded) {
      model_.vocabulary_size = static_cast<int>(*padded);
      return true;
    }
    if (!size && tokenizer && *tokenizer == "GPT2BPETokenizer") {
      size = 50257;
      assumption_ = "the vocabulary of GPT2BPETokenizer, 50257; ";
    } else if (!size && tokenizer && *tokenizer == "Llama2Tokenizer") {
      size = 32000;
      assumption_ = "the vocabulary of Llama2Tokenizer, 32000; ";
    }
    if (!size) {
      findings_.unknown(
          "workload.model.vocabulary_size",
          tokenizer ? fmt::format("no vocab_size: the files of {} tell it", shown(*tokenizer))
                    : "no vocab_size and no tokenizer_type");
      return false;
    }
    const std::int64_t rounded = core::ceil_div(*size, multiple) * multiple;
    if (rounded != *size) {
      assumption_ += fmt::format("padded from {} to a multiple of {}; ", *size, multiple);
    }
    if (rounded > 10'000'000) {
      findings_.problem({findings_.file()}, "make_vocab_size_divisible_by",
                        fmt::format("{} tokens padded to {}", *size, rounded));
      return false;
    }
    model_.vocabulary_size = static_cast<int>(rounded);
    return true;
  }

  void embeddings() {
    model_.tied_embeddings =
        !arguments_.truth("untie_embeddings_and_output_weights").value_or(false);
    const auto kind = arguments_.text("position_embedding_type").value_or("learned_absolute");
    const bool rotary = arguments_.truth("use_rotary_position_embeddings").value_or(false);
    const auto longest = arguments_.whole("max_position_embeddings", 1, 100'000'000);
    const bool is_learned = kind == "learned_absolute" && !rotary;
    if (is_learned && longest) {
      model_.positions = static_cast<int>(*longest);
    } else if (is_learned && arguments_.is_outside("max_position_embeddings")) {
      has_positions_ = false;
      findings_.not_expressed(
          "max_position_embeddings comes from outside: learned positions are left out");
    }
  }

  void biases() {
    model_.biases = !arguments_.truth("disable_bias_linear").value_or(false);
    const std::string norm = arguments_.text("normalization").value_or("LayerNorm");
    if (!model_.biases && norm == "LayerNorm") {
      findings_.not_expressed("biases of norms, without those of matrices: left out");
    } else if (model_.biases && norm == "RMSNorm") {
      findings_.not_expressed("biases of matrices, without those of norms: both are counted");
    }
    if (arguments_.truth("add_qkv_bias").value_or(false)) {
      findings_.not_expressed("add_qkv_bias: biases of queries, keys and values");
    }
    if (arguments_.truth("qk_layernorm").value_or(false)) {
      findings_.not_expressed("qk_layernorm: norms of queries and keys");
    }
    model_.mtp_layers = static_cast<int>(arguments_.whole("mtp_num_layers", 0, 100).value_or(0));
  }

  void write(bool has_shape, bool has_vocabulary) {
    const std::string key = "workload.model";
    if (has_shape && model_.hidden_size % model_.num_heads != 0 && !model_.head_size) {
      findings_.problem(arguments_.find("num_attention_heads")->where, "num_attention_heads",
                        fmt::format("{} heads do not divide a width of {}", model_.num_heads,
                                    model_.hidden_size));
      return;
    }
    if (!is_countable(model_)) {
      findings_.problem({findings_.file()}, key, "more parameters than can be counted");
      return;
    }
    if (has_shape && has_vocabulary) {
      model_.name = fmt::format("{}-layers-of-{}", model_.num_layers, model_.hidden_size);
      model_.description = "A transformer read from training arguments";
      model_.source = shown(findings_.file());
      const std::string parameters = in_words(models::num_parameters(model_));
      if (assumption_.empty()) {
        findings_.know(key, complete_node(model_), parameters);
      } else {
        findings_.assume(key, complete_node(model_), assumption_ + parameters);
      }
      return;
    }
    const auto part = [&](const char* ours, const char* theirs, int value) {
      if (value > 0) {
        findings_.know(key + "." + ours, value, theirs);
      } else if (!arguments_.is_outside(theirs)) {
        findings_.unknown(key + "." + ours, fmt::format("no {}", theirs));
      }
    };
    part("num_layers", "num_layers", model_.num_layers);
    part("hidden_size", "hidden_size", model_.hidden_size);
    part("num_heads", "num_attention_heads", model_.num_heads);
    if (!has_shape) {
      findings_.outside(key,
                        "without layers, width and heads the model is that of the scenario "
                        "beneath, with what is known laid over it");
      return;
    }
    part("num_kv_heads", "num_query_groups", model_.num_kv_heads);
    part("ffn_size", "ffn_hidden_size", model_.ffn_size);
    findings_.know(key + ".gated_ffn", model_.gated_ffn, "swiglu");
    findings_.know(key + ".tied_embeddings", model_.tied_embeddings,
                   "untie_embeddings_and_output_weights");
    if (has_positions_) {
      findings_.know(key + ".positions", model_.positions, "position_embedding_type");
    }
    findings_.know(key + ".biases", model_.biases, "disable_bias_linear");
    findings_.know(key + ".head_size", model_.head_size, "kv_channels");
    findings_.know(key + ".experts", model_.experts, "num_experts");
    if (model_.mtp_layers > 0) {
      findings_.know(key + ".mtp_layers", model_.mtp_layers, "mtp_num_layers");
    }
    findings_.know(key + ".latent_attention", model_.latent_attention, "multi_latent_attention");
  }

  TreeValues& arguments_;
  std::int64_t tp_;
  bool has_positions_ = true;  ///< false where a variable says how many are learned
  Findings& findings_;
  models::Transformer model_;
  std::string assumption_;
};

}  // namespace

std::optional<std::int64_t> add_megatron_model(TreeValues& arguments, std::int64_t tp,
                                               Findings& findings) {
  return Shape(arguments, tp, findings).all();
}

}  // namespace railwright::importers
