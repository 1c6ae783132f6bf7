// SPDX-License-Identifier: Apache-2.0
// The table of numbers of a result.
#include "number_groups.hpp"
#include "railwright/simulation/results/result_number.hpp"

namespace railwright::simulation {

namespace {

/// Groups in the order of the JSON.
constexpr NumberGroup kGroups[] = {
    {NumberScope::kDesign, work_numbers},     {NumberScope::kDesign, memory_numbers},
    {NumberScope::kDesign, cluster_numbers},  {NumberScope::kStep, step_time_numbers},
    {NumberScope::kJob, run_numbers},         {NumberScope::kStep, step_numbers},
    {NumberScope::kJob, transfer_numbers},    {NumberScope::kRun, local_numbers},
    {NumberScope::kStorage, storage_numbers}, {NumberScope::kRun, need_numbers},
    {NumberScope::kRun, power_numbers},       {NumberScope::kRun, cost_numbers},
};

}  // namespace

const std::vector<ScopedNumber>& result_numbers() {
  static const std::vector<ScopedNumber> kNumbers = table_of(kGroups);
  return kNumbers;
}

}  // namespace railwright::simulation
