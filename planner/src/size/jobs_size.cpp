// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/size/jobs_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "railwright/simulation/scenario/with_settings.hpp"

namespace railwright::planner {

namespace {

using simulation::JobsResult;
using simulation::StorageNeed;

JobsResult simulate_jobs(const core::Node& tree, const core::Catalogue& catalogue,
                         const SizeOptions& options) {
  simulation::SimulateOptions how;
  if (options.progress) {
    how.tell = [&](std::int64_t done, std::int64_t all) { options.progress("runs", done, all); };
  }
  return simulate(simulation::read_jobs(tree, catalogue), how);
}

}  // namespace

SizedScenario size_jobs(const core::Node& tree, const core::Catalogue& catalogue,
                        const SizeOptions& options) {
  if (!simulation::read_jobs(tree, catalogue).run.targets) {
    throw core::ConfigError({{tree.where, "run.targets",
                              "missing: `size` needs to know what the storage of jobs should hold",
                              "run: {targets: {checkpoint_stall: 0.05, restore: 10 min}}"}});
  }
  JobsResult result = simulate_jobs(tree, catalogue, options);
  if (!result.feasible()) {
    return {.settings = {}, .scenario = tree, .result = std::move(result), .smaller = {}};
  }
  for (const StorageNeed& need : result.run.needs) {
    if (need.num_nodes > 0) continue;
    result.infeasible.push_back(
        {fmt::format("no number of storage nodes meets the target of {}, limited by the {}: {}",
                     need.target, need.limit, need.missed)});
  }
  if (!result.feasible() || result.run.needs.empty()) {
    return {.settings = {}, .scenario = tree, .result = std::move(result), .smaller = {}};
  }
  const StorageNeed& binds =
      *std::ranges::max_element(result.run.needs, {}, &StorageNeed::num_nodes);
  const std::string setting = fmt::format("cluster.storage.count={}", binds.num_nodes);
  core::Node sized = simulation::with_settings(tree, {setting});
  JobsResult with_them = simulate_jobs(sized, catalogue, options);
  return {.settings = {setting},
          .scenario = std::move(sized),
          .result = std::move(with_them),
          .smaller = binds.missed.empty() ? "" : "one storage node less: " + binds.missed};
}

}  // namespace railwright::planner
