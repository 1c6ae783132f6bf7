// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <utility>

#include "number_json.hpp"
#include "power_series_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string to_json(const simulation::JobsResult& result, bool with_load) {
  Json json = {{"name", result.name}, {"feasible", result.feasible()}};
  Json reasons = Json::array();
  for (const simulation::Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  json["infeasible"] = std::move(reasons);
  json["jobs"] = Json::array();
  put(outputs(result), json);
  if (!result.feasible()) return json.dump(2) + "\n";
  json["num_replicas"] = result.run.num_replicas;
  for (std::size_t j = 0; j < result.run.jobs.size(); ++j) {
    Json job = {{"name", result.run.jobs[j].name},
                {"alone_training_time_s", result.alone[j].base()},
                {"step_time_s", result.step_times[j].base()},
                {"step_time_alone_s", result.step_times_alone[j].base()},
                {"step_time_low", result.step_intervals[j].low},
                {"step_time_high", result.step_intervals[j].high}};
    put(outputs(result.run.jobs[j]), job);
    json["jobs"].push_back(std::move(job));
  }
  for (const simulation::StorageNeed& need : result.run.needs) {
    json["storage"]["nodes_needed"][simulation::key_of(need)] = need.num_nodes;
  }
  if (result.power.over_time) {
    json["power"]["over_time"] = power_series_json(*result.power.over_time);
  }
  if (with_load) json["storage"]["load_over_time"] = Json::parse(load_json(result.run.storage));
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
