// SPDX-License-Identifier: Apache-2.0
#include "sensitivities.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>

#include "railwright/core/config/reader.hpp"
#include "railwright/core/units/text.hpp"

namespace railwright::planner {

namespace {

enum Dimension : std::uint8_t { kTime, kData, kWork, kEnergy, kMoney };

/// Parses a rate or a time; nothing for other values.
std::optional<core::ParsedQuantity> rate_or_time(const core::Node& node) {
  if (!node.is_scalar() || node.quoted) return std::nullopt;
  core::QuantityError ignored;
  const auto parsed = core::parse_quantity(node.text, ignored);
  if (!parsed || parsed->base == 0.0 || std::isinf(parsed->base)) return std::nullopt;
  const core::Exponents& e = parsed->exponents;
  const bool is_amount_by_time = e[kTime] == -1 && e[kData] + e[kWork] == 1;
  const bool is_time = e[kTime] == 1 && e[kData] == 0 && e[kWork] == 0;
  const bool is_neither = e[kEnergy] != 0 || e[kMoney] != 0 || !(is_amount_by_time || is_time);
  return is_neither ? std::nullopt : parsed;
}

/// Drops ".value", which `{value: ..., source: ...}` adds to a path.
std::string without_value(std::string path) {
  constexpr std::string_view kValue = ".value";
  if (path.ends_with(kValue)) path.resize(path.size() - kValue.size());
  return path;
}

using Visit = std::function<void(core::Node&, const std::string&, const core::ParsedQuantity&)>;

/// Constants of an accelerator's kernels, skipped: hundreds of numbers with meaning only together.
constexpr std::string_view kKernels = "kernels";

void visit_rates(core::Node& node, const std::string& path, const Visit& visit) {
  if (const auto quantity = rate_or_time(node)) visit(node, path, *quantity);
  for (core::Entry& entry : node.entries) {
    if (entry.key == kKernels) continue;
    visit_rates(entry.value, core::join_path(path, entry.key), visit);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    visit_rates(node.items[i], core::join_path(path, std::to_string(i)), visit);
  }
}

void visit_scenario(core::Node& complete, const Visit& visit) {
  static constexpr std::array<std::string_view, 3> kSections{"cluster", "software", "installation"};
  for (const std::string_view section : kSections) {
    if (core::Node* found = complete.find(section))
      visit_rates(*found, std::string(section), visit);
  }
}

}  // namespace

std::vector<Rate> rates_of(const core::Node& complete) {
  core::Node copy = complete;
  std::vector<Rate> rates;
  visit_scenario(copy, [&](core::Node&, const std::string& path, const core::ParsedQuantity& q) {
    rates.push_back(
        {.path = without_value(path), .index = rates.size(), .is_time = q.exponents[kTime] == 1});
  });
  return rates;
}

core::Node with_faster(core::Node complete, std::span<const Rate> rates, double factor) {
  std::size_t index = 0;
  visit_scenario(
      complete, [&](core::Node& node, const std::string&, const core::ParsedQuantity& q) {
        const auto* const it =
            std::ranges::find(rates.data(), rates.data() + rates.size(), index++, &Rate::index);
        if (it == rates.data() + rates.size()) return;
        const double base = it->is_time ? q.base / factor : q.base * factor;
        node.text = core::format_exact(base, q.exponents);
      });
  return complete;
}

}  // namespace railwright::planner
