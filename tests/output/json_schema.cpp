// SPDX-License-Identifier: Apache-2.0
#include "json_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>

namespace railwright::test {

namespace {

using Json = nlohmann::json;

/// A tree as an editor sees it: plain scalars by YAML's core schema.
Json as_json(const core::Node& node) {
  switch (node.kind) {
    case core::Node::Kind::kNull:
      return nullptr;
    case core::Node::Kind::kSequence: {
      Json list = Json::array();
      for (const core::Node& item : node.items) list.push_back(as_json(item));
      return list;
    }
    case core::Node::Kind::kMapping: {
      Json mapping = Json::object();
      for (const core::Entry& entry : node.entries) mapping[entry.key] = as_json(entry.value);
      return mapping;
    }
    case core::Node::Kind::kScalar:
      break;
  }
  if (!node.quoted && (node.text == "true" || node.text == "false")) return node.text == "true";
  double number = 0.0;
  const char* const end = node.text.data() + node.text.size();
  const auto parsed = std::from_chars(node.text.data(), end, number);
  if (node.quoted || parsed.ptr != end || parsed.ec != std::errc{}) return node.text;
  return number;
}

bool has_type(const Json& value, const std::string& type) {
  if (type == "integer") return value.is_number() && std::floor(value.get<double>()) == value;
  if (type == "number") return value.is_number();
  if (type == "null") return value.is_null();
  return type == value.type_name();
}

class Validator {
 public:
  explicit Validator(const Json& root) : root_(root) {}

  [[nodiscard]] bool valid(const Json& schema, const Json& value) const {
    return Validator(root_).errors(schema, value, "").empty();
  }

  std::vector<std::string> errors(const Json& schema, const Json& value, const std::string& at) {
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"];
      errors(root_.at(Json::json_pointer(ref.substr(1))), value, at);
    }
    if (schema.contains("if")) {
      errors(schema[valid(schema["if"], value) ? "then" : "else"], value, at);
    }
    for (const auto& [keyword, rule] : schema.items()) {
      if (!holds(keyword, rule, value)) found_.push_back(fmt::format("{}: {}", at, keyword));
    }
    if (value.is_object()) check_keys(schema, value, at);
    if (value.is_array() && schema.contains("items")) {
      for (const Json& item : value) errors(schema["items"], item, at + "/-");
    }
    return found_;
  }

 private:
  [[nodiscard]] bool holds(const std::string& keyword, const Json& rule, const Json& value) const {
    static const std::set<std::string> kElsewhere{
        "$ref", "$schema", "$defs",      "title", "description",          "default", "if",
        "then", "else",    "properties", "items", "additionalProperties", "examples"};
    const auto same = [&](const Json& one) { return one == value; };
    const auto typed = [&](const Json& type) { return has_type(value, type); };
    if (kElsewhere.contains(keyword)) return true;
    if (keyword == "type") {
      return rule.is_array() ? std::any_of(rule.begin(), rule.end(), typed) : typed(rule);
    }
    if (keyword == "enum") return std::any_of(rule.begin(), rule.end(), same);
    if (keyword == "const") return same(rule);
    if (keyword == "anyOf") {
      return std::any_of(rule.begin(), rule.end(),
                         [&](const Json& one) { return valid(one, value); });
    }
    if (keyword == "pattern") {
      return !value.is_string() ||
             std::regex_search(value.get<std::string>(), std::regex(rule.get<std::string>()));
    }
    if (keyword == "required") {
      return !value.is_object() || std::all_of(rule.begin(), rule.end(), [&](const Json& key) {
        return value.contains(key.get<std::string>());
      });
    }
    if (keyword == "dependentRequired") {
      const auto has_all = [&](const auto& one) {
        return !value.contains(one.key()) || holds("required", one.value(), value);
      };
      for (auto one = rule.begin(); one != rule.end(); ++one) {
        if (value.is_object() && !has_all(one)) return false;
      }
      return true;
    }
    const double limit = rule.is_number() ? rule.get<double>() : 0.0;
    if (keyword == "minimum") return !value.is_number() || value >= limit;
    if (keyword == "maximum") return !value.is_number() || value <= limit;
    if (keyword == "exclusiveMinimum") return !value.is_number() || value > limit;
    throw std::logic_error("unknown keyword " + keyword);
  }

  void check_keys(const Json& schema, const Json& value, const std::string& at) {
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, child] : value.items()) {
      std::string path = at;
      path.append("/").append(key);
      if (properties.contains(key)) {
        errors(properties[key], child, path);
      } else if (schema.value("additionalProperties", Json(true)) == false) {
        found_.push_back(path + ": additionalProperties");
      }
    }
  }

  const Json& root_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> schema_errors(const std::string& schema, const core::Node& scenario) {
  const Json root = Json::parse(schema);
  return Validator(root).errors(root, as_json(scenario), "");
}

}  // namespace railwright::test
