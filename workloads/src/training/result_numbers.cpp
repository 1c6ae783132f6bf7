// SPDX-License-Identifier: Apache-2.0
// The table of numbers of a training job.
#include "number_groups.hpp"
#include "railwright/workloads/training/outputs.hpp"

namespace railwright::simulation {

const Numbers<SimulationResult>& result_numbers() {
  // Groups in the order of the JSON.
  static const NumberGroup<SimulationResult> kGroups[] = {
      {kDesign, work_numbers},    {kDesign, memory_numbers}, {kDesign, cluster_numbers},
      {kStep, step_time_numbers}, {kJob, run_numbers},       {kStep, step_numbers},
      {kJob, transfer_numbers},   {kJob, local_numbers},     {kStorage, storage_numbers},
      {kRun, need_numbers},       {kRun, power_numbers},     {kRun, cost_numbers},
  };
  static const Numbers<SimulationResult> kNumbers = table_of<SimulationResult>(kGroups);
  return kNumbers;
}

}  // namespace railwright::simulation
