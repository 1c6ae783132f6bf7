// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "number_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const simulation::QueueResult& result) {
  Json json = {
      {"name", result.name}, {"feasible", result.feasible()}, {"infeasible", result.infeasible}};
  put(outputs(result), json);
  if (!result.has_run()) return json;
  json["sizes"] = Json::array();
  for (const simulation::SizeClass& one : result.sizes) {
    json["sizes"].push_back({{"name", one.name},
                             {"num_jobs", one.num_jobs},
                             {"share_of_time", one.share_of_time},
                             {"wait_mean_s", one.wait.mean.base()},
                             {"wait_p50_s", one.wait.p50.base()},
                             {"wait_p90_s", one.wait.p90.base()},
                             {"wait_p99_s", one.wait.p99.base()}});
  }
  json["over_time"] = Json::array();
  for (const simulation::QueueSample& one : result.over_time) {
    json["over_time"].push_back({{"time_s", one.time.base()},
                                 {"occupied", one.occupied},
                                 {"waiting", one.waiting},
                                 {"wanted", one.wanted},
                                 {"power_w", one.power.base()}});
  }
  return json;
}

}  // namespace

std::string to_json(const simulation::QueueResult& result) {
  return json_of(result).dump(2) + "\n";
}

}  // namespace railwright::output
