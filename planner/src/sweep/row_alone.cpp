// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/scenario/read_scenario.hpp"
#include "railwright/simulation/scenario/with_settings.hpp"
#include "sweep_base.hpp"

namespace railwright::planner {

namespace {

void make_training_row(const core::Node& tree, const SweepBase& base, SweepRow& row) {
  const simulation::CheckedScenario checked = simulation::read_scenario(tree, base.catalogue);
  const simulation::SimulateOptions options{.method = base.options.method};
  if (base.options.with_run) {
    fill(simulate(checked, options), true, row);
    return;
  }
  fill(simulate_without_run(checked, checked.topology->build(checked.scenario.cluster), options),
       false, row);
}

void make_service_row(const core::Node& tree, const SweepBase& base, SweepRow& row) {
  simulation::CheckedInference checked = simulation::read_inference(tree, base.catalogue);
  if (!base.options.with_run) checked.inference.load.reset();
  fill(simulate(checked), base.options.with_run, row);
}

}  // namespace

void make_row_alone(const SweepBase& base, SweepRow& row) {
  try {
    const core::Node tree = simulation::with_settings(base.tree, base.grid.settings(row.point));
    if (base.kind == SweepKind::kService) return make_service_row(tree, base, row);
    if (base.kind == SweepKind::kQueue) {
      return fill(simulate(simulation::read_queue(tree, base.catalogue)), row);
    }
    if (base.kind == SweepKind::kJobs) {
      return fill(
          simulate(simulation::read_jobs(tree, base.catalogue), {.method = base.options.method}),
          row);
    }
    if (base.kind == SweepKind::kPostTraining) {
      return fill(simulate(simulation::read_post_training(tree, base.catalogue),
                           {.method = base.options.method}),
                  row);
    }
    make_training_row(tree, base, row);
  } catch (const core::ConfigError& error) {
    fill(error.diagnostics(), row);
  } catch (const core::Error& error) {
    fill({core::Diagnostic{{}, {}, error.what(), {}}}, row);
  }
}

}  // namespace railwright::planner
