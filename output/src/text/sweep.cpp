// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "../words/phrases.hpp"
#include "../words/result_text.hpp"
#include "railwright/output/tables/sweep_table.hpp"

namespace railwright::output {

namespace {

std::string best_line(const std::string& what, const planner::BestPoint& best) {
  return fmt::format("{}: point {}{}\n", what, best.point, settings_text(best.settings));
}

std::string ranges(const MergeSummary& summary) {
  constexpr std::size_t kMax = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMax, summary.missing.size()); ++i) {
    const auto& [first, last] = summary.missing[i];
    if (i > 0) text += ", ";
    text += first == last ? std::to_string(first) : fmt::format("{} to {}", first, last);
  }
  if (summary.missing.size() > kMax) text += ", ...";
  return text;
}

}  // namespace

std::string to_text(const planner::SweepSummary& s, const std::string& out) {
  std::string text = fmt::format("{}: {} points", s.name, s.points);
  if (s.wanted != s.points) text += fmt::format(", {} of this shard", s.wanted);
  text += fmt::format("\n{} feasible, {} infeasible, {} errors in {}\n", s.feasible, s.infeasible,
                      s.errors, out);
  text +=
      fmt::format("{} were there, {} made in {:.3g} s on {} thread{}: {:.0f} a second\n", s.found,
                  s.made, s.time_s, s.num_threads, s.num_threads == 1 ? "" : "s", s.points_per_s());
  text += fmt::format("the writer was at work for {:.3g} s, {:.3g} % of the time\n", s.writer_s,
                      100.0 * s.writer_share());
  if (!s.best.front()) return text;
  text += "\n";
  for (std::size_t i = 0; i < s.goals.size(); ++i) {
    const planner::SweepGoal& goal = s.goals[i];
    text += best_line(std::string(goal.words) + ", " + number_text(s.best[i]->value, goal.format),
                      *s.best[i]);
  }
  return text;
}

std::string to_text(const MergeSummary& s, const std::string& out) {
  std::string text =
      fmt::format("{}: {} of {} points, {} of them new\n", out, s.rows, s.points, s.added);
  if (!s.missing.empty()) text += fmt::format("{} missing: {}\n", s.num_missing(), ranges(s));
  return text;
}

}  // namespace railwright::output
