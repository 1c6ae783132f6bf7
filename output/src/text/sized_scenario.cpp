// SPDX-License-Identifier: Apache-2.0
// A service or a queue with the nodes that `size` found.
#include <variant>

#include "../words/phrases.hpp"
#include "../words/ranges_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::output {

std::string verdict(const planner::SizedScenario& result, const TextStyle& style) {
  return verdict(result.result, {}, style) + hangs_on_text(result.hangs_on) +
         sized_text(result.settings, result.smaller);
}

std::string to_text(const planner::SizedScenario& result, const TextStyle& style) {
  return std::visit([&](const auto& one) { return to_text(one, style); }, result.result);
}

}  // namespace railwright::output
