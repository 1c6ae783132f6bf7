// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "designs_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json entry_json(const planner::ServingEntry& entry) {
  Json json = {{"settings", entry.settings},
               {"tp", entry.tp},
               {"pp", entry.pp},
               {"attention_dp", entry.attention_dp},
               {"ep", entry.ep},
               {"max_tokens", entry.max_tokens},
               {"batch", entry.result.cycle.batch},
               {"meets_latencies", entry.meets_latencies},
               {"user_tokens_per_s", entry.user_tokens_per_s()},
               {"result", Json::parse(to_json(entry.result))}};
  if (entry.prefill_tp > 0) json["prefill_tp"] = entry.prefill_tp;
  return json;
}

Json entries_json(const std::vector<planner::ServingEntry>& entries) {
  Json list = Json::array();
  for (const planner::ServingEntry& entry : entries) list.push_back(entry_json(entry));
  return list;
}

}  // namespace

std::string to_json(const planner::ServicesSideBySide& result) {
  std::vector<DesignJson> designs;
  for (const planner::ServiceDesign& one : result.designs) {
    designs.push_back(
        {one.name, one.is_valid ? to_json(one.result) : invalid_json(one.result.infeasible)});
  }
  return designs_json(designs, result.feasible(), result.best());
}

std::string to_json(const planner::ServingSearchResult& result) {
  Json json = {{"name", result.name},
               {"feasible", result.feasible()},
               {"counts",
                {{"divisions", result.num_divisions},
                 {"points", result.num_points},
                 {"in_time", result.num_in_time}}},
               {"best", entries_json(result.best)},
               {"front", entries_json(result.front)},
               {"why_none", nullptr}};
  if (result.best.empty()) json["why_none"] = result.why_none;
  if (result.aggregated) json["aggregated"] = entry_json(*result.aggregated);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
