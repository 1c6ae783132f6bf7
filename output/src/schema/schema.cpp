// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/schema/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "railwright/core/config/describe.hpp"
#include "railwright/core/config/reader.hpp"
#include "railwright/topologies/wirings/create_topology.hpp"
#include "railwright/topologies/wirings/topology_kinds.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::output {

namespace {

using core::Description;
using Json = nlohmann::ordered_json;
using Kind = Description::Kind;

/// Whether keys may be missing because something else already gave them.
enum class Part : std::uint8_t { kComplete, kOverrides };

/// Returns "-?(digits) *(?:(?:b|B|...)/(?:s|ms|...)|W|...)", with units grouped by denominator.
std::string quantity_pattern(const core::Exponents& exponents) {
  std::map<std::string, std::string> under;  // numerator -> "s|ms|...", "" without a denominator
  for (const std::string& name : core::unit_names(exponents)) {
    const std::size_t slash = name.find('/');
    std::string& all = under[name.substr(0, slash)];
    if (slash == std::string::npos) continue;
    if (!all.empty()) all += '|';
    all += name.substr(slash + 1);
  }
  std::map<std::string, std::string> over;  // denominators -> numerators
  for (const auto& [numerator, denominators] : under) {
    std::string& all = over[denominators];
    if (!all.empty()) all += '|';
    all += numerator;
  }
  std::string units;
  for (const auto& [denominators, numerators] : over) {
    if (!units.empty()) units += '|';
    units += fmt::format("(?:{})", numerators);
    if (!denominators.empty()) units += fmt::format(" */ *(?:{})", denominators);
  }
  return fmt::format(R"(^[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)? *(?:{})$)", units);
}

void add_range(Json& schema, const core::Range& range) {
  if (std::isfinite(range.min)) schema[range.open_min ? "exclusiveMinimum" : "minimum"] = range.min;
  if (std::isfinite(range.max)) schema["maximum"] = range.max;
}

/// Returns the default of a key as JSON; null if it is not a single value.
Json default_of(const Description& key) {
  if (key.default_text.empty() || key.kind == Kind::kStruct || key.kind == Kind::kAny) return {};
  core::Node node = core::parse_yaml(key.default_text, "default");
  if (key.sourced) {
    const core::Node* value = node.find("value");
    if (value != nullptr) node = core::Node(*value);
  }
  if (!node.is_scalar() || node.text.empty()) return {};
  if (key.kind == Kind::kTruth) return node.text == "true";
  if (key.kind == Kind::kInteger) return std::stoll(node.text);
  if (key.kind == Kind::kNumber && node.text != "unlimited") return std::stod(node.text);
  return node.text;
}

class SchemaWriter {
 public:
  explicit SchemaWriter(const core::Catalogue& catalogue) : catalogue_(catalogue) {}

  Json document() {
    const auto kinds = simulation::scenario_kinds();
    std::vector<Json> others;
    for (const simulation::ScenarioKind& kind : kinds.subspan(1)) {
      others.push_back(kind_of_scenario(kind.describe(), std::string(kind.facts.key)));
    }
    Json rest = kind_of_scenario(kinds.front().describe(), "scenario");
    for (std::size_t i = others.size(); i-- > 0;) {
      rest = {{"if", {{"type", "object"}, {"required", {kinds[i + 1].facts.key}}}},
              {"then", std::move(others[i])},
              {"else", std::move(rest)}};
    }
    Json document = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                     {"title", "railwright scenario"}};
    document.update(rest);
    document["$defs"] = std::move(definitions_);
    return document;
  }

 private:
  /// Accepts a complete scenario, or one with `include` and any of the keys.
  Json kind_of_scenario(const Description& scenario, const std::string& name) {
    Json whole = object_of(scenario, Part::kComplete, "");
    Json part = object_of(scenario, Part::kOverrides, "");
    part["properties"]["include"] = {
        {"description", "Files laid under this one, relative to it."},
        {"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}}};
    definitions_[name] = std::move(whole);
    definitions_[name + "_with_include"] = std::move(part);
    return {{"if", {{"type", "object"}, {"required", {"include"}}}},
            {"then", {{"$ref", "#/$defs/" + name + "_with_include"}}},
            {"else", {{"$ref", "#/$defs/" + name}}}};
  }

  Json object_of(const Description& description, Part part, const std::string& path) {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Description& key : description.children) {
      properties[key.name] = key_of(key, part, core::join_path(path, key.name));
      if (key.required) required.push_back(key.name);
    }
    Json object = {{"type", "object"}, {"properties", std::move(properties)}};
    if (part == Part::kComplete && !required.empty()) object["required"] = std::move(required);
    object["additionalProperties"] = false;
    return object;
  }

  Json key_of(const Description& key, Part part, const std::string& path) {
    Json schema = path == "cluster.fabric" ? fabric(part) : value_of(key, part, path);
    if (key.sourced) schema = with_source(std::move(schema), part, is_number(key.kind));
    if (key.nullable) schema = {{"anyOf", {std::move(schema), {{"type", "null"}}}}};
    std::string doc = key.doc;
    if (key.kind == Kind::kQuantity) {
      const std::string range = core::range_text(key.range, key.exponents);
      doc += fmt::format(" ({}{}{})", core::type_text(key), range.empty() ? "" : "; ", range);
    }
    schema["description"] = std::move(doc);
    if (Json fallback = default_of(key); !fallback.is_null()) schema["default"] = fallback;
    return schema;
  }

  Json value_of(const Description& key, Part part, const std::string& path) {
    Json schema;
    switch (key.kind) {
      case Kind::kTruth:
        return {{"type", "boolean"}};
      case Kind::kInteger:
      case Kind::kNumber:
        schema["type"] = key.kind == Kind::kInteger ? "integer" : "number";
        add_range(schema, key.range);
        return schema;
      case Kind::kQuantity:
        return quantity(key.exponents);
      case Kind::kText:
        return {{"type", {"string", "number"}}};  // `name: 7` reads as the text 7
      case Kind::kChoice:
        return {{"enum", key.choices}};
      case Kind::kList:
        return {{"type", "array"}, {"items", value_of(key.children.front(), part, path)}};
      case Kind::kMap:
        return {{"type", "object"},
                {"additionalProperties", value_of(key.children.front(), part, path)}};
      case Kind::kStruct:
        return key.catalogue.empty() ? object_of(key, part, path) : entry_of(key, part);
      case Kind::kAny:
        return Json::object();
    }
    return Json::object();
  }

  Json quantity(const core::Exponents& exponents) {
    std::string name = core::dimension_name(exponents);
    std::ranges::replace(name, '/', '_');
    if (!definitions_.contains(name)) {
      definitions_[name] = {{"type", "string"}, {"pattern", quantity_pattern(exponents)}};
    }
    return {{"$ref", "#/$defs/" + name}};
  }

  static bool is_number(Kind kind) {
    return kind == Kind::kInteger || kind == Kind::kNumber || kind == Kind::kQuantity;
  }

  static Json with_source(Json value, Part part, bool may_have_range) {
    Json object = {{"type", "object"},
                   {"properties",
                    {{"value", value},
                     {"source", {{"type", "string"}}},
                     {"estimate", {{"type", "boolean"}}}}}};
    if (may_have_range) {
      object["properties"]["range"] = {
          {"type", "array"}, {"items", value}, {"minItems", 2}, {"maxItems", 2}};
    }
    if (part == Part::kComplete) {
      object["required"] = {"value", "source"};
    } else {
      object["dependentRequired"] = {{"value", {"source"}}};  // a new value has its own source
    }
    object["additionalProperties"] = false;
    return {{"anyOf", {std::move(value), std::move(object)}}};
  }

  /// Accepts a catalogue entry: its name, its name with overrides, or a complete definition.
  Json entry_of(const Description& key, Part part) {
    // One key may accept all shapes of a kind and another only some of them.
    const std::string whole = key.catalogue + (key.others.empty() ? "" : "_of_any_shape");
    const std::string overrides = whole + "_overrides";
    if (!definitions_.contains(overrides)) {
      definitions_[overrides] = nullptr;  // holds the place while its own keys are described
      const Json name = {{"type", "string"}, {"examples", catalogue_.names(key.catalogue)}};
      const Json with_model = {{"$ref", "#/$defs/" + overrides}, {"required", {"model"}}};
      Json parts = Json::array({name});
      Json wholes = Json::array({name, with_model});
      const auto add = [&](const Description& shape) {
        Json part_of_it = object_of(shape, Part::kOverrides, "");
        part_of_it["properties"].update(Json{{"model", name}});
        parts.push_back(std::move(part_of_it));
        wholes.push_back(object_of(shape, Part::kComplete, ""));
      };
      add(key);
      for (const Description& shape : key.others) add(shape);
      definitions_[overrides] = {{"anyOf", std::move(parts)}};
      definitions_[whole] = {{"anyOf", std::move(wholes)}};
    }
    return {{"$ref", "#/$defs/" + (part == Part::kComplete ? whole : overrides)}};
  }

  Json fabric(Part part) {
    const Json entry = {{"type", "string"},
                        {"examples", catalogue_.names(topologies::kFabricKind)}};
    Json all = Json::array({entry});
    Json overrides = {{"model", entry}};
    for (const topologies::TopologyKind& kind : topologies::topology_kinds()) {
      Json one = object_of(kind.keys(), part, "");
      one["properties"].update(Json{{"topology", {{"const", kind.name}}}});
      overrides.update(object_of(kind.keys(), Part::kOverrides, "")["properties"]);
      if (part == Part::kComplete) one["required"].push_back("topology");
      all.push_back(std::move(one));
    }
    all.push_back({{"type", "object"},
                   {"properties", std::move(overrides)},
                   {"required", {"model"}},
                   {"additionalProperties", false}});
    return {{"anyOf", std::move(all)}};
  }

  const core::Catalogue& catalogue_;
  Json definitions_ = Json::object();
};

}  // namespace

std::string scenario_schema(const core::Catalogue& catalogue) {
  return SchemaWriter(catalogue).document().dump(2) + "\n";
}

}  // namespace railwright::output
