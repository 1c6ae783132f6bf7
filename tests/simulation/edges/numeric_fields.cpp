// SPDX-License-Identifier: Apache-2.0
#include "numeric_fields.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "railwright/core/units/text.hpp"

namespace railwright::test {

namespace {

using core::Description;
using Kind = Description::Kind;

constexpr double kYear = 365.25 * 86400;

/// Ends of what is drawn before the field's own range.
std::pair<double, double> ends_of(Kind kind, const core::Exponents& exponents) {
  if (kind == Kind::kInteger) return {1.0, 1e6};
  if (kind == Kind::kNumber) return {1e-9, 1e9};
  if (exponents == core::Exponents{1, 0, 0, 0, 0}) return {1e-9, 10 * kYear};
  if (exponents[1] == 1) return {1.0, 1e18};    // bytes, bytes/s
  if (exponents[1] == -1) return {1e-18, 1.0};  // seconds a byte
  if (exponents[2] == 1) return {1.0, 1e24};    // work and its rate
  return {1e-9, 1e12};
}

void add_number(const Description& field, std::string path, std::vector<NumericField>& found) {
  auto [low, high] = ends_of(field.kind, field.exponents);
  const double least = field.range.open_min ? std::max(field.range.min, low) : field.range.min;
  low = std::clamp(low, least, std::max(least, field.range.max));
  high = std::clamp(high, low, std::max(low, field.range.max));
  found.push_back({std::move(path), field.kind, field.exponents, low, high});
}

/// `at` is what stands there, null inside an entry that is named or not there.
void collect(const Description& parent, const core::Node* at, const std::string& path,
             std::vector<NumericField>& found) {
  for (const Description& field : parent.children) {
    const std::string here = path.empty() ? field.name : path + "." + field.name;
    const core::Node* const value = at == nullptr ? nullptr : at->find(field.name);
    if (field.kind == Kind::kInteger || field.kind == Kind::kNumber ||
        field.kind == Kind::kQuantity) {
      add_number(field, here, found);
    } else if (field.kind == Kind::kStruct) {
      const bool needs_keys = std::ranges::any_of(field.children, &Description::required);
      const bool is_in_entry = at == nullptr && field.required;
      if (value != nullptr || is_in_entry || !needs_keys) collect(field, value, here, found);
    }
  }
}

}  // namespace

std::string NumericField::setting(double value) const {
  if (kind == Kind::kInteger) {
    return path + "=" + std::to_string(static_cast<std::int64_t>(std::llround(value)));
  }
  return path + "=" + core::format_exact(value, exponents);
}

std::vector<NumericField> numeric_fields(const Description& description, const core::Node& tree) {
  std::vector<NumericField> found;
  collect(description, &tree, "", found);
  return found;
}

double draw(const NumericField& field, core::RandomStream& random) {
  switch (random.below(6)) {
    case 0:
      return field.low;
    case 1:
      return field.high;
    default: {
      const double low = std::max(field.low, std::min(1e-9, field.high));
      return low * std::pow(field.high / low, random.uniform());
    }
  }
}

}  // namespace railwright::test
