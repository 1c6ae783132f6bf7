// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "../common/tree_values.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::importers {

namespace {

constexpr auto kAcceleratorKeys =
    std::to_array<std::string_view>({"nvidia.com/gpu", "amd.com/gpu", "google.com/tpu"});

bool opens_line(std::string_view text, std::string_view key) {
  return text.starts_with(key) || text.find("\n" + std::string(key)) != std::string_view::npos;
}

/// Returns a word as the shell would read it back; a whole script as it is.
std::string in_shell(const std::string& word) {
  const bool is_script =
      word.find('\n') != std::string::npos || word.find(" --") != std::string::npos;
  if (is_script) return word;
  const bool is_plain = word.find_first_of(" \t\"';|&()<>#") == std::string::npos;
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

class ManifestReading {
 public:
  explicit ManifestReading(Manifest& made) : made_(made) {}

  void visit(const core::Node& node, std::optional<std::int64_t> replicas = {}) {
    if (node.is_mapping()) {
      if (const core::Node* count = node.find("replicas")) take(*count, replicas);
      container(node, replicas);
    }
    const bool has_leader = node.find("leaderTemplate") != nullptr;
    for (const core::Entry& entry : node.entries) {
      // The leader of a group starts the engine for all of it.
      if (has_leader && entry.key == "workerTemplate") continue;
      if (std::ranges::find(kAcceleratorKeys, entry.key) != kAcceleratorKeys.end()) {
        take(entry.value, made_.accelerators);
      }
      // Dynamo's short form.
      const core::Node* short_form = entry.key == "limits" ? entry.value.find("gpu") : nullptr;
      if (short_form != nullptr) take(*short_form, made_.accelerators);
      visit(entry.value, replicas);
    }
    for (const core::Node& item : node.items) visit(item, replicas);
  }

 private:
  static void take(const core::Node& node, std::optional<std::int64_t>& number) {
    constexpr double kMax = 1e6;
    const double value = node.is_scalar() ? core::number_of(node.text) : 0.0;
    if (value >= 1.0 && value <= kMax) number = static_cast<std::int64_t>(value);
  }

  static std::string words_of(const core::Node* node) {
    std::string words;
    if (node == nullptr) return words;
    if (node->is_scalar()) return " " + node->text;
    for (const core::Node& word : node->items) {
      if (word.is_scalar()) words += " " + in_shell(word.text);
    }
    return words;
  }

  void container(const core::Node& node, std::optional<std::int64_t> replicas) {
    const core::Node* image = node.find("image");
    const std::string words = words_of(node.find("command")) + words_of(node.find("args"));
    if (words.empty()) return;
    const std::string name = image != nullptr && image->is_scalar() ? image->text : "";
    made_.containers.push_back({name + words + "\n", replicas});
  }

  Manifest& made_;
};

}  // namespace

bool is_manifest(std::string_view text) {
  return (opens_line(text, "apiVersion:") && opens_line(text, "kind:")) ||
         opens_line(text, "services:") || opens_line(text, "modelArtifacts:");
}

void each_document(std::string_view text, const std::string& file,
                   const std::function<void(const core::Node&)>& take) {
  if (text.find("{{") != std::string_view::npos) {
    throw core::ConfigError({{{file},
                              "",
                              "a template, whose values are filled in elsewhere",
                              "import what `helm template` makes of it"}});
  }
  std::string document;
  const auto read = [&] {
    if (document.find(':') != std::string::npos) take(parse_foreign_yaml(document, file));
    // Lines keep their numbers in messages.
    document = std::string(static_cast<std::size_t>(std::ranges::count(document, '\n')), '\n');
  };
  for (const std::string_view line : core::lines_of(text)) {
    if (line.starts_with("---")) {
      read();
      document += '\n';
    } else {
      document.append(line).push_back('\n');
    }
  }
  read();
}

Manifest read_manifest(std::string_view text, const std::string& file) {
  Manifest made;
  each_document(text, file, [&](const core::Node& node) { ManifestReading(made).visit(node); });
  return made;
}

}  // namespace railwright::importers
