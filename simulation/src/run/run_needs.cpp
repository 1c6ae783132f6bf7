// SPDX-License-Identifier: Apache-2.0
#include "run_needs.hpp"

#include "railwright/simulation/run/storage_needs.hpp"
#include "railwright/simulation/scenario/scenario.hpp"

namespace railwright::simulation {

std::vector<StorageNeed> run_needs(const RunJob& job, const RunPlan& plan) {
  if (!job.checked->scenario.cluster.storage || !plan.targets) return {};
  return storage_needs(job, *plan.targets);
}

}  // namespace railwright::simulation
