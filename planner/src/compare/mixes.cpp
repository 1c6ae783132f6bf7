// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/compare/mixes.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "railwright/core/parallel_for.hpp"

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

bool are_mixes(const std::vector<Design>& designs) {
  const auto are = [&](bool (*is_kind)(const core::Node&), const char* kind) {
    const auto of_kind = [&](const Design& one) { return is_kind(one.tree); };
    if (std::ranges::none_of(designs, of_kind)) return false;
    const auto other = std::ranges::find_if_not(designs, of_kind);
    if (other == designs.end()) return true;
    throw core::ConfigError(
        {{other->tree.where, "", std::string("the scenario does not stand beside one of ") + kind,
          "compare scenarios of one kind"}});
  };
  return are(simulation::is_jobs, "several jobs") || are(simulation::is_queue, "a queue");
}

MixesSideBySide mixes_side_by_side(const std::vector<Design>& designs,
                                   const core::Catalogue& catalogue,
                                   const ProgressFunction& progress) {
  std::vector<core::Diagnostic> problems;
  for (const Design& design : designs) {
    try {
      if (simulation::is_jobs(design.tree)) {
        simulation::read_jobs(design.tree, catalogue);
      } else {
        simulation::read_queue(design.tree, catalogue);
      }
    } catch (const core::ConfigError& error) {
      problems.insert(problems.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!problems.empty()) throw core::ConfigError(std::move(problems));
  std::vector<std::optional<simulation::AnyResult>> results(designs.size());
  PiecesDone simulated(progress, "designs", designs.size());
  core::parallel_for(designs.size(), [&](std::size_t i) {
    results[i] = simulation::simulate(designs[i].tree, catalogue);
    simulated.one_more();
  });
  MixesSideBySide all;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    all.designs.push_back({designs[i].name, std::move(*results[i])});
  }
  return all;
}

}  // namespace railwright::planner
