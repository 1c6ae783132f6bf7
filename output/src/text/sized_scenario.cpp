// SPDX-License-Identifier: Apache-2.0
// A service or a queue with the nodes that `size` found.
#include <type_traits>
#include <variant>

#include "../words/phrases.hpp"
#include "../words/ranges_text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"

namespace railwright::output {

std::string verdict(const planner::SizedScenario& result, const TextStyle& style) {
  const std::string text = std::visit(
      [&](const auto& one) {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, simulation::JobsResult>) {
          return verdict(one, {}, style, result.hangs_on);
        } else {
          return verdict(simulation::AnyResult(one), {}, style, result.hangs_on);
        }
      },
      result.result);
  return text + sized_text(result.settings, result.smaller);
}

std::string to_text(const planner::SizedScenario& result, const TextStyle& style) {
  return std::visit([&](const auto& one) { return to_text(one, style); }, result.result);
}

}  // namespace railwright::output
