// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "sweep_group.hpp"

namespace railwright::planner {

void make_row_alone(const SweepBase& base, SweepRow& row) {
  try {
    const simulation::CheckedScenario checked = simulation::read_scenario(
        simulation::with_settings(base.tree, base.grid.settings(row.point)), base.catalogue);
    const simulation::SimulateOptions options{.method = base.options.method};
    if (base.options.with_run) {
      fill(simulate(checked, options), true, row);
      return;
    }
    fill(simulate_without_run(checked, checked.topology->build(checked.scenario.cluster), options),
         false, row);
  } catch (const core::ConfigError& error) {
    fill(error.diagnostics(), row);
  } catch (const core::Error& error) {
    fill({core::Diagnostic{{}, {}, error.what(), {}}}, row);
  }
}

}  // namespace railwright::planner
