// SPDX-License-Identifier: Apache-2.0
#include "railwright/importers/import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "findings.hpp"
#include "job_manifest.hpp"
#include "manifest.hpp"
#include "other_files.hpp"
#include "railwright/core/config/text_file.hpp"
#include "railwright/workloads/kinds.hpp"
#include "shell_words.hpp"
#include "task_script.hpp"

namespace railwright::importers {

namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{64} << 20U;

/// A tree with one value at the end of a path.
core::Node tree_of(std::string_view path, const core::Node& value) {
  if (path.empty()) return value;
  const std::size_t dot = path.find('.');
  core::Node node;
  node.kind = core::Node::Kind::kMapping;
  core::add_entry(
      node, path.substr(0, dot),
      tree_of(dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1), value));
  return node;
}

/// Adds the paths at which `patch` would change a value of `base`.
void find_conflicts(const core::Node& base, const core::Node& patch, const std::string& path,
                    const std::string& file, std::vector<std::string>& conflicts) {
  if (base.is_mapping() && patch.is_mapping()) {
    for (const core::Entry& entry : patch.entries) {
      // A model's name does not change the model.
      if (path == "workload.model" &&
          (entry.key == "name" || entry.key == "description" || entry.key == "source")) {
        continue;
      }
      const core::Node* old = base.find(entry.key);
      if (old == nullptr) continue;
      find_conflicts(*old, entry.value, path.empty() ? entry.key : path + "." + entry.key, file,
                     conflicts);
    }
    return;
  }
  // A checkpoint's name gives way to its config.json.
  if (path == "inference.model" && base.is_scalar()) return;
  const core::Node* model = base.is_mapping() ? base.find("model") : nullptr;
  if (model != nullptr && patch.is_scalar() && model->text == patch.text) return;
  const std::string before = core::to_yaml(base);
  const std::string after = core::to_yaml(patch);
  if (before == after) return;
  conflicts.push_back(fmt::format("{}: {} and, in {}, {}; the latter stays", path, shown(before),
                                  shown(file), shown(after)));
}

void add_part(Imported part, ImportedParts& parts) {
  core::Node tree;
  tree.kind = core::Node::Kind::kMapping;
  for (const ImportedValue& value : part.values) {
    tree = core::overlay(std::move(tree), tree_of(value.path, value.value));
  }
  find_conflicts(parts.tree, tree, "", part.file, parts.conflicts);
  parts.tree = core::overlay(std::move(parts.tree), tree);
  parts.parts.push_back(std::move(part));
}

std::string read_artefact(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_regular_file(path, error) &&
      std::filesystem::file_size(path, error) > kMaxBytes) {
    throw core::ConfigError({{{path}, "", "more than 64 MiB", ""}});
  }
  return core::read_text_file(path);
}

ImportKind kind_of(const ImportFile& file, std::string_view text) {
  if (file.kind) return *file.kind;
  if (const auto kind = detect_import_kind(text)) return *kind;
  if (const auto other = other_file(text)) {
    throw core::ConfigError(
        {{{file.path}, "", std::string(other->what), std::string(other->hint)}});
  }
  std::string known;
  for (const std::string_view name : ImportKind::names()) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
  }
  throw core::ConfigError({{{file.path},
                            "",
                            "not like anything that can be imported",
                            "name its kind before it: " + known}});
}

}  // namespace

Imported import_text(ImportKind kind, std::string_view text, const std::string& file,
                     const core::Node& known) {
  const std::string plain = core::without_escapes(text);
  core::check_bytes(plain, file);
  Imported imported = kind->read(plain, file, known);
  imported.kind = kind;
  return imported;
}

ImportedParts import_files(const std::vector<ImportFile>& files, const ImportChoices& choices) {
  struct Read {
    ImportKind kind;
    std::string path;
    std::string text;
  };
  std::vector<core::Diagnostic> problems;
  const auto collect = [&](const core::ConfigError& error) {
    std::ranges::copy(error.diagnostics(), std::back_inserter(problems));
  };
  std::vector<Read> read;
  const bool has_choices = !choices.variables.empty() || !choices.recipe.empty();
  bool is_chosen = !has_choices;
  for (const ImportFile& file : files) {
    try {
      std::string text = read_artefact(file.path);
      if (auto script = task_script(text)) text = std::move(*script);
      if (is_manifest(text)) {
        if (auto chosen = with_chosen_values(text, choices)) {
          text = std::move(*chosen);
          is_chosen = true;
        }
      }
      if (auto script = job_script(text, file.path)) text = std::move(*script);
      const ImportKind kind = kind_of(file, text);
      if (has_choices && kind->choose != nullptr) {
        if (auto chosen = kind->choose(text, file.path, choices)) {
          text = std::move(*chosen);
          is_chosen = true;
        }
      }
      read.push_back({kind, file.path, std::move(text)});
    } catch (const core::ConfigError& error) {
      collect(error);
    }
  }
  if (!is_chosen && problems.empty()) {
    problems.push_back({{},
                        "",
                        "no file leaves this choice: a script for a variable, a file with "
                        "several recipes for a recipe",
                        ""});
  }
  std::ranges::stable_sort(read, {}, [](const Read& one) { return one.kind->turn; });
  ImportedParts parts;
  parts.tree.kind = core::Node::Kind::kMapping;
  for (const Read& one : read) {
    try {
      add_part(import_text(one.kind, one.text, one.path, parts.tree), parts);
    } catch (const core::ConfigError& error) {
      collect(error);
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  return parts;
}

std::vector<core::Diagnostic> import_problems(const ImportedParts& parts, const core::Node& base,
                                              const core::Catalogue& catalogue) {
  try {
    const core::Node tree = core::overlay(base, parts.tree);
    simulation::kind_of(tree).read(tree, catalogue);
  } catch (const core::ConfigError& error) {
    return error.diagnostics();
  }
  return {};
}

}  // namespace railwright::importers
