// SPDX-License-Identifier: Apache-2.0
#include "megatron_older.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "railwright/core/config/writer.hpp"

namespace railwright::importers {

namespace {

struct OlderName {
  std::string_view before;
  std::string_view today;
};

/// Arguments of Megatron-LM 1 to 3, of Megatron-DeepSpeed, and fields of Megatron-core's classes.
/// [@megatron_arguments]
constexpr auto kOlderNames = std::to_array<OlderName>({
    {"model_parallel_size", "tensor_model_parallel_size"},
    {"pipe_parallel_size", "pipeline_model_parallel_size"},
    {"batch_size", "micro_batch_size"},
    {"encoder_seq_length", "seq_length"},
    {"checkpoint_num_layers", "recompute_num_layers"},
    {"activations_checkpoint_granularity", "recompute_granularity"},
    {"activations_checkpoint_method", "recompute_method"},
    {"activations_checkpoint_num_layers", "recompute_num_layers"},
    {"moe_expert_parallel_size", "expert_model_parallel_size"},
    {"topk", "moe_router_topk"},
    {"expert_interval", "moe_layer_freq"},
    {"num_moe_experts", "num_experts"},
    {"num_layers_in_first_pipeline_stage", "decoder_first_pipeline_num_layers"},
    {"num_layers_in_last_pipeline_stage", "decoder_last_pipeline_num_layers"},
    {"hybrid_override_pattern", "hybrid_layer_pattern"},
    {"pad_vocab_size_to", "padded_vocab_size"},
});

bool is_switched_on(const core::Node* node) {
  return node != nullptr && node->kind == core::Node::Kind::kScalar && node->text != "false" &&
         node->text != "False" && node->text != "0";
}

void add_if_absent(core::Node& arguments, std::string_view name, std::string_view text,
                   const core::Location& where) {
  if (arguments.find(name) != nullptr) return;
  core::Node value = core::text_node(text);
  value.where = where;
  arguments.entries.push_back({std::string(name), where, std::move(value)});
}

}  // namespace

std::string_view name_of_today(std::string_view name) {
  const auto renamed = std::ranges::find(kOlderNames, name, &OlderName::before);
  return renamed == kOlderNames.end() ? name : renamed->today;
}

std::vector<std::string_view> precision_arguments(std::string_view word) {
  std::vector<std::string_view> names;
  for (const std::string_view name : {"bf16", "fp8", "fp4"}) {
    if (word.find(name) != std::string_view::npos) names.push_back(name);
  }
  if (word.starts_with("fp16") || word.starts_with("16")) names.emplace_back("fp16");
  return names;
}

core::Node with_names_of_today(const core::Node& arguments) {
  core::Node today = arguments;
  const core::Node* recomputes = arguments.find("checkpoint_activations");
  for (core::Entry& entry : today.entries) {
    const std::string_view name = name_of_today(entry.key);
    if (name == entry.key || arguments.find(name) != nullptr) continue;
    if (entry.key.starts_with("checkpoint_") && !is_switched_on(recomputes)) continue;
    entry.key = name;
  }
  // Whole layers were all that could be recomputed.
  for (const core::Node* node : {recomputes, arguments.find("activations_checkpoint_method")}) {
    if (is_switched_on(node)) add_if_absent(today, "recompute_granularity", "full", node->where);
  }
  // Megatron-LLaMA's optimizer is divided and hides what it sends behind both passes.
  const core::Node* overlapped = arguments.find("overlapped_distributed_optimizer");
  if (is_switched_on(overlapped)) {
    for (const std::string_view name :
         {"use_distributed_optimizer", "overlap_grad_reduce", "overlap_param_gather"}) {
      add_if_absent(today, name, "true", overlapped->where);
    }
  }
  std::erase_if(today.entries, [](const core::Entry& entry) {
    return entry.key == "checkpoint_activations" || entry.key == "overlapped_distributed_optimizer";
  });
  return today;
}

}  // namespace railwright::importers
