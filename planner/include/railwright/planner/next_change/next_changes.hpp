// SPDX-License-Identifier: Apache-2.0
// The change to try next, for each kind of scenario that has one.
#pragma once

#include <optional>

#include "railwright/planner/next_change/next_change.hpp"
#include "railwright/planner/next_change/next_jobs_change.hpp"
#include "railwright/planner/next_change/next_service_change.hpp"
#include "railwright/workloads/simulate_any.hpp"

namespace railwright::planner {

/// Changes tried for a result, by its kind; empty if none were requested.
struct AnyChangesTried {
  std::optional<ChangesTried> of_step;
  std::optional<JobsChangesTried> of_jobs;
  std::optional<ServiceChangesTried> of_service;
};

/// Whether changes are tried unasked: on large clusters they take seconds.
bool are_changes_quick(const simulation::AnyResult& result);

/// Tries changes that shorten the training of one job or of several, or that speed up a service;
/// nothing for other kinds and for designs that do not fit. Throws ConfigError.
AnyChangesTried next_changes(const core::Node& tree, const core::Catalogue& catalogue,
                             const simulation::AnyResult& result, simulation::Method method,
                             const ProgressFunction& progress = {});

}  // namespace railwright::planner
