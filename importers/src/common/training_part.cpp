// SPDX-License-Identifier: Apache-2.0
#include "training_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "checkpoint_name.hpp"
#include "other_jobs.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/units/nearest.hpp"

namespace railwright::importers {

namespace {

bool holds_template(const core::Node& node) {
  const std::string& text = node.text;
  return text.find('$') != std::string::npos || text.find("{{") != std::string::npos ||
         text == "???" || (text.starts_with('<') && text.ends_with('>'));
}

void take_out(core::Node& node, const std::string& path, std::vector<UnsetOption>& unset) {
  std::erase_if(node.entries, [&](const core::Entry& entry) {
    if (!entry.value.is_scalar() || !holds_template(entry.value)) return false;
    std::string name = path.empty() ? entry.key : path + "." + entry.key;
    unset.push_back({.name = name,
                     .option = shown(name),
                     .value = shown(entry.value.text),
                     .where = entry.value.where});
    return true;
  });
  for (core::Entry& entry : node.entries) {
    if (entry.value.is_mapping()) {
      take_out(entry.value, path.empty() ? entry.key : path + "." + entry.key, unset);
    }
  }
}

constexpr int kMaxSections = 8;  ///< dots of an option's name

/// Checkpoints whose shape is that of another of the catalogue, or that stacks name in other words.
struct SameShape {
  std::string_view published;
  std::string_view model;
};
constexpr auto kSameShapes = std::to_array<SameShape>({
    {"llama-3-8b", "llama-3.1-8b"},
    {"llama-3-70b", "llama-3.1-70b"},
    {"llama-4-17b-16e", "llama-4-scout"},
    {"llama-4-17b16e", "llama-4-scout"},
    {"llama-4-17bx16e", "llama-4-scout"},
    {"llama-4-scout-17b-16e", "llama-4-scout"},
    {"llama-4-17b-128e", "llama-4-maverick"},
    {"llama-4-17b128e", "llama-4-maverick"},
    {"llama-4-17bx128e", "llama-4-maverick"},
    {"llama-4-maverick-17b-128e", "llama-4-maverick"},
    {"deepseek2-16b", "deepseek-v2-lite"},
    {"deepseek-v2-16b", "deepseek-v2-lite"},
    {"deepseek-v3-16b", "deepseek-v2-lite"},
    {"deepseek2-236b", "deepseek-v2"},
    {"deepseek-v3-236b", "deepseek-v2"},
    {"deepseek3-671b", "deepseek-v3"},
    {"deepseek-v3-671b", "deepseek-v3"},
    {"kimi-k2-1t", "kimi-k2"},
    {"grok1", "grok-1"},
    {"phi4-14b", "phi-4"},
    {"mixtral-8x7b-v0.1", "mixtral-8x7b"},
    {"mixtral-8x22b-v0.1", "mixtral-8x22b"},
});

/// Families whose names stacks write without the hyphen of the catalogue: "llama3.1-8b".
constexpr auto kHyphenated = std::to_array<std::string_view>({"llama", "gemma", "gpt"});

/// Keys of FSDP, below any section and with "fsdp_" in front or not, that say how modules are found
/// and saved.
constexpr auto kFsdpPlumbing = std::to_array<std::string_view>(
    {"auto_wrap_policy", "transformer_layer_cls_to_wrap", "sync_module_states", "state_dict_type",
     "cpu_ram_efficient_loading", "use_orig_params", "version", "min_num_params",
     "limit_all_gathers", "final_state_dict_type", "cpu_offload_pin_memory",
     "sharded_model_loading", "min_num_param"});

bool is_fsdp_plumbing(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || path.find("fsdp") == std::string_view::npos) return false;
  std::string_view key = path.substr(dot + 1);
  if (key.starts_with("fsdp_")) key.remove_prefix(5);
  return std::ranges::count(kFsdpPlumbing, key) > 0;
}

/// Returns a whole number that this file or an earlier one has at a path.
std::optional<std::int64_t> known_whole(const Findings& findings, const core::Node& known,
                                        std::string_view path) {
  const core::Node* node = findings.value_of(path);
  if (node == nullptr) node = find_given(known, path);
  if (node == nullptr || !node->is_scalar()) return {};
  const double value = core::number_of(node->text);
  if (!(value >= 1.0 && value <= 1e9)) return {};
  return static_cast<std::int64_t>(value);
}

}  // namespace

std::vector<UnsetOption> take_out_templates(core::Node& root) {
  std::vector<UnsetOption> unset;
  take_out(root, "", unset);
  return unset;
}

TrainingPart::TrainingPart(const core::Node& root, std::vector<UnsetOption> unset,
                           const core::Node& known, std::string_view program, Findings& findings)
    : program_(program),
      known_(known),
      findings_(findings),
      values_(root, findings),
      unset_(std::move(unset)) {
  std::set<std::string, std::less<>> names;
  for (const UnsetOption& one : unset_) names.insert(one.name);
  values_.set_outside(std::move(names));
}

std::string TrainingPart::key_of(std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (values_.has(key) || is_outside(key)) return std::string(key);
  }
  return {};
}

std::optional<std::string> TrainingPart::lower(std::string_view key) {
  const core::Node* node = values_.find(key);
  if (node == nullptr || !node->is_scalar()) return {};
  return core::lower_case(node->text);
}

std::optional<bool> TrainingPart::yes(std::string_view key) {
  const auto word = lower(key);
  if (word == "true" || word == "yes" || word == "1" || word == "on") return true;
  if (word == "false" || word == "no" || word == "0" || word == "off") return false;
  return {};
}

std::vector<std::string> TrainingPart::words(std::string_view key) {
  std::vector<std::string> all;
  const core::Node* node = values_.find(key);
  if (node == nullptr) return all;
  const auto add = [&](std::string text) {
    std::ranges::replace(text, ',', ' ');
    for (const std::string_view word : core::words_of(text)) all.emplace_back(word);
  };
  if (node->is_scalar()) add(node->text);
  for (const core::Node& item : node->items) add(item.text);
  return all;
}

std::optional<std::int64_t> TrainingPart::degree(std::string_view key, std::string_view path) {
  const auto value = values_.whole(key, 1, 65536);
  if (!value && (values_.has(key) || is_outside(key))) return {};
  findings_.say(value.has_value(), path, value.value_or(1),
                value ? std::string(key) : fmt::format("no {}: the default of {}", key, program_));
  return value.value_or(1);
}

std::optional<std::int64_t> TrainingPart::whole(std::string_view key, std::string_view path,
                                                std::int64_t most) {
  const auto value = values_.whole(key, 1, most);
  if (value) {
    findings_.know(path, *value, key);
  } else if (!is_outside(key)) {
    findings_.unknown(path, fmt::format("no {}", key));
  }
  return value;
}

void TrainingPart::flag(std::string_view key, std::string_view path, bool otherwise) {
  const auto value = yes(key);
  if (is_outside(key)) return;
  findings_.say(value.has_value(), path, value.value_or(otherwise),
                value ? std::string(key) : fmt::format("no {}: the default of {}", key, program_));
}

void TrainingPart::model(std::string_view key) {
  const core::Node* shape = find_given(known_, "workload.model");
  const auto text = values_.text(key);
  if (shape != nullptr && shape->is_mapping()) return;
  if (!text) {
    if (!is_outside(key)) findings_.unknown("workload.model", fmt::format("no {}", key));
    return;
  }
  const std::string name = catalogue_name(*text);
  if (name.empty()) {
    findings_.outside("workload.model",
                      fmt::format("{} {} names no checkpoint", key, shown(*text)));
    return;
  }
  findings_.assume("workload.model", name,
                   fmt::format("the catalogue's name for {} {}", key, shown(*text)));
}

void TrainingPart::batch_of_ranks(std::int64_t micro, std::int64_t accumulation) {
  const auto nodes = known_whole(findings_, known_, "cluster.nodes");
  const auto accelerators = known_whole(findings_, known_, "cluster.node.num_accelerators");
  std::int64_t shards = 1;
  for (const char* path : {"parallelism.tp", "parallelism.pp", "parallelism.cp"}) {
    shards *= known_whole(findings_, known_, path).value_or(1);
  }
  if (nodes && accelerators && *nodes * *accelerators % shards == 0) {
    const std::int64_t ranks = *nodes * *accelerators / shards;
    findings_.assume(
        "workload.global_batch", micro * accumulation * ranks,
        fmt::format("micro-batch {} times accumulation {} times {} data-parallel ranks", micro,
                    accumulation, ranks));
    return;
  }
  findings_.unknown(
      "workload.global_batch",
      fmt::format("{} times the number of data-parallel ranks", micro * accumulation));
}

bool TrainingPart::is_known(std::string_view path) const {
  return find_given(known_, path) != nullptr;
}

void TrainingPart::rest(std::span<const std::string_view> ignored) {
  for (const std::string& name : values_.asked_outside()) {
    const auto one = std::ranges::find(unset_, name, &UnsetOption::name);
    findings_.outside(one->option, why_unset(*one));
  }
  note_other_jobs(values_, findings_);
  for (const std::string& path : values_.unasked()) {
    const bool is_ignored =
        is_fsdp_plumbing(path) || std::ranges::any_of(ignored, [&](std::string_view start) {
          return path.starts_with(start);
        });
    if (!is_ignored) findings_.not_expressed(shown(path) + ": passed over");
  }
}

std::string catalogue_name(std::string_view published) {
  std::string name = checkpoint_name(published).model;
  for (const std::string_view family : kHyphenated) {
    const bool has_digit =
        name.size() > family.size() && name[family.size()] >= '0' && name[family.size()] <= '9';
    if (name.starts_with(family) && has_digit) name.insert(family.size(), "-");
  }
  const auto same = std::ranges::find(kSameShapes, name, &SameShape::published);
  return same == kSameShapes.end() ? name : std::string(same->model);
}

core::Node nested(const core::Node& options) {
  core::Node root;
  root.kind = core::Node::Kind::kMapping;
  root.where = options.where;
  for (const core::Entry& option : options.entries) {
    core::Node* node = &root;
    std::string_view name = option.key;
    int depth = 0;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos && depth < kMaxSections;
         dot = name.find('.'), ++depth) {
      core::Node* below = node->find(name.substr(0, dot));
      if (below == nullptr || !below->is_mapping()) {
        core::Node section;
        section.kind = core::Node::Kind::kMapping;
        section.where = option.where;
        node->entries.push_back(
            {std::string(name.substr(0, dot)), option.where, std::move(section)});
        below = &node->entries.back().value;
      }
      node = below;
      name.remove_prefix(dot + 1);
    }
    node->entries.push_back({std::string(name), option.where, option.value});
  }
  return root;
}

std::string lora_targets(const core::Node& names) {
  const auto has = [&](std::string_view part) {
    const auto holds = [&](const core::Node& name) {
      return name.text.find(part) != std::string::npos;
    };
    return holds(names) || std::ranges::any_of(names.items, holds);
  };
  if (has("fc") || has("mlp") || has("all")) return "all";
  return has("proj") || has("dense") ? "attention" : "qkv";
}

void add_shell_notes(const ShellOptions& options, Findings& findings) {
  for (const std::string& one : options.outside) {
    findings.not_expressed(one + ": options that are set nowhere in the file");
  }
  for (const std::string& one : options.doubled) {
    findings.not_expressed(one + ": the latter is taken");
  }
  for (const std::string& one : options.defaults) {
    findings.not_expressed(fmt::format("variable {}, its default in the script", one));
  }
}

void propose_software(Findings& findings, std::string_view profile, std::string_view why) {
  findings.assume("software.model", std::string(profile), why);
}

}  // namespace railwright::importers
