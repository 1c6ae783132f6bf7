// SPDX-License-Identifier: Apache-2.0
// Reads catalogue entries of every kind into lists of values.
#include <fmt/format.h>

#include <algorithm>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/hardware/node.hpp"
#include "railwright/models/software/installation.hpp"
#include "railwright/models/software/profile.hpp"
#include "railwright/models/workload/transformer.hpp"
#include "railwright/planner/out/catalogue_text.hpp"

namespace railwright::planner {

namespace {

using core::Node;

/// What is known of a kind without knowing its type.
struct EntryKind {
  std::string name;
  core::Description description;
  Node (*read)(const core::Catalogue& catalogue, const std::string& name);
};

template <core::CatalogueEntry T>
EntryKind entry_kind() {
  const auto read = [](const core::Catalogue& catalogue, const std::string& name) {
    T entry{};
    core::Reader reader(&catalogue);
    reader.read(core::text_node(name), "", entry);
    reader.throw_if_any();
    return core::to_node(entry);
  };
  return {std::string(T::kKind), core::describe<T>(), read};
}

std::vector<EntryKind> entry_kinds() {
  return {entry_kind<core::Accelerator>(),
          entry_kind<models::Installation>(),
          entry_kind<core::Nic>(),
          entry_kind<core::Server>(),
          entry_kind<models::SoftwareProfile>(),
          entry_kind<core::StorageNode>(),
          entry_kind<core::Switch>(),
          entry_kind<models::Transformer>()};
}

std::string text_of(const Node* node) {
  if (node == nullptr) return {};
  return node->is_scalar() ? node->text : core::to_yaml(*node);
}

/// Collects the values of one entry.
class Values {
 public:
  Values(const core::Catalogue& catalogue, const std::vector<EntryKind>& kinds)
      : catalogue_(catalogue), kinds_(kinds) {}

  /// With `base`, only what differs from it.
  void add_struct(const core::Description& description, const Node& node, const std::string& path,
                  const Node* base = nullptr) {
    for (const core::Description& key : description.children) {
      const bool heading = key.name == "name" || key.name == "description" || key.name == "source";
      if (heading && !description.catalogue.empty()) continue;
      const Node* value = node.find(key.name);
      const Node* same = base != nullptr ? base->find(key.name) : nullptr;
      if (value == nullptr) continue;
      if (same != nullptr && core::to_yaml(*same) == core::to_yaml(*value)) continue;
      add(key, *value, core::join_path(path, key.name), same);
    }
  }

  std::vector<CatalogueValue> take() { return std::move(values_); }

 private:
  void add(const core::Description& key, const Node& node, const std::string& path,
           const Node* base) {
    if (key.kind != core::Description::Kind::kStruct) return add_value(key, node, path);
    if (key.catalogue.empty()) return add_struct(key, node, path, base);
    const std::string name = text_of(node.find("name"));
    if (!catalogue_.contains(key.catalogue, name)) return add_struct(key, node, path);
    values_.push_back({.key = path,
                       .text = name,
                       .kind = core::Description::Kind::kText,
                       .entry = key.catalogue + "/" + name});
    const auto kind = std::ranges::find(kinds_, key.catalogue, &EntryKind::name);
    const Node plain = kind->read(catalogue_, name);
    add_struct(key, node, path, &plain);
  }

  void add_value(const core::Description& key, const Node& node, const std::string& path) {
    CatalogueValue value{.key = path, .kind = key.kind, .exponents = key.exponents};
    if (key.sourced) {
      value.text = text_of(node.find("value"));
      value.source = text_of(node.find("source"));
      value.estimate = node.find("estimate") != nullptr;
    } else {
      value.text = text_of(&node);
    }
    values_.push_back(std::move(value));
  }

  const core::Catalogue& catalogue_;
  const std::vector<EntryKind>& kinds_;
  std::vector<CatalogueValue> values_;
};

CatalogueItem item_of(const EntryKind& kind, const std::string& name, const Node& node) {
  return {kind.name, name, text_of(node.find("description"))};
}

[[noreturn]] void refuse(std::string message, std::string hint) {
  throw core::ConfigError({{{}, "", std::move(message), std::move(hint)}});
}

std::string hint_for(const std::string& word, const std::vector<std::string>& known) {
  const std::string near = core::nearest(word, known);
  return near.empty() ? fmt::format("known: {}", fmt::join(known, ", "))
                      : fmt::format("did you mean '{}'?", near);
}

}  // namespace

CatalogueListing list_catalogue(const core::Catalogue& catalogue, const std::string& kind) {
  CatalogueListing listing;
  std::vector<std::string> known;
  bool found = kind.empty();
  for (const EntryKind& one : entry_kinds()) {
    known.push_back(one.name);
    if (!kind.empty() && kind != one.name) continue;
    found = true;
    for (const std::string& name : catalogue.names(one.name)) {
      listing.items.push_back(item_of(one, name, one.read(catalogue, name)));
    }
  }
  if (!found) refuse(fmt::format("no kind '{}' in the catalogue", kind), hint_for(kind, known));
  return listing;
}

CatalogueEntry show_entry(const core::Catalogue& catalogue, const std::string& name) {
  const std::vector<EntryKind> kinds = entry_kinds();
  const std::size_t slash = name.find('/');
  const std::string wanted_kind = slash == std::string::npos ? "" : name.substr(0, slash);
  const std::string wanted = slash == std::string::npos ? name : name.substr(slash + 1);
  std::vector<const EntryKind*> holders;
  std::vector<std::string> known;
  std::vector<std::string> places;
  for (const EntryKind& kind : kinds) {
    for (const std::string& one : catalogue.names(kind.name)) {
      known.push_back(wanted_kind.empty() ? one : kind.name + "/" + one);
    }
    if (!wanted_kind.empty() && wanted_kind != kind.name) continue;
    if (!catalogue.contains(kind.name, wanted)) continue;
    holders.push_back(&kind);
    places.push_back(kind.name + "/" + wanted);
  }
  if (holders.empty()) {
    refuse(fmt::format("no entry '{}' in the catalogue", name), hint_for(name, known));
  }
  if (holders.size() > 1) {
    refuse(fmt::format("'{}' is in several kinds", name),
           fmt::format("say which: {}", fmt::join(places, ", ")));
  }
  const EntryKind& kind = *holders.front();
  const Node node = kind.read(catalogue, wanted);
  Values values(catalogue, kinds);
  values.add_struct(kind.description, node, "");
  return {item_of(kind, wanted, node), text_of(node.find("source")), values.take()};
}

}  // namespace railwright::planner
