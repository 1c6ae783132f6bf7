// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "number_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

Json json_of(const simulation::InferenceResult& result) {
  Json json = {
      {"name", result.name}, {"feasible", result.feasible()}, {"infeasible", result.infeasible}};
  if (result.num_nodes > 0) {
    json["limit"] = result.limit;
    json["batch_limit"] = core::to_string(result.batch_limit);
    json["launch"] = result.launch;
  }
  if (result.offload) json["offload"]["tier"] = result.offload->tier;
  put(outputs(result), json);
  if (!result.parts.parts.empty()) json["parts"] = part_counts_json(result.parts);
  return json;
}

}  // namespace

std::string to_json(const simulation::InferenceResult& result) {
  return json_of(result).dump(2) + "\n";
}

}  // namespace railwright::output
