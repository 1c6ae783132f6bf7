// SPDX-License-Identifier: Apache-2.0
#include <variant>

#include "designs_json.hpp"
#include "railwright/output/json/json.hpp"
#include "railwright/output/json/mixes_json.hpp"

namespace railwright::output {

std::string to_json(const planner::MixesSideBySide& result) {
  std::vector<DesignJson> designs;
  for (const planner::MixDesign& mix : result.designs) {
    designs.push_back(
        {mix.name, mix.is_valid
                       ? std::visit([](const auto& one) { return to_json(one); }, mix.result)
                       : invalid_json({mix.problem})});
  }
  return designs_json(designs, result.feasible(), result.best());
}

}  // namespace railwright::output
