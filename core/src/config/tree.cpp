// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/tree.hpp"

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

Node overlay(Node base, const Node& patch) {
  // A new value does not inherit the source of the old one.
  if (!patch.is_mapping() || patch.find("value") != nullptr) return patch;
  if (base.is_scalar() && patch.find("model") == nullptr) base = named_model(std::move(base));
  if (!base.is_mapping()) return patch;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < base.entries.size(); ++i) index.emplace(base.entries[i].key, i);
  for (const Entry& entry : patch.entries) {
    const auto found = index.find(entry.key);
    if (found == index.end()) {
      base.entries.push_back(entry);
    } else {
      Entry& old = base.entries[found->second];
      old.where = entry.where;
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
