// SPDX-License-Identifier: Apache-2.0
#include "railwright/web/what_if/what_if.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "railwright/core/config/writer.hpp"
#include "railwright/models/money/ownership.hpp"
#include "railwright/models/workload/model.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/report_json.hpp"
#include "railwright/simulation/closed_form/configuration_rules.hpp"
#include "railwright/simulation/scenario/scenario_keys.hpp"
#include "railwright/workloads/training/outputs.hpp"
#include "what_if_controls.hpp"

namespace railwright::web {

namespace {

using Json = nlohmann::ordered_json;

/// Returns the name of a catalogue entry, or the value of a key with a source.
Json value_json(const core::Node* node) {
  if (node != nullptr && node->is_mapping()) {
    const core::Node* value = node->find("value");
    node = value != nullptr ? value : node->find("name");
  }
  if (node == nullptr || !node->is_scalar() || node->text.empty()) return nullptr;
  if (node->quoted) return node->text;
  const Json number = Json::parse(node->text, nullptr, false);
  return number.is_number() || number.is_boolean() ? number : Json(node->text);
}

/// Returns the catalogue name of a fabric, or its topology.
Json kind_json(const core::Node& fabric) {
  if (const core::Node* name = fabric.find("model")) return value_json(name);
  return value_json(fabric.is_mapping() ? fabric.find("topology") : &fabric);
}

void add_fabric(const core::Node& fabric, const std::string& name, Json& values) {
  values["cluster.fabric"] = name.empty() ? kind_json(fabric) : Json(name);
  values["cluster.fabric.topology"] =
      value_json(fabric.is_mapping() ? fabric.find("topology") : &fabric);
  values["cluster.fabric.planes"] = value_json(fabric.find("planes"));
  const core::Node* plane = fabric.find("plane");
  values["cluster.fabric.plane"] = plane != nullptr ? kind_json(*plane) : Json();
  for (const std::string_view key : kWhatIfFabricKeys) {
    values[fmt::format("cluster.fabric.{}", key)] =
        value_json((plane != nullptr ? *plane : fabric).find(key));
  }
}

Json values_json(const simulation::Scenario& scenario, const std::string& fabric_name) {
  const core::Node tree = core::to_node(scenario);
  Json values = Json::object();
  for (const std::string_view path : kWhatIfPaths) {
    values[std::string(path)] = value_json(core::find_path(tree, path));
  }
  add_fabric(scenario.cluster.fabric, fabric_name, values);
  return values;
}

/// Returns the columns of the load that the chart of reads and writes uses.
Json load_json(const simulation::StorageRun& storage) {
  Json json = Json::object();
  for (const simulation::ResultColumn& column : load_columns(storage)) {
    const bool is_shown = column.name == "time_s" || column.name.ends_with("_bytes_per_s");
    const bool is_of_node = column.name.find("node") != column.name.npos;
    if (is_shown && !is_of_node) json[std::string(column.name)] = column.values;
  }
  return json;
}

Json uncertainties_json(const std::vector<planner::Uncertainty>& uncertainties) {
  Json list = Json::array();
  for (const planner::Uncertainty& one : uncertainties) {
    list.push_back({{"about", one.about},
                    {"sentence", one.sentence},
                    {"low", one.is_known ? Json(one.low) : Json()},
                    {"high", one.is_known ? Json(one.high) : Json()}});
  }
  return list;
}

Json division_json(const planner::WhatIf& answer) {
  if (!answer.division) return nullptr;
  return {{"settings", answer.division->settings},
          {"wanted_batch", answer.division->wanted_batch},
          {"global_batch", answer.division->global_batch},
          {"own_fails", answer.own_division_fails}};
}

/// Returns what is bought, with its price where it has one.
Json bill_json(const planner::WhatIf& answer) {
  const simulation::Scenario& scenario = answer.checked.scenario;
  Json list = Json::array();
  for (const models::Purchase& purchase :
       models::purchases(answer.result.parts, scenario.cluster.node, scenario.run.num_spares)) {
    list.push_back({{"kind", purchase.kind}, {"name", purchase.name}, {"count", purchase.count}});
  }
  if (!answer.result.cost) return list;
  for (const models::PricedPurchase& priced : answer.result.cost->ownership.priced) {
    for (Json& one : list) {
      if (one["kind"] == priced.purchase.kind && one["name"] == priced.purchase.name) {
        one["each_usd"] = priced.each.base();
      }
    }
  }
  return list;
}

/// Returns what sliders may offer: parts of layers and accelerators, numbers of storage nodes.
Json limits_json(const simulation::Scenario& scenario) {
  Json json = {{"num_layers", models::num_layers(scenario.workload.model)},
               {"num_accelerators", scenario.num_accelerators()},
               {"has_experts", simulation::has_experts(scenario.workload)}};
  if (const auto& storage = scenario.cluster.storage) {
    json["min_storage_nodes"] = storage->node.min_nodes.value;
    json["max_storage_nodes"] = storage->node.max_nodes.value;
  }
  return json;
}

}  // namespace

std::string to_json(const planner::WhatIf& answer, const core::Catalogue& catalogue) {
  const simulation::SimulationResult& result = answer.result;
  const simulation::Scenario& scenario = answer.checked.scenario;
  Json json = {{"kind", "answer"},
               {"values", values_json(scenario, answer.fabric_name)},
               {"accelerators_per_node", scenario.cluster.node.num_accelerators.value},
               {"limits", limits_json(scenario)},
               {"division", division_json(answer)},
               {"added", answer.added},
               {"bill", bill_json(answer)},
               {"uncertainties", uncertainties_json(answer.uncertainties)}};
  if (result.feasible()) {
    json["training_time_band_s"] = {answer.training_time_low.base(),
                                    answer.training_time_high.base()};
  }
  json["result"] = Json::parse(output::to_json(result));
  const bool is_simulated = result.method == simulation::Method::kSimulate;
  if (result.feasible() && is_simulated) json["load_over_time"] = load_json(result.run.storage);
  if (!result.feasible() || is_simulated) {
    json["topology"] = Json::parse(output::topology_json({answer.tree, catalogue}, false));
  }
  return json.dump();
}

std::string to_json(const std::vector<planner::VariantOutcome>& outcomes) {
  Json list = Json::array();
  for (const planner::VariantOutcome& outcome : outcomes) {
    if (!outcome.fails.empty()) {
      list.push_back({{"fails", outcome.fails}});
    } else {
      list.push_back({{"training_time_s", outcome.training_time.base()},
                      {"step_time_s", outcome.step_time.base()}});
    }
  }
  return Json({{"kind", "variants"}, {"variants", std::move(list)}})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string problems_json(const std::vector<core::Diagnostic>& problems) {
  Json list = Json::array();
  for (const core::Diagnostic& problem : problems) {
    list.push_back({{"where", core::to_string(problem.where)},
                    {"path", problem.path},
                    {"message", problem.message},
                    {"hint", problem.hint}});
  }
  return Json({{"kind", "problems"}, {"problems", std::move(list)}})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string file_json(const std::string& text) {
  return Json({{"kind", "file"}, {"text", text}})
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace railwright::web
