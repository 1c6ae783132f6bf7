// SPDX-License-Identifier: Apache-2.0
#include "simulated_with.hpp"

#include <utility>

#include "railwright/core/error.hpp"
#include "railwright/core/stop.hpp"

namespace railwright::planner {

std::optional<simulation::AnyResult> simulated_with(core::Node tree,
                                                    const core::Catalogue& catalogue,
                                                    const std::string& setting,
                                                    simulation::Method method,
                                                    const ProgressFunction& progress) {
  core::check_stop();
  simulation::SimulateOptions options{.method = method};
  if (progress) {
    options.tell = [&](std::int64_t done, std::int64_t all) {
      progress("runs with a change", done, all);
    };
  }
  try {
    core::set_path(tree, setting);
    simulation::AnyResult result = simulation::simulate(tree, catalogue, options);
    if (simulation::is_feasible(result)) return result;
  } catch (const core::ConfigError&) {
    return {};
  } catch (const core::SimulationError&) {
    return {};
  }
  return {};
}

}  // namespace railwright::planner
