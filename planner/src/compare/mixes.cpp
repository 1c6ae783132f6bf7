// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/mixes.hpp"

#include <algorithm>
#include <variant>

#include "read_designs.hpp"

namespace railwright::planner {

using simulation::JobsResult;
using simulation::QueueResult;

bool MixesSideBySide::feasible() const {
  return std::ranges::all_of(
      designs, [](const MixDesign& one) { return simulation::is_feasible(one.result); });
}

std::optional<std::size_t> MixesSideBySide::best() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    if (!simulation::is_feasible(designs[i].result)) continue;
    if (!best || time_of(designs[i]) < time_of(designs[*best])) best = i;
  }
  return best;
}

core::Duration time_of(const MixDesign& design) {
  if (const auto* queue = std::get_if<QueueResult>(&design.result)) return queue->wait.mean;
  core::Duration longest;
  for (const simulation::JobRun& job : std::get<JobsResult>(design.result).run.jobs) {
    longest = std::max(longest, job.training_time());
  }
  return longest;
}

std::vector<std::string> reasons_of(const MixDesign& design) {
  if (const auto* queue = std::get_if<QueueResult>(&design.result)) return queue->infeasible;
  std::vector<std::string> reasons;
  for (const simulation::Infeasibility& one : std::get<JobsResult>(design.result).infeasible) {
    reasons.push_back(one.what);
  }
  return reasons;
}

bool are_mixes(const std::vector<Design>& designs) {
  return are_of_kind(designs, simulation::is_jobs,
                     "the scenario does not stand beside one of several jobs") ||
         are_of_kind(designs, simulation::is_queue,
                     "the scenario does not stand beside one of a queue");
}

MixesSideBySide mixes_side_by_side(const std::vector<Design>& designs,
                                   const core::Catalogue& catalogue,
                                   const ProgressFunction& progress) {
  using Checked = std::variant<simulation::CheckedJobs, simulation::CheckedQueue>;
  const auto checked = read_designs(designs, [&](const core::Node& tree) -> Checked {
    if (simulation::is_jobs(tree)) return simulation::read_jobs(tree, catalogue);
    return simulation::read_queue(tree, catalogue);
  });
  const bool of_jobs = simulation::is_jobs(designs.front().tree);
  const auto refuse = [&](const std::string& problem) -> simulation::AnyResult {
    if (of_jobs) {
      JobsResult result;
      result.infeasible.push_back({problem});
      return result;
    }
    QueueResult result;
    result.infeasible.push_back(problem);
    return result;
  };
  return {simulate_designs<MixDesign>(
      designs, checked, progress,
      [](const Checked& mix) {
        return std::visit([](const auto& one) -> simulation::AnyResult { return simulate(one); },
                          mix);
      },
      refuse)};
}

}  // namespace railwright::planner
