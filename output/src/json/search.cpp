// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "../words/phrases.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json entry_json(const planner::SearchEntry& entry, simulation::Objective objective) {
  const simulation::Configuration& c = entry.configuration;
  Json json = {{"settings", entry.settings},
               {"variant", entry.variant},
               {"rank_order", entry.rank_order},
               {"tp", c.tp},
               {"cp", c.cp},
               {"pp", c.pp},
               {"virtual_stages", c.virtual_stages},
               {"dp", entry.dp},
               {"ep", c.ep},
               {"etp", c.etp},
               {"micro_batch", c.micro_batch},
               {"global_batch", c.global_batch},
               {"zero_stage", c.zero_stage},
               {"sequence_parallel", c.sequence_parallel},
               {"recompute", core::to_string(c.recompute)},
               {"memory_per_accelerator_bytes", entry.estimate.memory.base()},
               {"estimated_step_time_s", entry.estimate.step_time.base()},
               {"simulated_step_time_s", nullptr},
               {"samples_per_s", entry.samples_per_s()}};
  if (objective == simulation::Objective::kEnergy)
    json["energy_per_sample_j"] = entry.value_per_sample;
  if (objective == simulation::Objective::kCost)
    json["cost_per_sample_usd"] = entry.value_per_sample;
  if (entry.simulated) json["simulated_step_time_s"] = entry.simulated->base();
  return json;
}

Json entries_json(const std::vector<planner::SearchEntry>& entries,
                  simulation::Objective objective) {
  Json list = Json::array();
  for (const planner::SearchEntry& entry : entries) list.push_back(entry_json(entry, objective));
  return list;
}

}  // namespace

std::string to_json(const planner::SearchResult& result) {
  const planner::SearchCounts& counts = result.counts;
  Json json = {{"name", result.name},
               {"objective", core::to_string(result.objective)},
               {"feasible", result.feasible()},
               {"num_accelerators", result.num_accelerators},
               {"memory_capacity_bytes", result.memory_capacity.base()},
               {"step_time_low", result.step_time_low},
               {"step_time_high", result.step_time_high},
               {"counts",
                {{"points", counts.points},
                 {"legal", counts.legal},
                 {"fitting", counts.fitting},
                 {"estimated", counts.estimated},
                 {"transfers", counts.transfers}}},
               {"best", entries_json(result.best, result.objective)},
               {"front", entries_json(result.front, result.objective)},
               {"own", nullptr},
               {"min_memory", nullptr}};
  if (result.basis) json["basis"] = Json::parse(to_json(*result.basis));
  if (result.feasible()) json["selection"] = kBestOfMany;
  if (result.own) json["own"] = entry_json(*result.own, result.objective);
  if (result.min_memory) json["min_memory"] = entry_json(*result.min_memory, result.objective);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
