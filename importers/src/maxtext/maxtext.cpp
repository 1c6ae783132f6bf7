// SPDX-License-Identifier: Apache-2.0
#include "maxtext.hpp"

#include <fmt/format.h>

#include "../common/looks_like.hpp"
#include "../common/training_part.hpp"
#include "maxtext_job.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/core/config/writer.hpp"

namespace railwright::importers {

namespace {

bool is_yaml_of_maxtext(std::string_view text) {
  return has_line(text, "per_device_batch_size:") || has_line(text, "ici_fsdp_parallelism:") ||
         has_line(text, "base_emb_dim:");
}

/// Reads "MAXTEXT_ARGS='steps=5 dtype=bfloat16'" as those arguments.
void add_quoted_arguments(core::Node& variables, std::vector<UnsetOption>& unset,
                          Findings& findings) {
  core::Node added;
  added.kind = core::Node::Kind::kMapping;
  const auto take = [&](std::string_view text) {
    if (text.find(' ') == std::string_view::npos) return;
    for (const std::string_view word : core::words_of(text)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string_view::npos || equals == 0) continue;
      std::string name(word.substr(0, equals));
      const std::string value(word.substr(equals + 1));
      if (value.find('$') != std::string::npos) {
        unset.push_back({.name = name, .option = shown(name), .value = shown(value), .where = {}});
      } else if (core::Node* old = added.find(name)) {
        if (old->text != value) {
          findings.not_expressed(fmt::format("{} {}, then {}: the latter is taken", shown(name),
                                             shown(old->text), shown(value)));
        }
        old->text = value;
      } else {
        core::add_entry(added, name, core::text_node(value));
      }
    }
  };
  for (const core::Entry& entry : variables.entries) take(entry.value.text);
  const std::size_t count = unset.size();
  for (std::size_t i = 0; i < count; ++i) take(std::string(unset[i].value));
  for (core::Entry& entry : added.entries) {
    if (core::Node* old = variables.find(entry.key)) {
      *old = std::move(entry.value);
    } else {
      variables.entries.push_back(std::move(entry));
    }
  }
}

/// Whether a script runs other programs of MaxText and none that trains.
bool trains_nothing(std::string_view script) {
  const auto runs = [&](std::string_view program) { return contains(script, program); };
  const bool trains = runs("train.py") || runs(".train ") || runs(".train\n") || runs(".train\"") ||
                      runs("trainers.") || runs("train_sft") || runs("train_compile");
  return !trains && (runs("decode") || runs("forward_pass") || runs("to_huggingface") ||
                     runs("to_maxtext") || runs("checkpoint_conversion"));
}

}  // namespace

bool is_maxtext(std::string_view head) {
  if (is_json_object(head)) return false;
  if (is_yaml_of_maxtext(head)) return !has_line(head, "modules:");
  return contains(head, "per_device_batch_size=") &&
         (contains(head, "axText") || contains(head, "axtext"));
}

Imported import_maxtext(std::string_view text, const std::string& file, const core::Node& known) {
  Findings findings(file);
  core::Node root;
  std::vector<UnsetOption> unset;
  if (is_yaml_of_maxtext(text)) {
    root = parse_foreign_yaml(text, file);
    unset = take_out_templates(root);
  } else {
    if (trains_nothing(text)) {
      findings.problem_in_file("a script that trains nothing: it converts, checks or decodes");
      findings.throw_if_any();
    }
    ShellOptions options = shell_options(text, file);
    root = std::move(options.variables);
    unset = std::move(options.unset_variables);
    add_quoted_arguments(root, unset, findings);
    add_shell_notes(options, findings);
  }
  TrainingPart part(root, std::move(unset), known, "MaxText", findings);
  add_maxtext_job(part);
  return findings.take();
}

}  // namespace railwright::importers
