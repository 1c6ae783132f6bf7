// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <type_traits>
#include <variant>

#include "page_parts.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/mixes_json.hpp"
#include "railwright/output/tables/sweep_table.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

std::string json_of_page(const Json& json) { return json.dump(2) + "\n"; }

void add_background(const ReportSource& source, Json& json) {
  json["scenario"] = Json::parse(scenario_json(source));
  Json& constants = json["constants"] = Json::parse(constants_json(source));
  std::int64_t num_values = 0;
  std::int64_t num_estimates = 0;
  for (const Json& entry : constants) {
    for (const Json& value : entry["values"]) {
      if (value.contains("replaced_by")) continue;
      ++num_values;
      num_estimates += value["estimate"].get<bool>() ? 1 : 0;
    }
  }
  json["constants_summary"] = {{"num_values", num_values}, {"num_estimates", num_estimates}};
}

Json result_json(const simulation::SimulationResult& result,
                 const planner::Explanation* explanation) {
  Json json = Json::parse(explanation != nullptr ? to_json(result, *explanation) : to_json(result));
  if (!result.run.storage.bins.empty()) {
    json["storage"]["load_over_time"] = Json::parse(load_json(result.run.storage));
  }
  if (result.trace) json["timeline"] = Json::parse(timeline_json(*result.trace));
  return json;
}

Json result_json(const simulation::JobsResult& result, const planner::Explanation*) {
  return Json::parse(to_json(result, !result.run.storage.bins.empty()));
}

template <class Result>
std::string with_background(const Result& result, const ReportSource& source) {
  Json json = Json::parse(to_json(result));
  add_background(source, json);
  return json_of_page(json);
}

/// Adds the fabric's drawing at `key` too, without the load of its links.
template <class Result>
std::string with_fabric(const Result& result, const ReportSource& source,
                        const char* key = "topology") {
  Json json = Json::parse(to_json(result));
  json[key] = Json::parse(topology_json(source, false));
  add_background(source, json);
  return json_of_page(json);
}

Json cell_json(const planner::SweepValue& cell) {
  return std::visit(
      [](const auto& value) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>) {
          return nullptr;
        } else {
          return value;
        }
      },
      cell);
}

/// Writes the names of the columns, and the rows.
void put_rows(const planner::SweepWithRows& sweep, Json& json) {
  constexpr std::array<std::string_view, 3> kStates{"feasible", "reason", "error"};
  const auto first = std::ranges::find(sweep.columns, kStates.front(), &planner::SweepColumn::name);
  json["keys"] = Json::array();
  json["numbers"] = Json::array();
  for (auto column = sweep.columns.begin(); column != sweep.columns.end(); ++column) {
    if (std::ranges::find(kStates, column->name) != kStates.end()) continue;
    json[column < first ? "keys" : "numbers"].push_back(column->name);
  }
  json["table"] = Json::array();
  for (const auto& [point, cells] : sweep.rows) {
    Json row = {{"point", point}};
    for (std::size_t i = 0; i < cells.size(); ++i) {
      row[sweep.columns[i].name] = cell_json(cells[i]);
    }
    json["table"].push_back(std::move(row));
  }
}

template <class Result>
Json result_json(const Result& result, const planner::Explanation*) {
  return Json::parse(to_json(result));
}

}  // namespace

std::string report_json(const simulation::AnyResult& result,
                        const planner::Explanation* explanation, const ReportSource& source) {
  Json json = std::visit([&](const auto& one) { return result_json(one, explanation); }, result);
  if (const simulation::RunResult* run = run_of(result)) {
    json["run_timeline"] = Json::parse(run_timeline_json(*run));
  }
  const auto* training = std::get_if<simulation::SimulationResult>(&result);
  const bool has_fabric = simulation::kind_of(source.tree).facts.has_fabric;
  const bool with_load = training != nullptr && training->feasible() &&
                         training->method == simulation::Method::kSimulate;
  if (has_fabric) json["topology"] = Json::parse(topology_json(source, with_load));
  add_background(source, json);
  return json_of_page(json);
}

std::string report_json(const planner::ComparisonResult& result, const ReportSource& source) {
  return with_background(result, source);
}

std::string report_json(const planner::SideBySide& result, const ReportSource& source) {
  return with_background(result, source);
}

std::string report_json(const planner::ServicesSideBySide& result, const ReportSource& source) {
  return with_background(result, source);
}

std::string report_json(const planner::MixesSideBySide& result, const ReportSource& source) {
  return with_background(result, source);
}

std::string report_json(const planner::SearchResult& result, const ReportSource& source) {
  return with_fabric(result, source);
}

std::string report_json(const planner::ServingSearchResult& result, const ReportSource& source) {
  return with_background(result, source);
}

std::string report_json(const planner::Explanation& result, const ReportSource& source) {
  return with_fabric(result, source);
}

std::string report_json(const simulation::TopologyResult& result, const ReportSource& source) {
  return with_fabric(result, source, "drawing");
}

std::string report_json(const planner::SizingResult& result, const ReportSource& source) {
  Json json = Json::parse(to_json(result));
  core::Node tree = source.tree;
  if (result.chosen) {
    const planner::SizedCluster& cluster = result.sized[*result.chosen].cluster;
    for (const std::string& setting : cluster.settings) core::set_path(tree, setting);
    json["sized"][*result.chosen]["result"]["storage"]["load_over_time"] =
        Json::parse(load_json(cluster.result.run.storage));
    json["topology"] = Json::parse(topology_json({tree, source.catalogue}, true));
  }
  add_background({tree, source.catalogue}, json);
  return json_of_page(json);
}

std::string report_json(const planner::SweepWithRows& sweep, const std::string& out,
                        const ReportSource& source) {
  Json json = Json::parse(to_json(sweep.summary, out));
  json["goals"] = Json::array();
  for (const planner::SweepGoal& goal : sweep.summary.goals) {
    json["goals"].push_back({{"name", goal.name},
                             {"words", goal.words},
                             {"column", goal.column},
                             {"format", name_of(goal.format)}});
  }
  put_rows(sweep, json);
  add_background(source, json);
  return json_of_page(json);
}

std::string with_verdict(const std::string& report_json, const std::string& verdict) {
  Json json = Json::parse(report_json);
  json["verdict"] = verdict;
  return json_of_page(json);
}

std::string report_json(const planner::SizedScenario& result, const ReportSource& source) {
  Json json = Json::parse(report_json(result.result, nullptr, {result.scenario, source.catalogue}));
  json["settings"] = result.settings;
  json["smaller"] = result.smaller;
  return json_of_page(json);
}

}  // namespace railwright::output
