// SPDX-License-Identifier: Apache-2.0
#include "verdict_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/words/lines.hpp"

namespace railwright::output {

namespace {

constexpr std::size_t kBar = 20;
constexpr std::size_t kTwoLines = 124;  // of 64 columns each, broken between words

}  // namespace

std::string verdict_head(const std::string& name, const std::string& fits, const TextStyle& style) {
  return strong(in_two_lines(name), style) + "\n\n" +
         fact("verdict", strong("fits", style, "1;32") + ": " + fits);
}

std::string unfit_head(const std::string& name, const std::vector<std::string>& reasons,
                       const TextStyle& style) {
  std::string text = strong(in_two_lines(name), style) + "\n\n" +
                     fact("verdict", strong("does not fit", style, "1;31"));
  for (const std::string& reason : reasons) text += fact("", reason);
  return text;
}

std::string space_left(core::DataSize used, core::DataSize capacity) {
  const double share = std::min(used / capacity, 1.0);
  return fmt::format("{}  {} of {}, {} left",
                     bar(static_cast<std::size_t>(std::lround(kBar * share)), kBar),
                     core::to_text(used), core::to_text(capacity),
                     core::to_text(std::max(capacity - used, core::DataSize{})));
}

std::string largest_causes(const simulation::Breakdown& breakdown, int num_decimals) {
  const auto causes = causes_by_time(breakdown);
  const auto part = [&](simulation::Cause cause) {
    return fmt::format("{} {}", words(simulation::facts_of(cause).name),
                       percent(breakdown[cause] / breakdown.total(), num_decimals));
  };
  return part(causes[0]) + ", " + part(causes[1]);
}

std::string in_two_lines(const std::string& text) {
  if (width(text) <= kTwoLines) return text;
  return broken(text, kTwoLines - 2).front() + " \u2026";
}

}  // namespace railwright::output
