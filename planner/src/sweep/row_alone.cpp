// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/with_settings.hpp"
#include "sweep_base.hpp"

namespace railwright::planner {

void make_row_alone(const SweepBase& base, SweepRow& row) {
  const bool with_run = base.options.with_run;
  try {
    const core::Node tree = simulation::with_settings(base.tree, base.grid.settings(row.point));
    fill(base.kind.simulate_point(tree, base.catalogue,
                                  {.method = base.options.method, .with_run = with_run}),
         base.kind, with_run, row);
  } catch (const core::ConfigError& error) {
    fill(error.diagnostics(), row);
  } catch (const core::Error& error) {
    fill({core::Diagnostic{{}, {}, error.what(), {}}}, row);
  }
}

}  // namespace railwright::planner
