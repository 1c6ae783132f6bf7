// SPDX-License-Identifier: Apache-2.0
#include "flagscale.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "../common/tree_values.hpp"
#include "railwright/core/error.hpp"

namespace railwright::importers {

namespace {

/// Adds what is no group, by the name that the command line has.
void add_arguments(const core::Node& group, core::Node& arguments) {
  for (const core::Entry& entry : group.entries) {
    if (entry.value.is_mapping()) {
      add_arguments(entry.value, arguments);
    } else if (arguments.find(entry.key) == nullptr &&
               entry.value.kind != core::Node::Kind::kNull) {
      arguments.entries.push_back(entry);
    }
  }
}

}  // namespace

bool is_flagscale(std::string_view text) {
  return !is_json_object(text) && text.find("--num-layers") == std::string_view::npos &&
         has_line(text, "system:") && has_line(text, "model:") &&
         has_line(text, "tensor_model_parallel_size:") && has_line(text, "num_layers:");
}

core::Node flagscale_arguments(std::string_view text, const std::string& file,
                               std::vector<UnsetOption>& unset) {
  core::Node document = parse_foreign_yaml(text, file);
  unset = take_out_templates(document);
  for (UnsetOption& one : unset) one.name = one.name.substr(one.name.rfind('.') + 1);
  core::Node arguments;
  arguments.kind = core::Node::Kind::kMapping;
  arguments.where = {file};
  add_arguments(document, arguments);
  const auto is_of_rwkv = [](const std::string& word) {
    return contains(word, "RWKV") || contains(word, "rwkv");
  };
  if (std::ranges::any_of(arguments.entries, [&](const core::Entry& entry) {
        return is_of_rwkv(entry.key) || is_of_rwkv(entry.value.text);
      })) {
    throw core::ConfigError({{{file}, "", "a recipe of RWKV, whose layers are recurrent", ""}});
  }
  // Aquila's width follows from these by a rule of its own, and stages of several kinds by another.
  static constexpr auto kFollows = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"multiple_of", "ffn_hidden_size"},
       {"hidden_dim_multiplier", "ffn_hidden_size"},
       {"hetero_process_meshes", "tensor_model_parallel_size"},
       {"hetero_process_meshes", "pipeline_model_parallel_size"}});
  for (const auto& follows : kFollows) {
    const std::string_view argument = follows.second;
    const core::Node* node = arguments.find(follows.first);
    const bool is_told = argument == "ffn_hidden_size" && arguments.find(argument) != nullptr;
    if (node == nullptr || is_told) continue;
    unset.push_back({.name = std::string(argument),
                     .option = std::string(argument),
                     .value = {},
                     .where = node->where,
                     .reason = std::string(follows.first) + ", by a rule of FlagScale's own"});
    std::erase_if(arguments.entries,
                  [argument](const core::Entry& entry) { return entry.key == argument; });
  }
  return arguments;
}

}  // namespace railwright::importers
