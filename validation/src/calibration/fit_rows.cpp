// SPDX-License-Identifier: Apache-2.0
#include "fit_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../suites/training_facts.hpp"
#include "railwright/core/config/writer.hpp"
#include "railwright/core/stop.hpp"
#include "railwright/simulation/closed_form/estimate.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/simulation/step/costs.hpp"
#include "railwright/topologies/topology.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::validation {

namespace {

/// Finds the text of a number in a tree from to_node(); null if there is none.
std::string* text_at(core::Node& tree, std::string_view path) {
  core::Node* node = core::find_path(tree, path);
  if (node != nullptr && node->is_mapping()) node = node->find("value");
  return node == nullptr ? nullptr : &node->text;
}

double base_of(const std::string& text) {
  core::QuantityError error;
  const auto parsed = core::parse_quantity(text, error);
  return parsed ? parsed->base : 0.0;
}

double in_base(double value, const std::string& unit) {
  return base_of(fmt::format("{} {}", value, unit));
}

std::size_t index_of(std::vector<Number>& numbers, const FreeNumber& kind, const std::string& owner,
                     double catalogue_value) {
  const auto found = std::ranges::find_if(
      numbers, [&](const Number& number) { return number.kind == &kind && number.owner == owner; });
  if (found != numbers.end()) return static_cast<std::size_t>(found - numbers.begin());
  Number number{.kind = &kind,
                .owner = owner,
                .start = catalogue_value,
                .floor = in_base(kind.floor, kind.unit),
                .most = in_base(kind.most, kind.unit)};
  const auto sourced = kind.starts.find(owner);
  if (sourced != kind.starts.end()) {
    number.start = in_base(sourced->second, kind.unit);
  } else if (kind.start > 0.0) {
    number.start = in_base(kind.start, kind.unit);
  }
  numbers.push_back(std::move(number));
  return numbers.size() - 1;
}

void add_numbers(FitRow& row, const std::vector<FreeNumber>& kinds, const std::string& owner,
                 std::vector<Number>& numbers) {
  for (const FreeNumber& kind : kinds) {
    if (!has_number(kind, owner)) continue;
    const std::string* text = text_at(row.tree, kind.path);
    if (text != nullptr) row.numbers.push_back(index_of(numbers, kind, owner, base_of(*text)));
  }
}

}  // namespace

double Number::coordinate(double value) const { return std::log(std::min(value, most) - floor); }

double Number::value(double coordinate) const {
  return std::min(most, floor + std::exp(coordinate));
}

std::vector<FitRow> fit_rows(const Suite& suite, const core::Catalogue& catalogue,
                             std::vector<Number>& numbers) {
  std::vector<FitRow> rows;
  for (const Claim& claim : suite.cases) {
    if (claim.quantity != "step_time" || claim.keeps_role) continue;
    if (!suite.scenarios.contains(claim.scenario)) continue;
    core::check_stop();
    const core::Node tree = scenario_of(suite.scenarios.at(claim.scenario), claim, {});
    const simulation::CheckedScenario checked = simulation::read_training(tree, catalogue);
    const simulation::Scenario& scenario = checked.scenario;
    const std::string& device = scenario.cluster.node.accelerator.name;
    FitRow row{.id = claim.id,
               .family = claim.group,
               .configuration = configuration_of(models::name_of(scenario.workload.model), device),
               .published = base_of(claim.published.text),
               .tree = core::to_node(scenario),
               .numbers = {},
               .fabric = nullptr};
    add_numbers(row, suite.fit->device, owner_of(suite.fit->same_device, device), numbers);
    add_numbers(row, suite.fit->stack, owner_of(suite.fit->same_stack, scenario.software.name),
                numbers);
    rows.push_back(std::move(row));
  }
  for (const std::string& stack : catalogue.names(models::SoftwareProfile::kKind)) {
    for (const FreeNumber& kind : suite.fit->stack) {
      index_of(numbers, kind, owner_of(suite.fit->same_stack, stack), kind.start);
    }
  }
  return rows;
}

void build_fabric(FitRow& row, const core::Catalogue& catalogue) {
  const simulation::CheckedScenario checked = simulation::read_training(row.tree, catalogue);
  row.fabric = std::make_shared<const core::Fabric>(
      checked.topology->build(checked.scenario.cluster).fabric);
}

double log_error(const FitRow& row, const std::vector<Number>& numbers,
                 const std::vector<double>& coordinates, const core::Catalogue& catalogue) {
  core::Node tree = row.tree;
  for (const std::size_t i : row.numbers) {
    if (!numbers[i].is_set) continue;
    std::string& text = *text_at(tree, numbers[i].kind->path);
    core::QuantityError error;
    const auto parsed = core::parse_quantity(text, error);
    text = core::format_exact(numbers[i].value(coordinates[i]), parsed->exponents);
  }
  const simulation::CheckedScenario checked = simulation::read_training(tree, catalogue);
  const simulation::Breakdown breakdown = estimate_step(step_costs(checked, *row.fabric));
  return std::log(breakdown.total().base() / row.published);
}

}  // namespace railwright::validation
