// SPDX-License-Identifier: Apache-2.0
// The verdict on a training job.
#include "railwright/output/text/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "training_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;

/// Of the training time: the spread between sites together with that of failures.
std::string interval_text(const simulation::SimulationResult& result) {
  const bool knows_sites = result.step_time_low < result.step_time_high;
  const bool has_failures =
      result.run.job().training_time_s.low < result.run.job().training_time_s.high;
  const planner::TimeSpread spread(result);
  const std::string low = to_text(spread.below(0.1));
  const std::string high = to_text(spread.below(0.9));
  const std::string times = fmt::format("{} to {}", low, high);
  if (knows_sites) {
    return fmt::format("{} (spread between sites{})", times, has_failures ? " and failures" : "");
  }
  return "none: the spread between sites is not known" +
         (has_failures && low != high ? "; of failures alone " + times : std::string());
}

/// What a step waits for, and a run beside its steps.
std::string limit_text(const simulation::SimulationResult& result) {
  constexpr double kMinShare = 0.01;
  std::string text = largest_causes(result.breakdown, 1) + " of a step";
  const simulation::JobRun& run = result.run.job();
  const auto* const largest = std::max_element(run.time_s.begin() + 1, run.time_s.end());
  const double share = *largest / run.training_time_s.mean;
  if (share < kMinShare) return text;
  const auto cause = static_cast<std::size_t>(largest - run.time_s.begin());
  return text + fmt::format("; {} {} of the run", words(simulation::kRunCauses[cause].name),
                            percent(share));
}

std::string next_text(const std::optional<planner::ChangesTried>& asked) {
  if (!asked) return "--explain: this many accelerators take seconds to try changes on";
  const planner::ChangesTried& changes = *asked;
  if (changes.num_tried == 0) return "nothing: run.step_time says how long a step takes";
  const std::string tried = plural(changes.num_tried, "change");
  if (!changes.best) {
    return fmt::format("none of {} tried shortens the step by {:.0f} %", tried,
                       100.0 * planner::kMinSaving);
  }
  return fmt::format("--set {}: step {} ({}), best of {} tried", changes.best->setting,
                     to_text(changes.best->step_time), signed_percent(-changes.best->saving),
                     tried);
}

std::string unfit_verdict(const simulation::SimulationResult& result, const TextStyle& style) {
  std::vector<std::string> reasons;
  for (const simulation::Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  std::string text = unfit_head(result.name, reasons, style);
  if (result.smallest_change) {
    const simulation::FittingChange& change = *result.smallest_change;
    text += fact("try next",
                 fmt::format("--set {}: the smallest change that fits, {} of memory, "
                             "step {} in closed form",
                             change.setting, to_text(change.memory), to_text(change.step_time)));
  } else if (result.memory.total() > result.memory_capacity) {
    text += fact("try next", "more accelerators: no single change on these makes it fit");
  }
  return text + fact("more", "--tables: its memory by part, and the parts list");
}

}  // namespace

std::string verdict(const simulation::SimulationResult& result,
                    const std::optional<planner::ChangesTried>& changes, const TextStyle& style) {
  if (!result.feasible()) return unfit_verdict(result, style);
  std::string text = verdict_head(result.name, layout_text(result), style);
  text += fact("training time", strong(to_text(result.run.job().training_time()), style, "1;32") +
                                    " for " + work_done(result));
  text += fact("80 % interval", interval_text(result));
  text += fact("step time", step_text(result));
  text += fact("limit", limit_text(result));
  text += fact("memory",
               space_left(result.memory.total(), result.memory_capacity) + " on an accelerator");
  text += fact("try next", next_text(changes));
  if (result.basis) text += fact("basis", in_two_lines(basis_text(*result.basis)));
  return text + fact("more", "--tables: every number; --explain: what each rate is worth");
}

std::string verdict(const simulation::AnyResult& result,
                    const std::optional<planner::ChangesTried>& changes, const TextStyle& style) {
  return std::visit(
      [&](const auto& one) {
        using Result = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Result, simulation::SimulationResult>) {
          return verdict(one, changes, style);
        } else {
          return verdict(one, style);
        }
      },
      result);
}

}  // namespace railwright::output
