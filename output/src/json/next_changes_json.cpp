// SPDX-License-Identifier: Apache-2.0
#include "railwright/output/json/next_changes_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json settings_json(const std::vector<std::string>& settings) {
  Json json;
  json["settings"] = settings;
  return json;
}

Json change_json(const planner::NextChange& change) {
  Json json = settings_json({change.setting});
  json["training_time_s"] = change.training_time.base();
  json["step_time_s"] = change.step_time.base();
  json["saving"] = change.saving;
  json["step_saving"] = change.step_saving;
  return json;
}

Json change_json(const planner::NextJobsChange& change) {
  Json json = settings_json({change.setting});
  json["job"] = change.job;
  json["training_time_s"] = change.training_time.base();
  json["mean_training_time_s"] = change.mean_training_time.base();
  json["saving"] = change.saving;
  json["mean_saving"] = change.mean_saving;
  return json;
}

Json change_json(const planner::NextServiceChange& change) {
  constexpr auto kGains =
      std::to_array<const char*>({"nodes", "accelerators", "latency", "duration", "throughput"});
  Json json = settings_json(change.settings);
  json["gain"] = kGains[static_cast<std::size_t>(change.gain)];
  json["share"] = change.share;
  json["num_nodes"] = change.result.num_nodes;
  json["num_accelerators"] = change.result.num_accelerators;
  json["accelerator_tokens_per_s"] = change.result.accelerator_tokens_per_s;
  return json;
}

/// Returns the best of the changes tried, as a list of one or none; null if none were tried.
Json changes_json(const planner::AnyChangesTried& changes) {
  Json json;
  const auto put = [&](const auto& tried) {
    if (!tried) return;
    json = Json::array();
    if (tried->best) json.push_back(change_json(*tried->best));
  };
  put(changes.of_step);
  put(changes.of_jobs);
  put(changes.of_service);
  return json;
}

}  // namespace

std::string to_json(const planner::AnyChangesTried& changes) {
  return changes_json(changes).dump(2) + "\n";
}

std::string with_changes(const std::string& result_json, const planner::AnyChangesTried& changes) {
  Json list = changes_json(changes);
  if (list.is_null()) return result_json;
  Json json = Json::parse(result_json);
  json["try_next"] = std::move(list);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
