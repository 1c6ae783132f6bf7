// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "number_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/workloads/kinds.hpp"

namespace railwright::output {

std::string to_json(const simulation::PlainResult& result) {
  nlohmann::ordered_json json = {{"name", result.name},
                                 {"scenario_kind", result.kind},
                                 {"feasible", result.feasible()},
                                 {"infeasible", result.infeasible}};
  put(outputs(simulation::kind_named(result.kind).numbers(), simulation::ResultView(result)), json);
  return json.dump(2) + "\n";
}

}  // namespace railwright::output
