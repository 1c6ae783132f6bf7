// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/jobs_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "front_end_switches.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "railwright/workloads/jobs/jobs_scenario.hpp"

namespace railwright::planner {

namespace {

using simulation::JobsResult;
using simulation::StorageNeed;

simulation::SimulateOptions told_by(const SizeOptions& options) {
  simulation::SimulateOptions how;
  if (options.progress) {
    how.tell = [&](std::int64_t done, std::int64_t all) { options.progress("runs", done, all); };
  }
  return how;
}

/// Reports targets that no number of storage nodes meets.
void check_needs(JobsResult& result) {
  for (const StorageNeed& need : result.run.needs) {
    if (need.num_nodes > 0) continue;
    result.infeasible.push_back(
        {fmt::format("no number of storage nodes meets the target of {}, limited by the {}: {}",
                     need.target, need.limit, need.missed)});
  }
}

}  // namespace

SizedScenario size_jobs(const core::Node& tree, const core::Catalogue& catalogue,
                        const SizeOptions& options) {
  const simulation::CheckedJobs given = simulation::read_jobs(tree, catalogue);
  if (!given.run.targets) {
    throw core::ConfigError({{tree.where, "run.targets",
                              "missing: `size` needs to know what the storage of jobs should hold",
                              "run: {targets: {checkpoint_stall: 0.05, restore: 10 min}}"}});
  }
  // The switches of the given number say nothing about those of the number that is looked for.
  core::Node plugged =
      simulation::with_settings(tree, front_end_switches(tree, catalogue).settings());
  JobsResult result = simulate(simulation::read_jobs(plugged, catalogue), told_by(options));
  check_needs(result);
  if (!result.feasible() || result.run.needs.empty()) {
    return {.settings = {}, .scenario = tree, .result = std::move(result), .smaller = {}};
  }
  std::vector<StorageNeed> needs = std::move(result.run.needs);
  const StorageNeed& binds = *std::ranges::max_element(needs, {}, &StorageNeed::num_nodes);
  std::vector<std::string> settings{fmt::format("cluster.storage.count={}", binds.num_nodes)};
  const std::string smaller = binds.missed.empty() ? "" : "one storage node less: " + binds.missed;
  core::Node sized = simulation::with_settings(tree, settings);
  for (std::string& setting : front_end_switches(sized, catalogue).settings()) {
    sized = simulation::with_settings(std::move(sized), {setting});
    settings.push_back(std::move(setting));
  }
  simulation::CheckedJobs with_them = simulation::read_jobs(sized, catalogue);
  with_them.run.targets.reset();  // what they need is known
  result = simulate(with_them, told_by(options));
  result.run.needs = std::move(needs);
  return {.settings = std::move(settings),
          .scenario = std::move(sized),
          .result = std::move(result),
          .smaller = smaller};
}

}  // namespace railwright::planner
