// SPDX-License-Identifier: Apache-2.0
#include "manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "looks_like.hpp"
#include "railwright/core/config/text_file.hpp"
#include "tree_values.hpp"

namespace railwright::importers {

namespace {

constexpr auto kAcceleratorKeys =
    std::to_array<std::string_view>({"nvidia.com/gpu", "amd.com/gpu", "google.com/tpu"});

bool opens_line(std::string_view text, std::string_view key) {
  return text.starts_with(key) || text.find("\n" + std::string(key)) != std::string_view::npos;
}

bool is_of_variable(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
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

/// Whether a text names a variable of the shell.
bool names_variable(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const bool begins = at > 0 && (text[at - 1] == '$' || text[at - 1] == '{');
    const std::size_t end = at + name.size();
    if (begins && (end >= text.size() || !is_of_variable(text[end]))) return true;
  }
  return false;
}

class ManifestReading {
 public:
  explicit ManifestReading(Manifest& made) : made_(made) {}

  /// `owner` is the name of what the node belongs to.
  void visit(const core::Node& node, const std::string& owner = "",
             std::optional<std::int64_t> replicas = {}) {
    std::string name = owner;
    if (node.is_mapping()) {
      if (const core::Node* count = node.find("replicas")) take(*count, replicas);
      if (const core::Node* own = find_given(node, "metadata.name")) name = text_of(*own, name);
      if (const core::Node* own = node.find("name")) name = text_of(*own, name);
      container(node, name, replicas);
    }
    const bool has_leader = node.find("leaderTemplate") != nullptr;
    for (const core::Entry& entry : node.entries) {
      // The leader of a group starts the engine for all of it.
      if (has_leader && entry.key == "workerTemplate") continue;
      if (entry.key.starts_with("x-")) continue;  // what services of compose share
      if (std::ranges::find(kAcceleratorKeys, entry.key) != kAcceleratorKeys.end()) {
        take(entry.value, made_.accelerators);
      }
      // Dynamo's short form.
      const core::Node* short_form = entry.key == "limits" ? entry.value.find("gpu") : nullptr;
      if (short_form != nullptr) take(*short_form, made_.accelerators);
      if (entry.key == "services") {
        for (const core::Entry& one : entry.value.entries) visit(one.value, one.key, replicas);
      } else {
        visit(entry.value, name, replicas);
      }
    }
    for (const core::Node& item : node.items) visit(item, name, replicas);
  }

 private:
  static void take(const core::Node& node, std::optional<std::int64_t>& number) {
    constexpr double kMax = 1e6;
    const double value = node.is_scalar() ? core::number_of(node.text) : 0.0;
    if (value >= 1.0 && value <= kMax) number = static_cast<std::int64_t>(value);
  }

  static std::string text_of(const core::Node& node, const std::string& otherwise) {
    return node.is_scalar() && !node.text.empty() ? node.text : otherwise;
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

  /// The variables that a container has: a list of Kubernetes, a mapping or list of compose.
  static std::map<std::string, std::string> variables_of(const core::Node& node) {
    std::map<std::string, std::string> variables;
    if (const core::Node* env = node.find("env")) {
      for (const core::Node& one : env->items) {
        const core::Node* name = one.find("name");
        const core::Node* value = one.find("value");
        const bool is_set = name != nullptr && name->is_scalar() && value != nullptr;
        if (is_set && value->is_scalar()) variables[name->text] = value->text;
      }
    }
    if (const core::Node* environment = node.find("environment")) {
      for (const core::Entry& one : environment->entries) {
        if (one.value.is_scalar()) variables[one.key] = one.value.text;
      }
      for (const core::Node& one : environment->items) {
        const std::size_t sign = one.text.find('=');
        if (sign != std::string::npos)
          variables[one.text.substr(0, sign)] = one.text.substr(sign + 1);
      }
    }
    return variables;
  }

  void container(const core::Node& node, const std::string& name,
                 std::optional<std::int64_t> replicas) {
    const core::Node* image = node.find("image");
    const std::string words =
        with_shell_variables(words_of(node.find("command")) + words_of(node.find("args")));
    if (words.empty()) return;
    std::string command;
    for (const auto& [variable, value] : variables_of(node)) {
      const bool is_plain = value.find_first_of("'\n") == std::string::npos;
      if (is_plain && names_variable(words, variable)) {
        command += fmt::format("{}='{}'; ", variable, value);
      }
    }
    command += image != nullptr && image->is_scalar() ? image->text : "";
    made_.containers.push_back({name, command + words + "\n", replicas});
  }

  Manifest& made_;
};

/// Whether lines say something: not only comments and blanks.
bool says_something(std::string_view document) {
  return std::ranges::any_of(core::lines_of(document), [](std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first != std::string_view::npos && line[first] != '#';
  });
}

/// Throws ConfigError for a document that says how containers run and leaves it to a template.
/// Returns whether it is another that does, such as a template of chats.
bool is_other_template(std::string_view document, const std::string& file) {
  const std::size_t open = document.find("{{");
  if (open == std::string_view::npos) return false;
  if (!contains(document, "containers:") && !contains(document, "image:")) return true;
  const std::size_t close = std::min(document.find("}}", open), document.find('\n', open));
  throw core::ConfigError(
      {{core::place_in(document, open, file), "",
        fmt::format("a template, whose values are filled in elsewhere: {}",
                    shown(document.substr(open, std::min(close, document.size() - 2) + 2 - open))),
        "import what `helm template` makes of it, or give each with --set-variable NAME=VALUE"}});
}

}  // namespace

std::string with_shell_variables(std::string text) {
  for (std::size_t at = text.find("$("); at != std::string::npos; at = text.find("$(", at + 1)) {
    std::size_t end = at + 2;
    while (end < text.size() && is_of_variable(text[end])) ++end;
    if (end == at + 2 || end >= text.size() || text[end] != ')') continue;
    text[at + 1] = '{';
    text[end] = '}';
  }
  return text;
}

std::string joined_words(std::string_view text) {
  std::string words;
  bool is_blank = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_dash = c == '-' && i + 1 < text.size() && text[i + 1] == ' ';
    const bool separates =
        is_dash || std::string_view(" \t\r\n\"',[]").find(c) != std::string_view::npos;
    if (!separates) words += c;
    if (separates && !is_blank) words += ' ';
    is_blank = separates;
  }
  return words;
}

std::optional<std::string> with_values(std::string_view text, std::string_view name,
                                       std::string_view value) {
  std::string filled(text);
  bool is_there = false;
  const auto put = [&](const std::string& pattern) {
    for (std::size_t at = filled.find(pattern); at != std::string::npos;
         at = filled.find(pattern, at + value.size())) {
      filled.replace(at, pattern.size(), value);
      is_there = true;
    }
  };
  for (const char* form : {"${{{}}}", "$({})", "{{{{ {} }}}}", "{{{{{}}}}}", "{{{{ .Values.{} }}}}",
                           "{{{{ $.Values.{} }}}}", "{{{{ .Values.{} | quote }}}}"}) {
    put(fmt::format(fmt::runtime(form), name));
  }
  if (!is_there) return {};
  return filled;
}

bool is_manifest(std::string_view text) {
  return (opens_line(text, "apiVersion:") && opens_line(text, "kind:")) ||
         opens_line(text, "services:") || opens_line(text, "modelArtifacts:");
}

void each_document(std::string_view text, const std::string& file,
                   const std::function<void(const core::Node&)>& take) {
  std::string document;
  const auto read = [&] {
    const bool is_taken = says_something(document) && !is_other_template(document, file);
    if (is_taken) take(parse_foreign_yaml(document, file));
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
  Manifest made{.file = file};
  each_document(text, file, [&](const core::Node& node) { ManifestReading(made).visit(node); });
  return made;
}

}  // namespace railwright::importers
