// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/tree.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <unordered_map>
#include <utility>

namespace railwright::core {

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

namespace {

const Node* child_of(const Node& node, std::string_view key) {
  if (node.kind != Node::Kind::kSequence) return node.find(key);
  std::size_t at = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), at);
  const bool is_index = error == std::errc{} && end == key.data() + key.size();
  return is_index && at < node.items.size() ? &node.items[at] : nullptr;
}

/// Returns the deepest node of `path` that exists, and removes its keys from `path`.
const Node& deepest(const Node& root, std::string_view& path) {
  const Node* node = &root;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const Node* child = child_of(*node, path.substr(0, dot));
    if (child == nullptr) break;
    node = child;
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return *node;
}

}  // namespace

const Node* find_path(const Node& root, std::string_view path) {
  const Node& node = deepest(root, path);
  return path.empty() ? &node : nullptr;
}

Node* find_path(Node& root, std::string_view path) {
  return const_cast<Node*>(find_path(std::as_const(root), path));
}

const Location& place_of(const Node& root, std::string_view path) {
  return deepest(root, path).where;
}

namespace {

constexpr int kLevels = 64;  // the depth limit of a document

void mark_before_model(Node& node, int level) {
  if (level == kLevels) return;
  for (Entry& entry : node.entries) {
    entry.before_model |= std::uint64_t{1} << static_cast<unsigned>(level);
    mark_before_model(entry.value, level + 1);
  }
  for (Node& item : node.items) mark_before_model(item, level + 1);
}

void forget_marked(Node& node, int level) {
  if (level == kLevels) return;
  const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(level);
  std::erase_if(node.entries, [&](const Entry& entry) { return (entry.before_model & bit) != 0; });
  for (Entry& entry : node.entries) forget_marked(entry.value, level + 1);
  for (Node& item : node.items) forget_marked(item, level + 1);
}

bool brings_another_model(const Node& base, const Node& patch) {
  const Node* old = base.find("model");
  const Node* model = patch.find("model");
  if (old == nullptr || model == nullptr) return false;
  return !old->is_scalar() || !model->is_scalar() || old->text != model->text;
}

}  // namespace

void forget_other_model(Node& entry) { forget_marked(entry, 0); }

Node overlay(Node base, const Node& patch) {
  // A new value does not inherit the source of the old one.
  if (!patch.is_mapping() || patch.find("value") != nullptr) return patch;
  if (base.is_scalar() && patch.find("model") == nullptr) base = named_model(std::move(base));
  if (!base.is_mapping()) return patch;
  if (brings_another_model(base, patch)) mark_before_model(base, 0);
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.entries.size(); ++i) index.emplace(base.entries[i].key, i);
  for (const Entry& entry : patch.entries) {
    const auto found = index.find(entry.key);
    if (found == index.end()) {
      base.entries.push_back(entry);
    } else {
      Entry& old = base.entries[found->second];
      old.where = entry.where;
      old.before_model = entry.before_model;
      old.value = overlay(std::move(old.value), entry.value);
    }
  }
  base.where = patch.where;
  return base;
}

Node named_model(Node name) {
  Node node;
  node.kind = Node::Kind::kMapping;
  node.where = name.where;
  node.entries.push_back({"model", name.where, std::move(name)});
  return node;
}

}  // namespace railwright::core
