// SPDX-License-Identifier: Apache-2.0
#include "sought.hpp"

#include <fmt/format.h>

#include <string>

#include "railwright/core/config/date_time.hpp"
#include "railwright/models/workload/training.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::planner {

namespace {

using simulation::Goals;
using simulation::Sought;

std::optional<double> day_of(const std::string& day) {
  return core::date_time_of(day + "T00:00:00");
}

bool has_deadline(const Goals& goals) { return goals.deadline.base() > 0.0 || !goals.by.empty(); }

}  // namespace

Sought sought(const Goals& goals) {
  return goals.find.value_or(has_deadline(goals) ? Sought::kSmallest : Sought::kSoonest);
}

std::optional<core::Duration> time_there_is(const simulation::Scenario& scenario) {
  const Goals& goals = *scenario.goals;
  if (goals.deadline.base() > 0.0) return goals.deadline;
  const auto start = day_of(goals.start);
  const auto end = day_of(goals.by);
  if (start && end) return core::Duration::from_base(*end - *start);
  if (sought(goals) != Sought::kMostTokens || !scenario.prices) return {};
  return scenario.prices->ownership * scenario.prices->utilization;
}

std::vector<core::Diagnostic> goal_problems(const simulation::Scenario& scenario,
                                            const core::Location& where) {
  const Goals& goals = *scenario.goals;
  std::vector<core::Diagnostic> problems;
  const auto add = [&](std::string path, std::string message, std::string hint) {
    problems.push_back({where, std::move(path), std::move(message), std::move(hint)});
  };
  const auto check_day = [&](const std::string& key, const std::string& day) {
    if (day.empty() || day_of(day)) return;
    add("goals." + key, fmt::format("'{}' is no day", day), "as 2027-06-01");
  };
  check_day("start", goals.start);
  check_day("by", goals.by);
  if (goals.start.empty() != goals.by.empty()) {
    add("goals." + std::string(goals.start.empty() ? "by" : "start"),
        "`start` and `by` go together", "start: 2027-01-15, by: 2027-06-01");
  }
  if (goals.deadline.base() > 0.0 && !goals.by.empty()) {
    add("goals.by", "is given together with `deadline`", "one of the two says until when");
  }
  const auto time = time_there_is(scenario);
  if (problems.empty() && time && time->base() <= 0.0) {
    add("goals.by", "is not after `start`", "");
  }
  const Sought what = sought(goals);
  if (problems.empty() && !time && what == Sought::kSmallest) {
    add("goals.deadline", "missing", "deadline: 30 day");
  }
  if (problems.empty() && !time && what == Sought::kMostTokens) {
    add("goals.deadline", "missing: in which time?",
        "a deadline, `by` a day, or `prices` with years");
  }
  if (what == Sought::kSmallest) return problems;
  if (!goals.power && !goals.racks && !goals.budget) {
    add("goals", "what limits the cluster?",
        "give `deadline`, `power`, `racks` or `budget`, or in words --deadline 6w, --power 5MW or "
        "--budget 50M; a service is asked with --users 2000");
  }
  const bool of_tokens = models::vision_of(scenario.workload) == nullptr;
  if (what == Sought::kMostTokens && !of_tokens) {
    add("goals.find", "a vision model trains on no tokens", "find: soonest");
  }
  if (what == Sought::kMostTokens && (goals.tokens || goals.tokens_per_parameter)) {
    add("goals.find", "most_tokens says how many, so that `tokens` has no use", "");
  }
  return problems;
}

}  // namespace railwright::planner
