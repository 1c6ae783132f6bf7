// SPDX-License-Identifier: Apache-2.0
#include "torchtitan.hpp"

#include <fmt/format.h>

#include "../common/looks_like.hpp"
#include "../common/toml_tree.hpp"
#include "../common/training_part.hpp"
#include "torchtitan_job.hpp"

namespace railwright::importers {

namespace {

bool is_toml_of_torchtitan(std::string_view text) {
  return has_line(text, "[training]") &&
         (has_line(text, "[model]") || has_line(text, "[parallelism]") ||
          has_line(text, "[activation_checkpoint]"));
}

}  // namespace

bool is_torchtitan(std::string_view head) {
  if (is_json_object(head)) return false;
  return is_toml_of_torchtitan(head) || contains(head, "--job.config_file") ||
         contains(head, "--training.seq_len") || contains(head, "--training.local_batch_size");
}

Imported import_torchtitan(std::string_view text, const std::string& file,
                           const core::Node& known) {
  Findings findings(file);
  core::Node root;
  core::Node variables;
  std::vector<UnsetOption> unset;
  const bool is_toml = has_line(text, "[");
  if (is_toml && !contains(text, "--training.")) {
    root = parse_toml(text, file);
    unset = take_out_templates(root);
  } else {
    ShellOptions options = shell_options(text, file);
    root = nested(options.options);
    unset = std::move(options.unset);
    variables = std::move(options.variables);
    add_shell_notes(options, findings);
  }
  TrainingPart part(root, std::move(unset), known, "torchtitan", findings);
  if (!is_toml) add_launcher(part, variables, text);
  const std::string other = part.key_of({"job.config_file", "config_file"});
  add_torchtitan_job(part);
  if (!other.empty()) {
    findings.forget_assumed({"software.model", "cluster.node.num_accelerators"});
    findings.outside("workload.model",
                     fmt::format("in {}, with all that this file does not tell: import it first",
                                 shown(part.values().text(other).value_or(other))));
  }
  return findings.take();
}

}  // namespace railwright::importers
