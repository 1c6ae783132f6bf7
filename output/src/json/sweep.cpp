// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "railwright/output/tables/sweep_table.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json best_json(const std::optional<planner::BestPoint>& best, const planner::SweepGoal& goal) {
  if (!best) return nullptr;
  return {{"point", best->point}, {goal.column, best->value}, {"settings", best->settings}};
}

}  // namespace

std::string to_json(const planner::SweepSummary& s, const std::string& out) {
  Json json = {{"name", s.name},
               {"out", out},
               {"points", s.points},
               {"points_of_shard", s.wanted},
               {"found", s.found},
               {"made", s.made},
               {"complete", s.found + s.made == s.wanted},
               {"feasible", s.feasible},
               {"infeasible", s.infeasible},
               {"errors", s.errors}};
  for (std::size_t i = 0; i < s.goals.size(); ++i) {
    json[s.goals[i].name] = best_json(s.best[i], s.goals[i]);
  }
  json["num_threads"] = s.num_threads;
  json["time_s"] = s.time_s;
  json["points_per_s"] = s.points_per_s();
  json["writer_s"] = s.writer_s;
  json["writer_share"] = s.writer_share();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string to_json(const MergeSummary& s, const std::string& out) {
  Json missing = Json::array();
  for (const auto& [first, last] : s.missing) missing.push_back({first, last});
  const Json json = {{"out", out},
                     {"points", s.points},
                     {"rows", s.rows},
                     {"added", s.added},
                     {"complete", s.missing.empty()},
                     {"missing", missing}};
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
