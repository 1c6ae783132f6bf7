// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_change.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "change_trials.hpp"
#include "simulated_with.hpp"

namespace railwright::planner {

namespace {

/// Returns the change if it shortens the training of `now` enough.
std::optional<NextChange> change_of(const std::string& setting,
                                    const simulation::SimulationResult& changed,
                                    const simulation::SimulationResult& now) {
  const core::Duration time = changed.run.job().training_time();
  const double saving = 1.0 - time / now.run.job().training_time();
  if (saving < kMinSaving) return {};
  return NextChange{.setting = setting,
                    .training_time = time,
                    .step_time = changed.step_time,
                    .saving = saving,
                    .step_saving = 1.0 - changed.step_time / now.step_time};
}

}  // namespace

ChangesTried next_change(const core::Node& tree, const core::Catalogue& catalogue,
                         const simulation::SimulationResult& result,
                         const ProgressFunction& progress) {
  ChangesTried tried{.method = result.method, .best = {}};
  if (!result.feasible()) return tried;
  const ChangeTrials trials(tree, catalogue);
  tried.is_step_given = trials.scenario().run.step_time.has_value();
  if (tried.is_step_given) return tried;
  std::vector<simulation::Change> changes = moves_for_speed(trials.scenario());
  std::ranges::move(changes_of_nics(trials.scenario()), std::back_inserter(changes));
  std::ranges::move(changes_of_unstated(result.unstated), std::back_inserter(changes));
  const RankedChanges ranked = trials.ranked(changes, progress);
  tried.num_tried = ranked.num_tried;
  for (const RankedChange& one : ranked.faster) {
    tried.are_more_faster = tried.num_simulated == kMaxSimulated;
    if (tried.are_more_faster) break;
    ++tried.num_simulated;
    const auto any = simulated_with(tree, catalogue, one.setting, result.method, progress);
    if (!any) continue;
    tried.best = change_of(one.setting, std::get<simulation::SimulationResult>(*any), result);
    if (tried.best) break;
  }
  return tried;
}

}  // namespace railwright::planner
