// SPDX-License-Identifier: Apache-2.0
#include "railwright/core/config/describe.hpp"

#include <fmt/format.h>

#include <cmath>

#include "config/wording.hpp"
#include "units/number.hpp"

namespace railwright::core {

namespace {

std::string limit_text(double limit, const Exponents& exponents) {
  if (limit == 0.0) return "0";
  if (exponents != Exponents{}) return format_faithful(limit, exponents);
  return std::abs(limit) < 1e15 ? fmt::format("{:.15g}", limit) : shortest(limit);
}

}  // namespace

const Description* Description::find(std::string_view key) const {
  for (const Description& child : children) {
    if (child.name == key) return &child;
  }
  return nullptr;
}

namespace detail {

Description& add_child(Description& out, std::string_view name, std::string_view former_name,
                       std::string_view doc, const Range& range, bool required) {
  Description& child = out.children.emplace_back();
  child.name = name;
  child.former_name = former_name;
  child.doc = doc;
  child.range = range;
  child.required = required;
  return child;
}

void set_default(Description& child, const Node& value) { child.default_text = to_yaml(value); }

}  // namespace detail

std::string type_text(const Description& description) {
  switch (description.kind) {
    case Description::Kind::kTruth:
      return "true or false";
    case Description::Kind::kInteger:
      return "a whole number";
    case Description::Kind::kNumber:
      return "a number";
    case Description::Kind::kQuantity: {
      const std::string_view unit = example_unit(description.exponents);
      const std::string name = dimension_name(description.exponents);
      return unit.empty() ? name : fmt::format("{} (such as {})", name, unit);
    }
    case Description::Kind::kText:
      return "text";
    case Description::Kind::kChoice:
      return "one of " + listed(description.choices);
    case Description::Kind::kList:
      return "list of " + type_text(description.children.front());
    case Description::Kind::kMap:
      return "mapping of names to " + type_text(description.children.front());
    case Description::Kind::kStruct:
      return description.catalogue.empty() ? "a mapping"
                                           : "a catalogue " + singular(description.catalogue);
    case Description::Kind::kAny:
      return "anything";
  }
  return "anything";
}

std::string range_text(const Range& range, const Exponents& exponents) {
  const bool has_min = std::isfinite(range.min);
  const bool has_max = std::isfinite(range.max);
  const std::string min = limit_text(range.min, exponents);
  const std::string max = limit_text(range.max, exponents);
  if (!has_min) return has_max ? "at most " + max : std::string();
  if (range.open_min) {
    return "greater than " + min + (has_max ? " and at most " + max : std::string());
  }
  return has_max ? fmt::format("between {} and {}", min, max) : "at least " + min;
}

}  // namespace railwright::core
