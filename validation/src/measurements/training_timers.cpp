// SPDX-License-Identifier: Apache-2.0
#include "railwright/validation/measurements/training_timers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "railwright/core/arithmetic.hpp"
#include "railwright/core/config/text_file.hpp"

namespace railwright::validation {

namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr double kMillisecond = 1e-3;

/// A line "    name ......: (min, max)".
struct TimerLine {
  std::string_view name;
  double slowest = 0.0;  ///< milliseconds
};

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

std::optional<TimerLine> timer_of(std::string_view line) {
  const std::size_t dots = line.find(" ..");
  const std::size_t colon = line.rfind(": ");
  if (dots == std::string_view::npos || colon == std::string_view::npos || colon < dots) return {};
  std::string_view value = trimmed(line.substr(colon + 2));
  if (value.starts_with('(') && value.ends_with(')')) {
    const std::size_t comma = value.find(',');
    if (comma == std::string_view::npos) return {};
    value = trimmed(value.substr(comma + 1, value.size() - comma - 2));
  }
  const double number = core::number_of(value);
  if (!std::isfinite(number) || number < 0.0) return {};
  return TimerLine{.name = trimmed(line.substr(0, dots)), .slowest = number};
}

}  // namespace

std::vector<planner::StepTimer> read_training_timers(std::string_view text) {
  std::vector<std::pair<std::string, std::vector<double>>> by_name;
  for (const std::string_view line : core::lines_of(text)) {
    const auto timer = timer_of(line);
    if (!timer || timer->name.empty()) continue;
    auto known = std::ranges::find(by_name, timer->name,
                                   [](const auto& one) { return std::string_view(one.first); });
    if (known == by_name.end()) {
      known = by_name.insert(by_name.end(), {std::string(timer->name), {}});
    }
    known->second.push_back(timer->slowest);
  }
  std::vector<planner::StepTimer> timers;
  for (auto& [name, times] : by_name) {
    if (times.size() > 1) {
      const std::size_t warm_up = std::max<std::size_t>(1, times.size() / 10);
      times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(warm_up));
    }
    timers.push_back(
        {.name = name, .time = core::Duration::from_base(core::median(times) * kMillisecond)});
  }
  return timers;
}

}  // namespace railwright::validation
