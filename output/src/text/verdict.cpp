// SPDX-License-Identifier: Apache-2.0
// The verdict on a training job.
#include "railwright/output/text/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "../words/number_text.hpp"
#include "../words/phrases.hpp"
#include "../words/ranges_text.hpp"
#include "../words/unstated_text.hpp"
#include "railwright/core/units/text.hpp"
#include "railwright/planner/size/time_spread.hpp"
#include "training_text.hpp"
#include "verdict_lines.hpp"

namespace railwright::output {

namespace {

using core::to_text;

/// Names the largest causes of the step time, and the run's largest cause outside its steps.
std::string limit_text(const simulation::SimulationResult& result) {
  constexpr double kMinShare = 0.01;
  std::string text = largest_causes(result.breakdown, 1);
  const simulation::JobRun& run = result.run.job();
  const auto* const largest = std::max_element(run.time_s.begin() + 1, run.time_s.end());
  const double share = *largest / run.training_time_s.mean;
  if (share < kMinShare) return text;
  const auto cause = static_cast<std::size_t>(largest - run.time_s.begin());
  return text + fmt::format("; {} {} of the run", words(simulation::kRunCauses[cause].name),
                            percent(share));
}

/// Says why nothing is advised.
std::string no_change_text(const planner::ChangesTried& changes) {
  if (changes.is_step_given) return "nothing: run.step_time says how long a step takes";
  if (changes.num_tried == 0) return "nothing: no single change is legal and fits into memory";
  const std::string tried = plural(changes.num_tried, "change");
  const std::string which =
      changes.are_more_faster
          ? fmt::format("the best {} of {} tried, each with its run,", changes.num_simulated, tried)
          : fmt::format("{} tried", tried);
  return fmt::format("none of {} shortens the training by {:.0f} %", which,
                     100.0 * planner::kMinSaving);
}

std::string next_text(const std::optional<planner::ChangesTried>& changes) {
  if (!changes) return changes_not_tried();
  if (!changes->best) return no_change_text(*changes);
  constexpr double kSameShare = 0.0005;
  const planner::NextChange& best = *changes->best;
  std::string text = fmt::format("--set {}: training {} ({})", best.setting,
                                 to_text(best.training_time), signed_percent(-best.saving));
  if (std::abs(best.saving - best.step_saving) > kSameShare) {
    text +=
        fmt::format(", step {} ({})", to_text(best.step_time), signed_percent(-best.step_saving));
  }
  return text;
}

/// Whether memory is the only obstacle, the case in which single changes are tried.
bool lacks_memory_alone(const simulation::SimulationResult& result) {
  return result.infeasible.size() == 1 && result.memory.total() > result.memory_capacity;
}

/// Whether interruptions are counted and nothing is kept of the work before them.
bool writes_no_checkpoint(const simulation::JobRun& run) {
  return run.mean_time_to_interruption < core::Duration::infinity() &&
         run.first_checkpoint().bytes == 0;
}

std::string unfit_verdict(const simulation::SimulationResult& result, const TextStyle& style) {
  std::vector<std::string> reasons;
  for (const simulation::Infeasibility& reason : result.infeasible) reasons.push_back(reason.what);
  std::string text = unfit_head(result.name, reasons, style);
  if (result.smallest_change) {
    const simulation::FittingChange& change = *result.smallest_change;
    text += fact("try next",
                 change.setting.starts_with("cluster.storage.")
                     ? fmt::format("--set {}: has the ports, step {} in closed form",
                                   change.setting, to_text(change.step_time))
                     : fmt::format("--set {}: the smallest change that fits into memory, with {}, "
                                   "step {} in closed form",
                                   change.setting, core::memory_text(change.memory),
                                   to_text(change.step_time)));
  } else if (lacks_memory_alone(result)) {
    text += fact("try next",
                 "no single change on these accelerators makes it fit; search tries several");
  }
  return text;
}

}  // namespace

std::string training_interval(const simulation::SimulationResult& result) {
  return training_interval(result.run.job(), {.low = result.step_time_low / result.step_time,
                                              .high = result.step_time_high / result.step_time});
}

std::string training_interval(const simulation::JobRun& run, const simulation::StepInterval& step) {
  const bool has_failures = run.training_time_s.low < run.training_time_s.high;
  const planner::TimeSpread spread(run, step.low, step.high);
  const core::Duration low = spread.below(0.1);
  const core::Duration high = spread.below(0.9);
  const std::string times = core::range_text(low, high);
  if (step.low < step.high) {
    return fmt::format("{} (spread between sites{})", times, has_failures ? " and failures" : "");
  }
  return has_failures && to_text(low) != to_text(high)
             ? "none known between sites; failures alone " + times
             : "none: the spread between sites is not known";
}

std::string verdict(const simulation::SimulationResult& result,
                    const std::optional<planner::ChangesTried>& changes, const TextStyle& style,
                    std::span<const planner::HangsOn> hangs_on) {
  if (!result.feasible()) return unfit_verdict(result, style);
  std::string facts = fits_text(nodes_text(result.parts) + division_text(result), style);
  facts += fact("training time", strong(to_text(result.run.job().training_time()), style, "1;32") +
                                     " for " + work_done(result));
  if (writes_no_checkpoint(result.run.job())) {
    facts += fact("checkpoints", "none is written: after an interruption the job begins again");
  }
  facts += fact("80 % interval", training_interval(result));
  facts += fact("step time", step_text(result));
  facts += fact("time goes into", limit_text(result));
  facts += fact("memory", memory_bar(result.memory.total(), result.memory_capacity, result.basis));
  facts += fact("try next", next_text(changes));
  if (!hangs_on.empty()) {
    facts += fact("hangs on", in_lines(hangs_on_words(hangs_on.front()), 2));
    facts += measured_by_text(hangs_on.front());
  }
  const std::string unstated = unstated_summary(result);
  if (!unstated.empty()) {
    const std::size_t room =
        kMaxVerdictLines - 3 - std::min(num_lines(facts), kMaxVerdictLines - 4);
    facts += fact("not stated", in_lines(unstated, std::min<std::size_t>(room, 2)));
  }
  // Name and basis can be long, so they share the remaining lines.
  const std::size_t num_free = kMaxVerdictLines - std::min(num_lines(facts), kMaxVerdictLines - 2);
  const std::string name = title(result.name, std::min<std::size_t>(num_free - 1, 2), style);
  if (result.basis) {
    facts += fact("trust", in_lines(basis_text(*result.basis), num_free - num_lines(name)));
  }
  return name + facts;
}

std::string verdict(const simulation::AnyResult& result, const planner::AnyChangesTried& changes,
                    const TextStyle& style, std::span<const planner::HangsOn> hangs_on) {
  return std::visit(
      [&](const auto& one) {
        using Result = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<Result, simulation::SimulationResult>) {
          return verdict(one, changes.of_step, style, hangs_on);
        } else if constexpr (std::is_same_v<Result, simulation::JobsResult>) {
          const bool is_untried = one.feasible() && !changes.of_jobs;
          return verdict(one, changes.of_jobs, style, hangs_on) +
                 (is_untried ? fact("try next", changes_not_tried()) : "");
        } else if constexpr (std::is_same_v<Result, simulation::InferenceResult>) {
          return verdict(one, changes.of_service, style) + hangs_on_text(hangs_on);
        } else {
          return verdict(one, style) + hangs_on_text(hangs_on);
        }
      },
      result);
}

}  // namespace railwright::output
