// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <utility>

#include "railwright/core/parallel_for.hpp"
#include "railwright/planner/ranges/hangs_on.hpp"

namespace railwright::planner {

double HangsOn::least() const { return std::min({at_low, at_value, at_high}); }
double HangsOn::most() const { return std::max({at_low, at_value, at_high}); }

double HangsOn::ratio() const {
  if (most() == least()) return 1.0;
  // None or one spare is a small difference, not an infinite one.
  if (answer == RangedAnswer::kSpares) return (most() + 1.0) / (least() + 1.0);
  return least() > 0.0 ? most() / least() : std::numeric_limits<double>::infinity();
}

std::optional<HangsOn> deciding_number(RangedAnswer answer, double at_value, const core::Node& tree,
                                       std::span<const simulation::RangedNumber> numbers,
                                       const AnswerFunction& evaluate) {
  std::vector<HangsOn> moved;
  for (const simulation::RangedNumber& number : numbers) {
    moved.push_back({.answer = answer, .number = number, .at_value = at_value});
  }
  core::parallel_for(2 * moved.size(), [&](std::size_t i) {
    HangsOn& one = moved[i / 2];
    const bool is_low = i % 2 == 0;
    const core::Node& end = is_low ? one.number.low : one.number.high;
    (is_low ? one.at_low : one.at_high) = evaluate(simulation::with_number(tree, one.number, end));
  });
  const auto most = std::ranges::max_element(moved, {}, &HangsOn::ratio);
  if (most == moved.end() || most->ratio() < kMinRangeRatio) return {};
  return std::move(*most);
}

}  // namespace railwright::planner
