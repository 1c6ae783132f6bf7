// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "railwright/core/config/describe.hpp"
#include "railwright/output/catalogue/catalogue_text.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/yaml/scenario_file.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"
#include "railwright/web/what_if/what_if.hpp"
#include "what_if_controls.hpp"

namespace railwright::web {

namespace {

using core::Description;
using Json = nlohmann::ordered_json;

const Description* find(const Description& root, std::string_view path) {
  const Description* key = &root;
  while (key != nullptr && !path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    key = key->find(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return key;
}

std::string_view kind_of(const Description& key) {
  switch (key.kind) {
    case Description::Kind::kTruth:
      return "truth";
    case Description::Kind::kInteger:
      return "integer";
    case Description::Kind::kNumber:
      return "number";
    case Description::Kind::kQuantity:
      return "quantity";
    case Description::Kind::kChoice:
      return "choice";
    default:
      return key.catalogue.empty() ? "text" : "entry";
  }
}

class FormWriter {
 public:
  explicit FormWriter(const core::Catalogue& catalogue) : catalogue_(catalogue) {}

  Json control(const Description& key) const {
    Json json = {{"doc", key.doc}, {"kind", kind_of(key)}};
    if (const std::string range = core::range_text(key.range, key.exponents); !range.empty()) {
      json["range"] = range;
    }
    if (key.kind == Description::Kind::kQuantity) json["type"] = core::type_text(key);
    if (std::isfinite(key.range.min)) json["least"] = key.range.min;
    if (std::isfinite(key.range.max)) json["most"] = key.range.max;
    json["optional"] = !key.required;
    if (!key.default_text.empty()) json["default"] = key.default_text;
    if (!key.choices.empty()) json["choices"] = names(key.choices);
    if (!key.catalogue.empty()) json["choices"] = entries(key.catalogue);
    return json;
  }

  Json topologies() const {
    Json all = Json::object();
    for (const topologies::TopologyKind& kind : topologies::topology_kinds()) {
      Json keys = Json::object();
      for (const Description& key : kind.keys().children) keys[key.name] = control(key);
      all[std::string(kind.name)] = std::move(keys);
    }
    return all;
  }

  /// Returns the catalogue's fabrics with name, description, topology, topology of planes, and
  /// switch.
  Json fabrics() const {
    Json all = Json::array();
    for (Json& item : entries(std::string(topologies::kFabricKind))) {
      const core::Node entry =
          catalogue_.load(topologies::kFabricKind, item["name"].get<std::string>());
      const core::Node* topology = entry.find("topology");
      if (topology == nullptr) continue;
      item["topology"] = topology->text;
      const core::Node* plane = entry.find("plane");
      const core::Node* of_plane = plane != nullptr ? plane->find("switch") : nullptr;
      const core::Node* of_fabric = of_plane != nullptr ? of_plane : entry.find("switch");
      if (of_fabric != nullptr) item["switch"] = of_fabric->text;
      if (plane != nullptr) {
        const core::Node* kind = plane->is_mapping() ? plane->find("topology") : plane;
        if (kind != nullptr) item["plane"] = kind->text;
      }
      all.push_back(std::move(item));
    }
    return all;
  }

 private:
  static Json names(const std::vector<std::string>& words) {
    Json list = Json::array();
    for (const std::string& word : words) list.push_back({{"name", word}, {"description", ""}});
    return list;
  }

  Json entries(const std::string& kind) const {
    Json list = Json::array();
    for (const output::CatalogueItem& item : output::list_catalogue(catalogue_, kind).items) {
      Json one = {{"name", item.name}, {"description", item.description}};
      if (Json protocols = protocols_of(kind, item.name); !protocols.empty()) {
        one["protocols"] = std::move(protocols);
      }
      list.push_back(std::move(one));
    }
    return list;
  }

  /// Returns the protocols that an adapter or a switch speaks, or the transport of a node's own
  /// adapters.
  Json protocols_of(const std::string& kind, const std::string& name) const {
    if (kind != "nics" && kind != "switches" && kind != "nodes") return Json::array();
    const core::Node entry = catalogue_.load(kind, name);
    const core::Node* found = nullptr;
    if (kind == "nics") found = entry.find("link_protocols");
    if (kind == "switches") found = entry.find("link_protocol");
    if (kind == "nodes") {
      const core::Node* nics = entry.find("nics");
      found = nics != nullptr ? nics->find("transport") : nullptr;
      const core::Node* base = entry.find("model");
      if (found == nullptr && base != nullptr) return protocols_of(kind, base->text);
    }
    if (found != nullptr && found->is_mapping()) found = found->find("value");
    Json words = Json::array();
    if (found == nullptr) return words;
    if (found->is_scalar()) words.push_back(found->text);
    for (const core::Node& word : found->items) words.push_back(word.text);
    return words;
  }

  const core::Catalogue& catalogue_;
};

}  // namespace

std::string what_if_form(const core::Node& scenario, const core::Catalogue& catalogue,
                         const std::vector<ShippedExample>& examples) {
  const FormWriter writer(catalogue);
  const Description root = core::describe<simulation::Scenario>();
  Json controls = Json::object();
  for (const std::string_view path : kWhatIfPaths) {
    if (const Description* key = find(root, path)) {
      controls[std::string(path)] = writer.control(*key);
    }
  }
  Json offered = Json::array();
  for (const ShippedExample& example : examples) {
    offered.push_back({{"name", example.name}, {"title", example.title}});
  }
  Json form = Json::parse(output::numbers_json());
  form.update({{"kind", "form"},
               {"scenario", output::scenario_file(scenario)},
               {"controls", std::move(controls)},
               {"topologies", writer.topologies()},
               {"fabrics", writer.fabrics()},
               {"examples", std::move(offered)}});
  return form.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace railwright::web
