// SPDX-License-Identifier: Apache-2.0
#include "railwright/simulation/closed_form/configuration_rules.hpp"

#include "railwright/models/software/profile.hpp"

namespace railwright::simulation {

bool has_experts(const models::Training& workload) {
  return models::vision_of(workload) == nullptr && models::transformer_of(workload).experts;
}

bool goes_by_layer(const models::SoftwareProfile& software, int zero_stage) {
  return software.sync_every_microbatch.value ||
         (zero_stage == 3 && software.reshard_after_forward.value);
}

}  // namespace railwright::simulation
