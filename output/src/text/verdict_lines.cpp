// SPDX-License-Identifier: Apache-2.0
#include "verdict_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/words/lines.hpp"
#include "railwright/planner/next_change/next_change.hpp"

namespace railwright::output {

namespace {

constexpr std::size_t kBar = 10;
constexpr std::size_t kTerminal = 80;
constexpr std::size_t kLabel = 16;

std::string in_lines(std::string text, std::size_t num_lines, std::size_t room) {
  if (broken(text, room).size() <= num_lines) return text;
  while (broken(text + " \u2026", room).size() > num_lines) {
    const std::size_t space = text.rfind(' ');
    if (space == std::string::npos) break;
    text.resize(space);
  }
  return text + " \u2026";
}

std::string share_bar(core::DataSize used, core::DataSize capacity) {
  return bar(static_cast<std::size_t>(kBar * std::min(used / capacity, 1.0)), kBar);
}

}  // namespace

std::size_t num_lines(const std::string& text) {
  const std::string lines = wrapped(text, kTerminal);
  return static_cast<std::size_t>(std::ranges::count(lines, '\n'));
}

std::string in_lines(const std::string& text, std::size_t num_lines) {
  return in_lines(text, num_lines, kTerminal - kLabel);
}

std::string title(const std::string& name, std::size_t num_lines, const TextStyle& style) {
  return strong(in_lines(name, num_lines, kTerminal), style) + "\n";
}

std::string fits_text(const std::string& what, const TextStyle& style) {
  return fact("verdict", strong("fits", style, "1;32") + ": " + what);
}

std::string unfit_head(const std::string& name, const std::vector<std::string>& reasons,
                       const TextStyle& style) {
  std::string text = title(name, 2, style) + fact("verdict", strong("does not fit", style, "1;31"));
  for (const std::string& reason : reasons) text += fact("", reason);
  return text;
}

std::string memory_bar(core::DataSize used, core::DataSize capacity) {
  return fmt::format("{}  {} of {} on an accelerator", share_bar(used, capacity),
                     core::memory_text(used), core::memory_text(capacity));
}

std::string memory_bar(core::DataSize used, core::DataSize capacity,
                       const std::optional<simulation::Basis>& basis) {
  std::string bar = memory_bar(used, capacity);
  if (!basis || used * basis->memory_median <= capacity) return bar;
  return fmt::format("{}; may not fit: half of the readings are {} above what is computed", bar,
                     percent(basis->memory_median - 1.0, 0));
}

std::string space_used(core::DataSize used, core::DataSize capacity) {
  return fmt::format("{}  {} of {}", share_bar(used, capacity), core::to_text(used),
                     core::to_text(capacity));
}

std::string largest_causes(const simulation::Breakdown& breakdown, int num_decimals) {
  const auto causes = causes_by_time(breakdown);
  const auto part = [&](simulation::Cause cause) {
    return fmt::format("{} {}", simulation::facts_of(cause).words,
                       percent(breakdown[cause] / breakdown.total(), num_decimals));
  };
  return part(causes[0]) + ", " + part(causes[1]);
}

std::string changes_not_tried() {
  return fmt::format("not tried beyond {} accelerators; --tables does",
                     grouped(planner::kMaxChangedUnasked));
}

}  // namespace railwright::output
