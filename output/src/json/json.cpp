// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "../words/saving_range.hpp"
#include "designs_json.hpp"
#include "number_json.hpp"
#include "optional_json.hpp"
#include "power_series_json.hpp"
#include "railwright/models/money/exchange.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "railwright/workloads/training/run_cost.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json links_json(const std::vector<simulation::LinkLoad>& links) {
  Json list = Json::array();
  for (const simulation::LinkLoad& link : links) {
    list.push_back({{"name", link.name},
                    {"tier", core::to_string(link.tier)},
                    {"utilization", link.utilization},
                    {"bytes", link.bytes.base()},
                    {"multiplicity", link.multiplicity}});
  }
  return list;
}

Json purchases_json(const std::vector<models::PricedPurchase>& priced) {
  Json list = Json::array();
  for (const models::PricedPurchase& one : priced) {
    const models::Purchase& purchase = one.purchase;
    list.push_back({{"kind", purchase.kind},
                    {"name", purchase.name},
                    {"count", purchase.count},
                    {"each_usd", one.each.base()}});
  }
  return list;
}

Json unpriced_json(const models::Ownership& ownership) {
  Json list = Json::array();
  for (const models::Purchase& purchase : ownership.unpriced) {
    list.push_back({{"kind", purchase.kind}, {"name", purchase.name}, {"count", purchase.count}});
  }
  return list;
}

Json unstated_json(const simulation::SimulationResult& result) {
  Json list = Json::array();
  for (const simulation::UnstatedSetting& one : simulation::those_that_matter(result.unstated)) {
    Json others = Json::array();
    for (const simulation::OtherValue& other : one.others) {
      others.push_back({{"value", other.value},
                        {"step_time_s", (result.step_time * other.factor).base()},
                        {"change", other.factor - 1.0},
                        {"stacks", other.stacks}});
    }
    list.push_back({{"setting", one.key}, {"value", one.value}, {"others", std::move(others)}});
  }
  return list;
}

Json result_json(const simulation::SimulationResult& result) {
  Json json = {{"name", result.name},
               {"method", result.method == simulation::Method::kSimulate ? "simulate" : "estimate"},
               {"feasible", result.feasible()}};
  Json reasons = Json::array();
  for (const simulation::Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  json["infeasible"] = std::move(reasons);
  if (result.feasible()) json["limit"] = result.limit;
  if (result.smallest_change) {
    json["smallest_change"] = {
        {"setting", result.smallest_change->setting},
        {"memory_per_accelerator_bytes", result.smallest_change->memory.base()},
        {"step_time_s", result.smallest_change->step_time.base()}};
  }
  put(outputs(result), json);
  if (result.basis) json["basis"] = Json::parse(to_json(*result.basis));
  if (result.feasible()) json["unstated"] = unstated_json(result);
  if (result.closed_form_error) {
    json["closed_form_error"] = {{"usual", result.closed_form_error->usual},
                                 {"largest", result.closed_form_error->largest}};
  }
  if (result.cost) {
    const models::Ownership& ownership = result.cost->ownership;
    json["cost"]["prices"] = result.cost->prices;
    json["cost"]["partial"] = !ownership.unpriced.empty();
    json["cost"]["unpriced"] = unpriced_json(ownership);
    json["cost"]["purchases"] = purchases_json(ownership.priced);
  }
  if (!result.busiest_links.empty()) json["busiest_links"] = links_json(result.busiest_links);
  json["parts"] = part_counts_json(result.parts);
  return json;
}

Json rows_json(const std::vector<planner::ComparisonRow>& rows,
               const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const planner::ComparisonRow& row : rows) {
    Json cells = Json::array();
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const planner::ComparisonCell& cell = row.cells[i];
      cells.push_back({{"value", values[i]},
                       {"published_training_time_s", optional_json(cell.published)},
                       {"relative_error", optional_json(cell.relative_error())},
                       {"effect_s", optional_json(row.effect(i))},
                       {"result", result_json(cell.result)}});
    }
    list.push_back({{"name", row.name},
                    {"fitted", row.fitted},
                    {"source", row.source},
                    {"rounding_s", row.rounding.base()},
                    {"cells", std::move(cells)}});
  }
  return list;
}

Json errors_json(const planner::ErrorSummary& errors) {
  return {{"num_cells", errors.num_cells},
          {"mean_absolute_error", errors.mean_absolute},
          {"largest_absolute_error", errors.largest_absolute}};
}

Json assumption_json(const planner::AssumptionResult& assumption,
                     const std::vector<std::string>& values) {
  Json json = {{"name", assumption.name}};
  json["as_installed"] = rows_json(assumption.as_installed, values);
  if (!assumption.fit) {
    json["fit"] = nullptr;
    json["why_no_fit"] = assumption.why_no_fit;
    return json;
  }
  json["fit"] = {{"compute_efficiency", assumption.fit->compute_efficiency},
                 {"nic_efficiency", assumption.fit->nic_efficiency},
                 {"largest_residual", assumption.fit->largest_residual}};
  json["errors"] = errors_json(assumption.errors);
  json["refitted"] = rows_json(assumption.refitted, values);
  return json;
}

Json curve_json(const planner::CurveResult& curve, const std::vector<std::string>& values) {
  Json lines = Json::array();
  for (const planner::CurveLine& line : curve.lines) {
    Json places = Json::array();
    for (std::size_t place = 0; place < curve.along.size(); ++place) {
      Json points = Json::array();
      for (std::size_t i = 0; i < values.size(); ++i) {
        const planner::CurvePoint& point = line.places[place][i];
        Json one = {{"value", values[i]}, {"feasible", point.feasible()}};
        if (point.feasible()) {
          one["step_time_s"] = point.step_time.base();
          one["step_time_low_s"] = point.step_time_low.base();
          one["step_time_high_s"] = point.step_time_high.base();
          one["samples_per_s"] = point.samples_per_s;
        } else {
          one["infeasible"] = point.why_not;
        }
        one["worth"] = optional_json(line.worth(place, i));
        if (const auto band = line.worth_band(place, i)) {
          one["worth_low"] = band->low;
          one["worth_high"] = band->high;
        }
        points.push_back(std::move(one));
      }
      places.push_back({{"at", curve.along[place]}, {"points", std::move(points)}});
    }
    lines.push_back({{"variant", line.variant}, {"places", std::move(places)}});
  }
  Json json = {{"name", curve.name}, {"key", curve.key}};
  if (curve.basis) json["basis"] = Json::parse(to_json(*curve.basis));
  json["lines"] = std::move(lines);
  return json;
}

std::string text(const Json& json) { return json.dump(2) + "\n"; }

}  // namespace

std::string to_json(const simulation::Basis& basis) {
  return text({{"kind", core::to_string(basis.kind)},
               {"left_out", basis.left_out},
               {"fitted", basis.fitted},
               {"class", basis.of ? Json(core::to_string(*basis.of)) : Json()},
               {"median_error", optional_json(basis.median_error)},
               {"percentile_90", optional_json(basis.percentile_90)},
               {"memory_median", basis.memory_median},
               {"changes", basis.changes},
               {"assumed", basis.assumed},
               {"says", basis.says}});
}

std::string to_json(const simulation::SimulationResult& result, bool with_load) {
  Json json = result_json(result);
  if (with_load) json["storage"]["load_over_time"] = Json::parse(load_json(result.run.storage));
  if (result.power && result.power->over_step) {
    json["power"]["over_step"] = power_series_json(*result.power->over_step);
  }
  return text(json);
}

std::string to_json(const planner::ComparisonResult& result) {
  Json json = {{"name", result.name}, {"key", result.key}, {"values", result.values}};
  json["feasible"] = result.feasible();
  json["rows"] = rows_json(result.rows, result.values);
  json["errors"] = errors_json(result.errors);
  Json assumptions = Json::array();
  for (const planner::AssumptionResult& assumption : result.assumptions) {
    assumptions.push_back(assumption_json(assumption, result.values));
  }
  json["assumptions"] = std::move(assumptions);
  if (!result.curves.empty()) {
    Json& curves = json["curves"] = Json::array();
    for (const planner::CurveResult& curve : result.curves) {
      curves.push_back(curve_json(curve, result.values));
    }
  }
  return text(json);
}

namespace {

Json design_json(const planner::DesignResult& design) {
  if (design.is_valid) return result_json(design.result);
  std::vector<std::string> problems;
  for (const simulation::Infeasibility& one : design.result.infeasible)
    problems.push_back(one.what);
  return Json::parse(invalid_json(problems));
}

core::Duration time_of(const planner::DesignResult& design) {
  return design.result.run.job().training_time();
}

/// Says what to buy to make the first design another one, and what of it is left over.
Json exchange_json(const simulation::RunCost& from, const simulation::RunCost& to) {
  const models::Exchange made = models::exchange(from.ownership, to.ownership);
  return {{"buy", purchases_json(made.bought)},
          {"buy_usd", made.price().base()},
          {"left_over", purchases_json(made.left_over)},
          {"left_over_new_usd", made.left_over_new().base()},
          {"unpriced", made.unpriced}};
}

/// Says which of the two fastest designs saves how much, with the 80 % interval; null if fewer fit.
Json saving_json(const planner::SideBySide& all) {
  std::vector<const planner::DesignResult*> fitting;
  for (const planner::DesignResult& design : all.designs) {
    if (design.result.feasible()) fitting.push_back(&design);
  }
  if (fitting.size() < 2) return {};
  std::ranges::stable_sort(fitting, {}, [](const auto* design) { return time_of(*design); });
  const planner::DesignResult& fastest = *fitting[0];
  const planner::DesignResult& next = *fitting[1];
  const double saving = 1.0 - time_of(fastest) / time_of(next);
  Json json = {{"fastest", fastest.name}, {"next", next.name}, {"saving", saving}};
  if (const auto range = saving_range(saving, fastest.result, next.result)) {
    json["saving_low"] = range->low;
    json["saving_high"] = range->high;
  }
  return json;
}

}  // namespace

std::string to_json(const planner::SideBySide& result) {
  Json designs = Json::array();
  for (std::size_t i = 0; i < result.designs.size(); ++i) {
    const planner::DesignResult& design = result.designs[i];
    Json changes = Json::object();
    for (const planner::TimePart& part : result.changes(i)) {
      changes[std::string(part.name) + "_s"] = part.time.base();
    }
    Json one = {{"name", design.name}, {"changes", std::move(changes)}};
    const planner::DesignResult& first = result.designs.front();
    if (i > 0 && first.result.cost && design.result.cost) {
      one["exchange"] = exchange_json(*first.result.cost, *design.result.cost);
    }
    one["result"] = design_json(design);
    designs.push_back(std::move(one));
  }
  return text({{"feasible", result.feasible()},
               {"difference", saving_json(result)},
               {"designs", std::move(designs)}});
}

std::string to_json(const simulation::BenchmarkResult& result) {
  Json json = {
      {"name", result.name}, {"feasible", result.feasible()}, {"op", core::to_string(result.op)}};
  if (result.feasible()) {
    json["algorithm"] = core::to_string(result.choice.algorithm);
    json["protocol"] = core::to_string(result.choice.protocol);
  }
  json["infeasible"] = Json::array();
  for (const core::Shortfall& shortfall : result.shortfalls) {
    json["infeasible"].push_back(shortfall.what);
  }
  for (const simulation::Output& output : outputs(result)) {
    std::visit([&](auto value) { json[output.path] = value; }, output.value);
  }
  if (result.feasible()) {
    json["algorithms"] = Json::array();
    for (const simulation::NamedAlgorithm& one : result.named) {
      json["algorithms"].push_back({{"algorithm", core::to_string(one.choice.algorithm)},
                                    {"protocol", core::to_string(one.choice.protocol)},
                                    {"time_s", one.time.base()}});
    }
    json["try_next"] = Json::array();
    if (const simulation::NamedAlgorithm* faster = result.faster()) {
      json["try_next"].push_back({{"settings",
                                   {fmt::format("benchmark.library.all_reduce_algorithm={}",
                                                core::to_string(faster->choice.algorithm))}},
                                  {"time_s", faster->time.base()},
                                  {"saving", 1.0 - faster->time / result.time}});
    }
  }
  json["busiest_links"] = links_json(result.busiest_links);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
