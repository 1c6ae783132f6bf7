// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "../words/phrases.hpp"
#include "hangs_on_json.hpp"
#include "optional_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json cluster_json(const planner::SizedCluster& cluster) {
  const simulation::Configuration& c = cluster.configuration.configuration;
  Json configuration;
  for (const auto& [name, size] : models::kDimensions<simulation::Configuration>) {
    configuration[std::string(name)] = c.*size;
  }
  configuration.update({{"virtual_stages", c.virtual_stages},
                        {"dp", cluster.configuration.dp},
                        {"micro_batch", c.micro_batch},
                        {"global_batch", c.global_batch},
                        {"zero_stage", c.zero_stage},
                        {"recompute", core::to_string(c.recompute)},
                        {"sequence_parallel", c.sequence_parallel}});
  return {{"option", cluster.option},
          {"settings", cluster.settings},
          {"num_nodes", cluster.num_nodes},
          {"num_spares", cluster.num_spares},
          {"num_storage_nodes", cluster.num_storage_nodes},
          {"num_accelerators", cluster.result.num_accelerators},
          {"configuration", std::move(configuration)},
          {"training_time_at_confidence_s", cluster.training_time.base()},
          {"deadline_probability", cluster.deadline_probability},
          {"tokens", cluster.tokens},
          {"peak_power_w", cluster.power().base()},
          {"racks",
           {{"nodes_per_rack", cluster.racks.nodes_per_rack},
            {"of_nodes", cluster.racks.of_nodes},
            {"of_others", cluster.racks.of_others},
            {"count", cluster.racks.count()},
            {"largest_power_w", cluster.racks.largest.base()}}},
          {"result", Json::parse(to_json(cluster.result))}};
}

/// Whether a cost lacks the price of a part.
bool has_unpriced(const planner::SizingResult& result) {
  return std::ranges::any_of(result.sized, [](const planner::Sized& sized) {
    const auto& cost = sized.cluster.result.cost;
    return cost && !cost->ownership.unpriced.empty();
  });
}

}  // namespace

std::string to_json(const planner::SizingResult& result) {
  Json json = {{"name", result.name},
               {"feasible", result.feasible()},
               {"find", core::to_string(result.find)},
               {"deadline_s", result.deadline.base()},
               {"confidence", result.confidence}};
  Json& sized = json["sized"] = Json::array();
  for (const planner::Sized& one : result.sized) {
    Json cluster = cluster_json(one.cluster);
    cluster["binds"] = one.binds;
    cluster["hangs_on"] = hangs_on_json(one.cluster.hangs_on);
    Json& steps = cluster["steps_down"] = Json::array();
    for (const planner::StepDown& step : one.steps_down) {
      steps.push_back({{"what", step.what}, {"misses", step.misses}});
    }
    sized.push_back(std::move(cluster));
  }
  Json& missed = json["missed"] = Json::array();
  for (const planner::Missed& one : result.missed) {
    missed.push_back({{"option", one.option}, {"why", one.why}});
  }
  if (result.feasible()) json["selection"] = kBestOfMany;
  json["cost_is_partial"] = has_unpriced(result);
  json["ranked_by"] = result.is_by_cost() ? "cost" : "nodes";
  json["no_price_of"] = result.unpriced;
  json["chosen"] = optional_json(result.chosen);
  json["cheapest"] = result.is_by_cost() ? optional_json(result.chosen) : Json(nullptr);
  json["min_power"] = optional_json(result.min_power);
  json["fastest"] = result.fastest ? cluster_json(*result.fastest) : Json(nullptr);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
