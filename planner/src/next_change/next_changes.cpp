// SPDX-License-Identifier: Apache-2.0
#include "railwright/planner/next_change/next_changes.hpp"

namespace railwright::planner {

bool are_changes_quick(const simulation::AnyResult& result) {
  if (const auto* one = std::get_if<simulation::SimulationResult>(&result)) {
    return one->num_accelerators <= kMaxChangedUnasked;
  }
  if (const auto* service = std::get_if<simulation::InferenceResult>(&result)) {
    return !service->run || service->run->num_requests <= kMaxRequestsUnasked;
  }
  const auto* jobs = std::get_if<simulation::JobsResult>(&result);
  return jobs == nullptr || jobs->num_accelerators <= kMaxChangedUnasked;
}

AnyChangesTried next_changes(const core::Node& tree, const core::Catalogue& catalogue,
                             const simulation::AnyResult& result, simulation::Method method,
                             const ProgressFunction& progress) {
  AnyChangesTried tried;
  if (!simulation::is_feasible(result)) return tried;
  if (const auto* one = std::get_if<simulation::SimulationResult>(&result)) {
    tried.of_step = next_change(tree, catalogue, *one, progress);
  } else if (const auto* jobs = std::get_if<simulation::JobsResult>(&result)) {
    tried.of_jobs = next_jobs_change(tree, catalogue, *jobs, method, progress);
  } else if (const auto* service = std::get_if<simulation::InferenceResult>(&result)) {
    tried.of_service = next_service_change(tree, catalogue, *service, progress);
  }
  return tried;
}

}  // namespace railwright::planner
