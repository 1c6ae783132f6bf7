// SPDX-License-Identifier: Apache-2.0
#include "sensitivities.hpp"

#include <array>
#include <cmath>
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

/// Constants of an accelerator's kernels, skipped: hundreds of numbers with meaning only together.
constexpr std::string_view kKernels = "kernels";

class RateFinder {
 public:
  explicit RateFinder(std::vector<Rate>& found) : found_(found) {}

  void visit(const core::Node& node, const std::string& path) {
    if (const auto quantity = rate_or_time(node)) {
      found_.push_back({.path = without_value(path),
                        .steps = steps_,
                        .quantity = *quantity,
                        .is_time = quantity->exponents[kTime] == 1});
    }
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const core::Entry& entry = node.entries[i];
      if (entry.key != kKernels) visit_child(i, entry.value, core::join_path(path, entry.key));
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      visit_child(i, node.items[i], core::join_path(path, std::to_string(i)));
    }
  }
  void visit_child(std::size_t step, const core::Node& child, const std::string& path) {
    steps_.push_back(step);
    visit(child, path);
    steps_.pop_back();
  }

 private:
  std::vector<Rate>& found_;
  std::vector<std::size_t> steps_;
};

core::Node& node_at(core::Node& root, const std::vector<std::size_t>& steps) {
  core::Node* node = &root;
  for (const std::size_t step : steps) {
    node = node->is_mapping() ? &node->entries[step].value : &node->items[step];
  }
  return *node;
}

}  // namespace

std::vector<Rate> rates_of(const core::Node& complete) {
  static constexpr std::array<std::string_view, 3> kSections{"cluster", "software", "installation"};
  std::vector<Rate> rates;
  RateFinder finder(rates);
  for (const std::string_view section : kSections) {
    for (std::size_t i = 0; i < complete.entries.size(); ++i) {
      const core::Entry& entry = complete.entries[i];
      if (entry.key == section) finder.visit_child(i, entry.value, entry.key);
    }
  }
  return rates;
}

core::Node with_faster(core::Node complete, std::span<const Rate> rates, double factor) {
  for (const Rate& rate : rates) {
    const core::ParsedQuantity& now = rate.quantity;
    const double base = rate.is_time ? now.base / factor : now.base * factor;
    node_at(complete, rate.steps).text = core::format_exact(base, now.exponents);
  }
  return complete;
}

}  // namespace railwright::planner
