// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/html/shipped_examples.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "railwright/core/config/tree.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/web/html/page_files.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::web {

namespace {

const std::string kFolder = "examples/";
constexpr std::string_view kEnding = ".yaml";

std::optional<core::Node> embedded(const std::string& name) {
  for (const output::PageFile& file : page_files()) {
    if (file.name == kFolder + name) return core::parse_yaml(file.text, name);
  }
  return std::nullopt;
}

/// Lays the document over the embedded file that it includes. Returns false if it includes others.
bool include(core::Node& document) {
  const core::Node* name = document.find("include");
  if (name == nullptr) return true;
  std::optional<core::Node> base = name->is_scalar() ? embedded(name->text) : std::nullopt;
  if (!base || !include(*base)) return false;
  std::erase_if(document.entries, [](const core::Entry& one) { return one.key == "include"; });
  document = core::overlay(std::move(*base), document);
  return true;
}

/// Returns the file that a mapping starts from, by its `model`; null if it names none.
const core::Node* file_below(const core::Node& node) {
  const core::Node* model = node.is_mapping() ? node.find("model") : nullptr;
  return model != nullptr && model->is_scalar() && model->text.ends_with(kEnding) ? model : nullptr;
}

/// Replaces the names of embedded files by what the files say, under the keys that are laid over
/// them. Returns false if one is not embedded.
bool inline_files(core::Node& node) {
  if (const core::Node* name = file_below(node)) {
    std::optional<core::Node> file = embedded(name->text);
    if (!file) return false;
    std::erase_if(node.entries, [](const core::Entry& one) { return one.key == "model"; });
    node = core::overlay(std::move(*file), node);
  }
  if (node.is_scalar() && node.text.ends_with(kEnding)) {
    std::optional<core::Node> file = embedded(node.text);
    if (!file) return false;
    node = std::move(*file);
  }
  return std::ranges::all_of(node.entries,
                             [](core::Entry& one) { return inline_files(one.value); });
}

}  // namespace

std::vector<ShippedExample> shipped_examples() {
  std::vector<ShippedExample> examples;
  for (const output::PageFile& file : page_files()) {
    if (!file.name.starts_with(kFolder)) continue;
    const std::string_view path = file.name.substr(kFolder.size());
    if (path.find('/') != path.npos) continue;
    core::Node tree = *embedded(std::string(path));
    if (!include(tree)) continue;
    const core::Node* name = tree.find("name");
    const bool is_job = tree.find("workload") != nullptr && tree.find("cluster") != nullptr &&
                        simulation::other_kind(tree).empty();
    if (name == nullptr || !is_job || !inline_files(tree)) continue;
    examples.push_back({.name = std::string(path.substr(0, path.size() - kEnding.size())),
                        .title = name->text,
                        .text = output::scenario_file(tree)});
  }
  return examples;
}

}  // namespace railwright::web
