// SPDX-License-Identifier: Apache-2.0
#include "open_settings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "railwright/core/error.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/scenario.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/kinds.hpp"
#include "railwright/workloads/training/unstated.hpp"

namespace railwright::validation {

namespace {

/// Halvings of a range: a thousandth of it.
constexpr int kHalvings = 10;

void add_formats(const core::Node& tree, const simulation::Scenario& scenario,
                 std::vector<OpenSetting>& open) {
  if (core::find_path(tree, "software.precision") != nullptr) return;
  const core::Precision taken = scenario.software.precision.value;
  for (const core::Precision narrower : {core::Precision::kFp8, core::Precision::kFp4}) {
    if (core::bytes_of(narrower) >= core::bytes_of(taken)) continue;
    if (!scenario.cluster.node.accelerator.peak_rate(narrower)) continue;
    open.push_back({fmt::format("software.precision={}", core::to_string(narrower)),
                    std::string(core::to_string(taken))});
  }
}

bool is_quantity(const core::Node& node) {
  core::QuantityError ignored;
  return node.is_scalar() && core::parse_quantity(node.text, ignored).has_value();
}

}  // namespace

std::vector<OpenSetting> open_settings(const core::Node& tree, const core::Catalogue& catalogue) {
  std::vector<OpenSetting> open;
  if (!simulation::is_training(simulation::kind_of(tree))) return open;
  const simulation::CheckedScenario checked = simulation::read_training(tree, catalogue);
  try {
    const auto built = checked.topology->build(checked.scenario.cluster);
    for (const simulation::UnstatedSetting& one :
         simulation::unstated_settings(checked, built.fabric, catalogue)) {
      for (const simulation::OtherValue& other : one.others) {
        open.push_back({one.setting(other), one.value});
      }
    }
  } catch (const core::Error&) {
    open.clear();  // what cannot be built has no step to try settings on
  }
  add_formats(tree, checked.scenario, open);
  return open;
}

std::optional<core::Node> value_that_meets(
    const simulation::RangedNumber& number,
    const std::function<bool(const core::Node& value)>& meets_at) {
  if (!is_quantity(number.value) || !is_quantity(number.low) || !is_quantity(number.high)) {
    return {};
  }
  for (const core::Node* end : {&number.low, &number.high}) {
    if (!meets_at(*end)) continue;
    double misses = 0.0;
    double holds = 1.0;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (misses + holds);
      (meets_at(between(number.value, *end, middle)) ? holds : misses) = middle;
    }
    return between(number.value, *end, holds);
  }
  return {};
}

std::vector<simulation::RangedNumber> ranged_operands(std::string_view expression,
                                                      const core::Catalogue& catalogue) {
  std::vector<simulation::RangedNumber> found;
  while (!expression.empty()) {
    const std::string_view operand = expression.substr(0, expression.find(' '));
    expression.remove_prefix(std::min(expression.size(), operand.size() + 1));
    const std::size_t slash = operand.find('/');
    const std::size_t colon = operand.find(':');
    if (slash >= colon || colon == std::string_view::npos) continue;
    const std::string_view kind = operand.substr(0, slash);
    const std::string name(operand.substr(slash + 1, colon - slash - 1));
    if (!catalogue.contains(kind, name)) continue;
    const core::Node entry = catalogue.load(kind, name);
    const core::Node* number = core::find_path(entry, operand.substr(colon + 1));
    if (number == nullptr || !number->is_mapping()) continue;
    const core::Node* range = number->find("range");
    const core::Node* value = number->find("value");
    if (range == nullptr || range->items.size() != 2 || value == nullptr) continue;
    if (!is_quantity(*value) || !is_quantity(range->items[0]) || !is_quantity(range->items[1])) {
      continue;
    }
    found.push_back({.path = std::string(operand),
                     .entry = name,
                     .source = {},
                     .value = *value,
                     .low = range->items[0],
                     .high = range->items[1]});
  }
  return found;
}

core::Node between(const core::Node& from, const core::Node& to, double share) {
  core::QuantityError ignored;
  const auto first = core::parse_quantity(from.text, ignored);
  const auto last = core::parse_quantity(to.text, ignored);
  core::Node node = from;
  node.text =
      core::format_exact(first->base + share * (last->base - first->base), first->exponents);
  return node;
}

}  // namespace railwright::validation
