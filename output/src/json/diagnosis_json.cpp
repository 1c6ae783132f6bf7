// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/diagnosis_json.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json causes_json(const planner::PossibleReason& reason) {
  Json list = Json::array();
  for (const planner::SuspectedCause& one : reason.causes) {
    list.push_back({{"kind", core::to_string(one.kind)},
                    {"what", one.what},
                    {"setting", one.settings},
                    {"prior", one.prior},
                    {"change", one.factor - 1.0},
                    {"check", one.check}});
  }
  return list;
}

}  // namespace

std::string to_json(const planner::Diagnosis& made) {
  Json json = {{"name", made.name}, {"feasible", made.feasible()}, {"infeasible", made.infeasible}};
  if (made.feasible()) {
    json["measured_s"] = made.measured.base();
    json["predicted_s"] = made.predicted.base();
    json["low_s"] = made.low.base();
    json["high_s"] = made.high.base();
    json["inside"] = made.is_inside();
    json["num_tried"] = made.num_tried;
    json["reasons"] = Json::array();
    for (const planner::PossibleReason& one : made.reasons) {
      json["reasons"].push_back({{"causes", causes_json(one)},
                                 {"step_time_s", one.step_time.base()},
                                 {"change", one.factor - 1.0},
                                 {"explains", one.explains},
                                 {"plausibility", one.plausibility}});
    }
    json["unexplained"] = made.unexplained;
    json["measure"] = made.measure;
    for (const planner::TimedPart& one : made.parts) {
      json["parts"].push_back({{"what", one.what},
                               {"timers", one.timers},
                               {"measured_s", one.measured.base()},
                               {"predicted_s", one.predicted.base()}});
    }
  }
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
