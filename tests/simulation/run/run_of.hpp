// SPDX-License-Identifier: Apache-2.0
// Runs of a test scenario whose step takes a given time.
#pragma once

#include <span>
#include <string>

#include "../../support/scenario.hpp"
#include "railwright/simulation/run/run.hpp"

namespace railwright::test {

/// Of a checkpoint of the base scenario.
constexpr double kLlama7bBytes = 14 * 6'738'415'616.0;

/// What an asynchronous checkpoint stops training for beside its copy, unless the profile says so.
constexpr double kSnapshotOverhead = 1.0;

inline simulation::RunResult run_of(const simulation::CheckedScenario& checked,
                                    const core::Fabric& fabric, double step_time) {
  const simulation::RunJob job{.checked = &checked,
                               .step_time = core::Duration::from_base(step_time),
                               .start = {},
                               .first_node = 0};
  return simulation::simulate_run(std::span(&job, 1), fabric, checked.scenario.run);
}

inline simulation::RunResult run_of(const Settings& settings, double step_time) {
  const BuiltScenario built(settings);
  return run_of(built.checked, built.built.fabric, step_time);
}

/// A fleet with these failures, and `more` keys of it that end with a comma.
inline std::string fleet(const std::string& failures, const std::string& more = "") {
  return "reliability={name: test, description: test, failures: " + failures + ", " + more +
         "detection: 60 s, replacement: 30 s, restart: 120 s, repair: 1000 s}";
}

inline double time_of(const simulation::JobRun& run, simulation::RunCause cause) {
  return run.time_s[static_cast<std::size_t>(cause)];
}

}  // namespace railwright::test
