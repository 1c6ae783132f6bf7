// SPDX-License-Identifier: Apache-2.0
#include "railwright/workloads/upgrade/upgrade.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/core/config/tree.hpp"
#include "railwright/models/money/prices.hpp"
#include "railwright/models/money/prices_fields.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::simulation {

namespace {

using core::Description;
using core::Node;

/// Returns the kinds of file that `tree` may be: a scenario, or a catalogue entry of prices.
std::vector<Description> shapes_of(const Node& tree) {
  std::vector<Description> shapes{describe_any(tree)};
  if (other_kind(tree).empty()) shapes.push_back(core::describe<models::Prices>());
  return shapes;
}

const Description* find_former(const Description& keys, std::string_view name) {
  const auto found = std::ranges::find(keys.children, name, &Description::former_name);
  return found == keys.children.end() || name.empty() ? nullptr : &*found;
}

/// Returns the path of a setting in its present names: "goals.chance" -> "goals.confidence".
std::string renamed_path(const Description& root, std::string_view path) {
  std::string renamed;
  const Description* keys = &root;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('.'), path.size());
    const std::string_view part = path.substr(0, end);
    const Description* key = keys == nullptr ? nullptr : keys->find(part);
    const Description* former =
        keys == nullptr || key != nullptr ? nullptr : find_former(*keys, part);
    renamed = core::join_path(renamed, former == nullptr ? part : former->name);
    keys = key != nullptr ? key : former;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return renamed;
}

std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  const auto is_part = [&](std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
                               text[i] == '_' || text[i] == '.');
  };
  for (std::size_t at = text.find(word, from); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    if ((at == 0 || !is_part(at - 1)) && !is_part(at + word.size())) return at;
  }
  return std::string_view::npos;
}

class Upgrade {
 public:
  explicit Upgrade(std::string_view text) : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') starts_.push_back(i + 1);
    }
  }

  void keys(const Description& shape, const Node& node, const std::string& path) {
    if (!node.is_mapping()) return;
    for (const core::Entry& entry : node.entries) {
      const Description* key = shape.find(entry.key);
      if (key == nullptr) {
        key = find_former(shape, entry.key);
        if (key == nullptr) continue;
        if (node.find(key->name) != nullptr) {
          problem(entry.where, core::join_path(path, entry.key),
                  fmt::format("is now '{}', which is there as well", key->name));
        }
        rename(entry.where, entry.key, key->name);
      }
      value(*key, entry.value, core::join_path(path, key->name));
    }
  }

  /// Renames paths in texts such as `goals.chance=0.9`, anywhere in the file.
  void settings(const Description& root, const Node& node) {
    for (const core::Entry& entry : node.entries) settings(root, entry.value);
    for (const Node& item : node.items) settings(root, item);
    if (!node.is_scalar()) return;
    const std::string path = node.text.substr(0, node.text.find('='));
    if (path.find('.') == std::string::npos) return;
    const std::string renamed = renamed_path(root, path);
    if (renamed != path) rename(node.where, path, renamed);
  }

  UpgradedText result() {
    if (!problems_.empty()) throw core::ConfigError(std::move(problems_));
    UpgradedText upgraded;
    std::size_t at = 0;
    for (const auto& [place, renamed] : renamed_) {
      upgraded.text += text_.substr(at, place - at);
      upgraded.text += renamed.name;
      at = place + renamed.former.size();
      upgraded.renamed.push_back(renamed);
    }
    upgraded.text += text_.substr(at);
    return upgraded;
  }

 private:
  void value(const Description& key, const Node& node, const std::string& path) {
    using Kind = Description::Kind;
    if (key.kind == Kind::kStruct) {
      keys(key, node, path);
      for (const Description& other : key.others) keys(other, node, path);
    } else if (key.kind == Kind::kList || key.kind == Kind::kMap) {
      for (const Node& item : node.items) value(key.children.front(), item, path);
      for (const core::Entry& entry : node.entries) value(key.children.front(), entry.value, path);
    }
  }

  /// Renames a key. A value that an alias repeats is renamed at its anchor.
  void rename(const core::Location& where, const std::string& former, const std::string& name) {
    const auto line = static_cast<std::size_t>(std::max(where.line, 1)) - 1;
    const std::size_t start = line < starts_.size() ? starts_[line] : text_.size();
    const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text_.size();
    // A column counts characters, not bytes, or is that of an anchor or a quote before the text.
    std::size_t at = std::min(start + static_cast<std::size_t>(std::max(where.column, 1)) - 1, end);
    at = find_word(text_.substr(0, end), former, at);
    if (at == std::string_view::npos) {
      problem(where, former,
              fmt::format("is now '{}'; it cannot be renamed in this way of writing", name));
      return;
    }
    renamed_.insert_or_assign(at, RenamedKey{where, former, name});
  }

  void problem(const core::Location& where, const std::string& path, std::string message) {
    problems_.push_back({where, path, std::move(message), "rename it by hand"});
  }

  std::string_view text_;
  std::vector<std::size_t> starts_;  ///< offsets of lines
  std::map<std::size_t, RenamedKey> renamed_;
  std::vector<core::Diagnostic> problems_;
};

}  // namespace

UpgradedText upgrade(std::string_view text, const std::string& name) {
  const Node tree = core::parse_yaml(text, name);
  Upgrade upgrade(text);
  for (const Description& shape : shapes_of(tree)) {
    upgrade.keys(shape, tree, "");
    upgrade.settings(shape, tree);
  }
  return upgrade.result();
}

}  // namespace railwright::simulation
