// SPDX-License-Identifier: Apache-2.0
// Converts a Hugging Face config.json to a catalogue entry by a table of keys.
#include "railwright/models/workload/hugging_face_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hugging_face_mixers.hpp"
#include "hugging_face_shape.hpp"
#include "railwright/models/workload/transformer.hpp"

namespace railwright::models {

namespace {

using core::Node;

/// Pair of keys: `ours` takes the value of `theirs`, if it exists and is not null. Both are paths
/// with dots.
struct KeyPair {
  std::string_view ours;
  std::string_view theirs;
};

constexpr KeyPair kLlama[] = {
    {"num_layers", "num_hidden_layers"},        {"hidden_size", "hidden_size"},
    {"num_heads", "num_attention_heads"},       {"num_kv_heads", "num_attention_heads"},
    {"num_kv_heads", "num_key_value_heads"},    {"head_size", "head_dim"},
    {"ffn_size", "intermediate_size"},          {"vocabulary_size", "vocab_size"},
    {"tied_embeddings", "tie_word_embeddings"}, {"context", "max_position_embeddings"}};
constexpr KeyPair kWindow[] = {{"local_attention.window", "sliding_window"}};
constexpr KeyPair kMixtral[] = {{"local_attention.window", "sliding_window"},
                                {"experts.count", "num_local_experts"},
                                {"experts.top_k", "num_experts_per_tok"},
                                {"experts.ffn_size", "intermediate_size"}};
constexpr KeyPair kLlama4[] = {{"local_attention.chunk", "attention_chunk_size"},
                               {"ffn_size", "intermediate_size_mlp"},
                               {"experts.count", "num_local_experts"},
                               {"experts.top_k", "num_experts_per_tok"},
                               {"experts.ffn_size", "intermediate_size"},
                               {"experts.shared_ffn_size", "intermediate_size"},
                               {"experts.every", "interleave_moe_layer_step"}};
constexpr KeyPair kQwenMoe[] = {{"experts.every", "decoder_sparse_step"},
                                {"experts.count", "num_experts"},
                                {"experts.top_k", "num_experts_per_tok"},
                                {"experts.ffn_size", "moe_intermediate_size"},
                                {"experts.shared_ffn_size", "shared_expert_intermediate_size"}};
constexpr KeyPair kMinimax[] = {{"experts.count", "num_local_experts"},
                                {"experts.top_k", "num_experts_per_tok"},
                                {"experts.ffn_size", "intermediate_size"},
                                {"experts.shared_ffn_size", "shared_intermediate_size"}};
constexpr KeyPair kDeepseek[] = {{"experts.count", "n_routed_experts"},
                                 {"experts.top_k", "num_experts_per_tok"},
                                 {"experts.ffn_size", "moe_intermediate_size"},
                                 {"experts.dense_layers", "first_k_dense_replace"},
                                 {"experts.groups", "n_group"},
                                 {"experts.top_groups", "topk_group"},
                                 {"head_size", "qk_nope_head_dim"},
                                 {"latent_attention.query_rank", "q_lora_rank"},
                                 {"latent_attention.kv_rank", "kv_lora_rank"},
                                 {"latent_attention.rope_size", "qk_rope_head_dim"},
                                 {"latent_attention.value_size", "v_head_dim"}};
constexpr KeyPair kNemotronH[] = {
    {"layer_pattern", "hybrid_override_pattern"},
    {"head_size", "attention_head_dim"},
    {"head_size", "head_dim"},
    {"mamba.num_heads", "mamba_num_heads"},
    {"mamba.head_size", "mamba_head_dim"},
    {"mamba.state_size", "ssm_state_size"},
    {"mamba.num_groups", "n_groups"},
    {"mamba.conv_size", "conv_kernel"},
    {"mamba.chunk_size", "chunk_size"},
    {"experts.count", "n_routed_experts"},
    {"experts.top_k", "num_experts_per_tok"},
    {"experts.groups", "n_group"},
    {"experts.top_groups", "topk_group"},
    {"experts.ffn_size", "moe_intermediate_size"},
    {"experts.latent_size", "moe_latent_size"},
    {"experts.shared_ffn_size", "moe_shared_expert_intermediate_size"}};
constexpr KeyPair kDeepseekV4[] = {{"experts.count", "n_routed_experts"},
                                   {"experts.top_k", "num_experts_per_tok"},
                                   {"experts.ffn_size", "moe_intermediate_size"}};
constexpr KeyPair kDeepseekExperts[] = {{"experts.count", "n_routed_experts"},
                                        {"experts.top_k", "num_experts_per_tok"},
                                        {"experts.ffn_size", "moe_intermediate_size"},
                                        {"experts.groups", "n_group"},
                                        {"experts.top_groups", "topk_group"}};
constexpr KeyPair kMixtralExperts[] = {{"experts.count", "num_local_experts"},
                                       {"experts.top_k", "num_experts_per_tok"},
                                       {"experts.ffn_size", "intermediate_size"}};
constexpr KeyPair kKimiLinear[] = {{"experts.count", "num_experts"},
                                   {"experts.top_k", "num_experts_per_token"},
                                   {"experts.ffn_size", "moe_intermediate_size"},
                                   {"experts.latent_size", "routed_expert_hidden_size"},
                                   {"experts.dense_layers", "first_k_dense_replace"},
                                   {"experts.groups", "num_expert_group"},
                                   {"experts.top_groups", "topk_group"},
                                   {"head_size", "qk_nope_head_dim"},
                                   {"latent_attention.query_rank", "q_lora_rank"},
                                   {"latent_attention.kv_rank", "kv_lora_rank"},
                                   {"latent_attention.rope_size", "qk_rope_head_dim"},
                                   {"latent_attention.value_size", "v_head_dim"}};
constexpr KeyPair kMinimaxM3[] = {{"ffn_size", "dense_intermediate_size"},
                                  {"experts.count", "num_local_experts"},
                                  {"experts.top_k", "num_experts_per_tok"},
                                  {"experts.ffn_size", "intermediate_size"},
                                  {"experts.ffn_size", "moe_intermediate_size"},
                                  {"experts.dense_layers", "first_k_dense_replace"}};
constexpr KeyPair kGemma4[] = {{"experts.count", "num_experts"},
                               {"experts.top_k", "top_k_experts"},
                               {"experts.ffn_size", "moe_intermediate_size"},
                               {"experts.ffn_size", "expert_intermediate_size"}};
constexpr KeyPair kStep[] = {{"num_kv_heads", "num_attention_groups"},
                             {"experts.count", "moe_num_experts"},
                             {"experts.count", "num_experts"},
                             {"experts.top_k", "moe_top_k"},
                             {"experts.top_k", "num_experts_per_tok"},
                             {"experts.ffn_size", "moe_intermediate_size"},
                             {"experts.shared_ffn_size", "share_expert_dim"},
                             {"experts.dense_layers", "first_k_dense_replace"}};
constexpr KeyPair kGraniteMoe[] = {{"experts.count", "num_local_experts"},
                                   {"experts.top_k", "num_experts_per_tok"},
                                   {"experts.ffn_size", "intermediate_size"},
                                   {"experts.shared_ffn_size", "shared_intermediate_size"}};
constexpr KeyPair kJamba[] = {{"experts.count", "num_experts"},
                              {"experts.top_k", "num_experts_per_tok"},
                              {"experts.ffn_size", "intermediate_size"}};
constexpr KeyPair kErnie[] = {{"biases", "use_bias"}};
constexpr KeyPair kHunyuan[] = {{"head_size", "attention_head_dim"}, {"head_size", "head_dim"}};
constexpr KeyPair kDbrx[] = {{"num_layers", "n_layers"},
                             {"hidden_size", "d_model"},
                             {"num_heads", "n_heads"},
                             {"num_kv_heads", "attn_config.kv_n_heads"},
                             {"ffn_size", "ffn_config.ffn_hidden_size"},
                             {"vocabulary_size", "vocab_size"},
                             {"tied_embeddings", "tie_word_embeddings"},
                             {"context", "max_seq_len"},
                             {"experts.count", "ffn_config.moe_num_experts"},
                             {"experts.top_k", "ffn_config.moe_top_k"},
                             {"experts.ffn_size", "ffn_config.ffn_hidden_size"}};
constexpr KeyPair kGpt2[] = {{"num_layers", "n_layer"},   {"hidden_size", "n_embd"},
                             {"num_heads", "n_head"},     {"num_kv_heads", "n_head"},
                             {"ffn_size", "n_inner"},     {"vocabulary_size", "vocab_size"},
                             {"positions", "n_positions"}};
constexpr KeyPair kBloom[] = {
    {"num_layers", "n_layer"},        {"num_layers", "num_hidden_layers"},
    {"hidden_size", "n_embed"},       {"hidden_size", "hidden_size"},
    {"num_heads", "n_head"},          {"num_heads", "num_attention_heads"},
    {"num_kv_heads", "n_head"},       {"num_kv_heads", "num_attention_heads"},
    {"vocabulary_size", "vocab_size"}};
constexpr KeyPair kFalcon[] = {{"num_kv_heads", "num_kv_heads"},
                               {"ffn_size", "ffn_hidden_size"},
                               {"num_layers", "n_layer"},
                               {"num_heads", "n_head"},
                               {"biases", "bias"}};
constexpr KeyPair kOpt[] = {{"ffn_size", "ffn_dim"}, {"positions", "max_position_embeddings"}};
constexpr KeyPair kPositions[] = {{"positions", "max_position_embeddings"}};
constexpr KeyPair kT5[] = {{"num_layers", "num_layers"},
                           {"num_layers", "num_decoder_layers"},
                           {"encoder_layers", "num_layers"},
                           {"hidden_size", "d_model"},
                           {"num_heads", "num_heads"},
                           {"num_kv_heads", "num_heads"},
                           {"head_size", "d_kv"},
                           {"ffn_size", "d_ff"},
                           {"vocabulary_size", "vocab_size"},
                           {"tied_embeddings", "tie_word_embeddings"}};

/// The meaning of a `model_type`: keys, in order (later ones win), that override the constants of
/// its code.
struct Architecture {
  std::string_view model_type;
  std::string_view constants;
  std::span<const KeyPair> keys;
  std::span<const KeyPair> more_keys = {};
};

/// The letter of `layer_pattern` for a word of `layers_block_type`.
struct BlockWord {
  std::string_view word;
  char letter;
};
constexpr BlockWord kBlocks[] = {{"mamba", 'M'}, {"attention", '*'}, {"mlp", '-'}, {"moe", 'E'}};

constexpr std::string_view kUntied = "{tied_embeddings: false}";
constexpr std::string_view kHeadNorm = "{tied_embeddings: false, query_key_norm: head}";
constexpr std::string_view kWholeNorm = "{tied_embeddings: false, query_key_norm: whole}";
constexpr std::string_view kGptLike = "{tied_embeddings: true, gated_ffn: false, biases: true}";
constexpr Architecture kArchitectures[] = {
    {"bert",
     "{tied_embeddings: true, gated_ffn: false, biases: true, causal: false, "
     "embedding_norm: true}",
     kLlama, kPositions},
    {"bloom", "{tied_embeddings: true, gated_ffn: false, biases: true, embedding_norm: true}",
     kBloom},
    {"dbrx", kUntied, kDbrx},
    {"deepseek_ref", kUntied, kLlama, kDeepseekV4},
    {"deepseek_v2", kUntied, kLlama, kDeepseek},
    {"deepseek_v3", kUntied, kLlama, kDeepseek},
    {"deepseek_v32", kUntied, kLlama, kDeepseek},
    {"deepseek_v4", kUntied, kLlama, kDeepseekV4},
    {"ernie4_5", "{tied_embeddings: true}", kLlama, kErnie},
    {"ernie4_5_moe", "{tied_embeddings: true}", kLlama, kErnie},
    {"exaone4", kUntied, kLlama, kWindow},
    {"falcon", "{tied_embeddings: true, gated_ffn: false}", kLlama, kFalcon},
    {"falcon_h1", kUntied, kLlama},
    {"gemma", "{tied_embeddings: true}", kLlama},
    {"gemma2", "{tied_embeddings: true, local_attention: {global_every: 2}}", kLlama, kWindow},
    {"gemma3_text",
     "{tied_embeddings: true, num_heads: 8, num_kv_heads: 4, head_size: 256, "
     "vocabulary_size: 262208, query_key_norm: head, "
     "local_attention: {window: 4096, global_every: 6}}",
     kLlama, kWindow},
    {"gemma4_text", "{tied_embeddings: true, head_size: 256}", kLlama, kGemma4},
    {"glm4_moe", kUntied, kLlama, kDeepseek},
    {"glm4_moe_lite", kUntied, kLlama, kDeepseek},
    {"glm_moe_dsa", kUntied, kLlama, kDeepseek},
    {"gpt2", kGptLike, kGpt2},
    {"gpt_neox", "{tied_embeddings: false, gated_ffn: false, biases: true}", kLlama},
    {"gpt_oss", "{tied_embeddings: false, biases: true, local_attention: {global_every: 2}}",
     kLlama, kMixtral},
    {"granite", kUntied, kLlama},
    {"granitemoehybrid", "{tied_embeddings: true}", kLlama, kGraniteMoe},
    {"hunyuan_v1_dense", kHeadNorm, kLlama, kHunyuan},
    {"hunyuan_v1_moe", kHeadNorm, kLlama, kHunyuan},
    {"jamba", "{tied_embeddings: false, num_kv_heads: 8}", kLlama, kJamba},
    {"kimi_k2", kUntied, kLlama, kDeepseek},
    {"kimi_linear", kUntied, kLlama, kKimiLinear},
    {"llama", kUntied, kLlama},
    {"llama4_text", "{tied_embeddings: false, local_attention: {global_every: 4}}", kLlama,
     kLlama4},
    {"mimo", kUntied, kLlama},
    {"mimo_v2_flash", kUntied, kLlama, kDeepseekExperts},
    {"minimax", kUntied, kLlama, kMixtralExperts},
    {"minimax_m1", kUntied, kLlama, kMixtralExperts},
    {"minimax_m2", kWholeNorm, kLlama, kMinimax},
    {"minimax_m3", kUntied, kLlama, kMinimaxM3},
    {"minimax_text_01", kUntied, kLlama, kMixtralExperts},
    {"ministral3", kUntied, kLlama},
    {"mistral", kUntied, kLlama, kWindow},
    {"mixtral", kUntied, kLlama, kMixtral},
    {"nemotron", "{tied_embeddings: false, gated_ffn: false}", kLlama},
    {"nemotron_h", "{tied_embeddings: false, gated_ffn: false}", kLlama, kNemotronH},
    {"olmo2", kWholeNorm, kLlama},
    {"olmo3", "{tied_embeddings: false, query_key_norm: whole, local_attention: {global_every: 4}}",
     kLlama, kWindow},
    {"opt", kGptLike, kLlama, kOpt},
    {"phi3", kUntied, kLlama, kWindow},
    {"qwen2", kUntied, kLlama},
    {"qwen2_moe", kUntied, kLlama, kQwenMoe},
    {"qwen3", kHeadNorm, kLlama},
    {"qwen3_5_moe_text", kHeadNorm, kLlama, kQwenMoe},
    {"qwen3_5_text", kHeadNorm, kLlama},
    {"qwen3_moe", kHeadNorm, kLlama, kQwenMoe},
    {"qwen3_next", kHeadNorm, kLlama, kQwenMoe},
    {"qwen3_vl_moe_text", kHeadNorm, kLlama, kQwenMoe},
    {"qwen3_vl_text", kHeadNorm, kLlama},
    {"seed_oss", kUntied, kLlama},
    {"step3p5", kUntied, kLlama, kStep},
    {"step3p7", kUntied, kLlama, kStep},
    {"t5", "{tied_embeddings: true, gated_ffn: false}", kT5},
};

void put(Node& node, std::string_view path, const Node& value) {
  const std::size_t dot = path.find('.');
  const std::string_view key = path.substr(0, dot);
  Node* found = node.find(key);
  if (found == nullptr) {
    Node empty;
    empty.kind = Node::Kind::kMapping;
    empty.where = value.where;
    node.entries.push_back({std::string(key), value.where, empty});
    found = &node.entries.back().value;
  }
  if (dot == std::string_view::npos) {
    *found = value;
  } else {
    put(*found, path.substr(dot + 1), value);
  }
}

Node scalar(std::string text, const core::Location& where) {
  Node node;
  node.kind = Node::Kind::kScalar;
  node.text = std::move(text);
  node.where = where;
  return node;
}

/// Sets the heads of Falcon's first decoder, which has one key-value head or as many as heads;
/// num_kv_heads applies to the new decoder.
void put_falcon_heads(const Node& config, std::string_view model_type, Node& entry) {
  if (model_type != "falcon") return;
  const auto is_set = [&](std::string_view key, bool otherwise) {
    const Node* node = config.find(key);
    return node != nullptr && node->is_scalar() ? node->text == "true" : otherwise;
  };
  const Node* heads = entry.find("num_heads");
  if (is_set("new_decoder_architecture", false) || heads == nullptr) return;
  put(entry, "num_kv_heads",
      is_set("multi_query", true) ? scalar("1", heads->where) : Node(*heads));
}

/// Names layers by letters where a config.json has a word for each, as transformers 5 writes it.
void put_layer_words(const Node& config, Node& entry, std::vector<core::Diagnostic>& problems) {
  const Node* words = config.find("layers_block_type");
  if (words == nullptr || words->items.empty() || entry.find("layer_pattern") != nullptr) return;
  std::string letters;
  for (const Node& word : words->items) {
    const auto* const known = std::ranges::find(kBlocks, word.text, &BlockWord::word);
    if (known == std::end(kBlocks)) {
      problems.push_back({word.where, "layers_block_type",
                          fmt::format("no kind of layer '{}' is known", word.text),
                          "known: mamba, attention, mlp, moe"});
      return;
    }
    letters += known->letter;
  }
  put(entry, "layer_pattern", scalar(letters, words->where));
  if (entry.find("num_layers") == nullptr) {
    put(entry, "num_layers", scalar(std::to_string(letters.size()), words->where));
  }
}

/// Sets the values that their code computes from several keys.
void put_derived(const Node& config, std::string_view model_type, Node& entry) {
  const Node* hidden = entry.find("hidden_size");
  if (entry.find("ffn_size") == nullptr && count_in(hidden)) {
    put(entry, "ffn_size", scalar(std::to_string(4 * *count_in(hidden)), hidden->where));
  }
  put_falcon_heads(config, model_type, entry);
  const Node* norms = config.find("use_qk_norm");
  if (model_type == "glm4_moe" && norms != nullptr && norms->text == "true") {
    put(entry, "query_key_norm", scalar("head", norms->where));
  }
  const Node* shared = config.find("n_shared_experts");
  const auto width = count_in(config.find("moe_intermediate_size"));
  if (count_in(shared) && width && core::find_path(entry, "experts.shared_ffn_size") == nullptr) {
    put(entry, "experts.shared_ffn_size",
        scalar(std::to_string(*count_in(shared) * *width), shared->where));
  }
  const Node* projection = config.find("feed_forward_proj");
  if (model_type == "t5" && projection != nullptr && projection->text.starts_with("gated")) {
    put(entry, "gated_ffn", scalar("true", projection->where));
  }
}

/// Keys of an encoder of images, by the names that configurations have.
struct ImageKey {
  std::string_view ours;
  std::array<std::string_view, 3> theirs;
};
constexpr auto kImageKeys = std::to_array<ImageKey>({
    {"num_layers", {"depth", "num_hidden_layers", "vt_num_hidden_layers"}},
    {"hidden_size", {"hidden_size", "vt_hidden_size", ""}},
    {"num_heads", {"num_heads", "num_attention_heads", "vt_num_attention_heads"}},
    {"ffn_size", {"intermediate_size", "vt_intermediate_size", ""}},
    {"patch_size", {"patch_size", "", ""}},
    {"frames", {"temporal_patch_size", "", ""}},
    {"positions", {"num_position_embeddings", "", ""}},
});

/// Reads an encoder of images that attends to whole images and merges patches by a network, as
/// those of Qwen3-VL, Qwen3.5 and Kimi K2.5; nothing of another.
std::optional<Node> encoder_of_images(const Node& document) {
  const Node* vision = document.is_mapping() ? document.find("vision_config") : nullptr;
  if (vision == nullptr || !vision->is_mapping() || vision->find("window_size") != nullptr) {
    return std::nullopt;
  }
  Node encoder = core::parse_yaml("{}", vision->where.file);
  encoder.where = vision->where;
  for (const ImageKey& key : kImageKeys) {
    for (const std::string_view theirs : key.theirs) {
      const Node* value = theirs.empty() ? nullptr : vision->find(theirs);
      if (count_in(value)) put(encoder, key.ours, *value);
    }
  }
  // Heads of another width than the model's share of each: none that an encoder is described with.
  const auto all_heads = count_in(vision->find("qkv_hidden_size"));
  if (all_heads && all_heads != count_in(encoder.find("hidden_size"))) return std::nullopt;
  const Node* kernel = vision->find("merge_kernel_size");
  const Node* merge = kernel != nullptr && !kernel->items.empty()
                          ? &kernel->items.front()
                          : vision->find("spatial_merge_size");
  if (!count_in(merge)) return std::nullopt;
  put(encoder, "merge", *merge);
  if (const Node* deep = vision->find("deepstack_visual_indexes"); deep != nullptr) {
    put(encoder, "mergers", scalar(std::to_string(1 + deep->items.size()), deep->where));
  }
  for (const std::string_view needed :
       {"num_layers", "hidden_size", "num_heads", "ffn_size", "patch_size"}) {
    if (encoder.find(needed) == nullptr) return std::nullopt;
  }
  return encoder;
}

}  // namespace

const Node& text_config(const Node& config) {
  const Node* text = config.is_mapping() ? config.find("text_config") : nullptr;
  return text != nullptr && text->is_mapping() ? *text : config;
}

std::vector<std::string_view> hugging_face_keys(std::string_view model_type) {
  std::vector<std::string_view> keys{"model_type"};
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.model_type != model_type) continue;
    for (const auto& pairs : {architecture.keys, architecture.more_keys}) {
      for (const KeyPair& pair : pairs) keys.push_back(pair.theirs);
    }
  }
  for (const std::string_view key : mixer_keys(model_type)) keys.push_back(key);
  // Keys that values are computed from.
  if (std::ranges::count(keys, "moe_intermediate_size") > 0) keys.emplace_back("n_shared_experts");
  const auto add = [&](std::string_view type, std::initializer_list<std::string_view> more) {
    if (type == model_type) keys.insert(keys.end(), more);
  };
  add("falcon", {"new_decoder_architecture", "multi_query"});
  add("glm4_moe", {"use_qk_norm"});
  add("nemotron_h", {"layers_block_type"});
  add("t5", {"feed_forward_proj"});
  return keys;
}

Node Transformer::from_json(const Node& document, std::vector<core::Diagnostic>& problems) {
  const Node& config = text_config(document);
  const Node* type = config.is_mapping() ? config.find("model_type") : nullptr;
  const std::string_view model_type =
      type != nullptr && type->is_scalar() ? std::string_view(type->text) : std::string_view();
  for (const Architecture& architecture : kArchitectures) {
    if (architecture.model_type != model_type) continue;
    Node entry = core::parse_yaml(architecture.constants, config.where.file);
    entry.where = config.where;
    for (const auto& keys : {architecture.keys, architecture.more_keys}) {
      for (const KeyPair& pair : keys) {
        const Node* value = core::find_path(config, pair.theirs);
        if (value == nullptr || value->kind == Node::Kind::kNull) continue;
        put(entry, pair.ours, *value);
      }
    }
    // Beside encoders of images the key may stand above the text model's part.
    const Node* tied = document.find("tie_word_embeddings");
    if (&config != &document && tied != nullptr && tied->kind != Node::Kind::kNull &&
        config.find("tie_word_embeddings") == nullptr &&
        std::ranges::count(architecture.keys, "tie_word_embeddings", &KeyPair::theirs) > 0) {
      put(entry, "tied_embeddings", *tied);
    }
    put_derived(config, model_type, entry);
    if (model_type == "nemotron_h") put_layer_words(config, entry, problems);
    put_mixers(config, model_type, entry, problems);
    if (const auto encoder = encoder_of_images(document)) put(entry, "image_encoder", *encoder);
    put(entry, "name", scalar(std::string(model_type), type->where));
    put(entry, "description",
        scalar(fmt::format("A {} model read from a Hugging Face config.json", model_type),
               type->where));
    put(entry, "source", scalar(config.where.file, type->where));
    return entry;
  }
  std::string known;
  for (const Architecture& architecture : kArchitectures) {
    known += (known.empty() ? "known: " : ", ") + std::string(architecture.model_type);
  }
  problems.push_back({type != nullptr ? type->where : config.where, "model_type",
                      type != nullptr ? fmt::format("no model type '{}' is known", type->text)
                                      : "missing key 'model_type': not a Hugging Face config.json",
                      known});
  return {};
}

}  // namespace railwright::models
