// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/output/text/text.hpp"
#include "railwright/output/text/verdict.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;

std::string causes_table(const planner::Explanation& made, const TextStyle& style) {
  Table table({"a step", "time", "share"});
  for (const simulation::Cause cause : causes_by_time(made.breakdown)) {
    const core::Duration time = made.breakdown[cause];
    if (time == core::Duration{}) continue;
    table.add_row({std::string(simulation::facts_of(cause).words), to_text(time),
                   percent(time / made.step_time, 2)});
  }
  return table.text(style);
}

std::string elasticities_table(const planner::Explanation& made, const TextStyle& style) {
  Table table({"rate or latency", "elasticity", "seconds", "1 % faster", "1 % slower"});
  for (const planner::Elasticity& one : made.elasticities) {
    if (std::abs(one.elasticity) < planner::kMinListed) continue;
    table.add_row({one.path, fmt::format("{:.4f}", one.elasticity),
                   fmt::format("{:.4g}", one.elasticity * made.step_time.base()),
                   signed_percent(-one.gain, 3), signed_percent(one.loss, 3)});
  }
  table.add_row({"sum of all", fmt::format("{:.4f}", made.sum),
                 fmt::format("{:.4g}", made.sum * made.step_time.base()), "", ""});
  return table.text(style);
}

std::string outages_table(const planner::Explanation& made, const TextStyle& style) {
  Table table({"what if", "step", "", "training", "", "why it stops"});
  table.align_left(5);
  for (const planner::Outage& outage : made.outages) {
    if (!outage.why_not.empty()) {
      table.add_row({outage.what, "-", "", "-", "", outage.why_not});
      continue;
    }
    const auto change = [](core::Duration then, core::Duration now) {
      return signed_percent(then / now - 1.0);
    };
    table.add_row({outage.what, to_text(outage.step_time), change(outage.step_time, made.step_time),
                   to_text(outage.training_time), change(outage.training_time, made.training_time),
                   ""});
  }
  return table.text(style);
}

/// Returns "accelerator bf16 rate" for "cluster.node.accelerator.bf16_rate", and "collectives ring
/// ll128" for "software.collectives.generations.3.ring_ll128.value.2".
std::string key_words(std::string_view path) {
  constexpr std::string_view kCollectives = "software.collectives.";
  if (path.starts_with(kCollectives)) {
    std::string text = "collectives";
    for (std::size_t begin = kCollectives.size(); begin < path.size();) {
      const std::size_t end = std::min(path.find('.', begin), path.size());
      const std::string_view part = path.substr(begin, end - begin);
      const bool is_place = part == "generations" || part == "value" ||
                            part.find_first_not_of("0123456789") == part.npos;
      if (!is_place) text += " " + words(part);
      begin = end + 1;
    }
    return text;
  }
  const std::size_t last = path.rfind('.');
  const std::size_t before = last == path.npos ? path.npos : path.rfind('.', last - 1);
  std::string text = words(before == path.npos ? path : path.substr(before + 1));
  std::ranges::replace(text, '.', ' ');
  return text;
}

std::string next_limit_text(const planner::Explanation& made) {
  std::vector<std::string> lifted;
  for (const std::string& path : made.next->lifted) lifted.push_back(key_words(path));
  const std::string freed = fmt::format(
      "with unlimited {} a step takes {} ({})", fmt::join(lifted, " and "),
      to_text(made.next->step_time), signed_percent(made.next->step_time / made.step_time - 1.0));
  if (made.next->next.empty()) return freed + "; nothing else limits it";
  const std::string next =
      freed + fmt::format(", and {} limits it most", key_words(made.next->next));
  // Above 1 the step jumps there, as where a library chooses another algorithm.
  if (made.next->elasticity > 1.0) return next;
  return next + fmt::format(": 1 % faster saves {:.2f} %", made.next->elasticity);
}

std::string outage_text(const planner::Outage& outage, const planner::Explanation& made) {
  if (!outage.why_not.empty()) return fmt::format("{}: {}", outage.what, outage.why_not);
  return fmt::format("{}: training takes {} ({})", outage.what, to_text(outage.training_time),
                     signed_percent(outage.training_time / made.training_time - 1.0));
}

}  // namespace

std::string verdict(const planner::Explanation& made, const TextStyle& style) {
  if (!made.feasible()) return unfit_head(made.name, made.infeasible, style);
  std::string text =
      title(made.name, 1, style) + fact("verdict", strong(made.limit, style, "1;32"));
  if (!made.elasticities.empty()) {
    const planner::Elasticity& largest = made.elasticities.front();
    text += fact("helps most", fmt::format("faster {}: +1 % saves {} of a step of {} ({})",
                                           key_words(largest.path), percent(largest.gain, 2),
                                           to_text(made.step_time), largest.path));
  }
  if (made.next) text += fact("then", next_limit_text(made));
  for (const planner::Outage& outage : made.outages) {
    text += fact(&outage == &made.outages.front() ? "outages" : "", outage_text(outage, made));
  }
  return text;
}

std::string to_text(const planner::Explanation& made, const TextStyle& style) {
  if (!made.feasible()) return {};
  std::string text = causes_table(made, style) + "\n" + elasticities_table(made, style) + "\n";
  for (const std::string& note : {made.tie_note(planner::kMinListed), made.sum_note()}) {
    if (!note.empty()) text += note + "\n\n";
  }
  return text + outages_table(made, style);
}

}  // namespace railwright::output
