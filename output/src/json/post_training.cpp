// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "number_json.hpp"
#include "railwright/output/json/json.hpp"

namespace railwright::output {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string to_json(const simulation::PostTrainingResult& result) {
  Json json = {
      {"name", result.name}, {"feasible", result.feasible()}, {"infeasible", result.infeasible}};
  put(outputs(result), json);
  if (result.feasible()) json["limit"] = result.limit;
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
