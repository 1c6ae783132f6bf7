// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <utility>

#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json explanation_json(const planner::Explanation& made) {
  Json json = {{"name", made.name},
               {"method", made.method == simulation::Method::kSimulate ? "simulate" : "estimate"},
               {"feasible", made.feasible()},
               {"infeasible", made.infeasible}};
  if (!made.feasible()) return json;
  json["limit"] = made.limit;
  json["step_time_s"] = made.step_time.base();
  json["training_time_s"] = made.training_time.base();
  for (std::size_t i = 0; i < simulation::kCauses.size(); ++i) {
    json["breakdown"][std::string(simulation::kCauses[i].name)] = made.breakdown.time[i].base();
  }
  json["elasticities"] = Json::array();
  for (const planner::Elasticity& one : made.elasticities) {
    json["elasticities"].push_back({{"path", one.path},
                                    {"is_time", one.is_time},
                                    {"elasticity", one.elasticity},
                                    {"gain_of_1_percent", one.gain},
                                    {"loss_of_1_percent", one.loss}});
  }
  json["sum_of_elasticities"] = made.sum;
  json["sum_note"] = made.sum_note();
  json["tie_note"] = made.tie_note(planner::kMinListed);
  if (made.next) {
    json["next_limit"] = {{"lifted", made.next->lifted},
                          {"step_time_s", made.next->step_time.base()},
                          {"next", made.next->next},
                          {"elasticity", made.next->elasticity}};
  }
  json["outages"] = Json::array();
  for (const planner::Outage& outage : made.outages) {
    Json one = {{"what", outage.what}, {"feasible", outage.why_not.empty()}};
    if (outage.why_not.empty()) {
      one["step_time_s"] = outage.step_time.base();
      one["training_time_s"] = outage.training_time.base();
    } else {
      one["why_not"] = outage.why_not;
    }
    json["outages"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string to_json(const planner::Explanation& made) {
  return explanation_json(made).dump(2) + "\n";
}

std::string to_json(const simulation::SimulationResult& result, const planner::Explanation& made) {
  Json json = Json::parse(to_json(result));
  json["explanation"] = explanation_json(made);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
