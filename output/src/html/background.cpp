// SPDX-License-Identifier: Apache-2.0
// Values that a scenario states, defaults that it uses, and every constant with its source.
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "page_parts.hpp"
#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"

namespace railwright::output {

namespace {

using core::Description;
using core::Node;
using Json = nlohmann::ordered_json;

struct Stated {
  std::string path;
  std::string text;
  std::string source;  ///< stated source, or the place in the file
};

struct Used {
  std::string path;   ///< "cluster.node.nics.nic"
  std::string entry;  ///< "nics/connectx-7"
};

std::string text_of(const Node& node) { return node.is_scalar() ? node.text : core::to_yaml(node); }

class Walk {
 public:
  explicit Walk(const core::Catalogue& catalogue) : catalogue_(catalogue) {}

  void keys(const Description& description, const Node& node, const std::string& path) {
    for (const Description& key : description.children) {
      const std::string place = core::join_path(path, key.name);
      const Node* value = node.find(key.name);
      if (value != nullptr) {
        visit(key, *value, place);
      } else if (!key.default_text.empty() && key.kind != Description::Kind::kStruct) {
        defaults.push_back({place, key.default_text, key.doc});
      }
    }
  }

  std::vector<Stated> stated;
  std::vector<Stated> defaults;
  std::vector<Used> used;

 private:
  void visit(const Description& key, const Node& node, const std::string& path) {
    if (path.ends_with("fabric") && key.kind == Description::Kind::kAny) return fabric(node, path);
    if (!key.catalogue.empty() && entry(key, node, path)) return;
    if (key.kind == Description::Kind::kStruct && node.is_mapping()) return keys(key, node, path);
    if (key.kind == Description::Kind::kList && !node.items.empty() &&
        node.items.front().is_mapping()) {
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        visit(key.children.front(), node.items[i], core::join_path(path, std::to_string(i)));
      }
      return;
    }
    const Node* value = key.sourced && node.is_mapping() ? node.find("value") : nullptr;
    const Node* source = value != nullptr ? node.find("source") : nullptr;
    stated.push_back({path, text_of(value != nullptr ? *value : node),
                      source != nullptr ? source->text : core::to_string(node.where)});
  }

  /// Visits an entry given by name, or one with overridden keys. Returns false if it is written out
  /// here.
  bool entry(const Description& key, const Node& node, const std::string& path) {
    const Node* name = node.is_scalar() ? &node : node.find("model");
    if (name == nullptr || !name->is_scalar()) return false;
    stated.push_back({path, name->text, core::to_string(name->where)});
    if (catalogue_.contains(key.catalogue, name->text)) {
      used.push_back({path, key.catalogue + "/" + name->text});
    }
    for (const core::Entry& over : node.entries) {
      const Description* child = key.find(over.key);
      if (over.key == "model" || child == nullptr) continue;
      visit(*child, over.value, core::join_path(path, over.key));
    }
    return true;
  }

  /// Visits a topology with its keys, or a whole fabric of the catalogue.
  void fabric(const Node& node, const std::string& path) {
    const Node* name = node.is_scalar() ? &node : node.find("topology");
    if (name == nullptr) name = node.find("model");
    if (name == nullptr) return;
    stated.push_back({path, name->text, core::to_string(name->where)});
    if (catalogue_.contains(topologies::kFabricKind, name->text)) {
      used.push_back({path, std::string(topologies::kFabricKind) + "/" + name->text});
    }
    const topologies::TopologyKind* kind = topologies::find_topology(name->text);
    const Description* config = kind != nullptr ? &kind->keys() : nullptr;
    for (const core::Entry& over : node.entries) {
      if (&over.value == name) continue;
      const Description* child = config != nullptr ? config->find(over.key) : nullptr;
      visit(child != nullptr ? *child : Description{}, over.value, core::join_path(path, over.key));
    }
  }

  const core::Catalogue& catalogue_;
};

Json list_json(const std::vector<Stated>& list, std::string_view last) {
  Json json = Json::array();
  for (const Stated& one : list) {
    json.push_back({{"path", one.path}, {"text", one.text}, {last, one.source}});
  }
  return json;
}

/// Collects entries in order; an entry is followed by those that it names.
class Constants {
 public:
  Constants(const Walk& walk, const core::Catalogue& catalogue)
      : walk_(walk), catalogue_(catalogue) {
    for (const Stated& one : walk.stated) given_[one.path] = one.text;
    for (const Used& one : walk.used) given_.erase(one.path), named_[one.path] = true;
  }

  Json take() {
    for (const Used& one : walk_.used) add(one);
    return std::move(json_);
  }

 private:
  void add(const Used& used) {
    const auto [known, is_new] = places_.try_emplace(used.entry, json_.size());
    if (!is_new) {
      json_[known->second]["used_as"].push_back(used.path);
      return;
    }
    const CatalogueEntry entry = show_entry(catalogue_, used.entry);
    Json values = Json::array();
    std::vector<Used> inner;
    for (const CatalogueValue& value : entry.values) {
      const std::string path = used.path + "." + value.key;
      Json one = {{"key", value.key},
                  {"text", value.text},
                  {"source", value.source.empty() ? entry.source : value.source},
                  {"estimate", value.estimate}};
      if (!value.low.empty()) one["range"] = value.low + " to " + value.high;
      if (const auto over = given_.find(path); over != given_.end())
        one["replaced_by"] = over->second;
      if (!value.entry.empty() && !named_.contains(path)) inner.push_back({path, value.entry});
      values.push_back(std::move(one));
    }
    json_.push_back({{"used_as", Json::array({used.path})},
                     {"entry", used.entry},
                     {"description", entry.item.description},
                     {"source", entry.source},
                     {"values", std::move(values)}});
    for (const Used& one : inner) add(one);
  }

  const Walk& walk_;
  const core::Catalogue& catalogue_;
  std::map<std::string, std::string> given_;
  std::map<std::string, bool> named_;
  std::map<std::string, std::size_t> places_;
  Json json_ = Json::array();
};

Walk walk_of(const ReportSource& source) {
  Walk walk(source.catalogue);
  walk.keys(simulation::describe_any(source.tree), source.tree, "");
  return walk;
}

}  // namespace

std::string scenario_json(const ReportSource& source) {
  const Walk walk = walk_of(source);
  return Json{{"stated", list_json(walk.stated, "where")},
              {"defaults", list_json(walk.defaults, "says")}}
      .dump();
}

std::string constants_json(const ReportSource& source) {
  const Walk walk = walk_of(source);
  return Constants(walk, source.catalogue).take().dump();
}

}  // namespace railwright::output
