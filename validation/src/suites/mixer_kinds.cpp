// SPDX-License-Identifier: Apache-2.0
// Kernels that carry a state, and whole layers of sparse and compressed attention.
#include <algorithm>
#include <array>

#include "kernel_kinds.hpp"
#include "railwright/core/arithmetic.hpp"
#include "railwright/models/inference/mixer_passes.hpp"
#include "railwright/models/inference/passes.hpp"
#include "railwright/models/workload/layers.hpp"

namespace railwright::validation {

namespace {

using core::Accelerator;
using core::Precision;
using models::Mixer;
using models::MixerKind;

/// A format that ends in this is of decode.
constexpr std::string_view kDecode = "_decode";

bool is_of_prompt(const KernelLine& line) { return !line.format.ends_with(kDecode); }

std::string name_of_line(const KernelLine& line) {
  return line.format.substr(0, line.format.size() - (is_of_prompt(line) ? 0 : kDecode.size()));
}

// --- states

constexpr auto kStateColumns =
    std::to_array<std::string_view>({"batch", "tokens", "key_heads", "value_heads"});

/// Predicts a state of heads of 128 by 128, with the convolution before it.
KernelPrediction predict_state(const KernelLine& line) {
  const std::string name = name_of_line(line);
  if (name != "gated_delta_net" && name != "kimi_delta") return {};
  const std::vector<double>& n = line.numbers;
  Mixer mixer{.kind = core::Row<MixerKind>(name)};
  mixer.num_kv_heads = static_cast<int>(n[2]);
  mixer.num_heads = static_cast<int>(n[3]);
  mixer.head_size = mixer.value_size = mixer.step_rank = 128;
  const models::MixerKernel kernel = mixer.kind->kernels(mixer, 1).front();
  const models::KernelTokens tokens{
      .sequences = n[0], .from = 0.0, .to = n[1], .of_prompt = is_of_prompt(line)};
  return [kernel, tokens, name](const Accelerator& device) -> std::optional<core::Duration> {
    const std::string known = name + std::string(tokens.of_prompt ? "" : kDecode);
    if (!device.kernels->mixers.contains(known)) return {};
    const core::MixerConstants constants = models::mixer_constants(device, name, tokens.of_prompt);
    return constants.launch +
           models::mixer_kernel_time(device, constants,
                                     models::kernel_load(device, kernel, tokens, 2.0));
  };
}

std::string class_of_state(const KernelLine& line) {
  return class_of_tokens(line.numbers[0] * line.numbers[1], "tokens");
}

// --- layers of attention

constexpr auto kLayerColumns = std::to_array<std::string_view>(
    {"hidden", "heads", "batch", "tokens", "cached", "weight_bytes", "cache_bytes"});

/// A model whose attention was timed: DeepSeek-V3.2 and V4, GLM-5, MiniMax-M3.
struct TimedModel {
  std::string_view format;
  int hidden = 0;
  int heads = 0;  ///< of all ranks together
  Mixer mixer;
};

Mixer mixer_named(std::string_view kind) { return {.kind = core::Row<MixerKind>(kind)}; }

Mixer sparse(int query_rank, int head, int value, int index_heads) {
  Mixer mixer = mixer_named("sparse");
  mixer.query_rank = query_rank;
  mixer.kv_rank = 512;
  mixer.rope_size = 64;
  mixer.head_size = head;
  mixer.value_size = value;
  mixer.index_heads = index_heads;
  mixer.index_size = 128;
  mixer.chosen_keys = 2048;
  return mixer;
}

Mixer compressed(int query_rank, int groups, int ratio, int chosen) {
  Mixer mixer = mixer_named("compressed");
  mixer.query_rank = query_rank;
  mixer.head_size = 512;
  mixer.window = 128;
  mixer.output_groups = groups;
  mixer.output_rank = 1024;
  mixer.ratio = ratio;
  if (chosen == 0) return mixer;
  mixer.index_heads = 64;
  mixer.index_size = 128;
  mixer.chosen_keys = chosen;
  return mixer;
}

Mixer blocks() {
  Mixer mixer = mixer_named("block_sparse");
  mixer.num_kv_heads = 4;
  mixer.head_size = 128;
  mixer.index_heads = 4;
  mixer.index_size = 128;
  mixer.chosen_keys = 2048;
  mixer.ratio = 128;
  return mixer;
}

std::vector<TimedModel> timed_models() {
  return {{"sparse", 7168, 128, sparse(1536, 128, 128, 64)},
          {"sparse", 6144, 64, sparse(2048, 192, 256, 32)},
          {"compressed_4", 4096, 64, compressed(1024, 8, 4, 512)},
          {"compressed_4", 7168, 128, compressed(1536, 16, 4, 1024)},
          {"compressed_128", 4096, 64, compressed(1024, 8, 128, 0)},
          {"compressed_128", 7168, 128, compressed(1536, 16, 128, 0)},
          {"block_sparse", 6144, 64, blocks()}};
}

/// Returns a model of one such block, with the heads of one rank.
models::Transformer one_block(const TimedModel& timed, int heads) {
  models::Transformer model;
  model.num_layers = 1;
  model.layer_pattern = "a";
  model.hidden_size = timed.hidden;
  model.num_heads = model.num_kv_heads = heads;
  model.ffn_size = model.vocabulary_size = 1;
  Mixer mixer = timed.mixer;
  const auto on_rank = [&](int count) { return core::ceil_div(count * heads, timed.heads); };
  mixer.num_heads = heads;
  mixer.num_kv_heads = on_rank(std::max(mixer.num_kv_heads, 1));
  mixer.output_groups = on_rank(mixer.output_groups);
  if (timed.format == "block_sparse") mixer.index_heads = on_rank(mixer.index_heads);
  model.mixers = {mixer};
  return model;
}

/// Predicts a block from the norm's input on: all of its products, and what runs between them.
KernelPrediction predict_layer(const KernelLine& line) {
  const std::string name = name_of_line(line);
  const std::vector<double>& n = line.numbers;
  const std::vector<TimedModel> known = timed_models();
  const auto timed = std::ranges::find_if(known, [&](const TimedModel& model) {
    return model.format == name && model.hidden == static_cast<int>(n[0]);
  });
  if (timed == known.end()) return {};
  models::Inference inference;
  inference.model = one_block(*timed, static_cast<int>(n[1]));
  inference.weights = n[5] >= 2.0   ? Precision::kBf16
                      : n[5] >= 1.0 ? Precision::kFp8
                                    : Precision::kFp4;
  inference.block_scales = true;
  inference.kv_cache = n[6] >= 2.0 ? Precision::kBf16 : Precision::kFp8;
  const bool of_prompt = is_of_prompt(line);
  const Mixer& mixer = inference.model.mixers.front();
  const std::string kernel(mixer.kind->kernels(mixer, 1).back().name);
  return [=](const Accelerator& device) -> std::optional<core::Duration> {
    if (!device.kernels->mixers.contains(kernel + std::string(of_prompt ? "" : kDecode))) return {};
    models::TokenPass pass;
    if (of_prompt) {
      pass = models::prefill_pass(n[3] + n[4], n[4]);
      pass.prompts = n[2];
    } else {
      pass = models::decode_pass(n[2], n[4] + 1.0);
    }
    const double tokens = pass.tokens();
    models::PassTime time = models::layers_time(device, inference, {}, tokens, tokens);
    time += models::prompt_attention_time(device, inference, {}, pass);
    time += models::decode_attention_time(device, inference, {}, pass);
    return time.total();
  };
}

std::string class_of_layer(const KernelLine& line) {
  return class_of_tokens(line.numbers[3] + line.numbers[4], "keys");
}

constexpr auto kMixerKinds = std::to_array<KernelKind>({
    {"states", kStateColumns, predict_state, class_of_state},
    {"attention_layers", kLayerColumns, predict_layer, class_of_layer},
});

}  // namespace

std::span<const KernelKind> mixer_kinds() { return kMixerKinds; }

}  // namespace railwright::validation
